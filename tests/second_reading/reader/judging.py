"""What a source forbids of an army: limits in units, hidden things, caps, categories, General."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from tests.second_reading.reader.armies import GENERAL_NOTE, Army, Selection
from tests.second_reading.reader.books import GENERAL
from tests.second_reading.reader.counting import ARMY, At, Counting
from tests.second_reading.reader.parts import Conditions, Constraint
from tests.second_reading.reader.places import Place

Kind = Literal[
    "limit", "group", "allowance", "hidden", "cap", "category", "general", "named", "unknown"
]
#: The table that items' texts stand in.
ITEM = "7 Artefact"
#: How groups of items are called.
ITEMS = re.compile(r"Artefact|Enchantment|Rune")
Answer = Literal["broken", "cannot be told"]


@dataclass(frozen=True, eq=False)
class Fault:
    """What the source says against an army. `unit` is the place of the unit in the army, None where
    it is about the whole of it. `ids` are all that it is about by the source's ids: the entry or
    group itself first, then what lies around it; `members` those of what a limit counts. `answer`
    "cannot be told": the source does not say. `wording` and `source`: see `wordings`.
    """

    kind: Kind
    name: str
    ids: tuple[str, ...] = ()
    unit: int | None = None
    side: str = ""
    measured: float = 0
    allowed: float = 0
    members: tuple[str, ...] = ()
    wording: str = ""
    source: str = ""
    answer: Answer = "broken"


@dataclass(frozen=True, eq=False)
class Cap:
    """How much of an entry an army holds and may hold. `whole` is the number as it is set, `used`
    what is added for (or taken off for) other things the army has; `sized`: the file says another
    number for games of this size. `item`: it is a special item.
    """

    place: Place
    measured: float
    allowed: float | None
    whole: float
    used: float
    sized: bool
    points: bool

    @property
    def over(self) -> bool:
        """Whether the army holds more than it may."""
        return self.allowed is not None and self.measured > self.allowed

    @property
    def item(self) -> bool:
        return is_item(self.place)


def is_item(place: Place) -> bool:
    """Whether an entry is a special item: the file has an item's text for it, or it stands among
    items.
    """
    told = any(row.table == ITEM for part in place.parts for row in part.profiles)
    return told or any(ITEMS.search(group.name) for group in place.groups)


@dataclass(frozen=True, eq=False)
class Verdict:
    """All that the source says of an army: `points` of each unit; `categories` points by id; `caps`
    of everything that the army has of what is capped.
    """

    points: tuple[float, ...]
    categories: dict[str, float]
    caps: tuple[Cap, ...]
    faults: tuple[Fault, ...]

    @property
    def total(self) -> float:
        return sum(self.points)


def judge(army: Army, more: Callable[[Counting], Iterable[Fault]]) -> Verdict:
    """What the source says of an army; `more` are the faults that limits do not tell."""
    counting = Counting(army)
    faults = [Fault("unknown", stranger) for stranger in army.strangers]
    for number, unit in enumerate(army.units):
        faults += _unit_faults(counting, number, unit)
    caps = tuple(_caps(counting))
    faults += [
        _cap_fault(cap) for cap in caps if cap.allowed is not None and cap.measured > cap.allowed
    ]
    faults += _musts(counting)
    faults += _general(army)
    faults += _category_faults(counting)
    faults += more(counting)
    rules = army.book.forces.get(army.force, ())
    return Verdict(
        tuple(counting.points[unit] for unit in army.units),
        {rule.id: counting.category_points(rule.id) for rule in rules},
        caps,
        tuple(faults),
    )


def _unit_faults(counting: Counting, number: int, unit: Selection) -> Iterator[Fault]:
    """Limits in one unit, and what of it is hidden."""
    if counting.hidden(unit.place, At(unit, None)):
        yield Fault("hidden", unit.name, (unit.place.id,), number)
    for one in unit.walk():
        for place in _touched(one):
            yield from _limits(counting, number, place, _taken(one, place), one)
        for taken in one.inner:
            if counting.hidden(taken.place, At(taken, one)):
                kind: Kind = "general" if taken.place.what.name == GENERAL else "hidden"
                yield Fault(kind, taken.name, around(taken.place), number)
        for place in one.place.demanding:
            if not counting.hidden(place, At(None, one)):
                yield from _needs(counting, number, place, one)


def around(place: Place) -> tuple[str, ...]:
    """The ids of a place, of the groups around it, and of what it is taken on, but the unit's."""
    found = [place.id, *(group.id for group in reversed(place.groups))]
    if place.owner is not None and place.owner.owner is not None:
        found += around(place.owner)
    return tuple(dict.fromkeys(found))


def _touched(one: Selection) -> list[Place]:
    """Where on a selection something has been taken: entries, and the groups around them; each
    entry that stands in several places once.
    """
    found: dict[str, Place] = {}
    for taken in one.inner:
        for place in (*taken.place.groups, taken.place):
            found.setdefault(place.id, place)
    return list(found.values())


def _taken(one: Selection, place: Place) -> Selection | None:
    return next((taken for taken in one.inner if taken.place is place), None)


