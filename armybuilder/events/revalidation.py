"""Lists judged again: by another pack or other books, or because their entry has come back.

Once the rules of an event are final, lists are judged by the books as they were then, whatever this
site has later. These are taken with the first list that arrives from then on, or by `manage.py
tidy`: nothing has to run at the very moment. They are taken anew if that moment is put off.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from armybuilder.books.pinning import keep_content, missing
from armybuilder.events.clock import Standing
from armybuilder.events.log import locked, write_line
from armybuilder.events.models import Decision, Entry, Event, EventBook, EventPack
from armybuilder.events.pack_preview import Outcome, outcome_of
from armybuilder.events.selectors import newest_pack, shown_entries
from armybuilder.loading.armylist import ArmyList
from armybuilder.loading.library import Library
from armybuilder.packs.reading import pack_of

#: Who takes the books, as the log says it.
CLOCK = "clock"


def judge_again(outcome: Outcome, pack: EventPack) -> None:
    """Store what the new pack makes of a submission."""
    submission, verdicts = outcome.submission, outcome.verdicts
    submission.pack = pack
    submission.legal = outcome.legal
    if verdicts is not None:
        submission.event_report = dict(verdicts.event_report)
        of_itself = [need for need in submission.needs if need in ("late", "books")]
        submission.needs = [*verdicts.needs, *of_itself]
    elif "errors" not in submission.needs:  # it cannot be judged, so that a human has to
        submission.needs = ["errors", *submission.needs]
    submission.save(update_fields=["pack", "legal", "event_report", "needs"])
    if outcome.falls or outcome.worsens:
        accepted = Entry.objects.filter(pk=outcome.entry.pk, status=Entry.Status.ACCEPTED)
        accepted.update(status=Entry.Status.ENTERED)


def play_again(event: Event, entry: Entry, actor: str, now: datetime, library: Library) -> None:
    """Let a withdrawn entry of a locked event play again, judged by what is in effect now."""
    submission = entry.submission
    entry.status = Entry.Status.ENTERED
    if submission is not None:
        decided = submission.decisions.exclude(what=Decision.What.UNSEALED).order_by("pk").last()
        if decided is not None and decided.what == Decision.What.RETURNED:
            entry.status = Entry.Status.RETURNED
    entry.save(update_fields=["status"])
    write_line(event, now, actor, "entered", entry.number)
    pack = newest_pack(event)
    if submission is not None and submission.pack_id != pack.pk:
        outcome = outcome_of(entry, submission, pack_of(pack), library)
        judge_again(outcome, pack)
        changed = [(entry.number, outcome.legal)] if outcome.falls or outcome.rises else []
        write_line(event, now, actor, "rejudged", entry.number, lists=1, changed=changed)
    if _has_other_books(entry, _books_taken(event)):
        _mark_books(entry)


def is_due(event: Event, now: datetime) -> bool:
    """Return whether an event's books are to be taken."""
    return (
        event.books_at is None
        and event.standing == Standing.PUBLISHED
        and event.frozen_at <= now < event.revealed_at
    )


def take_books(event: Event, now: datetime, library: Library) -> Event:
    """Take the books of an event as they are now, if that is due, and return the event."""
    if not is_due(event, now):
        return event
    shipped = library.books.get(event.system, {})
    revisions = {book.id: book.revision for book in shipped.values()}
    for book_id, revision in missing(revisions).items():
        keep_content(book_id, revision, library.shipped_data(event.system, book_id))
    with locked(event.pk) as event:
        if not is_due(event, now):  # another request was faster
            return event
        EventBook.objects.bulk_create(
            EventBook(event=event, book_id=key, revision=revision)
            for key, revision in revisions.items()
        )
        event.books_at = now
        event.save(update_fields=["books_at"])
        earlier = [entry for entry in shown_entries(event) if _has_other_books(entry, revisions)]
        for entry in earlier:
            _mark_books(entry)
        write_line(event, now, CLOCK, "books", lists=[entry.number for entry in earlier])
        return event


def leave_books(event: Event, now: datetime) -> None:
    """Drop the books of a locked event if rules are final later now; the caller saves it."""
    if event.books_at is not None and event.frozen_at > now:
        event.books.all().delete()
        event.books_at = None
        write_line(event, now, CLOCK, "books-left")


def _books_taken(event: Event) -> dict[str, str]:
    return dict(event.books.values_list("book_id", "revision"))


def _has_other_books(entry: Entry, revisions: dict[str, str]) -> bool:
    """Return whether the current list draws from another form of a book."""
    used = entry.submission.revisions if entry.submission is not None else {}
    return any(revisions.get(book, revision) != revision for book, revision in used.items())


def _mark_books(entry: Entry) -> None:
    """Let a human look at the list of an entry because of its books."""
    submission = entry.submission
    if submission is not None and "books" not in submission.needs:
        submission.needs = [*submission.needs, "books"]
        submission.save(update_fields=["needs"])
    if entry.status == Entry.Status.ACCEPTED:
        entry.status = Entry.Status.ENTERED
        entry.save(update_fields=["status"])


def by_event_books(document: ArmyList, event: Event) -> ArmyList:
    """Return the list with the books of the game as the event judges by them."""
    return with_revisions(document, {} if event.books_at is None else _books_taken(event))


def with_revisions(document: ArmyList, revisions: dict[str, str]) -> ArmyList:
    """Return the list with these revisions of its books."""
    books = (replace(one, revision=revisions.get(one.id, one.revision)) for one in document.books)
    return replace(document, books=tuple(books))


def take_due_books(now: datetime, library: Library) -> None:
    """Take the books of all events that are due."""
    due = Event.objects.filter(books_at=None, standing=Standing.PUBLISHED, frozen_at__lte=now)
    for event in due.filter(revealed_at__gt=now):
        take_books(event, now, library)
