"""Kind "model-each": a unit has a model for each of certain options that it has taken.

The Ninth Age, Rulebook 8.D.a.3 (10): Champion, Musician and Standard Bearer are upgrades of one
model each, and of another model each.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from armybuilder.engine.findings import Finding, RuleHead
from armybuilder.engine.rules import Rule
from armybuilder.engine.selectors import Selector
from armybuilder.engine.standing import Line, Standing
from armybuilder.engine.tallies import Tallies


@dataclass(frozen=True, slots=True, eq=False)
class ModelEach(Rule):
    """Where the unit's smallest size asks for as many models, that is told and this is not."""

    kind: ClassVar[str] = "model-each"
    number: int

    @classmethod
    def read(cls, head: RuleHead, data: Mapping[str, Any], tallies: Tallies) -> Self:
        return cls(head, tallies.add(Selector.read(data["of"])))

    def judge(self, standing: Standing) -> Iterator[Finding]:
        found: dict[str, tuple[Line, list[str]]] = {}
        for line, taken in standing.options_by[self.number]:
            _, names = found.setdefault(line.pick.id, (line, []))
            names += [taken.slot.option.name] * taken.number
        for subject, (line, names) in found.items():
            if line.models < len(names) and _smallest(line) < len(names):
                values = {"unit": line.name, "names": names}
                yield Finding(self.head, (subject,), line.models, len(names), values, subject)


def _smallest(line: Line) -> int:
    size = line.unit.size
    return 0 if size is None else size[0].number(line.place)
