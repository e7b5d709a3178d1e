"""Kind "copies": the number of models of one and the same unit lies between bounds, or of one and
the same Unique name; or how often the same unit is on the list, whatever its size.

Song of Blades and Heroes: a swarm is two bases or more. D&D Miniatures, Battle Rules p. 47: one
Unique creature of a name, whatever its title.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

from armybuilder.engine.about import AboutCopies
from armybuilder.engine.bounds import Bound, Fixed, limits_of, read_bound
from armybuilder.engine.fields import counted, given
from armybuilder.engine.lines import Line
from armybuilder.engine.names import name_key
from armybuilder.engine.rules import Finding, Rule
from armybuilder.engine.selectors import EVERYTHING, Selector
from armybuilder.engine.space.candidates import Candidate
from armybuilder.engine.space.constraints import Literal
from armybuilder.engine.space.expressions import Expression
from armybuilder.engine.space.space import Space, total_models
from armybuilder.engine.tally import Tally
from armybuilder.engine.terms import MODELS, Part, Term, part_of
from armybuilder.engine.units import Unit
from armybuilder.engine.wording import marked


@dataclass(frozen=True, slots=True, eq=False)
class Copies(Rule):
    kind: ClassVar[str] = "copies"
    says: ClassVar[frozenset[str]] = frozenset(["unit", "names"])
    can_be_lifted: ClassVar[bool] = True
    plain: ClassVar[str] = marked("{unit}: {measured}, {bound} {allowed}. {summary}")
    selector: Selector = given("of", Selector.read, default=EVERYTHING)
    number: int | None = counted("of", default=None)
    minimum: Bound | None = given("min", read_bound, default=None)
    maximum: Bound | None = given("max", read_bound, default=None)
    by: str = given(default="")
    count: str = given(default=MODELS)

    def least_models(self, unit: Unit) -> int:
        fixed = self.count == MODELS and isinstance(self.minimum, Fixed)
        fixed = fixed and self.selector.matches(unit.tags)
        return self.minimum.number if fixed and isinstance(self.minimum, Fixed) else 1

    def terms(self, tally: Tally) -> Iterator[Term]:
        """Return the models of each unit, or of each Unique name."""
        low = None if self.minimum is None else self.minimum.lower(tally)
        top = None if self.maximum is None else self.maximum.upper(tally)
        for ref, lines in self._same(tally).items():
            yield copies_term(self, ref, lines, low, top, self.selector, self.count)

    def constrain(self, space: Space) -> None:
        same: dict[str, list[tuple[Candidate, Literal]]] = defaultdict(list)
        for candidate, meant in space.matching(self.selector, self.head.id):
            unit = candidate.unit
            same[name_key(unit.unique) if self.by == "unique" else unit.ref].append(
                (candidate, meant)
            )
        same.pop("", None)
        for ref, parts in same.items():
            some = space.constraints.any_of(meant for _, meant in parts)
            space.bound(
                self.head,
                self._number(space, parts),
                low=limits_of(self.minimum, space),
                high=limits_of(self.maximum, space),
                when=(some,),
                about=AboutCopies(ref),
            )

    def _number(self, space: Space, parts: list[tuple[Candidate, Literal]]) -> Expression:
        if self.count == MODELS:
            return total_models(space, parts)
        total = Expression()
        for candidate, meant in parts:
            total.add(candidate.units(meant))
        return total

    def _same(self, tally: Tally) -> dict[str, list[Line]]:
        """Return the lines that are of one and the same unit, or name."""
        same: dict[str, list[Line]] = defaultdict(list)
        for line in tally.matching(self.selector):
            key = name_key(line.unit.unique) if self.by == "unique" else line.unit.ref
            if key and not tally.spares(self.head.id, line):
                same[key].append(line)
        return same

    def judge(self, tally: Tally) -> Iterator[Finding]:
        if self.number is None or tally.picks_by[self.number]:
            yield from Rule.judge(self, tally)

    def values(self, term: Term, tally: Tally) -> Mapping[str, object]:
        lines = [part.line for part in term.parts if part.line is not None]
        names = [line.unit.unique or line.unit.name for line in lines]
        name = min(names) if self.by == "unique" else lines[0].unit.name
        return {"unit": name, "names": [line.name for line in lines]}


def copies_term(
    rule: Rule,
    ref: str,
    lines: list[Line],
    low: int | None,
    high: int | None,
    of: Selector | None = None,
    count: str = MODELS,
) -> Term:
    """Return the models of lines that are of one unit, or how many units."""
    measured = sum(line.models if count == MODELS else line.units for line in lines)
    parts = partial(_parts, lines, count)
    return Term(rule.head, count, measured, low, high, parts, AboutCopies(ref), of)


def _parts(lines: list[Line], count: str) -> Iterator[Part]:
    for line in lines:
        yield part_of(line, line.models, each=1) if count == MODELS else part_of(line, line.units)


def unit_name(term: Term) -> str:
    """Return the name of the unit whose models a term counts."""
    return next((part.line.unit.name for part in term.parts if part.line is not None), "")
