"""Kind "per-unit": the number of certain options on one unit has a maximum.

The Ninth Age: one weapon enchantment, two artefacts, one Dominant item to a model.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from armybuilder.engine.amounts import Amount, read_amount
from armybuilder.engine.bounds import Bound, ForHaving
from armybuilder.engine.ends import Edge, End
from armybuilder.engine.fields import counted, given
from armybuilder.engine.lines import Line
from armybuilder.engine.queries import OfItems
from armybuilder.engine.rules import ItemSlot, Rule
from armybuilder.engine.selectors import Selector
from armybuilder.engine.tally import Tally
from armybuilder.engine.terms import Part, Term
from armybuilder.engine.view import THE_LIST, Items, N, Subject, View


@dataclass(frozen=True, slots=True)
class _Allowed(End):
    """Maximum of items of a kind in a unit: by its entry, otherwise by the rule."""

    own: ClassVar[bool] = True
    amount: Amount
    item: str
    least: int

    def edge(self, view: View[N], subject: Subject) -> Edge[N]:
        ((member, _),) = subject.members
        known = member.unit.item_limits.get(self.item)
        if known is None and self.amount.changes:
            value, exists = view.amount(self.amount, member)
            return Edge(value, 1, exists)
        return Edge(view.algebra.constant((self.amount.base or 0) if known is None else known))

    def upper(self, tally: View[int], subject: Subject = THE_LIST) -> int:
        return _most(subject.members[0][0], self.amount, self.item)

    def passes(self, member: Any, items: Items) -> bool:
        return not member.unit.item_limits and sum([number for _, number in items]) <= self.least


def _read_maximum(data: int | Mapping[str, Any]) -> Amount:
    """Build from 2, or from a number that moves: {"number": 1, "when": [...]}."""
    if isinstance(data, int):
        return Amount(data)
    return read_amount(data["number"], data["when"], "number")


@dataclass(frozen=True, slots=True, eq=False)
class PerUnit(Rule):
    """`what` names the counted options in words, `item` is the kind of special item, if they are
    one. A unit's own entry may allow more of these. Conditions in `maximum` are asked of the unit.
    """

    kind: ClassVar[str] = "per-unit"
    by_unit: ClassVar[bool] = True
    says: ClassVar[frozenset[str]] = frozenset(["unit", "what", "names"])
    items: Selector = given("of", Selector.read)
    number: int = counted("of")
    maximum: Amount = given("max", _read_maximum)
    what: str = given()
    item: str = given("of", lambda of: of.get("item", ""))

    @property
    def carried(self) -> frozenset[str]:
        """Slots, where it is about special items."""
        return frozenset({"slots"} if self.item else ())

    def make_bounds(self) -> Iterator[Bound]:
        high = _Allowed(self.maximum, self.item, self.maximum.smallest)
        yield Bound(self.head, OfItems(), high=high, each=ForHaving(self.number))

    def slots(self, line: Line) -> Iterator[ItemSlot]:
        # A selector that means the unit itself counts units, not options.
        if self.items.clauses and not self.items.matches(line.tags):
            most = _most(line, self.maximum, self.item)
            yield ItemSlot(lambda option: self.items.matches(option.tags), most)

    def values(self, term: Term, tally: Tally) -> Mapping[str, object]:
        (part,) = term.parts
        return {"unit": part.label, "what": self.what, "names": names_in(part)}


def _most(line: Line, maximum: Amount, item: str) -> int:
    limit = line.unit.item_limits.get(item)
    return maximum.number(line.seen) if limit is None else limit


def names_in(part: Part) -> list[str]:
    """Names of the counted options, as often as they are taken."""
    return [taken.option.name for taken, _ in part.options for _ in range(taken.number)]
