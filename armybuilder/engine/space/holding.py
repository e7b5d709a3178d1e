"""Count everything that has a cap, in lists that may be: the counterpart of `tally.Held`."""

from __future__ import annotations

from dataclasses import dataclass, field
from weakref import WeakKeyDictionary

from armybuilder.engine.options import Cap, Option
from armybuilder.engine.space.candidates import Candidate
from armybuilder.engine.space.constraints import Literal
from armybuilder.engine.space.expressions import Expression
from armybuilder.engine.space.space import Space
from armybuilder.engine.units import Unit


@dataclass(slots=True)
class HeldIn:
    """Units and options of one cap: how often lists may hold them, for how many points, and who;
    and each of them by its cap, where it is there.
    """

    number: Expression = field(default_factory=Expression)
    points: Expression = field(default_factory=Expression)
    units: list[tuple[Candidate, list[Literal]]] = field(default_factory=list)
    things: dict[Unit | Option, tuple[Cap, list[Literal]]] = field(default_factory=dict)

    def counted(self, what: str, space: Space) -> Expression:
        """Return how often it is there ("times"), its "points", or the "models" of the units that
        have it, each counted once.
        """
        if what != "models":
            return self.points if what == "points" else self.number
        total = Expression()
        for candidate, having in self.units:
            has = space.constraints.any_of(having)
            whole = has == candidate.present
            total.add(candidate.models if whole else space.constraints.where(has, candidate.models))
        return total


#: What may be held in each line-up, which several rules ask for.
_held: WeakKeyDictionary[Space, dict[str, HeldIn]] = WeakKeyDictionary()


def held_in(space: Space) -> dict[str, HeldIn]:
    """Return what may be held, by the cap's key, once all candidates are worked out."""
    found = _held.get(space)
    if found is None:
        found = _held[space] = _hold_all(space)
    return found


def _hold_all(space: Space) -> dict[str, HeldIn]:
    found: dict[str, HeldIn] = {}
    for candidate in space.candidates:
        unit = candidate.unit
        if unit.cap is not None:
            number = candidate.units(candidate.present)
            _hold(found, unit, unit.cap, candidate, candidate.present, number, candidate.points)
        for placed in candidate.placed:
            option = placed.slot.option
            if option.cap is not None:
                taken, number = placed.taken, candidate.on_all(placed.number)
                _hold(found, option, option.cap, candidate, taken, number, placed.total)
    return found


def _hold(
    found: dict[str, HeldIn],
    what: Unit | Option,
    cap: Cap,
    candidate: Candidate,
    having: Literal,
    number: Expression,
    points: Expression,
) -> None:
    held = found.setdefault(cap.key, HeldIn())
    held.things.setdefault(what, (cap, []))[1].append(having)
    held.number.add(number)
    held.points.add(points)
    if not held.units or held.units[-1][0] is not candidate:
        held.units.append((candidate, []))
    held.units[-1][1].append(having)