def _limits(
    counting: Counting, number: int, place: Place, taken: Selection | None, owner: Selection
) -> Iterator[Fault]:
    """The limits of one place above, but those that hold in the army."""
    for limit in place.limits:
        if limit.query.scope == "roster":
            continue
        allowed = counting.most(limit, place, At(taken, owner))
        measured = _measure(counting, limit, owner)
        if allowed is not None and measured > allowed * owner.number:
            members = tuple(one.place.id for one in owner.inner if limit.at in one.place.keys)
            yield _fault(limit, place, number, "max", measured, allowed, members)


def _needs(counting: Counting, number: int, place: Place, owner: Selection) -> Iterator[Fault]:
    """The limits of one place below, but those that hold in the army."""
    for limit in place.needs:
        if limit.query.scope == "roster":
            continue
        at = At(_taken(owner, place), owner)
        wanted = counting.number(limit.value, limit.id, place.modifiers, at) * owner.number
        measured = _measure(counting, limit, owner)
        if place.what.name == GENERAL:
            # Who the General is says the unit, wherever in it that is noted.
            measured = owner.unit.deep[place.id]
        if measured < wanted:
            yield _fault(limit, place, number, "min", measured, wanted)


def _fault(
    limit: Constraint,
    place: Place,
    number: int,
    side: str,
    measured: float,
    allowed: float,
    members: tuple[str, ...] = (),
) -> Fault:
    kind: Kind = "group" if place.is_group else "limit"
    if limit.query.field == "points":
        kind = "allowance"
    if place.what.name == GENERAL:
        kind = "general"
    return Fault(kind, place.name, around(place), number, side, measured, allowed, members)


def _measure(counting: Counting, limit: Constraint, owner: Selection) -> float:
    """What a limit counts of the things at its place, on their owner."""
    if limit.query.field == "selections":
        return (owner.deep if limit.query.deep else owner.direct)[limit.at]
    return _points(counting, owner, limit.at, limit.query.deep)


def _points(counting: Counting, owner: Selection, key: str, deep: bool) -> float:
    """Points of what on a selection is counted by a key, with what is taken on that."""
    prices = counting.points if deep else counting.own_points
    return sum(prices[one] for one in owner.inner if key in one.place.keys) + (
        sum(
            _points(counting, one, key, deep)
            for one in owner.inner
            if deep and key not in one.place.keys
        )
    )


def _caps(counting: Counting) -> Iterator[Cap]:
    """What an army has of what has a limit there, each limit once."""
    seen: set[tuple[str, str]] = set()
    for one in counting.army.walk():
        for place in (*one.place.groups, one.place):
            for limit in place.limits:
                whole = limit.query.scope == "roster" or place.owner is None
                if whole and (limit.at, limit.id) not in seen:
                    seen.add((limit.at, limit.id))
                    yield _cap(counting, limit, place, one)


def _cap(counting: Counting, limit: Constraint, place: Place, one: Selection) -> Cap:
    at = At(one, one.parent)
    measured: float = counting.army.deep[limit.at]
    points = limit.query.field == "points"
    if points:
        units = counting.army.units
        measured = sum(_points(counting, unit, limit.at, limit.query.deep) for unit in units)
    allowed = counting.most(limit, place, at)
    whole, used = counting.parts(limit.value, limit.id, place.modifiers, at)
    return Cap(place, measured, allowed, whole, used, _sized(counting, limit, place, at), points)


def _cap_fault(cap: Cap) -> Fault:
    general = cap.place.what.name == GENERAL
    kind: Kind = "general" if general else "cap"
    ids = (cap.place.id,)
    return Fault(kind, cap.place.name, ids, None, "max", cap.measured, cap.allowed or 0, ids)


def _sized(counting: Counting, limit: Constraint, place: Place, at: At) -> bool:
    return any(
        change.field == limit.id and asks_size(change.conditions) and counting.times(change, at) > 0
        for change in place.modifiers
    )


def asks_size(conditions: Conditions) -> bool:
    return any(
        asks_size(part) if isinstance(part, Conditions) else part.query.field == "limit"
        for part in conditions.parts
    )


def _musts(counting: Counting) -> Iterator[Fault]:
    for place in counting.army.book.musts:
        for limit in place.needs:
            if limit.query.scope != "roster":
                continue
            wanted = counting.number(limit.value, limit.id, place.modifiers, ARMY)
            measured = counting.army.deep[place.id]
            if measured < wanted:
                kind: Kind = "general" if place.what.name == GENERAL else "cap"
                yield Fault(kind, place.name, (place.id,), None, "min", measured, wanted)


def _general(army: Army) -> Iterator[Fault]:
    """Generals by the notes: units whose entries cannot be marked as such."""
    for number, unit in enumerate(army.units):
        if unit.notes.startswith(GENERAL_NOTE):
            yield Fault("general", unit.name, (unit.place.id,), number, "note")


def _category_faults(counting: Counting) -> Iterator[Fault]:
    """Categories beyond their shares of the game size, or their numbers."""
    army = counting.army
    for rule in army.book.forces.get(army.force, ()):
        for limit in rule.constraints:
            allowed = counting.number(limit.value, limit.id, rule.modifiers, ARMY)
            measured: float = counting.category_number(rule.id)
            if limit.query.field != "selections":
                measured = counting.category_points(rule.id)
            if limit.share:
                allowed = allowed * army.limit / 100
            over = limit.side == "max" and measured > allowed >= 0
            if over or (limit.side == "min" and measured < allowed):
                yield Fault("category", rule.name, (rule.id,), None, limit.side, measured, allowed)
