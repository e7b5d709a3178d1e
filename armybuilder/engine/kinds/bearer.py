"""Kind "bearer": certain options need a bearer, such as a Standard Bearer.

The Ninth Age, Rulebook 22.A.c: Banner Enchantments are upgrades to Standard Bearers and Battle
Standard Bearers.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from armybuilder.engine.bounds import Bound, ForHaving
from armybuilder.engine.ends import Fixed
from armybuilder.engine.fields import counted, given
from armybuilder.engine.kinds.per_unit import names_in
from armybuilder.engine.queries import OfBarred
from armybuilder.engine.rules import Rule
from armybuilder.engine.selectors import Selector
from armybuilder.engine.space.constraints import TRUE
from armybuilder.engine.tally import Tally
from armybuilder.engine.terms import Term
from armybuilder.engine.view import Items, Subject, View


@dataclass(frozen=True, slots=True, eq=False)
class Bearer(Rule):
    """The bearer of an item.

    `by` matches the bearer, or the option that makes one; `by_name` is its name. An item that an
    entry ties to an option is borne by that option; a unit whose entry gives a maximum of items of
    the kind (`item`) bears them itself.
    """

    kind: ClassVar[str] = "bearer"
    by_unit: ClassVar[bool] = True
    says: ClassVar[frozenset[str]] = frozenset(["unit", "names", "needs"])
    number: int = counted("of")
    item: str = given("of", lambda of: of.get("item", ""))
    by: Selector = given(read=Selector.read)
    by_number: int = counted("by")
    by_name: str = given()

    def make_bounds(self) -> Iterator[Bound]:
        each = ForHaving(self.number, find=self._unborne)
        yield Bound(self.head, OfBarred(), high=Fixed(0), each=each)

    def _unborne(self, view: View[Any], member: Any, items: Items) -> Iterator[Subject]:
        """Return a unit that has taken such items on itself and does not bear them."""
        outer = [pair for pair in items if pair[0].is_outer and not pair[0].slot.tied]
        if outer and self.item not in member.unit.item_limits:
            option = view.has_option(member, self.by_number)
            bears = view.algebra.any_of([option, view.is_meant(member, self.by)])
            yield Subject(member.key, ((member, TRUE),), outer, (~bears,))

    def values(self, term: Term, tally: Tally) -> Mapping[str, object]:
        (part,) = term.parts
        return {"unit": part.label, "names": names_in(part), "needs": self.by_name}
