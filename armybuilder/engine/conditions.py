"""Conditions: `when`, `needs` and `not_with` on a unit and the army around it.

Each is stated once, as a literal, for a list that is there (`Place`) and a space of lists
(`space.where`). A book may leave out a unit's statistics or special rules: what depends on them
then doesn't certainly hold, but perhaps. See `traits` for those.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass
from types import MappingProxyType
from typing import ClassVar, NamedTuple, Protocol, TypeVar

from armybuilder.engine.algebra import WHOLE, Algebra, N
from armybuilder.engine.selectors import Tags
from armybuilder.engine.space.constraints import FALSE, TRUE, Literal
from armybuilder.engine.wording import Words, either, listed, marked, say


class Army(NamedTuple):
    """Facts of an army for conditions: game size in points, settings, and the counts of
    everything that conditions name ("unit:...", "option:...", "group:...")."""

    limit: int
    settings: Mapping[str, object]
    counts: Mapping[str, int]


#: A value that no place can change for the others.
NOTHING_TAKEN: Mapping[str, int] = MappingProxyType({})


class Facts(Protocol[N]):
    """Facts for conditions and amounts, of a list or a space of lists: those of a unit, or (without
    models, tags and options) of the army itself."""

    @property
    def algebra(self) -> Algebra[N]:
        """Arithmetic of its numbers and literals."""

    @property
    def models(self) -> N:
        """Number of models in the unit."""

    @property
    def limit(self) -> int:
        """Game size in points."""

    def count(self, tags: Iterable[str], army: bool = False) -> N:
        """Return how often options with any of these tags are taken: in the unit, or the army."""

    def within(self, tags: Iterable[str], army: bool, low: int | None, high: int | None) -> Literal:
        """Return whether that number lies within bounds; None: unbounded."""

    def has_taken(self, tag: str) -> Literal:
        """Return whether an option with a tag is taken in the unit."""

    def tagged(self, tag: str) -> Literal:
        """Return whether the unit has a tag by itself."""

    def has(self, tag: str) -> Literal:
        """Return whether the unit has a tag, by itself or by an option."""

    def among(self, setting: str, values: Set[str | int] | range) -> Literal:
        """Return whether a setting has one of some values."""

    def holds(self, condition: Condition | None, perhaps: bool = False) -> Literal:
        """Return whether a condition certainly holds, or `perhaps` does; none always does."""


class _Place(NamedTuple):
    army: Army
    taken: Mapping[str, int] = NOTHING_TAKEN
    models: int = 0
    tags: Tags = frozenset()


class Place(_Place):
    """Place of a condition on a list: in one unit, or (the rest empty) in the army itself.

    `taken` counts the options, and options of each group, taken in the unit.
    """

    __slots__ = ()
    algebra = WHOLE

    @property
    def limit(self) -> int:
        return self.army.limit

    def count(self, tags: Iterable[str], army: bool = False) -> int:
        counts = self.army.counts if army else self.taken
        return sum(counts.get(tag, 0) for tag in tags)

    def within(self, tags: Iterable[str], army: bool, low: int | None, high: int | None) -> Literal:
        counts, number = self.army.counts if army else self.taken, 0
        for tag in tags:
            number += counts.get(tag, 0)
        inside = (low is None or number >= low) and (high is None or number <= high)
        return TRUE if inside else FALSE

    def has_taken(self, tag: str) -> Literal:
        return TRUE if tag in self.taken else FALSE

    def tagged(self, tag: str) -> Literal:
        return TRUE if tag in self.tags else FALSE

    def has(self, tag: str) -> Literal:
        return TRUE if tag in self.tags or tag in self.taken else FALSE

    def among(self, setting: str, values: Set[str | int] | range) -> Literal:
        return TRUE if self.army.settings.get(setting) in values else FALSE

    def holds(self, condition: Condition | None, perhaps: bool = False) -> Literal:
        return TRUE if condition is None else condition.literal(self, perhaps)


class Condition(ABC):
    """A question about a place. `unsure`: the book may leave the answer open."""

    unsure: ClassVar[bool] = False

    @abstractmethod
    def literal(self, facts: Facts[N], perhaps: bool) -> Literal:
        """Return whether it certainly holds; `perhaps`: or may, as far as the book says."""

    def holds(self, place: Place) -> bool:
        """Return whether it certainly holds at a place."""
        return self.literal(place, False) == TRUE

    def may_hold(self, place: Place) -> bool:
        """Return whether it holds at a place, or the book leaves that open."""
        return self.literal(place, True) == TRUE

    @abstractmethod
    def lack(self, place: Place) -> str:
        """Return the missing thing if the condition fails: "needs Standard Bearer"."""

    @abstractmethod
    def excess(self, place: Place) -> str:
        """Return the conflict if the condition holds but must not: "not with Great Weapon"."""

    @property
    def inner(self) -> tuple[Condition, ...]:
        """The conditions that it is made of."""
        return ()

    def parts(self) -> Iterator[Condition]:
        """Return the condition and those it is made of, at any depth."""
        yield self
        for part in self.inner:
            yield from part.parts()


class Named(Condition):
    """A condition described by the name of its object."""

    name: Words
    texts: ClassVar[tuple[str, str]] = marked(("only for {what}", "not for {what}"))

    def lack(self, place: Place) -> str:
        return say(self.texts[0], what=self.name)

    def excess(self, place: Place) -> str:
        return say(self.texts[1], what=self.name)


C = TypeVar("C", bound=Condition)


@dataclass(frozen=True, slots=True)
class OptionTaken(Condition):
    """Options, groups or units that `tags` name are taken from `low` to `high` times, in the
    unit or (`army`) in the whole army.
    """

    tags: tuple[str, ...]
    names: tuple[str, ...]
    low: int | None = 1
    high: int | None = None
    army: bool = False

    def literal(self, facts: Facts[N], perhaps: bool) -> Literal:
        return facts.within(self.tags, self.army, self.low, self.high)

    def lack(self, place: Place) -> str:
        if self.low is None:
            return self._not_with(place)
        number = f"{self.low} × " if self.low > 1 else ""
        what = number + either(dict.fromkeys(self.names))
        return say("needs {what} in the army" if self.army else "needs {what}", what=what)

    def excess(self, place: Place) -> str:
        if self.low is not None:
            return self._not_with(place)
        return say("needs more {what}", what=self.names[0])

    def _not_with(self, place: Place) -> str:
        named = zip(self.tags, self.names, strict=True)
        there = [name for tag, name in named if place.count((tag,), self.army)]
        what = either(dict.fromkeys(there or self.names))
        return say("not with {what} in the army" if self.army else "not with {what}", what=what)


#: By the bounded number, and whether it has a lower and an upper bound.
_NEEDS = marked(
    {
        ("models", True, False): "needs at least {low} models",
        ("models", False, True): "needs at most {high} models",
        ("models", True, True): "needs at least {low} and at most {high} models",
        ("limit", True, False): "only in games of {low} points or more",
        ("limit", False, True): "only in games of up to {high} points",
        ("limit", True, True): "only in games of {low} to {high} points",
    }
)
_NOT_WITH = marked(
    {
        ("models", True, False): "only with fewer than {low} models",
        ("models", False, True): "only with more than {high} models",
        ("models", True, True): "not with {low} to {high} models",
        ("limit", True, False): "only in games under {low} points",
        ("limit", False, True): "only in games over {high} points",
        ("limit", True, True): "not in games of {low} to {high} points",
    }
)


@dataclass(frozen=True, slots=True)
class Within(Condition):
    """The number of models in the unit ("models") or the game size ("limit") lies in bounds."""

    what: str
    low: int | None = None
    high: int | None = None

    def literal(self, facts: Facts[N], perhaps: bool) -> Literal:
        if self.what == "models":
            return facts.algebra.between(facts.models, self.low, self.high)
        return WHOLE.between(facts.limit, self.low, self.high)

    def lack(self, place: Place) -> str:
        return self._say(_NEEDS)

    def excess(self, place: Place) -> str:
        return self._say(_NOT_WITH)

    def _say(self, texts: Mapping[tuple[str, bool, bool], str]) -> str:
        text = texts[self.what, self.low is not None, self.high is not None]
        return say(text, low=self.low, high=self.high)


@dataclass(frozen=True, slots=True)
class SettingIs(Named):
    """A setting of the list has this value."""

    setting: str
    value: str
    name: str
    texts: ClassVar[tuple[str, str]] = marked(("only in {what}", "not in {what}"))

    def literal(self, facts: Facts[N], perhaps: bool) -> Literal:
        return facts.among(self.setting, {self.value})


@dataclass(frozen=True, slots=True)
class Has(Named):
    """The unit itself is of this kind: a category, a unit of the book, a role, a keyword."""

    tag: str
    name: Words

    def literal(self, facts: Facts[N], perhaps: bool) -> Literal:
        return facts.tagged(self.tag)


@dataclass(frozen=True, slots=True)
class Not(Condition):
    """The other does not hold."""

    other: Condition

    def literal(self, facts: Facts[N], perhaps: bool) -> Literal:
        return ~self.other.literal(facts, not perhaps)

    def lack(self, place: Place) -> str:
        return self.other.excess(place)

    def excess(self, place: Place) -> str:
        return self.other.lack(place)

    @property
    def inner(self) -> tuple[Condition, ...]:
        return (self.other,)


@dataclass(frozen=True, slots=True)
class Several(Condition):
    """A condition made of others."""

    others: tuple[Condition, ...]

    @property
    def inner(self) -> tuple[Condition, ...]:
        return self.others


@dataclass(frozen=True, slots=True)
class AllOf(Several):
    """Each of them holds."""

    def literal(self, facts: Facts[N], perhaps: bool) -> Literal:
        return facts.algebra.all_of([other.literal(facts, perhaps) for other in self.others])

    def lack(self, place: Place) -> str:
        return ", ".join(other.lack(place) for other in self.others if not other.holds(place))

    def excess(self, place: Place) -> str:
        return listed(other.excess(place) for other in self.others)


@dataclass(frozen=True, slots=True)
class AnyOf(Several):
    """At least one of them holds."""

    def literal(self, facts: Facts[N], perhaps: bool) -> Literal:
        return facts.algebra.any_of([other.literal(facts, perhaps) for other in self.others])

    def lack(self, place: Place) -> str:
        return either(other.lack(place) for other in self.others)

    def excess(self, place: Place) -> str:
        return ", ".join(other.excess(place) for other in self.others if other.may_hold(place))


def in_role(tag: str, role: str) -> str:
    """Return the tag that a unit of the army is counted by in a role."""
    return f"{tag} as {role}"


def all_of(conditions: list[Condition]) -> Condition | None:
    """One condition for several that must all hold, equal ones once; None where there is none."""
    several = tuple(dict.fromkeys(conditions))
    if len(several) > 1:
        return AllOf(several)
    return several[0] if several else None


def parts_of(condition: Condition | None, kind: type[C]) -> Iterator[C]:
    """Yield the parts of a condition that are of one class, at any depth."""
    for part in condition.parts() if condition is not None else ():
        if isinstance(part, kind):
            yield part


def army_tags(condition: Condition | None) -> set[str]:
    """Return the tags that the condition counts in the whole army."""
    return {tag for part in parts_of(condition, OptionTaken) if part.army for tag in part.tags}


def wanted_at(needs: Iterable[Condition], place: Place) -> frozenset[str]:
    """Return the tags of options of which one is all that these conditions lack at a place; none
    where they lack more than one thing, or something else than an option.
    """
    lacking = [need for need in _leaves(needs, AllOf) if not need.may_hold(place)]
    if len(lacking) != 1:
        return frozenset()
    return frozenset(
        tag
        for way in _leaves(lacking, AnyOf)
        if isinstance(way, OptionTaken) and not way.army and way.low == 1
        for tag in way.tags
    )


def _leaves(conditions: Iterable[Condition], kind: type[Several]) -> Iterator[Condition]:
    """Yield conditions, and those inside of one of a kind in its place."""
    for condition in conditions:
        if isinstance(condition, kind):
            yield from _leaves(condition.others, kind)
        else:
            yield condition


def may_stay_open(condition: Condition) -> bool:
    """Return whether a book may leave it open if the condition holds."""
    return any(part.unsure for part in condition.parts())
