"""Rules that hold only where settings are as they want them (`for`), or until a unit lifts them."""

from typing import Any

import pytest

from armybuilder.engine import choices
from armybuilder.engine.citations import settings_fit
from armybuilder.engine.rulebook import rule_kinds
from tests.building.tiny import (
    Data,
    book_data,
    catalogue,
    codes,
    document,
    game,
    judge,
    only,
    roster,
    rule,
    system_data,
    take,
    unit,
)

CAVE = {"ground": ["cave"]}


def test_every_setting_named_must_have_one_of_its_values() -> None:
    cases: list[tuple[Any, bool]] = [
        ({"ground": "cave", "faction": "red"}, True),
        ({"ground": "cave", "faction": "blue"}, True),
        ({"ground": "open", "faction": "red"}, False),
        ({"ground": "cave", "faction": None}, False),
        ({}, False),
    ]
    for settings, fit in cases:
        given = (("ground", frozenset({"cave"})), ("faction", frozenset({"red", "blue"})))
        assert settings_fit(settings, given) is fit, settings
        assert settings_fit(settings, ()), settings


def test_a_rule_is_judged_only_where_its_settings_fit() -> None:
    bound = rule("limit", count="models", max=0, gauge="Models", **{"for": CAVE})
    report = judge(game(bound), take("soldier"))
    assert (report.findings, report.gauges) == ((), ())
    report = judge(game(bound), take("soldier"), ground="cave")
    assert codes(report) == ["tiny.rule"]
    assert [gauge.name for gauge in report.gauges] == ["Models"]


def test_faults_of_a_unit_itself_are_told_only_where_the_settings_fit() -> None:
    bound = rule("ability-limit", abilities=["big", "huge"], max=1, **{"for": CAVE})
    assert judge(game(bound), take("titan")).findings == ()
    assert codes(judge(game(bound), take("titan"), ground="cave")) == ["tiny.rule"]


def test_two_settings_must_both_fit() -> None:
    given = {"ground": ["cave"], "faction": ["red", "green"]}
    catalogue = game(rule("limit", count="models", max=0, **{"for": given}))
    verdicts = {
        (ground, faction): judge(catalogue, take("soldier"), ground=ground, faction=faction).legal
        for ground in ("open", "cave")
        for faction in ("red", "blue", None)
    }
    assert [key for key, legal in verdicts.items() if not legal] == [("cave", "red")]


def test_a_rule_of_each_line_up_is_bound_too() -> None:
    bound = rule("limit", count="models", max=0, each_lineup=True, **{"for": CAVE})
    catalogue = game(bound, sometimes="reserve")
    entries = (take("soldier"), take("knight", 1, "reserve"))
    assert judge(catalogue, *entries).findings == ()
    assert len(judge(catalogue, *entries, ground="cave").findings) == 2


def test_a_choice_breaks_no_rule_that_does_not_hold() -> None:
    catalogue = game(rule("limit", count="models", max=0, **{"for": CAVE}))
    for ground, broken in (("open", []), ("cave", ["tiny.rule"])):
        made = roster(document(settings={"ground": ground}), catalogue)
        found = choices(made, catalogue)[0]
        assert [finding.code for finding in found.breaks] == broken


def test_what_a_card_lacks_is_asked_for_always_and_told_only_where_the_settings_fit() -> None:
    bound = rule("complete", "unit.incomplete", **{"for": CAVE})
    catalogue = game(bound, units=[unit("riddle", None)])
    assert judge(catalogue, take("riddle")).findings == ()
    assert codes(judge(catalogue, take("riddle"), ground="cave")) == ["unit.incomplete"]
    assert [blank.field for blank in catalogue.units["book/riddle"].blanks] == ["points"]


