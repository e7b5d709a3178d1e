"""What a list tells on game day, by the shipped systems, and facts of warbands of creatures."""

import re
from typing import Any

import pytest

from armybuilder.engine import Report
from armybuilder.engine.catalogue import Catalogue
from armybuilder.engine.facts import Fact
from armybuilder.loading.library import shipped_library
from tests.building.tiny import MAP, Data, game, judge, rule, take, unit, with_settings
from tests.engine.tables import judged
from tests.engine.test_faction_rules import FACTION

CATALOGUE = shipped_library().catalogue("chainmail-2002", ["practice"])
GROUNDS = ("aboveground", "underground")


def practice(text: str = "") -> Report:
    """The report on a list of the practice book."""
    entries, _, settings = text.partition("|")
    named = re.sub(r"(^|, )(?=\w)", r"\1practice/", entries)
    return judged(CATALOGUE, f"{named}|{settings}")


def find_fact(report: Report, fact_id: str) -> Fact | None:
    return next((fact for _, fact in report.facts if fact.id == fact_id), None)


def fact_of(report: Report, fact_id: str) -> Fact:
    return next(fact for _, fact in report.facts if fact.id == fact_id)


#: By the fact: lists with what it tells, None where it tells nothing.
TOLD: dict[str, dict[str, str | None]] = {
    # by the table, and then by quarters
    **{fact_id: {"": None} | {
        f"dune-jackal {models}": number for models, number in [
            (1, "1"), (4, "1"), (5, "2"), (8, "2"), (9, "3"), (12, "3"), (13, "4"), (16, "4"),
            (17, "5"), (100, "25")]
    } for fact_id in ("deployed", "activated")},
    "morale": {"": None},
    "leader": {
        "": None,
        # the Pack-Mother has 6 but is cross-faction
        "embalmer-voskeh 4, pack-mother-of-the-red-dunes, redtusk-overseer": "Embalmer Voskeh",
        # without commanders the costliest model
        "dune-jackal, bonegnaw-raider, pit-born-render": "Pit-Born Render",
        # nobody while the faction is open
        "foundry-reeve-haldra, captain-of-the-silver-reed": None},
    "faction": {"foundry-reeve-haldra, captain-of-the-silver-reed": None},
    "scouting": {"mosspath-tracker 2, gloomstep-knife | tactical_advantage=3": "+13"},
    # 502.12: half of the models at one edge, the rest at the opposite; 401: rounded down
    "split": {
        "dune-jackal": None, "dune-jackal 2": "1 and 1 of 2 models",
        "dune-jackal 12": "6 and 6 of 12 models", "dune-jackal 13": "6 and 7 of 13 models"},
    "warlord": {
        "foundry-reeve-haldra, anvil-gate-warden": "Foundry Reeve Haldra",  # 30 exactly
        "captain-of-the-silver-reed": None,  # 31 is too costly
        "captain-of-the-silver-reed, ninefold-enchanter": None,  # 4 is more than 2
        "knuckle-alley-bruiser": None,  # not a commander
        "embalmer-voskeh, left-hand-of-the-matron": "Left Hand of the Matron",
        # a cross-faction commander of more points bars it: the captain has 4, the chaplains 3
        "sunhill-chaplain 2, captain-of-the-silver-reed": None},
    "command-points": {
        "sunhill-chaplain 2, bannerlady-oresta": "Sunhill Chaplain 3 (×2), Bannerlady Oresta 5",
        "dune-jackal": None},
}  # fmt: skip


@pytest.mark.parametrize("fact_id", TOLD)
def test_a_fact_of_chainmail_tells_what_the_rulebook_says(fact_id: str) -> None:
    found = {text: find_fact(practice(text), fact_id) for text in TOLD[fact_id]}
    assert {text: fact and fact.text for text, fact in found.items()} == TOLD[fact_id]
    for fact in filter(None, found.values()):
        assert fact.value == int(fact.text) if fact.text.isdigit() else True


