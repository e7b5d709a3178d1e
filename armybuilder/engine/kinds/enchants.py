"""Kind "enchants": an enchantment goes on a fitting piece of the unit's equipment; if several
fit, the list names one.

The Ninth Age, Rulebook 22.A. An enchantment's `on` in the book lists the pieces that it fits;
without `on` it fits any of the rule's pieces (`otherwise`), and isn't checked if the rule has none.
If the book doesn't list a unit's equipment, it isn't checked: except that the unit has no shield or
weapon that it could choose, nor a second suit of armour (21.E).
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar

from armybuilder.engine.about import AboutItem
from armybuilder.engine.fields import counted, given
from armybuilder.engine.kinds.worn import NO_ARMOUR, suits_of
from armybuilder.engine.lines import Line
from armybuilder.engine.loadout import Taken
from armybuilder.engine.options import Slot
from armybuilder.engine.rules import Finding, Rule
from armybuilder.engine.space.candidates import Candidate, Placed
from armybuilder.engine.space.constraints import FALSE, TRUE, Expression, Literal
from armybuilder.engine.space.space import Space
from armybuilder.engine.states import State
from armybuilder.engine.tally import Tally
from armybuilder.engine.terms import BARRED, Term, just, options_of
from armybuilder.engine.traits import UNTOLD_EQUIPMENT
from armybuilder.engine.unchecked import Unchecked, of_line
from armybuilder.engine.wording import either, say, spelled


@dataclass(frozen=True, slots=True, eq=False)
class Enchants(Rule):
    """Rule of enchantments.

    `number` limits it to enchantments of that number, None: all. `always` are pieces of every unit;
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

    def make_trigger(self) -> int | None:
        """Return the number of its enchantments."""
        return self.number

    def terms(self, tally: Tally) -> Iterator[Term]:
        """Each enchantment that is put on nothing, or does not say on what; that must not be."""
        for line, taken in self._meant(tally):
            if self._is_wrong(tally, line, taken):
                part = options_of(line, [(taken, 1)])
                about = AboutItem(line.pick.id, taken.pick.id)
                yield Term(self.head, BARRED, 1, None, 0, just(part), about)

    def judge(self, tally: Tally) -> Iterator[Finding]:
        return (self.told(term, tally) for term in self.terms(tally))

    def constrain(self, space: Space) -> None:
        both = space.constraints
        for candidate in space.candidates:
            for placed, taken in space.options(candidate, self.number):
                pieces = {
                    piece: TRUE if piece in self.always else candidate.carries(piece)
                    for piece in self._fits(placed.slot, not placed.above)
                }
                if not pieces:
                    continue
                about = AboutItem(candidate.key, placed.slot.option.id)
                if not self.ask:
                    owner = space.owner(self.head, about)
                    untold = self._untold_in(space, candidate, placed)
                    both.require_any([~taken, *pieces.values(), untold], owner)
                    continue
                some = both.any_of(pieces.values())
                put_on = candidate.put_on(placed)
                for piece, on in put_on.items():
                    carried = pieces.get(piece, FALSE)
                    space.forbid(self.head, taken, some, on, ~carried, about=about)
                fitting = Expression()
                for carried in pieces.values():
                    fitting.add(both.number(carried))
                named = both.any_of(put_on.values())
                both.require(fitting, None, 1, (taken, ~named), space.owner(self.head, about))

    def unchecked(self, tally: Tally) -> Iterator[Unchecked]:
        for line, taken in self._meant(tally):
            on = taken.slot.option.on
            if on and not self.fitting(line, taken) and self._is_untold(tally, line, taken):
                name, cited = taken.slot.option.name, str(self.head.citation)
                lack = say("needs {what}", what=either(map(spelled, on)))
                yield of_line(line, name, lack, "stat-line", cited)

    def _is_untold(self, tally: Tally, line: Line, taken: Taken) -> bool:
        """Return whether the unit may have a fitting piece, but the book doesn't say."""
        if self.ask or UNTOLD_EQUIPMENT not in line.tags:
            return False
        table, fits = tally.system.armour or NO_ARMOUR, frozenset(self._fits_of(taken))
        pieces = fits - (line.unit.offer.slots.keys() - table.suits.keys())
        suits = [suits_of(one.option, table) for one in line.loadout.taken if one.parent < 0]
        wears_another = any(suits) and all(map(fits.isdisjoint, suits))
        return taken.parent >= 0 or bool(pieces - table.suits.keys() if wears_another else pieces)

    def _untold_in(self, space: Space, candidate: Candidate, placed: Placed) -> Literal:
        """Return the same for a space of lists."""
        both, untold = space.constraints, candidate.tag(UNTOLD_EQUIPMENT)
        table, fits = space.system.armour or NO_ARMOUR, frozenset(self._fits(placed.slot, True))
        pieces = fits - (candidate.unit.offer.slots.keys() - table.suits.keys())
        if untold == FALSE or placed.above or pieces - table.suits.keys():
            return untold
        if not pieces:
            return FALSE
        suits = [
            (one.taken, suits_of(one.slot.option, table))
            for one in candidate.options
            if len(one.path) == 1
        ]
        others = (~taken for taken, ids in suits if ids and ids.isdisjoint(fits))
        fitting = (taken for taken, ids in suits if not ids.isdisjoint(fits))
        return both.all_of([untold, both.any_of([both.all_of(others), *fitting])])

    def _meant(self, tally: Tally) -> Iterator[tuple[Line, Taken]]:
        """Return the enchantments whose pieces are known, each with its unit."""
        for line in tally.lines:
            number, every = self.number, line.loadout.taken
            for taken in every if number is None else tally.options_in(line, number):
                if self._fits_of(taken):
                    yield line, taken

    def _fits_of(self, taken: Taken) -> tuple[str, ...]:
        return self._fits(taken.slot, taken.parent < 0)

    def _fits(self, slot: Slot, free: bool) -> tuple[str, ...]:
        """Return the ids of the pieces that an enchantment (`free`: on no other option) fits."""
        on = slot.option.on
        if on or not self.otherwise or not free or slot.tied:
            return on
        return self.otherwise

    def fitting(self, line: Line, taken: Taken) -> tuple[str, ...]:
        """Return the pieces the unit carries that the enchantment fits, by id."""
        fits = self._fits_of(taken)
        return tuple(piece for piece in fits if piece in self.always or line.carries(piece))

    def pieces_for(self, line: Line, taken: Taken) -> tuple[str, ...]:
        return self.fitting(line, taken) if self.ask else ()

    def _is_wrong(self, tally: Tally, line: Line, taken: Taken) -> bool:
        if not self.ask:
            fits = self._fits_of(taken)
            carried = any(piece in self.always or line.carries(piece) for piece in fits)
            return not carried and not self._is_untold(tally, line, taken)
        fitting, named = self.fitting(line, taken), taken.pick.on
        return bool(fitting) and (named not in fitting if named else len(fitting) > 1)

    def wanted(self, line: Line, taken: Taken) -> frozenset[str]:
        return frozenset(() if self.ask else (f"option:{piece}" for piece in self._fits_of(taken)))

    def state_of(self, finding: Finding) -> State:
        return State.MISSING if finding.values["count"] == "asked" else State.BROKEN

    def values(self, term: Term, tally: Tally) -> Mapping[str, object]:
        (part,) = term.parts
        ((taken, _),) = part.options
        fitting = self.fitting(part.line, taken) if part.line is not None else ()
        said = fitting or taken.option.on
        return {
            "unit": part.label,
            "option": taken.option.name,
            "names": either(map(spelled, said)) if said else self.otherwise_name,
            "count": ("named" if taken.pick.on else "asked") if self.ask else "fits",
            "lacks": say("it has none"),
        }
