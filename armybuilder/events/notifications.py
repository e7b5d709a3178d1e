"""Mails to players, made of the lines of an event's log. None reveals the content of a list.

A worker sends them. If the mail server refuses one, it is sent again after growing pauses;
meanwhile the desk sees which players are not reached.
"""

import logging
from collections.abc import Iterable
from datetime import datetime, timedelta
from functools import partial
from smtplib import SMTPException
from typing import NamedTuple

from django.conf import settings
from django.core.mail import send_mail
from django.db import transaction
from django.db.models import QuerySet
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django_tasks import task, task_backends
from django_tasks_db.models import DBTaskResult

from armybuilder.events.models import Entry, Event, LogLine
from armybuilder.events.news import PLAYER, TO_ALL, TO_ONE, WAITING_LIST, sentences
from armybuilder.events.rules import say_local
from armybuilder.incoming import site_address

logger = logging.getLogger(__name__)

#: Minutes after which a mail is tried again, by how often it was not taken.
WAITS = (1, 5, 15, 60, 240, 720, 1440)
#: The worker's queue of what waits for other hosts; how long its tasks stay once they are done.
QUEUE, DONE_FOR = "calls", timedelta(hours=1)
#: Decisions about lists; and all acts whose lines are mailed.
DECIDED = ("accepted", "returned", "unsealed", "widened")
MAILED = {*TO_ALL, *TO_ONE, *DECIDED, "entered", "submitted", "reminded", "rejudged"}


class Letter(NamedTuple):
    subject: str
    body: str


def follow(line: LogLine) -> None:
    """Mail a line's news to the players concerned, once the transaction is committed."""
    own = line.act == "withdrawn" and line.actor == PLAYER
    if line.act in MAILED and not own and _addressed(line).exists():
        transaction.on_commit(partial(tell.enqueue, line.pk, site_address()))


@task(queue_name=QUEUE)
def tell(line_id: int, site: str) -> None:
    """Mail a line of the log to each player whom it concerns, in their language."""
    line = LogLine.objects.select_related("event").filter(pk=line_id).first()
    if line is None:
        return
    for entry_id in list(_addressed(line).values_list("pk", flat=True)):
        mail_line.enqueue(line_id, entry_id, site)


@task(queue_name=QUEUE)
def mail_line(line_id: int, entry_id: int, site: str, tries: int = 0) -> None:
    """Mail a line of the log to a player, written as it is sent: no queue holds private links."""
    line = LogLine.objects.select_related("event").filter(pk=line_id).first()
    entry = _addressed(line).filter(pk=entry_id).first() if line is not None else None
    if line is None or entry is None:
        return
    address = f"{site}{reverse('event', args=[entry.event_id])}" if site else ""
    with translation.override(entry.language):
        letter = _letter(line, entry, address)
    if letter is None:
        return
    subject, body = f"{entry.event.name}: {letter.subject}", f"{letter.body}\n\n{address}\n"
    if not _is_taken(subject, body, entry.email, entry_id) and (again := _again(tries)):
        mail_line.using(run_after=again).enqueue(line_id, entry_id, site, tries + 1)


def _addressed(line: LogLine) -> QuerySet[Entry]:
    """Return the entries with an email that a line concerns; of all players their first ones."""
    entries = line.event.entries.exclude(email="").select_related("event", "submission")
    entries = entries.defer("submission__document").order_by("pk")
    if line.act == "rejudged" and line.data.get("all"):
        return entries.exclude(submission=None).exclude(status=Entry.Status.WITHDRAWN)
    if line.act == "rejudged":
        return entries.filter(number__in=[number for number, _legal in line.data["changed"]])
    if line.act == "reminded":
        return entries.filter(number__in=line.data["entries"])
    if line.act in TO_ALL:
        return entries.filter(main=None).exclude(status=Entry.Status.WITHDRAWN)
    entries = entries.filter(number=line.entry or 0)
    return entries.filter(main=None) if line.act in ("entered", "withdrawn") else entries


