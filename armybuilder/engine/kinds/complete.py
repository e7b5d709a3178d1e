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
    """`attributes` must be named and `ratings` known, and the `points`, unless they are false."""

    kind: ClassVar[str] = "complete"
    attributes: tuple[str, ...]
    ratings: tuple[str, ...]
    points: bool = True

    @classmethod
    def read(cls, head: RuleHead, data: Mapping[str, Any], tallies: Tallies) -> Self:
        attributes, ratings = tuple(data.get("attributes", ())), tuple(data.get("ratings", ()))
        return cls(head, attributes, ratings, data.get("points", True))

    @property
    def fields(self) -> frozenset[str]:
        """What it asks of a card, as the card's blanks name it."""
        attributes = {f"attributes.{attribute}" for attribute in self.attributes}
        ratings = {f"ratings.{rating}" for rating in self.ratings}
        return frozenset(attributes | ratings | ({"points"} if self.points else set()))

    def faults(self, unit: Unit) -> Iterator[Fault]:
        asked = self.fields
        names = [blank.said for blank in unit.blanks if blank.field in asked]
        if names:
            yield Fault(self, len(names), 0, {"names": names})
