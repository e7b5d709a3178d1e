"""What happens to events whose owner deletes their account, told before and done then."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from django.db.models import QuerySet

from armybuilder.events.clock import Standing, State
from armybuilder.events.log import lock, write_line
from armybuilder.events.models import Decision, Entry, Event, LedgerLine, LogLine, Staff, Webhook
from armybuilder.events.seeing import Role

#: How long players keep an event that nobody owns, after its end and after its owner left.
UNOWNED_KEPT = timedelta(days=30)
_LEFT = "left"


class Fate(StrEnum):
    """What happens to an event: another organiser takes it over, it is cancelled and stays for its
    players, stays for them as it is, or goes with its owner.
    """

    PASSED = "passed"
    CANCELLED = "cancelled"
    KEPT = "kept"
    REMOVED = "removed"


@dataclass(frozen=True, slots=True)
class Told:
    """An event of somebody who would leave, what happens to it, and who takes it over."""

    event: Event
    fate: Fate
    heir: str = ""


def fates_of(holder: str, now: datetime) -> Iterator[Told]:
    """Yield what would happen to the events that somebody owns, the next to end first."""
    mine = Staff.objects.filter(holder=holder, role=Role.OWNER).select_related("event")
    for owner in mine.order_by("event__over_at", "pk"):
        heir = _heir(owner)
        yield Told(owner.event, _fate(owner, heir, now), heir.name if heir else "")


def _heir(owner: Staff) -> Staff | None:
    others = Staff.objects.filter(event=owner.event_id, role=Role.ORGANISER).exclude(holder="")
    return others.exclude(holder=owner.holder).order_by("pk").first()


def _fate(owner: Staff, heir: Staff | None, now: datetime) -> Fate:
    if heir is not None:
        return Fate.PASSED
    players = Entry.objects.filter(event=owner.event_id, forgotten=None)
    if not players.exclude(holder=owner.holder).exists():
        return Fate.REMOVED
    shown = owner.event.state(now) in (State.REVEALED, State.OVER, State.CANCELLED)
    return Fate.KEPT if shown else Fate.CANCELLED


def hand_over(owner: Staff, now: datetime) -> None:
    """Let an event be without its owner, who leaves: `Fate` says how. What the owner has written
    about it goes where nobody takes it over.
    """
    heir = _heir(owner)
    fate = _fate(owner, heir, now)
    if heir is not None:
        heir.role = Role.OWNER.value
        heir.save(update_fields=["role"])
    elif fate is Fate.REMOVED:
        Event.objects.filter(pk=owner.event_id).delete()
    else:
        event = lock(owner.event_id)
        event.about = event.place = ""
        if fate is Fate.CANCELLED:
            event.standing = Standing.CANCELLED.value
        event.save(update_fields=["about", "place", "standing"])
        Webhook.objects.filter(event=event).delete()
        write_line(event, now, Role.OWNER, _LEFT)


def forget_helper(staff: Staff) -> None:
    """Take somebody's name from what they decided and gave at an event."""
    decided = Decision.objects.filter(submission__entry__event=staff.event_id, by=staff.name)
    decided.update(by="")
    LedgerLine.objects.filter(entry__event=staff.event_id, by=staff.name).update(by="")


def unowned_long_over(now: datetime) -> QuerySet[Event]:
    """The events that nobody owns, and whose end and owner are long enough gone for them to be
    removed.
    """
    since = now - UNOWNED_KEPT
    owned = Staff.objects.filter(role=Role.OWNER).values("event")
    lately = LogLine.objects.filter(act=_LEFT, at__gte=since).values("event")
    return Event.objects.filter(over_at__lt=since).exclude(pk__in=owned).exclude(pk__in=lately)
