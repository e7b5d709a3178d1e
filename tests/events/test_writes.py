"""Entries, submissions, decisions and points as they are stored, and the log that tells of them."""

import json
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest

from armybuilder.accounts.holders import leaving
from armybuilder.books.models import Kept, OwnBook
from armybuilder.events import deciding, entering, organising
from armybuilder.events import leaving as leaving_events
from armybuilder.events.judging import commitment_of, take_books, take_due_books
from armybuilder.events.leaving import ADDRESSES_KEPT, forget_addresses
from armybuilder.events.log import first_broken
from armybuilder.events.models import Decision, Entry, Event, EventBook, LogLine, Staff, Submission
from armybuilder.events.rules import EventState, Sight, StaffRole, Standing
from armybuilder.events.selectors import find_event, newest_pack, sight_of
from armybuilder.housekeeping import tidying
from armybuilder.housekeeping.tidying import unnamed
from armybuilder.lists.models import ArmyList
from armybuilder.loading.books import revision_of
from armybuilder.loading.documents import canonical
from armybuilder.loading.jsontext import canonical_json
from armybuilder.loading.library import Library, shipped_library
from armybuilder.loading.packs import Pack
from armybuilder.loading.problems import Refusal
from armybuilder.packs.selectors import pack_of, read_pack
from tests.events import builders
from tests.events.builders import (
    ABOUT,
    NOW,
    OWNER,
    TIMES,
    entered,
    helper,
    legal_list,
    open_event,
    owner_of,
    person,
    submitted,
    with_a_list,
)

pytestmark = pytest.mark.django_db
LIBRARY = shipped_library()
RETURNED, ACCEPTED = Decision.What.RETURNED, Decision.What.ACCEPTED


def test_a_submission_is_a_numbered_copy_with_both_verdicts_and_a_commitment() -> None:
    event = open_event()
    entry = entered(event)
    first = submitted(event, entry)
    assert submitted(event, entered(event, "Ben")).commitment != first.commitment
    second = submitted(event, entry, replace(legal_list(), limit=200))
    assert (first.number, second.number) == (1, 2)
    assert (first.legal, second.legal, second.needs) == (True, False, ["errors"])
    assert first.game_report["legal"]
    assert first.commitment == commitment_of(first.document, first.salt)
    entry.refresh_from_db()
    assert entry.submission == second
    again = Submission.objects.get(pk=first.pk)
    assert again.document.units == legal_list().units
    assert {book.id: book.revision for book in again.document.books} == again.revisions
    assert pack_of(again.pack).id == "raven-cup"


def test_nobody_fills_a_server_by_submitting(monkeypatch: pytest.MonkeyPatch) -> None:
    event, entry = with_a_list()
    kept = Submission.objects.get()
    size, found = kept.size, {name: getattr(kept, name) for name in ("game_report", "event_report")}
    assert size == len(canonical(kept.document)) + len(canonical_json(found)) > 500
    monkeypatch.setattr(entering, "MOST_OF_ENTRY", 3 * size)
    submitted(event, entry)
    submitted(event, entry)
    with pytest.raises(Refusal, match="this often"):
        submitted(event, entry)


def test_lists_and_packs_of_events_count_to_whoever_owns_them(settings: Any) -> None:
    event, entry = with_a_list()
    other, elsewhere = open_event(), open_event()
    assert other.size > 0, "its pack"
    Staff.objects.filter(event=elsewhere).update(holder="somebody else")
    event.refresh_from_db()
    settings.EVENTS_BYTES = event.size + other.size + 10
    Staff.objects.filter(event=other).update(holder=owner_of(event).holder)
    for place in (event, other):
        with pytest.raises(Refusal, match="organiser’s events use all"):
            submitted(place, entry if place is event else entered(place, "Ben"))
    longer = read_pack({**pack_of(newest_pack(other)).data, "about": "a" * 100})
    with pytest.raises(Refusal, match="organiser’s events use all"):
        organising.use_pack(other.pk, longer, "", owner_of(other), NOW, shipped_library())
    submitted(elsewhere, entered(elsewhere, "Cleo"))


