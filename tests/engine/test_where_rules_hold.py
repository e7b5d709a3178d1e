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
from tests.engine.tables import claim, claims, hold, judged, listed, verdict

CAVE = {"ground": ["cave"]}


@pytest.mark.parametrize(
    ("settings", "fit"),
    [
        ({"ground": "cave", "faction": "red"}, True),
        ({"ground": "cave", "faction": "blue"}, True),
        ({"ground": "open", "faction": "red"}, False),
        ({"ground": "cave", "faction": None}, False),
        ({}, False),
    ],
)
def test_every_setting_named_must_have_one_of_its_values(settings: Any, fit: bool) -> None:
    given = (("ground", frozenset({"cave"})), ("faction", frozenset({"red", "blue"})))
    assert settings_fit(settings, given) is fit
    assert settings_fit(settings, ())


BOUND = rule("limit", count="models", max=0, **{"for": CAVE})
IN_A_RED_CAVE = {"for": {"ground": ["cave"], "faction": ["red", "green"]}}
CLAIMS = {
    "a rule is judged only where its settings fit": claim(BOUND, lists={
        "soldier": "", "soldier | ground=cave": "1/0 u1"}),
    "faults of a unit itself are told only where the settings fit": claim(
        rule("ability-limit", abilities=["big", "huge"], max=1, **{"for": CAVE}), lists={
            "titan": "", "titan | ground=cave": "2/1 u1"}),
    "two settings must both fit": claim({**BOUND, **IN_A_RED_CAVE}, lists={
        "soldier | ground=open faction=red": "", "soldier | ground=open faction=blue": "",
        "soldier | ground=open": "", "soldier | ground=cave": "",
        "soldier | ground=cave faction=blue": "",
        "soldier | ground=cave faction=red": "1/0 u1"}),
    "a rule of each line-up is bound too": claim(
        {**BOUND, "each_lineup": True}, sometimes="reserve", lists={
            "soldier, knight reserve": "",
            "soldier, knight reserve | ground=cave":
                "2/0 u1 u2 (with the reserve); 1/0 u1 (without the reserve)"}),
    "what a card lacks is told only where the settings fit": claim(
        rule("complete", "unit.incomplete", **{"for": CAVE}), units=[unit("riddle", None)], lists={
            "riddle": "", "riddle | ground=cave": "unit.incomplete 1/0 u1"}),
}  # fmt: skip


@claims(CLAIMS)
def test_a_rule_holds_only_where_settings_are_as_it_wants_them(made: Any, lists: Any) -> None:
    hold(made, lists)


def test_gauges_choices_and_cards_go_by_the_settings() -> None:
    # A gauge is drawn only where the settings fit.
    catalogue = game({**BOUND, "gauge": "Models"})
    assert judged(catalogue, "soldier").gauges == ()
    gauges = judged(catalogue, "soldier | ground=cave").gauges
    assert [gauge.name for gauge in gauges] == ["Models"]
    # What a card lacks is asked for always.
    catalogue = game(
        rule("complete", "unit.incomplete", **{"for": CAVE}), units=[unit("riddle", None)]
    )
    assert [blank.field for blank in catalogue.units["book/riddle"].blanks] == ["points"]
    # A choice breaks no rule that does not hold.
    catalogue = game(BOUND)
    for ground, broken in (("open", []), ("cave", ["tiny.rule"])):
        made = roster(document(settings={"ground": ground}), catalogue)
        found = choices(made, catalogue)[0]
        assert [finding.code for finding in found.breaks] == broken


