"""Answers over unknowns: the kernel's numbers and conditions for possible lists."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from math import ceil, floor
from typing import Final

from armybuilder.engine.kernel.conditions import (
    COMPARISONS,
    FORCES,
    NUMBER,
    All,
    Amount,
    Any,
    Before,
    Change,
    Combined,
    Compare,
    Condition,
    Each,
    Flag,
    Has,
    HasPrimary,
    LimitOf,
    Measure,
    Not,
    Number,
    OneIf,
    PerCent,
    Query,
    Reaching,
    Repeat,
    Scope,
    Scopes,
    Several,
)
from armybuilder.engine.kernel.counting import LONGEST_CHAIN
from armybuilder.engine.kernel.definitions import CategoryMove, Definition
from armybuilder.engine.kernel.spots import Spot, Spots
from armybuilder.engine.space.constraints import FALSE, TRUE, Expression, Literal, sum_of

#: The greatest number that is stated: a solver's are finite, also all together.
MOST_PARTS: Final = 10**10


class NotStated(Exception):
    """Raised for something that can't be stated over unknowns."""


class Unknowns(Scopes[Spot]):
    """Lists that one can become: a spot for each possible pick, and the constraints on them."""

    def __init__(self, space: Spots) -> None:
        self.space = space
        self.roster = space.roster
        self.constraints = space.constraints
        self._counts: dict[tuple[Spot, str, str, bool, bool, bool], Expression] = {}
        self._each_numbers: dict[tuple[Each, Spot, Spot | None, bool], Expression] = {}
        self._literals: dict[tuple[Condition, Spot, bool, Spot | None], Literal] = {}
        self._absent: dict[tuple[Definition, Spot], Spot] = {}
        self._moves: dict[Spot, list[tuple[CategoryMove, Literal]]] = {}
        self._by_tag: dict[str, list[Spot]] = {}
        self._still = True
        self._open: set[str] = set()
        self._prices: dict[tuple[Spot, str], Expression] = {}
        self._busy: list[tuple[Spot, str]] = []
        self._subject: Spot | None = None
        self.top, self.forces, self.spots = space.top, space.forces, space.picks
        self.scales = space.scales()
        self._find_moves()

    # What queries ask

    def absent(self, definition: Definition, above: Spot) -> Spot:
        """Return the place where something could be taken."""
        key = definition, above
        if key not in self._absent:
            self._absent[key] = Spot(definition, above, None, Expression(), FALSE, present=False)
        return self._absent[key]

    def has_one(self, at: Spot, tags: frozenset[str]) -> bool:
        """Return whether a spot has one of some tags. Raises NotStated where it may."""
        has = self.constraints.any_of(self.tag(at, tag) for tag in tags)
        if has not in (TRUE, FALSE):
            raise NotStated
        return has == TRUE

    def count(self, at: Spot, field: str, tag: str, deep: bool, forces: bool) -> Expression:
        """Return the sum of a field over the picks with a tag, within a spot."""
        key = (at, field, tag, deep, forces, self._still)
        known = self._counts.get(key)
        if known is None:
            counted = self._counted(at, field, tag, deep, forces)
            known = self._counts[key] = sum_of(counted)
        return known

    def _counted(
        self, at: Spot, field: str, tag: str, deep: bool, forces: bool
    ) -> Iterator[Expression]:
        if field == FORCES:
            inside = (spot for spot in (at.walk() if forces else at.below) if not spot.in_branch)
            yield from (Expression(1) for spot in inside if not tag or self.tag(spot, tag) == TRUE)
            return
        whole: list[Spot] = []
        if field != NUMBER and not at.in_branch:
            meant = (force for force in self.forces if self._is_meant(force, at, forces))
            whole = [force for force in meant if not tag or tag in force.definition.tags]
        for force in whole:
            yield self.price(force, field)
            yield from (self._total(root, field) for root in force.below if root.in_branch)
        for spot in self._pool(at, tag, deep, forces):
            literal = self.tag(spot, tag)
            if literal == FALSE or spot.force in whole:
                continue
            if field == NUMBER:
                yield self.constraints.where(literal, spot.number)
            elif not tag and deep:
                yield self.price(spot, field)
            else:
                around = [self.tag(one, tag) for one in spot.around() if one.in_branch]
                literal = self.constraints.all_of([literal, ~self.constraints.any_of(around)])
                yield self.constraints.where(literal, self._total(spot, field))

    def _pool(self, at: Spot, tag: str, deep: bool, forces: bool) -> Iterable[Spot]:
        """Yield the possible picks within a spot that may have a tag."""
        if at.in_branch:
            yield from at.walk() if deep else at.below
            return
        for spot in self._with_tag(tag):
            force = spot.force
            if self._is_meant(force, at, forces) and (deep or spot.above is force):
                yield spot

    def _is_meant(self, force: Spot, at: Spot, forces: bool) -> bool:
        return at is self.top or force is at or (forces and at in force.chain())

    def _with_tag(self, tag: str) -> list[Spot]:
        """Return the spots that have a tag, or may join it."""
        if not self._by_tag:
            self._by_tag[""] = self.spots
            joined = {spot: {move.category for move, _ in m} for spot, m in self._moves.items()}
            for spot in self.spots:
                for one in spot.definition.tags | joined.get(spot, set()):
                    self._by_tag.setdefault(one, []).append(spot)
        return self._by_tag.get(tag, [])

    def price(self, spot: Spot, cost: str) -> Expression:
        """Return the cost of a spot itself, in the smallest parts of the cost."""
        key = (spot, cost)
        known = self._prices.get(key)
        if known is None:
            amount = spot.definition.prices.get(cost)
            if amount is None:
                return Expression()
            if key in self._busy or len(self._busy) == LONGEST_CHAIN:
                raise NotStated
            self._busy.append(key)
            try:
                each = self.amount(amount, spot, self.scales.get(cost, 1))
            finally:
                self._busy.pop()
            known = self._prices[key] = self.constraints.multiply(each, spot.number)
        return known

    def _total(self, spot: Spot, cost: str) -> Expression:
        return sum_of(self.price(one, cost) for one in (spot, *spot.walk()))

    # What moves

    def _find_moves(self) -> None:
        """Find out when each spot joins and leaves categories, by the conditions before any
        move: first by its own moves and those of its branch, then by others."""
        own: list[tuple[Spot, CategoryMove, Literal]] = []
        others: list[tuple[Spot, CategoryMove, Literal]] = []
        for spot in self.spots:
            for move in spot.definition.moves:
                try:
                    holds = self.literal(move.when, spot)
                    at = spot if move.reach is None else self.within(move.reach.scope, spot)
                except NotStated:
                    self._open.add(move.category)
                    continue
                when = self.constraints.all_of([spot.taken, holds])
                if at is None or when == FALSE:
                    continue
                moved = own if at.in_branch else others
                moved += [(one, move, when) for one in self._reached(move, at)]
        for one, move, when in (*own, *others):
            self._moves.setdefault(one, []).append((move, when))
        self._still = False
        self._by_tag.clear()
        self._prices.clear()

    def _reached(self, move: CategoryMove, at: Spot) -> Iterable[Spot]:
        """Return the spots that a move is about."""
        if move.reach is None:
            return (at,)
        return (spot for spot in self._with_tag(move.reach.tag) if move.reaches(at, spot))

    def tag(self, spot: Spot, tag: str) -> Literal:
        """Return whether a spot, where it is there, has a tag; "": anything has."""
        if tag in self._open and not self._still:
            raise NotStated
        has = not tag or tag in spot.definition.tags
        if self._still or not (moves := self._moves.get(spot)):
            return TRUE if has else FALSE
        changes = (
            (move.act != "remove", when)
            for move, when in moves
            if move.category == tag and move.act != "unset-primary"
        )
        return self._after(has, changes)

    def _is_primary(self, seen: Spot, category: str) -> Literal:
        moves = () if self._still else self._moves.get(seen, ())
        changes = (
            (move.act == "set-primary" and move.category == category, when)
            for move, when in moves
            if move.act == "set-primary"
            or (move.category == category and move.act in ("remove", "unset-primary"))
        )
        return self._after(bool(seen.definition.categories.get(category)), changes)

    def _after(self, base: bool, changes: Iterable[tuple[bool, Literal]]) -> Literal:
        """Return a yes or no, replaced in order by changes that are made."""
        constraints, holds = self.constraints, TRUE if base else FALSE
        for value, when in changes:
            holds = (
                constraints.any_of([holds, when]) if value else constraints.all_of([holds, ~when])
            )
        return holds

    # Conditions

    def literal(self, condition: Condition, seen: Spot) -> Literal:
        """Return whether a condition holds of a spot, if that is there. Raises NotStated."""
        key = (condition, seen, self._still, self._subject)
        known = self._literals.get(key)
        if known is None:
            known = self._literals[key] = self._stated(condition, seen)
        return known

    def _stated(self, condition: Condition, seen: Spot) -> Literal:
        constraints = self.constraints
        if isinstance(condition, All):
            return constraints.all_of(self.literal(part, seen) for part in condition.parts)
        if isinstance(condition, Any):
            return constraints.any_of(self.literal(part, seen) for part in condition.parts)
        if isinstance(condition, Not):
            return ~self.literal(condition.part, seen)
        if isinstance(condition, Compare):
            return self._compare(condition, seen)
        if isinstance(condition, Has):
            return self._has(condition, seen)
        if isinstance(condition, HasPrimary):
            return self._is_primary(next(seen.chain()), condition.tag)
        if isinstance(condition, Several):
            parts = sum_of(constraints.number(self.literal(part, seen)) for part in condition.parts)
            most = None if condition.most is None else floor(condition.most)
            return constraints.between(parts, ceil(condition.least), most)
        if isinstance(condition, Each):
            compared = Compare(condition, condition.comparison, condition.value)
            return self._compare(compared, seen)
        if isinstance(condition, Flag):
            changes = ((value, self.literal(when, seen)) for value, when in condition.changes)
            return self._after(condition.base, changes)
        if isinstance(condition, Before):
            if self._subject is None or not seen.present:
                raise NotStated
            is_before = self.spots.index(seen) < self.spots.index(self._subject)
            return TRUE if is_before else FALSE
        raise NotStated

    def _has(self, condition: Has, seen: Spot) -> Literal:
        if condition.scope is Scope.ANCESTORS:
            return self.constraints.any_of(self.tag(at, condition.tag) for at in seen.around())
        at = self.within(condition.scope, seen)
        return FALSE if at is None else self.tag(at, condition.tag)

    def _each(self, each: Each, seen: Spot) -> Expression | None:
        at = self.within(each.scope, seen)
        if at is None:
            return None
        subject = seen if each.of_order and seen.present else None
        key = (each, at, subject, self._still)
        known = self._each_numbers.get(key)
        if known is None:
            outer, self._subject = self._subject, subject or self._subject
            known = self._each_numbers[key] = sum_of(
                self.constraints.where(self.literal(each.condition, spot), spot.number)
                for spot in self._pool(at, each.tag, each.deep, each.forces)
                if self.tag(spot, each.tag) != FALSE
            )
            self._subject = outer
        return known

    def _compare(self, condition: Compare, seen: Spot) -> Literal:
        measured, value = condition.measured, condition.value
        if isinstance(measured, PerCent):
            part, _ = self._measure(measured.part, seen)
            whole, _ = self._measure(measured.whole, seen)
            if part is None or whole is None:
                return FALSE
            over = part * (100 * Fraction(value).denominator) - whole * Fraction(value).numerator
            there = self.constraints.at_least(whole, 1)
            nothing = TRUE if COMPARISONS[condition.comparison](0, value) else FALSE
            holds = self._holds(over, condition.comparison, 0)
            return self.either(there, holds, nothing)
        number, scale = self._measure(measured, seen)
        if number is None:
            return FALSE
        return self._holds(number, condition.comparison, Fraction(value) * scale)

    def _holds(self, number: Expression, comparison: str, value: Number) -> Literal:
        constraints, value = self.constraints, Fraction(value)
        if comparison in (">=", "<"):
            least = constraints.at_least(number, ceil(value))
            return least if comparison == ">=" else ~least
        if comparison in (">", "<="):
            more = constraints.at_least(number, floor(value) + 1)
            return more if comparison == ">" else ~more
        is_it = FALSE
        if value.denominator == 1:
            is_it = constraints.between(number, value.numerator, value.numerator)
        return is_it if comparison == "=" else ~is_it

    def either(self, literal: Literal, one: Literal, other: Literal) -> Literal:
        """Return one answer where a literal holds, else the other."""
        constraints = self.constraints
        return constraints.any_of(
            [constraints.all_of([literal, one]), constraints.all_of([~literal, other])]
        )

    # Numbers

    def _measure(self, measured: Measure, seen: Spot) -> tuple[Expression | None, int]:
        """Return a number, and the parts that it is counted in; None if its scope is missing."""
        if isinstance(measured, LimitOf):
            limit = Fraction(self.roster.limits.get(measured.cost, -1))
            return Expression(limit.numerator), limit.denominator
        if isinstance(measured, OneIf):
            return self.constraints.number(self.literal(measured.condition, seen)), 1
        if isinstance(measured, Each):
            return self._each(measured, seen), 1
        if isinstance(measured, Reaching):
            return sum_of(self._reached_by(measured, seen)), 1
        if isinstance(measured, Combined):
            return self._combined(measured, seen)
        if not isinstance(measured, Query):
            raise NotStated
        scale = self.scales.get(measured.field, 1)
        ask = measured.field, measured.tag, measured.deep, measured.forces
        if measured.scope is Scope.ANCESTORS:
            return sum_of(self.count(at, *ask) for at in seen.around()), scale
        at = self.within(measured.scope, seen)
        return None if at is None else self.count(at, *ask), scale

    def _combined(self, combined: Combined, seen: Spot) -> tuple[Expression | None, int]:
        """Return a sum or a difference, and its parts. Raises NotStated for other numbers."""
        parts = [self._measure(part, seen) for part in combined.parts]
        if combined.act not in ("add", "subtract") or len({scale for _, scale in parts}) > 1:
            raise NotStated
        first, *others = [number for number, _ in parts]
        sign = 1 if combined.act == "add" else -1
        for number in others:
            first = None if first is None or number is None else first + number * sign
        return first, parts[0][1]

    def _reached_by(self, reaching: Reaching, seen: Spot) -> Iterator[Expression]:
        """Yield how often each possible pick of its unit makes a change that reaches a spot."""
        root = seen.root
        for source in () if root is None else (root, *root.walk()):
            if (there := self.tag(source, reaching.tag)) == FALSE:
                continue
            at = self.within(reaching.reach.scope, source)
            if at is not None and at.in_branch and reaching.reach.reaches(at, seen):
                when, times = self._made(reaching.change, source)
                yield self.constraints.where(
                    self.constraints.all_of([there, source.taken, when]), times
                )

    def amount(self, amount: Amount, seen: Spot, scale: int = 1) -> Expression:
        """Return an amount as seen from a spot, in parts. Raises NotStated."""
        value = Expression(self._parts(amount.base, scale))
        for change in amount.changes:
            value = self._changed(value, change, seen, scale)
        return value

    def _parts(self, number: Number, scale: int) -> int:
        parts = Fraction(number) * scale
        if parts.denominator != 1 or abs(parts) > MOST_PARTS:
            raise NotStated
        return parts.numerator

    def _changed(self, value: Expression, change: Change, seen: Spot, scale: int) -> Expression:
        constraints = self.constraints
        if change.number is None:
            raise NotStated
        when, times = self._made(change, seen)
        if when == FALSE:
            return value
        if (factor := change.factor) is not None and not change.repeats:
            return constraints.choose(when, _multiplied(value, factor), value)
        step = self._parts(change.number, scale)
        if change.act in ("add", "subtract"):
            more = times * (step if change.act == "add" else -step)
            return value + constraints.where(when, more)
        if change.act == "set":
            return constraints.choose(when, Expression(step), value)
        if change.act in ("at least", "at most"):
            beyond = constraints.at_least(value, step + (change.act == "at most"))
            if change.act == "at least":
                beyond = ~beyond
            return constraints.choose(constraints.all_of([when, beyond]), Expression(step), value)
        raise NotStated

    def _made(self, change: Change, seen: Spot) -> tuple[Literal, Expression]:
        """Return whether a change is made at all, and how often."""
        when, times = self.literal(change.when, seen), Expression(1)
        if when == FALSE or not change.repeats:
            return when, times
        for parts in change.repeats:
            more = sum_of(self._times(part, seen) for part in parts)
            times = self.constraints.multiply(times, more)
        return self.constraints.all_of([when, self.constraints.at_least(times, 1)]), times

    def _times(self, repeat: Repeat, seen: Spot) -> Expression:
        number, scale = self._measure(repeat.measured, seen)
        step = Fraction(repeat.step) * scale
        if not step or number is None:
            return Expression()
        steps = self.constraints.quotient(number * step.denominator, step.numerator, repeat.up)
        return steps * self._parts(repeat.number, 1)


def _multiplied(value: Expression, factor: Fraction) -> Expression:
    """Return a number by a factor. Raises NotStated where it does not stay whole."""
    up, down = factor.numerator, factor.denominator
    if abs(up) > MOST_PARTS or any(
        one * up % down for one in (value.constant, *value.terms.values())
    ):
        raise NotStated
    terms = {variable: times * up // down for variable, times in value.terms.items()}
    return Expression(value.constant * up // down, terms if up else {})
