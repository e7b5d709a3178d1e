"""Deleted accounts: what happens to their entries and events; and events that owners delete."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from enum import StrEnum
from functools import partial
from typing import NamedTuple
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from armybuilder.events.entering import next_captain
from armybuilder.events.exporting import forget_drawn
from armybuilder.events.log import locked, write_line
from armybuilder.events.models import (
    BookCheck,
    Decision,
    Entry,
    Event,
    LedgerLine,
    LogLine,
    Staff,
    Submission,
    SubmissionBook,
    Waiting,
    Webhook,
)
from armybuilder.events.news import PLAYER
from armybuilder.events.rules import EventState, StaffRole, Standing
from armybuilder.loading.problems import Refusal

#: How long players keep an event that nobody owns, after its end and after its owner left.
UNOWNED_KEPT = timedelta(days=30)
#: How long the emails of players stay after an event.
ADDRESSES_KEPT = timedelta(days=30)
_LEFT = "left"


class Fate(StrEnum):
    """Fate of an event whose owner leaves: taken over, cancelled, kept for players, removed."""

    PASSED = "passed"
    CANCELLED = "cancelled"
    KEPT = "kept"
    REMOVED = "removed"


class EventFate(NamedTuple):
    """Event of a person who is leaving, its fate, and its new owner."""

    event: Event
    fate: Fate
    heir: str = ""


def fates_of(holder: str, now: datetime) -> Iterator[EventFate]:
    """Yield the fates of the events that a person owns, the next to end first."""
    owners = Staff.objects.filter(holder=holder, role=StaffRole.OWNER).select_related("event")
    for owner in owners.order_by("event__over_at", "pk"):
        heir = _heir(owner)
        yield EventFate(owner.event, _fate(owner, heir, now), heir.name if heir else "")


def _heir(owner: Staff) -> Staff | None:
    others = Staff.objects.filter(event=owner.event_id, role=StaffRole.ORGANISER).exclude(holder="")
    return others.exclude(holder=owner.holder).order_by("pk").first()


def _fate(owner: Staff, heir: Staff | None, now: datetime) -> Fate:
    if heir is not None:
        return Fate.PASSED
    players = Entry.objects.filter(event=owner.event_id, forgotten=None)
    if not players.exclude(holder=owner.holder).exists():
        return Fate.REMOVED
    shown = owner.event.state(now) in (EventState.REVEALED, EventState.OVER, EventState.CANCELLED)
    return Fate.KEPT if shown else Fate.CANCELLED


def forget_holder(holder: str, now: datetime) -> None:
    """Keep nothing of a person but numbers and verdicts; their events have a `Fate`."""
    with transaction.atomic():
        for staff in Staff.objects.filter(holder=holder):
            decisions = Decision.objects.filter(submission__entry__event=staff.event_id)
            decisions.filter(by=staff.name).update(by="")
            points = LedgerLine.objects.filter(entry__event=staff.event_id, by=staff.name)
            points.update(by="")
            BookCheck.objects.filter(event=staff.event_id, by=staff.name).update(by="")
            if staff.role == StaffRole.OWNER:
                _hand_over(staff, now)
        Staff.objects.filter(holder=holder).delete()
        Waiting.objects.filter(holder=holder).delete()
        for entry in Entry.objects.filter(holder=holder):
            with locked(entry.event_id) as event:
                _forget(event, entry, now)


def _hand_over(owner: Staff, now: datetime) -> None:
    """Remove the owner from an event; their texts about it go, unless somebody takes it over."""
    heir = _heir(owner)
    fate = _fate(owner, heir, now)
    if heir is not None:
        heir.change(role=StaffRole.OWNER.value)
    elif fate is Fate.REMOVED:
        Event.objects.filter(pk=owner.event_id).delete()
    else:
        with locked(owner.event_id) as event:
            event.change(about="", place="")
            if fate is Fate.CANCELLED:
                event.change(standing=Standing.CANCELLED.value)
            Webhook.objects.filter(event=event).delete()
            write_line(event, now, StaffRole.OWNER, _LEFT)


def _forget(event: Event, entry: Entry, now: datetime) -> None:
    was_captain, team = entry.captain, entry.team
    submissions = entry.submissions.all()
    SubmissionBook.objects.filter(submission__in=submissions).delete()
    Decision.objects.filter(submission__in=submissions).update(
        to_player="", for_staff="", checked=[]
    )
    for submission in submissions:
        for report in (submission.game_report, submission.event_report):
            report["findings"], report["unchecked"], report["restrictions"] = [], [], []
        reports = {"game_report": submission.game_report, "event_report": submission.event_report}
        submission.change(document=None, salt="", list_hash="", paper_hash="", **reports)
    entry.change(holder="", name="", email="", team="", forgotten=now, captain=False)
    write_line(event, now, PLAYER, "forgotten", entry.number)
    transaction.on_commit(partial(forget_drawn, event.pk))
    if was_captain:
        next_captain(event, entry.number, team, now)


def may_delete(event: Event, owner: Staff, now: datetime) -> bool:
    """Return whether an event may be deleted: it has ended, or nobody else has a list there."""
    lists = Submission.objects.filter(entry__event=event, entry__forgotten=None)
    return now >= event.over_at or not lists.exclude(entry__holder=owner.holder).exists()


def delete_event(event_id: UUID, owner: Staff, now: datetime) -> list[Entry]:
    """Delete an event with all that is in it; return the entries whose players get a mail."""
    with locked(event_id) as event:
        if not may_delete(event, owner, now):
            raise Refusal(_("Others have submitted lists. Delete the event once it has ended."))
        players = event.entries.filter(main=None).exclude(holder=owner.holder)
        addressed = list(players.exclude(email=""))
        event.delete()
        return addressed


def forget_addresses(now: datetime) -> None:
    """Remove the emails of players some time after their events."""
    Entry.objects.filter(event__over_at__lt=now - ADDRESSES_KEPT).exclude(email="").update(email="")
    Waiting.objects.filter(event__over_at__lt=now).delete()


def unowned_long_over(now: datetime) -> QuerySet[Event]:
    """Return the events without owner, over and left by the owner for long enough to be removed."""
    since = now - UNOWNED_KEPT
    owned = Staff.objects.filter(role=StaffRole.OWNER).values("event")
    lately = LogLine.objects.filter(act=_LEFT, at__gte=since).values("event")
    return Event.objects.filter(over_at__lt=since).exclude(pk__in=owned).exclude(pk__in=lately)
