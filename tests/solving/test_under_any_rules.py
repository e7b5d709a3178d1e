"""Whatever rules hold, of the game or of an event: what the verbs call proved, impossible, a dead
end or the reason is so among all lists, of which every one is tried.
"""

from dataclasses import replace
from itertools import islice

import pytest

from armybuilder.engine import validate
from armybuilder.engine.constraining import Scope, possible_lists
from armybuilder.engine.rulebook import rule_kinds
from armybuilder.loading.armylist import ListUnit
from armybuilder.loading.documents import make_roster
from armybuilder.solving.cpsat import CpSat
from armybuilder.solving.look_ahead import Fate, look_ahead
from armybuilder.solving.port import Problem, Solution
from armybuilder.solving.repair import repairs
from tests.building.documents import value_of
from tests.building.random_lists import SKIRMISHES, catalogue_of, random_lists
from tests.effort import scaled
from tests.solving.contradictions import LONG, contradictions
from tests.solving.made_games import PARTS, kinds_in

pytestmark = pytest.mark.long

#: Games of each of the two sorts, and lists of each: many more by `tests.solving.contradictions`.
GAMES, LISTS = scaled(2, 12, 50), 2


def test_made_games_have_rules_of_every_kind() -> None:
    of_every_system = {"unknown", "owned", "suggested"}
    assert kinds_in(PARTS) == rule_kinds().keys() - of_every_system


@pytest.mark.parametrize("seed", range(GAMES))
@pytest.mark.parametrize("sized", [False, True], ids=["singles", "units"])
def test_what_is_said_of_all_lists_holds_for_each(sized: bool, seed: int) -> None:
    assert not list(contradictions(seed, sized, LISTS))


@pytest.mark.one_in(5)
@pytest.mark.parametrize("game_id", SKIRMISHES)
def test_rules_that_lean_on_a_lifted_one_are_stated_as_they_are_judged(game_id: str) -> None:
    whole = catalogue_of(game_id)
    rosters = [
        make_roster(value_of(data), whole)
        for data in islice(random_lists(game_id, 5), scaled(2, 10, 60))
    ]
    for lifted in (one for one in whole.system.rules if one.kind != "complete"):
        kept = tuple(one for one in whole.system.rules if one is not lifted)
        catalogue = replace(whole, system=replace(whole.system, rules=kept))
        for roster in rosters:
            legal = validate(roster, catalogue).legal
            possible = possible_lists(roster, catalogue, Scope({}, legal=True))
            stands = Problem(possible.constraints, fixed=possible.as_it_stands())
            assert isinstance(CpSat().solve(stands, LONG), Solution) == legal, lifted.head.id


@pytest.mark.slow
def test_command_is_asked_for_where_the_rule_of_factions_is_lifted() -> None:
    whole = catalogue_of("chainmail-2002")
    kept = tuple(one for one in whole.system.rules if one.head.id != "faction")
    catalogue = replace(whole, system=replace(whole.system, rules=kept))
    led, others = "practice/embalmer-voskeh", "practice/bonegnaw-raider"
    units = (ListUnit("u1", 1, led), ListUnit("u2", 5, others))
    made = replace(value_of(next(iter(random_lists("chainmail-2002", 1)))), units=units, limit=100)
    assert not validate(make_roster(made, catalogue), catalogue).legal
    for way in repairs(made, catalogue, CpSat(), seconds=LONG).found:
        assert validate(make_roster(way.army_list, catalogue), catalogue).legal
    assert look_ahead(made, catalogue, CpSat(), seconds=LONG).whole is Fate.OPEN