def test_an_event_makes_room_as_it_is_deleted_and_lists_of_others_stay_until_its_end(
    settings: Any,
) -> None:
    event, _entry = with_a_list()
    by, moments = owner_of(event), (NOW, TIMES.revealed, TIMES.over - timedelta(seconds=1))
    event.refresh_from_db()
    settings.EVENTS_BYTES = event.size + 10
    with pytest.raises(Refusal, match="use all"):
        open_event()
    for moment in moments:
        with pytest.raises(Refusal, match="once it has ended"):
            leaving_events.delete_event(event.pk, by, moment)
    leaving_events.delete_event(event.pk, by, TIMES.over)
    assert not Event.objects.exists()
    assert not Submission.objects.exists()
    # The own list, that of somebody who is forgotten, and entries without any keep nothing.
    event = open_event()
    own = entered(event, "Olga")
    Entry.objects.update(holder=OWNER)
    settings.EVENTS_BYTES *= 2
    submitted(event, own)
    gone = entered(event, "Gone")
    submitted(event, gone)
    leaving_events.forget_holder(gone.holder, NOW)
    entered(event, "Ben", email="ben@mill.example")
    told = leaving_events.delete_event(event.pk, owner_of(event), NOW)
    assert [entry.name for entry in told] == ["Ben"]


def test_a_returned_list_can_be_corrected_until_the_correction_deadline() -> None:
    event, entry = with_a_list()
    by = owner_of(event)
    with pytest.raises(Refusal, match="Tell the player"):
        deciding.decide(event.pk, entry.number, 1, RETURNED, by, NOW)
    deciding.decide(event.pk, entry.number, 1, RETURNED, by, NOW, "Two heroes.")
    mended = submitted(event, entry, now=TIMES.corrected - timedelta(seconds=1))
    assert mended.number == 2
    with pytest.raises(Refusal, match="deadline has passed"):
        submitted(event, entry, now=TIMES.corrected)


def test_who_looked_at_an_older_list_decides_nothing() -> None:
    event, entry = with_a_list()
    submitted(event, entry)
    with pytest.raises(Refusal, match="Another list"):
        deciding.decide(event.pk, entry.number, 1, ACCEPTED, owner_of(event), NOW)
    deciding.decide(event.pk, entry.number, 2, ACCEPTED, owner_of(event), NOW)
    entry.refresh_from_db()
    assert entry.status == Entry.Status.ACCEPTED


def test_only_lists_without_issues_are_accepted_at_once() -> None:
    event = open_event()
    clean, wrong, later = (entered(event, name) for name in ("Anne", "Ben", "Cleo"))
    submitted(event, clean)
    submitted(event, wrong, replace(legal_list(), limit=200))
    submitted(event, later)
    seen = [(one.number, 1) for one in (clean, wrong, later)]
    submitted(event, later)  # meanwhile
    assert deciding.accept_clean(event.pk, seen, owner_of(event), NOW) == 1
    statuses = event.entries.order_by("number").values_list("status", flat=True)
    assert list(statuses) == ["accepted", "entered", "entered"]


def test_more_time_is_for_one_and_has_a_reason() -> None:
    event = open_event()
    anne, ben = entered(event), entered(event, "Ben")
    until = TIMES.corrected + timedelta(hours=2)
    with pytest.raises(Refusal, match="reason"):
        entering.extend(event.pk, anne.number, until, " ", owner_of(event), NOW)
    with pytest.raises(Refusal, match="published"):
        entering.extend(event.pk, anne.number, TIMES.revealed, "Ill", owner_of(event), NOW)
    entering.extend(event.pk, anne.number, until, "Ill", owner_of(event), NOW)
    submitted(event, anne, now=until)
    with pytest.raises(Refusal, match="deadline has passed"):
        submitted(event, ben, now=until)


def test_an_event_that_is_full_takes_who_comes_when_somebody_leaves() -> None:
    event = open_event(capacity=1)
    anne = entered(event)
    with pytest.raises(Refusal, match="full"):
        entered(event, "Ben")
    with pytest.raises(Refusal, match="already registered"):
        entered(event)
    entering.withdraw(event.pk, anne.number, "player", NOW)
    ben = entered(event, "Ben")
    assert ben.number == 2
    with pytest.raises(Refusal, match="full"):
        entered(event)


def test_an_email_can_register_a_limited_number_of_players(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entering, "MOST_ALIKE", 1)
    event = open_event()
    entered(event, email="anne@mill.example")
    with pytest.raises(Refusal, match="Too many players have this email"):
        entered(event, "Ben", email="ANNE@mill.example")
    assert [entered(event, name).number for name in ("Cem", "Dora")] == [2, 3]


