"""Kind "worn": of the pieces of armour chosen for a model one is a suit and one a shield.

The Ninth Age, Rulebook 21.E. The game's table of armour says what is which, by the names of options
and of the pieces that are part of such a name ("Spear and Shield"). A piece that the entry itself
or an option by another name brings replaces another or is replaced, and what is taken on an option,
such as a mount, may be another model's.
"""

from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

from armybuilder.engine.about import AboutPiece
from armybuilder.engine.lines import Line
from armybuilder.engine.loadout import Taken
from armybuilder.engine.options import Option, slug
from armybuilder.engine.rules import Rule
from armybuilder.engine.space.candidates import Candidate
from armybuilder.engine.space.expressions import Expression
from armybuilder.engine.space.space import Space
from armybuilder.engine.tally import Tally
from armybuilder.engine.terms import PICKS, Term, just, options_of
from armybuilder.engine.units import Unit
from armybuilder.engine.vocabulary import ArmourTable
from armybuilder.engine.wording import say

#: The types of armour, by what findings and constraints call them.
SUIT, SHIELD = "suit", "shield"
#: What a game without a table of armour has.
NO_ARMOUR = ArmourTable("", {}, {}, 0)


@dataclass(frozen=True, slots=True, eq=False)
class Worn(Rule):
    kind: ClassVar[str] = "worn"
    by_unit: ClassVar[bool] = True
    says: ClassVar[frozenset[str]] = frozenset(["unit", "what", "names"])

    def terms(self, tally: Tally) -> Iterator[Term]:
        """Return the pieces of one type of each unit, where it has chosen more than one."""
        table = tally.system.armour or NO_ARMOUR
        for line in tally.lines:
            for type_, pieces in _chosen(line, table).items():
                part = options_of(line, pieces)
                if part.amount > 1:
                    about = AboutPiece(line.pick.id, type_)
                    yield Term(self.head, PICKS, part.amount, None, 1, just(part), about)

    def constrain(self, space: Space) -> None:
        table = space.system.armour or NO_ARMOUR
        for candidate in space.candidates:
            for type_, number in _numbers(candidate, table).items():
                owner = space.owner(self.head, AboutPiece(candidate.key, type_))
                space.constraints.require(number, None, 1, (candidate.present,), owner)

    def values(self, term: Term, tally: Tally) -> Mapping[str, object]:
        (part,) = term.parts
        suits = isinstance(term.about, AboutPiece) and term.about.piece == SUIT
        names = [taken.option.name for taken, number in part.options for _ in range(number)]
        what = say("suits of armour") if suits else say("shields")
        return {"unit": part.label, "what": what, "names": names}


def _chosen(line: Line, table: ArmourTable) -> dict[str, list[tuple[Taken, int]]]:
    """Return the pieces taken on the unit itself, by type, each with how often it was chosen."""
    found: dict[str, list[tuple[Taken, int]]] = {}
    for taken in line.loadout.taken:
        if taken.parent < 0 and (type_ := piece_of(taken.option, table)):
            number = taken.number - _given(line.unit).get(taken.pick.id, 0)
            if number > 0:
                found.setdefault(type_, []).append((taken, number))
    return found


def _numbers(candidate: Candidate, table: ArmourTable) -> dict[str, Expression]:
    """Return how many pieces are chosen, by type."""
    there, given = candidate.constraints.number(candidate.present), _given(candidate.unit)
    found: dict[str, Expression] = {}
    for placed in candidate.placed:
        if len(placed.path) == 1 and (type_ := piece_of(placed.slot.option, table)):
            number = found.setdefault(type_, Expression()).add(placed.number)
            number.add(there, -given.pop(placed.path[0], 0))
    return found


def _given(unit: Unit) -> dict[str, int]:
    return {option.id: option.given for option in unit.offer.given}


def piece_of(option: Option, table: ArmourTable) -> str:
    """Return what an option is of: a suit, a shield, or "" for neither."""
    ids = _ids_of(option)
    if any(map(table.suits.get, ids)):
        return SUIT
    return "" if ids.isdisjoint(table.shields) else SHIELD


def suits_of(option: Option, table: ArmourTable) -> Set[str]:
    """Return which suits an option is in the table, where wearing none is one."""
    return _ids_of(option) & table.suits.keys()


def _ids_of(option: Option) -> frozenset[str]:
    return _ids(option.id, option.name, *(one.name for one in option.keywords))


@lru_cache(maxsize=8192)
def _ids(option: str, name: str, *keywords: str) -> frozenset[str]:
    """Return what an option and the pieces in its name are called in the table.

    An aside may tell whose it is.
    """
    names = (option, name, *(one for one in keywords if slug(one) in slug(name)))
    return frozenset(slug(one) for one in names if "(" not in one)
