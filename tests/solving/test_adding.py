"""To add means the same for every verb: look-ahead, filling, repair and explanation agree on half
lists; a setting that is missing may be chosen, one that is wrong is a change; and each way states
all that it changes.
"""

import os
from dataclasses import replace
from itertools import islice
from random import Random

import pytest

from armybuilder.comparing.difference import difference
from armybuilder.engine import validate
from armybuilder.engine.catalogue import Catalogue
from armybuilder.engine.space.candidates import least_price
from armybuilder.loading.armylist import ArmyList, ListOption, ListUnit, with_settings
from armybuilder.loading.documents import judge_by, make_roster
from armybuilder.solving.explain import explain
from armybuilder.solving.look_ahead import Fate, look_ahead
from armybuilder.solving.repair import Repair, repairs
from tests.building.documents import value_of
from tests.building.random_lists import LIBRARY, SKIRMISHES, catalogue_of, random_lists
from tests.building.regiments import ENTRY, army, field, option, unit
from tests.building.tiny import MAP, Data, document, game, rule, take
from tests.building.tiny import unit as tiny_unit
from tests.building.tiny import with_settings as map_too
from tests.effort import scaled
from tests.solving.half_lists import SOLVER, Asking, halves
from tests.solving.test_verbs import LONG

pytestmark = pytest.mark.long

#: Half lists of each game, as many as HALVES says; many more by `tests.solving.half_lists`.
HALVES = int(os.environ.get("HALVES", scaled(2, 6, 12)))
DRAWN = [*SKIRMISHES, "vermin-swarm", "highborn-elves"]


def assert_states_all(before: ArmyList, way: Repair, catalogue: Catalogue) -> None:
    """A way states what it changes, to programs and in sentences."""
    is_another = way.army_list != before
    assert bool(way.changes) == is_another
    judged, repaired = (judge_by(one, catalogue) for one in (before, way.army_list))
    assert bool(difference(judged, repaired).lines(100)) == is_another


def assert_agree(made: ArmyList, catalogue: Catalogue, chance: Random | None = None) -> Asking:
    """Say the same of a list by every verb; return what they say."""
    asking = Asking(made, catalogue)
    assert not [*asking.contradictions(chance)]
    for way in asking.mended.found:
        assert_states_all(made, way, catalogue)
    return asking


@pytest.mark.one_in(2)
@pytest.mark.one_in(4)
@pytest.mark.parametrize("game_id", DRAWN)
def test_all_verbs_agree_on_half_lists(game_id: str) -> None:
    catalogue, chance = catalogue_of(game_id), Random(7)  # noqa: S311, tries, not secrets
    for made in islice(halves(game_id), HALVES):
        assert_agree(made, catalogue, chance)


def half(*entries: Data, limit: int = 100, **settings: object) -> ArmyList:
    return value_of(document(*entries, limit=limit, settings=settings))


def agreed(made: ArmyList, catalogue: Catalogue) -> Fate:
    """What all verbs say of a list, each of which must say that it knows."""
    asking = assert_agree(made, catalogue)
    assert asking.filled.impossible == (asking.fate is Fate.DEAD)
    return asking.fate


POINTS = rule("limit", "points.over", id="points", count="points", max="limit")
GROUND = game(rule("fixed", setting="ground", values=["cave"]), roles=[])
BONUS = game(
    rule("limit", "points.over", id="points", count="points", max="limit"),
    rule("fixed", setting="bonus", values=[3]),
    roles=[],
)
TERRAIN = game(rule("limit", id="trees", count="pieces", setting="terrain", min=2, max=2), roles=[])


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ("catalogue", "settings", "fate"),
    [
        (GROUND, {}, Fate.OPEN),
        (GROUND, {"ground": "cave"}, Fate.OPEN),
        (GROUND, {"ground": "open"}, Fate.DEAD),
        (BONUS, {}, Fate.OPEN),
        (BONUS, {"bonus": 3}, Fate.OPEN),
        (BONUS, {"bonus": 2}, Fate.DEAD),
        (TERRAIN, {}, Fate.OPEN),
        (TERRAIN, {"terrain": ["tree"]}, Fate.OPEN),
        (TERRAIN, {"terrain": ["tree", "rock", "rock"]}, Fate.DEAD),
    ],
)
def test_a_missing_setting_may_be_chosen_and_a_wrong_one_is_a_change(
    catalogue: Catalogue, settings: Data, fate: Fate
) -> None:
    made = half(take("soldier"), **settings)
    assert agreed(made, catalogue) is fate
    # A repair may change it.
    ways = repairs(made, catalogue, SOLVER).found
    assert ways
    assert all(validate(make_roster(one.army_list, catalogue), catalogue).legal for one in ways)


SOME_MAP = rule("limit", id="map", count="pieces", setting="map", min=1)
IN_FIELDS = rule("limit", id="many", count="models", min=30, **{"for": {"map": ["field"]}})
FIELDS = game(POINTS, SOME_MAP, IN_FIELDS, settings=map_too(MAP), roles=[])