@pytest.mark.parametrize(
    ("limit", "number", "about"),
    [
        (50, 35, False),
        (70, 50, False),
        (100, 70, False),
        (140, 100, False),
        (200, 140, True),
        (99, 69, True),
    ],
)
def test_score_kills_follows_the_table_and_else_about_seven_tenths(
    limit: int, number: int, about: bool
) -> None:
    fact = fact_of(practice(f"| limit={limit}"), "score-kills")
    assert (fact.value, fact.text.startswith("about ")) == (number, about)
    assert f"{number} points" in fact.text


@pytest.mark.parametrize(("models", "number"), [(1, 1), (2, 1), (12, 6), (13, 7)])
def test_at_least_half_of_the_attackers_must_break_through(models: int, number: int) -> None:
    """502.21; only above ground (502.31)."""
    fact = fact_of(practice(f"dune-jackal {models}"), "breakthrough")
    assert fact.value == number
    assert fact.text.startswith(f"{number} of {models} models must leave")
    under = practice(f"dune-jackal {models} | environment=underground")
    assert find_fact(under, "breakthrough") is None


def test_light_is_rolled_for_under_ground_only_and_tells_who_sees_how_far() -> None:
    """503: in gloom humans see 6", elves 12"; Darkvision is a number of its own (701.2)."""
    text = "bannerlady-oresta, gatehouse-recruit 7, mosspath-tracker, left-hand-of-the-matron"
    under = practice(f"{text} | environment=underground")
    light, near, far = (fact_of(under, name) for name in ("light", "short-sight", "darkvision"))
    assert "11–20 gloom" in light.text
    assert (near.text, near.units) == ("Bannerlady Oresta, Gatehouse Recruit", ("u1", "u2"))
    assert far.text == "Left Hand of the Matron 24"
    facts = {fact.id for _, fact in practice(text).facts}
    assert not {"light", "short-sight", "darkvision"} & facts
    elf = practice("mosspath-tracker | environment=underground")
    assert find_fact(elf, "short-sight") is None


def test_facts_show_numbers_of_the_warband_and_terrain() -> None:
    # The scouting bonus adds ratings of all models and the points spent.
    fact = fact_of(
        practice("mosspath-tracker 2, gloomstep-knife | tactical_advantage=3"), "scouting"
    )
    assert (fact.value, fact.units) == (4 + 4 + 2 + 3, ("u1", "u2"))
    # Morale names half of the models rounded up.
    fact = fact_of(practice("dune-jackal 5"), "morale")
    assert (fact.value, "18 once 3 of 5 models are casualties" in fact.text) == (3, True)
    assert "more than half its health left adds 5" in fact.note
    assert str(fact.citation) == "Comprehensive Rules 606.11, 606.12"
    # Terrain is placed as the environment asks.
    for ground, number in zip(GROUNDS, ("One ", "Two "), strict=True):
        fact = fact_of(practice(f"| environment={ground}"), "terrain-placement")
        assert fact.text.startswith(number)


@pytest.mark.parametrize("edition", ["basic", "advanced"])
@pytest.mark.parametrize(("models", "number"), [(1, None), (2, 1), (3, 1), (4, 2), (5, 2), (13, 6)])
def test_the_first_half_of_the_casualties_counts_double_among_three_and_more(
    edition: str, models: int, number: int | None
) -> None:
    """Starter Set rulebook p. 62: half of the models, rounded down; one of 3, two of 4 or 5."""
    catalogue = shipped_library().catalogue(f"chainmail-2001-{edition}", ["practice"])

    def double(settings: str) -> int | None:
        report = judged(catalogue, f"practice/dune-jackal {models} | {settings}")
        fact = find_fact(report, "early-casualties")
        return fact.value if fact else None

    assert [double(f"players={players}") for players in (2, 3, 12)] == [None, number, number]
    assert double("players=3 game=free-form") is None


