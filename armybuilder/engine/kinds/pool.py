"""Kind "pool": the list holds no more models of a unit than the pool it is built from.

D&D Miniatures, Battle Rules p. 40: a sealed-booster warband is built from what the boosters held.
Where nobody has said what they held, it can be told as a note instead of judged (`open`).
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

from armybuilder.engine.about import AboutCopies, AboutSetting
from armybuilder.engine.citations import RuleHead, Severity
from armybuilder.engine.kinds.copies import copies_term, unit_name
from armybuilder.engine.kinds.faction import choice_head
from armybuilder.engine.lines import Line
from armybuilder.engine.rules import Finding, Rule
from armybuilder.engine.selector_index import SelectorIndex
from armybuilder.engine.space.expressions import Expression
from armybuilder.engine.space.space import Space
from armybuilder.engine.states import State
from armybuilder.engine.tally import Tally
from armybuilder.engine.terms import Term


@dataclass(frozen=True, slots=True, eq=False)
class Pool(Rule):
    """`open` tells of an empty pool; without it an empty pool holds nothing, and is judged so."""

    kind: ClassVar[str] = "pool"
    says: ClassVar[frozenset[str]] = frozenset(["unit"])
    setting: str
    open: RuleHead | None = None

    @classmethod
    def read(cls, head: RuleHead, data: Mapping[str, Any], selector_index: SelectorIndex) -> Self:
        told = choice_head(head, data["open"]) if "open" in data else None
        return cls(head, data["setting"], told and replace(told, severity=Severity.NOTE))

    def terms(self, tally: Tally) -> Iterator[Term]:
        """Return the models of each unit; the pool holds so many."""
        pool = self._pool(tally)
        if pool or self.open is None:
            for ref, lines in by_unit(tally).items():
                yield copies_term(self, ref, lines, None, pool[ref])

    def constrain(self, space: Space) -> None:
        chosen = space.roster.settings.get(self.setting)
        pool = Counter(chosen if isinstance(chosen, tuple) else ())
        if self.open is not None and not pool:
            return
        models: dict[str, Expression] = {}
        for candidate in space.candidates:
            models.setdefault(candidate.unit.ref, Expression()).add(candidate.models)
        for ref, number in models.items():
            owner = space.owner(self.head, AboutCopies(ref))
            space.constraints.require(number, None, pool[ref], (), owner)

    def values_for(self, finding: Finding, tallies: tuple[Tally, ...]) -> Iterator[tuple[str, str]]:
        """One more of the unit in the pool, where it lacks one."""
        if finding.excess == 1 and isinstance(finding.about, AboutCopies):
            yield self.setting, finding.about.ref

    def _pool(self, tally: Tally) -> Counter[str]:
        chosen = tally.roster.settings.get(self.setting)
        return Counter(chosen if isinstance(chosen, tuple) else ())

    def state_of(self, finding: Finding) -> State:
        return State.MISSING if finding.head is self.open else State.BROKEN

    def judge(self, tally: Tally) -> Iterator[Finding]:
        if self.open is not None and not self._pool(tally):
            yield Finding(self, self.open, about=AboutSetting(self.setting, "open"))
            return
        yield from Rule.judge(self, tally)

    def values(self, term: Term, tally: Tally) -> Mapping[str, object]:
        return {"unit": unit_name(term)}


def by_unit(tally: Tally) -> dict[str, list[Line]]:
    """Return the lines of each unit on the list, by its ref."""
    lines: dict[str, list[Line]] = {}
    for line in tally.lines:
        lines.setdefault(line.unit.ref, []).append(line)
    return lines
