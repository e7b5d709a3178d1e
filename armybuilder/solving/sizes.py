"""Estimates of the work to make a space of lists."""

from __future__ import annotations

from collections.abc import Mapping
from time import monotonic

from armybuilder.engine.catalogue import Catalogue
from armybuilder.engine.constraining import Scope
from armybuilder.engine.roster import Roster
from armybuilder.engine.space.candidates import everything
from armybuilder.engine.units import Unit

#: Units and options that a busy machine makes unknowns of in a second; and the number of these
#: that a model bought singly counts as.
A_SECOND, SINGLE = 7_000, 5


def room_until(until: float) -> int:
    """Return the number of units and options that there is time to make unknowns of."""
    return int(A_SECOND * max(0.0, until - monotonic()))


def size_of_list(roster: Roster) -> int:
    """Return the number of a list's units and of all options that they may take."""
    return sum(size_of(pick.unit) for pick in roster.picks if pick.unit is not None)


def size_of(unit: Unit, bare: bool = False) -> int:
    """Return the approximate number of a unit's unknowns: with its options, or `bare`."""
    # Models that are bought singly are there in several roles, each of which is an unknown.
    alone = SINGLE if unit.size is None else 1
    if bare:
        return alone
    options = sum(len(one.offer.slots) for one in unit.offer.options())
    return alone + len(unit.offer.slots) + options


def is_in_time(roster: Roster, catalogue: Catalogue, scope: Scope, until: float) -> bool:
    """Return whether there is time to make the space of a scope."""
    return len(in_time(roster, catalogue, scope, until)) == len(scope.added)


def in_time(roster: Roster, catalogue: Catalogue, scope: Scope, until: float) -> Mapping[str, int]:
    """Return the first of the units to add that there is time for, after the list's own."""
    bare = scope.wanted is not everything
    room = room_until(until) - size_of_list(roster)
    found: dict[str, int] = {}
    for ref, number in scope.added.items():
        room -= number * size_of(catalogue.units[ref], bare)
        if room < 0:
            return found
        found[ref] = number
    return scope.added
