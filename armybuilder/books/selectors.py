"""Reads: the books a browser holds, and shared ones. A book of another holder is not found."""

from django.db.models import QuerySet
from django.http import Http404, HttpRequest
from django.utils.crypto import constant_time_compare

from armybuilder.accounts.holders import holder_of
from armybuilder.books.models import OwnBook
from armybuilder.loading.own_systems import is_own_system

#: Columns that hold whole documents: pages about many books do without them.
DOCUMENTS = ("data", "before")


def own_books(holder: str, deleted: bool = False) -> QuerySet[OwnBook]:
    """Return the holder's books without their content, the latest changed first."""
    books = OwnBook.objects.filter(holder=holder, deleted__isnull=not deleted).exclude(holder="")
    return books.defer(*DOCUMENTS).order_by("-updated")


def own_games(holder: str) -> list[str]:
    """Return the ids of the games of the holder's own, those of their books, by age."""
    ids = own_books(holder).order_by("created").values_list("system", flat=True)
    return [system for system in dict.fromkeys(ids) if is_own_system(system)]


def own_book(request: HttpRequest, book_id: str) -> OwnBook:
    """Return a book of this browser, as `find_own_book`."""
    return find_own_book(holder_of(request), book_id)


def find_own_book(holder: str, book_id: str) -> OwnBook:
    """Return a book of a holder. Raises Http404 for any other, and for a deleted one."""
    return _existing(own_books(holder).defer(None).defer("before").filter(pk=book_id).first())


def lock(holder: str, book_id: str) -> OwnBook:
    """Return a book, locked until the transaction ends (SQLite locks the whole database).

    Raises Http404 if the holder has no such book.
    """
    return _existing(own_books(holder).defer(None).select_for_update().filter(pk=book_id).first())


def shared_book(book_id: str, token: str) -> OwnBook:
    """Return a shared book by its address. Raises Http404 for a wrong, ended or deleted one."""
    books = OwnBook.objects.filter(pk=book_id, deleted__isnull=True, shared=True)
    book = _existing(books.defer("before").first())
    if not book.share_token or not constant_time_compare(book.share_token, token):
        raise Http404("no such shared book")
    return book


def _existing(book: OwnBook | None) -> OwnBook:
    if book is None:
        raise Http404("no such book in this browser")
    return book
