"""What the questions let change: which units may come, which options, which settings."""

from __future__ import annotations

from dataclasses import replace

from armybuilder.engine.catalogue import Catalogue
from armybuilder.engine.citations import Severity
from armybuilder.engine.constraining import Scope, most_points
from armybuilder.engine.roster import Roster
from armybuilder.engine.space.candidates import Candidate, Takable
from armybuilder.engine.space.extent import Extent
from armybuilder.engine.tally import setting_points
from armybuilder.engine.units import Unit
from armybuilder.solving.port import Relaxation

#: Copies of each unit that may come; and where a "no" is asked again, with more models too.
COPIES, MANY = 2, 4
WIDE = Extent(models=100, singles=500, options=12)


def thin(candidate: Candidate, takable: Takable) -> bool:
    """Return whether an option of a new unit matters to what is legal: one of a group of which
    something must be taken, or one that lets the unit lead. Entries of the list may take any.
    """
    return candidate.pick is not None or is_needed(candidate, takable)


def is_needed(candidate: Candidate, takable: Takable) -> bool:
    """Return whether an option may be taken because the unit needs it, or must have it to lead."""
    option = takable.option
    if option.least.largest > 0:
        return True
    if any(group.least.largest > 0 for slot in takable.slots for group in slot.groups):
        return True
    lead = candidate.unit.can_lead
    tags = {tag for part in lead.parts() for tag in getattr(part, "tags", ())} if lead else set()
    return not tags.isdisjoint(option.counted)


def usual(roster: Roster, catalogue: Catalogue, copies: int = 1) -> Scope:
    """Return that units of the books may come, each `copies` times, as they start; and that the
    list may choose its own settings otherwise.
    """
    system = catalogue.system
    there = {pick.ref for pick in roster.picks}
    added = {
        unit.ref: copies if unit.size is not None else 1
        for unit in catalogue.units.values()
        if (system.sized or unit.ref not in there) and not is_faulty(unit, roster)
    }
    return Scope(added, own_settings(catalogue), wanted=thin, legal=True)


def affordable(scope: Scope, roster: Roster, catalogue: Catalogue, spent: int) -> Scope:
    """Return the scope without units that cost more than the rules in force leave to a list that
    costs `spent`, unless prices move with what else is on it; the points that are left are its
    `room`.
    """
    budget = most_points(roster, catalogue)
    moving = any(pick.unit is not None and pick.unit.price_changes for pick in roster.picks)
    if budget is None or moving:
        return scope
    room = budget - spent + sum(points for _, points in setting_points(roster, catalogue.system))
    units = {ref: catalogue.units[ref] for ref in scope.added}
    added = {ref: scope.added[ref] for ref, unit in units.items() if _least(unit) <= room}
    return replace(scope, added=added, room=room)


def _least(unit: Unit) -> int:
    """Return no more than a unit costs."""
    price = unit.price.start or 0
    return 0 if unit.price_changes else price // 2 if unit.size is None else price


def is_faulty(unit: Unit, roster: Roster) -> bool:
    """Return whether no list with the unit can be legal."""
    return any(
        fault.head.severity is Severity.ERROR and fault.head.applies(roster.settings)
        for fault in unit.faults
    )


def is_unfinished(unit: Unit, roster: Roster) -> bool:
    """Return whether a list with the unit is not legal before its card is filled in: of what comes
    of it then nothing is known.
    """
    return bool(unit.blanks) and is_faulty(unit, roster)


def has_unfinished(roster: Roster) -> bool:
    """Return whether cards of a list are to be filled in before it can be legal."""
    units = (pick.unit for pick in roster.picks)
    return any(unit is not None and is_unfinished(unit, roster) for unit in units)


def own_settings(catalogue: Catalogue) -> tuple[str, ...]:
    """Return the settings that the list itself chooses: those without a default, and those that
    cost points; what the players agree on for the game is not among them.
    """
    return tuple(
        setting.id
        for setting in catalogue.system.settings.values()
        if (setting.kind == "number" and setting.points)
        or (setting.kind in ("choice", "attribute", "pieces") and setting.default is None)
    )


def relaxation_for(catalogue: Catalogue) -> Relaxation:
    """Return what serves where something is to be least or most."""
    return Relaxation.STRONG if catalogue.system.sized else Relaxation.WEAK
