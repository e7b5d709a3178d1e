"""Kind "worn": of the pieces of armour chosen for a model one is a suit and one a shield.

The Ninth Age, Rulebook 21.E. The game's table of armour separates suits from shields, by the names
of options and of the pieces that are part of such a name ("Spear and Shield"). A piece that the
entry itself or an option by another name brings replaces another or is replaced, and options on an
option, such as a mount, may be another model's.
"""

from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar

from armybuilder.engine.about import AboutPiece
from armybuilder.engine.bounds import Bound, ForFound
from armybuilder.engine.ends import Fixed
from armybuilder.engine.options import Offer, Option, slug
from armybuilder.engine.queries import OfItems
from armybuilder.engine.rules import Rule
from armybuilder.engine.space.constraints import TRUE
from armybuilder.engine.tally import Tally
from armybuilder.engine.terms import Term
from armybuilder.engine.view import Subject, View
from armybuilder.engine.vocabulary import ArmourTable
from armybuilder.engine.wording import say

#: The types of armour, by what findings and constraints call them.
SUIT, SHIELD = "suit", "shield"
#: The table of a game without armour.
NO_ARMOUR = ArmourTable("", {}, {}, 0)


@dataclass(frozen=True, slots=True, eq=False)
class Worn(Rule):
    kind: ClassVar[str] = "worn"
    by_unit: ClassVar[bool] = True
    says: ClassVar[frozenset[str]] = frozenset(["unit", "what", "names"])

    def make_bounds(self) -> Iterator[Bound]:
        yield Bound(self.head, OfItems(), high=Fixed(1), each=ForFound(self._chosen))

    def _chosen(self, view: View[Any]) -> Iterator[Subject]:
        """Return the pieces chosen of each type of armour on each unit."""
        table = view.system.armour or NO_ARMOUR
        for member in view.members:
            offer = member.unit.offer
            pieces = _pieces_of(offer, table)
            found: dict[str, list[tuple[Any, Any]]] = {}
            given = {option.id: option.given for option in offer.given} if pieces else {}
            for item in member.options if pieces else ():
                option = item.slot.option
                if (type_ := pieces.get(option)) and item.is_outer:
                    always = given.pop(option.id, 0)
                    number = item.number
                    if always:
                        number = number - view.algebra.number(member.present) * always
                    if number != 0:
                        found.setdefault(type_, []).append((item, number))
            for type_, items in found.items():
                here, about = ((member, TRUE),), AboutPiece(member.key, type_)
                yield Subject(member.key, here, items, (member.present,), about)

    def values(self, term: Term, tally: Tally) -> Mapping[str, object]:
        (part,) = term.parts
        suits = isinstance(term.about, AboutPiece) and term.about.piece == SUIT
        names = [taken.option.name for taken, number in part.options for _ in range(number)]
        what = say("suits of armour") if suits else say("shields")
        return {"unit": part.label, "what": what, "names": names}


@lru_cache(maxsize=4096)
def _pieces_of(offer: Offer, table: ArmourTable) -> Mapping[Option, str]:
    """Return the kinds of armour among the options directly on a unit."""
    options = (slot.option for slots in offer.slots.values() for slot in slots)
    return {option: piece for option in options if (piece := piece_of(option, table))}


@lru_cache(maxsize=8192)
def piece_of(option: Option, table: ArmourTable) -> str:
    """Return the kind of armour that an option is: a suit, a shield, or "" for neither."""
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
    """Return the names in the table of an option and of the pieces in its name.

    Brackets may name the owner.
    """
    names = (option, name, *(one for one in keywords if slug(one) in slug(name)))
    return frozenset(slug(one) for one in names if "(" not in one)
