"""Arithmetic on the numbers of a list: whole numbers of an actual list, expressions of a space.

`Constraints` offers it for expressions, `WholeNumbers` for whole numbers. Answers are literals in
both; a list that is there has only TRUE and FALSE.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol, TypeVar

from armybuilder.engine.space.constraints import FALSE, TRUE, Expression, Literal

#: A number of a list: known, or an expression.
N = TypeVar("N", int, Expression)


class Algebra(Protocol[N]):
    """Arithmetic for conditions, amounts and bounds."""

    def constant(self, number: int) -> N:
        """Return a number that is the same on every list."""

    def number(self, literal: Literal) -> N:
        """Return 1 where a literal holds, else 0."""

    def sum(self, numbers: Iterable[N]) -> N:
        """Return several numbers together."""

    def all_of(self, literals: Iterable[Literal]) -> Literal:
        """Return a literal that holds where all of some do."""

    def any_of(self, literals: Iterable[Literal]) -> Literal:
        """Return a literal that holds where at least one of some does."""

    def at_least(self, number: N, least: int) -> Literal:
        """Return a literal that holds if a number is at least this."""

    def between(self, number: N, low: int | None, high: int | None) -> Literal:
        """Return a literal that holds where a number lies within bounds; None: unbounded."""

    def where(self, literal: Literal, number: N) -> N:
        """Return a number where a literal holds, else 0."""

    def choose(self, literal: Literal, one: N, other: N) -> N:
        """Return one number where a literal holds, else the other."""

    def quotient(self, number: N, divisor: int, up: bool = False) -> N:
        """Return a number divided and rounded down, or `up`."""


class WholeNumbers:
    """Arithmetic on the numbers of an actual list."""

    def constant(self, number: int) -> int:
        return number

    def number(self, literal: Literal) -> int:
        return int(literal == TRUE)

    def sum(self, numbers: Iterable[int]) -> int:
        return sum(numbers)

    def all_of(self, literals: Iterable[Literal]) -> Literal:
        return FALSE if FALSE in literals else TRUE

    def any_of(self, literals: Iterable[Literal]) -> Literal:
        return TRUE if TRUE in literals else FALSE

    def at_least(self, number: int, least: int) -> Literal:
        return TRUE if number >= least else FALSE

    def between(self, number: int, low: int | None, high: int | None) -> Literal:
        inside = (low is None or number >= low) and (high is None or number <= high)
        return TRUE if inside else FALSE

    def where(self, literal: Literal, number: int) -> int:
        return number if literal == TRUE else 0

    def choose(self, literal: Literal, one: int, other: int) -> int:
        return one if literal == TRUE else other

    def quotient(self, number: int, divisor: int, up: bool = False) -> int:
        return -(-number // divisor) if up else number // divisor


WHOLE = WholeNumbers()