def test_limits_of_a_books_categories_are_bound_with_their_rule() -> None:
    category = rule("category", "category.over", under="category.under", **{"for": CAVE})
    core: Data = {"id": "core", "name": "Core", "max": "10%"}
    data = book_data(unit("guard", 20, categories=["core"]), categories=[core])
    made = catalogue(system_data(category), data)
    assert judge(made, take("guard")).findings == ()
    assert codes(judge(made, take("guard"), ground="cave")) == ["category.over"]


def test_a_fact_is_told_only_where_its_settings_fit() -> None:
    fact: Data = {"id": "scouts", "kind": "sum", "name": "Scouts", "cite": "1", "ability": "scout"}
    catalogue = game(facts=[fact, {**fact, "id": "deep", "name": "Deep", "for": CAVE}])
    told = {
        ground: [fact.name for _, fact in judge(catalogue, ground=ground).facts]
        for ground in ("open", "cave")
    }
    assert told == {"open": ["Scouts"], "cave": ["Scouts", "Deep"]}


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"at_least": 3}, [False, True, True]),
        ({"at_most": 3}, [True, True, False]),
        ({"at_least": 3, "at_most": 3}, [False, True, False]),
    ],
)
def test_of_a_number_a_range_is_asked(given: Data, told: list[bool]) -> None:
    fact: Data = {"id": "scouts", "kind": "sum", "name": "Scouts", "cite": "1", "ability": "scout"}
    catalogue = game(facts=[{**fact, "for": {"players": given}}])
    facts = [judge(catalogue, players=players).facts for players in (2, 3, 4)]
    assert [bool(found) for found in facts] == told


UNDEAD = {"keyword": "undead"}
CHOOSE = {"code": "faction.choose", "summary": "Choose."}

#: One rule of every kind that can be lifted, and a list that breaks it by undead alone.
LIFTABLE: dict[str, tuple[Data, list[Data]]] = {
    "belongs": (
        rule("belongs", id="r", attribute="faction", setting="faction", choose=CHOOSE),
        [take("ghoul")],
    ),
    "clash": (
        rule("clash", id="r", between=[{"side": "good"}, {"side": "evil"}]),
        [take("saint"), take("ghoul")],
    ),
    "copies": (rule("copies", id="r", by="unique", max=1), [take("lich", 2)]),
    "limit": (rule("limit", id="r", count="models", of={"side": "evil"}, max=0), [take("ghoul")]),
    "price-cap": (rule("price-cap", id="r", of={}, max=20), [take("lich")]),
}
UNITS = [
    unit("ghoul", 5, faction="blue", side="evil", keywords=["Undead"]),
    unit("lich", 25, unique="Xul", faction="red", side="evil", keywords=["Undead"]),
    unit("saint", 5, faction="red", side="good"),
    unit("fiend", 22, unique="Baal", faction="blue", side="evil"),
]


def priest(rule_id: str = "r", **of: Any) -> Data:
    """A unit that breaks no rule itself and lifts one."""
    lifts = [{"rule": rule_id, "of": of or UNDEAD}]
    return unit("priest", 5, faction=["red", "blue"], side="neutral", lifts=lifts)


def test_there_is_a_list_for_every_kind_that_can_be_lifted() -> None:
    can = {name for name, kind in rule_kinds().items() if kind.can_be_lifted}
    assert set(LIFTABLE) == can


@pytest.mark.parametrize("kind", LIFTABLE)
def test_a_unit_on_the_list_lifts_the_rule_from_those_it_names(kind: str) -> None:
    broken, entries = LIFTABLE[kind]
    catalogue = game(broken, units=[*UNITS, priest()])
    assert codes(judge(catalogue, *entries, faction="red")) == ["tiny.rule"]
    assert judge(catalogue, *entries, take("priest"), faction="red").findings == ()


