"""Numbers as they stand in one army: conditions, repeats and modifiers worked out."""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import cached_property
from typing import NamedTuple

from tests.second_reading.reader.armies import Army, Selection
from tests.second_reading.reader.parts import (
    Condition,
    Conditions,
    Constraint,
    Modifier,
    Query,
    Repeat,
)
from tests.second_reading.reader.places import Place

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
        return sum(self._repeats(one, at) for one in modifier.repeats)

    def _repeats(self, repeat: Repeat, at: At) -> int:
        share = self.count(repeat.query, at) / repeat.value
        return repeat.times * (math.ceil(share) if repeat.up else math.floor(share))

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

    def category_number(self, category: str) -> int:
        return sum(one.number for one in self.army.walk() if category in self.categories[one])
