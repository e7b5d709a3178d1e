"""Kind "per-piece": the number of options put on one piece of a unit's equipment has a maximum.

The Ninth Age, Rulebook 22.A.b: one armour enchantment on each piece of armour that a model
carries; there are suits of armour and shields, one of each to a model (21.E).
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

from armybuilder.engine.about import AboutPiece
from armybuilder.engine.fields import counted, each_of, given
from armybuilder.engine.kinds.per_unit import names_in
from armybuilder.engine.lines import Line
from armybuilder.engine.loadout import Taken
from armybuilder.engine.options import Option
from armybuilder.engine.rules import Finding, ItemSlot, Rule
from armybuilder.engine.selectors import Selector
from armybuilder.engine.space.candidates import Candidate, Placed
from armybuilder.engine.space.constraints import FALSE, TRUE, Literal, sum_of
from armybuilder.engine.space.space import Space
from armybuilder.engine.tally import Tally
from armybuilder.engine.terms import PICKS, Term, just, options_of


@dataclass(frozen=True, slots=True)
class ArmourPiece:
    """Equipment that a model has one of, by name. `ids` are what books call it, none: all that no
    other piece is called. Items of the kind `item` are put there where the book says nothing.
    """

    name: str = given()
    item: str = given()
    ids: frozenset[str] = given("on", frozenset, default=frozenset())


@dataclass(frozen=True, slots=True, eq=False)
class PerPiece(Rule):
    """A unit's own entry may allow more of a kind of item on a piece."""

    kind: ClassVar[str] = "per-piece"
    by_unit: ClassVar[bool] = True
    says: ClassVar[frozenset[str]] = frozenset(["unit", "what", "names"])
    selector: Selector = given("of", Selector.read)
    number: int = counted("of")
    maximum: int = given("max")
    pieces: tuple[ArmourPiece, ...] = given(read=each_of(ArmourPiece))

    def make_trigger(self) -> int:
        """Return the number of the items."""
        return self.number

    def terms(self, tally: Tally) -> Iterator[Term]:
        """Return the number of options on each piece of each unit."""
        for line, items in tally.having(self.number):
            yield from self._terms(line, [taken for taken, _ in items])

    def _terms(self, line: Line, items: list[Taken]) -> Iterator[Term]:
        limits = line.unit.item_limits
        for piece in self.pieces:
            put = [taken for taken in items if self.piece_of(line, taken) is piece]
            most = max((limits.get(taken.option.item, self.maximum) for taken in put), default=0)
            part = options_of(line, ((taken, taken.number) for taken in put))
            about = AboutPiece(line.pick.id, piece.name)
            yield Term(self.head, PICKS, part.amount, None, most, just(part), about)

    @property
    def items(self) -> Selector:
        return self.selector

    def slots(self, line: Line) -> Iterator[ItemSlot]:
        for piece in self.pieces if self.maximum == 1 else ():
            if line.unit.item_limits.get(piece.item, 1) == 1:
                yield ItemSlot(partial(self._goes_on, piece))

    def _goes_on(self, piece: ArmourPiece, option: Option) -> bool:
        return self.selector.matches(option.tags) and self.only_piece(option) is piece

    def most_of(self, options: Collection[Option], line: Line) -> int | None:
        """None where they go on several pieces."""
        if not all(self.selector.matches(option.tags) for option in options):
            return None
        pieces = {self.only_piece(option) for option in options}
        return self.maximum if len(pieces) == 1 and None not in pieces else None

    def judge(self, tally: Tally) -> Iterator[Finding]:
        for line, items in tally.having(self.number):
            if sum(number for _, number in items) > self.maximum or line.unit.item_limits:
                terms = self._terms(line, [taken for taken, _ in items])
                yield from (self.told(term, tally) for term in terms if term.is_over)

    def constrain(self, space: Space) -> None:
        for candidate in space.candidates:
            items = list(space.options(candidate, self.number))
            for piece in self.pieces if items else ():
                self._constrain_piece(space, candidate, piece, items)

    def _constrain_piece(
        self,
        space: Space,
        candidate: Candidate,
        piece: ArmourPiece,
        items: list[tuple[Placed, Literal]],
    ) -> None:
        """Bound the options on a piece by the most that the unit's entry allows of any of them."""
        both, limits = space.constraints, candidate.unit.item_limits
        put = [
            (placed, both.all_of([taken, self._is_on(space, candidate, placed, piece)]))
            for placed, taken in items
        ]
        total = sum_of(space.times(placed, here) for placed, here in put)
        most = [limits.get(placed.slot.option.item, self.maximum) for placed, _ in put]
        for top in sorted(set(most)):
            more = [~here for (_, here), one in zip(put, most, strict=True) if one > top]
            owner = space.owner(self.head, AboutPiece(candidate.key, piece.name))
            both.require(total, None, top, more, owner)

    def _is_on(
        self, space: Space, candidate: Candidate, placed: Placed, piece: ArmourPiece
    ) -> Literal:
        """Return whether an item is on a piece; see `piece_of`."""
        both, option = space.constraints, placed.slot.option
        if not option.on:
            return TRUE if self.only_piece(option) is piece else FALSE
        carried = {one: candidate.carries(one) for one in option.on}
        put_on = candidate.put_on(placed)
        named = {one: both.all_of([put_on.get(one, FALSE), has]) for one, has in carried.items()}
        of_piece = {one: self._piece(one) is piece for one in option.on}
        any_named, any_carried = both.any_of(named.values()), both.any_of(carried.values())
        others = [~has for one, has in carried.items() if not of_piece[one]]
        return both.any_of(
            [
                *(literal for one, literal in named.items() if of_piece[one]),
                both.all_of([~any_named, any_carried, *others]),
                both.all_of([~any_carried, TRUE if all(of_piece.values()) else FALSE]),
            ]
        )

    def values(self, term: Term, tally: Tally) -> Mapping[str, object]:
        (part,) = term.parts
        what = term.about.piece if isinstance(term.about, AboutPiece) else ""
        return {"unit": part.label, "what": what, "names": names_in(part)}

    def piece_of(self, line: Line, taken: Taken) -> ArmourPiece | None:
        """Return the piece that an item is put on: the one named in the list, or the only one that
        it fits. None if it fits several and the list names none.
        """
        option = taken.slot.option
        carried = [one for one in option.on if line.carries(one)]
        named = [one for one in carried if one == taken.pick.on]
        return self.only_piece(option, named or carried)

    def only_piece(self, option: Option, among: Collection[str] = ()) -> ArmourPiece | None:
        """Return the piece that all this equipment is, or all that the item may be put on; None
        where it is several.
        """
        if not option.on:
            return next((piece for piece in self.pieces if piece.item == option.item), None)
        pieces = {self._piece(one) for one in among or option.on}
        return pieces.pop() if len(pieces) == 1 else None

    def _piece(self, equipment: str) -> ArmourPiece | None:
        named = (piece for piece in self.pieces if equipment in piece.ids)
        return next(named, None) or next((one for one in self.pieces if not one.ids), None)
