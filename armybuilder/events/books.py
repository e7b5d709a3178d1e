"""The books of an event: once its rules are final, lists are judged by these as they were then,
whatever this site has later.

They are taken with the first list that arrives from then on, or when `manage.py tidy` comes by:
nothing has to run at the very moment. They are taken anew where that moment is put off.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from django.db import transaction

from armybuilder.books.pinning import keep_content, missing
from armybuilder.events.clock import Standing
from armybuilder.events.log import lock, write_line
from armybuilder.events.models import Entry, Event, EventBook
from armybuilder.events.selectors import shown_entries
from armybuilder.loading.armylist import ArmyList
from armybuilder.loading.library import Library

#: Who takes the books, as the log says it.
CLOCK = "clock"


def is_due(event: Event, now: datetime) -> bool:
    """Return whether an event's books are to be taken."""
    return (
        event.books_at is None
        and event.standing == Standing.PUBLISHED
        and event.frozen_at <= now < event.revealed_at
    )


def take_books(event: Event, now: datetime, library: Library) -> Event:
    """Take the books of an event as they are now, where that is due, and let a human look at lists
    that count and draw from an earlier form of one. Return the event as it is then.
    """
    if not is_due(event, now):
        return event
    shipped = library.books.get(event.system, {})
    wanted = {book.id: book.revision for book in shipped.values()}
    for book_id, revision in missing(wanted).items():
        keep_content(book_id, revision, library.shipped_data(event.system, book_id))
    with transaction.atomic():
        event = lock(event.pk)
        if not is_due(event, now):  # another request was faster
            return event
        EventBook.objects.bulk_create(
            EventBook(event=event, book_id=key, revision=revision)
            for key, revision in wanted.items()
        )
        event.books_at = now
        event.save(update_fields=["books_at"])
        earlier = [one for one in shown_entries(event) if _is_earlier(one, wanted)]
        for entry in earlier:
            _look_again(entry)
        write_line(event, now, CLOCK, "books", lists=[one.number for one in earlier])
        return event


def leave_books(event: Event, now: datetime) -> None:
    """Let go of the books that were taken, where rules are final later than was said: they are
    taken anew then. The event is locked, and saved by whoever has changed it.
    """
    if event.books_at is not None and event.frozen_at > now:
        event.books.all().delete()
        event.books_at = None
        write_line(event, now, CLOCK, "books-left")


def look_if_earlier(event: Event, entry: Entry) -> None:
    """Let a human look at the list of an entry that comes back, where it draws from another form of
    a book than the event judges by.
    """
    taken = dict(event.books.values_list("book_id", "revision"))
    if _is_earlier(entry, taken):
        _look_again(entry)


def _is_earlier(entry: Entry, wanted: dict[str, str]) -> bool:
    """Return whether the list that counts draws from another form of a book."""
    used = entry.submission.revisions if entry.submission is not None else {}
    return any(wanted.get(book, revision) != revision for book, revision in used.items())


def _look_again(entry: Entry) -> None:
    found = entry.submission
    if found is not None and "books" not in found.needs:
        found.needs = [*found.needs, "books"]
        found.save(update_fields=["needs"])
    if entry.status == Entry.Status.ACCEPTED:
        entry.status = Entry.Status.ENTERED
        entry.save(update_fields=["status"])


def by_event_books(document: ArmyList, event: Event) -> ArmyList:
    """Return the list with the books of the game as the event judges by them."""
    if event.books_at is None:
        return document
    taken = dict(event.books.values_list("book_id", "revision"))
    books = (replace(one, revision=taken.get(one.id, one.revision)) for one in document.books)
    return replace(document, books=tuple(books))


def take_due_books(now: datetime, library: Library) -> None:
    """Take the books of all events that are due."""
    due = Event.objects.filter(books_at=None, standing=Standing.PUBLISHED, frozen_at__lte=now)
    for event in due.filter(revealed_at__gt=now):
        take_books(event, now, library)
