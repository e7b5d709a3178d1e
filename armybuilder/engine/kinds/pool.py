"""Kind "pool": a list has no more models of a unit than the pool it is built from.

D&D Miniatures, Battle Rules p. 40: a sealed-booster warband is built from the boosters' contents.
If nobody has entered them, that can be a note instead of an error (`open`).
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

from armybuilder.engine.about import AboutCopies, AboutSetting
from armybuilder.engine.bounds import Bound, ForSame
from armybuilder.engine.citations import RuleHead, Severity
from armybuilder.engine.ends import Edge, End
from armybuilder.engine.kinds.faction import choice_head
from armybuilder.engine.queries import OfMembers
from armybuilder.engine.rules import Finding, Rule
from armybuilder.engine.selectors import SelectorIndex
from armybuilder.engine.space.constraints import FALSE, TRUE
from armybuilder.engine.states import State
from armybuilder.engine.tally import Tally
from armybuilder.engine.terms import MODELS, Term
from armybuilder.engine.view import N, Subject, View


@dataclass(frozen=True, slots=True)
class _InPool(End):
    """Number of a unit in the pool; `open`: an empty pool says nothing."""

    own: ClassVar[bool] = True
    setting: str
    open: bool

    def edge(self, view: View[N], subject: Subject) -> Edge[N]:
        pool, ((member, _), *_) = view.roster.chosen(self.setting), subject.members
        known = bool(pool) or not self.open
        return Edge(view.constant(pool.count(member.unit.ref)), 1, TRUE if known else FALSE)


@dataclass(frozen=True, slots=True, eq=False)
class Pool(Rule):
    """Rule of the pool. `open` reports an empty pool as a note; otherwise it counts as empty."""

    kind: ClassVar[str] = "pool"
    says: ClassVar[frozenset[str]] = frozenset(["unit"])
    setting: str
    open: RuleHead | None = None

    @classmethod
    def read(cls, head: RuleHead, data: Mapping[str, Any], selector_index: SelectorIndex) -> Self:
        told = choice_head(head, data["open"]) if "open" in data else None
        return cls(head, data["setting"], told and replace(told, severity=Severity.NOTE))

    def make_bounds(self) -> Iterator[Bound]:
        high = _InPool(self.setting, self.open is not None)
        yield Bound(self.head, OfMembers(MODELS), high=high, each=ForSame())

    def values_for(self, finding: Finding, tallies: tuple[Tally, ...]) -> Iterator[tuple[str, str]]:
        """One more of the unit in the pool, where it lacks one."""
        if finding.excess == 1 and isinstance(finding.about, AboutCopies):
            yield self.setting, finding.about.ref

    def state_of(self, finding: Finding) -> State:
        return State.MISSING if finding.head is self.open else State.BROKEN

    def judge(self, tally: Tally) -> Iterator[Finding]:
        if self.open is not None and not tally.roster.chosen(self.setting):
            yield Finding(self, self.open, about=AboutSetting(self.setting, "open"))
        yield from Rule.judge(self, tally)

    def values(self, term: Term, tally: Tally) -> Mapping[str, object]:
        return {"unit": term.lines[0].unit.name}
