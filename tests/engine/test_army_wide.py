"""What one unit means for the whole army: caps, split prices, banners, what it asks."""

from typing import Any

import pytest

from armybuilder.engine import Choice, Report, choices
from armybuilder.engine.catalogue import Catalogue
from armybuilder.engine.sentences import sentence
from armybuilder.engine.tally import Held
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
from tests.building.tiny import Data, codes, document, judge, only, roster, rule

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


WOLVES = unit("wolves", 20, size=[5, 10], points_per_model=3, cap=3)


@pytest.mark.parametrize(("limit", "top"), [(50, 2), (51, 3), (199, 3), (200, 6)])
def test_a_cap_scales_with_the_game_size(limit: int, top: int) -> None:
    packs = [field("wolves", models=5)] * (top + 1)
    assert judge(army(WOLVES, rules=CAPS), *packs[:-1], limit=limit).legal
    finding = only(judge(army(WOLVES, rules=CAPS), *packs, limit=limit))
    assert (finding.code, finding.measured, finding.allowed) == ("tiny.cap", top + 1, top)
    assert finding.units == tuple(f"u{number}" for number in range(1, top + 2))
    assert (finding.values["name"], finding.citation) == ("Wolves", "Tiny 9, The Tiny Horde")


def test_without_a_scale_a_cap_is_the_same_in_every_game() -> None:
    catalogue = army(WOLVES, rules=[rule("cap", "tiny.cap")])
    for limit in (10, 100, 9000):
        assert only(judge(catalogue, *[field("wolves", models=5)] * 4, limit=limit)).allowed == 3


def test_models_and_points_have_caps_of_their_own() -> None:
    catalogue = army(
        unit("wolves", 20, size=[5, 10], points_per_model=3, cap_models=12),
        unit("smiths", 10, option("bomb", 4, number=[0, 9], cap_points=20)),
        rules=CAPS,
    )
    assert judge(catalogue, field("wolves", models=6), field("wolves", models=6)).legal
    finding = only(judge(catalogue, field("wolves", models=6), field("wolves", models=7)))
    assert (finding.measured, finding.allowed, finding.values["what"]) == (13, 12, "models")
    bombs = [field("smiths", taken("bomb", number=number)) for number in (2, 3, 2)]
    assert judge(catalogue, *bombs[:2]).legal
    finding = only(judge(catalogue, *bombs))
    assert (finding.measured, finding.allowed, finding.values["what"]) == (28, 20, "points")


def test_an_option_is_counted_over_the_whole_army_as_often_as_it_is_taken() -> None:
    catalogue = army(
        unit("smiths", 10, option("bomb", 4, number=[0, 9], cap=3)),
        unit("imps", 5, option("bomb", 2)),
        rules=CAPS,
    )
    entries = [field("smiths", taken("bomb", number=2)), field("smiths", "bomb")]
    assert judge(catalogue, *entries, field("imps", "bomb")).legal, "another unit's own bomb"
    finding = only(judge(catalogue, field("imps"), *entries, field("smiths", "bomb")))
    assert (finding.measured, finding.allowed, finding.units) == (4, 3, ("u2", "u3", "u4"))


def test_a_shared_option_has_one_cap_over_all_units_that_use_it() -> None:
    catalogue = army(
        unit("a", 10, {"use": "relic"}),
        unit("b", 10, {"use": "relic", "points": 2}),
        rules=CAPS,
        shared=[option("relic", 5, one_of_a_kind=True)],
    )
    assert judge(catalogue, field("a", "relic"), field("b")).legal
    finding = only(judge(catalogue, field("a", "relic"), field("b", "relic")))
    assert (finding.code, finding.measured, finding.allowed) == ("tiny.lone", 2, 1)
    assert finding.units == ("u1", "u2")


