"""Kind "pool": a list has no more models of a unit than the pool it is built from.

D&D Miniatures, Battle Rules p. 40: a sealed-booster warband is built from the boosters' contents.
If nobody has entered them, that can be a note instead of an error (`open`).
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import ClassVar

from armybuilder.engine.about import AboutCopies, AboutSetting
from armybuilder.engine.bounds import Bound, ForSame
from armybuilder.engine.citations import RuleHead, Severity
from armybuilder.engine.ends import Stock
from armybuilder.engine.fields import choice, given
from armybuilder.engine.queries import OfMembers
from armybuilder.engine.roster import Roster
from armybuilder.engine.rules import Finding, Rule
from armybuilder.engine.states import State
from armybuilder.engine.tally import Tally
from armybuilder.engine.terms import MODELS, Term
from armybuilder.engine.units import Unit


@dataclass(frozen=True, slots=True, eq=False)
class Pool(Rule):
    """Rule of the pool. `open` reports an empty pool as a note; otherwise it counts as empty."""

    kind: ClassVar[str] = "pool"
    says: ClassVar[frozenset[str]] = frozenset(["unit"])
    setting: str = given()
    open: RuleHead | None = choice("open", None)

    def make_bounds(self) -> Iterator[Bound]:
        yield Bound(self.head, OfMembers(MODELS), high=Stock(self._number), each=ForSame())

    def _number(self, roster: Roster, unit: Unit) -> int | None:
        """Return the number of a unit in the pool; an open pool that is empty says nothing."""
        pool = roster.chosen(self.setting)
        return pool.count(unit.ref) if pool or self.open is None else None

    def values_for(self, finding: Finding, tallies: tuple[Tally, ...]) -> Iterator[tuple[str, str]]:
        """One more of the unit in the pool, where it lacks one."""
        if finding.excess == 1 and isinstance(finding.about, AboutCopies):
            yield self.setting, finding.about.ref

    def state_of(self, finding: Finding) -> State:
        return State.MISSING if isinstance(finding.about, AboutSetting) else State.BROKEN

    def judge(self, tally: Tally) -> Iterator[Finding]:
        if self.open is not None and not tally.roster.chosen(self.setting):
            head = replace(self.open, severity=Severity.NOTE)
            yield Finding(self, head, about=AboutSetting(self.setting, "open"))
        yield from Rule.judge(self, tally)

    def values(self, term: Term, tally: Tally) -> Mapping[str, object]:
        return {"unit": term.lines[0].unit.name}
