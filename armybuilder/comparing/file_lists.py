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
    UnitDifference,
    changes,
    moved_places,
    pair_up,
)
from armybuilder.loading.deadline import checked
from armybuilder.loading.forcelist import ForceList


class FileSide(NamedTuple):
    """A list to compare: its document, its view, and its verdict in words."""

    document: ForceList
    view: ListView
    verdict: str


@dataclass(frozen=True, slots=True)
class _Unit:
    """A unit on its list; `force` is the name of its force."""

    place: int
    force: str
    lines: UnitLines

    @property
    def id(self) -> str:
        return self.lines.id

    @property
    def what(self) -> str:
        return self.lines.pick.name

    @property
    def name(self) -> str:
        own = self.lines.pick.own
        return f"{own} ({self.what})" if own else self.what

    @property
    def points(self) -> int | None:
        """Price in the first cost; None if it isn't a whole number."""
        first = next(iter(self.lines.costs), None)
        return int(first.number) if first is not None and first.number % 1 == 0 else None

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
    found = (
        (force.name, unit)
        for force in side.view.all_forces
        for group in force.groups
        for unit in checked(group.units)
    )
    return [_Unit(place, force, unit) for place, (force, unit) in enumerate(found)]


def _same_content(unit: _Unit) -> Hashable:
    return unit.what, tuple(sorted(unit.facts.items()))


def _units(before: FileSide, after: FileSide, one_list: bool) -> Iterator[UnitDifference]:
    old, new, pairs = _all_units(before), _all_units(after), dict[int, _Unit]()
    by_id = (lambda unit: (unit.id, unit.what),) if one_list else ()
    own = (lambda unit: (unit.what, unit.lines.pick.own) if unit.lines.pick.own else "",)
    pair_up(pairs, old, new, (*by_id, _same_content, *own, lambda unit: unit.what))
    moved = moved_places(pairs) if one_list else set()
    for now in new:
        was, models = pairs.get(now.place), now.lines.pick.models
        if was is None:
            ids = ("", now.id)
            yield UnitDifference("new", now.name, models, None, now.points, (), None, ids)
            continue
        found = changes(was.facts, now.facts)
        if found or now.place in moved or was.points != now.points:
            places = (was.place + 1, now.place + 1) if now.place in moved else None
            numbers = models, was.points, now.points
            yield UnitDifference("changed", now.name, *numbers, found, places, (was.id, now.id))
    kept = {unit.place for unit in pairs.values()}
    for gone in (unit for unit in old if unit.place not in kept):
        ids, models = (gone.id, ""), gone.lines.pick.models
        yield UnitDifference("gone", gone.name, models, gone.points, None, (), None, ids)
