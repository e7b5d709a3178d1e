"""A unit's loadout: its options priced, and where they depart from its book entry.

One walk over a unit's picks gives all of it. It reads only the unit and, for conditions, the counts
and settings of the army.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from armybuilder.engine.amounts import Amount
from armybuilder.engine.conditions import Condition, Place
from armybuilder.engine.entry_bounds import Bounded, EntryBound, EntryBounds, Literals, Needs, Path
from armybuilder.engine.options import Group, Offer, Option, Restriction, Slot
from armybuilder.engine.picks import OptionPick
from armybuilder.engine.space.constraints import TRUE, Literal
from armybuilder.engine.units import Unit


class Taken(NamedTuple):
    """A taken option: its place, its number on each unit, and its points for all units of the
    line, by itself and (`total`) with all its own options. `parent` is the index of the
    option that it is taken on, -1 for the unit itself."""

    pick: OptionPick
    slot: Slot
    number: int
    points: int
    total: int
    parent: int = -1

    @property
    def option(self) -> Option:
        """The option taken."""
        return self.slot.option

    @property
    def taken(self) -> Literal:
        """Return whether it is taken: always."""
        return TRUE

    @property
    def is_outer(self) -> bool:
        """Return whether it is taken on the unit itself."""
        return self.parent < 0


def above(every: Sequence[Taken], taken: Taken) -> set[int]:
    """The places, among all that is taken on a unit, of the options that one thing is taken on."""
    found: set[int] = set()
    while taken.parent >= 0:
        found.add(taken.parent)
        taken = every[taken.parent]
    return found


def path_of(every: Sequence[Taken], place: int) -> Path:
    """Return the path to the option at a place among all that is taken on a unit."""
    taken = every[place]
    above = path_of(every, taken.parent) if taken.parent >= 0 else ()
    return (*above, taken.pick.id)


@dataclass(frozen=True, slots=True)
class Doubt:
    """A restriction on an option that was not checked. `path` leads to the option, empty for the
    unit itself; `name` is the option's or the unit's.
    """

    path: Path
    name: str
    restriction: Restriction


class Loadout(NamedTuple):
    """Options in the order of the book, parents first; `breaches` are the bounds of its entry that
    it doesn't keep."""

    taken: tuple[Taken, ...]
    breaches: tuple[EntryBound[int], ...]
    points: int
    doubts: tuple[Doubt, ...] = ()
    #: The options of which an army may have a maximum.
    capped: tuple[Taken, ...] = ()

    def times(self, units: int) -> Loadout:
        """Return the same taken on each of several units, with all points multiplied."""
        taken = tuple(
            one._replace(points=one.points * units, total=one.total * units) for one in self.taken
        )
        return self._replace(taken=taken, points=self.points * units, capped=_capped(taken))


EMPTY = Loadout((), (), 0)
#: Why a condition stays open: the book has no stat line to answer it by.
STAT_LINE = "stat-line"


def count_taken(picks: Iterable[OptionPick], into: dict[str, int] | None = None) -> dict[str, int]:
    """Return how often each option and group is taken, by the tags that conditions count."""
    counts: dict[str, int] = {} if into is None else into
    for pick in picks:
        number = pick.number
        for tag in pick.counted:
            counts[tag] = counts.get(tag, 0) + number
        if pick.picks:
            count_taken(pick.picks, counts)
    return counts


def work_out(
    unit: Unit, picks: tuple[OptionPick, ...], place: Place, every: bool = False
) -> Loadout:
    """Return the loadout of a unit's picks at its place in the army; with `every`, its breaches
    are all bounds of its size and its groups."""
    found = _Found(place, every)
    needs = () if unit.needs is None else (unit.needs,)
    if needs or unit.unchecked:
        found.doubts += _doubts(unit.name, needs, unit.unchecked, place, ())
    found.unit(unit, place.models, TRUE)
    points = found.level(unit.offer, picks, ())
    taken = tuple(found.taken)
    return Loadout(taken, tuple(found.breaches), points, tuple(found.doubts), _capped(taken))


def _capped(every: Iterable[Taken]) -> tuple[Taken, ...]:
    return tuple([taken for taken in every if taken.slot.option.cap is not None])


