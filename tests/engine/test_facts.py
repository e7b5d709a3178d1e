"""What a list tells on game day, by the shipped systems, and facts of warbands of creatures."""

from typing import Any

import pytest

from armybuilder.engine import Report
from armybuilder.engine.facts import Fact
from armybuilder.loading.library import shipped_library
from tests.building.tiny import MAP, Data, game, judge, rule, take, unit, with_settings
from tests.engine.test_faction_rules import FACTION

CATALOGUE = shipped_library().catalogue("chainmail-2002", ["practice"])
GROUNDS = ("aboveground", "underground")


def practice(*entries: Any, limit: int = 100, **settings: Any) -> Report:
    return judge(CATALOGUE, *entries, limit=limit, **settings)


def mine(name: str, models: int = 1, *roles: str) -> dict[str, Any]:
    return take(f"practice/{name}", models, *roles)


def find_fact(report: Report, fact_id: str) -> Fact | None:
    return next((fact for _, fact in report.facts if fact.id == fact_id), None)


def told(report: Report, fact_id: str) -> Fact:
    """The fact of this id, which the report tells."""
    return next(fact for _, fact in report.facts if fact.id == fact_id)


@pytest.mark.parametrize(
    ("models", "number"),
    [(1, 1), (4, 1), (5, 2), (8, 2), (9, 3), (12, 3), (13, 4), (16, 4), (17, 5), (100, 25)],
)
def test_models_deploy_and_act_by_the_table_and_then_by_quarters(models: int, number: int) -> None:
    report = practice(mine("dune-jackal", models))
    for fact_id in ("deployed", "activated"):
        fact = told(report, fact_id)
        assert (fact.value, fact.text) == (number, str(number))


def test_an_empty_list_deploys_nothing() -> None:
    assert find_fact(practice(), "deployed") is None
    assert find_fact(practice(), "morale") is None
    assert find_fact(practice(), "leader") is None


def test_score_kills_follows_the_table_and_else_about_seven_tenths() -> None:
    for limit, number, about in [
        (50, 35, False),
        (70, 50, False),
        (100, 70, False),
        (140, 100, False),
        (200, 140, True),
        (99, 69, True),
    ]:
        fact = told(practice(limit=limit), "score-kills")
        assert fact.value == number, limit
        assert fact.text.startswith("about ") is about, limit
        assert f"{number} points" in fact.text, limit


def test_the_scouting_bonus_adds_ratings_of_all_models_and_the_points_spent() -> None:
    report = practice(mine("mosspath-tracker", 2), mine("gloomstep-knife"), tactical_advantage=3)
    fact = told(report, "scouting")
    assert (fact.value, fact.text, fact.units) == (4 + 4 + 2 + 3, "+13", ("u1", "u2"))


def test_morale_names_half_of_the_models_rounded_up() -> None:
    fact = told(practice(mine("dune-jackal", 5)), "morale")
    assert (fact.value, "18 once 3 of 5 models are casualties" in fact.text) == (3, True)
    assert "more than half its health left adds 5" in fact.note
    assert str(fact.citation) == "Comprehensive Rules 606.11, 606.12"


def test_halves_of_a_split_warband_leave_the_odd_model_to_the_second() -> None:
    """502.12: half of the models at one edge, the rest at the opposite; 401: rounded down."""
    for models, text in [
        (1, None),
        (2, "1 and 1 of 2 models"),
        (12, "6 and 6 of 12 models"),
        (13, "6 and 7 of 13 models"),
    ]:
        fact = find_fact(practice(mine("dune-jackal", models)), "split")
        assert (fact.text if fact else None) == text, models


@pytest.mark.parametrize(("models", "number"), [(1, 1), (2, 1), (12, 6), (13, 7)])
def test_at_least_half_of_the_attackers_must_break_through(models: int, number: int) -> None:
    """502.21; only above ground (502.31)."""
    fact = told(practice(mine("dune-jackal", models)), "breakthrough")
    assert fact.value == number
    assert fact.text.startswith(f"{number} of {models} models must leave")
    under = practice(mine("dune-jackal", models), environment="underground")
    assert find_fact(under, "breakthrough") is None


def test_light_is_rolled_for_under_ground_only_and_tells_who_sees_how_far() -> None:
    """503: in gloom humans see 6", elves 12"; Darkvision is a number of its own (701.2)."""
    entries = (
        mine("bannerlady-oresta"), mine("gatehouse-recruit", 7), mine("mosspath-tracker"),
        mine("left-hand-of-the-matron"),
    )  # fmt: skip
    under = practice(*entries, environment="underground")
    light, near, far = (told(under, name) for name in ("light", "short-sight", "darkvision"))
    assert "11–20 gloom" in light.text
    assert (near.text, near.units) == ("Bannerlady Oresta, Gatehouse Recruit", ("u1", "u2"))
    assert far.text == "Left Hand of the Matron 24"
    above = practice(*entries)
    assert not {"light", "short-sight", "darkvision"} & {fact.id for _, fact in above.facts}
    elf = practice(mine("mosspath-tracker"), environment="underground")
    assert find_fact(elf, "short-sight") is None


