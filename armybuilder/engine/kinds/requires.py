"""Kind "requires": a unit that one selector matches must match another too."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from armybuilder.engine.citations import RuleHead
from armybuilder.engine.rules import Rule
from armybuilder.engine.selector_index import SelectorIndex
from armybuilder.engine.selectors import Selector
from armybuilder.engine.units import Fault, Unit


@dataclass(frozen=True, slots=True, eq=False)
class Requires(Rule):
    """`which` names the abilities that ask for it, so the sentence can say which the unit has."""

    kind: ClassVar[str] = "requires"
    says: ClassVar[frozenset[str]] = frozenset(["unit", "names", "needs"])
    selector: Selector
    needs: Selector
    needs_name: str

    @classmethod
    def read(cls, head: RuleHead, data: Mapping[str, Any], selector_index: SelectorIndex) -> Self:
        needs = Selector.read(data["needs"])
        return cls(head, Selector.read(data["of"]), needs, data["needs_name"])

    def faults(self, unit: Unit) -> Iterator[Fault]:
        if self.selector.matches(unit.tags) and not self.needs.matches(unit.tags):
            names = [
                use.ability.name
                for use in unit.abilities
                if self.selector.matches(frozenset([f"ability:{use.ability.id}"]))
            ]
            yield Fault(self.head, values={"names": names, "needs": self.needs_name})
