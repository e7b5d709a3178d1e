"""Queries, conditions and amounts: the parts that describe when a pick is allowed, and its price.

All of it is data, made once for each place of use and shared by all lists. A query sums a field
over the picks with a tag, within a scope. Conditions and amounts are made of queries; `evaluation`
works them out for a list.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from enum import StrEnum
from fractions import Fraction
from functools import reduce
from operator import add, eq, ge, gt, le, lt, mul, ne, sub
from typing import ClassVar, Final, NamedTuple, Protocol, Self, TypeAlias, TypeVar

#: Whole where it can be: a file may price in tenths.
Number: TypeAlias = int | Fraction
#: The answer of a condition: true, false, or not understood.
Answer: TypeAlias = bool | None


class Kind(StrEnum):
    """Kind of a definition."""

    LIST = "list"
    FORCE = "force"
    ENTRY = "entry"
    GROUP = "group"
    CATEGORY = "category"


#: Fields besides the costs, which have ids: the number of picks, and of forces.
NUMBER: Final = "number"
FORCES: Final = "forces"


class Scope(StrEnum):
    """Named parts of a list, as seen from a pick: from itself up to the whole list.

    ROOT is the pick below the force; ANCESTORS are all above, each separately.
    """

    SELF = "self"
    PARENT = "parent"
    ANCESTORS = "ancestors"
    ROOT = "root"
    FORCE = "force"
    LIST = "list"


class Nearest(NamedTuple):
    """The nearest pick upwards that has one of these tags; `itself`, too, where it has."""

    tags: frozenset[str]
    itself: bool = True


#: The place within which a query counts.
Within: TypeAlias = Scope | Nearest


class Place(Protocol):
    """Place of an actual or (not `present`) possible pick, for queries and conditions."""

    @property
    def above(self) -> Self | None:
        """The parent."""

    @property
    def present(self) -> bool:
        """Return whether a pick is present there."""

    @property
    def number(self) -> int:
        """The number of such picks there."""

    @property
    def tags(self) -> frozenset[str]:
        """The tags of the pick."""

    @property
    def categories(self) -> Mapping[str, bool]:
        """Its categories, each with whether it is the primary one."""

    def chain(self) -> Iterator[Self]:
        """Yield itself, where it is there, and all above it, nearest first."""


P = TypeVar("P", bound=Place)


class Facts(Protocol[P]):
    """The answers of a list to queries and conditions."""

    def within(self, scope: Within, place: P) -> P | None:
        """Return the pick that a scope means, as seen from another."""

    def count(self, at: P, field: str, tag: str, deep: bool, forces: bool) -> Number:
        """Return the sum of a field over the picks with a tag, within a pick."""

    def count_each(self, each: Each, at: P, subject: P) -> Number:
        """Return how many picks within one fulfil the condition of a query over each."""

    def times_reached(self, reaching: Reaching, place: P) -> Number:
        """Return how often a change that others of its unit make reaches a pick."""

    def stands_before(self, place: P) -> Answer:
        """Return whether a pick comes before the one that an `Each` is asked for."""

    def limit(self, cost: str) -> Number:
        """Return the list's limit of a cost; -1: no limit."""


class Measure(Protocol):
    """A number that a list has, as seen from a pick."""

    def measure(self, facts: Facts[P], place: P) -> Number | None:
        """Return the number, as seen from a pick; None if its scope is missing."""


@dataclass(frozen=True, slots=True, eq=False)
class Query:
    """The sum of a field over picks with the `tag` ("": over all), within a scope.

    `deep`: at any depth, otherwise only direct contents; `forces`: also in the forces below.
    """

    field: str = NUMBER
    tag: str = ""
    scope: Within = Scope.PARENT
    deep: bool = False
    forces: bool = False

    def measure(self, facts: Facts[P], place: P) -> Number | None:
        if self.scope is Scope.ANCESTORS:
            above = place.above.chain() if place.above is not None else ()
            return sum(
                facts.count(at, self.field, self.tag, self.deep, self.forces) for at in above
            )
        at = facts.within(self.scope, place)
        if at is None:
            return None
        return facts.count(at, self.field, self.tag, self.deep, self.forces)


@dataclass(frozen=True, slots=True, eq=False)
class LimitOf:
    """The limit of the list for a cost; -1: any amount."""

    cost: str

    def measure(self, facts: Facts[P], place: P) -> Number:
        return facts.limit(self.cost)


@dataclass(frozen=True, slots=True, eq=False)
class PerCent:
    """The share of one query in another, in per cent."""

    part: Measure
    whole: Measure

    def measure(self, facts: Facts[P], place: P) -> Number | None:
        whole, part = self.whole.measure(facts, place), self.part.measure(facts, place)
        if whole is None or part is None:
            return None
        return Fraction(100 * part) / whole if whole else 0


#: How numbers may be combined.
COMBINED: Final[Mapping[str, Callable[[Number, Number], Number]]] = {
    "add": add,
    "subtract": sub,
    "multiply": mul,
    "min": min,
    "max": max,
}