def test_an_event_that_is_not_open_takes_nobody() -> None:
    event = open_event()
    organising.set_standing(event.pk, Standing.CANCELLED, StaffRole.OWNER, NOW)
    with pytest.raises(Refusal, match="Registration is not open"):
        entered(event)
    other, late = open_event(), TIMES.due + timedelta(seconds=1)
    with pytest.raises(Refusal, match="closed"):
        entering.enter(other.pk, "h", "Ben", "", "", late, LIBRARY)
    # Late entries are taken until corrections are due, and none reads what is shown.
    event = open_event(late_allowed=True)
    main = entered(event)
    late = TIMES.corrected - timedelta(seconds=1)
    entering.enter(event.pk, "ben", "Ben", "", "", late, LIBRARY)
    for now in (TIMES.corrected, TIMES.revealed, TIMES.over):
        with pytest.raises(Refusal, match="closed"):
            entering.enter(event.pk, "cleo", "Cleo", "", "", now, LIBRARY)
        with pytest.raises(Refusal, match="closed"):
            entering.bring(event.pk, main, "Cleo", now)
        with pytest.raises(Refusal, match="closed"):
            entering.enter_lists(event.pk, main.number, now)


def test_locked_rules_change_only_with_a_public_reason() -> None:
    event = open_event()
    pack = shipped_library().packs["three-winters-league"]
    late = TIMES.frozen + timedelta(seconds=1)
    with pytest.raises(Refusal, match="reason"):
        organising.use_pack(event.pk, pack, "", owner_of(event), late, LIBRARY)
    organising.use_pack(event.pk, pack, "The hall is small.", owner_of(event), late, LIBRARY)
    assert newest_pack(event).pack_id == pack.id
    with pytest.raises(Refusal, match="are published"):
        organising.use_pack(event.pk, pack, "Again.", owner_of(event), TIMES.revealed, LIBRARY)
    other = shipped_library().packs["lantern-cup"]
    with pytest.raises(Refusal, match="another game"):
        organising.use_pack(event.pk, other, "", owner_of(event), NOW, LIBRARY)


def test_published_lists_are_never_hidden_again() -> None:
    event = open_event()
    later = replace(ABOUT, times=replace(TIMES, over=TIMES.over + 9 * builders.DAY))
    organising.change_event(event.pk, later, owner_of(event), TIMES.revealed)
    hidden = replace(later, times=replace(later.times, revealed=later.times.over))
    with pytest.raises(Refusal, match="can’t be hidden"):
        organising.change_event(event.pk, hidden, owner_of(event), TIMES.revealed)


@pytest.mark.parametrize("how", ["unsealed", "sooner"])
def test_who_opens_a_sealed_event_breaks_every_seal_and_says_why(how: str) -> None:
    event = open_event(sealed=True)
    rules = replace(ABOUT.rules, sealed=True)
    about = replace(ABOUT, rules=rules, place="The barn")
    # Before a list is in, a seal may go and come.
    organising.change_event(event.pk, ABOUT, owner_of(event), NOW)
    event.refresh_from_db()
    assert not event.sealed
    organising.change_event(event.pk, about, owner_of(event), NOW)
    past = dict.fromkeys(("frozen", "due", "corrected", "revealed"), NOW)
    opened = (
        replace(about, rules=ABOUT.rules)
        if how == "unsealed"
        else replace(about, times=replace(TIMES, **past))
    )
    entry = entered(event)
    submitted(event, entry)
    entered(event, "Ben")
    with pytest.raises(Refusal, match="to more people"):
        organising.change_event(event.pk, opened, owner_of(event), NOW, " ")
    assert event.log.latest("sequence").act == "entered"
    # What keeps the promise needs no reason.
    later = replace(about, times=replace(TIMES, revealed=TIMES.over))
    organising.change_event(event.pk, later, owner_of(event), NOW)
    assert not Decision.objects.exists()
    organising.change_event(event.pk, opened, owner_of(event), NOW, "The hall is closed.")
    told = Decision.objects.get()
    assert (told.submission.entry_id, told.what) == (entry.pk, Decision.What.UNSEALED)
    assert told.to_player == "The hall is closed."
    acts = list(event.log.order_by("sequence").values_list("act", "entry"))
    assert acts[-2:] == [("changed", None), ("unsealed", 1)]


