"""Pinning: a list keeps using the content of its books at the time it took them.

That goes for custom and shipped books. The content is kept as long as anybody may need it; this
module also decides when it may be removed.
"""

import json
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from functools import lru_cache
from typing import NamedTuple

from django.db import connection
from django.db.models import Q, QuerySet, Sum
from django.utils.translation import gettext as _

from armybuilder.accounts.quotas import anonymous_quota, no_room, quota_of
from armybuilder.books.models import BookOrigin, Kept, OwnBook
from armybuilder.books.paths import is_own_id
from armybuilder.engine.catalogue import Book, Contents, System
from armybuilder.loading.armylist import ArmyList
from armybuilder.loading.books import described_book
from armybuilder.loading.cache import Cache
from armybuilder.loading.documents import Document
from armybuilder.loading.library import ORIGIN, Keeper, Library, book_problems
from armybuilder.loading.own_systems import is_own_system, revision_in
from armybuilder.loading.problems import Refusal

#: Custom books without their contents, by id and revision.
_described: Cache[tuple[str, str], Book] = Cache(500)


class BookNow(NamedTuple):
    """A book available to lists, in its current revision. `units` is their number."""

    id: str
    revision: str
    name: str
    about: str
    units: int
    own: bool = False


def find_kept(book_id: str, revision: str) -> Document | None:
    """Return the content of a book in one revision; None where no list has pinned it.

    `ORIGIN` instead of a revision asks for the origin of an own book.
    """
    if revision == ORIGIN:
        packed = BookOrigin.objects.filter(pk=book_id).values_list("packed", flat=True).first()
        return {"packed": packed} if packed else None
    contents = Kept.objects.filter(book_id=book_id, revision=revision)
    content: Document | None = contents.values_list("data", flat=True).first()
    return content


def keeper_of_commands() -> Keeper:
    """Return `find_kept`, but for commands: they also run before there are any tables."""
    table = Kept._meta.db_table
    has_tables = lru_cache(maxsize=1)(lambda: table in connection.introspection.table_names())
    return lambda book_id, revision: find_kept(book_id, revision) if has_tables() else None


def books_now(holder: str, system: System, library: Library) -> list[BookNow]:
    """Return the books that a list of the system may take: shipped ones, then the holder's own."""
    books = [
        BookNow(book.id, book.revision, book.name, book.about, len(book.names))
        for book in library.books[system.id].values()
    ]
    if holder:
        own = _own_books(holder, system, library).order_by("name", "id")
        books += [
            BookNow(book_id, revision, name, "", units, own=True)
            for book_id, revision, name, units in own.values_list(
                "id", "revision", "name", "unit_count"
            )
        ]
    return books


def library_of(holder: str, library: Library) -> Library:
    """Return the library with the holder's custom books, as they are now, and their games."""
    mine = OwnBook.objects.filter(holder=holder, deleted__isnull=True).exclude(holder="")
    books = {
        key: _described.get(key)
        for key in (mine.order_by("name", "id").values_list("id", "revision") if holder else ())
    }
    unknown = [book_id for (book_id, _revision), book in books.items() if book is None]
    for data in mine.filter(pk__in=unknown).values_list("data", flat=True) if unknown else ():
        book = described_book(data, lambda: Contents({}))
        books[book.id, book.revision] = _described.put((book.id, book.revision), book)

    def content(book_id: str, revision: str) -> Document | None:
        rows = mine.filter(pk=book_id, revision=revision)
        found: Document | None = rows.values_list("data", flat=True).first()
        return found

    return library.with_own(filter(None, books.values()), content) if books else library


def _own_books(holder: str, system: System, library: Library) -> QuerySet[OwnBook]:
    """Return the holder's books for this edition of the game or another."""
    editions = [system.id, *(edition.id for edition in library.editions(system))]
    books = OwnBook.objects.filter(holder=holder, system__in=editions, deleted__isnull=True)
    return books.exclude(holder="")


def take(holder: str, system: System, library: Library, book_ids: Iterable[str]) -> dict[str, str]:
    """Return the revisions, by book id, in which a list takes books now, and keep their content.

    Raises Refusal if the holder has no such book or it doesn't suit the system, NoRoom if the
    contents of the holder's books are too many.
    """
    return {book_id: _take(holder, system, library, book_id) for book_id in book_ids}


