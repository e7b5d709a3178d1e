"""Kind "each-unit": the number of models in one unit, or its cost, lies between bounds.

Events bound regiments so: at most 35 models, at most 450 points. If models are bought singly, it
bounds the number and the cost of all of the same unit, even when split into lines.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from armybuilder.engine.bounds import Bound, ForSame, ForUnit
from armybuilder.engine.ends import End, read_end
from armybuilder.engine.fields import given
from armybuilder.engine.queries import OfMembers
from armybuilder.engine.rules import Rule
from armybuilder.engine.selectors import EVERYTHING, Selector
from armybuilder.engine.terms import MODELS, PRICE
from armybuilder.engine.wording import marked


@dataclass(frozen=True, slots=True, eq=False)
class EachUnit(Rule):
    """`count` is "models" or "points"."""

    kind: ClassVar[str] = "each-unit"
    says: ClassVar[frozenset[str]] = frozenset(["unit"])
    plain: ClassVar[str] = marked("{unit}: {measured}, {bound} {allowed}. {summary}")
    count: str
    selector: Selector = given("of", Selector.read, default=EVERYTHING)
    minimum: End | None = given("min", read_end, default=None)
    maximum: End | None = given("max", read_end, default=None)

    def make_bounds(self) -> Iterator[Bound]:
        ends = self.minimum, self.maximum
        if self.count == MODELS:
            of = OfMembers(MODELS, self.selector)
            yield Bound(self.head, of, *ends, ForUnit(self.selector), sized=True)
            yield Bound(self.head, of, *ends, ForSame(self.selector), sized=False)
        else:
            of = OfMembers(self.count, self.selector, worth=PRICE)
            yield Bound(self.head, of, *ends, ForUnit(self.selector))
