"""What a list tells on game day, by the shipped systems and their practice book."""

from typing import Any

import pytest

from armybuilder.engine import Report
from armybuilder.engine.facts import Fact
from armybuilder.loading.library import shipped_library
from tests.building.tiny import game, judge, take, unit
from tests.engine.test_faction_rules import FACTION

CATALOGUE = shipped_library().catalogue("chainmail-2002", ["practice"])
GROUNDS = ("aboveground", "underground")


def practice(*entries: Any, limit: int = 100, **settings: Any) -> Report:
    return judge(CATALOGUE, *entries, limit=limit, **settings)


def mine(name: str, models: int = 1, *roles: str) -> dict[str, Any]:
    return take(f"practice/{name}", models, *roles)


def told(report: Report, fact_id: str) -> Fact | None:
    facts = [fact for _, fact in report.facts if fact.id == fact_id]
    return facts[0] if facts else None


@pytest.mark.parametrize(
    ("models", "number"),
    [(1, 1), (4, 1), (5, 2), (8, 2), (9, 3), (12, 3), (13, 4), (16, 4), (17, 5), (100, 25)],
)
def test_models_deploy_and_act_by_the_table_and_then_by_quarters(models: int, number: int) -> None:
    report = practice(mine("dune-jackal", models))
    for fact_id in ("deployed", "activated"):
        fact = told(report, fact_id)
        assert fact is not None
        assert (fact.value, fact.text) == (number, str(number))


def test_an_empty_list_deploys_nothing() -> None:
    assert told(practice(), "deployed") is None
    assert told(practice(), "morale") is None
    assert told(practice(), "leader") is None


def test_score_kills_follows_the_table_and_else_about_seven_tenths() -> None:
    cases: list[tuple[int, int, bool]] = [
        (50, 35, False),
        (70, 50, False),
        (100, 70, False),
        (140, 100, False),
        (200, 140, True),
        (99, 69, True),
    ]
    for limit, number, about in cases:
        fact = told(practice(limit=limit), "score-kills")
        assert fact is not None, limit
        assert fact.value == number, limit
        assert fact.text.startswith("about ") is about, limit
        assert f"{number} points" in fact.text, limit


def test_the_scouting_bonus_adds_ratings_of_all_models_and_the_points_spent() -> None:
    report = practice(mine("mosspath-tracker", 2), mine("gloomstep-knife"), tactical_advantage=3)
    fact = told(report, "scouting")
    assert fact is not None
    assert (fact.value, fact.text, fact.units) == (4 + 4 + 2 + 3, "+13", ("u1", "u2"))


def test_morale_names_half_of_the_models_rounded_up() -> None:
    fact = told(practice(mine("dune-jackal", 5)), "morale")
    assert fact is not None
    assert (fact.value, "18 once 3 of 5 models are casualties" in fact.text) == (3, True)
    assert "more than half its health left adds 5" in fact.note
    assert str(fact.citation) == "Comprehensive Rules 606.11, 606.12"


def test_halves_of_a_split_warband_leave_the_odd_model_to_the_second() -> None:
    """502.12: half of the models at one edge, the rest at the opposite; 401: rounded down."""
    cases: list[tuple[int, str | None]] = [
        (1, None),
        (2, "1 and 1 of 2 models"),
        (12, "6 and 6 of 12 models"),
        (13, "6 and 7 of 13 models"),
    ]
    for models, text in cases:
        fact = told(practice(mine("dune-jackal", models)), "split")
        assert (fact.text if fact else None) == text, models


@pytest.mark.parametrize(("models", "number"), [(1, 1), (2, 1), (12, 6), (13, 7)])
def test_at_least_half_of_the_attackers_must_break_through(models: int, number: int) -> None:
    """502.21; only above ground (502.31)."""
    fact = told(practice(mine("dune-jackal", models)), "breakthrough")
    assert fact is not None
    assert fact.value == number
    assert fact.text.startswith(f"{number} of {models} models must leave")
    under = practice(mine("dune-jackal", models), environment="underground")
    assert told(under, "breakthrough") is None


