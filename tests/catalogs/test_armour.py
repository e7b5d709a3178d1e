"""One suit of armour and one shield (Rulebook 21.E): what shipped books never break."""

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


@pytest.mark.parametrize(("system", "book"), BOOKS)
def test_no_unit_of_a_shipped_book_may_take_two_suits_or_two_shields(
    system: str, book: str
) -> None:
    catalogue = shipped_library().catalogue(system, [book])
    table = catalogue.system.armour
    assert table is not None
    for ref, unit in catalogue.units.items():
        for one, other in pairs_of(unit, table):
            options = [{"id": one, "number": 2}] if one == other else [{"id": one}, {"id": other}]
            entry = {"unit": ref, "models": unit.size[0].base if unit.size else 1}
            listed = list_of(system, [book], [{**entry, "options": options}], limit=4500)
            report = validate(make_roster(value_of(listed), catalogue), catalogue)
            found = [finding for finding in report.findings if finding.units]
            two = [finding for finding in found if isinstance(finding.rule, Worn)]
            others = [finding for finding in found if finding not in two]
            assert not two or others, (ref, one, other)
