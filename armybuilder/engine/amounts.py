"""Amounts: numbers of a book entry that move `when` something is taken."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from armybuilder.engine.condition_reading import Resolve, plain, read_condition
from armybuilder.engine.conditions import Army, Condition, Place, army_tags, names_size
from armybuilder.engine.prices import Share
from armybuilder.engine.space.constraints import FALSE, TRUE, Expression, Literal
from armybuilder.engine.space.where import Where


class Bounded(NamedTuple):
    """A number as an expression, with whether it exists: None means "no bound"."""

    value: Expression
    exists: Literal


@dataclass(frozen=True, slots=True)
class Count:
    """Number of times a change applies: a count of something, in steps of `per`.

    `what` is "taken", "models" or "limit" (points of game size); `tags` are those of the options or
    units counted as "taken".
    """

    what: str
    tags: tuple[str, ...] = ()
    army: bool = False
    per: int = 1
    up: bool = False

    def at(self, place: Place) -> int:
        """Return the number of steps at a place."""
        if self.what == "models":
            number = place.models
        elif self.what == "limit":
            number = place.army.limit
        else:
            counts = place.army.counts if self.army else place.taken
            number = sum(counts.get(tag, 0) for tag in self.tags)
        return -(-number // self.per) if self.up else number // self.per

    def in_space(self, where: Where) -> Expression:
        """Return the number of steps as an expression."""
        if self.what == "models":
            number = where.models
        elif self.what == "limit":
            number = Expression(where.limit)
        else:
            number = where.count(self.tags, self.army)
        return where.constraints.quotient(number, self.per, self.up)


@dataclass(frozen=True, slots=True)
class Change:
    """Sets a number, or adds to it, if a condition holds and for each of a count."""

    number: int
    adds: bool
    condition: Condition | None = None
    each: Count | None = None

    @property
    def uses_up(self) -> bool:
        """Return whether it subtracts, or adds for things taken: it isn't part of the number."""
        counted = self.each is not None and self.each.what == "taken"
        return self.adds and (self.number < 0 or counted)

    def sizes_itself(self, place: Place) -> bool:
        """Return whether it follows the game size, or names the one at this place."""
        if self.each is not None and self.each.what == "limit":
            return True
        return names_size(self.condition, place)

    def holds(self, place: Place) -> bool:
        """Return whether it changes anything at a place."""
        return self.condition is None or self.condition.holds(place)

    def apply(self, value: int | None, place: Place) -> int | None:
        """The value after the change; None is "no bound" and stays so when something is added."""
        if not self.holds(place):
            return value
        number = self.number if self.each is None else self.number * self.each.at(place)
        if not self.adds:
            return number
        return None if value is None else value + number

    def apply_in(self, value: Expression, bounded: Literal, where: Where) -> Bounded:
        """Return the value after the change as an expression, and whether there is one."""
        holds, both = where.holds(self.condition), where.constraints
        if holds == FALSE:
            return Bounded(value, bounded)
        steps = Expression(1) if self.each is None else self.each.in_space(where)
        number = steps * self.number
        if self.adds:
            return Bounded(value + both.where(holds, number), bounded)
        return Bounded(both.choose(holds, number, value), both.any_of([bounded, holds]))