def test_light_is_rolled_for_under_ground_only_and_tells_who_sees_how_far() -> None:
    """503: in gloom humans see 6", elves 12"; Darkvision is a number of its own (701.2)."""
    entries = (
        mine("bannerlady-oresta"), mine("gatehouse-recruit", 7), mine("mosspath-tracker"),
        mine("left-hand-of-the-matron"),
    )  # fmt: skip
    under = practice(*entries, environment="underground")
    light, near, far = (told(under, name) for name in ("light", "short-sight", "darkvision"))
    assert light is not None
    assert "11–20 gloom" in light.text
    assert near is not None
    assert (near.text, near.units) == ("Bannerlady Oresta, Gatehouse Recruit", ("u1", "u2"))
    assert far is not None
    assert far.text == "Left Hand of the Matron 24"
    above = practice(*entries)
    assert not {"light", "short-sight", "darkvision"} & {fact.id for _, fact in above.facts}
    assert told(practice(mine("mosspath-tracker"), environment="underground"), "short-sight") is (
        None
    )


def test_terrain_is_placed_as_the_environment_asks() -> None:
    texts = [told(practice(environment=ground), "terrain-placement") for ground in GROUNDS]
    assert [fact and fact.text.split(" ")[0] for fact in texts] == ["One", "Two"]


@pytest.mark.parametrize("edition", ["basic", "advanced"])
@pytest.mark.parametrize(("models", "number"), [(1, None), (2, 1), (3, 1), (4, 2), (5, 2), (13, 6)])
def test_the_first_half_of_the_casualties_counts_double_among_three_and_more(
    edition: str, models: int, number: int | None
) -> None:
    """Starter Set rulebook p. 62: half of the models, rounded down; one of 3, two of 4 or 5."""
    catalogue = shipped_library().catalogue(f"chainmail-2001-{edition}", ["practice"])

    def double(**settings: Any) -> int | None:
        fact = told(judge(catalogue, mine("dune-jackal", models), **settings), "early-casualties")
        return fact.value if fact else None

    assert [double(players=players) for players in (2, 3, 12)] == [None, number, number]
    assert double(players=3, game="free-form") is None


def test_the_leader_is_the_highest_commander_of_the_own_faction() -> None:
    report = practice(
        mine("embalmer-voskeh", 4), mine("pack-mother-of-the-red-dunes"), mine("redtusk-overseer")
    )
    assert report.faction == "ahmuts-legion"
    fact = told(report, "leader")
    assert fact is not None
    assert fact.text == "Embalmer Voskeh", "the Pack-Mother has 6 but is cross-faction"
    assert fact.note, "four of them tie"


def test_a_tie_of_leaders_goes_to_the_costlier_and_then_to_chance() -> None:
    chiefs = [
        unit("old", 12, "chief 3", faction="red"), unit("young", 10, "chief 3", faction="red"),
        unit("twin", 12, "chief 3", faction="red"),
    ]  # fmt: skip
    leader = {"id": "leader", "kind": "foremost", "name": "Leader", "cite": "1", "ability": "chief"}
    catalogue = game(FACTION, units=chiefs, facts=[leader])
    fact = told(judge(catalogue, take("young"), take("old")), "leader")
    assert fact is not None
    assert (fact.text, fact.units, fact.note) == ("Old", ("u2",), "")
    fact = told(judge(catalogue, take("young"), take("old"), take("twin", name="Tom")), "leader")
    assert fact is not None
    assert (fact.text, fact.units) == ("Old or Tom", ("u2", "u3"))
    assert "random" in fact.note


def test_without_commanders_the_costliest_model_leads() -> None:
    fact = told(
        practice(mine("dune-jackal"), mine("bonegnaw-raider"), mine("pit-born-render")), "leader"
    )
    assert fact is not None
    assert fact.text == "Pit-Born Render"