def test_an_invitation_is_for_one() -> None:
    event = open_event()
    made = organising.invite(event.pk, StaffRole.CHECKER, "Carl", ["Mill"], StaffRole.OWNER, NOW)
    organising.join(event.pk, made.secret, "holder-Carl", NOW)
    with pytest.raises(Refusal, match="no longer valid"):
        organising.join(event.pk, made.secret, "holder-Dora", NOW)
    assert person(event, "holder-Carl").role is StaffRole.CHECKER
    assert person(event, "holder-Carl").conflicts == {"mill"}
    organising.dismiss(event.pk, made.pk, StaffRole.OWNER, NOW)
    assert person(event, "holder-Carl").role is None
    organising.dismiss(event.pk, owner_of(event).pk, StaffRole.ORGANISER, NOW)
    assert Staff.objects.filter(event=event).count() == 1


def test_breaking_a_seal_is_told_with_its_reason() -> None:
    event = open_event(sealed=True)
    entry = entered(event)
    kept = submitted(event, entry)
    owner = person(event, OWNER)
    assert sight_of(owner, event, entry, kept, NOW) is Sight.VERDICT
    with pytest.raises(Refusal, match="reason"):
        deciding.unseal(event.pk, 1, 1, owner_of(event), NOW, "")
    deciding.unseal(event.pk, 1, 1, owner_of(event), NOW, "Asked to.")
    kept.refresh_from_db()
    entry.refresh_from_db()
    assert sight_of(owner, event, entry, kept, NOW) is Sight.FULL
    assert kept.decisions.get().to_player == "Asked to."


def test_the_log_tells_of_everything_in_order_and_no_line_can_be_changed() -> None:
    event, _entry = with_a_list()
    deciding.decide(event.pk, 1, 1, ACCEPTED, owner_of(event), NOW)
    lines = list(event.log.order_by("sequence"))
    acts = [line.act for line in lines]
    assert acts == ["made", "pack", "published", "entered", "submitted", "accepted"]
    assert first_broken(lines) == 0
    assert "Anne" not in str([line.data for line in lines])
    lines[3].data = {"other": 1}
    assert first_broken(lines) == 4
    assert first_broken(lines[:2] + lines[3:]) == 3
    event.refresh_from_db()
    assert (event.sequence, event.log_hash) == (6, lines[-1].hash)


def test_a_deleted_player_leaves_a_number_and_verdicts() -> None:
    event = open_event()
    entry = entered(event, email="anne@mill.example", team="Mill")
    submitted(event, entry, replace(legal_list(), limit=200, name="Anne's list"))
    deciding.decide(event.pk, 1, 1, RETURNED, owner_of(event), NOW, "Dear Anne, …")
    leaving.send(None, holder="holder-Anne")
    entry.refresh_from_db()
    kept = Submission.objects.get(entry=entry)
    assert (entry.number, entry.name, entry.email, entry.team, entry.holder) == (1, "", "", "", "")
    assert kept.document is None
    assert kept.event_report["findings"] == []
    assert not kept.legal
    assert kept.decisions.get().to_player == ""
    assert first_broken(event.log.order_by("sequence")) == 0
    assert sight_of(person(event, OWNER), event, entry, kept, TIMES.over) is Sight.NOTHING


def test_an_event_goes_to_the_first_organiser_when_its_owner_leaves() -> None:
    event = open_event()
    helper(event, StaffRole.CHECKER, "Carl")
    helper(event, StaffRole.ORGANISER, "Dora")
    leaving.send(None, holder=OWNER)
    assert owner_of(event).name == "Dora"
    leaving.send(None, holder="holder-Dora")
    assert not Event.objects.exists()
    assert not LogLine.objects.exists()


@pytest.mark.parametrize(
    ("moment", "state"), [(NOW, EventState.CANCELLED), (TIMES.revealed, EventState.REVEALED)]
)
def test_an_event_without_an_organiser_stays_for_its_players(
    moment: datetime, state: EventState
) -> None:
    event, _entry = with_a_list(about="Ask Olga, 0123 456.")
    deciding.decide(event.pk, 1, 1, ACCEPTED, owner_of(event), NOW)
    helper(event, StaffRole.CHECKER, "Carl")
    fate = "cancelled" if state is EventState.CANCELLED else "kept"
    assert [told.fate for told in leaving_events.fates_of(OWNER, moment)] == [fate]
    leaving_events.forget_holder(OWNER, moment)
    event.refresh_from_db()
    assert event.state(moment) is state
    assert (event.about, event.place, event.name) == ("", "", "Raven Cup")
    assert Decision.objects.get().by == ""
    assert Submission.objects.get().document is not None
    assert event.log.latest("sequence").act == "left"
    assert first_broken(event.log.order_by("sequence")) == 0
    long_after = max(TIMES.over, moment) + timedelta(days=31)
    open_event()
    assert not leaving_events.unowned_long_over(TIMES.over).exists()
    assert list(leaving_events.unowned_long_over(long_after)) == [event]


