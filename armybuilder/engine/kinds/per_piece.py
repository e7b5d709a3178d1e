"""Kind "per-piece": the number of options put on one piece of a unit's equipment has a maximum.

The Ninth Age, Rulebook 22.A.b: one armour enchantment on each piece of armour that a model
carries; there are suits of armour and shields, one of each to a model (21.E).
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import Any, ClassVar

from armybuilder.engine.about import AboutPiece
from armybuilder.engine.bounds import Bound, ForHaving
from armybuilder.engine.ends import Edge, End
from armybuilder.engine.fields import counted, each_of, given
from armybuilder.engine.kinds.per_unit import names_in
from armybuilder.engine.lines import Line
from armybuilder.engine.options import Option
from armybuilder.engine.queries import OfItems
from armybuilder.engine.rules import ItemSlot, Rule
from armybuilder.engine.selectors import Selector
from armybuilder.engine.space.constraints import FALSE, TRUE, Literal
from armybuilder.engine.tally import Tally
from armybuilder.engine.terms import Term
from armybuilder.engine.view import Items, N, Subject, View


@dataclass(frozen=True, slots=True)
class ArmourPiece:
    """Equipment that a model has one of, by name. `ids` are what books call it, none: all that no
    other piece is called. Items of the kind `item` are put there where the book says nothing.
    """

    name: str = given()
    item: str = given()
    ids: frozenset[str] = given("on", frozenset, default=frozenset())


@dataclass(frozen=True, slots=True)
class _Most(End):
    """Maximum of options on a piece: the most that the unit's entry allows of any of them,
    otherwise the rule's.
    """

    own: ClassVar[bool] = True
    usual: int

    def edge(self, view: View[N], subject: Subject) -> Edge[N]:
        limits, most = subject.members[0][0].unit.item_limits, dict[int, list[Literal]]()
        for item, number in subject.items:
            top = limits.get(item.option.item, self.usual)
            most.setdefault(top, []).append(view.algebra.at_least(number, 1))
        value, *more = sorted(most)
        total = view.algebra.constant(value)
        for before, top in pairwise([value, *more]):
            above = (here for one, literals in most.items() if one >= top for here in literals)
            total = total + view.algebra.number(view.algebra.any_of(above)) * (top - before)
        return Edge(total)

    def passes(self, member: Any, items: Items) -> bool:
        return not member.unit.item_limits and sum([number for _, number in items]) <= self.usual


@dataclass(frozen=True, slots=True, eq=False)
class PerPiece(Rule):
    """A unit's own entry may allow more of a kind of item on a piece."""

    kind: ClassVar[str] = "per-piece"
    by_unit: ClassVar[bool] = True
    says: ClassVar[frozenset[str]] = frozenset(["unit", "what", "names"])
    items: Selector = given("of", Selector.read)
    number: int = counted("of")
    maximum: int = given("max")
    pieces: tuple[ArmourPiece, ...] = given(read=each_of(ArmourPiece))

    def make_bounds(self) -> Iterator[Bound]:
        each = ForHaving(self.number, find=self._on_pieces)
        yield Bound(self.head, OfItems(), high=_Most(self.maximum), each=each)

    def _on_pieces(self, view: View[Any], member: Any, items: Items) -> Iterator[Subject]:
        """Return the options on each piece of a unit."""
        for piece in self.pieces:
            put = [
                (item, view.algebra.where(here, number))
                for item, number in items
                if (here := self._is_on(view, member, item, piece)) != FALSE
            ]
            if put:
                about = AboutPiece(member.key, piece.name)
                yield Subject(member.key, ((member, TRUE),), put, about=about)

    def _is_on(self, view: View[Any], member: Any, item: Any, piece: ArmourPiece) -> Literal:
        """Return whether an item is put on a piece: the list names it, or it is the only one that
        the item fits. It is on none if it fits several and the list names none.
        """
        option = item.option
        if not option.on:
            return TRUE if self.only_piece(option) is piece else FALSE

        carried = {one: member.carries(one) for one in option.on}
        put_on = member.put_on(item)
        named = {
            one: view.algebra.all_of([put_on.get(one, FALSE), has]) for one, has in carried.items()
        }
        of_piece = {one: self._piece(one) is piece for one in option.on}
        any_named, any_carried = (
            view.algebra.any_of(named.values()),
            view.algebra.any_of(carried.values()),
        )
        others = [~has for one, has in carried.items() if not of_piece[one]]
        return view.algebra.any_of(
            [
                *(literal for one, literal in named.items() if of_piece[one]),
                view.algebra.all_of([~any_named, any_carried, *others]),
                view.algebra.all_of([~any_carried, TRUE if all(of_piece.values()) else FALSE]),
            ]
        )

    def slots(self, line: Line) -> Iterator[ItemSlot]:
        for piece in self.pieces:
            most = line.unit.item_limits.get(piece.item, self.maximum)
            yield ItemSlot(partial(self._goes_on, piece), most)

    def _goes_on(self, piece: ArmourPiece, option: Option) -> bool:
        return self.items.matches(option.tags) and self.only_piece(option) is piece

    def values(self, term: Term, tally: Tally) -> Mapping[str, object]:
        (part,) = term.parts
        what = term.about.piece if isinstance(term.about, AboutPiece) else ""
        return {"unit": part.label, "what": what, "names": names_in(part)}

    def only_piece(self, option: Option) -> ArmourPiece | None:
        """Return the piece that an item may be put on; None where it is several."""
        if not option.on:
            return next((piece for piece in self.pieces if piece.item == option.item), None)
        pieces = {self._piece(one) for one in option.on}
        return pieces.pop() if len(pieces) == 1 else None

    def _piece(self, equipment: str) -> ArmourPiece | None:
        named = (piece for piece in self.pieces if equipment in piece.ids)
        return next(named, None) or next((one for one in self.pieces if not one.ids), None)
