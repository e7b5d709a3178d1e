"""Kind "copies": the number of models of one and the same unit lies between bounds.

Song of Blades and Heroes: a swarm is two bases or more.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from armybuilder.engine.bounds import Bound, read_bound
from armybuilder.engine.findings import Finding, RuleHead
from armybuilder.engine.rules import Rule
from armybuilder.engine.selectors import Selector
from armybuilder.engine.standing import Line, Standing
from armybuilder.engine.tallies import Tallies


@dataclass(frozen=True, slots=True, eq=False)
class Copies(Rule):
    kind: ClassVar[str] = "copies"
    selector: Selector
    number: int
    minimum: Bound | None
    maximum: Bound | None

    @classmethod
    def read(cls, head: RuleHead, data: Mapping[str, Any], tallies: Tallies) -> Self:
        selector = Selector.read(data.get("of", {}))
        low, top = read_bound(data.get("min")), read_bound(data.get("max"))
        return cls(head, selector, tallies.add(selector), low, top)

    def judge(self, standing: Standing) -> Iterator[Finding]:
        if not standing.picks_by[self.number]:
            return
        same: dict[str, list[Line]] = defaultdict(list)
        for line in standing.matching(self.selector):
            same[line.unit.ref].append(line)
        for ref, lines in same.items():
            measured = sum(line.models for line in lines)
            where = tuple(line.pick.id for line in lines)
            values = {"unit": lines[0].unit.name}
            top = None if self.maximum is None else self.maximum.upper(standing)
            low = None if self.minimum is None else self.minimum.lower(standing)
            if top is not None and measured > top:
                yield Finding(self.head, where, measured, top, values, ref)
            if low is not None and measured < low:
                yield Finding(self.head, where, measured, low, values, ref)
