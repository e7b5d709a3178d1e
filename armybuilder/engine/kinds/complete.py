"""Kind "complete": a unit's card has all facts that a check needs (points, alignment, ratings).

The gaps were found when the unit was made; the player fills them in on the list.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from armybuilder.engine.fields import given
from armybuilder.engine.rules import Rule
from armybuilder.engine.states import State
from armybuilder.engine.units import Blank, Fault, Unit
from armybuilder.engine.vocabulary import Vocabulary
from armybuilder.engine.wording import Later, inside


@dataclass(frozen=True, slots=True, eq=False)
class Complete(Rule):
    """`attributes` must be named and `ratings` known, and the `points`, unless they are false."""

    kind: ClassVar[str] = "complete"
    by_unit: ClassVar[bool] = True
    says: ClassVar[frozenset[str]] = frozenset(["unit", "names"])
    state: ClassVar[State] = State.MISSING
    attributes: tuple[str, ...] = given(read=tuple, default=())
    ratings: tuple[str, ...] = given(read=tuple, default=())
    points: bool = given(default=True)

    @property
    def card_fields(self) -> frozenset[str]:
        attributes = {f"attributes.{attribute}" for attribute in self.attributes}
        ratings = {f"ratings.{rating}" for rating in self.ratings}
        return frozenset(attributes | ratings | ({"points"} if self.points else set()))

    def blanks(self, unit: Unit, system: Vocabulary) -> Iterator[Blank]:
        if self.points and unit.price.start is None:
            yield Blank("points", Later("points"))
        for attribute in self.attributes:
            if not unit.attributes.get(attribute):
                yield Blank(f"attributes.{attribute}", inside(system.attributes[attribute].name))
        for use in unit.abilities:
            if not use.known and use.ability.id in self.ratings:
                said = Later("{ability} rating", ability=use.ability.name)
                yield Blank(f"ratings.{use.ability.id}", said)

    def faults(self, unit: Unit) -> Iterator[Fault]:
        asked = self.card_fields
        names = [blank.said for blank in unit.blanks if blank.field in asked]
        if names:
            yield Fault(self.head, len(names), 0, {"names": names})
