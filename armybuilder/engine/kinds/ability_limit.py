"""Kind "ability-limit": how many of certain abilities one model may have.

Says both "at most once" (Lethal) and "only one of these" (Big, Huge, Gargantuan).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from armybuilder.engine.fields import given
from armybuilder.engine.rules import Rule
from armybuilder.engine.units import Fault, Unit


@dataclass(frozen=True, slots=True, eq=False)
class AbilityLimit(Rule):
    kind: ClassVar[str] = "ability-limit"
    by_unit: ClassVar[bool] = True
    says: ClassVar[frozenset[str]] = frozenset(["unit", "names"])
    abilities: frozenset[str] = given(read=frozenset)
    maximum: int = given("max")

    def faults(self, unit: Unit) -> Iterator[Fault]:
        names = [use.label for use in unit.abilities if use.ability.id in self.abilities]
        if len(self.abilities) > 1:
            names = list(dict.fromkeys(names))
        if len(names) > self.maximum:
            yield Fault(self.head, len(names), self.maximum, {"names": names})
