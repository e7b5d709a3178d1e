"""Kind "price-cap": the normal points of one model a selector matches lie below a bound.

Chainmail 2002, rule 106: the reserve model costs at most a tenth of the point value.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from armybuilder.engine.bounds import Bound, ForUnit
from armybuilder.engine.ends import End, read_end
from armybuilder.engine.fields import counted, given
from armybuilder.engine.queries import OfMembers
from armybuilder.engine.rules import Rule
from armybuilder.engine.selectors import Selector
from armybuilder.engine.terms import PRICE


@dataclass(frozen=True, slots=True, eq=False)
class PriceCap(Rule):
    kind: ClassVar[str] = "price-cap"
    says: ClassVar[frozenset[str]] = frozenset(["unit"])
    can_be_lifted: ClassVar[bool] = True
    selector: Selector = given("of", Selector.read)
    number: int = counted("of")
    maximum: End = given("max", read_end)

    def make_bounds(self) -> Iterator[Bound]:
        each = ForUnit(self.selector, self.number, self.head.id)
        yield Bound(self.head, OfMembers(PRICE, self.selector), high=self.maximum, each=each)
