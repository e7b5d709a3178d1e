"""Linear expressions: the numbers of a space of lists."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

#: A value for each variable, by its number.
Values: TypeAlias = Sequence[int]


class Expression:
    """A linear expression: a constant and whole multiples of variables."""

    __slots__ = ("constant", "terms")

    def __init__(self, constant: int = 0, terms: dict[int, int] | None = None) -> None:
        self.constant = constant
        self.terms: dict[int, int] = {} if terms is None else terms

    @classmethod
    def of(cls, variable: int, times: int = 1) -> Expression:
        """Return a multiple of one variable."""
        return cls(0, {variable: times})

    def add(self, other: Expression | int, times: int = 1) -> Expression:
        """Add a multiple of another to this one, in place, and return it."""
        if isinstance(other, int):
            self.constant += times * other
            return self
        self.constant += times * other.constant
        more = other.terms
        if not more:
            return self
        terms = self.terms
        if not terms and times == 1:
            terms.update(more)
            return self
        for variable, factor in more.items():
            if variable not in terms:
                if times:
                    terms[variable] = times * factor
            elif total := terms[variable] + times * factor:
                terms[variable] = total
            else:
                del terms[variable]
        return self

    def __add__(self, other: Expression | int) -> Expression:
        return self.copy().add(other)

    def __sub__(self, other: Expression | int) -> Expression:
        return self.copy().add(other, -1)

    def __mul__(self, factor: int) -> Expression:
        if not factor:
            return Expression()
        return Expression(self.constant * factor, {v: k * factor for v, k in self.terms.items()})

    def copy(self) -> Expression:
        """Return one that can be added to without changing this one."""
        return Expression(self.constant, dict(self.terms))

    @property
    def is_nothing(self) -> bool:
        """Whether it is 0 for all values of the variables."""
        return not self.terms and not self.constant

    @property
    def is_constant(self) -> bool:
        """Whether it has no variable."""
        return not self.terms

    @property
    def key(self) -> tuple[int, tuple[tuple[int, int], ...]]:
        """Key shared by equal expressions."""
        return self.constant, tuple(sorted(self.terms.items()))

    def at(self, values: Values) -> int:
        """Return its value."""
        return self.constant + sum(factor * values[v] for v, factor in self.terms.items())


NOTHING = Expression()


def sum_of(expressions: Iterable[Expression]) -> Expression:
    """Return the sum of some expressions."""
    total = Expression()
    for one in expressions:
        total.add(one)
    return total
