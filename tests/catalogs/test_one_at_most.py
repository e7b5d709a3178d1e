"""Where the shipped books allow one at most, no pressing of options leaves two."""

import pytest

from armybuilder.editing import option_edits, unit_edits
from armybuilder.engine import validate
from armybuilder.engine.catalogue import Book
from armybuilder.engine.offers import flat, offers
from armybuilder.loading.documents import make_roster
from armybuilder.loading.library import shipped_library
from tests.building.documents import value_of

pytestmark = pytest.mark.long

SYSTEMS = ("t9a-2023", "t9a-2024", "essence-of-war")
BOOKS = [book for system in SYSTEMS for book in shipped_library().books[system].values()]
#: More options than so many are pressed; the richest unit of Essence of War has few.
MANY = {"essence-of-war": 1}
OVER = {"group.over", "items.slot", "items.dominant"}


@pytest.mark.one_in(18)
@pytest.mark.parametrize("book", BOOKS, ids=[f"{book.system}/{book.id}" for book in BOOKS])
def test_pressing_all_that_is_open_on_a_book_s_richest_unit_leaves_no_two_of_one(
    book: Book,
) -> None:
    catalogue = shipped_library().catalogue(book.system, [book.id])
    unit = max(book.units.values(), key=lambda unit: len(unit.offer.slots))
    empty = unit_edits.new_document(catalogue, "x", catalogue.system.default_size)
    document, entry = unit_edits.add_unit(empty, catalogue, unit.ref)
    pressed = set()
    while True:
        report = validate(make_roster(value_of(document), catalogue), catalogue)
        over = [found for found in report.findings if found.code in OVER and found.allowed == 1]
        assert over == [], pressed
        line = report.line(entry)
        assert line is not None
        offered = flat(offers(line, report))
        free = (one for one in offered if not (one.why or one.number or one.path in pressed))
        path = next((one.path for one in free), None)
        if path is None:
            break
        pressed.add(path)
        document = option_edits.switch_option(document, catalogue, entry, path)
    assert len(pressed) > MANY.get(book.system, 5)
