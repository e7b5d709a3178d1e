"""Constraints that are built once for many lists say of each what constraints of its own say."""

from collections.abc import Iterator
from itertools import islice

import pytest

from armybuilder.engine.roster import Roster
from armybuilder.engine.rules import Rule
from armybuilder.loading.documents import make_roster
from tests.building.aimed_lists import varied_lists
from tests.building.documents import value_of
from tests.building.random_lists import ARMY_BOOKS, SKIRMISHES
from tests.effort import tries
from tests.solving.agreement import disagreements, verdicts_of_roster
from tests.solving.shared_spaces import SharedSpace, spaces_of

GAMES = [*reversed(SKIRMISHES), *ARMY_BOOKS[::4]]


def spaces(game: str, number: int) -> Iterator[tuple[SharedSpace, list[Roster]]]:
    """Return spaces of random lists that begin alike."""
    drawn = islice(varied_lists(game, 11, number), number)
    rosters = [(make_roster(value_of(one), catalogue), catalogue) for one, catalogue in drawn]
    for places, space in spaces_of(rosters, number):
        yield space, [rosters[place][0] for place in places]


@pytest.mark.one_in(7)
@pytest.mark.parametrize("game", GAMES)
def test_what_is_worked_out_anew_for_a_list_is_all_that_differs(game: str) -> None:
    for space, rosters in spaces(game, tries(40, 13)):
        constraints = space.possible.constraints
        for number in range(len(rosters)):
            point = space.point(number)
            assert point is not None
            every = constraints.broken(constraints.complete(space.decisions | point))
            assert sorted(map(repr, every)) == sorted(map(repr, space.asked.broken(point)))


@pytest.mark.one_in(7)
@pytest.mark.parametrize("game", GAMES)
def test_a_space_of_many_lists_says_of_each_what_its_own_constraints_say(game: str) -> None:
    for space, rosters in spaces(game, tries(20, 8)):
        for number, roster in enumerate(rosters):
            own = verdicts_of_roster(roster, space.game.catalogue).constrained
            assert space.broken(number) == own


@pytest.mark.parametrize("game", ["sbh", pytest.param("highborn-elves", marks=pytest.mark.slow)])
def test_a_rule_that_demands_nothing_is_noticed_in_a_space_of_many_lists(
    game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    space, _ = next(spaces(game, 1))
    (limit,) = {type(rule) for rule in space.game.catalogue.system.rules if rule.kind == "limit"}
    assert not disagreements(game, 7, 20).wrong
    monkeypatch.setattr(limit, "constrain", Rule.constrain)
    assert disagreements(game, 7, 20).wrong