def test_a_unit_that_holds_a_capped_option_twice_has_its_models_once() -> None:
    crossed = [
        option("front", 0, {"use": "pike"}),
        option("back", 0, {"use": "pike"}),
    ]
    catalogue = army(
        unit("phalanx", 10, *crossed, size=[5, 20]),
        rules=CAPS,
        shared=[option("pike", 1, cap_models=10)],
    )
    entry = field("phalanx", taken("front", "pike"), taken("back", "pike"), models=8)
    report = judge(catalogue, entry)
    held: Held = report.full.held["option:pike"]
    assert (held.number, held.models, held.points) == (2, 8, 2)
    assert report.legal


@pytest.mark.parametrize(("lord", "top"), [(False, 1), (True, 3)])
def test_a_cap_moves_with_what_is_in_the_army(lord: bool, top: int) -> None:
    more = {"if": {"taken": "wolf-lord", "in": "army"}, "set": {"cap": 3}}
    catalogue = army({**WOLVES, "cap": 1, "when": [more]}, unit("wolf-lord", 30), rules=CAPS)
    entries = [field("wolf-lord")] * lord + [field("wolves", models=5)] * top
    assert judge(catalogue, *entries).legal
    assert only(judge(catalogue, *entries, field("wolves", models=5))).allowed == top


def test_one_of_a_kind_and_a_cap_are_different_rules() -> None:
    catalogue = army(unit("king", 10, one_of_a_kind=True, cap=1), rules=CAPS)
    report = judge(catalogue, field("king"), field("king"), limit=300)
    assert codes(report) == ["tiny.lone"], "the cap of one has doubled"
    assert codes(judge(catalogue, field("king"), field("king"))) == ["tiny.cap", "tiny.lone"]


def musts(*entries: Any, limit: int = 100) -> list[tuple[int | None, int | None, str]]:
    scribe = option("scribe", 2, army_min=2)
    king = {"if": {"limit": {"at_least": 200}}, "set": {"army_min": 2}}
    catalogue = army(
        unit("king", 20, army_min=1, when=[king]), unit("clerks", 5, scribe), rules=CAPS
    )
    report = judge(catalogue, *entries, limit=limit)
    return [
        (found.measured, found.allowed, found.citation) for found in of_code(report, "cap.under")
    ]


def test_what_a_book_asks_for_must_be_in_the_army_so_often() -> None:
    clerks = field("clerks", "scribe")
    assert musts(field("king"), clerks, clerks) == []
    assert musts(clerks) == [(0, 1, "The Tiny Horde"), (1, 2, "The Tiny Horde")]
    assert musts(field("king"), clerks, clerks, limit=200) == [(1, 2, "The Tiny Horde")]


SAID = [
    {"share": "1/2", "at_most": 50, "name": "halved in a raid"},
    {"share": "2/1", "at_least": 200, "name": "doubled in a siege"},
]
TOLD = rule("cap", "cap.over", id="caps", cite="9", scale=SAID, size_cite="9.C")


def test_a_cap_that_the_game_size_changes_says_what_it_was_and_cites_why() -> None:
    for limit, packs, said, cited in [
        (50, 3, "maximum 2 (0–3, halved in a raid).", "Tiny 9, 9.C, The Tiny Horde"),
        (100, 4, "maximum 3.", "Tiny 9, The Tiny Horde"),
        (200, 7, "maximum 6 (0–3, doubled in a siege).", "Tiny 9, 9.C, The Tiny Horde"),
    ]:
        catalogue = army(WOLVES, rules=[TOLD])
        finding = only(judge(catalogue, *[field("wolves", models=5)] * packs, limit=limit))
        assert sentence(finding) == f"Wolves: {packs} taken, {said}", limit
        assert finding.citation == cited, limit


def test_a_cap_that_follows_the_game_size_by_itself_is_told_without_that() -> None:
    change = {"if": {"limit": {"at_most": 50}}, "set": {"cap": 1}}
    catalogue = army({**WOLVES, "when": [change]}, rules=[TOLD])
    finding = only(judge(catalogue, *[field("wolves", models=5)] * 2, limit=50))
    assert sentence(finding) == "Wolves: 2 taken, maximum 1."
    assert finding.citation == "Tiny 9, The Tiny Horde"