def test_factions_and_leaders_may_tie() -> None:
    # Factions are told and tied where they are.
    assert practice("sunhill-chaplain 2, captain-of-the-silver-reed").faction == "thalos"
    assert practice("foundry-reeve-haldra, captain-of-the-silver-reed").faction is None
    report = practice("embalmer-voskeh 4, pack-mother-of-the-red-dunes, redtusk-overseer")
    assert report.faction == "ahmuts-legion"
    assert fact_of(report, "leader").note, "four of them tie"
    assert find_fact(
        practice("bannerlady-oresta, dune-jackal, captain-of-the-silver-reed"), "leader"
    )
    # A tie of leaders goes to the costlier and then to chance.
    points = {"old": 12, "young": 10, "twin": 12}
    chiefs = [unit(name, cost, "chief 3", faction="red") for name, cost in points.items()]
    leader = {"id": "leader", "kind": "foremost", "name": "Leader", "cite": "1", "ability": "chief"}
    catalogue = game(FACTION, units=chiefs, facts=[leader])
    fact = fact_of(judged(catalogue, "young, old"), "leader")
    assert (fact.text, fact.units, fact.note) == ("Old", ("u2",), "")
    fact = fact_of(judge(catalogue, take("young"), take("old"), take("twin", name="Tom")), "leader")
    assert (fact.text, fact.units) == ("Old or Tom", ("u2", "u3"))
    assert "random" in fact.note


def test_facts_are_given_with_and_without_the_reserve() -> None:
    # Facts that differ with the reserve come for each line up.
    report = practice("dune-jackal 4, bonegnaw-raider reserve")
    deployed = [(lineup, fact.value) for lineup, fact in report.facts if fact.id == "deployed"]
    assert deployed == [("with the reserve", 2), ("without the reserve", 1)]
    faction = [(lineup, fact.text) for lineup, fact in report.facts if fact.id == "faction"]
    assert faction == [("", "Naresh")]
    # Every fact names its source.
    text = "sunhill-chaplain, millbrook-spearhand 3 | environment="
    facts = [fact for ground in GROUNDS for _, fact in practice(f"{text}{ground}").facts]
    told_of = {fact.head.id for fact in CATALOGUE.system.facts}
    assert {fact.id for fact in facts} == told_of - {"darkvision"}
    assert all(fact.citation.place for fact in facts)


def test_every_commander_that_nobody_outranks_may_be_the_warlord() -> None:
    """Glossary, warlord: up to 30 points, and no other commander has more command points."""
    chiefs = [
        unit(name, points, f"chief {rating}", faction="red")
        for name, points, rating in [
            ("old", 25, 4), ("young", 19, 4), ("grand", 31, 4), ("unknown", None, 4), ("low", 9, 2),
        ]
    ]  # fmt: skip
    warlord = {
        "id": "warlord", "kind": "foremost", "name": "Warlord", "cite": "1", "ability": "chief",
        "up_to": 30, "required": True, "unrivalled": True,
    }  # fmt: skip
    catalogue = game(FACTION, units=chiefs, facts=[warlord])
    assert fact_of(judged(catalogue, "old, young, grand, unknown, low"), "warlord").text == (
        "Old or Young"
    )


UNITS = [
    unit("wolf", 7, stats={"nerve": 35}),
    unit("bear", 12, stats={"nerve": 80}),
    unit("shade", None, stats={"speed": "6"}),
]


def fact(kind: str, **more: Any) -> Data:
    return {"id": "fact", "kind": kind, "name": "Fact", "cite": "1", **more}


def wolves(data: Data) -> Catalogue:
    """The game of wolves and bears with a fact."""
    complete = rule("complete", "unit.incomplete", id="complete")
    return game(complete, units=UNITS, facts=[data], settings=with_settings(MAP))


def text_of(report: Report) -> str | None:
    """What the one fact tells; None where it tells nothing."""
    facts = [fact for _, fact in report.facts]
    assert len(facts) < 2
    return facts[0].text if facts else None


