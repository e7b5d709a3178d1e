"""Scopes of the questions: which units and options may be added, which settings may change."""

from __future__ import annotations

from dataclasses import replace

from armybuilder.engine.catalogue import Catalogue
from armybuilder.engine.citations import Severity
from armybuilder.engine.constraining import Scope, fixed_settings, most_points
from armybuilder.engine.picks import OptionPick
from armybuilder.engine.roster import Pick, Roster, SettingValue
from armybuilder.engine.space.candidates import Candidate, Extent, Takable, least_price
from armybuilder.engine.tally import setting_points
from armybuilder.engine.units import Unit, never_saves
from armybuilder.loading.armylist import ArmyList, with_settings
from armybuilder.loading.documents import make_roster
from armybuilder.solving.port import Relaxation

#: Copies of each unit that may come; and where a "no" is asked again, with more models too.
COPIES, MANY = 2, 4
WIDE = Extent(models=100, singles=500, options=12)
#: Kinds of settings of which one value is chosen.
CHOSEN = ("choice", "attribute")


def thin(candidate: Candidate, takable: Takable) -> bool:
    """Return whether an option may decide whether a list is legal: of a new unit, if it is needed;
    of an entry of the list, always.
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


def usual(roster: Roster, catalogue: Catalogue, copies: int = 1, legal: bool = True) -> Scope:
    """Return that units of the books may come, each `copies` times, as they start; and that the
    list may choose its own settings otherwise, and those that a rule wants otherwise. Where not
    only `legal` lists are meant, units may come that break a rule by themselves; but no cards that
    are to be filled in.
    """
    system = catalogue.system
    there = {pick.ref for pick in roster.picks}
    added = {
        unit.ref: copies if unit.size is not None else 1
        for unit in catalogue.units.values()
        if (system.sized or unit.ref not in there)
        and not (is_faulty(unit, roster) and (legal or unit.blanks))
    }
    wanted = {setting for setting, _ in fixed_settings(roster, catalogue)}
    settings = (
        setting.id
        for setting in system.settings.values()
        if setting.is_own or (setting.kind in CHOSEN and setting.id in wanted)
    )
    return Scope(added, tuple(settings), wanted=thin, legal=legal)


def adding(
    army_list: ArmyList, roster: Roster, catalogue: Catalogue, copies: int, legal: bool = True
) -> Scope:
    """Return the possible additions to a list. Settings that it hasn't chosen may be chosen, and
    further pieces added; another choice would be a change.
    """
    kinds, usually = catalogue.system.settings, usual(roster, catalogue, copies, legal)
    chosen = {one for one in army_list.settings if one in kinds and kinds[one].kind != "pieces"}
    settings = tuple(one for one in usually.settings if one not in chosen)
    return replace(usually, settings=settings)


def settled(army_list: ArmyList, catalogue: Catalogue, otherwise: bool = False) -> ArmyList:
    """Return the list with the numbers that rules fix, where it has not chosen them, or has chosen
    `otherwise`; other choices are left to the solver.
    """
    kinds, roster = catalogue.system.settings, make_roster(army_list, catalogue)
    fixed: dict[str, SettingValue] = {
        setting: value
        for setting, value in fixed_settings(roster, catalogue)
        if not (kinds[setting].is_own or kinds[setting].kind in CHOSEN)
        and (otherwise or setting not in army_list.settings)
    }
    return with_settings(army_list, {**army_list.settings, **fixed}) if fixed else army_list


def affordable(scope: Scope, roster: Roster, catalogue: Catalogue, spent: int) -> Scope:
    """Return the scope without units that cost more than the points left after `spent`, unless
    additions may make the list's units cheaper. The points left are its `room`.
    """
    budget, system = most_points(roster, catalogue), catalogue.system
    if budget is None or any(map(_may_cost_less, roster.picks)):
        return scope
    room = budget - spent + sum(points for _, points in setting_points(roster, system))
    units = {ref: catalogue.units[ref] for ref in scope.added}
    added = {
        ref: scope.added[ref]
        for ref, unit in units.items()
        if least_price(unit, system, () if unit.size else system.roles) <= room
    }
    return replace(scope, added=added, room=room)


def _may_cost_less(pick: Pick) -> bool:
    """Return whether a unit of the list may cost less after an addition."""
    unit = pick.unit
    if unit is None:
        return False
    return bool(unit.price_changes) or not never_saves(unit) or any(map(_moves, pick.picks))


def _moves(pick: OptionPick) -> bool:
    """Return whether the price of an option that is taken hangs on anything else."""
    moving = (slot.option.points.changes or slot.option.each.changes for slot in pick.slots)
    return any(moving) or any(map(_moves, pick.picks))


def is_faulty(unit: Unit, roster: Roster) -> bool:
    """Return whether no list with the unit can be legal."""
    return any(
        fault.head.severity is Severity.ERROR and fault.head.applies(roster.settings)
        for fault in unit.faults
    )


def is_unfinished(unit: Unit, roster: Roster) -> bool:
    """Return whether no list with the unit is legal until its card is filled in."""
    return bool(unit.blanks) and is_faulty(unit, roster)


def has_unfinished(roster: Roster) -> bool:
    """Return whether a list can't be legal until some of its cards are filled in."""
    units = (pick.unit for pick in roster.picks)
    return any(unit is not None and is_unfinished(unit, roster) for unit in units)


def relaxation_for(catalogue: Catalogue) -> Relaxation:
    """Return the relaxation that is fastest for problems with an objective."""
    return Relaxation.STRONG if catalogue.system.sized else Relaxation.WEAK
