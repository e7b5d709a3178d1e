"""Starting well: the act that fills an empty list with something to begin with, and examples as
lists of one's own.
"""

import secrets
from dataclasses import replace

from django.utils.translation import gettext as _

from armybuilder.acts.registry import Asked, Done, act
from armybuilder.advice.starter.starter import starter
from armybuilder.editing.stored_words import FILLED
from armybuilder.loading.armylist import ArmyList, ListBook, with_settings
from armybuilder.loading.examples import Example
from armybuilder.loading.library import Library
from armybuilder.loading.problems import Refusal


@act("starter", lambda fields: "units")
def _starter(asked: Asked) -> Done:
    """A random list in place of what is there, of the list's own books and size."""
    document = asked.document
    seed = secrets.randbelow(2**32)
    found = starter(asked.catalogue, document.limit, seed, document.settings)
    if not found.units:
        raise Refusal(_("Nothing in these books goes together by itself. Add a book, or a unit."))
    filled = replace(with_settings(document, found.settings), units=found.units)
    return Done(filled, _(FILLED))


def example_document(example: Example, library: Library) -> ArmyList:
    """An example as a list of somebody's own, with the books as they are now."""
    shipped = library.books[example.document.system]
    books = tuple(ListBook(book.id, shipped[book.id].revision) for book in example.document.books)
    return replace(example.document, books=books)
