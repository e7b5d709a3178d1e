"""Kind "each-unit": how many models one unit has, or what it costs, lies between bounds.

Events bound regiments so: at most 35 models, at most 450 points. Where models are bought singly, it
bounds how many there are of the same unit, and what one costs, however they are split into lines.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar

from armybuilder.engine.about import AboutUnit
from armybuilder.engine.bounds import Bound, limits_of, read_bound
from armybuilder.engine.fields import given
from armybuilder.engine.kinds.copies import Copies
from armybuilder.engine.rules import Rule
from armybuilder.engine.selectors import EVERYTHING, Selector
from armybuilder.engine.space.space import Space
from armybuilder.engine.tally import Tally
from armybuilder.engine.terms import MODELS, Term, just, part_of
from armybuilder.engine.wording import marked


@dataclass(frozen=True, slots=True, eq=False)
class EachUnit(Rule):
    """`count` is "models" or "points"."""

    kind: ClassVar[str] = "each-unit"
    says: ClassVar[frozenset[str]] = frozenset(["unit"])
    plain: ClassVar[str] = marked("{unit}: {measured}, {bound} {allowed}. {summary}")
    count: str
    selector: Selector = given("of", Selector.read, default=EVERYTHING)
    minimum: Bound | None = given("min", read_bound, default=None)
    maximum: Bound | None = given("max", read_bound, default=None)

    def terms(self, tally: Tally) -> Iterator[Term]:
        """Return the models or points of each unit that is meant."""
        low = None if self.minimum is None else self.minimum.lower(tally)
        high = None if self.maximum is None else self.maximum.upper(tally)
        sized = tally.system.sized
        if self.count == MODELS and not sized:
            yield from self._of_the_same.terms(tally)
            return
        for line in tally.matching(self.selector):
            points = line.points if sized else line.each
            measured = line.models if self.count == MODELS else points
            part = part_of(line, measured, each=1 if self.count == MODELS else 0)
            about = AboutUnit(line.pick.id)
            yield Term(self.head, self.count, measured, low, high, just(part), about, self.selector)

    def constrain(self, space: Space) -> None:
        sized = space.system.sized
        if self.count == MODELS and not sized:
            self._of_the_same.constrain(space)
            return
        low, high = limits_of(self.minimum, space), limits_of(self.maximum, space)
        for candidate, meant in space.matching(self.selector):
            points = candidate.points if sized else candidate.each
            number = candidate.models if self.count == MODELS else points
            about = AboutUnit(candidate.key)
            space.bound(self.head, number, low=low, high=high, when=(meant,), about=about)

    @property
    def _of_the_same(self) -> Copies:
        return Copies(self.head, self.selector, minimum=self.minimum, maximum=self.maximum)

    def values(self, term: Term, tally: Tally) -> Mapping[str, object]:
        return {"unit": term.parts[0].label}
