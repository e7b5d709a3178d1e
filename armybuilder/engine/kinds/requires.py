"""Kind "requires": a unit that one selector matches must match another too."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from armybuilder.engine.fields import given
from armybuilder.engine.rules import Rule
from armybuilder.engine.selectors import Selector
from armybuilder.engine.units import Fault, Unit


@dataclass(frozen=True, slots=True, eq=False)
class Requires(Rule):
    """`which` names the abilities that ask for it, so the sentence can say which the unit has."""

    kind: ClassVar[str] = "requires"
    by_unit: ClassVar[bool] = True
    says: ClassVar[frozenset[str]] = frozenset(["unit", "names", "needs"])
    selector: Selector = given("of", Selector.read)
    needs: Selector = given(read=Selector.read)
    needs_name: str = given()

    def faults(self, unit: Unit) -> Iterator[Fault]:
        if self.selector.matches(unit.tags) and not self.needs.matches(unit.tags):
            names = [
                use.ability.name
                for use in unit.abilities
                if self.selector.matches(frozenset([f"ability:{use.ability.id}"]))
            ]
            yield Fault(self.head, values={"names": names, "needs": self.needs_name})
