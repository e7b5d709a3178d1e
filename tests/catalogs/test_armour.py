"""One suit of armour and one shield (Rulebook 21.E): what shipped books forbid already."""

from itertools import combinations

import pytest

from armybuilder.engine import validate
from armybuilder.engine.kinds.worn import Worn, piece_of
from armybuilder.loading.documents import make_roster
from armybuilder.loading.library import shipped_library
from tests.building.documents import list_of, value_of

SYSTEMS = [system.id for system in shipped_library().systems.values() if system.armour]
BOOKS = [(system, book) for system in SYSTEMS for book in shipped_library().books[system]]


def pairs_of(unit, table):
    """Options of the unit itself that are pieces of one type; one twice, where it may be."""
    pieces: dict[str, list[str]] = {}
    for key, slots in unit.offer.slots.items():
        if type_ := piece_of(slots[0].option, table):
            pieces.setdefault(type_, []).append(key)
    for keys in pieces.values():
        yield from combinations(keys, 2)
        yield from ((key, key) for key in keys)


#: Where a file offers a shield beside what has one by its name.
SECOND_SHIELD = {"warriors-of-the-dark-gods/barbarians": {"shield", "spear-and-shield"}}


def found_by(catalogue, ref, options):
    """Return what is said of a unit with these options, each with the kind of its rule."""
    unit = catalogue.units[ref]
    entry = {"unit": ref, "models": unit.smallest, "options": options}
    listed = list_of(catalogue.system.id, [ref.partition("/")[0]], [entry], limit=4500)
    findings = validate(make_roster(value_of(listed), catalogue), catalogue).findings
    return {(one.code, one.about.text): type(one.rule) for one in findings if one.units}


@pytest.mark.one_in(9)
@pytest.mark.parametrize(("system", "book"), BOOKS)
def test_no_unit_of_a_shipped_book_may_take_two_suits_or_two_shields(
    system: str, book: str
) -> None:
    """The book forbids the two together, or the rule would be a false error."""
    catalogue = shipped_library().catalogue(system, [book])
    table = catalogue.system.armour
    assert table is not None
    for ref, unit in catalogue.units.items():
        for one, other in pairs_of(unit, table):
            alone = {
                about for id_ in (one, other) for about in found_by(catalogue, ref, [{"id": id_}])
            }
            both = [{"id": one, "number": 2}] if one == other else [{"id": one}, {"id": other}]
            found = found_by(catalogue, ref, both)
            kinds = {kind for about, kind in found.items() if about not in alone}
            assert kinds != {Worn} or {one, other} == SECOND_SHIELD.get(ref), (ref, one, other)