@dataclass(frozen=True, slots=True, eq=False)
class Combined:
    """Numbers combined into one, the first with the second and so on, as COMBINED names it."""

    act: str
    parts: tuple[Measure, ...]

    def measure(self, facts: Facts[P], place: P) -> Number | None:
        numbers: list[Number] = []
        for part in self.parts:
            if (number := part.measure(facts, place)) is None:
                return None
            numbers.append(number)
        return whole(reduce(COMBINED[self.act], numbers))


@dataclass(frozen=True, slots=True, eq=False)
class OneIf:
    """1 where a condition holds, else 0."""

    condition: Condition

    def measure(self, facts: Facts[P], place: P) -> Number | None:
        return int(self.condition.holds(facts, place) is True)


# Conditions


class Condition(Protocol):
    """Something that holds of a pick, or does not; None where that is not known."""

    def holds(self, facts: Facts[P], place: P) -> Answer:
        """Return whether it holds of a pick."""


#: How a number may be compared.
COMPARISONS: Final[Mapping[str, Callable[[Number, Number], bool]]] = {
    "<": lt,
    "<=": le,
    "=": eq,
    "!=": ne,
    ">": gt,
    ">=": ge,
}


@dataclass(frozen=True, slots=True, eq=False)
class Compare:
    """A number compared with another, as COMPARISONS names it; of nothing that is false."""

    measured: Measure
    comparison: str
    value: Number

    def holds(self, facts: Facts[P], place: P) -> Answer:
        measured = self.measured.measure(facts, place)
        return measured is not None and COMPARISONS[self.comparison](measured, self.value)


@dataclass(frozen=True, slots=True, eq=False)
class Has:
    """The pick that a scope means has a tag; of ANCESTORS, any."""

    tag: str
    scope: Within = Scope.SELF

    def holds(self, facts: Facts[P], place: P) -> Answer:
        if self.scope is Scope.ANCESTORS:
            return place.above is not None and any(
                self.tag in at.tags for at in place.above.chain()
            )
        at = facts.within(self.scope, place)
        return at is not None and self.tag in at.tags


@dataclass(frozen=True, slots=True, eq=False)
class HasPrimary:
    """Condition: the primary category of the pick, or of its parent, is this one."""

    tag: str

    def holds(self, facts: Facts[P], place: P) -> Answer:
        at = place if place.present or place.above is None else place.above
        return at.categories.get(self.tag, False)


@dataclass(frozen=True, slots=True, eq=False)
class Joint:
    """Several conditions, of which one with the `decisive` answer gives it."""

    decisive: ClassVar[bool]
    parts: tuple[Condition, ...]

    def holds(self, facts: Facts[P], place: P) -> Answer:
        answer: Answer = not self.decisive
        for part in self.parts:
            holds = part.holds(facts, place)
            if holds is self.decisive:
                return holds
            if holds is None:
                answer = None
        return answer


class All(Joint):
    """All of some conditions hold; of none, that is so."""

    decisive = False


class Any(Joint):
    """At least one of some conditions holds; of none, that is not so."""

    decisive = True


@dataclass(frozen=True, slots=True, eq=False)
class Not:
    """A condition does not hold."""

    part: Condition

    def holds(self, facts: Facts[P], place: P) -> Answer:
        holds = self.part.holds(facts, place)
        return None if holds is None else not holds


@dataclass(frozen=True, slots=True, eq=False)
class Several:
    """From `least` to `most` (None: all) of some conditions hold."""

    parts: tuple[Condition, ...]
    least: Number = 0
    most: Number | None = None

    def holds(self, facts: Facts[P], place: P) -> Answer:
        answers = [part.holds(facts, place) for part in self.parts]
        sure, open_ones = answers.count(True), answers.count(None)
        most = len(answers) if self.most is None else self.most
        if sure > most or sure + open_ones < self.least:
            return False
        return True if sure >= self.least and sure + open_ones <= most else None


@dataclass(frozen=True, slots=True, eq=False)
class Each:
    """Condition: this many picks within a scope fulfil a condition each.

    `tag` is one that all of them have, if any; `forces`: also in the forces below. `of_order`: the
    condition depends on the order of picks; `of_costs`: on costs, or on another such count.
    """

    condition: Condition
    comparison: str
    value: Number
    scope: Within
    deep: bool
    tag: str = ""
    forces: bool = False
    of_order: bool = False
    of_costs: bool = False

    def holds(self, facts: Facts[P], place: P) -> Answer:
        measured = self.measure(facts, place)
        return measured is not None and COMPARISONS[self.comparison](measured, self.value)

    def measure(self, facts: Facts[P], place: P) -> Number | None:
        at = facts.within(self.scope, place)
        return None if at is None else facts.count_each(self, at, place)


@dataclass(frozen=True, slots=True, eq=False)
class Before:
    """Condition in `Each`: the pick comes before the one that the condition belongs to."""

    def holds(self, facts: Facts[P], place: P) -> Answer:
        return facts.stands_before(place)