@pytest.mark.parametrize(
    ("settings", "fate"),
    [({}, Fate.OPEN), ({"map": "yard"}, Fate.OPEN), ({"map": "field"}, Fate.DEAD)],
)
def test_a_rule_for_some_choices_holds_where_they_are_made(settings: Data, fate: Fate) -> None:
    made = half(take("soldier"), **settings)
    assert agreed(made, FIELDS) is fate
    assert repairs(made, FIELDS, SOLVER).found
    core = explain(made, FIELDS, SOLVER, 10)
    assert (core is None) == (fate is Fate.OPEN)
    assert core is None or {"many", "points"} == {head.id for head in core.rules}


def test_settings_fixed_by_a_rule_are_among_the_reasons() -> None:
    in_caves = rule("limit", id="many", count="models", min=30, **{"for": {"ground": ["cave"]}})
    fixed = rule("fixed", id="ground", setting="ground", values=["cave"])
    core = explain(half(take("soldier")), game(POINTS, fixed, in_caves, roles=[]), SOLVER, 10)
    assert core is not None
    assert {head.id for head in core.rules} == {"ground", "many", "points"}


def test_a_unit_that_breaks_a_rule_by_itself_is_among_the_reasons() -> None:
    big = rule("limit", id="big", count="models", of={"ability": "big"}, min=1)
    one = rule("ability-limit", id="one", abilities=["big", "huge"], max=1)
    units = [tiny_unit("soldier", 5), tiny_unit("titan", 30, "big", "huge")]
    core = explain(half(take("soldier")), game(big, one, units=units, roles=[]), SOLVER, 10)
    assert core is not None
    assert {head.id for head in core.rules} == {"big", "one"}


def test_a_size_that_no_rule_keeps_to_is_no_bound() -> None:
    large = [one for one in ENTRY if one["aspect"] != "too-large"]
    three = rule("limit", id="three", count="models", min=3, max=3)
    alone = rule("limit", id="alone", count="units", max=1)
    catalogue = army(
        unit("spears", 40, size=[1, 2], points_per_model=10), rules=(*large, three, alone)
    )
    made = half(field("spears", models=2))
    assert agreed(made, catalogue) is Fate.OPEN
    assert [one.army_list.units[0].models for one in repairs(made, catalogue, SOLVER).found] == [3]


FIFTH = {"share": "1/5", "of": "models"}


@pytest.mark.parametrize(
    ("aspect", "count", "bound"),
    [
        ("too-small", "models", {"max": 1}),
        ("too-large", "models", {"min": 4}),
        ("too-often", "picks", {"min": 2, "of": {"option": "bolts"}}),
    ],
)
def test_limits_of_an_entry_are_among_the_reasons(aspect: str, count: str, bound: Data) -> None:
    one = rule("limit", id="one", count="units", min=1, max=1)
    other = rule("limit", id="other", count=count, **bound)
    spears = unit("spears", 40, option("bolts", 1), size=[2, 3])
    rules = (*ENTRY, one, other, POINTS)
    core = explain(half(), army(spears, rules=rules), SOLVER, LONG)
    assert core is not None
    assert {head.id for head in core.rules} == {aspect, "one", "other"}
    assert core.minimal
    # Without the rule they can hold together.
    lifted = [one for one in rules if one["id"] != aspect]
    assert explain(half(), army(spears, rules=lifted), SOLVER, LONG) is None


def test_points_are_among_the_reasons_where_more_copies_would_do() -> None:
    few = rule("limit", id="few", count="models", of={"unit": "book/lord"}, max=FIFTH)
    led = rule("limit", id="led", count="models", of={"unit": "book/lord"}, min=1)
    units = [unit(name, 50, size=[1, 1]) for name in ("lord", "spears")]
    core = explain(half(limit=150), army(*units, rules=(*ENTRY, POINTS, few, led)), SOLVER, LONG)
    assert core is not None
    assert {head.id for head in core.rules} == {"points", "few", "led", "too-large"}
    assert core.minimal


def test_copies_are_limited_only_by_points() -> None:
    six = rule("limit", id="six", count="units", min=6)
    none = rule("limit", id="none", count="units", of={"unit": "book/ogre"}, max=0)
    units = [unit(name, 10, size=[1, 1]) for name in ("spears", "ogre")]
    catalogue = army(*units, rules=(POINTS, six, none, *ENTRY))
    asking = assert_agree(half(field("spears"), limit=60), catalogue)
    assert asking.outlook.units == {"book/spears": Fate.OPEN, "book/ogre": Fate.DEAD}
    assert asking.mended.found
    assert agreed(half(field("spears"), limit=50), catalogue) is Fate.DEAD


