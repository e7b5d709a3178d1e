"""Scheduled mails of events: reminders, the news that lists are published, the digest.

A worker asks for them every minute, and `manage.py tidy` once a day. The log remembers the sent
mails, so that none is sent twice; mails that are long overdue are not sent.
"""

from collections.abc import Iterator
from datetime import datetime, timedelta
from functools import partial

from django.conf import settings
from django.contrib.auth import get_user_model
from django.db import transaction
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext as _

from armybuilder.events.log import locked, write_line
from armybuilder.events.models import Entry, Event, Staff
from armybuilder.events.news import CLOCK
from armybuilder.events.notifications import mail
from armybuilder.events.rules import EventState, StaffRole, Standing, say_local

#: How long before the list deadline players without a list are reminded, the last first.
REMINDERS = (timedelta(days=2), timedelta(days=7))
#: A mail overdue by more than this is not sent.
LATE = timedelta(days=1)
#: How often the staff have a mail of what happened.
DIGEST = timedelta(days=1)
#: Those of the staff who decide about lists.
_DECIDE = (StaffRole.OWNER, StaffRole.ORGANISER, StaffRole.CHECKER)


def send_due(now: datetime) -> None:
    """Send the mails due at all events. Called again, it sends nothing twice."""
    published = Event.objects.filter(standing=Standing.PUBLISHED, over_at__gt=now)
    soon = Q(due_at__gt=now, due_at__lte=now + max(REMINDERS))
    shown = Q(revealed_at__lte=now, revealed_at__gt=now - LATE)
    digest = Q(revealed_at__gt=now) & (Q(digest_at=None) | Q(digest_at__lte=now - DIGEST))
    for key in published.filter(soon | shown | digest).values_list("pk", flat=True):
        with locked(key) as event:
            _remind(event, now)
            _say_shown(event, now)
            _digest(event, now)


def _remind(event: Event, now: datetime) -> None:
    """Remind those who registered before that moment and have no list."""
    if event.state(now) is not EventState.OPEN:
        return
    before = next((one for one in REMINDERS if event.due_at - one <= now < event.due_at), None)
    if before is None:
        return
    days, due = before.days, event.due_at.isoformat()
    if event.log.filter(act="reminded", data__days=days, data__due=due).exists():
        return
    waiting = event.entries.filter(submission=None, entered__lte=event.due_at - before)
    waiting = waiting.exclude(status=Entry.Status.WITHDRAWN).exclude(email="")
    if numbers := list(waiting.order_by("number").values_list("number", flat=True)):
        write_line(event, now, CLOCK, "reminded", entries=numbers, days=days, due=due)


def _say_shown(event: Event, now: datetime) -> None:
    if not event.revealed_at <= now < event.revealed_at + LATE:
        return
    has_lists = event.entries.exclude(submission=None).exists()
    if has_lists and not event.log.filter(act="revealed").exists():
        write_line(event, now, CLOCK, "revealed")


#: Acts in the log that the digest counts.
_COUNTED = ("entered", "withdrawn", "submitted")


def _digest(event: Event, now: datetime) -> None:
    """Mail the staff how many have registered, submitted and withdrawn since the last time."""
    since = event.digest_at
    if event.state(now) not in (EventState.OPEN, EventState.CORRECTING, EventState.LOCKED):
        return
    if since is not None and now < since + DIGEST:
        return
    event.change(digest_at=now)
    if since is None:  # from here on it is kept in mind
        return
    lines = event.log.filter(act__in=_COUNTED, at__gt=since, at__lte=now)
    acts = list(lines.values_list("act", flat=True))
    if not acts:
        return
    counts = {act: acts.count(act) for act in _COUNTED}
    address = f"{settings.SITE_URL}{reverse('event-desk', args=[event.pk])}"
    body = "\n".join([*_sentences(event, counts), "", address if settings.SITE_URL else ""])
    subject = _("{event}: what happened").format(event=event.name)
    staff = Staff.objects.filter(event=event, role__in=_DECIDE).exclude(holder="")
    users = get_user_model().objects.filter(holder__in=staff.values("holder"))
    for email in list(users.exclude(email="").values_list("email", flat=True)):
        transaction.on_commit(partial(mail.enqueue, subject, f"{body}\n", email))


def _sentences(event: Event, counts: dict[str, int]) -> Iterator[str]:
    playing = event.entries.exclude(status=Entry.Status.WITHDRAWN)
    yield _("Registered: {number}").format(number=counts["entered"])
    yield _("Lists submitted: {number}").format(number=counts["submitted"])
    yield _("Withdrawn: {number}").format(number=counts["withdrawn"])
    checks = playing.filter(status=Entry.Status.ENTERED).exclude(submission=None).count()
    yield _("Lists to check now: {number}").format(number=checks)
    missing = playing.filter(submission=None).count()
    yield _("Players without a list now: {number}").format(number=missing)
    yield _("List deadline: {moment}").format(moment=say_local(event.due_at, event.zone))
