"""Lists judged again by the pack and books in effect: of another pack, or once rules are final."""

import json
from dataclasses import replace
from datetime import timedelta

import pytest

from armybuilder.books.models import Kept, OwnBook
from armybuilder.events import deciding, entering, organising
from armybuilder.events.judging import take_books, take_due_books
from armybuilder.events.leaving import ADDRESSES_KEPT, forget_addresses
from armybuilder.events.models import Decision, Entry, EventBook, LogLine, Submission
from armybuilder.events.rules import StaffRole
from armybuilder.events.selectors import find_event, newest_pack
from armybuilder.housekeeping.pins import unnamed
from armybuilder.lists.models import ArmyList
from armybuilder.loading.books import revision_of
from armybuilder.loading.library import Library, shipped_library
from armybuilder.loading.packs import Pack
from armybuilder.loading.problems import Refusal
from armybuilder.packs.selectors import read_pack
from tests.events.builders import (
    ABOUT,
    NOW,
    TIMES,
    entered,
    legal_list,
    open_event,
    owner_of,
    submitted,
    with_a_list,
)

pytestmark = pytest.mark.django_db
LIBRARY = shipped_library()


def current(entry: Entry) -> Submission:
    """Return the current list of an entry as it is stored now."""
    entry.refresh_from_db()
    assert entry.submission is not None
    return entry.submission


RETURNED, ACCEPTED = Decision.What.RETURNED, Decision.What.ACCEPTED


def three_models() -> Pack:
    """The Raven Cup with at most three models, which no example has."""
    data = json.loads(json.dumps(dict(LIBRARY.packs["raven-cup"].data)))
    next(rule for rule in data["rules"] if rule["id"] == "raven-models")["max"] = 3
    return read_pack(data)


def test_a_list_that_comes_back_is_judged_by_the_pack_of_now() -> None:
    event, entry = with_a_list()
    entering.withdraw(event.pk, entry.number, entering.PLAYER, NOW)
    organising.use_pack(event.pk, three_models(), "", StaffRole.OWNER, NOW, LIBRARY)
    entered(event)
    found = current(entry)
    assert (found.legal, found.needs, found.pack) == (False, ["errors"], newest_pack(event))
    assert deciding.accept_clean(event.pk, [(1, 1)], owner_of(event), NOW) == 0
    told = LogLine.objects.filter(act="rejudged").latest("sequence")
    assert (told.entry, told.data) == (1, {"lists": 1, "changed": [[1, False]]})


def test_a_list_that_comes_back_and_draws_from_an_earlier_book_is_looked_at() -> None:
    data = {**(LIBRARY.shipped_data("sbh", "profiles") or {}), "about": "As it was."}
    earlier = Kept.objects.create(book_id="profiles", revision=revision_of(data), data=data, size=1)
    event = open_event(late_allowed=True)
    entry, document = entered(event), legal_list()
    books = (replace(document.books[0], revision=earlier.revision),)
    assert not submitted(event, entry, replace(document, books=books)).needs
    entering.withdraw(event.pk, entry.number, entering.PLAYER, NOW)
    final = TIMES.frozen + timedelta(hours=1)
    take_books(find_event(event.pk), final, LIBRARY)
    entered(event)
    assert current(entry).needs == ["books"]


def test_a_list_that_was_returned_is_returned_still_when_it_comes_back() -> None:
    event, entry = with_a_list()
    deciding.decide(event.pk, 1, 1, RETURNED, owner_of(event), NOW, "Two heroes.")
    entering.withdraw(event.pk, entry.number, entering.PLAYER, NOW)
    entered(event)
    entry.refresh_from_db()
    assert entry.status == Entry.Status.RETURNED
    deciding.decide(event.pk, 1, 1, ACCEPTED, owner_of(event), NOW)
    entering.withdraw(event.pk, entry.number, entering.PLAYER, NOW)
    entered(event)
    entry.refresh_from_db()
    assert entry.status == Entry.Status.ENTERED


def test_nobody_decides_by_a_verdict_that_was_before() -> None:
    event, entry = with_a_list()
    seen = current(entry).judged
    organising.use_pack(event.pk, three_models(), "", StaffRole.OWNER, NOW, LIBRARY)
    for what in (ACCEPTED, RETURNED):
        with pytest.raises(Refusal, match="judged again"):
            deciding.decide(event.pk, 1, 1, what, owner_of(event), NOW, "No.", judged=seen)
    seen = current(Entry.objects.get(pk=entry.pk)).judged
    deciding.decide(event.pk, 1, 1, ACCEPTED, owner_of(event), NOW, judged=seen)


def test_a_list_that_cannot_be_judged_again_is_not_clean() -> None:
    event, entry = with_a_list()
    broken = Submission.objects.get(entry=entry)
    broken.document = replace(broken.document, system="gone")
    broken.save()
    (outcome,) = organising.use_pack(event.pk, three_models(), "", StaffRole.OWNER, NOW, LIBRARY)
    assert outcome.refused
    broken.refresh_from_db()
    assert (broken.legal, broken.needs) == (False, ["errors"])


BOOK = LIBRARY.books["sbh"]["profiles"]
LATER = TIMES.frozen + timedelta(hours=1)


def upgraded() -> Library:
    """The library of a site that has another form of the book since."""
    newer = replace(BOOK, revision="f" * 16)
    return Library(
        LIBRARY.systems, {**LIBRARY.books, "sbh": {"profiles": newer}}, files=LIBRARY.files
    )


def test_books_are_taken_with_the_first_list_once_rules_are_final_and_stay() -> None:
    event, entry = with_a_list()
    submitted(event, entry, now=TIMES.frozen - timedelta(seconds=1))
    take_due_books(TIMES.frozen - timedelta(seconds=1), LIBRARY)
    assert not EventBook.objects.exists()
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
    event, _entry = with_a_list()
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
    event, _entry = with_a_list()
    take_due_books(LATER, LIBRARY)
    Entry.objects.filter(event=event).delete()
    nobody = OwnBook.objects.none(), ArmyList.objects.none()
    assert Kept.objects.filter(book_id="profiles").exists()
    assert unnamed(Kept.objects.all(), *nobody) == set()
    event.delete()
    assert len(unnamed(Kept.objects.all(), *nobody)) == Kept.objects.count()


def test_a_human_looks_at_lists_that_draw_from_an_earlier_form() -> None:
    _event, entry = with_a_list()
    Entry.objects.update(status="accepted")
    take_due_books(LATER, upgraded())
    assert "books" in current(entry).needs
    assert entry.status == "entered"
    assert LogLine.objects.get(act="books").data == {"lists": [1]}


def test_emails_go_some_time_after_the_event() -> None:
    event = open_event()
    entered(event, email="anne@mill.example")
    forget_addresses(TIMES.over + ADDRESSES_KEPT)
    assert Entry.objects.get().email
    forget_addresses(TIMES.over + ADDRESSES_KEPT + timedelta(seconds=1))
    assert Entry.objects.get().email == ""