class _Found(EntryBounds[int]):
    """Results of a walk over the picks of a unit at its place."""

    def __init__(self, place: Place, every: bool) -> None:
        self.place: Place = place
        self.every = every
        self.taken: list[Taken] = []
        self.breaches: list[EntryBound[int]] = []
        self.doubts: list[Doubt] = []

    def least(
        self, what: Bounded, number: int, least: Amount, there: Literal, needs: Needs
    ) -> None:
        low = least.at(self.place) or 0
        if self.every or (number < low and all(one.holds(self.place) for one in needs)):
            self.breaches.append(EntryBound(*what, number, low, None))

    def most(
        self, what: Bounded, number: int, most: Amount, taken: Literals, *when: Literal
    ) -> None:
        high = most.at(self.place)
        if self.every or (high is not None and number > high):
            self.breaches.append(EntryBound(*what, number, None, high))

    def level(
        self, offer: Offer, picks: tuple[OptionPick, ...], parent: Path, above: int = -1
    ) -> int:
        """Work out the options of one unit or option; return their points."""
        taken, place, total = self.taken, self.place, 0
        groups: dict[Group, list[int]] = {}
        numbers: dict[str, int] = {}
        places, models, new = offer.places, place.models, tuple.__new__
        for pick in sorted(picks, key=lambda pick: places[pick.id]) if len(picks) > 1 else picks:
            slots, number = pick.slots, pick.number
            slot = slots[0] if len(slots) == 1 else open_slot(slots, place)
            option = slot.option
            if slot.price is not None:
                once, each = slot.price
            else:
                once, each = option.points.number(place), option.each.number(place)
            points = (once + each * models) * number
            here = len(taken)
            taken.append(new(Taken, (pick, slot, number, points, points, above)))
            if number > slot.free:
                opened = self.opened(slot.needs)
                self.option(slot, (*parent, pick.id), number, TRUE, opened)
            if slot.unsure or slot.unchecked:
                self.doubts += slot_doubts(slot, place, (*parent, pick.id))
            if pick.picks or option.offer.demands:
                inner = (*parent, pick.id)
                own = points
                points += self.level(option.offer, pick.picks, inner, here)
                taken[here] = Taken(pick, slot, number, own, points, above)
            numbers[pick.id] = number
            for group in slot.summed:
                if group in groups:
                    sums = groups[group]
                    sums[0] += number
                    sums[1] += points
                else:
                    groups[group] = [number, points]
            total += points
        for group, (number, points) in groups.items():
            if number > group.free or points > group.paid or self.every:
                self.group(group, (*parent, group.id), number, points, (TRUE,))
        for demand in offer.demands:
            node = demand.node
            if isinstance(node, Option):
                number = numbers.get(node.id, 0)
            else:
                number = groups[node][0] if node in groups else 0
            self.demand(demand, (*parent, node.id), number, TRUE)
        return total


def slot_doubts(slot: Slot, place: Place, path: Path) -> Iterable[Doubt]:
    """Return the unchecked restrictions of an option taken here."""
    return _doubts(slot.option.name, slot.unsure, slot.unchecked, place, path)


def _doubts(
    name: str,
    needs: Iterable[Condition],
    restrictions: Iterable[Restriction],
    place: Place,
    path: Path,
) -> Iterable[Doubt]:
    """Yield those of some needs that are open, and the restrictions that apply."""
    for condition in needs:
        if not condition.holds(place) and condition.may_hold(place):
            yield Doubt(path, name, Restriction(condition.lack(place), STAT_LINE))
    for restriction in restrictions:
        if restriction.applies(place):
            yield Doubt(path, name, restriction)


def lacking(needs: Iterable[Condition], place: Place) -> str:
    """Return the first need that is certainly unmet, in words; "" without one."""
    return next((one.lack(place) for one in needs if not one.may_hold(place)), "")


def open_slot(slots: tuple[Slot, ...], place: Place) -> Slot:
    """Return the first available slot of a shared option here; the first, if none is."""
    if len(slots) > 1:
        for slot in slots:
            if all(condition.may_hold(place) for condition in slot.needs):
                return slot
    return slots[0]
