"""Times of an event as a calendar file (RFC 5545), for any calendar program."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

from django.utils.translation import gettext as _

from armybuilder.events.models import Event

#: Bytes of a line; longer ones go on in the next, after a space.
LINE = 75
#: How long a round is in a calendar, where the next does not say when it ends.
GAME = timedelta(hours=3)


def calendar_of(event: Event, address: str, now: datetime) -> str:
    """Return the times when lists are due, play begins, and each round does."""
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Army Builder//Events//EN"]
    for key, title, start, end in _times(event):
        lines += [
            "BEGIN:VEVENT",
            f"UID:{event.pk}-{key}",
            f"DTSTAMP:{_moment(now)}",
            f"DTSTART:{_moment(start)}",
            f"DTEND:{_moment(end)}",
            f"SUMMARY:{_escaped(f'{event.name}: {title}')}",
            *([f"LOCATION:{_escaped(event.place)}"] if event.place else []),
            f"URL:{address}",
            "END:VEVENT",
        ]
    return "".join(f"{part}\r\n" for line in [*lines, "END:VCALENDAR"] for part in _folded(line))


def _times(event: Event) -> Iterator[tuple[str, str, datetime, datetime]]:
    yield "due", _("List deadline"), event.due_at, event.due_at
    if event.starts_at is not None:
        yield "play", _("Play"), event.starts_at, max(event.starts_at, event.over_at)
    for one in event.rounds.exclude(starts_at=None).order_by("number"):
        title = _("Round {number}").format(number=one.number)
        title = f"{title}, {one.scenario}" if one.scenario else title
        if one.starts_at is not None:
            yield f"round-{one.number}", title, one.starts_at, one.starts_at + GAME


def _moment(when: datetime) -> str:
    return f"{when.astimezone(UTC):%Y%m%dT%H%M%SZ}"


def _escaped(text: str) -> str:
    for mark in "\\;,":
        text = text.replace(mark, f"\\{mark}")
    return "\\n".join(text.splitlines())


def _folded(line: str) -> Iterator[str]:
    """Yield the lines of a content line, none of more bytes than may be, and no letter cut."""
    part = ""
    for letter in line:
        if len(f"{part}{letter}".encode()) > LINE:
            yield part
            part = " "
        part += letter
    yield part
