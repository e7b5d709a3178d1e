"""Log of an event: its acts in order, each line bound to the one before by its hash."""

import hashlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from django.db import transaction

from armybuilder.events.models import Event, LogLine
from armybuilder.events.notifications import follow
from armybuilder.loading.jsontext import canonical_json
from armybuilder.tables import or_404


@contextmanager
def locked(event_id: UUID) -> Iterator[Event]:
    """Open a transaction with an event locked against other writers. Raises Http404."""
    with transaction.atomic():
        events = Event.objects.select_for_update().filter(pk=event_id)
        yield or_404(events.first(), "no such event")


def write_line(
    event: Event, now: datetime, actor: str, act: str, entry: int | None = None, **data: Any
) -> LogLine:
    """Write the next line of a locked event's log, and mail it to whom it concerns.

    No name and no list belongs into `data`.
    """
    line = LogLine(
        event=event,
        sequence=event.sequence + 1,
        at=now,
        actor=actor,
        act=act,
        entry=entry,
        data=data,
        previous=event.log_hash,
    )
    line.hash = hash_of_line(line)
    line.save(force_insert=True)
    event.change(sequence=line.sequence, log_hash=line.hash)
    follow(line)
    return line


def hash_of_line(line: LogLine) -> str:
    """Return the SHA-256 of the hash before and all that the line says, in hexadecimal digits."""
    return hashlib.sha256(line.previous.encode() + canonical_json(line_data(line))).hexdigest()


def line_data(line: LogLine) -> dict[str, Any]:
    """Return a line as JSON-ready data; its hash covers this."""
    return {
        "sequence": line.sequence,
        "at": line.at.astimezone(UTC).isoformat(timespec="microseconds"),
        "actor": line.actor,
        "act": line.act,
        "entry": line.entry,
        "data": line.data,
    }


def first_broken(lines: Iterable[LogLine]) -> int:
    """Return the number of the first line that contradicts its hash or does not follow; else 0."""
    previous = ""
    for number, line in enumerate(lines, 1):
        follows = line.previous == previous and line.sequence == number
        if not follows or hash_of_line(line) != line.hash:
            return number
        previous = line.hash
    return 0
