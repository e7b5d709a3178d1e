"""Kind "ability-limit": how many of certain abilities one model may have.

Says both "at most once" (Lethal) and "only one of these" (Big, Huge, Gargantuan).
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from armybuilder.engine.citations import RuleHead
from armybuilder.engine.rules import Rule
from armybuilder.engine.selector_index import SelectorIndex
from armybuilder.engine.units import Fault, Unit


@dataclass(frozen=True, slots=True, eq=False)
class AbilityLimit(Rule):
    kind: ClassVar[str] = "ability-limit"
    says: ClassVar[frozenset[str]] = frozenset(["unit", "names"])
    abilities: frozenset[str]
    maximum: int

    @classmethod
    def read(cls, head: RuleHead, data: Mapping[str, Any], selector_index: SelectorIndex) -> Self:
        return cls(head, frozenset(data["abilities"]), data["max"])

    def faults(self, unit: Unit) -> Iterator[Fault]:
        names = [use.label for use in unit.abilities if use.ability.id in self.abilities]
        if len(self.abilities) > 1:
            names = list(dict.fromkeys(names))
        if len(names) > self.maximum:
            yield Fault(self.head, len(names), self.maximum, {"names": names})
