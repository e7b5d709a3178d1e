"""Conditions: what a `when`, a `needs` or a `not_with` asks, and how it is said."""

import pytest

from armybuilder.engine.condition_reading import read_condition
from armybuilder.engine.conditions import Army, Place
from tests.building.regiments import army, field, group, of_code, option, place, taken, unit
from tests.building.tiny import Data, codes, judge


def holds(condition: Data, here: Place) -> bool:
    return read_condition(condition).holds(here)


@pytest.mark.parametrize(
    ("condition", "answer"),
    [
        ({"taken": "shield"}, True),
        ({"taken": "spear"}, False),
        ({"taken": ["spear", "shield"]}, True),
        ({"taken": ["spear", "bow"]}, False),
        ({"taken": "shield", "at_least": 2}, True),
        ({"taken": "shield", "at_least": 3}, False),
        ({"taken": ["shield", "horse"], "at_least": 3}, True),
        ({"taken": "shield", "at_most": 2}, True),
        ({"taken": "shield", "at_most": 1}, False),
        ({"taken": "spear", "at_most": 0}, True),
        ({"taken": "horse", "at_least": 1, "at_most": 1}, True),
    ],
)
def test_options_taken_are_counted_together(condition: Data, answer: bool) -> None:
    assert holds(condition, place(shield=2, horse=1)) is answer


@pytest.mark.parametrize(("models", "answer"), [(4, False), (5, True), (9, True), (10, False)])
def test_models_lie_between_bounds_and_these_count(models: int, answer: bool) -> None:
    assert holds({"models": {"at_least": 5, "at_most": 9}}, place(models=models)) is answer


@pytest.mark.parametrize(("limit", "answer"), [(2999, True), (3000, True), (3001, False)])
def test_the_game_size_is_asked_of_the_army(limit: int, answer: bool) -> None:
    assert holds({"limit": {"at_most": 3000}}, place(limit)) is answer
    assert holds({"limit": {"at_least": 3001}}, place(limit)) is not answer


def test_settings_of_the_list_and_what_the_unit_is_are_asked() -> None:
    here = Place(Army(100, {"organisation": "horde"}, {}), {}, 1, frozenset(["category:core"]))
    assert holds({"organisation": "horde"}, here)
    assert not holds({"organisation": "host"}, here)
    assert holds({"category": "core"}, here)
    assert not holds({"role": "general"}, here)


def test_the_army_is_asked_only_where_the_condition_says_so() -> None:
    here = Place(Army(100, {}, {"option:banner": 2}), {"option:drum": 1})
    assert holds({"taken": "banner", "in": "army"}, here)
    assert holds({"taken": "banner", "in": "army", "at_least": 2}, here)
    assert not holds({"taken": "banner"}, here)
    assert not holds({"taken": "drum", "in": "army"}, here)


@pytest.mark.parametrize(
    ("condition", "answer"),
    [
        ({"not": {"taken": "spear"}}, True),
        ({"not": {"not": {"taken": "spear"}}}, False),
        ({"all": [{"taken": "shield"}, {"models": {"at_least": 5}}]}, True),
        ({"all": [{"taken": "shield"}, {"taken": "spear"}]}, False),
        ({"any": [{"taken": "spear"}, {"models": {"at_least": 5}}]}, True),
        ({"any": [{"taken": "spear"}, {"taken": "bow"}]}, False),
        ({"not": {"any": [{"taken": "spear"}, {"taken": "bow"}]}}, True),
    ],
)
def test_conditions_are_joined(condition: Data, answer: bool) -> None:
    assert holds(condition, place(shield=1, models=5)) is answer


@pytest.mark.parametrize(
    ("condition", "words"),
    [
        ({"taken": "spear"}, "needs spear"),
        ({"taken": ["spear", "bow"]}, "needs spear or bow"),
        ({"taken": "spear", "at_least": 3}, "needs 3 × spear"),
        ({"taken": "spear", "in": "army"}, "needs spear in the army"),
        ({"taken": "shield", "at_most": 0}, "not with shield"),
        ({"not": {"taken": ["shield", "bow"]}}, "not with shield"),
        ({"models": {"at_least": 5, "at_most": 9}}, "needs at least 5 and at most 9 models"),
        ({"limit": {"at_least": 3000}}, "needs at least 3000 points of game size"),
        ({"not": {"models": {"at_most": 4}}}, "not with at most 4 models"),
        ({"not": {"models": {"at_least": 1, "at_most": 4}}}, "not with 1 to 4 models"),
        ({"not": {"limit": {"at_least": 20}}}, "not with at least 20 points of game size"),
        ({"organisation": "horde"}, "only in horde"),
        ({"not": {"category": "core"}}, "not for core"),
        ({"role": "general"}, "only for the general"),
        ({"all": [{"taken": "spear"}, {"taken": "bow"}]}, "needs spear, needs bow"),
        ({"all": [{"taken": "spear"}, {"taken": "shield"}]}, "needs spear"),
        ({"any": [{"taken": "spear"}, {"taken": "bow"}]}, "needs spear or needs bow"),
        ({"not": {"any": [{"taken": "spear"}, {"taken": "shield"}]}}, "not with shield"),
        ({"not": {"not": {"taken": "spear"}}}, "needs spear"),
    ],
)
def test_what_is_missing_is_said_in_words(condition: Data, words: str) -> None:
    assert read_condition(condition).lack(place(shield=1)) == words


def test_needs_and_not_with_are_told_with_the_names_of_the_book() -> None:
    catalogue = army(
        unit(
            "spearmen",
            10,
            option("great-weapon", 2, not_with=["shield"]),
            option("shield", 1),
            option("banner", 5, needs={"taken": ["command", "champion"]}),
            group("command", option("champion"), option("musician")),
        )
    )
    assert judge(catalogue, field("spearmen", "great-weapon")).legal
    assert judge(catalogue, field("spearmen", "banner", "musician")).legal
    report = judge(catalogue, field("spearmen", "great-weapon", "shield", "banner"))
    assert [(found.values["option"], found.values["why"]) for found in report.findings] == [
        ("Banner", "needs Command or Champion"),
        ("Great weapon", "not with Shield"),
    ]


def test_an_option_is_taken_at_any_depth_of_its_unit() -> None:
    rider = option("horse", 5, option("barding", 2))
    catalogue = army(unit("knight", 10, rider, option("plume", 1, needs={"taken": "barding"})))
    assert judge(catalogue, field("knight", taken("horse", "barding"), "plume")).legal
    assert codes(judge(catalogue, field("knight", "horse", "plume"))) == ["tiny.unavailable"]


def test_a_condition_names_the_unit_its_category_or_its_role() -> None:
    shared = [
        option("crown", 3, needs={"unit": "king"}),
        option("torch", 1, needs={"category": "core"}),
        option("horn", 1, needs={"role": "general"}),
    ]
    uses = [{"use": "crown"}, {"use": "torch"}, {"use": "horn"}]
    catalogue = army(
        unit("king", 20, *uses),
        unit("rabble", 5, *uses, categories=["core"]),
        shared=shared,
        categories=[{"id": "core", "name": "Core"}],
    )
    every = ("crown", "torch", "horn")
    report = judge(catalogue, field("king", *every, roles=["general"]), field("rabble", *every))
    told = [(found.units, found.values["why"]) for found in of_code(report, "tiny.unavailable")]
    assert told == [
        (("u1",), "only for core"),
        (("u2",), "only for King"),
        (("u2",), "only for the general"),
    ]
