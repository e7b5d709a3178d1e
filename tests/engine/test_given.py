"""Rules and facts that hold only where settings are as they want them (`for`)."""

from typing import Any

import pytest

from armybuilder.engine import choices
from armybuilder.engine.citations import settings_fit
from tests.building.tiny import (
    Data,
    book_data,
    catalogue,
    codes,
    document,
    game,
    judge,
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
