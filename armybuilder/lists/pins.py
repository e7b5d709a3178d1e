"""The books that a list needs besides those that its versions name at this moment."""

from uuid import UUID

from armybuilder.books.pinning import pins_of
from armybuilder.lists.models import PinnedBook
from armybuilder.loading.armylist import ArmyList


def pin_books(list_id: UUID, document: ArmyList) -> None:
    """Let the contents of a document's books stay as long as the list."""
    named = [(book.id, book.revision) for book in document.books]
    PinnedBook.objects.bulk_create(
        (
            PinnedBook(army_list_id=list_id, book_id=book, revision=revision)
            for book, revision in sorted(pins_of(document.system, named))
        ),
        ignore_conflicts=True,
    )