HALF = fact("each-stat", stat="nerve", share="1/2")
GOAL = fact("by-choice", setting="map", texts={"field": "Hold the hill."})
MORE_IN_THE_YARD = fact("worth", setting="map", more={"yard": 5})
STEPS = fact("steps", steps=[[4, 1], [8, 2]], beyond=3)
#: A fact, and lists with what it tells of them.
FACTS: dict[str, tuple[Data, dict[str, str | None]]] = {
    "a share of a statistic is rounded down for each unit": (HALF, {
        "wolf 3, bear": "Wolf 17, Bear 40", "wolf, wolf": "Wolf 17"}),
    "so is a third": ({**HALF, "share": "1/3"}, {"wolf 3, bear": "Wolf 11, Bear 26"}),
    **{f"a share may go down to a multiple of {step}": (
        {**HALF, "step": step}, {"wolf, bear": told}) for step, told in [
            (1, "Wolf 17, Bear 40"), (5, "Wolf 15, Bear 40"), (50, "Wolf 0, Bear 0")]},
    "a statistic that is not known is a question mark and alone it is nothing": (HALF, {
        "shade, bear": "Shade ?, Bear 40", "shade": None, "": None}),
    "a unit is worth its own points, not those of its line": (fact("worth"), {
        "wolf 3, bear": "Wolf 7, Bear 12", "shade, wolf": "Shade ?, Wolf 7"}),
    "a setting may add to what a unit is worth": (MORE_IN_THE_YARD, {
        "wolf | map=field": "Wolf 7", "wolf | map=yard": "Wolf 12", "wolf": "Wolf 7"}),
    "a text goes with the value chosen": (GOAL, {
        "| map=field": "Hold the hill.", "| map=yard": None, "": None}),
    "beyond its steps a fact may stay at one number": (STEPS, {
        "wolf 4": "1", "wolf 5": "2", "wolf 8": "2", "wolf 9": "3", "wolf 100": "3"}),
}  # fmt: skip


@pytest.mark.parametrize(("data", "lists"), FACTS.values(), ids=FACTS)
def test_a_fact_tells_of_a_list_what_it_is_for(data: Data, lists: dict[str, str | None]) -> None:
    catalogue = wolves(data)
    assert {text: text_of(judged(catalogue, text)) for text in lists} == lists


CHIEFS = [
    unit("red-chief", 9, "chief 4", faction="red"),
    unit("blue-chief", 9, "chief 3", faction="blue"),
    unit("free-chief", 9, "chief 5", faction="none"),
]


@pytest.mark.parametrize(
    ("text", "whole", "faction", "leaders"),
    [
        ("red-chief, blue-chief, free-chief", True, "red", ["Free Chief"]),
        ("red-chief, blue-chief, free-chief", False, "red", ["Red Chief"]),
        # while the faction is open
        ("red-chief 3, blue-chief 4", True, None, ["Red Chief"]),
        ("red-chief 3, blue-chief 4", False, None, []),
    ],
)
def test_leaders_are_found_in_the_faction_or_the_whole_list(
    text: str, whole: bool, faction: str | None, leaders: list[str]
) -> None:
    data = fact("foremost", ability="chief", whole=whole)
    report = judged(game(FACTION, units=CHIEFS, facts=[data]), text)
    assert (report.faction, [fact.text for _, fact in report.facts]) == (faction, leaders)


def test_facts_name_units_with_points_and_rating() -> None:
    # A named unit is told by its name and a card filled in by its points.
    entries = [take("wolf"), take("wolf"), take("wolf", name="Fang")]
    assert text_of(judge(wolves(HALF), *entries)) == "Wolf 17, Fang 17"
    filled = take("shade", card={"points": 9})
    assert text_of(judge(wolves(fact("worth")), filled, take("wolf"))) == "Shade 9, Wolf 7"
    # The foremost is told with its rating where that is asked.
    rated = fact("foremost", ability="chief", whole=True, rated=True)
    catalogue = game(FACTION, units=CHIEFS, facts=[rated])
    chief, ann = take("red-chief"), take("red-chief", name="Ann")
    assert text_of(judge(catalogue, chief)) == "Red Chief (Chief 4)"
    assert text_of(judge(catalogue, chief, ann)) == "Red Chief (Chief 4) or Ann (Chief 4)"
