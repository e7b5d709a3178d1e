"""Differences between two lists of games from files, by the units each shows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from django.utils.translation import gettext as _

from armybuilder.battlescribe.files.view import ListView, PickLine, UnitLines
from armybuilder.comparing.difference import (
    TAKEN,
    Difference,
    Facts,
    ListChange,
    ListedUnit,
    UnitDifference,
    changes,
    pair_up,
    unit_differences,
)
from armybuilder.loading.deadline import checked
from armybuilder.loading.forcelist import ForceList


class FileSide(NamedTuple):
    """A list to compare: its document, its view, and its verdict in words."""

    document: ForceList
    view: ListView
    verdict: str


@dataclass(frozen=True, slots=True)
class _Unit(ListedUnit):
    """A unit on its list; `force` is the name of its force, `what` that of its entry."""

    what: str
    force: str
    lines: UnitLines

    @property
    def facts(self) -> Facts:
        """Options taken, by the names that lead there, and the player's name and notes."""
        pick, taken = self.lines.pick, Counter[tuple[str, ...]]()
        for path, number in _taken(pick, ()):
            taken[path] += number
        facts: Facts = {
            ("option", "\n".join(path)): (": ".join(path[-2:]), _times(number))
            for path, number in taken.items()
        }
        if pick.number != 1:
            facts["option", ""] = (self.what, str(pick.number))
        facts["force", ""] = (_("Force"), self.force)
        facts["name", ""] = (_("Name"), pick.own)
        facts["notes", ""] = (_("Notes"), pick.notes)
        return facts


def _taken(pick: PickLine, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], int]]:
    for one in pick.below:
        way = (*path, one.name)
        yield way, one.number
        yield from _taken(one, way)


def _times(number: int) -> str:
    return str(TAKEN) if number == 1 else str(number)


def file_difference(before: FileSide, after: FileSide, one_list: bool = True) -> Difference:
    """Compare two lists. Unless `one_list`, names and order are ignored."""
    was, now = (
        {cost.name: str(cost.number) for cost in costs}
        for costs in (before.view.costs, after.view.costs)
    )
    names = dict.fromkeys([*was, *now])
    numbers = (
        ListChange("number", _("Verdict"), before.verdict, after.verdict),
        *[ListChange("number", name, was.get(name, "0"), now.get(name, "0")) for name in names],
    )
    about = changes(_list_facts(before, one_list), _list_facts(after, one_list))
    return Difference(numbers, about, tuple(_units(before, after, one_list)))


def _list_facts(side: FileSide, one_list: bool) -> Facts:
    """Return a list's facts besides its units: of limits those that are set."""
    document, names = side.document, {cost.name: cost.limit for cost in side.view.costs}
    facts: Facts = {("game", ""): (_("Game"), document.game.name)}
    if one_list:
        facts["list-name", ""] = (_("Name"), document.name)
    facts["files", ""] = (_("Files"), _("revision {number}").format(number=side.view.revision))
    for name, limit in names.items():
        if limit >= 0:
            text = _("Limit of {cost}").format(cost=name)
            facts["limit", name] = (text, str(limit))
    forces = Counter(force.name for force in side.view.all_forces)
    for name, number in forces.items():
        facts["force", name] = (_("Force {name}").format(name=name), str(number))
    if document.notes:
        facts["notes", ""] = (_("Notes"), document.notes)
    return facts


def _all_units(side: FileSide) -> list[_Unit]:
    lines = (
        (force.name, unit)
        for force in side.view.all_forces
        for group in force.groups
        for unit in checked(group.units)
    )
    units = []
    for place, (force, unit) in enumerate(lines):
        pick, first = unit.pick, next(iter(unit.costs), None)
        name = f"{pick.own} ({pick.name})" if pick.own else pick.name
        # Its price in the first cost, if that is a whole number.
        points = int(first.number) if first is not None and first.number % 1 == 0 else None
        units.append(_Unit(place, unit.id, name, pick.models, points, pick.name, force, unit))
    return units


def _same_content(unit: _Unit) -> Hashable:
    return unit.what, tuple(sorted(unit.facts.items()))


def _units(before: FileSide, after: FileSide, one_list: bool) -> Iterator[UnitDifference]:
    old, new, pairs = _all_units(before), _all_units(after), dict[int, _Unit]()
    by_id = (lambda unit: (unit.id, unit.what),) if one_list else ()
    own = (lambda unit: (unit.what, unit.lines.pick.own) if unit.lines.pick.own else "",)
    pair_up(pairs, old, new, (*by_id, _same_content, *own, lambda unit: unit.what))
    return unit_differences(
        old, new, pairs, one_list, lambda was, now: changes(was.facts, now.facts)
    )
