"""Kind "per-unit": what one unit has taken of certain options lies below a bound.

The Ninth Age: one weapon enchantment, two artefacts, one Dominant item to a model.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from armybuilder.engine.amounts import Amount, read_amount
from armybuilder.engine.findings import Finding, RuleHead
from armybuilder.engine.rules import Rule
from armybuilder.engine.selectors import Selector
from armybuilder.engine.standing import Standing
from armybuilder.engine.tallies import Tallies


@dataclass(frozen=True, slots=True, eq=False)
class PerUnit(Rule):
    """`what` names in words what is counted. Conditions in `maximum` are asked of the unit."""

    kind: ClassVar[str] = "per-unit"
    selector: Selector
    number: int
    maximum: Amount
    what: str

    @classmethod
    def read(cls, head: RuleHead, data: Mapping[str, Any], tallies: Tallies) -> Self:
        selector = Selector.read(data["of"])
        bound = data["max"]
        if isinstance(bound, int):
            bound = {"number": bound, "when": ()}
        maximum = read_amount(bound["number"], bound["when"], "number")
        return cls(head, selector, tallies.add(selector), maximum, data["what"])

    def judge(self, standing: Standing) -> Iterator[Finding]:
        if not standing.picks_by[self.number]:
            return
        matches = self.selector.matches
        for line in standing.lines:
            names = [
                taken.slot.option.name
                for taken in line.loadout.taken
                for _ in range(taken.number)
                if matches(taken.slot.option.tags)
            ]
            if not names:
                continue
            allowed = self.maximum.number(line.place._replace(tags=line.tags))
            if len(names) > allowed:
                values = {"unit": line.name, "what": self.what, "names": names}
                subject = line.pick.id
                yield Finding(self.head, (subject,), len(names), allowed, values, subject)
