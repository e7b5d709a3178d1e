"""Kind "limit": a count or sum over the whole list lies between bounds.

Counts points, models, picks (units or options) that a selector matches, or the pieces chosen in a
setting.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import ClassVar

from armybuilder.engine.about import WHOLE_LIST, About, AboutCategory
from armybuilder.engine.bounds import Bound, ForList
from armybuilder.engine.citations import RuleHead
from armybuilder.engine.ends import End, read_end
from armybuilder.engine.fields import counted, given
from armybuilder.engine.queries import OfList, Pieces, Query
from armybuilder.engine.rules import Rule
from armybuilder.engine.selectors import EVERYTHING, Count, Selector, SelectorIndex
from armybuilder.engine.tally import Tally
from armybuilder.engine.terms import PICKS, PIECES, POINTS, Term
from armybuilder.engine.wording import say


@dataclass(frozen=True, slots=True, eq=False)
class Limit(Rule):
    kind: ClassVar[str] = "limit"
    says: ClassVar[frozenset[str]] = frozenset(["what", "names"])
    can_be_lifted: ClassVar[bool] = True
    lasts: ClassVar[bool] = True
    count: str = given()
    number: int = counted("of")
    selector: Selector = given("of", Selector.read, default=EVERYTHING)
    minimum: End | None = given("min", read_end, default=None)
    maximum: End | None = given("max", read_end, default=None)
    setting: str = given(default="")
    name: str = given("gauge", default="")
    what: str = ""
    category: str = ""

    def numbered_in(self, selector_index: SelectorIndex) -> "Limit":
        """Return the same, which counts by that index's number of its selector."""
        return replace(self, number=selector_index.add(self.selector))

    def make_bounds(self) -> Iterator[Bound]:
        if self.count == PIECES:
            query: Query = Pieces(self.setting, self.selector)
        else:
            query = OfList(Count(self.count, self.selector, self.number, self.head.id))
        each = ForList(self.about)
        yield Bound(self.head, query, self.minimum, self.maximum, each, self.name)

    @property
    def lasting(self) -> tuple[RuleHead, ...]:
        return tuple(bound.head for bound in self.bounds if bound.lasts)

    @property
    def about(self) -> About:
        """The category that it bounds, or the list."""
        return AboutCategory(self.category) if self.category else WHOLE_LIST

    def values(self, term: Term, tally: Tally) -> Mapping[str, object]:
        values: dict[str, object] = {"what": self.what or self.name}
        if self.count == PIECES:
            values = {"names": [part.label for part in term.parts]}
        elif self.what and self.count != POINTS:
            values["count"] = PICKS
        return {**values, "bound": say("exactly")} if term.high == term.low else values
