"""Kind "complete": a unit's card says all that a verdict needs (points, alignment, ratings).

What is missing was found out when the unit was made; the player fills it in on the list.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from armybuilder.engine.catalogue import Unit
from armybuilder.engine.findings import RuleHead
from armybuilder.engine.rules import Fault, Rule
from armybuilder.engine.tallies import Tallies


@dataclass(frozen=True, slots=True, eq=False)
class Complete(Rule):
    """`attributes` must be named and `ratings` known; points are always asked for."""

    kind: ClassVar[str] = "complete"
    attributes: tuple[str, ...]
    ratings: tuple[str, ...]

    @classmethod
    def read(cls, head: RuleHead, data: Mapping[str, Any], tallies: Tallies) -> Self:
        return cls(head, tuple(data.get("attributes", ())), tuple(data.get("ratings", ())))

    def faults(self, unit: Unit) -> Iterator[Fault]:
        if unit.blanks:
            names = [blank.name for blank in unit.blanks]
            yield Fault(self.head, len(names), 0, {"names": names})
