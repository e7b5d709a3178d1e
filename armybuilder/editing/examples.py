"""Examples as lists of one's own."""

from dataclasses import replace

from armybuilder.loading.armylist import ArmyList, ListBook
from armybuilder.loading.examples import Example
from armybuilder.loading.library import Library


def example_document(example: Example, library: Library) -> ArmyList:
    """An example as a list of somebody's own, with the books as they are now."""
    shipped = library.books[example.document.system]
    books = tuple(ListBook(book.id, shipped[book.id].revision) for book in example.document.books)
    return replace(example.document, books=books)