RULES = [
    rule("category", "category.over", under="category.under", cite="8.B"),
    rule("limit", "tiny.core", id="core", count="units", of={"category": "core"}, min=1, cite="9"),
]
CATEGORIES = [
    {"id": "core", "name": "Core", "min": "25%"},
    {"id": "special", "name": "Special", "max": "60%", "max_units": 1},
]
GUARDS = unit(
    "guards",
    100,
    option("mentor", 30, number=[0, 3]),
    option("sage", 15, categories=["core"]),
    group("band", option("chief", 10), {"use": "flag"}, categories=["core"]),
    {"use": "spear", "points_per_model": 2, "categories": ["core"]},
    {"use": "paint", "categories": ["core"]},
    size=[10, 25],
    points_per_model=8,
    categories=["special"],
    models_in=["core"],
)
SHARED = (
    option("spear"),
    option("flag", 10, option("ribbon", 25)),
    group("paint", option("red", 3), group("dark", option("black", 4))),
)


def court(*entries: Data, limit: int = 1000, **more: Any) -> Report:
    made = army(
        {**GUARDS, **more},
        unit("militia", 50, {"use": "spear"}, categories=["core"]),
        rules=RULES,
        shared=SHARED,
        categories=CATEGORIES,
    )
    return judge(made, *entries, limit=limit)


def used(report: Report) -> dict[str, int]:
    return {gauge.name: gauge.used for gauge in report.gauges if gauge.head.id.count("points")}


def test_its_models_and_what_is_marked_so_count_there_too() -> None:
    cases: list[tuple[list[Any], int, int, int]] = [
        ([], 10, 100, 100),
        ([], 12, 116, 116),
        ([taken("mentor", number=2)], 10, 100, 160),
        (["sage"], 10, 115, 115),
        (["chief"], 10, 110, 110),
        ([taken("flag", "ribbon")], 10, 135, 135),
        (["spear"], 12, 140, 140),
        (["red", "black", "mentor"], 10, 107, 137),
    ]
    for options, models, core, whole in cases:
        report = court(field("guards", *options, models=models), field("militia"))
        assert used(report) == {"Core": core + 50, "Special": whole}, (options, models)
        assert report.spent == whole + 50, (options, models)


def test_the_parts_of_a_sum_show_what_each_unit_adds() -> None:
    report = court(field("guards", "mentor", "chief", models=11), field("militia", "spear"))
    gauges = [gauge for gauge in report.gauges if gauge.head.id.count("points")]
    parts = {gauge.name: [part.amount for part in gauge.parts] for gauge in gauges}
    assert parts == {"Core": [118, 50], "Special": [148]}
    assert report.spent == 198
    short = only(report)
    assert (short.measured, short.allowed, short.units) == (168, 250, ("u1", "u2"))


def test_it_is_no_unit_of_the_category_of_its_models() -> None:
    report = court(field("guards", models=25), limit=100)
    assert [finding.code for finding in report.findings] == ["category.over", "tiny.core"]
    counted = [gauge for gauge in report.gauges if gauge.head.id == "category-special-picks-max"]
    assert [gauge.used for gauge in counted] == [1]


def test_a_unit_that_is_of_the_category_itself_counts_there_once() -> None:
    report = court(field("guards", "mentor", "spear", models=10), categories=["core"])
    assert used(report)["Core"] == report.spent == 150


def test_a_category_may_be_reached_with_such_models() -> None:
    assert court(field("guards", models=25), field("militia"), limit=1000).legal
    short = only(court(field("guards", "mentor", models=22), field("militia"), limit=1000))
    assert (short.code, short.measured, short.allowed) == ("category.under", 246, 250)
