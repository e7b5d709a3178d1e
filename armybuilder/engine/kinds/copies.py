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
from armybuilder.engine.bounds import Bound, Fixed, read_bound
from armybuilder.engine.citations import RuleHead
from armybuilder.engine.lines import Line
from armybuilder.engine.rules import Finding, Rule
from armybuilder.engine.selector_index import SelectorIndex
from armybuilder.engine.selectors import Selector
from armybuilder.engine.tally import Tally
from armybuilder.engine.terms import MODELS, Term, just, part_of
from armybuilder.engine.units import Unit


@dataclass(frozen=True, slots=True, eq=False)
class Copies(Rule):
    kind: ClassVar[str] = "copies"
    says: ClassVar[frozenset[str]] = frozenset(["unit", "names"])
    can_be_lifted: ClassVar[bool] = True
    selector: Selector
    number: int
    minimum: Bound | None
    maximum: Bound | None
    by: str = ""

    @classmethod
    def read(cls, head: RuleHead, data: Mapping[str, Any], selector_index: SelectorIndex) -> Self:
        selector = Selector.read(data.get("of", {}))
        low, top = read_bound(data.get("min")), read_bound(data.get("max"))
        return cls(head, selector, selector_index.add(selector), low, top, data.get("by", ""))

    def least_models(self, unit: Unit) -> int:
        fixed = isinstance(self.minimum, Fixed) and self.selector.matches(unit.tags)
        return self.minimum.number if fixed and isinstance(self.minimum, Fixed) else 1

    def terms(self, tally: Tally) -> Iterator[Term]:
        """The models of each unit, or of each Unique name."""
        low, top = self._bounds(tally)
        for ref, lines in self._same(tally).items():
            yield copies_term(self, ref, lines, low, top, self.selector)

    def _same(self, tally: Tally) -> dict[str, list[Line]]:
        """The lines that are of one and the same unit, or name."""
        same: dict[str, list[Line]] = defaultdict(list)
        for line in tally.matching(self.selector):
            key = line.unit.unique.casefold() if self.by == "unique" else line.unit.ref
            if key and not tally.spares(self.head.id, line):
                same[key].append(line)
        return same

    def _bounds(self, tally: Tally) -> tuple[int | None, int | None]:
        top = None if self.maximum is None else self.maximum.upper(tally)
        low = None if self.minimum is None else self.minimum.lower(tally)
        return low, top

    def judge(self, tally: Tally) -> Iterator[Finding]:
        if not tally.picks_by[self.number]:
            return
        low, top = self._bounds(tally)
        for ref, lines in self._same(tally).items():
            measured = sum(line.models for line in lines)
            where = tuple(line.pick.id for line in lines)
            names = (line.unit.unique or line.unit.name for line in lines)
            name = min(names) if self.by == "unique" else lines[0].unit.name
            values = {"unit": name, "names": [line.name for line in lines]}
            if top is not None and measured > top:
                yield self.finding(where, measured, top, values, AboutCopies(ref))
            if low is not None and measured < low:
                yield self.finding(where, measured, low, values, AboutCopies(ref))


def copies_term(
    rule: Rule,
    ref: str,
    lines: list[Line],
    low: int | None,
    high: int | None,
    of: Selector | None = None,
) -> Term:
    """The models of lines that are of one unit."""
    parts = [part_of(line, line.models, each=1) for line in lines]
    measured = sum(part.amount for part in parts)
    return Term(rule.head, MODELS, measured, low, high, just(*parts), AboutCopies(ref), of)
