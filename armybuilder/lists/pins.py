"""The books that a list needs besides those that its versions name at this moment."""

from uuid import UUID

from armybuilder.lists.models import PinnedBook
from armybuilder.loading.armylist import ArmyList


def pin_books(list_id: UUID, document: ArmyList) -> None:
    """Let the contents of a document's books stay as long as the list."""
    PinnedBook.objects.bulk_create(
        (
            PinnedBook(army_list_id=list_id, book_id=book.id, revision=book.revision)
            for book in document.books
        ),
        ignore_conflicts=True,
    )