def test_no_list_is_impossible_that_a_dearer_setting_makes_legal() -> None:
    alone = rule("limit", id="alone", count="models", max=1)
    dear = rule("limit", id="dear", count="points", min=90)
    catalogue = game(POINTS, alone, dear, roles=[])
    asking = assert_agree(half(take("soldier")), catalogue)
    assert asking.fate is Fate.UNKNOWN
    assert not asking.filled.impossible
    assert not asking.mended.impossible


@pytest.mark.slow
def test_a_faction_that_is_missing_may_be_chosen_and_a_wrong_one_is_a_change() -> None:
    catalogue = catalogue_of("ddm-2008")
    whole = next(islice(random_lists("ddm-2008", 1), 0, None))
    legal = value_of(whole)
    report = validate(make_roster(legal, catalogue), catalogue)
    assert report.legal
    others = {key: one for key, one in legal.settings.items() if key != "faction"}
    assert agreed(with_settings(legal, others), catalogue) is Fate.OPEN
    for faction in catalogue.system.attributes["faction"].values:
        made = with_settings(legal, {**legal.settings, "faction": faction})
        right = validate(make_roster(made, catalogue), catalogue).legal
        assert agreed(made, catalogue) is (Fate.OPEN if right else Fate.DEAD)


@pytest.mark.slow
def test_a_model_that_goes_into_reserve_is_a_change() -> None:
    catalogue = LIBRARY.catalogue("chainmail-2002", ["practice", "converted"])
    numbers = {"anvil-gate-warden": 3, "cavern-boltthrower": 1, "walking-kiln": 1}
    units = [ListUnit(f"u{name}", number, f"practice/{name}") for name, number in numbers.items()]
    made = replace(
        half(terrain=["dragon-claw", "hedgerow", "low-wall"]),
        system="chainmail-2002",
        books=(),
        units=(*units, ListUnit("azer", 1, "converted/azer")),
    )
    assert agreed(made, catalogue) is Fate.DEAD
    ways = repairs(made, catalogue, SOLVER, seconds=LONG).found
    changed = [{(one.kind, one.unit) for one in way.changes} for way in ways]
    assert any(("role", "practice/cavern-boltthrower") in way for way in changed)


CHEAPER = army(
    unit("ogre", 110, option("old", -20), size=[1, 1]),
    unit("lord", 40, size=[1, 1]),
    rules=(POINTS, *ENTRY),
)


def test_an_option_that_makes_a_unit_cheaper_lets_it_or_another_come() -> None:
    ogre = CHEAPER.units["book/ogre"]
    assert least_price(ogre, CHEAPER.system) == 0
    ahead = look_ahead(half(limit=100), CHEAPER, SOLVER, 10)
    assert ahead.units["book/ogre"] is Fate.OPEN
    assert look_ahead(half(limit=89), CHEAPER, SOLVER, 10).units["book/ogre"] is Fate.DEAD
    # What is on the list can become cheaper, too.
    begun = half(field("ogre"), limit=130)
    assert look_ahead(begun, CHEAPER, SOLVER, 10).units["book/lord"] is Fate.OPEN
    assert agreed(begun, CHEAPER) is Fate.OPEN
    over = half(field("ogre"), limit=100)
    assert agreed(over, CHEAPER) is Fate.OPEN
    dear = replace(over, units=(*over.units, ListUnit("u2", 1, "book/lord")))
    assert agreed(dear, CHEAPER) is Fate.DEAD


RUNES = army(
    unit(
        "hero",
        20,
        option("sword"),
        option("axe"),
        option("rune", 5, on=["sword", "axe"]),
        size=[1, 1],
    ),
    rules=(POINTS, rule("enchants", "tiny.named", id="named", ask=True), *ENTRY),
)


@pytest.mark.parametrize("on", ["axe", ""])
def test_a_fix_that_moves_an_enchantment_says_so(on: str) -> None:
    carried = ("sword",) if on else ("sword", "axe")
    options = (*map(ListOption, carried), ListOption("rune", on=on))
    made = replace(half(), units=(ListUnit("u1", 1, "book/hero", options=options),))
    assert not validate(make_roster(made, RUNES), RUNES).legal
    way, *_ = repairs(made, RUNES, SOLVER).found
    assert [(one.kind, one.what) for one in way.changes] == [("put on", ("rune",))]
    assert_states_all(made, way, RUNES)


def test_a_fix_states_changed_size_settings_and_unknown_units() -> None:
    catalogue = game(
        rule("game-size", id="size", sizes=[50]),
        rule("fixed", setting="ground", values=["cave"]),
        roles=[],
    )
    made = half(take("soldier"), take("nobody"), limit=60, ground="open")
    way, *_ = repairs(made, catalogue, SOLVER).found
    assert [one[:3] for one in way.changes] == [
        ("size", "", ("50",)),
        ("remove", "book/nobody", ()),
        ("setting", "", ("ground", "cave")),
    ]
    assert_states_all(made, way, catalogue)