def test_limits_of_books_and_facts_go_by_the_settings() -> None:
    # Limits of a books categories are bound with their rule.
    category = rule("category", "category.over", under="category.under", **{"for": CAVE})
    core: Data = {"id": "core", "name": "Core", "max": "10%"}
    data = book_data(unit("guard", 20, categories=["core"]), categories=[core])
    made = catalogue(system_data(category), data)
    assert judge(made, take("guard")).findings == ()
    assert codes(judge(made, take("guard"), ground="cave")) == ["category.over"]
    # A fact is told only where its settings fit.
    fact: Data = {"id": "scouts", "kind": "sum", "name": "Scouts", "cite": "1", "ability": "scout"}
    made = game(facts=[fact, {**fact, "id": "deep", "name": "Deep", "for": CAVE}])
    told = {
        ground: [fact.name for _, fact in judge(made, ground=ground).facts]
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
def test_a_rule_can_hold_for_a_range_of_numbers(given: Data, told: list[bool]) -> None:
    fact: Data = {"id": "scouts", "kind": "sum", "name": "Scouts", "cite": "1", "ability": "scout"}
    catalogue = game(facts=[{**fact, "for": {"players": given}}])
    facts = [judge(catalogue, players=players).facts for players in (2, 3, 4)]
    assert [bool(found) for found in facts] == told


UNDEAD = {"keyword": "undead"}
CHOOSE = {"code": "faction.choose", "summary": "Choose."}

#: One rule of every kind that can be lifted, and a list that breaks it by undead alone.
LIFTABLE: dict[str, tuple[Data, str]] = {
    "belongs": (
        rule("belongs", id="r", attribute="faction", setting="faction", choose=CHOOSE), "ghoul",
    ),
    "clash": (rule("clash", id="r", between=[{"side": "good"}, {"side": "evil"}]), "saint, ghoul"),
    "copies": (rule("copies", id="r", by="unique", max=1), "lich 2"),
    "limit": (rule("limit", id="r", count="models", of={"side": "evil"}, max=0), "ghoul"),
    "price-cap": (rule("price-cap", id="r", of={}, max=20), "lich"),
}  # fmt: skip
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


every_kind = pytest.mark.parametrize(("broken", "text"), LIFTABLE.values(), ids=LIFTABLE)


@every_kind
def test_a_unit_on_the_list_lifts_the_rule_from_those_it_names(broken: Data, text: str) -> None:
    catalogue = game(broken, units=[*UNITS, priest()])
    assert codes(judged(catalogue, f"{text} | faction=red")) == ["tiny.rule"]
    assert judged(catalogue, f"{text}, priest | faction=red").findings == ()


@every_kind
def test_a_lift_of_another_rule_or_of_other_units_changes_nothing(broken: Data, text: str) -> None:
    other = rule("limit", "tiny.other", id="other", count="models", max=99)
    for priests in (priest("other"), priest(keyword="construct")):
        catalogue = game(broken, other, units=[*UNITS, priests])
        assert codes(judged(catalogue, f"{text}, priest | faction=red")) == ["tiny.rule"]


@every_kind
def test_a_rule_lifted_from_some_still_speaks_of_the_others(broken: Data, text: str) -> None:
    catalogue = game(broken, units=[*UNITS, priest()])
    more = ", saint" if broken["kind"] == "clash" else ""
    finding = only(judged(catalogue, f"{text}, priest, fiend 2{more} | faction=red"))
    entries = text.split(", ")
    dead = {f"u{number}" for number, entry in enumerate(entries, 1) if entry != "saint"}
    assert not dead & set(finding.units), "those it is lifted from are not to blame"
    assert f"u{len(entries) + 2}" in finding.units


def test_all_keys_of_a_lift_must_hold_and_a_list_means_any() -> None:
    lifting = priest(side=["evil", "neutral"], keyword="undead")
    catalogue = game(LIFTABLE["belongs"][0], units=[*UNITS, lifting])
    finding = only(judged(catalogue, "priest, ghoul, fiend | faction=red"))
    assert finding.values["names"] == ["Fiend"]


@pytest.mark.parametrize(
    ("count", "text", "used"),
    [
        ("models", "priest, ghoul 2, saint, saint", 3),
        ("points", "priest, ghoul 9", 5 + 3 * 2),
        ("picks", "priest, ghoul 2, saint, saint", 3),
    ],
)
def test_a_limit_on_the_whole_list_can_be_lifted_from_some(
    count: str, text: str, used: int
) -> None:
    limit = rule("limit", id="r", count=count, max=2, gauge="All")
    report = judged(game(limit, units=[*UNITS, priest()]), f"{text} | bonus=3")
    gauge = report.gauges[0]
    assert gauge.used == only(report).measured == used
    assert sum(part.amount for part in gauge.parts) == used
    assert "u2" not in only(report).units


def test_lifts_hold_for_options_choices_and_line_ups() -> None:
    # Options that a limit counts are lifted with their unit.
    horse = [{"id": "horse", "name": "Horse", "points": 2}]
    ghoul = unit("ghoul", 5, keywords=["Undead"], options=horse)
    limit = rule("limit", id="r", count="picks", of={"option": "horse"}, max=0)
    catalogue = game(limit, units=[ghoul, unit("man", 5, options=horse), priest()])
    assert only(judged(catalogue, "ghoul +horse, man +horse")).measured == 2
    assert verdict(judged(catalogue, "ghoul +horse, man +horse, priest")) == "1/0 u2"
    # Adding the unit that lifts settles the finding.
    belongs, text = LIFTABLE["belongs"]
    catalogue = game(belongs, units=[*UNITS, priest()])
    made = roster(document(*listed(text), settings={"faction": "red"}), catalogue)
    found = {choice.unit.name: choice for choice in choices(made, catalogue)}
    assert [finding.code for finding in found["Priest"].settles] == ["tiny.rule"]
    assert found["Saint"].settles == ()
    # A unit in reserve lifts only where it is there.
    belongs = {**LIFTABLE["belongs"][0], "each_lineup": True}
    catalogue = game(belongs, units=[*UNITS, priest()], sometimes="reserve")
    report = judged(catalogue, "ghoul, priest reserve | faction=red")
    assert only(report).lineup == "without the reserve"
