"""Lists judged again: what counted before counts no more than the pack and the books of now say."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import timedelta

import pytest

from armybuilder.books.models import Kept
from armybuilder.events import deciding, entering, organising
from armybuilder.events.models import Decision, Entry, Event, LogLine, Submission
from armybuilder.events.revalidation import take_books
from armybuilder.events.selectors import find_event, newest_pack
from armybuilder.events.visibility import Role
from armybuilder.loading.books import revision_of
from armybuilder.loading.library import shipped_library
from armybuilder.loading.packs import Pack
from armybuilder.loading.problems import Refusal
from armybuilder.packs.reading import read_pack
from tests.events.builders import (
    NOW,
    TIMES,
    entered,
    legal_list,
    open_event,
    owner_of,
    submitted,
)

pytestmark = pytest.mark.django_db
LIBRARY = shipped_library()
RETURNED, ACCEPTED = Decision.What.RETURNED, Decision.What.ACCEPTED


def three_models() -> Pack:
    """The Raven Cup with at most three models, which no example has."""
    data = json.loads(json.dumps(dict(LIBRARY.packs["raven-cup"].data)))
    next(rule for rule in data["rules"] if rule["id"] == "raven-models")["max"] = 3
    return read_pack(data)


def with_a_list() -> tuple[Event, Entry]:
    event = open_event()
    entry = entered(event)
    submitted(event, entry)
    return event, entry


def test_a_list_that_comes_back_is_judged_by_the_pack_of_now() -> None:
    event, entry = with_a_list()
    entering.withdraw(event.pk, entry.number, entering.PLAYER, NOW)
    organising.use_pack(event.pk, three_models(), "", Role.OWNER, NOW, LIBRARY)
    entered(event)
    entry.refresh_from_db()
    found = entry.submission
    assert found is not None
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
    entry.refresh_from_db()
    assert entry.submission is not None
    assert entry.submission.needs == ["books"]


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
    entry.refresh_from_db()
    assert entry.submission is not None
    seen = entry.submission.judged
    organising.use_pack(event.pk, three_models(), "", Role.OWNER, NOW, LIBRARY)
    for what in (ACCEPTED, RETURNED):
        with pytest.raises(Refusal, match="judged again"):
            deciding.decide(event.pk, 1, 1, what, owner_of(event), NOW, "No.", judged=seen)
    entry = Entry.objects.get(pk=entry.pk)
    assert entry.submission is not None
    seen = entry.submission.judged
    deciding.decide(event.pk, 1, 1, ACCEPTED, owner_of(event), NOW, judged=seen)


def test_a_list_that_cannot_be_judged_again_is_not_clean() -> None:
    event, entry = with_a_list()
    broken = Submission.objects.get(entry=entry)
    broken.document = replace(broken.document, system="gone")
    broken.save()
    (outcome,) = organising.use_pack(event.pk, three_models(), "", Role.OWNER, NOW, LIBRARY)
    assert outcome.refused
    broken.refresh_from_db()
    assert (broken.legal, broken.needs) == (False, ["errors"])