def _take(holder: str, system: System, library: Library, book_id: str) -> str:
    shipped = library.books[system.id].get(book_id)
    if shipped is not None:
        keep_content(book_id, shipped.revision, library.shipped_data(system.id, book_id))
        return shipped.revision
    books = _own_books(holder, system, library)
    book = books.filter(pk=book_id).first() if is_own_id(book_id) else None
    if book is None:
        raise Refusal(_("There is no such book."))
    problems = book_problems(book.data, system, book.name)
    if problems:
        told = _("“{book}” does not fit {game}: {problem}").format(
            book=book.name, game=system.name, problem=problems[0].message
        )
        raise Refusal(told, problems)
    keep_content(book.id, book.revision, book.data)
    check_size(holder)
    return book.revision


def keep(document: ArmyList, library: Library) -> None:
    """Keep the present content of a document's shipped books (own ones are kept when taken)."""
    shipped = library.books.get(document.system, {})
    pinned = {book.id: book.revision for book in document.books}
    wanted = {key: shipped[key].revision for key in pinned.keys() & shipped.keys()}
    wanted = {key: revision for key, revision in wanted.items() if pinned[key] == revision}
    for book_id, revision in missing(wanted).items():
        keep_content(book_id, revision, library.shipped_data(document.system, book_id))


def pins_of(system: str, books: Iterable[tuple[str, str]]) -> set[tuple[str, str]]:
    """Return the contents that a document needs, by id and revision; also its game's, if own."""
    game = {(system, revision_in(system))} if is_own_system(system) else set()
    return game | set(books)


def keep_system(data: Document) -> None:
    """Keep the content of a player's game, which has passed all checks."""
    keep_content(data["id"], revision_in(data["id"]), data)


def missing(wanted: Mapping[str, str]) -> dict[str, str]:
    """Return those of the revisions, by book id, that are not kept yet."""
    contents = Kept.objects.filter(book_id__in=wanted, revision__in=wanted.values())
    kept = set(contents.values_list("book_id", "revision"))
    return {key: revision for key, revision in wanted.items() if (key, revision) not in kept}


def keep_content(book_id: str, revision: str, data: Mapping[str, object] | None) -> None:
    """Keep a book's content in a revision, unless it is kept already or there is none."""
    if data is not None:
        content = {"data": data, "size": size_of(data)}
        Kept.objects.get_or_create(book_id=book_id, revision=revision, defaults=content)


def size_of(document: Mapping[str, object]) -> int:
    """Return the number of bytes that a book's document takes."""
    return len(json.dumps(document))


def check_size(holder: str) -> None:
    """Raise NoRoom if the holder's books, also deleted ones, are more than they may be.

    Call it behind a write, in its transaction, which is then rolled back.
    """
    mine = OwnBook.objects.filter(holder=holder)
    names = Q(book_id__in=mine.values("pk")) | Q(book_id__in=mine.values("system"))
    kept, origins = Kept.objects.filter(names), BookOrigin.objects.filter(book__in=mine)
    size = sum(rows.aggregate(all=Sum("size"))["all"] or 0 for rows in (mine, kept, origins))
    if size <= anonymous_quota().books or size <= (most := quota_of(holder).books):
        return
    told = _(
        "Your books fill all {most} MB available. Delete some you no longer need, then try again."
    )
    raise no_room(told.format(most=most // 1_000_000), holder)


#: How long a deleted book can be restored.
RESTORED_FOR = timedelta(days=90)
#: Rows that one statement removes.
_AT_ONCE = 500


def long_deleted(now: datetime) -> QuerySet[OwnBook]:
    """Return the books that were deleted so long ago that they can go."""
    return OwnBook.objects.filter(deleted__lt=now - RESTORED_FOR)


def forget(keys: list[int]) -> None:
    """Remove kept contents permanently."""
    for start in range(0, len(keys), _AT_ONCE):
        Kept.objects.filter(pk__in=keys[start : start + _AT_ONCE]).delete()
