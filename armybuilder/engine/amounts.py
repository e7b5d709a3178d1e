"""Amounts: numbers of a book entry that move `when` something is taken."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from armybuilder.engine.algebra import N
from armybuilder.engine.condition_reading import Resolve, plain, read_condition
from armybuilder.engine.conditions import Condition, Facts, Place, Within, army_tags, parts_of
from armybuilder.engine.prices import Share
from armybuilder.engine.space.constraints import BOUNDLESS, FALSE, TRUE, Literal


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

    def steps(self, facts: Facts[N]) -> N:
        """Return the number of steps at a place."""
        if self.what == "models":
            number = facts.models
        elif self.what == "limit":
            number = facts.algebra.constant(facts.limit)
        else:
            number = facts.count(self.tags, self.army)
        return facts.algebra.quotient(number, self.per, self.up)


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

    @property
    def span(self) -> tuple[int, int]:
        """The least and the most that it adds or sets, if it applies."""
        times = 1 if self.each is None else BOUNDLESS
        ends = (self.number * times, self.number if self.each is None else 0)
        return min(ends), max(ends)

    def sizes_itself(self, facts: Facts[N]) -> bool:
        """Return whether it follows the game size, or names that of the list."""
        if self.each is not None and self.each.what == "limit":
            return True
        sizes = (part for part in parts_of(self.condition, Within) if part.what == "limit")
        return any(facts.holds(size) == TRUE for size in sizes)

    def apply(self, value: N, exists: Literal, facts: Facts[N]) -> tuple[N, Literal]:
        """Return a number, with whether there is one, after the change."""
        holds, algebra = facts.holds(self.condition), facts.algebra
        if holds == FALSE:
            return value, exists
        number = algebra.constant(self.number)
        if self.each is not None:
            number = self.each.steps(facts) * self.number
        if self.adds:
            return value + algebra.where(holds, number), exists
        return algebra.choose(holds, number, value), algebra.any_of([exists, holds])


@dataclass(frozen=True, slots=True)
class Amount:
    """A whole number with the changes it may undergo, in their order. None: no bound."""

    base: int | None
    changes: tuple[Change, ...] = ()

    def at(self, place: Place) -> int | None:
        """Return the number at a place on a list; None: no bound."""
        if not self.changes:
            return self.base
        value, exists = self.bounded(place)
        return value if exists == TRUE else None

    def number(self, facts: Facts[N]) -> N:
        """Return the number, 0 where there is none."""
        if not self.changes:
            return facts.algebra.constant(self.base or 0)
        value, exists = self.bounded(facts)
        return facts.algebra.where(exists, value)

    def bounded(self, facts: Facts[N]) -> tuple[N, Literal]:
        """Return the number, with whether there is one."""
        value = facts.algebra.constant(self.base or 0)
        exists = FALSE if self.base is None else TRUE
        for change in self.changes:
            value, exists = change.apply(value, exists, facts)
        return value, exists

    def scaled(self, facts: Facts[N], share: Share) -> tuple[N, Literal]:
        """Return the number where the game size scales it, rounded up, at least 0.

        Set and added parts scale with it; used-up parts (subtracted, or counted for each thing
        taken) don't. A number that follows the game size by itself, or whose changes name this
        size, isn't scaled again.
        """
        algebra = facts.algebra
        if any(change.sizes_itself(facts) for change in self.changes):
            share = Share(1, 1)
        value, used = algebra.constant(self.base or 0), algebra.constant(0)
        exists = FALSE if self.base is None else TRUE
        for change in self.changes:
            if change.uses_up:
                used, _ = change.apply(used, TRUE, facts)
            else:
                value, exists = change.apply(value, exists, facts)
        total = algebra.quotient(value * share.numerator, share.denominator, up=True) + used
        return algebra.where(algebra.between(total, 0, None), total), exists

    def scaled_at(self, place: Place, share: Share) -> int | None:
        """Return the scaled number at a place on a list; None: no bound."""
        if not self.changes:
            return None if self.base is None else max(0, share.up(self.base))
        value, exists = self.scaled(place, share)
        return value if exists == TRUE else None

    @property
    def smallest(self) -> int:
        """A lower bound of its value; 0 if it has no bound."""
        least = self.base or 0
        for change in self.changes:
            low, _ = change.span
            least = least + min(0, low) if change.adds else min(least, low)
        return least

    @property
    def largest(self) -> int:
        """An upper bound of its value; BOUNDLESS or more if it has none."""
        most = BOUNDLESS if self.base is None else self.base
        for change in self.changes:
            _, high = change.span
            most = most + max(0, high) if change.adds else max(most, high)
        return most

    def most(self, unbounded: int) -> int:
        """Return its upper bound; without one `unbounded`, or its base if that is more."""
        most = self.largest
        return most if most < BOUNDLESS else max(unbounded, self.base or 0)

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
