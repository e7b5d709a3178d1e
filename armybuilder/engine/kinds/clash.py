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
    sides: tuple[Selector, Selector]
    numbers: tuple[int, int]

    @classmethod
    def read(cls, head: RuleHead, data: Mapping[str, Any], tallies: Tallies) -> Self:
        one, other = (Selector.read(side) for side in data["between"])
        return cls(head, (one, other), (tallies.add(one), tallies.add(other)))

    def judge(self, standing: Standing) -> Iterator[Finding]:
        counts = [standing.models_by[number] for number in self.numbers]
        if not all(counts):
            return
        sides = [list(standing.matching(side)) for side in self.sides]
        culprits = {line.pick.id for side in sides for line in side}
        yield Finding(
            self.head,
            tuple(line.pick.id for line in standing.lines if line.pick.id in culprits),
            min(counts),
            0,
            {"first": counts[0], "second": counts[1]},
        )
