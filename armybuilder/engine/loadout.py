"""A unit's loadout: its options priced, and where they depart from its book entry.

One walk over a unit's picks gives all of it. It reads only the unit and, for conditions, the counts
and settings of the army.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from armybuilder.engine.conditions import Place
from armybuilder.engine.options import Demand, Group, Offer, Option, Restriction, Slot
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


#: The ids from a unit down to an option or group.
Path = tuple[str, ...]


def path_of(every: Sequence[Taken], place: int) -> Path:
    """Return the path to the option at a place among all that is taken on a unit."""
    taken = every[place]
    above = path_of(every, taken.parent) if taken.parent >= 0 else ()
    return (*above, taken.pick.id)


@dataclass(frozen=True, slots=True)
class Violation:
    """A departure from the unit's entry. `aspect` names the kind, as rules of kind "entry" do;
    `path` the ids that lead to the option or group it is about: none for the entry itself, and
    None where it is about the number of models.
    """

    aspect: str
    path: Path | None
    measured: int | None = None
    allowed: int | None = None
    values: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Doubt:
    """A restriction on an option that was not checked. `path` leads to the option, empty for the
    unit itself; `name` is the option's or the unit's.
    """

    path: Path
    name: str
    restriction: Restriction


class Loadout(NamedTuple):
    """Options in the order of the book, parents first."""

    taken: tuple[Taken, ...]
    breaches: tuple[Violation, ...]
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


def work_out(unit: Unit, picks: tuple[OptionPick, ...], place: Place) -> Loadout:
    """Return the loadout of a unit's picks at its place in the army."""
    found = _Found([], [], [])
    if unit.size is not None and unit.counts:
        found.breaches.extend(_size_breaches(unit, place))
    points = _level(unit.offer, picks, place, found, ())
    taken, breaches, doubts = found
    return Loadout(tuple(taken), tuple(breaches), points, tuple(doubts), _capped(taken))


def _capped(every: Iterable[Taken]) -> tuple[Taken, ...]:
    return tuple([taken for taken in every if taken.slot.option.cap is not None])


class _Found(NamedTuple):
    """Results of a walk over a unit's picks."""

    taken: list[Taken]
    breaches: list[Violation]
    doubts: list[Doubt]


def _size_breaches(unit: Unit, place: Place) -> Iterable[Violation]:
    least, most = unit.size or (None, None)
    if least is not None and (low := least.number(place)) > place.models:
        yield Violation("too-small", None, place.models, low)
    if most is not None and (top := most.at(place)) is not None and place.models > top:
        yield Violation("too-large", None, place.models, top)


def _level(
    offer: Offer,
    picks: tuple[OptionPick, ...],
    place: Place,
    found: _Found,
    parent: Path,
    above: int = -1,
) -> int:
    """Work out the options of one unit or option; return their points."""
    taken, breaches, doubts = found
    total = 0
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
            breach = _option_breach(slot, number, place, parent)
            if breach is not None:
                breaches.append(breach)
        if slot.unsure or slot.unchecked:
            doubts += slot_doubts(slot, place, (*parent, pick.id))
        if pick.picks or option.offer.demands:
            inner = (*parent, pick.id)
            own = points
            points += _level(option.offer, pick.picks, place, found, inner, here)
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
    if groups:
        breaches += _group_breaches(groups, place, parent)
    if offer.demands:
        breaches += _missing(offer.demands, numbers, groups, place, parent)
    return total


def _option_breach(slot: Slot, number: int, place: Place, parent: Path) -> Violation | None:
    """Return why an option can't be taken here, or not as often."""
    option = slot.option
    for condition in slot.needs:
        if not condition.holds(place) and condition.told(place) is False:
            values = {"option": option.name, "why": condition.lack(place)}
            return Violation("unavailable", (*parent, option.id), None, None, values)
    most = option.most.at(place)
    if most is not None and number > most:
        path = (*parent, option.id)
        return Violation("too-often", path, number, most, {"option": option.name})
    return None


def slot_doubts(slot: Slot, place: Place, path: Path) -> Iterable[Doubt]:
    """Yield the unchecked restrictions of an option taken here."""
    name = slot.option.name
    for condition in slot.unsure:
        if condition.told(place) is None:
            yield Doubt(path, name, Restriction(condition.lack(place), STAT_LINE))
    for restriction in slot.unchecked:
        if restriction.applies(place):
            yield Doubt(path, name, restriction)


def open_slot(slots: tuple[Slot, ...], place: Place) -> Slot:
    """Return the first available slot of a shared option here; the first, if none is."""
    if len(slots) > 1:
        for slot in slots:
            if all(condition.told(place) is not False for condition in slot.needs):
                return slot
    return slots[0]


def _group_breaches(
    groups: Mapping[Group, list[int]], place: Place, parent: Path
) -> Iterable[Violation]:
    for group, (number, points) in groups.items():
        if not group.bounded:
            continue
        most = group.most.at(place)
        if most is not None and number > most:
            yield Violation("group-over", (*parent, group.id), number, most, {"group": group.name})
        allowance = group.allowance.at(place)
        if allowance is not None and points > allowance:
            yield Violation(
                "allowance", (*parent, group.id), points, allowance, {"group": group.name}
            )


def _missing(
    demands: tuple[Demand, ...],
    numbers: Mapping[str, int],
    groups: Mapping[Group, list[int]],
    place: Place,
    parent: Path,
) -> Iterable[Violation]:
    """Options and groups that must be taken and are not, or not often enough."""
    for node, needs in demands:
        number = groups[node][0] if isinstance(node, Group) and node in groups else 0
        if isinstance(node, Option):
            number = numbers.get(node.id, 0)
        least = node.least.number(place)
        if number < least and all(condition.holds(place) for condition in needs):
            yield Violation("group-under", (*parent, node.id), number, least, {"group": node.name})
