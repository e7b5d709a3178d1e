"""Tell how much work a space of lists is to make before it is begun."""

from __future__ import annotations

from collections.abc import Mapping
from time import monotonic

from armybuilder.engine.catalogue import Catalogue
from armybuilder.engine.constraining import Scope
from armybuilder.engine.roster import Roster
from armybuilder.engine.space.candidates import everything
from armybuilder.engine.units import Unit

#: Units and options of which a machine in use makes unknowns in a second; as how many a model
#: counts that is bought singly.
A_SECOND, SINGLE = 7_000, 5


def room_until(until: float) -> int:
    """Return of how many units and options there is time to make unknowns."""
    return int(A_SECOND * max(0.0, until - monotonic()))


def size_of_list(roster: Roster) -> int:
    """Return how many units a list has, with all options that each may take."""
    return sum(size_of(pick.unit) for pick in roster.picks if pick.unit is not None)


def size_of(unit: Unit, bare: bool = False) -> int:
    """Return about how much there is to a unit: itself and its options, or as it starts."""
    # Models that are bought singly are there in several roles, each of which is an unknown.
    alone = SINGLE if unit.size is None else 1
    if bare:
        return alone
    options = sum(len(one.offer.slots) for one in unit.offer.options())
    return alone + len(unit.offer.slots) + options


def is_in_time(roster: Roster, catalogue: Catalogue, scope: Scope, until: float) -> bool:
    """Return whether there is time to make the space of a list."""
    return len(in_time(roster, catalogue, scope, until)) == len(scope.added)


def in_time(roster: Roster, catalogue: Catalogue, scope: Scope, until: float) -> Mapping[str, int]:
    """Return the first units to add for which there is time, besides the list's."""
    bare = scope.wanted is not everything
    room = room_until(until) - size_of_list(roster)
    found: dict[str, int] = {}
    for ref, number in scope.added.items():
        room -= number * size_of(catalogue.units[ref], bare)
        if room < 0:
            return found
        found[ref] = number
    return scope.added