@dataclass(frozen=True, slots=True)
class Amount:
    """A whole number with the changes it may undergo, in their order. None: no bound."""

    base: int | None
    changes: tuple[Change, ...] = ()

    def at(self, place: Place) -> int | None:
        """Return the number at a place."""
        value = self.base
        for change in self.changes:
            value = change.apply(value, place)
        return value

    def number(self, place: Place) -> int:
        """Return the number at a place, 0 where there is none."""
        return self.at(place) or 0

    def in_space(self, where: Where) -> Bounded:
        """Return the number as an expression."""
        found = Bounded(Expression(self.base or 0), FALSE if self.base is None else TRUE)
        for change in self.changes:
            found = change.apply_in(*found, where)
        return found

    def number_in(self, where: Where) -> Expression:
        """Return the number as an expression, 0 if there is none."""
        if not self.changes:
            return Expression(self.base or 0)
        value, bounded = self.in_space(where)
        return where.constraints.where(bounded, value)

    @property
    def takes(self) -> bool:
        """Return whether it is a price that is never below 0."""
        return (self.base or 0) >= 0 and all(change.number >= 0 for change in self.changes)

    def scaled(self, place: Place, share: Share) -> int | None:
        """Return the number at a place where the game size scales it, rounded up, at least 0.

        Set and added parts scale with it; used-up parts (subtracted, or counted for each thing
        taken) don't. A number that follows the game size by itself, or whose changes name this
        size, isn't scaled again.
        """
        if not self.changes:
            return None if self.base is None else max(0, share.up(self.base))
        if any(change.sizes_itself(place) for change in self.changes):
            share = Share(1, 1)
        value = self.base
        used = 0
        for change in self.changes:
            if change.uses_up:
                used += change.apply(0, place) or 0
            else:
                value = change.apply(value, place)
        return None if value is None else max(0, share.up(value) + used)

    def scaled_in(self, where: Where, share: Share) -> Bounded:
        """Return `scaled` as an expression."""
        if not self.changes:
            top = 0 if self.base is None else max(0, share.up(self.base))
            return Bounded(Expression(top), FALSE if self.base is None else TRUE)
        both, game = where.constraints, Place(Army(where.limit, {}, {}))
        if any(change.sizes_itself(game) for change in self.changes):
            share = Share(1, 1)
        found = Bounded(Expression(self.base or 0), FALSE if self.base is None else TRUE)
        used = Expression()
        for change in self.changes:
            if change.uses_up:
                used = used + change.apply_in(Expression(), TRUE, where).value
            else:
                found = change.apply_in(*found, where)
        total = both.quotient(found.value * share.numerator, share.denominator, up=True) + used
        return Bounded(both.where(both.at_least(total, 0), total), found.exists)

    @property
    def smallest(self) -> int:
        """A lower bound of its value; 0 if that is hard to say."""
        if any(one.number < 0 if one.adds else one.each is not None for one in self.changes):
            return 0
        return min([self.base or 0, *(one.number for one in self.changes if not one.adds)])

    @property
    def largest(self) -> int:
        """The largest of base and changes: layouts ask whether it is ever above 0."""
        return max([self.base or 0, *(change.number for change in self.changes)])

    def army_tags(self) -> set[str]:
        """Return the tags that its changes count in the whole army."""
        tags: set[str] = set()
        for change in self.changes:
            tags |= army_tags(change.condition)
            if change.each is not None and change.each.army:
                tags |= set(change.each.tags)
        return tags


NONE = Amount(None)
ZERO = Amount(0)
ONE = Amount(1)


def highest(amount: Amount, unbounded: int) -> int:
    """Return an upper bound of an amount; `unbounded` if there is none, or if it grows with a
    count."""
    most = amount.base
    for change in amount.changes:
        if change.each is not None and change.number > 0:
            return max(unbounded, most or 0)
        number = max(0, change.number)
        if change.adds:
            most = None if most is None else most + number
        else:
            most = number if most is None else max(most, number)
    return unbounded if most is None else most


def read_count(data: Mapping[str, Any], resolve: Resolve = plain) -> Count:
    """Build from {"taken": "shield"}, {"models": 1} or {"limit": 1500, "round": "up"}."""
    up = data.get("round") == "up"
    if "limit" in data:
        return Count("limit", per=data["limit"], up=up)
    per = data.get("per", 1)
    if "models" in data:
        return Count("models", per=per * data["models"], up=up)
    ids = [data["taken"]] if isinstance(data["taken"], str) else data["taken"]
    army = data.get("in") == "army"
    return Count("taken", tuple(resolve(name, army)[0] for name in ids), army, per, up)


def read_changes(
    data: Sequence[Mapping[str, Any]], field: str, resolve: Resolve = plain
) -> tuple[Change, ...]:
    """Return the changes of one field out of a `when` list, in their order."""
    changes = []
    for entry in data:
        for adds in (False, True):
            number = entry.get("add" if adds else "set", {}).get(field)
            if number is not None:
                condition = read_condition(entry["if"], resolve) if "if" in entry else None
                each = read_count(entry["for_each"], resolve) if "for_each" in entry else None
                changes.append(Change(number, adds, condition, each))
    return tuple(changes)


def read_amount(
    base: int | None, when: Sequence[Mapping[str, Any]], field: str, resolve: Resolve = plain
) -> Amount:
    """Return a number with the changes that a `when` list makes to one field."""
    return Amount(base, read_changes(when, field, resolve))