def test_nobody_leads_while_the_faction_is_open() -> None:
    report = practice(
        mine("bannerlady-oresta"), mine("dune-jackal"), mine("captain-of-the-silver-reed")
    )
    assert told(report, "leader") is not None
    tied = practice(mine("foundry-reeve-haldra"), mine("captain-of-the-silver-reed"))
    assert tied.faction is None
    assert told(tied, "leader") is None
    assert told(tied, "faction") is None


def test_the_warlord_costs_at_most_thirty_and_nobody_may_command_more() -> None:
    def warlord(*names: str) -> str | None:
        fact = told(practice(*(mine(name) for name in names)), "warlord")
        return fact.text if fact else None

    assert warlord("foundry-reeve-haldra", "anvil-gate-warden") == "Foundry Reeve Haldra", (
        "30 exactly"
    )
    assert warlord("captain-of-the-silver-reed") is None, "31 is too costly"
    assert warlord("captain-of-the-silver-reed", "ninefold-enchanter") is None, "4 is more than 2"
    assert warlord("knuckle-alley-bruiser") is None, "not a commander"
    assert warlord("embalmer-voskeh", "left-hand-of-the-matron") == "Left Hand of the Matron"


def test_a_cross_faction_commander_of_more_points_bars_the_warlord() -> None:
    report = practice(mine("sunhill-chaplain", 2), mine("captain-of-the-silver-reed"))
    assert report.faction == "thalos"
    assert told(report, "warlord") is None, "the captain has 4, the chaplains 3"


def test_command_points_are_told_for_each_commander() -> None:
    fact = told(practice(mine("sunhill-chaplain", 2), mine("bannerlady-oresta")), "command-points")
    assert fact is not None
    assert fact.text == "Sunhill Chaplain 3 (×2), Bannerlady Oresta 5"
    assert told(practice(mine("dune-jackal")), "command-points") is None


def test_facts_that_differ_with_the_reserve_come_for_each_line_up() -> None:
    report = practice(mine("dune-jackal", 4), mine("bonegnaw-raider", 1, "reserve"))
    deployed = [(lineup, fact.value) for lineup, fact in report.facts if fact.id == "deployed"]
    assert deployed == [("with the reserve", 2), ("without the reserve", 1)]
    faction = [(lineup, fact.text) for lineup, fact in report.facts if fact.id == "faction"]
    assert faction == [("", "Naresh")]


def test_every_fact_names_its_source() -> None:
    entries = (mine("sunhill-chaplain"), mine("millbrook-spearhand", 3))
    facts = [fact for ground in GROUNDS for _, fact in practice(*entries, environment=ground).facts]
    told_of = {fact.head.id for fact in CATALOGUE.system.facts}
    assert {fact.id for fact in facts} == told_of - {"darkvision"}
    assert all(fact.citation.place for fact in facts)


def test_every_commander_that_nobody_outranks_may_be_the_warlord() -> None:
    """Glossary, warlord: up to 30 points, and no other commander has more command points."""
    chiefs = [
        unit("old", 25, "chief 4", faction="red"),
        unit("young", 19, "chief 4", faction="red"),
        unit("grand", 31, "chief 4", faction="red"),
        unit("unknown", None, "chief 4", faction="red"),
        unit("low", 9, "chief 2", faction="red"),
    ]
    warlord = {
        "id": "warlord", "kind": "foremost", "name": "Warlord", "cite": "1", "ability": "chief",
        "up_to": 30, "required": True, "unrivalled": True,
    }  # fmt: skip
    catalogue = game(FACTION, units=chiefs, facts=[warlord])
    report = judge(catalogue, *(take(chief["id"]) for chief in chiefs))
    fact = told(report, "warlord")
    assert fact is not None
    assert fact.text == "Old or Young"
