"""Kind "enchants": an enchantment goes on a fitting piece of the unit's equipment; if several
fit, the list names one.

The Ninth Age, Rulebook 22.A. An enchantment's `on` in the book lists the pieces that it fits;
without `on` it fits any of the rule's pieces (`otherwise`), and isn't checked if the rule has none.
If the book doesn't list a unit's equipment, it isn't checked: except that the unit has no shield or
weapon that it could choose, nor a second suit of armour (21.E).
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from armybuilder.engine.about import AboutItem
from armybuilder.engine.bounds import Bound, ForHaving
from armybuilder.engine.ends import Fixed
from armybuilder.engine.fields import counted, given
from armybuilder.engine.kinds.worn import NO_ARMOUR, suits_of
from armybuilder.engine.lines import Line
from armybuilder.engine.loadout import Taken
from armybuilder.engine.queries import OfBarred
from armybuilder.engine.rules import Finding, Rule
from armybuilder.engine.selectors import Selector
from armybuilder.engine.space.constraints import FALSE, TRUE, Literal
from armybuilder.engine.states import State
from armybuilder.engine.tally import Tally
from armybuilder.engine.terms import Term
from armybuilder.engine.traits import UNTOLD_EQUIPMENT
from armybuilder.engine.unchecked import Unchecked, of_line
from armybuilder.engine.view import Items, Subject, View
from armybuilder.engine.wording import either, say, spelled

_UNTOLD = Selector((frozenset([UNTOLD_EQUIPMENT]),))


@dataclass(frozen=True, slots=True, eq=False)
class Enchants(Rule):
    """Rule of enchantments.

    `number` is that of the enchantments, None: all. `always` are pieces of every unit;
    `ask` makes this the rule that requires a named piece if several fit, otherwise it requires at
    least one to fit. `otherwise` are the pieces that an enchantment without an entry fits, in words
    `otherwise_name`; an enchantment tied to an option goes on that.
    """

    kind: ClassVar[str] = "enchants"
    by_unit: ClassVar[bool] = True
    says: ClassVar[frozenset[str]] = frozenset(["unit", "option", "names", "lacks"])
    always: frozenset[str] = given(read=frozenset, default=frozenset())
    ask: bool = given(default=False)
    otherwise: tuple[str, ...] = given(read=tuple, default=())
    otherwise_name: str = given(default="")
    number: int | None = counted("of", default=None)

    def make_bounds(self) -> Iterator[Bound]:
        each = ForHaving(self.number, find=self._wrong)
        yield Bound(self.head, OfBarred(), high=Fixed(0), each=each)

    def _wrong(self, view: View[Any], member: Any, items: Items) -> Iterator[Subject]:
        """Return each enchantment where it is put on nothing, or does not say on what."""
        for item, number in items:
            for wrong in self._ways(view, member, item):
                here = item.taken if number is item.number else view.algebra.at_least(number, 1)
                once, about = view.algebra.constant(1), AboutItem(member.key, item.option.id)
                when = (here, *wrong)
                yield Subject(member.key, ((member, TRUE),), [(item, once)], when, about)

    def _ways(self, view: View[Any], member: Any, item: Any) -> Iterator[tuple[Literal, ...]]:
        """Return the ways in which an enchantment can be wrong."""
        if not self.ask:
            lacks: list[Literal] = []
            for piece in self._fits(item):
                lacks.append(~self._carries(member, piece))
                if lacks[-1] == FALSE:
                    return
            if lacks:
                yield (*lacks, ~self._untold(view, member, item))
            return
        pieces = self._fitting(member, item)
        some = view.algebra.any_of(pieces.values())
        if some == FALSE:
            return
        put_on = member.put_on(item)
        for piece, on in put_on.items():
            yield some, on, ~pieces.get(piece, FALSE)
        several = view.algebra.at_least(
            view.algebra.sum([view.algebra.number(has) for has in pieces.values()]), 2
        )
        if several != FALSE:
            yield ~view.algebra.any_of(put_on.values()), several

    def unchecked(self, tally: Tally) -> Iterator[Unchecked]:
        for line, items in tally.having(self.number):
            for taken, _ in items:
                on, fits = taken.option.on, self._fitting(line, taken)
                if on and TRUE not in fits.values() and self._untold(tally, line, taken) == TRUE:
                    lack = say("needs {what}", what=either(map(spelled, on)))
                    cited = str(self.head.citation)
                    yield of_line(line, taken.option.name, lack, "stat-line", cited)

    def _untold(self, view: View[Any], member: Any, item: Any) -> Literal:
        """Return whether the unit may have a fitting piece, but the book doesn't say."""
        untold = FALSE if self.ask else view.is_meant(member, _UNTOLD)
        table, fits = view.system.armour or NO_ARMOUR, frozenset(self._fits(item))
        pieces = fits - (member.unit.offer.slots.keys() - table.suits.keys())
        if untold == FALSE or not item.is_outer or pieces - table.suits.keys():
            return untold
        if not pieces:
            return FALSE
        suits = [(one, suits_of(one.option, table)) for one in member.options if one.is_outer]
        others = [~one.taken for one, ids in suits if ids and ids.isdisjoint(fits)]
        fitting = (one.taken for one, ids in suits if not ids.isdisjoint(fits))
        return view.algebra.all_of(
            [untold, view.algebra.any_of([view.algebra.all_of(others), *fitting])]
        )

    def _fits(self, item: Any) -> tuple[str, ...]:
        """Return the ids of the pieces that an enchantment fits."""
        on: tuple[str, ...] = item.option.on
        free = not on and item.is_outer and not item.slot.tied
        return self.otherwise if free else on

    def _fitting(self, member: Any, item: Any) -> dict[str, Literal]:
        """Return the pieces that an enchantment fits, each with whether the unit carries it."""
        return {piece: self._carries(member, piece) for piece in self._fits(item)}

    def _carries(self, member: Any, piece: str) -> Literal:
        return TRUE if piece in self.always else member.carries(piece)

    def fitting(self, line: Line, taken: Taken) -> tuple[str, ...]:
        """Return the pieces the unit carries that the enchantment fits, by id."""
        fits = self._fitting(line, taken)
        return tuple(piece for piece, carried in fits.items() if carried == TRUE)

    def wanted(self, line: Line, taken: Taken) -> frozenset[str]:
        return frozenset(f"option:{piece}" for piece in self._fits(taken))

    def state_of(self, finding: Finding) -> State:
        return State.MISSING if finding.values["count"] == "asked" else State.BROKEN

    def values(self, term: Term, tally: Tally) -> Mapping[str, object]:
        (part,), (line,) = term.parts, term.lines
        ((taken, _),) = part.options
        said = self.fitting(line, taken) or taken.option.on
        return {
            "unit": part.label,
            "option": taken.option.name,
            "names": either(map(spelled, said)) if said else self.otherwise_name,
            "count": ("named" if taken.pick.on else "asked") if self.ask else "fits",
            "lacks": say("it has none"),
        }
