"""Queries, conditions and amounts: the parts that describe when a pick is allowed, and its price.

All of it is data, made once for each place of use and shared by all lists. A query sums a field
over the picks with a tag, within a scope. Conditions and amounts are made of queries; `evaluation`
works them out for a list.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from functools import reduce
from operator import add, eq, ge, gt, le, lt, mul, ne, sub
from typing import ClassVar, Final, Generic, NamedTuple, Protocol, Self, TypeAlias, TypeVar

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


class Kinded(Protocol):
    """Definition of a pick: its kind, and its tags before any moves."""

    kind: Kind

    @property
    def tags(self) -> frozenset[str]:
        """Tags visible to queries and conditions."""


class Place:
    """Place of an actual or (not `present`) possible pick, for queries and conditions.

    `force` contains it; that of a force, or of the list, is itself.
    """

    __slots__ = ()

    definition: Kinded
    above: Self | None
    present: bool
    force: Self

    def chain(self) -> Iterator[Self]:
        """Yield itself, where it is there, and all above it, nearest first."""
        place = self if self.present else self.above
        while place is not None:
            yield place
            place = place.above

    def around(self) -> Iterator[Self]:
        """Return all above it, nearest first."""
        return iter(()) if self.above is None else self.above.chain()

    @property
    def in_branch(self) -> bool:
        """Return whether it is in a force, at any depth."""
        return self.definition.kind not in (Kind.LIST, Kind.FORCE)

    @property
    def root(self) -> Self | None:
        """The pick directly in the force that it is, or is on."""
        inside = [place for place in self.chain() if place.in_branch]
        return inside[-1] if inside else None


S = TypeVar("S", bound=Place)


class Scopes(Generic[S]):
    """Scopes of a list, or of all lists that it can become; `top` is the whole list."""

    top: S

    def within(self, scope: Within, place: S) -> S | None:
        """Return the pick that a scope means, as seen from another; None where there is none."""
        if scope is Scope.SELF:
            return place if place.present else None
        if scope is Scope.PARENT:
            return place.above
        if scope is Scope.FORCE:
            return place.force
        if scope is Scope.LIST:
            return self.top
        if scope is Scope.ROOT:
            return place.root
        if isinstance(scope, Nearest):
            near = place.chain() if scope.itself else place.around()
            return next((at for at in near if self.has_one(at, scope.tags)), None)
        return place.above

    def has_one(self, at: S, tags: frozenset[str]) -> bool:
        """Return whether a pick has one of some tags."""
        raise NotImplementedError


class ListPlace(Place):
    """Place on a list; its `categories`, each with whether it is the primary one."""

    __slots__ = ()

    number: int
    tags: frozenset[str]
    categories: Mapping[str, bool]


P = TypeVar("P", bound=ListPlace)


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
            ask = self.field, self.tag, self.deep, self.forces
            return sum(facts.count(at, *ask) for at in place.around())
        at = facts.within(self.scope, place)
        return None if at is None else facts.count(at, self.field, self.tag, self.deep, self.forces)


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
        return divided(100 * part, whole) if whole else 0


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
        numbers = [part.measure(facts, place) for part in self.parts]
        known = [number for number in numbers if number is not None]
        return whole(reduce(COMBINED[self.act], known)) if known == numbers else None


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
            above = place.above
            while above is not None and self.tag not in above.tags:
                above = above.above
            return above is not None
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
        return Compare(self, self.comparison, self.value).holds(facts, place)

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

    def reaches(self, at: S, place: S) -> bool:
        """Return whether a pick is among those that a change within `at` is about, by the tags that
        it had before any moves."""
        if self.tag and self.tag not in place.definition.tags:
            return False
        if not at.in_branch:
            is_in = at.above is None or place.force is at
            return is_in and (self.deep or place.above is place.force)
        if place is at:
            return self.itself
        return self.below and (at in place.around() if self.deep else place.above is at)


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


def whole(number: Number) -> Number:
    """Return a number as an int where it is whole."""
    if isinstance(number, Fraction) and number.denominator == 1:
        return number.numerator
    return number


def divided(number: Number, by: Number) -> Number:
    """Return a number divided by another, as an int where it is whole."""
    return Fraction(number) / by if number % by else number // by
