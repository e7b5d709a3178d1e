"""Kind "must-lead": who must lead the army, by its entry or by an option that it has, leads it.

The Ninth Age, Rulebook 8.B.c.4: an army has one General; some entries and upgrades of Army Books
are for the General alone.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from armybuilder.engine.about import AboutUnit
from armybuilder.engine.citations import RuleHead
from armybuilder.engine.lines import Line
from armybuilder.engine.loadout import Taken
from armybuilder.engine.rules import Finding, Rule
from armybuilder.engine.selector_index import SelectorIndex
from armybuilder.engine.selectors import Selector
from armybuilder.engine.space.space import Space
from armybuilder.engine.states import State
from armybuilder.engine.tally import Tally
from armybuilder.engine.terms import ROLES, Part, Term, just, options_of, part_of
from armybuilder.engine.wording import listed, say

#: What units and options have that say `must_lead` in their book, whether or not it holds here.
MUST_LEAD = Selector.read({"must": "lead"})


@dataclass(frozen=True, slots=True, eq=False)
class MustLead(Rule):
    kind: ClassVar[str] = "must-lead"
    says: ClassVar[frozenset[str]] = frozenset(["unit", "source", "book"])
    stands: ClassVar[bool] = True
    number: int
    leading_role: str

    @classmethod
    def read(cls, head: RuleHead, data: Mapping[str, Any], selector_index: SelectorIndex) -> Self:
        return cls(head, selector_index.add(MUST_LEAD), data["role"])

    def terms(self, tally: Tally) -> Iterator[Term]:
        """The role for each unit that must have it and has not, with the options that ask."""
        for line, asking in self._asking(tally):
            parts = just(*_parts(line, asking))
            yield Term(
                self.head, ROLES, 0, 1, None, parts, AboutUnit(line.pick.id), role=self.leading_role
            )

    def constrain(self, space: Space) -> None:
        for candidate in space.candidates:
            lacks, about = ~candidate.has_role(self.leading_role), AboutUnit(candidate.key)
            holds = candidate.where.holds
            if candidate.unit.must_lead is not None:
                must = holds(candidate.unit.must_lead)
                space.forbid(self.head, candidate.present, must, lacks, about=about)
            for placed in candidate.placed:
                if placed.slot.option.must_lead is not None:
                    must = holds(placed.slot.option.must_lead)
                    space.forbid(self.head, placed.taken, must, lacks, about=about)

    def state_of(self, finding: Finding) -> State:
        return State.BROKEN if finding.values["count"] == "led" else State.MISSING

    def judge(self, tally: Tally) -> Iterator[Finding]:
        if tally.picks_by[self.number]:
            yield from Rule.judge(self, tally)

    def values(self, term: Term, tally: Tally) -> Mapping[str, object]:
        line = term.parts[0].line
        names = [taken.option.name for part in term.parts for taken, _ in part.options]
        source = say(" (because of {options})", options=listed(names)) if names else ""
        book = line.unit.book_name if line is not None else ""
        led = any(self.leading_role in pick.roles for pick in tally.roster.picks)
        count = "led" if led else ""
        return {"unit": term.parts[0].label, "source": source, "book": book, "count": count}

    def _asking(self, tally: Tally) -> Iterator[tuple[Line, list[Taken]]]:
        """The units that must have the role and have it not, with their options that ask for it."""
        for line in tally.lines:
            if self.leading_role not in line.pick.roles:
                asking = _demanding(line)
                if asking or (line.unit.must_lead and line.unit.must_lead.holds(line.place)):
                    yield line, asking


def _parts(line: Line, asking: list[Taken]) -> Iterator[Part]:
    """Return the options that ask for it, and the unit if its entry does."""
    if asking:
        yield options_of(line, ((taken, 0) for taken in asking))
    if line.unit.must_lead is not None:
        yield part_of(line, 0)


def _demanding(line: Line) -> list[Taken]:
    """Return the options taken that are for who leads."""
    return [
        taken
        for taken in line.loadout.taken
        if taken.slot.option.must_lead and taken.slot.option.must_lead.holds(line.place)
    ]
