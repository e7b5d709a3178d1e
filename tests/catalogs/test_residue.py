"""Nothing of the files that books are made of is left on their units: every shipped book."""

import re

import pytest

from armybuilder.editing import unit_edits
from armybuilder.engine.catalogue import Book
from armybuilder.engine.options import Option, nodes_in
from armybuilder.engine.report import Report
from armybuilder.loading.armylist import ArmyList
from armybuilder.loading.documents import judge_by
from armybuilder.loading.library import shipped_library
from armybuilder.sheets.content.make_units import ViewMaker
from tests.building.documents import list_of

LIBRARY = shipped_library()
BOOKS = [book for books in LIBRARY.books.values() for book in books.values()]

every_book = pytest.mark.parametrize(
    "book", BOOKS, ids=[f"{book.system}/{book.id}" for book in BOOKS]
)
#: Words of those who collect and import, which tell nothing of a model.
WORKSHOP = re.compile(
    r"\b(imported|revision|lists? prints?|printed|scribd|the page|another page|report|preview|"
    r"one author|in front of its speed)\b|\b[0-9a-f]{16,}\b",
    re.IGNORECASE,
)


def plain(name: str) -> str:
    """A name without case, apostrophes, spaces, hyphens and the form of brackets."""
    return re.sub(r"[^a-z0-9+]", "", name.casefold())


def judged(book: Book) -> Report:
    """One of each unit of a book, as a new one is."""
    catalogue = LIBRARY.catalogue(book.system, [book.id])
    limit = 4500 if catalogue.system.sized else 100
    document = ArmyList.from_dict(list_of(book.system, [book.id], [], limit=limit))
    for ref in catalogue.units:
        document, _ = unit_edits.add_unit(document, catalogue, ref)
    return judge_by(document, catalogue).report


@pytest.mark.one_in(7)
@every_book
def test_books_hold_no_leftovers_of_their_import(book: Book) -> None:
    report = judged(book)
    maker = ViewMaker(report)
    for line in report.full.lines:
        view = maker.make(line.pick)
        assert len(set(map(plain, view.rules))) == len(view.rules), (line.name, view.rules)
        held = {plain(taken.option.name) for taken in line.loadout.taken}
        choices = {
            plain(node.name)
            for node in nodes_in(line.unit.offer.nodes)
            if isinstance(node, Option) and not node.given
        }
        # What a suit that is worn has taken the place of is not told either.
        left = {rule for rule in view.rules if plain(rule) in choices - held}
        assert left <= unworn(view.armour), (line.name, left)
        assert not [name for name in view.given if re.match(r"\d+ × ", name)], line.name


def unworn(armour: str) -> set[str]:
    """Suits of a unit whose armour nobody knows."""
    return set() if armour else {"Light Armour", "Heavy Armour", "Plate Armour", "Shield"}


@pytest.mark.one_in(7)
@every_book
def test_cards_say_nothing_of_how_they_were_found(book: Book) -> None:
    for unit in book.units.values():
        assert not WORKSHOP.search(unit.remark), (unit.name, unit.remark)
