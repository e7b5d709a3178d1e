"""What one unit asks of the whole army: its price, its options and what `choices` foresees."""

from typing import Any

import pytest

from armybuilder.engine import Choice, choices
from armybuilder.engine.catalogue import Catalogue
from tests.building.regiments import (
    CAPS,
    ENTRY,
    army,
    field,
    group,
    of_code,
    option,
    spent,
    taken,
    unit,
)
from tests.building.tiny import Data, codes, document, judge, roster, rule

#: Cheaper knights with their queen; a flag only beside another; drums per drummer of the army.
UNITS = (
    unit("queen", 50, option("crown", 10)),
    unit(
        "knights",
        30,
        option("flag", 5, needs={"taken": "queen/crown", "in": "army"}),
        option(
            "drum",
            1,
            when=[{"for_each": {"taken": "pipe", "in": "army"}, "add": {"points": 2}}],
        ),
        when=[{"if": {"taken": "queen", "in": "army"}, "add": {"points": -8}}],
    ),
    unit("mob", 20, option("pipe", 1, number=[0, 3])),
    unit("lone", 5, keywords=[{"name": "Scout", "if": {"taken": "mob", "in": "army"}}]),
)
SCOUTS = rule("limit", "tiny.scouts", id="scouts", count="picks", of={"keyword": "scout"}, max=0)


def game(**more: Any) -> Catalogue:
    return army(*UNITS, rules=[*ENTRY, SCOUTS], **more)


def prices(*entries: Data) -> list[int]:
    return [line.points for line in judge(game(), *entries).lines.values()]


def test_the_price_of_one_unit_moves_when_another_is_taken() -> None:
    assert prices(field("knights")) == [30]
    assert prices(field("knights"), field("queen"), field("knights")) == [22, 50, 22]


def test_the_price_of_an_option_counts_what_the_army_has_of_another() -> None:
    assert prices(field("knights", "drum")) == [31]
    pipes = [field("mob", taken("pipe", number=3)), field("mob", "pipe")]
    assert prices(field("knights", "drum"), *pipes) == [30 + 1 + 4 * 2, 23, 21]


def test_an_option_may_need_an_option_of_a_certain_other_unit() -> None:
    flag = field("knights", "flag")
    assert judge(game(), flag, field("queen", "crown")).legal
    assert codes(judge(game(), flag, field("queen"))) == ["tiny.unavailable"]
    assert codes(judge(game(), flag)) == ["tiny.unavailable"]


def test_a_keyword_may_depend_on_the_army() -> None:
    assert judge(game(), field("lone")).legal
    assert codes(judge(game(), field("lone"), field("mob"))) == ["tiny.scouts"]


def offered(catalogue: Catalogue, *entries: Data, limit: int = 150) -> dict[str, Choice]:
    made = roster(document(*entries, limit=limit), catalogue)
    return {choice.unit.ref.split("/")[1]: choice for choice in choices(made, catalogue)}


def test_choices_see_what_a_unit_would_do_to_the_others() -> None:
    flag = field("knights", "flag")
    crowned = unit("queen", 50, group("regalia", option("crown", 10), choose=[1, 1]))
    crowned["options"][0]["default"] = "crown"
    made = army(crowned, *UNITS[1:], rules=[*ENTRY, SCOUTS])
    choice = offered(made, flag)["queen"]
    assert [found.code for found in choice.settles] == ["tiny.unavailable"]
    assert choice.points == 60
    assert [found.code for found in offered(game(), field("lone"))["mob"].breaks] == ["tiny.scouts"]


@pytest.mark.parametrize(("limit", "broken"), [(71, ["points.over"]), (72, [])])
def test_choices_count_the_discount_that_a_unit_brings(limit: int, broken: list[str]) -> None:
    over = rule("limit", "points.over", count="points", max="limit")
    made = army(*UNITS, rules=[over])
    choice = offered(made, field("knights"), limit=limit)["queen"]
    assert [found.code for found in choice.breaks] == broken
    assert spent(made, field("knights"), field("queen")) == 72


def test_choices_price_a_unit_as_the_army_then_is() -> None:
    assert offered(game(), field("queen"))["knights"].points == 22
    assert offered(game())["knights"].points == 30


def test_choices_keep_to_caps_that_move_with_the_army() -> None:
    more = {"if": {"taken": "alpha", "in": "army"}, "set": {"cap": 2}}
    made = army(
        unit("wolf", 5, cap=1, when=[more]), unit("alpha", 9, one_of_a_kind=True), rules=CAPS
    )
    packs = [field("wolf"), field("wolf")]
    assert [found.code for found in offered(made, packs[0])["wolf"].breaks] == ["tiny.cap"]
    assert [found.code for found in offered(made, *packs)["alpha"].settles] == ["tiny.cap"]
    assert offered(made, packs[0], field("alpha"))["wolf"].breaks == ()


def test_choices_start_a_unit_with_what_it_must_have() -> None:
    weapons = group("arms", option("club", 2), option("axe", 3), choose=[1, 1], default="axe")
    unready = group("arms", option("club", 2), option("axe", 3), choose=[1, 1])
    made = army(
        unit("ready", 5, weapons, size=[3, 9], points_per_model=1),
        unit("bare", 5, unready),
    )
    found = offered(made)
    assert (found["ready"].points, found["ready"].breaks) == (8, ())
    assert [breach.code for breach in found["bare"].breaks] == ["tiny.group-under"]


def test_the_game_size_and_the_organisation_move_prices_too() -> None:
    moving = unit(
        "imp",
        10,
        when=[
            {"if": {"limit": {"at_least": 200}}, "set": {"points": 12}},
            {"if": {"organisation": "raid"}, "add": {"points": 1}},
        ],
    )
    sides = [{"id": "host", "name": "Host"}, {"id": "raid", "name": "Raid"}]
    made = army(moving, organisations=sides)
    assert spent(made, field("imp")) == 10
    assert spent(made, field("imp"), limit=200) == 12
    assert spent(made, field("imp"), organisation="raid") == 11


def test_a_unit_may_not_be_counted_by_its_own_discount_twice() -> None:
    """Two of a kind: each asks for the army, in which it stands itself."""
    pair = unit(
        "twin",
        10,
        when=[{"if": {"taken": "twin", "in": "army", "at_least": 2}, "set": {"points": 7}}],
    )
    made = army(pair)
    assert spent(made, field("twin")) == 10
    assert spent(made, field("twin"), field("twin")) == 14
    assert offered(made, field("twin"))["twin"].points == 7


def test_an_option_needing_itself_in_the_army_is_judged_for_each_unit() -> None:
    pair = unit("pair", 5, option("rope", 1, needs={"taken": "rope", "in": "army", "at_least": 2}))
    made = army(pair)
    assert [
        found.units for found in of_code(judge(made, field("pair", "rope")), "tiny.unavailable")
    ]
    assert judge(made, field("pair", "rope"), field("pair", "rope")).legal
