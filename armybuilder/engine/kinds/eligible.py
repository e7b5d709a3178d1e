"""Kind "eligible": who has a role may have it.

The Ninth Age, Rulebook 8.B.c.4: the General is a Character able to lead, not one with Not a Leader.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from armybuilder.engine.findings import Finding, RuleHead
from armybuilder.engine.rules import Rule
from armybuilder.engine.selectors import Selector
from armybuilder.engine.standing import Standing
from armybuilder.engine.tallies import Tallies


@dataclass(frozen=True, slots=True, eq=False)
class Eligible(Rule):
    kind: ClassVar[str] = "eligible"
    role: str
    needs: Selector

    @classmethod
    def read(cls, head: RuleHead, data: Mapping[str, Any], tallies: Tallies) -> Self:
        return cls(head, data["role"], Selector.read(data["needs"]))

    def judge(self, standing: Standing) -> Iterator[Finding]:
        for line in standing.lines:
            if self.role in line.pick.roles and not self.needs.matches(line.tags):
                values = {"unit": line.name}
                yield Finding(self.head, (line.pick.id,), values=values, subject=line.pick.id)
