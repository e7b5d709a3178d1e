"""Facts of a warband of creatures: each-stat, worth, by-choice; and foremost of the whole list."""

from typing import Any

import pytest

from armybuilder.engine.facts import Fact
from tests.building.tiny import MAP, Data, game, judge, rule, take, unit, with_settings
from tests.engine.test_faction_rules import FACTION

UNITS = [
    unit("wolf", 7, stats={"nerve": 35}),
    unit("bear", 12, stats={"nerve": 80}),
    unit("shade", None, stats={"speed": "6"}),
]


def fact(kind: str, **more: Any) -> Data:
    return {"id": "fact", "kind": kind, "name": "Fact", "cite": "1", **more}


def told(data: Data, *entries: Any, units: Any = UNITS, **settings: Any) -> Fact | None:
    catalogue = game(
        rule("complete", "unit.incomplete", id="complete"),
        units=units,
        facts=[data],
        settings=with_settings(MAP),
    )
    facts = [fact for _, fact in judge(catalogue, *entries, **settings).facts]
    assert len(facts) < 2
    return facts[0] if facts else None


def text(data: Data, *entries: Any, **settings: Any) -> str | None:
    found = told(data, *entries, **settings)
    return found.text if found else None


def test_a_share_of_a_statistic_is_rounded_down_for_each_unit() -> None:
    for share, line in (("1/2", "Wolf 17, Bear 40"), ("1/3", "Wolf 11, Bear 26")):
        data = fact("each-stat", stat="nerve", share=share)
        assert text(data, take("wolf", 3), take("bear")) == line, share


def test_a_unit_on_two_lines_is_told_once_and_a_named_one_by_its_name() -> None:
    data = fact("each-stat", stat="nerve", share="1/2")
    entries = [take("wolf"), take("wolf"), take("wolf", name="Fang")]
    assert text(data, *entries) == "Wolf 17, Fang 17"


def test_a_statistic_that_is_not_known_is_a_question_mark_and_alone_it_is_nothing() -> None:
    data = fact("each-stat", stat="nerve", share="1/2")
    assert text(data, take("shade"), take("bear")) == "Shade ?, Bear 40"
    assert text(data, take("shade")) is None
    assert text(data) is None


def test_a_unit_is_worth_its_own_points_not_those_of_its_line() -> None:
    assert text(fact("worth"), take("wolf", 3), take("bear")) == "Wolf 7, Bear 12"


@pytest.mark.parametrize(
    ("chosen", "line"), [("field", "Wolf 7"), ("yard", "Wolf 12"), (None, "Wolf 7")]
)
def test_a_setting_may_add_to_what_a_unit_is_worth(chosen: str | None, line: str) -> None:
    data = fact("worth", setting="map", more={"yard": 5})
    assert text(data, take("wolf"), map=chosen) == line


def test_what_a_unit_of_unknown_points_is_worth_is_not_known() -> None:
    assert text(fact("worth"), take("shade"), take("wolf")) == "Shade ?, Wolf 7"
    filled = take("shade", card={"points": 9})
    assert text(fact("worth"), filled, take("wolf")) == "Shade 9, Wolf 7"


@pytest.mark.parametrize(
    ("chosen", "line"), [("field", "Hold the hill."), ("yard", None), (None, None)]
)
def test_a_text_goes_with_the_value_chosen(chosen: str | None, line: str | None) -> None:
    assert text(
        fact("by-choice", setting="map", texts={"field": "Hold the hill."}), map=chosen
    ) == (line)


@pytest.mark.parametrize(("models", "number"), [(4, 1), (5, 2), (8, 2), (9, 3), (100, 3)])
def test_beyond_its_steps_a_fact_may_stay_at_one_number(models: int, number: int) -> None:
    data = fact("steps", steps=[[4, 1], [8, 2]], beyond=3)
    found = told(data, take("wolf", models))
    assert found is not None
    assert (found.value, found.text) == (number, str(number))


CHIEFS = [
    unit("red-chief", 9, "chief 4", faction="red"),
    unit("blue-chief", 9, "chief 3", faction="blue"),
    unit("free-chief", 9, "chief 5", faction="none"),
]


@pytest.mark.parametrize(("whole", "leader"), [(True, "Free Chief"), (False, "Red Chief")])
def test_the_foremost_of_the_whole_list_may_be_of_another_faction(whole: bool, leader: str) -> None:
    data = fact("foremost", ability="chief", whole=whole)
    catalogue = game(FACTION, units=CHIEFS, facts=[data])
    report = judge(catalogue, *(take(chief["id"]) for chief in CHIEFS))
    assert report.faction == "red"
    assert [fact.text for _, fact in report.facts] == [leader]


def test_the_foremost_of_the_whole_list_is_told_while_the_faction_is_open() -> None:
    tied = (take("red-chief", 3), take("blue-chief", 4))
    for whole, leaders in ((True, ["Red Chief"]), (False, [])):
        data = fact("foremost", ability="chief", whole=whole)
        report = judge(game(FACTION, units=CHIEFS, facts=[data]), *tied)
        assert report.faction is None
        assert [fact.text for _, fact in report.facts] == leaders


def test_a_share_may_go_down_to_a_multiple() -> None:
    for step, line in ((1, "Wolf 17, Bear 40"), (5, "Wolf 15, Bear 40"), (50, "Wolf 0, Bear 0")):
        data = fact("each-stat", stat="nerve", share="1/2", step=step)
        assert text(data, take("wolf"), take("bear")) == line, step


def test_the_foremost_is_told_with_its_rating_where_that_is_asked() -> None:
    rated = fact("foremost", ability="chief", whole=True, rated=True)
    report = judge(game(FACTION, units=CHIEFS, facts=[rated]), take("red-chief"))
    assert [told.text for _, told in report.facts] == ["Red Chief (Chief 4)"]
    both = judge(
        game(FACTION, units=CHIEFS, facts=[rated]),
        take("red-chief"),
        take("red-chief", name="Ann"),
    )
    assert [told.text for _, told in both.facts] == ["Red Chief (Chief 4) or Ann (Chief 4)"]
