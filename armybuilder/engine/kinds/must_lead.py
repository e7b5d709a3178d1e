"""Kind "must-lead": who must lead the army, by its entry or by an option that it has, leads it.

The Ninth Age, Rulebook 8.B.c.4: an army has one General; some entries and upgrades of Army Books
are for the General alone.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from armybuilder.engine.bounds import Bound, Each
from armybuilder.engine.citations import RuleHead
from armybuilder.engine.ends import End, Fixed
from armybuilder.engine.queries import Query
from armybuilder.engine.rules import Finding, Rule
from armybuilder.engine.selectors import Selector, SelectorIndex
from armybuilder.engine.space.constraints import FALSE, Literal
from armybuilder.engine.space.space import Space
from armybuilder.engine.states import State
from armybuilder.engine.tally import Tally
from armybuilder.engine.terms import ROLES, Part, Term, options_of, part_of
from armybuilder.engine.view import N, Subject, View
from armybuilder.engine.wording import listed, say

#: What units and options have that say `must_lead` in their book, whether or not it holds here.
MUST_LEAD = Selector.read({"must": "lead"})


@dataclass(frozen=True, slots=True)
class _Lacking(Query, Each):
    """The role of each unit that must have it and has not; its items are the options that ask."""

    number: int
    role: str
    field: str = ROLES

    def subjects(self, view: View[N], own: End | None = None) -> Iterator[Subject]:
        for member in view.members:
            lacks, own = ~member.has_role(self.role), member.unit.must_lead
            by_unit = FALSE if own is None else member.place.holds(own)
            asked = ((item, item.option.must_lead) for item in member.options)
            items = [(item, member.place.holds(asks)) for item, asks in asked if asks is not None]
            items = [(item, holds) for item, holds in items if holds != FALSE]
            if lacks != FALSE and (items or by_unit != FALSE):
                yield Subject(member.key, ((member, by_unit),), items, (lacks,))

    def measure(self, view: View[N], subject: Subject) -> N:
        return view.algebra.constant(0)

    def parts(self, tally: Tally, subject: Subject) -> Iterator[Part]:
        """Return the options that ask for it, and the unit if its entry does."""
        ((line, _),) = subject.members
        if subject.items:
            yield options_of(line, ((taken, 0) for taken, _ in subject.items))
        if line.unit.must_lead is not None:
            yield part_of(line, 0)

    def barred(self, space: Space, subject: Subject) -> Iterator[tuple[Literal, Literal]]:
        yield from ((member.present, asks) for member, asks in subject.members)
        yield from ((placed.taken, asks) for placed, asks in subject.items)


@dataclass(frozen=True, slots=True, eq=False)
class MustLead(Rule):
    kind: ClassVar[str] = "must-lead"
    says: ClassVar[frozenset[str]] = frozenset(["unit", "source", "book"])
    lasts: ClassVar[bool] = True
    number: int
    leading_role: str

    @classmethod
    def read(cls, head: RuleHead, data: Mapping[str, Any], selector_index: SelectorIndex) -> Self:
        return cls(head, selector_index.add(MUST_LEAD), data["role"])

    def make_bounds(self) -> Iterator[Bound]:
        lacking = _Lacking(self.number, self.leading_role)
        yield Bound(self.head, lacking, low=Fixed(1), each=lacking)

    def state_of(self, finding: Finding) -> State:
        return State.BROKEN if finding.values["count"] == "led" else State.MISSING

    def values(self, term: Term, tally: Tally) -> Mapping[str, object]:
        line = term.parts[0].line
        names = [taken.option.name for part in term.parts for taken, _ in part.options]
        source = say(" (because of {options})", options=listed(names)) if names else ""
        book = line.unit.book_name if line is not None else ""
        led = any(self.leading_role in pick.roles for pick in tally.roster.picks)
        count = "led" if led else ""
        return {"unit": term.parts[0].label, "source": source, "book": book, "count": count}
