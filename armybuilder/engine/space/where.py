"""Places of conditions in a space of lists: the counterpart of `conditions.Place`.

It offers the parts of conditions and amounts: numbers of things taken, numbers of models, tags.
Answers are literals, numbers are expressions.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Set
from dataclasses import dataclass, field
from typing import TypeAlias

from armybuilder.engine.conditions import Condition
from armybuilder.engine.space.constraints import (
    FALSE,
    NOTHING,
    TRUE,
    Constraints,
    Expression,
    Literal,
)

#: By a tag, how often each thing is taken that has it.
Counts: TypeAlias = dict[str, list[Expression]]


@dataclass(frozen=True, slots=True)
class FreeSettings:
    """Settings that the player may choose otherwise: a literal for each value of a setting with
    one, a variable for how often each piece is chosen, a variable for each number.
    """

    values: Mapping[str, Mapping[str, Literal]] = field(default_factory=dict)
    pieces: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    numbers: Mapping[str, int] = field(default_factory=dict)


@dataclass(eq=False)
class ArmyWhere:
    """Facts of the whole army for conditions: game size in points, settings, counts.

    `budget`: the most points of a list of interest; None: any number. `free` are the settings that
    may change. `aspects` are those of entries that no list breaks. `others`: unknown units may be
    in the army, too, but without some tags; None: no others.
    """

    constraints: Constraints
    limit: int
    settings: Mapping[str, object]
    free: FreeSettings
    others: Collection[str] | None = None
    budget: int | None = None
    aspects: Collection[str] = ()
    _counts: dict[str, Expression] = field(init=False, default_factory=dict)
    _unknown: dict[str, Expression] = field(init=False, default_factory=dict)

    def note(self, tag: str, number: Expression) -> None:
        """Add an amount to the count of a tag."""
        self._counts.setdefault(tag, Expression()).add(number)

    def count(self, tag: str) -> Expression:
        """Return how many picks in the army have a tag."""
        counted = self._counts.get(tag, NOTHING)
        if self.others is None or tag in self.others:
            return counted
        if tag not in self._unknown:
            self._unknown[tag] = self.constraints.open_number()
        return counted + self._unknown[tag]

    def among(self, setting: str, values: Set[str | int] | range) -> Literal:
        """Return whether a setting has one of some values."""
        both, number = self.constraints, self.free.numbers.get(setting)
        if isinstance(values, range) and number is not None:
            return both.between(Expression.of(number), values.start, values.stop - 1)
        if setting in self.free.values and not isinstance(values, range):
            named = sorted(value for value in values if isinstance(value, str))
            return both.any_of(self.free.values[setting].get(value, FALSE) for value in named)
        return TRUE if self.settings.get(setting) in values else FALSE


@dataclass(eq=False)
class Where:
    """One unit of the army, or (without counts, models and tags) the army itself."""

    army: ArmyWhere
    counts: Counts = field(default_factory=dict)
    models: Expression = NOTHING
    tagged: Callable[[str], Literal] = lambda _: FALSE

    def __post_init__(self) -> None:
        self.algebra = self.army.constraints
        self.limit = self.army.limit
        self.among = self.army.among
        self._holds: dict[tuple[int, bool], Literal] = {}

    def with_tags(self, tagged: Callable[[str], Literal]) -> Where:
        """Return the same unit with other tags."""
        return Where(self.army, self.counts, self.models, tagged)

    def count(self, tags: Iterable[str], army: bool = False) -> Expression:
        """Return how often options with any of these tags are taken: in the unit, or the army."""
        total = Expression()
        for tag in tags:
            for number in [self.army.count(tag)] if army else self.counts.get(tag, ()):
                total.add(number)
        return total

    def within(self, tags: Iterable[str], army: bool, low: int | None, high: int | None) -> Literal:
        """Return whether that number lies within bounds; None: unbounded."""
        return self.algebra.between(self.count(tags, army), low, high)

    def has_taken(self, tag: str) -> Literal:
        """Return whether an option with a tag is taken in the unit."""
        return self.algebra.at_least(self.count((tag,)), 1)

    def has(self, tag: str) -> Literal:
        """Return whether the unit has a tag, by itself or by an option."""
        return self.algebra.any_of([self.tagged(tag), self.has_taken(tag)])

    def holds(self, condition: Condition | None, perhaps: bool = False) -> Literal:
        """Return whether a condition certainly holds, or `perhaps` does; none always does."""
        if condition is None:
            return TRUE
        key = id(condition), perhaps
        found = self._holds.get(key)
        if found is None:
            found = self._holds[key] = condition.literal(self, perhaps)
        return found
