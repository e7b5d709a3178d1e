"""Mails to players. None says what is in a list."""

import logging
from collections.abc import Iterable
from functools import partial
from smtplib import SMTPException

from django.conf import settings
from django.core.mail import send_mail
from django.db import transaction
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _

from armybuilder.events.judging import PackOutcome
from armybuilder.events.models import Decision, Entry, Submission

logger = logging.getLogger(__name__)


def submitted(submission: Submission, address: str) -> None:
    """Mail the receipt of a submission: its number, time, verdict and commitment."""
    entry = submission.entry
    with translation.override(entry.language):
        body = _(
            "Your list was received as number {number} on {moment} (UTC).\n"
            "Verdict: {verdict}\nCommitment: {commitment}"
        ).format(
            number=submission.number,
            moment=f"{submission.received:%Y-%m-%d %H:%M:%S}",
            verdict=_verdict(submission.legal),
            commitment=submission.commitment,
        )
        _mail(entry, _("{event}: list received"), body, address)


def decided(decision: Decision, entry: Entry, address: str) -> None:
    """Mail what was decided about a list; the reasons stand on the event's page alone."""
    with translation.override(entry.language):
        subject, body = {
            Decision.What.ACCEPTED: (_("{event}: list accepted"), _("Your list was accepted.")),
            Decision.What.RETURNED: (
                _("{event}: list returned"),
                _("Your list was returned. The reasons are on the event’s page."),
            ),
            Decision.What.UNSEALED: (
                _("{event}: seal broken"),
                _("The seal of your list was broken. The reason is on the event’s page."),
            ),
            Decision.What.WIDENED: (
                _("{event}: your list is visible to more people"),
                _("Your list is now visible to more people. The reason is on the event’s page."),
            ),
        }[Decision.What(decision.what)]
        _mail(entry, subject, body, address)


def deleted(entries: Iterable[Entry], address: str) -> None:
    """Mail to players that their event is no more."""
    for entry in entries:
        with translation.override(entry.language):
            body = _(
                "The organiser has deleted the event with all lists that were submitted. The"
                " receipts that you have saved can still be checked."
            )
            _mail(entry, _("{event}: deleted"), body, address)


def moved_up(entry: Entry) -> None:
    """Mail to somebody who has waited that they have a place now."""
    with translation.override(entry.language):
        body = _("A place became free, and you are registered now. Submit a list on its page.")
        address = settings.SITE_URL and settings.SITE_URL + reverse("event", args=[entry.event_id])
        _mail(entry, _("{event}: you have a place"), body, address)


def judged_again(outcomes: Iterable[PackOutcome], address: str, to_all: bool) -> None:
    """Mail to those whose list has another verdict by the event's new pack, or to all."""
    for outcome in outcomes:
        if to_all or outcome.differs:
            with translation.override(outcome.entry.language):
                body = _("The event pack changed. Your list is now: {verdict}.")
                body = body.format(verdict=_verdict(outcome.legal))
                _mail(outcome.entry, _("{event}: event pack changed"), body, address)


def _verdict(legal: bool) -> str:
    return _("legal at this event") if legal else _("not legal at this event")


def _mail(entry: Entry, subject: str, body: str, address: str) -> None:
    if entry.email:
        subject = " ".join(subject.format(event=entry.event.name).split())
        transaction.on_commit(partial(_send, subject, f"{body}\n\n{address}\n", entry.email))


def _send(subject: str, body: str, to: str) -> None:
    try:
        send_mail(subject, body, settings.DEFAULT_FROM_EMAIL, [to])
    except (OSError, SMTPException):
        logger.exception("a notice was not sent")