def test_terrain_is_placed_as_the_environment_asks() -> None:
    texts = [told(practice(environment=ground), "terrain-placement") for ground in GROUNDS]
    assert [fact.text.split(" ")[0] for fact in texts] == ["One", "Two"]


@pytest.mark.parametrize("edition", ["basic", "advanced"])
@pytest.mark.parametrize(("models", "number"), [(1, None), (2, 1), (3, 1), (4, 2), (5, 2), (13, 6)])
def test_the_first_half_of_the_casualties_counts_double_among_three_and_more(
    edition: str, models: int, number: int | None
) -> None:
    """Starter Set rulebook p. 62: half of the models, rounded down; one of 3, two of 4 or 5."""
    catalogue = shipped_library().catalogue(f"chainmail-2001-{edition}", ["practice"])

    def double(**settings: Any) -> int | None:
        report = judge(catalogue, mine("dune-jackal", models), **settings)
        fact = find_fact(report, "early-casualties")
        return fact.value if fact else None

    assert [double(players=players) for players in (2, 3, 12)] == [None, number, number]
    assert double(players=3, game="free-form") is None


def test_the_leader_is_the_highest_commander_of_the_own_faction() -> None:
    report = practice(
        mine("embalmer-voskeh", 4), mine("pack-mother-of-the-red-dunes"), mine("redtusk-overseer")
    )
    assert report.faction == "ahmuts-legion"
    fact = told(report, "leader")
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
    assert (fact.text, fact.units, fact.note) == ("Old", ("u2",), "")
    fact = told(judge(catalogue, take("young"), take("old"), take("twin", name="Tom")), "leader")
    assert (fact.text, fact.units) == ("Old or Tom", ("u2", "u3"))
    assert "random" in fact.note


def test_without_commanders_the_costliest_model_leads() -> None:
    fact = told(
        practice(mine("dune-jackal"), mine("bonegnaw-raider"), mine("pit-born-render")), "leader"
    )
    assert fact.text == "Pit-Born Render"


def test_nobody_leads_while_the_faction_is_open() -> None:
    report = practice(
        mine("bannerlady-oresta"), mine("dune-jackal"), mine("captain-of-the-silver-reed")
    )
    assert find_fact(report, "leader")
    tied = practice(mine("foundry-reeve-haldra"), mine("captain-of-the-silver-reed"))
    assert tied.faction is None
    assert find_fact(tied, "leader") is None
    assert find_fact(tied, "faction") is None


def test_the_warlord_costs_at_most_thirty_and_nobody_may_command_more() -> None:
    def warlord(*names: str) -> str | None:
        fact = find_fact(practice(*(mine(name) for name in names)), "warlord")
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
    assert find_fact(report, "warlord") is None, "the captain has 4, the chaplains 3"


def test_command_points_are_told_for_each_commander() -> None:
    fact = told(practice(mine("sunhill-chaplain", 2), mine("bannerlady-oresta")), "command-points")
    assert fact.text == "Sunhill Chaplain 3 (×2), Bannerlady Oresta 5"
    assert find_fact(practice(mine("dune-jackal")), "command-points") is None


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
    assert fact.text == "Old or Young"


UNITS = [
    unit("wolf", 7, stats={"nerve": 35}),
    unit("bear", 12, stats={"nerve": 80}),
    unit("shade", None, stats={"speed": "6"}),
]


def fact(kind: str, **more: Any) -> Data:
    return {"id": "fact", "kind": kind, "name": "Fact", "cite": "1", **more}


def fact_of(data: Data, *entries: Any, units: Any = UNITS, **settings: Any) -> Fact | None:
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
    found = fact_of(data, *entries, **settings)
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


def test_a_setting_may_add_to_what_a_unit_is_worth() -> None:
    for chosen, line in [("field", "Wolf 7"), ("yard", "Wolf 12"), (None, "Wolf 7")]:
        data = fact("worth", setting="map", more={"yard": 5})
        assert text(data, take("wolf"), map=chosen) == line, chosen


def test_what_a_unit_of_unknown_points_is_worth_is_not_known() -> None:
    assert text(fact("worth"), take("shade"), take("wolf")) == "Shade ?, Wolf 7"
    filled = take("shade", card={"points": 9})
    assert text(fact("worth"), filled, take("wolf")) == "Shade 9, Wolf 7"


def test_a_text_goes_with_the_value_chosen() -> None:
    for chosen, line in [("field", "Hold the hill."), ("yard", None), (None, None)]:
        assert text(
            fact("by-choice", setting="map", texts={"field": "Hold the hill."}), map=chosen
        ) == (line), chosen


@pytest.mark.parametrize(("models", "number"), [(4, 1), (5, 2), (8, 2), (9, 3), (100, 3)])
def test_beyond_its_steps_a_fact_may_stay_at_one_number(models: int, number: int) -> None:
    data = fact("steps", steps=[[4, 1], [8, 2]], beyond=3)
    found = fact_of(data, take("wolf", models))
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
    assert [fact.text for _, fact in report.facts] == ["Red Chief (Chief 4)"]
    both = judge(
        game(FACTION, units=CHIEFS, facts=[rated]),
        take("red-chief"),
        take("red-chief", name="Ann"),
    )
    assert [fact.text for _, fact in both.facts] == ["Red Chief (Chief 4) or Ann (Chief 4)"]
