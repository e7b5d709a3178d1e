"""Bounds of a unit's entry in its book: of its models, its options, groups of them, their points.

Said once: a unit on a list keeps the bounds that are broken (`loadout`), a possible one demands all
of them (`space.entries`).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Generic, NamedTuple, TypeAlias

from armybuilder.engine.amounts import NONE, ZERO, Amount
from armybuilder.engine.conditions import Condition, Facts
from armybuilder.engine.options import Demand, Group, Slot
from armybuilder.engine.space.constraints import FALSE, TRUE, Literal
from armybuilder.engine.units import Unit
from armybuilder.engine.view import N
from armybuilder.engine.wording import say

#: The ids from a unit down to an option or group.
Path = tuple[str, ...]
#: What an entry bounds: the aspect, as rules of kind "entry" call it; the path to the option or
#: group, empty for the entry itself and None for the number of models; the name of that.
Bounded: TypeAlias = tuple[str, Path | None, str]
Literals: TypeAlias = Sequence[Literal]
Needs: TypeAlias = Sequence[Condition]


class EntryBound(NamedTuple, Generic[N]):
    """A number that an entry bounds where all of `when` hold."""

    aspect: str
    path: Path | None
    name: str
    number: N
    low: int | None
    high: int | None
    when: tuple[Literal, ...] = ()


class EntryBounds(ABC, Generic[N]):
    """The bounds of one unit's entry, on a list or in a space of lists."""

    place: Facts[N]

    def unit(self, unit: Unit, models: N, present: Literal) -> None:
        """Bound whether a unit may be there, and with how many models."""
        if unit.needs is not None:
            self._bar((), say("not available"), present, self.opened((unit.needs,)))
        if unit.size is not None and unit.counts:
            least, most = unit.size
            self.least(("too-small", None, ""), models, least, present, ())
            self.most(("too-large", None, ""), models, most, (present,))

    def option(self, slot: Slot, path: Path, number: N, taken: Literal, opened: Literal) -> None:
        """Bound how often an option is taken in a slot, which is available where `opened` holds."""
        option = slot.option
        self._bar(path, option.name, taken, opened)
        if opened != FALSE:
            self.most(("too-often", path, option.name), number, option.most, (taken,), opened)

    def group(self, group: Group, path: Path, number: N, points: N, taken: Literals) -> None:
        """Bound how much is taken of a group, and for how many points."""
        if group.most != NONE:
            self.most(("group-over", path, group.name), number, group.most, taken)
        if group.allowance != NONE:
            self.most(("allowance", path, group.name), points, group.allowance, taken)

    def demand(self, demand: Demand, path: Path, number: N, present: Literal) -> None:
        """Bound an option or group from below, where its parent is there."""
        node, needs = demand
        self.least(("group-under", path, node.name), number, node.least, present, needs)

    def _bar(self, path: Path, name: str, there: Literal, opened: Literal) -> None:
        if opened != TRUE:
            number = self.place.algebra.constant(1)
            self.most(("unavailable", path, name), number, ZERO, (there,), there, ~opened)

    def opened(self, needs: Needs) -> Literal:
        """Return whether none of some needs certainly fails."""
        return self.place.algebra.all_of([self.place.holds(one, perhaps=True) for one in needs])

    @abstractmethod
    def least(self, what: Bounded, number: N, least: Amount, there: Literal, needs: Needs) -> None:
        """A number reaches an amount where its unit or parent is `there` and its needs hold."""

    @abstractmethod
    def most(self, what: Bounded, number: N, most: Amount, taken: Literals, *when: Literal) -> None:
        """A number, nothing unless some of it is `taken`, does not exceed an amount."""
