"""Kind "target": an ability that works against a named kind of enemy names it (Lethal)."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from armybuilder.engine.catalogue import Unit
from armybuilder.engine.findings import RuleHead
from armybuilder.engine.rules import Fault, Rule
from armybuilder.engine.tallies import Tallies


@dataclass(frozen=True, slots=True, eq=False)
class Target(Rule):
    kind: ClassVar[str] = "target"
    ability: str

    @classmethod
    def read(cls, head: RuleHead, data: Mapping[str, Any], tallies: Tallies) -> Self:
        return cls(head, data["ability"])

    def faults(self, unit: Unit) -> Iterator[Fault]:
        for use in unit.abilities:
            if use.ability.id == self.ability and not use.target:
                yield Fault(
                    self.head, values={"names": [use.ability.name], "target": use.ability.target}
                )
                return
