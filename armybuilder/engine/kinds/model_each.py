"""Kind "model-each": a unit has a model for each of certain options that it has taken.

The Ninth Age, Rulebook 8.D.a.3 (10): Champion, Musician and Standard Bearer are upgrades of one
model each, and of another model each.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar

from armybuilder.engine.about import AboutUnit
from armybuilder.engine.fields import counted
from armybuilder.engine.kinds.per_unit import by_unit, names_in
from armybuilder.engine.lines import Line
from armybuilder.engine.rules import Finding, Rule
from armybuilder.engine.space.space import Space
from armybuilder.engine.tally import Tally
from armybuilder.engine.terms import MODELS, Term, just, options_of, part_of


@dataclass(frozen=True, slots=True, eq=False)
class ModelEach(Rule):
    """Where the unit's smallest size asks for as many models, that is told and this is not."""

    kind: ClassVar[str] = "model-each"
    by_unit: ClassVar[bool] = True
    says: ClassVar[frozenset[str]] = frozenset(["unit", "names"])
    number: int = counted("of")

    def terms(self, tally: Tally) -> Iterator[Term]:
        """Return the models of each unit that has such options; each of these asks for one. What is
        bought singly has one.
        """
        for line, items in by_unit(tally, self.number):
            asked = options_of(line, ((taken, taken.number) for taken in items))
            if _smallest(line) < asked.amount:
                yield Term(
                    self.head,
                    MODELS,
                    line.place.models,
                    asked.amount,
                    parts_of=just(part_of(line, line.place.models, each=1)),
                    about=AboutUnit(line.pick.id),
                    against=(asked,),
                )

    def judge(self, tally: Tally) -> Iterator[Finding]:
        found = by_unit(tally, self.number)
        if any(line.place.models < sum(taken.number for taken in items) for line, items in found):
            yield from Rule.judge(self, tally)

    def constrain(self, space: Space) -> None:
        for candidate in space.candidates:
            asked = space.option_number(candidate, self.number)
            if asked.is_constant:
                continue
            smallest = candidate.smallest()
            too_small = space.constraints.at_least(asked - smallest, 1)
            owner = space.owner(self.head, AboutUnit(candidate.key))
            space.constraints.require(candidate.where.models - asked, 0, None, (too_small,), owner)

    def values(self, term: Term, tally: Tally) -> Mapping[str, object]:
        (asked,) = term.against
        return {"unit": asked.label, "names": names_in(asked)}


def _smallest(line: Line) -> int:
    size = line.unit.size
    return 0 if size is None else size[0].number(line.place)
