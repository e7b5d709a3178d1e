"""What a source forbids of an army: limits in units, hidden things, caps, categories, General."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

from tests.second_reading.reader.books import GENERAL, GENERAL_NOTE, Army, Selection
from tests.second_reading.reader.parts import (
    Condition,
    Conditions,
    Constraint,
    Modifier,
    Place,
    Query,
)

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
    for cap in caps:
        if cap.allowed is not None and cap.measured > cap.allowed:
            kind: Kind = "general" if cap.place.what.name == GENERAL else "cap"
            ids, name = (cap.place.id,), cap.place.name
            faults.append(Fault(kind, name, ids, None, "max", cap.measured, cap.allowed, ids))
    faults += _musts(counting)
    # Generals by the notes: units whose entries cannot be marked as such.
    faults += [
        Fault("general", unit.name, (unit.place.id,), number, "note")
        for number, unit in enumerate(army.units)
        if unit.notes.startswith(GENERAL_NOTE)
    ]
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


def _category_faults(counting: Counting) -> Iterator[Fault]:
    """Categories beyond their shares of the game size, or their numbers."""
    army = counting.army
    for rule in army.book.forces.get(army.force, ()):
        for limit in rule.constraints:
            allowed = counting.number(limit.value, limit.id, rule.modifiers, ARMY)
            if limit.query.field == "selections":
                held = (one for one in army.walk() if rule.id in counting.categories[one])
                measured: float = sum(one.number for one in held)
            else:
                measured = counting.category_points(rule.id)
            if limit.share:
                allowed = allowed * army.limit / 100
            over = limit.side == "max" and measured > allowed >= 0
            if over or (limit.side == "min" and measured < allowed):
                yield Fault("category", rule.name, (rule.id,), None, limit.side, measured, allowed)


# Numbers as they stand in one army: conditions, repeats and modifiers worked out.

#: Scopes that mean the whole army: a roster here has one force.
WHOLE = frozenset({"roster", "force"})
#: The scope of all units whose primary category is the same.
PRIMARY = "primary-category"
#: The words by which conditions ask what something is, not how many.
KINSHIP = {"instanceOf": True, "notInstanceOf": False}


class At(NamedTuple):
    """Where a number is asked for: at a selection, or at a place on `owner` where nothing has been
    taken; both None for the army's own numbers.
    """

    selection: Selection | None
    owner: Selection | None

    @property
    def parent(self) -> Selection | None:
        """What a condition calls the parent. A unit has none, so it means itself."""
        return self.owner if self.owner is not None else self.selection

    @property
    def nearest(self) -> Selection | None:
        """The selection that ancestors are looked for from."""
        return self.selection or self.owner


ARMY = At(None, None)


class Counting:
    """Counts within one army; categories and prices are worked out when first asked for."""

    def __init__(self, army: Army) -> None:
        self.army = army

    def number(self, base: float, field: str, modifiers: Iterable[Modifier], at: At) -> float:
        """A number with its changes, in their order."""
        for one in modifiers:
            if one.field != field:
                continue
            times = self.times(one, at)
            if times and one.act == "set":
                base = float(one.value)
            elif one.act == "increment":
                base += times * float(one.value)
            elif one.act == "decrement":
                base -= times * float(one.value)
        return base

    def most(self, limit: Constraint, place: Place, at: At) -> float | None:
        """A limit above; None where it is set below zero, which is none. Nothing is taken off
        beyond zero.
        """
        found = self.number(limit.value, limit.id, place.modifiers, at)
        if found >= 0:
            return found
        whole, _ = self.parts(limit.value, limit.id, place.modifiers, at)
        return None if whole < 0 else 0

    def parts(
        self, base: float, field: str, modifiers: Iterable[Modifier], at: At
    ) -> tuple[float, float]:
        """A number as it is set, and what other things in the army add to it or take off it."""
        used = 0.0
        for one in modifiers:
            if one.field != field:
                continue
            times = self.times(one, at)
            sign = -1 if one.act == "decrement" else 1
            if one.act == "set":
                base = float(one.value) if times else base
            elif one.act == "decrement" or one.repeats:
                used += sign * times * float(one.value)
            else:
                base += times * float(one.value)
        return base, used

    def flag(self, base: bool, modifiers: Iterable[Modifier], at: At) -> bool:
        """Whether something is hidden, changes worked out."""
        for one in modifiers:
            if one.field == "hidden" and self.times(one, at):
                base = one.value == "true"
        return base

    def hidden(self, place: Place, at: At) -> bool:
        """Whether the book does not offer an entry or group there, or a group around it."""
        if any(self.flag(part.hidden, part.modifiers, at) for part in place.parts):
            return True
        outer = At(None, at.owner)
        return any(
            self.flag(part.hidden, part.modifiers, outer)
            for group in place.groups
            for part in group.parts
        )

    def times(self, modifier: Modifier, at: At) -> int:
        """How often a change is made; 0 where its conditions do not hold."""
        if not self.all_hold(modifier.conditions, at):
            return 0
        if not modifier.repeats:
            return 1
        times = 0
        for repeat in modifier.repeats:
            share = self.count(repeat.query, at) / repeat.value
            times += repeat.times * (math.ceil(share) if repeat.up else math.floor(share))
        return times

    def all_hold(self, conditions: Conditions, at: At) -> bool:
        """Whether all conditions hold, or one where one is enough: of none, none does."""
        found = (
            self.all_hold(one, at) if isinstance(one, Conditions) else self.holds(one, at)
            for one in conditions.parts
        )
        return any(found) if conditions.either else all(found)

    def holds(self, condition: Condition, at: At) -> bool:
        if condition.compare in KINSHIP:
            return self._is_instance(condition.query, at) is KINSHIP[condition.compare]
        found = self.count(condition.query, at)
        return {
            "equalTo": found == condition.value,
            "notEqualTo": found != condition.value,
            "atLeast": found >= condition.value,
            "atMost": found <= condition.value,
            "greaterThan": found > condition.value,
            "lessThan": found < condition.value,
        }[condition.compare]

    def count(self, query: Query, at: At) -> float:
        """What a query finds, in selections; or the game size in points."""
        if query.field == "limit":
            return self.army.limit
        if query.field != "selections":
            raise ValueError(f"a condition over {query.field} is not known")
        if query.child in self.army.book.categories:
            return sum(
                one.number for one in self._scope_selections(query, at)
                if query.child in self.categories[one]
            )  # fmt: skip
        if query.scope == PRIMARY or query.scope in self.army.book.categories:
            return sum(
                (one.number if query.child in one.place.keys else 0)
                + (one.deep[query.child] if query.deep else 0)
                for one in self._categorised(query, at)
            )
        holder = self._scope(query, at)
        if holder is None:
            return 0
        return (holder.deep if query.deep else holder.direct)[query.child]

    def _categorised(self, query: Query, at: At) -> Iterable[Selection]:
        """The units of the category that a query looks in, or of the same primary one."""
        if query.scope != PRIMARY:
            return [one for one in self.army.units if query.scope in self.categories[one]]
        primary = self.primary(at.nearest.unit) if at.nearest is not None else ""
        return [one for one in self.army.units if self.primary(one) == primary]

    def _scope(self, query: Query, at: At) -> Army | Selection | None:
        if query.scope in WHOLE:
            return self.army
        if query.scope == "parent":
            return at.parent or self.army
        nearest = at.nearest
        found = nearest.above() if nearest is not None else ()
        return next((one for one in found if query.scope in one.place.ids), None)

    def _scope_selections(self, query: Query, at: At) -> Iterable[Selection]:
        holder = self._scope(query, at)
        if isinstance(holder, Army):
            return holder.walk() if query.deep else holder.units
        if holder is None:
            return ()
        return (one for one in holder.walk() if one is not holder) if query.deep else holder.inner

    def _is_instance(self, query: Query, at: At) -> bool:
        nearest = at.nearest
        if query.scope == "force":
            return query.child == self.army.force
        if nearest is None:
            return False
        if query.scope == PRIMARY:
            return query.child == self.primary(nearest.unit)
        if query.scope == "ancestor":
            return any(query.child in one.place.ids for one in nearest.above())
        holder = self._scope(query, at)
        return isinstance(holder, Selection) and query.child in holder.place.ids

    def primary(self, unit: Selection) -> str:
        """The id of a unit's primary category; "" where it has none."""
        return next((id_ for id_, first in unit.place.categories if first), "")

    @cached_property
    def categories(self) -> dict[Selection, frozenset[str]]:
        """The ids of the categories that each selection counts in by itself."""
        self.__dict__["categories"] = {
            one: frozenset(id_ for id_, _ in one.place.categories) for one in self.army.walk()
        }
        return {one: self._joined(one) for one in self.army.walk()}

    def _joined(self, one: Selection) -> frozenset[str]:
        found = {id_ for id_, _ in one.place.categories}
        for change in one.place.modifiers:
            if change.field == "category" and self.times(change, At(one, one.parent)):
                if change.act == "remove":
                    found.discard(change.value)
                else:
                    found.add(change.value)
        return frozenset(found)

    @cached_property
    def own_points(self) -> dict[Selection, float]:
        """The price of each selection, without what is taken on it."""
        field = self.army.book.points
        return {
            one: one.number
            * self.number(one.place.cost, field, one.place.modifiers, At(one, one.parent))
            for one in self.army.walk()
        }

    @cached_property
    def points(self) -> dict[Selection, float]:
        found: dict[Selection, float] = {}
        for unit in self.army.units:
            self._sum(unit, found)
        return found

    def _sum(self, one: Selection, found: dict[Selection, float]) -> float:
        inner = sum(self._sum(below, found) for below in one.inner)
        found[one] = self.own_points[one] + inner
        return found[one]

    def category_points(self, category: str) -> float:
        """What the army pays in a category: a selection in it whole, nothing in it twice."""
        return sum(self._counted(unit, category) for unit in self.army.units)

    def _counted(self, one: Selection, category: str) -> float:
        if category in self.categories[one]:
            return self.points[one]
        return sum(self._counted(below, category) for below in one.inner)
