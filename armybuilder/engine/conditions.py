"""Conditions: `when`, `needs` and `not_with` on a unit and the army around it.

Most have two answers. Those about a unit's statistics or special rules have a third, because a book
may leave them out: `holds` is then false, and `told` is None. See `traits` for those. `holds_in`
and `told_in` answer for a space of lists; see `space`.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import ClassVar, NamedTuple

from armybuilder.engine.selectors import Tags
from armybuilder.engine.space.constraints import Expression, Literal
from armybuilder.engine.space.where import Told, Where
from armybuilder.engine.wording import Words, either, listed, marked, say


class Army(NamedTuple):
    """Facts of an army for conditions: game size in points, settings, and the counts of
    everything that conditions name ("unit:...", "option:...", "group:...")."""

    limit: int
    settings: Mapping[str, object]
    counts: Mapping[str, int]


#: A value that no place can change for the others.
NOTHING_TAKEN: Mapping[str, int] = MappingProxyType({})


class Place(NamedTuple):
    """Place of a condition: in one unit of an army, or (the rest empty) in the army itself.

    `taken` counts the options, and options of each group, taken in the unit.
    """

    army: Army
    taken: Mapping[str, int] = NOTHING_TAKEN
    models: int = 0
    tags: Tags = frozenset()


class Condition(ABC):
    """A question about a place. `unsure`: the book may leave the answer open."""

    unsure: ClassVar[bool] = False

    @abstractmethod
    def holds(self, place: Place) -> bool:
        """Return whether it certainly holds at a place."""

    def told(self, place: Place) -> bool | None:
        """Return the answer at a place; None if the book lacks the fact."""
        return self.holds(place)

    @abstractmethod
    def lack(self, place: Place) -> str:
        """Return the missing thing if the condition fails: "needs Standard Bearer"."""

    @abstractmethod
    def excess(self, place: Place) -> str:
        """Return the conflict if the condition holds but must not: "not with Great Weapon"."""

    @abstractmethod
    def holds_in(self, where: Where) -> Literal:
        """Return whether the condition certainly holds in a space of lists."""

    def told_in(self, where: Where) -> Told:
        """Return whether the condition certainly holds in a space of lists, and whether it may."""
        holds = where.holds(self)
        return holds, holds

    @property
    def inner(self) -> "tuple[Condition, ...]":
        """The conditions that it is made of."""
        return ()

    def parts(self) -> "Iterator[Condition]":
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

    def holds(self, place: Place) -> bool:
        counts = place.army.counts if self.army else place.taken
        number = 0
        for tag in self.tags:
            number += counts.get(tag, 0)
        return _within(number, self.low, self.high)

    def holds_in(self, where: Where) -> Literal:
        return where.constraints.between(where.count(self.tags, self.army), self.low, self.high)

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
        counts = place.army.counts if self.army else place.taken
        there = [
            name for tag, name in zip(self.tags, self.names, strict=True) if counts.get(tag, 0)
        ]
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

    def holds(self, place: Place) -> bool:
        number = place.models if self.what == "models" else place.army.limit
        return _within(number, self.low, self.high)

    def holds_in(self, where: Where) -> Literal:
        number = where.models if self.what == "models" else Expression(where.limit)
        return where.constraints.between(number, self.low, self.high)

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

    def holds(self, place: Place) -> bool:
        return place.army.settings.get(self.setting) == self.value

    def holds_in(self, where: Where) -> Literal:
        return where.army.setting_is(self.setting, self.value)


@dataclass(frozen=True, slots=True)
class Has(Named):
    """The unit itself is of this kind: a category, a unit of the book, a role, a keyword."""

    tag: str
    name: Words

    def holds(self, place: Place) -> bool:
        return self.tag in place.tags

    def holds_in(self, where: Where) -> Literal:
        return where.tag(self.tag)


@dataclass(frozen=True, slots=True)
class Not(Condition):
    """The other does not hold."""

    other: Condition

    def holds(self, place: Place) -> bool:
        return not self.other.holds(place)

    def told(self, place: Place) -> bool | None:
        answer = self.other.told(place)
        return None if answer is None else not answer

    def holds_in(self, where: Where) -> Literal:
        return ~where.holds(self.other)

    def told_in(self, where: Where) -> Told:
        sure, perhaps = where.told(self.other)
        return ~perhaps, ~sure

    def lack(self, place: Place) -> str:
        return self.other.excess(place)

    def excess(self, place: Place) -> str:
        return self.other.lack(place)

    @property
    def inner(self) -> tuple[Condition, ...]:
        return (self.other,)


@dataclass(frozen=True, slots=True)
class Several(Condition):
    """A condition made of others. One whose answer is `decisive` gives the answer."""

    decisive: ClassVar[bool]
    others: tuple[Condition, ...]

    def told(self, place: Place) -> bool | None:
        answers = {other.told(place) for other in self.others}
        decisive = self.decisive
        return decisive if decisive in answers else None if None in answers else not decisive

    def holds_in(self, where: Where) -> Literal:
        return self._of(where, map(where.holds, self.others))

    def told_in(self, where: Where) -> Told:
        sure, perhaps = zip(*map(where.told, self.others), strict=True)
        return self._of(where, sure), self._of(where, perhaps)

    def _of(self, where: Where, literals: Iterable[Literal]) -> Literal:
        both = where.constraints
        return both.any_of(literals) if self.decisive else both.all_of(literals)

    @property
    def inner(self) -> tuple[Condition, ...]:
        return self.others


@dataclass(frozen=True, slots=True)
class AllOf(Several):
    """Each of them holds."""

    decisive = False

    def holds(self, place: Place) -> bool:
        return all(other.holds(place) for other in self.others)

    def lack(self, place: Place) -> str:
        return ", ".join(other.lack(place) for other in self.others if not other.told(place))

    def excess(self, place: Place) -> str:
        return listed(other.excess(place) for other in self.others)


@dataclass(frozen=True, slots=True)
class AnyOf(Several):
    """At least one of them holds."""

    decisive = True

    def holds(self, place: Place) -> bool:
        return any(other.holds(place) for other in self.others)

    def lack(self, place: Place) -> str:
        return either(other.lack(place) for other in self.others)

    def excess(self, place: Place) -> str:
        told = [other for other in self.others if other.told(place) is not False]
        return ", ".join(other.excess(place) for other in told)


def in_role(tag: str, role: str) -> str:
    """Return the tag that a unit of the army is counted by in a role."""
    return f"{tag} as {role}"


def all_of(conditions: list[Condition]) -> Condition | None:
    """One condition for several that must all hold, equal ones once; None where there is none."""
    several = tuple(dict.fromkeys(conditions))
    if len(several) > 1:
        return AllOf(several)
    return several[0] if several else None


def army_tags(condition: Condition | None) -> set[str]:
    """Return the tags that the condition counts in the whole army."""
    parts = condition.parts() if condition is not None else ()
    return {
        tag for part in parts if isinstance(part, OptionTaken) and part.army for tag in part.tags
    }


def wanted_tags(condition: Condition) -> frozenset[str]:
    """Return the tags of options of which a unit that takes one fulfils the condition."""
    if isinstance(condition, AnyOf):
        return frozenset(tag for other in condition.others for tag in wanted_tags(other))
    if isinstance(condition, OptionTaken) and not condition.army and condition.low == 1:
        return frozenset(condition.tags)
    return frozenset()


def wanted_at(needs: Iterable[Condition], place: Place) -> frozenset[str]:
    """Return the tags of options of which one is all that these conditions lack at a place; none
    where they lack more than one thing, or something else than an option.
    """
    lacking = [part for condition in needs for part in _lacking(condition, place)]
    return wanted_tags(lacking[0]) if len(lacking) == 1 else frozenset()


def _lacking(condition: Condition, place: Place) -> Iterator[Condition]:
    """Return the parts of a condition that certainly fail."""
    if isinstance(condition, AllOf):
        for other in condition.others:
            yield from _lacking(other, place)
    elif condition.told(place) is False:
        yield condition


def may_stay_open(condition: Condition) -> bool:
    """Return whether a book may leave it open if the condition holds."""
    return any(part.unsure for part in condition.parts())


def names_size(condition: Condition | None, place: Place) -> bool:
    """Return whether the condition names the game size at a place, among other things."""
    parts = condition.parts() if condition is not None else ()
    return any(
        isinstance(part, Within) and part.what == "limit" and part.holds(place) for part in parts
    )


def _within(number: int, low: int | None, high: int | None) -> bool:
    return (low is None or number >= low) and (high is None or number <= high)
