"""Kind "copies": the number of models of one and the same unit lies between bounds, or of one and
the same Unique name.

Song of Blades and Heroes: a swarm is two bases or more. D&D Miniatures, Battle Rules p. 47: one
Unique creature of a name, whatever its title.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from armybuilder.engine.about import AboutCopies
from armybuilder.engine.bounds import Bound, read_bound
from armybuilder.engine.findings import Finding, RuleHead
from armybuilder.engine.lines import Line
from armybuilder.engine.rules import Rule
from armybuilder.engine.selectors import Selector
from armybuilder.engine.standing import Standing
from armybuilder.engine.tallies import Tallies


@dataclass(frozen=True, slots=True, eq=False)
class Copies(Rule):
    kind: ClassVar[str] = "copies"
    can_be_lifted: ClassVar[bool] = True
    selector: Selector
    number: int
    minimum: Bound | None
    maximum: Bound | None
    by: str = ""

    @classmethod
    def read(cls, head: RuleHead, data: Mapping[str, Any], tallies: Tallies) -> Self:
        selector = Selector.read(data.get("of", {}))
        low, top = read_bound(data.get("min")), read_bound(data.get("max"))
        return cls(head, selector, tallies.add(selector), low, top, data.get("by", ""))

    def judge(self, standing: Standing) -> Iterator[Finding]:
        if not standing.picks_by[self.number]:
            return
        same: dict[str, list[Line]] = defaultdict(list)
        for line in standing.matching(self.selector):
            key = line.unit.unique.casefold() if self.by == "unique" else line.unit.ref
            if key and not standing.spares(self.head.id, line):
                same[key].append(line)
        for ref, lines in same.items():
            measured = sum(line.models for line in lines)
            where = tuple(line.pick.id for line in lines)
            names = (line.unit.unique or line.unit.name for line in lines)
            name = min(names) if self.by == "unique" else lines[0].unit.name
            values = {"unit": name, "names": [line.name for line in lines]}
            top = None if self.maximum is None else self.maximum.upper(standing)
            low = None if self.minimum is None else self.minimum.lower(standing)
            if top is not None and measured > top:
                yield self.finding(where, measured, top, values, AboutCopies(ref))
            if low is not None and measured < low:
                yield self.finding(where, measured, low, values, AboutCopies(ref))