def test_the_books_of_a_submission_stay_as_long_as_it_does() -> None:
    event = open_event()
    submitted(event, entered(event))
    kept = Kept.objects.filter(book_id__in=[book.id for book in legal_list().books])
    assert kept.exists()
    nothing = tidying.OwnBook.objects.none(), tidying.ArmyList.objects.none()
    assert not tidying.unnamed(kept, *nothing)
    event.delete()
    assert tidying.unnamed(kept, *nothing) == set(kept.values_list("pk", flat=True))


LADDER = {"Late list": -3, "Painted": 5}


def test_penalties_are_read_one_per_line() -> None:
    written = "Late list: -3\n\n Painted : +5\nWrong: list: −10"
    assert deciding.read_ladder(written) == {**LADDER, "Wrong: list": -10}
    assert deciding.read_ladder(deciding.ladder_text(LADDER)) == LADDER
    assert deciding.read_ladder("") == {}
    # A rung that is none is told, and a ladder has an end.
    for text in ("Late list", ": 3", "Late: many", "Late: 10000", "x" * 99 + ": 1"):
        with pytest.raises(Refusal, match=text[:5]):
            deciding.read_ladder(text)
    with pytest.raises(Refusal, match="at most 20"):
        deciding.read_ladder("\n".join(f"Reason {number}: 1" for number in range(21)))


def test_points_are_given_once_however_often_they_are_sent() -> None:
    event = open_event(ladder=LADDER)
    entered(event)
    by, key = owner_of(event), uuid4()
    for _time in range(3):
        deciding.give_points(event.pk, 1, "Late list", key, by, NOW)
    deciding.give_points(event.pk, 1, "Painted", uuid4(), by, NOW)
    assert deciding.standing_of(event) == {1: 2}
    deciding.take_back(event.pk, 1, key, by, NOW)
    deciding.take_back(event.pk, 1, key, by, NOW)
    assert deciding.standing_of(event) == {1: 5}
    acts = list(event.log.order_by("sequence").values_list("act", flat=True))
    assert acts[-3:] == ["points", "points", "taken-back"]
    assert first_broken(event.log.order_by("sequence")) == 0
    with pytest.raises(Refusal, match="define that penalty"):
        deciding.give_points(event.pk, 1, "Bad manners", uuid4(), owner_of(event), NOW)


# Lists judged again by the pack and books in effect: of another pack, or once rules are final.


def current(entry: Entry) -> Submission:
    """Return the current list of an entry as it is stored now."""
    entry.refresh_from_db()
    assert entry.submission is not None
    return entry.submission


def three_models() -> Pack:
    """The Raven Cup with at most three models, which no example has."""
    data = json.loads(json.dumps(dict(LIBRARY.packs["raven-cup"].data)))
    next(rule for rule in data["rules"] if rule["id"] == "raven-models")["max"] = 3
    return read_pack(data)


def test_a_list_that_comes_back_is_judged_by_the_pack_of_now() -> None:
    event, entry = with_a_list()
    entering.withdraw(event.pk, entry.number, entering.PLAYER, NOW)
    organising.use_pack(event.pk, three_models(), "", owner_of(event), NOW, LIBRARY)
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
    organising.use_pack(event.pk, three_models(), "", owner_of(event), NOW, LIBRARY)
    for what in (ACCEPTED, RETURNED):
        with pytest.raises(Refusal, match="rechecked"):
            deciding.decide(event.pk, 1, 1, what, owner_of(event), NOW, "No.", judged=seen)
    seen = current(Entry.objects.get(pk=entry.pk)).judged
    deciding.decide(event.pk, 1, 1, ACCEPTED, owner_of(event), NOW, judged=seen)


def test_a_list_that_cannot_be_checked_again_is_not_clean() -> None:
    event, entry = with_a_list()
    broken = Submission.objects.get(entry=entry)
    broken.document = replace(broken.document, system="gone")
    broken.save()
    (outcome,) = organising.use_pack(event.pk, three_models(), "", owner_of(event), NOW, LIBRARY)
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


def test_books_lock_with_the_first_list_once_rules_lock() -> None:
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


def test_books_unlock_if_rules_lock_later() -> None:
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


def test_books_and_packs_of_events_are_not_deleted() -> None:
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
