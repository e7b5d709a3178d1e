"""What lists that may be hold of everything with a cap: the counterpart of `tally.Held`."""

from __future__ import annotations

from dataclasses import dataclass, field
from weakref import WeakKeyDictionary

from armybuilder.engine.options import Cap, Option
from armybuilder.engine.selectors import Tags
from armybuilder.engine.space.candidates import Candidate
from armybuilder.engine.space.constraints import Literal
from armybuilder.engine.space.expressions import Expression
from armybuilder.engine.space.space import Space
from armybuilder.engine.units import Unit


@dataclass(slots=True)
class HeldIn:
    """How often lists may hold what one cap counts, for how many points, and who may have it."""

    cap: Cap
    tags: Tags
    number: Expression = field(default_factory=Expression)
    points: Expression = field(default_factory=Expression)
    units: list[tuple[Candidate, list[Literal]]] = field(default_factory=list)

    def models(self, space: Space) -> Expression:
        """Return the models of the units that have it, each counted once."""
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
            number = space.constraints.number(candidate.present)
            _hold(found, unit, unit.cap, candidate, candidate.present, number, candidate.points)
        for placed in candidate.placed:
            option = placed.slot.option
            if option.cap is not None:
                taken, number = placed.taken, placed.number
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
    held = found.setdefault(cap.key, HeldIn(cap, what.tags))
    held.number.add(number)
    held.points.add(points)
    if not held.units or held.units[-1][0] is not candidate:
        held.units.append((candidate, []))
    held.units[-1][1].append(having)
