"""Spots: possible picks of a list, each with an unknown number."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import lcm
from operator import is_
from typing import TypeAlias

from armybuilder.engine.kernel.conditions import (
    NUMBER,
    Amount,
    Kind,
    Place,
    Scope,
)
from armybuilder.engine.kernel.definitions import Definition
from armybuilder.engine.kernel.picks import Pick, PickList
from armybuilder.engine.space.constraints import TRUE, Constraints, Expression, Literal

#: How many more of a definition may be taken on a spot: how many spots, and how many of each.
Offer: TypeAlias = Callable[["Spot", Definition], tuple[int, int]]
#: The maximum of a pick already on the list, on a spot.
Room: TypeAlias = Callable[["Spot", Pick], int]


@dataclass(slots=True, eq=False)
class Spot(Place):
    """A possible pick: its `number`, at most `most`, and whether any is `taken`.

    `was` is the actual pick. Not `present`: nothing can be there, it is only asked from there.
    """

    definition: Definition
    above: Spot | None
    was: Pick | None
    number: Expression
    taken: Literal
    variable: int | None = None
    below: list[Spot] = field(default_factory=list)
    most: int = 1
    present: bool = True
    force: Spot = field(init=False)

    def __post_init__(self) -> None:
        above = self.above if self.in_branch or not self.present else None
        self.force = self if above is None else above.force

    @property
    def is_held(self) -> bool:
        """Return whether it stays unchanged."""
        return self.in_branch and self.variable is None

    def walk(self) -> Iterator[Spot]:
        """Yield all possible contents at any depth."""
        for spot in self.below:
            yield spot
            yield from spot.walk()


@dataclass(eq=False)
class Spots:
    """The spots of all lists that one can become.

    Picks in a force that are `held` stay unchanged with all their contents.
    """

    roster: PickList
    offer: Offer
    held: Container[Pick] = ()
    room: Room = lambda _, pick: max(pick.number, most_of(pick.definition))

    def __post_init__(self) -> None:
        self.constraints = Constraints()
        self.top = Spot(self.roster.definition, None, None, Expression(1), TRUE)
        self.forces: list[Spot] = []
        for pick in self.roster.forces:
            self._add_force(pick, self.top)
        self.picks = [spot for spot in self.top.walk() if spot.in_branch]

    def _add_force(self, pick: Pick, above: Spot) -> None:
        force = Spot(pick.definition, above, pick, Expression(1), TRUE)
        above.below.append(force)
        self.forces.append(force)
        for below in pick.below:
            if below.definition.kind is Kind.FORCE:
                self._add_force(below, force)
            else:
                self._add_pick(below, force)
        self._add_offered(force)

    def _add_pick(self, pick: Pick, above: Spot) -> None:
        if above.is_held or pick in self.held:
            number = Expression(pick.number)
            spot = Spot(pick.definition, above, pick, number, TRUE, most=pick.number)
            above.below.append(spot)
            for below in pick.below:
                self._add_pick(below, spot)
            return
        spot = self._spot(pick.definition, above, pick, self.room(above, pick))
        for below in pick.below:
            self._add_pick(below, spot)
        self._add_offered(spot)

    def _add_offered(self, above: Spot) -> None:
        for definition in above.definition.offered:
            spots, most = self.offer(above, definition)
            for _ in range(spots):
                self._add_offered(self._spot(definition, above, None, most))

    def _spot(self, definition: Definition, above: Spot, was: Pick | None, most: int) -> Spot:
        both = self.constraints
        variable = both.whole(0, most)
        number = Expression.of(variable)
        both.require(number - both.number(above.taken) * most, None, 0)
        spot = Spot(definition, above, was, number, both.at_least(number, 1), variable, [], most)
        above.below.append(spot)
        return spot

    def scales(self) -> dict[str, int]:
        """Return the least part in which each cost is counted: prices may be fractions."""
        scales: dict[str, int] = {}
        for spot in self.picks:
            for cost, amount in spot.definition.prices.items():
                scales[cost] = lcm(scales.get(cost, 1), _parts_of(amount))
        return scales

    def as_it_stands(self) -> dict[int, int]:
        """Return the value of each unknown on the list, by its variable."""
        return {
            spot.variable: spot.was.number if spot.was is not None else 0
            for spot in self.picks
            if spot.variable is not None
        }

    def list_of(self, values: Sequence[int], new_id: Callable[[], str]) -> PickList:
        """Return the list that the unknowns' values mean."""

        def picks(above: Spot) -> Iterator[Pick]:
            for spot in above.below:
                was = spot.was
                if was is not None and spot.is_held:
                    yield was
                    continue
                number = 1 if spot.variable is None else values[spot.variable]
                below = tuple(picks(spot)) if number else ()
                if was is None:
                    if number:
                        yield Pick(new_id(), spot.definition, number, below)
                elif number == was.number and len(below) == len(was.below):
                    same = all(map(is_, below, was.below))
                    yield was if same else replace(was, below=below)
                elif number:
                    yield replace(was, number=number, below=below)

        return PickList(self.roster.definition, tuple(picks(self.top)), self.roster.limits)


def most_of(definition: Definition, scopes: Container[Scope] = (Scope.PARENT,)) -> int:
    """Return the maximum that a definition's own bounds allow within one of some scopes; 0:
    unknown.
    """
    tops = [
        int(bound.high.base)
        for bound in definition.bounds
        if bound.high is not None and not bound.high.changes and not bound.share
        if bound.query.scope in scopes and bound.query.field == NUMBER
    ]
    return max(0, min(tops, default=0))


def _parts_of(amount: Amount) -> int:
    """Return of how many parts a price is a whole number, whichever of its changes are made."""
    numbers = [Fraction(one.number) for one in amount.changes if one.number is not None]
    parts = lcm(Fraction(amount.base).denominator, *(number.denominator for number in numbers))
    for change in amount.changes:
        parts *= factor.denominator if (factor := change.factor) is not None else 1
    return parts
