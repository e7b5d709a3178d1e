"""Books, and contents that lists pin, brought in from another place as they were there."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from django.db import transaction

from armybuilder.authoring.checking import MOST_PROBLEMS, check_limits, checked
from armybuilder.books.models import Kept, OwnBook, new_book_id
from armybuilder.books.pinning import check_size, keep_content, keep_system
from armybuilder.books.services import check_room, put
from armybuilder.loading.books import revision_of
from armybuilder.loading.documents import Document
from armybuilder.loading.library import Library, book_problems
from armybuilder.loading.own_systems import own_system, revision_in
from armybuilder.loading.problems import Refusal


@dataclass(frozen=True, slots=True)
class ImportStep:
    """A former state of a book, and the acts since: see `OwnBook`."""

    before: Document | None
    before_act: str
    act: str


class BookTimes(NamedTuple):
    """Times of a book: made, changed, and deleted if it was."""

    created: datetime
    updated: datetime
    deleted: datetime | None


def place_of(holder: str, document: Document) -> tuple[str, bool]:
    """Return the id that a book gets with a holder, and whether it is there with that content.

    If its own id is taken, the other one is always the same.
    """
    other = hashlib.sha256(f"{holder} {document['id']}".encode()).hexdigest()[:16]
    for book_id in (document["id"], f"own-{other}"):
        there = OwnBook.objects.filter(pk=book_id).values_list("holder", "revision").first()
        if there is None:
            return book_id, False
        if there == (holder, revision_of({**document, "id": book_id})):
            return book_id, True
    return new_book_id(), False


def bring_book(
    holder: str,
    book_id: str,
    document: Document,
    step: ImportStep,
    times: BookTimes,
    library: Library,
) -> OwnBook:
    """Store a book, not shared, under a free id.

    Raises Refusal if the game rejects it, or the holder has too many.
    """
    system = library.system(document["system"])
    document = checked({**document, "id": book_id}, system)
    before = step.before
    if before is not None:
        before = checked({**_shared_units(before, document), "id": book_id}, system, document)
    with transaction.atomic():
        check_room(holder, deleted=times.deleted is not None)
        book = OwnBook(id=book_id, holder=holder, system=system.id)
        book.before, book.before_act, book.act = before, step.before_act, step.act
        put(book, document)
        book.save(force_insert=True)
        # The row sets its own times of creation and change, unless updated like this.
        OwnBook.objects.filter(pk=book_id).update(**times._asdict())
        check_size(holder)
        return book


def _shared_units(before: Document, document: Document) -> Document:
    """Return the document with the other's equal units, so that each is checked once."""
    known = {revision_of(unit): unit for unit in document["units"]}
    units = before.get("units")
    if not isinstance(units, list) or not all(isinstance(unit, dict) for unit in units):
        return before
    return {**before, "units": [known.get(revision_of(unit), unit) for unit in units]}


def is_kept(book_id: str, revision: str) -> bool:
    """Return whether the content of a book in this revision is here."""
    return Kept.objects.filter(book_id=book_id, revision=revision).exists()


def keep_shipped(book_id: str, revision: str, library: Library) -> bool:
    """Keep the content of a shipped book, if it has this revision now; whether it has."""
    for system_id, shipped in library.books.items():
        if book_id in shipped and shipped[book_id].revision == revision:
            keep_content(book_id, revision, library.shipped_data(system_id, book_id))
            return True
    return False


def bring_system(data: Document) -> bool:
    """Keep a player's game from elsewhere; whether it is new. Raises Refusal where it is none."""
    system = own_system(data)
    if is_kept(system.id, revision_in(system.id)):
        return False
    keep_system(data)
    return True


def bring_content(book_id: str, data: Mapping[str, Any], library: Library) -> None:
    """Keep the content of a book under its revision, so that nobody imports another for it.

    Raises Refusal if its game rejects it.
    """
    check_limits(data)
    system_id = data.get("system")
    system = library.system(system_id if isinstance(system_id, str) else "")
    problems = book_problems(data, system, book_id, MOST_PROBLEMS)
    if problems:
        raise Refusal(problems[0].message, problems)
    keep_content(book_id, revision_of(data), data)
