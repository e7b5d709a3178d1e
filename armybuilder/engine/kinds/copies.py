"""Kind "copies": bounds on the number of models of the same unit, or of the same Unique name; or on
how often a unit is on the list, of any size.

Song of Blades and Heroes: a swarm is two bases or more. D&D Miniatures, Battle Rules p. 47: one
Unique creature of a name, under any title.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar

from armybuilder.engine.bounds import Bound, ForSame
from armybuilder.engine.ends import End, Fixed, read_end
from armybuilder.engine.fields import counted, given
from armybuilder.engine.queries import OfMembers
from armybuilder.engine.rules import Rule
from armybuilder.engine.selectors import EVERYTHING, Selector
from armybuilder.engine.tally import Tally
from armybuilder.engine.terms import MODELS, Term
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
    minimum: End | None = given("min", read_end, default=None)
    maximum: End | None = given("max", read_end, default=None)
    by: str = given(default="")
    count: str = given(default=MODELS)

    def least_models(self, unit: Unit) -> int:
        meant = self.count == MODELS and self.selector.matches(unit.tags)
        return self.minimum.number if meant and isinstance(self.minimum, Fixed) else 1

    def make_bounds(self) -> Iterator[Bound]:
        same = ForSame(self.selector, self.number, self.head.id, self.by)
        of = OfMembers(self.count, self.selector)
        yield Bound(self.head, of, self.minimum, self.maximum, same)

    def values(self, term: Term, tally: Tally) -> Mapping[str, object]:
        names = [line.unit.unique or line.unit.name for line in term.lines]
        name = min(names) if self.by == "unique" else term.lines[0].unit.name
        return {"unit": name, "names": sorted({line.name for line in term.lines})}
