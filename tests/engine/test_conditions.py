"""Conditions and selectors: what a `when`, `needs`, `not_with`, `for` or a lift asks."""

from armybuilder.engine.condition_reading import read_condition
from armybuilder.engine.conditions import Army, Place
from armybuilder.engine.selectors import CROSS_FACTION, EVERYTHING, Selector, SelectorIndex
from tests.building.regiments import army, field, group, of_code, option, place, taken, unit
from tests.building.tiny import Data, codes, judge


def holds(condition: Data, here: Place) -> bool:
    return read_condition(condition).holds(here)


def test_options_models_and_the_game_size_are_asked() -> None:
    cases: list[tuple[Data, bool]] = [
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
    ]
    for condition, answer in cases:
        assert holds(condition, place(shield=2, horse=1)) is answer, condition
    # Models lie between bounds, and these count.
    for models, answer in [(4, False), (5, True), (9, True), (10, False)]:
        assert holds({"models": {"at_least": 5, "at_most": 9}}, place(models=models)) is answer
    # The game size is asked of the army.
    for limit, answer in [(2999, True), (3000, True), (3001, False)]:
        assert holds({"limit": {"at_most": 3000}}, place(limit)) is answer
        assert holds({"limit": {"at_least": 3001}}, place(limit)) is not answer


def test_conditions_ask_about_the_list_and_are_joined() -> None:
    # Settings of the list and what the unit is are asked.
    here = Place(Army(100, {"organisation": "horde"}, {}), {}, 1, frozenset(["category:core"]))
    assert holds({"organisation": "horde"}, here)
    assert not holds({"organisation": "host"}, here)
    assert holds({"category": "core"}, here)
    assert not holds({"role": "general"}, here)
    # The army is asked only where the condition says so.
    here = Place(Army(100, {}, {"option:banner": 2}), {"option:drum": 1})
    assert holds({"taken": "banner", "in": "army"}, here)
    assert holds({"taken": "banner", "in": "army", "at_least": 2}, here)
    assert not holds({"taken": "banner"}, here)
    assert not holds({"taken": "drum", "in": "army"}, here)
    # Conditions are joined.
    cases: list[tuple[Data, bool]] = [
        ({"not": {"taken": "spear"}}, True),
        ({"not": {"not": {"taken": "spear"}}}, False),
        ({"all": [{"taken": "shield"}, {"models": {"at_least": 5}}]}, True),
        ({"all": [{"taken": "shield"}, {"taken": "spear"}]}, False),
        ({"any": [{"taken": "spear"}, {"models": {"at_least": 5}}]}, True),
        ({"any": [{"taken": "spear"}, {"taken": "bow"}]}, False),
        ({"not": {"any": [{"taken": "spear"}, {"taken": "bow"}]}}, True),
    ]
    for condition, answer in cases:
        assert holds(condition, place(shield=1, models=5)) is answer, condition


def test_what_is_missing_is_said_in_words() -> None:
    cases: list[tuple[Data, str]] = [
        ({"taken": "spear"}, "needs spear"),
        ({"taken": ["spear", "bow"]}, "needs spear or bow"),
        ({"taken": "spear", "at_least": 3}, "needs 3 × spear"),
        ({"taken": "spear", "in": "army"}, "needs spear in the army"),
        ({"taken": "shield", "at_most": 0}, "not with shield"),
        ({"not": {"taken": ["shield", "bow"]}}, "not with shield"),
        ({"models": {"at_least": 5, "at_most": 9}}, "needs at least 5 and at most 9 models"),
        ({"limit": {"at_least": 3000}}, "only in games of 3000 points or more"),
        ({"not": {"models": {"at_most": 4}}}, "only with more than 4 models"),
        ({"not": {"models": {"at_least": 1, "at_most": 4}}}, "not with 1 to 4 models"),
        ({"not": {"limit": {"at_least": 20}}}, "only in games under 20 points"),
        ({"organisation": "horde"}, "only in horde"),
        ({"not": {"category": "core"}}, "not for core"),
        ({"role": "general"}, "only for the general"),
        ({"all": [{"taken": "spear"}, {"taken": "bow"}]}, "needs spear, needs bow"),
        ({"all": [{"taken": "spear"}, {"taken": "shield"}]}, "needs spear"),
        ({"any": [{"taken": "spear"}, {"taken": "bow"}]}, "needs spear or needs bow"),
        ({"not": {"any": [{"taken": "spear"}, {"taken": "shield"}]}}, "not with shield"),
        ({"not": {"not": {"taken": "spear"}}}, "needs spear"),
    ]
    for condition, words in cases:
        assert read_condition(condition).lack(place(shield=1)) == words, condition


