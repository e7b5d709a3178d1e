"""What is told to lead nowhere without looking for other ways leads nowhere where they are looked
for: with more copies of every unit and all their options.
"""

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from random import Random

import pytest

from armybuilder.editing import unit_edits
from armybuilder.engine.constraining import PossibleLists, possible_lists
from armybuilder.engine.roster import Roster
from armybuilder.engine.space.candidates import everything
from armybuilder.loading.armylist import ArmyList
from armybuilder.loading.documents import make_roster
from armybuilder.solving.cpsat import CpSat
from armybuilder.solving.dead_ends import can_tell, dead_units, is_dead
from armybuilder.solving.keeping import growth, keep_all
from armybuilder.solving.look_ahead import Fate, Outlook, look_ahead
from armybuilder.solving.port import Answer, Impossible, Problem, Relaxation
from armybuilder.solving.scopes import COPIES, MANY, WIDE, usual
from armybuilder.solving.unfinished import unfinished
from tests.building.documents import value_of
from tests.building.random_lists import SKIRMISHES, catalogue_of, random_lists, starts_of
from tests.effort import tries

pytestmark = pytest.mark.long

BOOKS = ["dread-elves", "legions-of-sin", "t9a-2024/makhar"]


def ask(problem: Problem) -> Answer:
    return CpSat().solve(problem, 60)


def ahead(army_list: ArmyList) -> Outlook:
    return look_ahead(army_list, catalogue_of("ddm-2008"), CpSat(), 60)


def wide(roster: Roster, game: str) -> PossibleLists:
    """All that may become of a roster by adding."""
    catalogue = catalogue_of(game)
    scope = usual(roster, catalogue, COPIES)
    many = dict.fromkeys(scope.added, MANY)
    scope = replace(scope, added=many, wanted=everything, extent=WIDE)
    possible = possible_lists(roster, catalogue, scope)
    keep_all(possible)
    return possible


def parts(game: str) -> Iterator[Roster]:
    """Full lists without their last unit: there is little room beside them."""
    for start in islice(starts_of(game), 2):
        document = {**start, "units": start["units"][:-1]}
        yield make_roster(value_of(document), catalogue_of(game))


@pytest.mark.slow
@pytest.mark.one_in(3)
@pytest.mark.parametrize("game", BOOKS)
def test_a_unit_that_leads_nowhere_for_sure_leads_nowhere(game: str) -> None:
    catalogue = catalogue_of(game)
    told = 0
    for roster in parts(game):
        scope = usual(roster, catalogue, COPIES)
        dead = {ref for ref in scope.added if dead_units(roster, catalogue, scope, [ref], ask)}
        possible = wide(roster, game)
        both, more = possible.constraints, dict(growth(possible))
        some = both.any_of(more[ref] for ref in sorted(dead))
        asked = Problem(both, assumptions=(some,), relaxation=Relaxation.WEAK)
        assert not dead or isinstance(ask(asked), Impossible), dead
        told += len(dead)
    assert told


@pytest.mark.one_in(3)
@pytest.mark.parametrize("game", BOOKS)
def test_a_list_that_leads_nowhere_for_sure_leads_nowhere(game: str) -> None:
    catalogue = catalogue_of(game)
    told = 0
    for document in islice(random_lists(game, 7), 6):
        roster = make_roster(value_of(document), catalogue)
        if is_dead(roster, catalogue, usual(roster, catalogue, COPIES), ask):
            told += 1
            problem = Problem(wide(roster, game).constraints, relaxation=Relaxation.WEAK)
            assert isinstance(ask(problem), Impossible)
    assert told


def test_what_is_dead_beside_cards_to_be_filled_in_is_so_once_they_are() -> None:
    catalogue, rng = catalogue_of("ddm-2008"), Random(5)  # noqa: S311, lists for tests
    attributes = catalogue.system.attributes
    told = 0
    for begun in islice(map(value_of, random_lists("ddm-2008", 5)), tries(60)):
        dead = [ref for ref, fate in ahead(begun).units.items() if fate is Fate.DEAD]
        cards = unfinished(catalogue, make_roster(begun, catalogue))
        for ref in rng.sample(dead, min(2, len(dead))):
            made, _entry = unit_edits.add_unit(begun, catalogue, ref)
            for card in rng.sample(cards, 2):
                made, entry = unit_edits.add_unit(made, catalogue, card.ref)
                fields = {}
                for blank in card.blanks:
                    kind, _, key = blank.field.partition(".")
                    known = list(attributes[key].values) if kind == "attributes" else ["0", "5"]
                    fields[blank.field] = rng.choice(known)
                made = unit_edits.fill_card(made, catalogue, entry, fields)
            assert ahead(made).whole is not Fate.OPEN, (ref, made.to_dict())
            told += 1
    assert told


def test_where_units_make_a_faction_nothing_is_told_for_sure() -> None:
    assert can_tell(catalogue_of(BOOKS[0]))
    assert not any(can_tell(catalogue_of(game)) for game in SKIRMISHES)