@pytest.mark.parametrize("kind", LIFTABLE)
def test_a_lift_of_another_rule_or_of_other_units_changes_nothing(kind: str) -> None:
    broken, entries = LIFTABLE[kind]
    other = rule("limit", "tiny.other", id="other", count="models", max=99)
    elsewhere = game(broken, other, units=[*UNITS, priest("other")])
    assert codes(judge(elsewhere, *entries, take("priest"), faction="red")) == ["tiny.rule"]
    others = game(broken, units=[*UNITS, priest(keyword="construct")])
    assert codes(judge(others, *entries, take("priest"), faction="red")) == ["tiny.rule"]


@pytest.mark.parametrize("kind", LIFTABLE)
def test_a_rule_lifted_from_some_still_speaks_of_the_others(kind: str) -> None:
    broken, entries = LIFTABLE[kind]
    catalogue = game(broken, units=[*UNITS, priest()])
    more = [take("saint")] if kind == "clash" else []
    report = judge(catalogue, *entries, take("priest"), take("fiend", 2), *more, faction="red")
    finding = only(report)
    dead = {f"u{number}" for number, each in enumerate(entries, 1) if each["unit"] != "book/saint"}
    assert not dead & set(finding.units), "those it is lifted from are not to blame"
    assert f"u{len(entries) + 2}" in finding.units


def test_all_keys_of_a_lift_must_hold_and_a_list_means_any() -> None:
    belongs, _ = LIFTABLE["belongs"]
    catalogue = game(belongs, units=[*UNITS, priest(side=["evil", "neutral"], keyword="undead")])
    priest_and = (take("priest"), take("ghoul"), take("fiend"))
    finding = only(judge(catalogue, *priest_and, faction="red"))
    assert finding.values["names"] == ["Fiend"]


@pytest.mark.parametrize(("count", "used"), [("models", 3), ("points", 5 + 3 * 2), ("picks", 3)])
def test_a_limit_on_the_whole_list_can_be_lifted_from_some(count: str, used: int) -> None:
    limit = rule("limit", id="r", count=count, max=2, gauge="All")
    entries = [take("priest"), take("ghoul", 2), take("saint"), take("saint")]
    if count == "points":
        entries = [take("priest"), take("ghoul", 9)]
    report = judge(game(limit, units=[*UNITS, priest()]), *entries, bonus=3)
    gauge = report.gauges[0]
    assert gauge.used == only(report).measured == used
    assert sum(part.amount for part in gauge.parts) == used
    assert "u2" not in only(report).units


def test_options_that_a_limit_counts_are_lifted_with_their_unit() -> None:
    horse = [{"id": "horse", "name": "Horse", "points": 2}]
    units = [
        unit("ghoul", 5, keywords=["Undead"], options=horse),
        unit("man", 5, options=horse),
        priest(),
    ]
    limit = rule("limit", id="r", count="picks", of={"option": "horse"}, max=0)
    mounted = [take("ghoul", options=[{"id": "horse"}]), take("man", options=[{"id": "horse"}])]
    catalogue = game(limit, units=units)
    assert only(judge(catalogue, *mounted)).measured == 2
    finding = only(judge(catalogue, *mounted, take("priest")))
    assert (finding.measured, finding.units) == (1, ("u2",))


def test_adding_the_unit_that_lifts_settles_the_finding() -> None:
    belongs, entries = LIFTABLE["belongs"]
    catalogue = game(belongs, units=[*UNITS, priest()])
    made = roster(document(*entries, settings={"faction": "red"}), catalogue)
    found = {choice.unit.name: choice for choice in choices(made, catalogue)}
    assert [finding.code for finding in found["Priest"].settles] == ["tiny.rule"]
    assert found["Saint"].settles == ()


def test_a_unit_in_reserve_lifts_only_where_it_is_there() -> None:
    belongs = {**LIFTABLE["belongs"][0], "each_lineup": True}
    catalogue = game(belongs, units=[*UNITS, priest()], sometimes="reserve")
    report = judge(catalogue, take("ghoul"), take("priest", 1, "reserve"), faction="red")
    assert only(report).lineup == "without the reserve"
