"""Writes of those who check lists: accept, return with reasons, break a seal."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext as _

from armybuilder.events.clock import State
from armybuilder.events.log import lock, write_line
from armybuilder.events.models import Decision, Entry, Event, Staff, Submission
from armybuilder.events.webhooks import tell
from armybuilder.loading.problems import Refusal

#: Letters of what is written to a player, or for the staff.
MOST_WORDS = 8_000
What = Decision.What


def decide(
    event_id: UUID,
    number: int,
    seen: int,
    what: Decision.What,
    by: Staff,
    now: datetime,
    to_player: str = "",
    for_staff: str = "",
    judged: str = "",
) -> Decision:
    """Accept or return the submission that counts; `seen` is the number of the one that was looked
    at, `judged` the mark of the verdict that it had then, where that is known. Raises Refusal where
    either is another by now, nothing is told to whom it is returned, or the event is over.
    """
    with transaction.atomic():
        event = lock(event_id)
        entry, found = _checked(event, number, seen, by, now)
        if judged and judged != found.judged:
            raise Refusal(_("The list was judged again meanwhile. Look at it first."))
        if what is What.RETURNED and not to_player.strip():
            raise Refusal(_("Tell the player why the list is returned."))
        made = _write(found, what, by, to_player, for_staff)
        entry.status = what.value
        entry.save(update_fields=["status"])
        _told(event, now, by, what, number, seen)
        return made


def accept_clean(event_id: UUID, seen: Iterable[tuple[int, int]], by: Staff, now: datetime) -> int:
    """Accept those of the entries, each with the number of the submission that was shown, of which
    nothing has to be looked at by a human; return how many. Lists that somebody else has to
    decide about stay as they are.
    """
    wanted = dict(seen)
    with transaction.atomic():
        event = lock(event_id)
        _check_open(event, now)
        entries = event.entries.filter(number__in=wanted, status=Entry.Status.ENTERED)
        done = 0
        for entry in entries.exclude(submission=None).select_related("submission"):
            found = entry.submission
            if found is None or found.needs or found.number != wanted[entry.number]:
                continue
            if _why_another(entry, by):
                continue
            _write(found, What.ACCEPTED, by, "", "")
            entry.status = Entry.Status.ACCEPTED
            entry.save(update_fields=["status"])
            _told(event, now, by, What.ACCEPTED, entry.number, found.number)
            done += 1
        return done


def unseal(
    event_id: UUID, number: int, seen: int, by: Staff, now: datetime, reason: str
) -> Decision:
    """Open one sealed list to the staff, for a reason that its player reads."""
    with transaction.atomic():
        event = lock(event_id)
        if not reason.strip():
            raise Refusal(_("Give the reason: the player reads it."))
        entry, _found = _checked(event, number, seen, by, now)
        return break_seal(event, entry, by, now, reason, opened=True)


def break_seal(
    event: Event, entry: Entry, by: Staff, now: datetime, reason: str, opened: bool
) -> Decision:
    """Tell a player, for a reason, that the seal of the list that counts is broken: it is `opened`
    to the staff now, or will be shown sooner than was said. The event is locked.
    """
    found = entry.submission
    if found is None:
        raise Refusal(_("There is no list of this entry to decide about."))
    made = _write(found, What.UNSEALED, by, reason, "")
    if opened:
        Submission.objects.filter(pk=found.pk).update(unsealed=True)
    _told(event, now, by, What.UNSEALED, entry.number, found.number)
    return made


def check_other(entry: Entry, by: Staff) -> None:
    """Raise Refusal where the entry is the helper's own, or of a team in their conflicts."""
    if said := _why_another(entry, by):
        raise Refusal(said)


def _why_another(entry: Entry, by: Staff) -> str:
    """Return why somebody else has to decide about an entry; nothing where nobody has to."""
    if by.holder and by.holder == entry.holder:
        return _("Somebody else has to decide about your own list.")
    if entry.team and entry.team.casefold() in map(str.casefold, by.conflicts):
        return _("Somebody else has to decide about lists of this team.")
    return ""


def _checked(
    event: Event, number: int, seen: int, by: Staff, now: datetime
) -> tuple[Entry, Submission]:
    _check_open(event, now)
    entry = event.entries.select_related("submission").get(number=number)
    check_other(entry, by)
    if entry.submission is None or entry.status == Entry.Status.WITHDRAWN:
        raise Refusal(_("There is no list of this entry to decide about."))
    if entry.submission.number != seen:
        raise Refusal(_("Another list was submitted meanwhile. Look at it first."))
    return entry, entry.submission


def _check_open(event: Event, now: datetime) -> None:
    if event.state(now) in (State.DRAFT, State.CANCELLED, State.OVER):
        raise Refusal(_("Nothing can be decided about lists of this event now."))


def _told(
    event: Event, now: datetime, by: Staff, what: Decision.What, entry: int, number: int
) -> None:
    """Write a decision into the log, and tell the organisers' address of it."""
    write_line(event, now, by.role, what.value, entry, number=number)
    tell(event, "submission.decided", now, entry=entry, submission=number, decision=what.value)


def _write(
    submission: Submission, what: Decision.What, by: Staff, to_player: str, for_staff: str
) -> Decision:
    return Decision.objects.create(
        submission=submission,
        what=what,
        by=by.name,
        to_player=to_player.strip()[:MOST_WORDS],
        for_staff=for_staff.strip()[:MOST_WORDS],
    )
