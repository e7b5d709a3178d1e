"""Writes: every change of a stored book, each in one transaction."""

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from armybuilder.accounts.quotas import NoRoom
from armybuilder.authoring import edits
from armybuilder.authoring.checking import mark_of
from armybuilder.authoring.fields import Entry, ReadCard
from armybuilder.books.models import OwnBook, new_book_id
from armybuilder.books.pinning import check_size, size_of
from armybuilder.books.selectors import lock, own_books
from armybuilder.engine.catalogue import System
from armybuilder.loading.armylist import ListProfile
from armybuilder.loading.books import revision_of
from armybuilder.loading.documents import Document
from armybuilder.loading.problems import Refusal
from armybuilder.writable import count_bytes

#: Books that one browser may hold, and as many deleted ones.
MAX_BOOKS = 200

#: Fields that a change writes, besides the steps.
_CONTENT = ("data", "revision", "name", "unit_count", "updated", "size")
_STEPS = ("before", "before_act", "act")


@dataclass(frozen=True, slots=True)
class BookResult:
    """A new document, a sentence about the act, and the unit concerned (or "")."""

    document: Document
    said: str
    unit: str = ""


@dataclass(frozen=True, slots=True)
class Watch:
    """The part of the document that a page edits, and its mark when the page was made."""

    part: Callable[[Document], Entry | None]
    mark: str


class BookConflict(Exception):
    """A change from an outdated page to a changed part; `book` is the current one."""

    def __init__(self, book: OwnBook) -> None:
        super().__init__(str(book))
        self.book = book


@dataclass(frozen=True, slots=True)
class Changed:
    """A book after a change, and the result of the act."""

    book: OwnBook
    done: BookResult


def create_book(holder: str, document: Document) -> OwnBook:
    """Store a new book under the id of its document.

    Raises NoRoom for too many books, or bytes of them.
    """
    with transaction.atomic():
        check_room(holder)
        book = OwnBook(id=document["id"], holder=holder, system=document["system"])
        put(book, document)
        book.save(force_insert=True)
        check_size(holder)
        return book


def check_room(holder: str, deleted: bool = False) -> None:
    """Raise NoRoom if the holder has as many books as one may have, or deleted ones."""
    if own_books(holder, deleted).count() >= MAX_BOOKS:
        told = _(
            "You have {number} books, the maximum. Delete one you no longer need, then try again."
        )
        raise NoRoom(told.format(number=MAX_BOOKS))


def change_book(
    holder: str, book_id: str, edit: Callable[[Document], BookResult], watch: Watch | None = None
) -> Changed:
    """Change the current book, and keep the document before it.

    Raises Http404 if the holder has no such book, Refusal if the change can't be made, NoRoom if it
    is too much, and Conflict if the watched part differs from the page.
    """
    with transaction.atomic():
        book = lock(holder, book_id)
        if watch is not None and mark_of(watch.part(book.data)) != watch.mark:
            raise BookConflict(book)
        done = edit(book.data)
        if done.document != book.data:
            book.before, book.before_act, book.act = book.data, "", done.said[:200]
            put(book, done.document)
            book.save(update_fields=[*_CONTENT, *_STEPS])
            check_size(holder)
        return Changed(book, done)


def step(holder: str, book_id: str, seen: str) -> tuple[OwnBook, str]:
    """Undo the last change, or do it again; return the book and what to say.

    `seen` is the revision the page showed. Raises Refusal where there is nothing to undo, Conflict
    where the book is another now.
    """
    with transaction.atomic():
        book = lock(holder, book_id)
        if book.revision != seen:
            raise BookConflict(book)
        if book.before is None:
            raise Refusal(_("There is nothing to undo."))
        told = _("Undone: {act}") if book.act else _("Redone: {act}")
        sentence = told.format(act=book.act or book.before_act)
        document = book.before
        book.before, book.before_act, book.act = book.data, book.act, book.before_act
        put(book, document)
        book.save(update_fields=[*_CONTENT, *_STEPS])
        return book, sentence


def put(book: OwnBook, document: Document) -> None:
    """Copy the facts of a book's document to its row."""
    book.data = document
    book.revision = revision_of(document)
    book.name = document["name"]
    book.unit_count = len(document["units"])
    count_bytes(size := size_of(document))
    book.size = size + (size_of(book.before) if book.before else 0)


def delete_book(holder: str, book_id: str) -> OwnBook:
    """Move a book to the deleted ones; the oldest beyond MAX_BOOKS are removed permanently."""
    with transaction.atomic():
        book = _set(holder, book_id, deleted=timezone.now())
        away = own_books(holder, deleted=True).order_by("-deleted").values_list("pk", flat=True)
        OwnBook.objects.filter(pk__in=list(away[MAX_BOOKS:])).delete()
        return book


def restore_book(holder: str, book_id: str) -> bool:
    """Restore a deleted book; False if there is none. Raises Refusal if there is no room."""
    with transaction.atomic():
        check_room(holder)
        return bool(own_books(holder, deleted=True).filter(pk=book_id).update(deleted=None))


def share_book(holder: str, book_id: str) -> OwnBook:
    """Let everyone who has the address see the book.

    Its secret part has 160 random bits, others after each end of sharing.
    """
    with transaction.atomic():
        token = lock(holder, book_id).share_token or secrets.token_hex(20)
        return _set(holder, book_id, shared=True, share_token=token)


def unshare_book(holder: str, book_id: str) -> OwnBook:
    """End sharing; the address that was given away never opens the book again."""
    return _set(holder, book_id, shared=False, share_token="")


def _set(holder: str, book_id: str, **values: Any) -> OwnBook:
    with transaction.atomic():
        book = lock(holder, book_id)
        for field, value in values.items():
            setattr(book, field, value)
        book.save(update_fields=list(values))
        return book


def keep_model(holder: str, system: System, profile: ListProfile) -> OwnBook:
    """Put an own model into the holder's book for those, made where there is none.

    One of the same name is replaced. Raises Refusal as the cards of books do, and NoRoom.
    """
    abilities = [
        {"ability": use.ability, "target": use.target} if use.target else use.ability
        for use in profile.abilities
    ]
    unit = {"name": profile.name, "stats": dict(profile.stats), "abilities": abilities}

    def kept(document: Document) -> BookResult:
        after = edits.put_cards(document, system, [ReadCard(unit, (), ())], replace=True)
        return BookResult(after, _("Saved {name}.").format(name=profile.name))

    book = own_books(holder).filter(system=system.id, data__keeps_models=True).first()
    if book is None:
        document = edits.new_book(system, new_book_id(), _("My models"))
        return create_book(holder, kept({**document, "keeps_models": True}).document)
    return change_book(holder, book.pk, kept).book