def test_needs_are_named_and_met_by_options_at_any_depth() -> None:
    # Needs and not with are told with the names of the book.
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
    # An option is taken at any depth of its unit.
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


TAGS = frozenset({"faction:red", "side:good", "ability:big", "tag:size", "unit:book/giant"})


def test_a_selector_matches_what_all_its_keys_say() -> None:
    cases: list[tuple[Data, bool]] = [
        ({}, True),
        ({"ability": "big"}, True),
        ({"ability": "huge"}, False),
        ({"ability": ["huge", "big"]}, True),
        ({"ability": "big", "faction": "red"}, True),
        ({"ability": "big", "faction": "blue"}, False),
        ({"tag": "size"}, True),
        ({"unit": "book/giant"}, True),
        ({"not": {"ability": "big"}}, False),
        ({"not": {"ability": "huge"}}, True),
        ({"not": {"ability": "big", "faction": "blue"}}, True),
        ({"faction": "red", "not": {"side": "good"}}, False),
        ({"all": [{"ability": "big"}, {"tag": "size"}]}, True),
        ({"all": [{"ability": "big"}, {"tag": "colour"}]}, False),
        ({"all": [{"ability": "big"}, {"not": {"tag": "size"}}]}, False),
        ({"not": {"not": {"ability": "big"}}}, True),
        ({"any": [{"ability": "huge"}, {"tag": "size"}]}, True),
        ({"any": [{"ability": ["huge", "tiny"]}, {"tag": "colour"}]}, False),
        ({"any": [{"ability": "big"}, {"tag": "size"}], "faction": "blue"}, False),
        ({"not": {"any": [{"ability": "huge"}, {"tag": "size"}]}}, False),
        ({"cross_faction": True}, False),
    ]
    for data, matches in cases:
        assert Selector.read(data).matches(TAGS) is matches, data


def test_selectors_know_cross_faction_and_share_numbers() -> None:
    # Cross faction is a tag like others.
    selector = Selector.read({"ability": "big", "cross_faction": True})
    assert not selector.matches(TAGS)
    assert selector.matches(TAGS | {CROSS_FACTION})
    # A selector knows whether it mentions a tag.
    assert Selector.read({"cross_faction": True}).mentions(CROSS_FACTION)
    assert Selector.read({"not": {"cross_faction": True}}).mentions(CROSS_FACTION)
    assert not Selector.read({"ability": "big"}).mentions(CROSS_FACTION)
    assert Selector.read({}) == EVERYTHING
    # Equal selectors share one number and hits learn of new ones.
    selector_index = SelectorIndex()
    big = selector_index.add(Selector.read({"ability": "big"}))
    assert selector_index.hits[TAGS] == (big,)
    assert selector_index.add(Selector.read({"ability": "big"})) == big
    red = selector_index.add(Selector.read({"faction": "red"}))
    assert selector_index.hits[TAGS] == (big, red)
    assert selector_index.hits[frozenset()] == ()
    # Tallies remember no more tag sets than they say.
    selector_index = SelectorIndex()
    selector_index.add(EVERYTHING)
    selector_index.hits.REMEMBERED = 10
    for number in range(100):
        assert selector_index.hits[frozenset({f"unit:own/{number}"})] == (0,)
        assert len(selector_index.hits) <= 10
