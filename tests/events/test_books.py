"""From the time on when rules are final, an event judges by the books of that time."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from armybuilder.books.models import Kept, OwnBook
from armybuilder.events import organising
from armybuilder.events.leaving import ADDRESSES_KEPT, forget_addresses
from armybuilder.events.models import Entry, Event, EventBook, LogLine
from armybuilder.events.revalidation import take_due_books
from armybuilder.housekeeping.pins import unnamed
from armybuilder.lists.models import ArmyList
from armybuilder.loading.library import Library, shipped_library
from tests.events.builders import (
    ABOUT,
    TIMES,
    entered,
    legal_list,
    open_event,
    owner_of,
    submitted,
)

pytestmark = pytest.mark.django_db
LIBRARY = shipped_library()
BOOK = LIBRARY.books["sbh"]["profiles"]
LATER = TIMES.frozen + timedelta(hours=1)


def upgraded() -> Library:
    """The library of a site that has another form of the book since."""
    newer = replace(BOOK, revision="f" * 16)
    return Library(
        LIBRARY.systems, {**LIBRARY.books, "sbh": {"profiles": newer}}, files=LIBRARY.files
    )


def event_with_a_list() -> tuple[Event, Entry]:
    event = open_event()
    entry = entered(event)
    submitted(event, entry)
    entry.refresh_from_db()
    return event, entry


def test_before_rules_are_final_nothing_is_taken() -> None:
    event, entry = event_with_a_list()
    submitted(event, entry, now=TIMES.frozen - timedelta(seconds=1))
    take_due_books(TIMES.frozen - timedelta(seconds=1), LIBRARY)
    assert not EventBook.objects.exists()


def test_books_are_taken_with_the_first_list_after_and_stay() -> None:
    event, entry = event_with_a_list()
    submitted(event, entry, now=LATER)
    taken = dict(EventBook.objects.values_list("book_id", "revision"))
    assert taken == {one.id: one.revision for one in LIBRARY.books["sbh"].values()}
    event.refresh_from_db()
    assert event.books_at == LATER
    assert LogLine.objects.get(act="books").data == {"lists": []}
    take_due_books(LATER + timedelta(days=1), upgraded())
    assert EventBook.objects.count() == len(taken)
    other = replace(legal_list(), books=(replace(legal_list().books[0], revision="0" * 16),))
    found = submitted(event, entry, other, now=LATER)
    assert found.document.books[0].revision == BOOK.revision


def test_books_are_taken_anew_where_rules_are_final_later() -> None:
    event, _entry = event_with_a_list()
    take_due_books(LATER, LIBRARY)
    put_off = replace(ABOUT, times=replace(TIMES, frozen=LATER + timedelta(hours=2)))
    organising.change_event(event.pk, put_off, owner_of(event), LATER)
    event.refresh_from_db()
    assert event.books_at is None
    assert not EventBook.objects.exists()
    take_due_books(LATER + timedelta(hours=1), upgraded())
    assert not EventBook.objects.exists()
    take_due_books(LATER + timedelta(hours=2), upgraded())
    assert EventBook.objects.get(book_id="profiles").revision == "f" * 16
    acts = LogLine.objects.filter(act__startswith="books").order_by("sequence")
    assert [one.act for one in acts] == ["books", "books-left", "books"]


def test_what_an_event_judges_by_is_not_tidied_away() -> None:
    event, _entry = event_with_a_list()
    take_due_books(LATER, LIBRARY)
    Entry.objects.filter(event=event).delete()
    nobody = OwnBook.objects.none(), ArmyList.objects.none()
    assert Kept.objects.filter(book_id="profiles").exists()
    assert unnamed(Kept.objects.all(), *nobody) == set()
    event.delete()
    assert len(unnamed(Kept.objects.all(), *nobody)) == Kept.objects.count()


def test_a_human_looks_at_lists_that_draw_from_an_earlier_form() -> None:
    _event, entry = event_with_a_list()
    Entry.objects.update(status="accepted")
    take_due_books(LATER, upgraded())
    entry.refresh_from_db()
    assert entry.status == "entered"
    assert entry.submission is not None
    assert "books" in entry.submission.needs
    assert LogLine.objects.get(act="books").data == {"lists": [1]}


def test_emails_go_some_time_after_the_event() -> None:
    event = open_event()
    entered(event, email="anne@mill.example")
    forget_addresses(TIMES.over + ADDRESSES_KEPT)
    assert Entry.objects.get().email
    forget_addresses(TIMES.over + ADDRESSES_KEPT + timedelta(seconds=1))
    assert Entry.objects.get().email == ""
