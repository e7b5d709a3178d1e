"""Kind "must-lead": who must lead the army, by its entry or by an option that it has, leads it.

The Ninth Age, Rulebook 8.B.c.4: an army has one General; some entries and upgrades of Army Books
are for the General alone.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from armybuilder.engine.about import AboutUnit
from armybuilder.engine.catalogue import System, Unit
from armybuilder.engine.findings import Finding, RuleHead
from armybuilder.engine.fresh import alone
from armybuilder.engine.lines import Line
from armybuilder.engine.rules import Rule
from armybuilder.engine.selectors import Selector
from armybuilder.engine.standing import Standing
from armybuilder.engine.tallies import Tallies
from armybuilder.engine.wording import listed, say

#: What units and options have that say `must_lead` in their book, whether or not it holds here.
MUST_LEAD = Selector.read({"must": "lead"})


@dataclass(frozen=True, slots=True, eq=False)
class MustLead(Rule):
    kind: ClassVar[str] = "must-lead"
    role: str
    number: int

    @classmethod
    def read(cls, head: RuleHead, data: Mapping[str, Any], tallies: Tallies) -> Self:
        return cls(head, data["role"], tallies.add(MUST_LEAD))

    def judge(self, standing: Standing) -> Iterator[Finding]:
        if not standing.picks_by[self.number]:
            return
        for line in standing.lines:
            if self.role not in line.pick.roles:
                names = _demanding(line)
                if names or (line.unit.must_lead and line.unit.must_lead.holds(line.place)):
                    source = say(" (because of {options})", options=listed(names)) if names else ""
                    values = {"unit": line.name, "source": source, "book": line.unit.book_name}
                    key = line.pick.id
                    yield self.finding((key,), None, None, values, AboutUnit(key))


def leading_role(unit: Unit, system: System) -> str:
    """Id of the role that a unit must have with nothing chosen for it; "" for none."""
    if unit.must_lead is None or not unit.must_lead.holds(alone(unit.smallest, unit.tags)):
        return ""
    return next((rule.role for rule in system.rules if isinstance(rule, MustLead)), "")


def _demanding(line: Line) -> list[str]:
    """The options taken that are for who leads, by name."""
    return [
        taken.slot.option.name
        for taken in line.loadout.taken
        if taken.slot.option.must_lead and taken.slot.option.must_lead.holds(line.place)
    ]