def _letter(line: LogLine, entry: Entry, address: str) -> Letter | None:
    """Return the letter to an entry's player; None if a line has no news for them."""
    if line.act == "entered":
        return _welcome(line, entry, address)
    if line.act == "submitted":
        return _receipt(line, entry.event)
    if line.act == "reminded":
        body = _("You have not submitted a list yet.")
        return Letter(_("your list is missing"), f"{body}\n{_due_line(entry.event, entry)}")
    if line.act == "rejudged":
        verdict = _verdict(entry.submission is not None and entry.submission.legal)
        body = _("The event pack changed. Your list is now: {verdict}.").format(verdict=verdict)
        return Letter(_("event pack changed"), body)
    if line.act in DECIDED:
        return _decision(line.act)
    if not (said := sentences(line, entry.event)):
        return None
    subject = _("times changed") if line.act == "changed" else _("news")
    return Letter(subject, "\n".join(said))


def _welcome(line: LogLine, entry: Entry, address: str) -> Letter:
    due = _due_line(entry.event, entry)
    if line.actor == WAITING_LIST:
        subject, said = _("you have a place"), _("A place became free, and you are registered now.")
    else:
        subject, said = _("registered"), _("You are registered.")
    lines = [said, due]
    if address:
        lines += [
            "",
            _("Your private link, to return in any browser:"),
            f"{address}mine/{entry.secret}/",
        ]
    return Letter(subject, "\n".join(lines))


def _due_line(event: Event, entry: Entry) -> str:
    due = max(filter(None, (event.due_at, entry.extended_to)))
    return _("List deadline: {moment}").format(moment=say_local(due, event.zone))


def _receipt(line: LogLine, event: Event) -> Letter:
    body = _(
        "Your list was received as number {number} on {moment}.\n"
        "Verdict: {verdict}\nCommitment: {commitment}"
    ).format(
        number=line.data["number"],
        moment=say_local(line.at, event.zone),
        verdict=_verdict(line.data["legal"]),
        commitment=line.data["commitment"],
    )
    return Letter(_("list received"), body)


def _decision(act: str) -> Letter:
    """Return that something was decided about a list; the event's page alone says why."""
    return {
        "accepted": Letter(_("list accepted"), _("Your list was accepted.")),
        "returned": Letter(
            _("list returned"),
            _("Your list was returned. The reasons are on the event’s page."),
        ),
        "unsealed": Letter(
            _("seal broken"),
            _("The seal of your list was broken. The reason is on the event’s page."),
        ),
        "widened": Letter(
            _("your list is visible to more people"),
            _("Your list is now visible to more people. The reason is on the event’s page."),
        ),
    }[act]


def _verdict(legal: bool) -> str:
    return _("legal at this event") if legal else _("not legal at this event")


def deleted(entries: Iterable[Entry], address: str) -> None:
    """Mail to players that their event is no more."""
    for entry in entries:
        with translation.override(entry.language):
            body = _(
                "The organiser has deleted the event with all lists that were submitted. The"
                " receipts that you have saved can still be checked."
            )
            subject = f"{entry.event.name}: {_('deleted')}"
        send = partial(mail.enqueue, subject, f"{body}\n\n{address}\n", entry.email)
        transaction.on_commit(send)


@task(queue_name=QUEUE)
def mail(subject: str, body: str, to: str, entry_id: int = 0, tries: int = 0) -> None:
    """Send a mail that names no player; try again later if it is not taken."""
    if not _is_taken(subject, body, to, entry_id) and (again := _again(tries)):
        mail.using(run_after=again).enqueue(subject, body, to, entry_id, tries + 1)


def _again(tries: int) -> datetime | None:
    """Return when a mail that was not taken is tried again; None if it is given up."""
    if tries >= len(WAITS) or not task_backends["default"].supports_defer:
        return None
    return timezone.now() + timedelta(minutes=WAITS[tries])


def _is_taken(subject: str, body: str, to: str, entry_id: int) -> bool:
    """Send a mail; return whether it was taken, and mark its player as reached or not."""
    entries = Entry.objects.filter(pk=entry_id)
    try:
        send_mail(" ".join(subject.split()), body, settings.DEFAULT_FROM_EMAIL, [to])
    except (OSError, SMTPException) as error:
        entries.filter(unreached=None).update(unreached=timezone.now())
        logger.warning("a mail was not taken: %s", type(error).__name__)
        return False
    entries.exclude(unreached=None).update(unreached=None)
    return True


def forget_sent(now: datetime) -> None:
    """Remove tasks that are done: they name addresses."""
    done = DBTaskResult.objects.filter(queue_name=QUEUE, finished_at__lt=now - DONE_FOR)
    done.delete()