@dataclass(frozen=True, slots=True, eq=False)
class NotUnderstood:
    """A condition that is not understood; `what` names it."""

    what: str

    def holds(self, facts: Facts[P], place: P) -> Answer:
        return None


@dataclass(frozen=True, slots=True, eq=False)
class OffStep:
    """Condition: a number between steps; unknown if it is one."""

    step: Number
    unknown: NotUnderstood

    def holds(self, facts: Facts[P], place: P) -> Answer:
        return None if place.number % self.step else False


TRUE: Final = All(())
FALSE: Final = Any(())


@dataclass(frozen=True, slots=True, eq=False)
class Flag:
    """A yes or no, replaced in order by changes whose conditions hold."""

    base: bool
    changes: tuple[tuple[bool, Condition], ...] = ()

    def holds(self, facts: Facts[P], place: P) -> Answer:
        answer: Answer = self.base
        for value, condition in self.changes:
            holds = condition.holds(facts, place)
            if holds:
                answer = value
            elif holds is None and answer is not value:
                answer = None
        return answer


# Amounts


class Repeat(NamedTuple):
    """A change is made `number` times for every `step` of the measured number."""

    measured: Measure
    step: Number
    number: int = 1
    up: bool = False

    def times(self, facts: Facts[P], place: P) -> int:
        """Return how often the change is made."""
        measured = self.measured.measure(facts, place) if self.step else None
        if measured is None:
            return 0
        steps = -(-measured // self.step) if self.up else measured // self.step
        return int(steps) * self.number


class Change(NamedTuple):
    """A change of a number or text if a condition holds, as often as `repeats` say.

    Each of these is a sum; several multiply each other.
    """

    act: str
    value: str
    number: Number | None = None
    when: Condition = TRUE
    repeats: tuple[tuple[Repeat, ...], ...] = ()

    @property
    def factor(self) -> Fraction | None:
        """Return the factor by which it multiplies a number each time; None for other changes."""
        if self.number is None or self.act not in ("multiply", "divide"):
            return None
        number = Fraction(self.number)
        return number if self.act == "multiply" else 1 / number if number else Fraction(1)

    def times(self, facts: Facts[P], place: P) -> int | None:
        """Return how often it is made of a pick; None where that is not known."""
        if self.when is not TRUE:
            holds = self.when.holds(facts, place)
            if not holds:
                return None if holds is None else 0
        times = 1
        for parts in self.repeats:
            times *= sum(part.times(facts, place) for part in parts)
        return times


class Reach(NamedTuple):
    """The picks that a change of another pick is about: the one that a scope means as seen from
    that pick, and its contents, as far as they have a tag.
    """

    scope: Within
    tag: str = ""
    itself: bool = True
    below: bool = False
    deep: bool = False

    def is_about(self, at: object, place: object, above: Iterable[object]) -> bool:
        """Return whether a pick on these others, nearest first, is among those that a change
        within `at` is about, its tag apart."""
        if place is at:
            return self.itself
        return self.below and (at in above if self.deep else next(iter(above), None) is at)


@dataclass(frozen=True, slots=True, eq=False)
class Reaching:
    """The number of times that a change by picks with a tag, of its unit, reaches a pick."""

    tag: str
    reach: Reach
    change: Change

    def measure(self, facts: Facts[P], place: P) -> Number | None:
        return facts.times_reached(self, place)


#: The number after a change of a value, made a number of times.
CHANGES: Final[Mapping[str, Callable[[Number, Number, int], Number]]] = {
    "set": lambda base, value, times: value,
    "add": lambda base, value, times: base + value * times,
    "subtract": lambda base, value, times: base - value * times,
    "multiply": lambda base, value, times: base * Fraction(value) ** times,
    "divide": lambda base, value, times: base / Fraction(value) ** times if value else base,
    "at least": lambda base, value, times: max(base, value),
    "at most": lambda base, value, times: min(base, value),
}


#: How often a number may be multiplied by one change: it would grow beyond all measure.
MOST_TIMES: Final = 1000


class Amount(NamedTuple):
    """A number with the changes it undergoes, in their order."""

    base: Number
    changes: tuple[Change, ...] = ()

    def at(self, facts: Facts[P], place: P) -> Number | None:
        """Return the number as seen from a pick; None where it is not known."""
        value = self.base
        for change in self.changes:
            times = change.times(facts, place)
            if times is None or (times > MOST_TIMES and change.act in ("multiply", "divide")):
                return None
            if times > 0 and change.number is None:
                return None
            if times > 0 and change.number is not None:
                value = whole(CHANGES[change.act](value, change.number, times))
        return value


def parts_in(part: object) -> Iterator[object]:
    """Yield a condition, or something made of conditions, and all that it is made of."""
    yield part
    inner: Iterable[object] = part if isinstance(part, tuple) else ()
    if is_dataclass(part):
        inner = [getattr(part, one.name) for one in fields(part)]
    for one in inner:
        yield from parts_in(one)


def whole(number: Number) -> Number:
    """Return a number as an int where it is whole."""
    if isinstance(number, Fraction) and number.denominator == 1:
        return number.numerator
    return number
