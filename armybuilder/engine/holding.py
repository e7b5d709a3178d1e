"""Counts of everything with a cap in an army: units and options of one key together."""

from __future__ import annotations

from collections.abc import Iterator, Set
from dataclasses import dataclass, field
from typing import Any, Generic

from armybuilder.engine.options import Cap, Option
from armybuilder.engine.space.constraints import TRUE, Literal
from armybuilder.engine.terms import MODELS, POINTS, UNITS
from armybuilder.engine.units import Unit
from armybuilder.engine.view import N, View
from armybuilder.engine.wording import listed

#: Field of a cap besides models and points: the number of times taken.
TIMES = "times"


@dataclass(slots=True)
class Held(Generic[N]):
    """Holdings under one cap: how often each thing is present, and for how many points; the
    members that have some; the `things`, each with its own cap; all with whether they are
    present."""

    key: str
    book: str
    numbers: list[N] = field(default_factory=list)
    points: list[N] = field(default_factory=list)
    owners: list[tuple[Any, list[Literal]]] = field(default_factory=list)
    things: dict[Unit | Option, tuple[Cap, list[Literal]]] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """Name of the holding, independent of the order on the list."""
        return listed(sorted({thing.name for thing in self.things}))

    @property
    def units(self) -> tuple[str, ...]:
        """The ids of the picks that have some."""
        return tuple(member.key for member, _ in self.owners)

    def counted(self, what: str, view: View[N]) -> N:
        """Return how often it is there ("times"), its "points", or the "models" of the units that
        have it, each counted once.
        """
        if what != MODELS:
            return view.algebra.sum(self.points if what == POINTS else self.numbers)
        numbers = []
        for member, having in self.owners:
            has = view.algebra.any_of(having)
            numbers.append(view.worth(member, MODELS, TRUE if has == member.present else has))
        return view.algebra.sum(numbers)


def hold_all(view: View[N], caps: Set[str] | None = None) -> dict[str, Held[N]]:
    """Return the holdings of units and options under each cap, or under these `caps` only."""
    found: dict[str, Held[N]] = {}
    for member in view.members:
        if caps is not None and caps.isdisjoint(member.caps):
            continue
        for thing, having, number, points in _capped(view, member):
            cap = thing.cap
            if cap is None or (caps is not None and cap.key not in caps):
                continue
            held = found.get(cap.key)
            if held is None:
                held = found[cap.key] = Held(cap.key, member.unit.book_name)
            if thing not in held.things:
                held.things[thing] = cap, []
            if not held.owners or held.owners[-1][0] is not member:
                held.owners.append((member, []))
            held.things[thing][1].append(having)
            held.owners[-1][1].append(having)
            held.numbers.append(number)
            held.points.append(points)
    return found


def _capped(view: View[N], member: Any) -> Iterator[tuple[Unit | Option, Literal, N, N]]:
    """Yield a member's unit and options with a cap: each with its presence, number and points."""
    unit, present = member.unit, member.present
    if unit.cap is not None:
        yield unit, present, view.worth(member, UNITS, present), member.points
    for item in member.capped:
        yield item.option, item.taken, member.on_all(item.number), item.total
