"""Constraints: whole numbers within bounds, clauses and linear inequalities over them, as data.

No solver is here. Definitions of numbers by others (`at_least`, `multiply`, …) are remembered, so
that plain Python can check the constraints for a list: `complete`, `broken`.

A literal is an int: v says that variable v is 1, ~v that it is 0. Variable 0 is always 1, so the
literal 0 is TRUE and ~0 is FALSE.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import NamedTuple, TypeAlias

from armybuilder.engine.about import WHOLE_LIST, About
from armybuilder.engine.citations import RuleHead

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
        """Return whether it is 0 for all values of the variables."""
        return not self.terms and not self.constant

    @property
    def is_constant(self) -> bool:
        """Return whether it has no variable."""
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


Literal: TypeAlias = int
TRUE: Literal = 0
FALSE: Literal = ~0

#: More than anything on a list can be.
BOUNDLESS = 10**6


def is_true(literal: Literal, values: Values) -> bool:
    """Return whether a literal holds."""
    return values[literal] == 1 if literal >= 0 else values[~literal] == 0


class Owner(NamedTuple):
    """The owner of a constraint: a rule, by its head, about something, in a line-up."""

    head: RuleHead
    about: About = WHOLE_LIST
    lineup: str = ""


class Clause(NamedTuple):
    """At least one of some literals holds. Without an owner it says what something means."""

    literals: tuple[Literal, ...]
    owner: object | None


class Linear(NamedTuple):
    """Constraint: if all of `when` hold, a sum is from `low` to `high` (None: unbounded)."""

    when: tuple[Literal, ...]
    variables: tuple[int, ...]
    factors: tuple[int, ...]
    low: int | None
    high: int | None
    owner: object | None


class Constraints:
    """Variables with their bounds, and the clauses and inequalities over them."""

    def __init__(self) -> None:
        self.low = [1]
        self.high = [1]
        self.clauses: list[Clause] = []
        self.linear: list[Linear] = []
        #: Variables that might be more than is looked at; and the rules that ask for more of
        #: something than is reached by such: there might be enough.
        self.cut: set[int] = set()
        #: The same of settings.
        self.capped: set[int] = set()
        self.out_of_reach: list[RuleHead] = []
        #: Whether no option is left out that may be on a list.
        self.is_whole = True
        #: What variables follow from others by, in the order in which they were made.
        self.definitions: list[tuple[int, Callable[[Values], int]]] = []
        self._applies: Literal = TRUE
        self._all: dict[tuple[Literal, ...], Literal] = {}
        self._known: dict[tuple[object, ...], int] = {}

    # Variables

    def whole(self, low: int, high: int) -> int:
        """Return a new variable: a whole number from `low` to `high`."""
        self.low.append(low)
        self.high.append(high)
        return len(self.low) - 1

    def yes_no(self) -> Literal:
        """Return a new variable that is 0 or 1, as the literal that it is 1."""
        return self.whole(0, 1)

    def _follows(self, low: int, high: int, worth: Callable[[Values], int]) -> int:
        variable = self.whole(low, high)
        self.definitions.append((variable, worth))
        return variable

    def open_number(self) -> Expression:
        """Return a number of which nothing is known but that it is not below 0."""
        return Expression.of(self._follows(0, BOUNDLESS, lambda _: 0))

    def is_yes_no(self, variable: int) -> bool:
        """Return whether a variable is 0 or 1."""
        return self.low[variable] >= 0 and self.high[variable] <= 1

    def range_of(self, expression: Expression) -> tuple[int, int]:
        """Return the least and the most that an expression can be worth."""
        least = most = expression.constant
        low, high = self.low, self.high
        for variable, factor in expression.terms.items():
            if factor > 0:
                least += factor * low[variable]
                most += factor * high[variable]
            else:
                least += factor * high[variable]
                most += factor * low[variable]
        return least, most

    def may_be_cut(self, expression: Expression) -> bool:
        """Return whether an expression might be worth more than is looked at."""
        derived = {variable for variable, _ in self.definitions} if self.cut else self.cut
        return not (self.cut | derived).isdisjoint(expression.terms)

    # Literals

    def number(self, literal: Literal) -> Expression:
        """Return 1 where a literal holds, else 0."""
        if literal == TRUE:
            return Expression(1)
        if literal == FALSE:
            return Expression()
        return Expression.of(literal) if literal >= 0 else Expression(1, {~literal: -1})

    def all_of(self, literals: Iterable[Literal]) -> Literal:
        """Return a literal that holds where all of some do."""
        asked: set[Literal] = set()
        for literal in literals:
            if literal == FALSE or ~literal in asked:
                return FALSE
            if literal != TRUE:
                asked.add(literal)
        if not asked:
            return TRUE
        if len(asked) == 1:
            return next(iter(asked))
        key = tuple(sorted(asked))
        found = self._all.get(key)
        if found is None:
            found = self._follows(
                0, 1, lambda values: int(all(is_true(one, values) for one in key))
            )
            self._all[key] = found
            for literal in key:
                self.clauses.append(Clause((~found, literal), None))
            self.clauses.append(Clause((found, *(~literal for literal in key)), None))
        return found

    def any_of(self, literals: Iterable[Literal]) -> Literal:
        """Return a literal that holds where at least one of some does."""
        asked = [~literal for literal in literals if literal != FALSE]
        if len(asked) < 2:
            return ~asked[0] if asked else FALSE
        return ~self.all_of(asked)

    def at_least(self, expression: Expression, least: int) -> Literal:
        """Return a literal that holds if an expression is at least this number."""
        low, high = self.range_of(expression)
        if low >= least:
            return TRUE
        if high < least:
            return FALSE
        wanted = least - expression.constant
        ones = all(k >= 1 and self.is_yes_no(v) for v, k in expression.terms.items())
        if len(expression.terms) == 1:
            ((variable, factor),) = expression.terms.items()
            if self.is_yes_no(variable):
                return variable if factor > 0 else ~variable
        elif wanted == 1 and ones:
            return self.any_of(expression.terms)
        key = ("at least", wanted, tuple(sorted(expression.terms.items())))
        found = self._known.get(key)
        if found is None:
            meant = expression.copy()
            found = self._follows(0, 1, lambda values: int(meant.at(values) >= least))
            self._known[key] = found
            self.require(expression, least, None, (found,))
            self.require(expression, None, least - 1, (~found,))
        return found

    def between(self, expression: Expression, low: int | None, high: int | None) -> Literal:
        """Return a literal that holds where an expression lies within bounds; None: unbounded."""
        return self.all_of(
            [
                TRUE if low is None else self.at_least(expression, low),
                TRUE if high is None else ~self.at_least(expression, high + 1),
            ]
        )

    # Numbers

    def constant(self, number: int) -> Expression:
        """Return a number that is the same on every list."""
        return Expression(number)

    def sum(self, numbers: Iterable[Expression]) -> Expression:
        """Return several expressions together."""
        return sum_of(numbers)

    def where(self, literal: Literal, expression: Expression) -> Expression:
        """Return an expression where a literal holds, else 0."""
        if literal == TRUE:
            return expression
        if literal == FALSE:
            return Expression()
        if expression.is_constant:
            return self.number(literal) * expression.constant
        if len(expression.terms) == 1 and not expression.constant:
            ((variable, factor),) = expression.terms.items()
            if self.is_yes_no(variable):
                return self.number(self.all_of([literal, variable])) * factor
        key = ("where", literal, expression.key)
        found = self._known.get(key)
        if found is None:
            low, high = self.range_of(expression)
            meant = expression.copy()
            found = self._follows(
                min(0, low),
                max(0, high),
                lambda values: meant.at(values) if is_true(literal, values) else 0,
            )
            self._known[key] = found
            self.require(Expression.of(found).add(meant, -1), 0, 0, (literal,))
            self.require(Expression.of(found), 0, 0, (~literal,))
        return Expression.of(found)

    def choose(self, literal: Literal, one: Expression, other: Expression) -> Expression:
        """Return one expression where a literal holds, else the other."""
        if literal == TRUE:
            return one
        if literal == FALSE:
            return other
        if one.is_constant and other.is_constant:
            return self.number(literal) * (one.constant - other.constant) + other.constant
        return self.where(literal, one) + self.where(~literal, other)

    def multiply(self, one: Expression, other: Expression) -> Expression:
        """Return two expressions multiplied: the narrower is taken apart, step by step."""
        if one.is_constant:
            return other * one.constant
        if other.is_constant:
            return one * other.constant
        for few, many in ((one, other), (other, one)):
            if len(few.terms) <= 4 and all(map(self.is_yes_no, few.terms)):
                total = many * few.constant
                for variable, factor in few.terms.items():
                    total = total.copy().add(self.where(variable, many), factor)
                return total
        (low, high), (least, most) = self.range_of(one), self.range_of(other)
        if most - least < high - low:
            one, other, low, high = other, one, least, most
        total = other * low
        for step in range(low + 1, high + 1):
            total = total.copy().add(self.where(self.at_least(one, step), other))
        return total

    def quotient(self, expression: Expression, divisor: int, up: bool = False) -> Expression:
        """Return an expression divided and rounded down, or `up`."""
        if up:
            return self.quotient(expression * -1, divisor) * -1
        if divisor == 1:
            return expression
        if expression.is_constant:
            return Expression(expression.constant // divisor)
        key = ("quotient", divisor, expression.key)
        found = self._known.get(key)
        if found is None:
            low, high = self.range_of(expression)
            meant = expression.copy()
            found = self._follows(
                low // divisor, high // divisor, lambda values: meant.at(values) // divisor
            )
            self._known[key] = found
            self.require(meant.copy().add(Expression.of(found), -divisor), 0, divisor - 1)
        return Expression.of(found)

    # Constraints

    @contextmanager
    def only_where(self, literal: Literal) -> Iterator[None]:
        """Make all demands of owners meanwhile hold only where a literal does."""
        self._applies = literal
        try:
            yield
        finally:
            self._applies = TRUE

    def require(
        self,
        expression: Expression,
        low: int | None,
        high: int | None,
        when: Iterable[Literal] = (),
        owner: object | None = None,
    ) -> None:
        """Require that an expression is from `low` to `high` (None: unbounded) if all of `when`
        hold."""
        if owner is not None and self._applies != TRUE:
            when = (*when, self._applies)
        asked = tuple([literal for literal in when if literal != TRUE]) if when else ()
        if FALSE in asked:
            return
        least, most = self.range_of(expression)
        if low is not None and least >= low:
            low = None
        if high is not None and most <= high:
            high = None
        if low is None and high is None:
            return
        if (low is not None and most < low) or (high is not None and least > high):
            self.clauses.append(Clause(tuple(~literal for literal in asked), owner))
            return
        constant = expression.constant
        self.linear.append(
            Linear(
                asked,
                tuple(expression.terms),
                tuple(expression.terms.values()),
                None if low is None else low - constant,
                None if high is None else high - constant,
                owner,
            )
        )

    def require_any(self, literals: Iterable[Literal], owner: object | None = None) -> None:
        """At least one of some literals holds."""
        if owner is not None:
            literals = (*literals, ~self._applies)
        open_ones = tuple([literal for literal in literals if literal != FALSE])
        if TRUE not in open_ones:
            self.clauses.append(Clause(open_ones, owner))

    # Asked of a list

    def heads(self) -> Iterable[RuleHead]:
        """Return the heads of the rules that demand something, each once."""
        owners = [clause.owner for clause in self.clauses]
        owners += [one.owner for one in self.linear]
        return {one.head.pointer: one.head for one in owners if isinstance(one, Owner)}.values()

    def complete(self, decisions: Mapping[int, int]) -> list[int]:
        """Return a value for each variable, from those of the ones that follow from no others.

        Raises KeyError where one of these is not given.
        """
        following = dict(self.definitions)
        values = [1] + [0] * (len(self.low) - 1)
        for variable in range(1, len(values)):
            if variable not in following:
                values[variable] = decisions[variable]
        for variable, worth in self.definitions:
            values[variable] = worth(values)
        return values

    def broken(self, values: Values) -> Iterator[object | None]:
        """Return whose constraints do not hold; None where it is one that says what things mean."""
        for clause in self.clauses:
            if not any(is_true(literal, values) for literal in clause.literals):
                yield clause.owner
        for one in self.linear:
            if all(is_true(literal, values) for literal in one.when):
                pairs = zip(one.variables, one.factors, strict=True)
                total = sum(factor * values[variable] for variable, factor in pairs)
                if (one.low is not None and total < one.low) or (
                    one.high is not None and total > one.high
                ):
                    yield one.owner
