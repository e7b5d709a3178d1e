"""Kind "clash": what two selectors match may not stand in one list (good beside evil)."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from armybuilder.engine.findings import Finding, RuleHead
from armybuilder.engine.rules import Rule
from armybuilder.engine.selectors import Selector
from armybuilder.engine.standing import Standing
from armybuilder.engine.tallies import Tallies


@dataclass(frozen=True, slots=True, eq=False)
class Clash(Rule):
    kind: ClassVar[str] = "clash"
    can_be_lifted: ClassVar[bool] = True
    sides: tuple[Selector, Selector]
    numbers: tuple[int, int]

    @classmethod
    def read(cls, head: RuleHead, data: Mapping[str, Any], tallies: Tallies) -> Self:
        one, other = (Selector.read(side) for side in data["between"])
        return cls(head, (one, other), (tallies.add(one), tallies.add(other)))

    def judge(self, standing: Standing) -> Iterator[Finding]:
        if not all(standing.models_by[number] for number in self.numbers):
            return
        sides = [
            [line for line in standing.matching(side) if not standing.spares(self.head.id, line)]
            for side in self.sides
        ]
        if not all(sides):
            return
        counts = [sum(line.models for line in side) for side in sides]
        culprits = {line.pick.id for side in sides for line in side}
        yield self.finding(
            tuple(line.pick.id for line in standing.lines if line.pick.id in culprits),
            min(counts),
            0,
            {"first": counts[0], "second": counts[1]},
        )
