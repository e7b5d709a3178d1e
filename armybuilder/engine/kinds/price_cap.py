"""Kind "price-cap": the normal points of one model a selector matches lie below a bound.

Chainmail 2002, rule 106: the reserve model costs at most a tenth of the point value.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar

from armybuilder.engine.about import AboutUnit
from armybuilder.engine.bounds import Bound, read_bound
from armybuilder.engine.fields import counted, given
from armybuilder.engine.rules import Finding, Rule
from armybuilder.engine.selectors import Selector
from armybuilder.engine.space.space import Space
from armybuilder.engine.tally import Tally
from armybuilder.engine.terms import PRICE, Term, just, part_of


@dataclass(frozen=True, slots=True, eq=False)
class PriceCap(Rule):
    kind: ClassVar[str] = "price-cap"
    says: ClassVar[frozenset[str]] = frozenset(["unit"])
    can_be_lifted: ClassVar[bool] = True
    selector: Selector = given("of", Selector.read)
    number: int = counted("of")
    maximum: Bound = given("max", read_bound)

    def terms(self, tally: Tally) -> Iterator[Term]:
        """Return the price of one model of each unit that is meant."""
        top, role = self.maximum.upper(tally), self.selector.role_among(tally.system.roles)
        for line in tally.matching(self.selector):
            if not tally.spares(self.head.id, line):
                part, about = part_of(line, line.each), AboutUnit(line.pick.id)
                of = self.selector
                yield Term(self.head, PRICE, line.each, None, top, just(part), about, of, role)

    def judge(self, tally: Tally) -> Iterator[Finding]:
        top = self.maximum.upper(tally) if tally.picks_by[self.number] else None
        if top is not None and any(line.each > top for line in tally.lines):
            yield from Rule.judge(self, tally)

    def constrain(self, space: Space) -> None:
        top = self.maximum.in_space(space)
        for candidate, meant in space.matching(self.selector, self.head.id):
            about = AboutUnit(candidate.key)
            space.bound(self.head, candidate.each, high=top, when=(meant,), about=about)

    def values(self, term: Term, tally: Tally) -> Mapping[str, object]:
        return {"unit": term.parts[0].label}
