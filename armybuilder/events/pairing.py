"""Who plays whom, as organisers write it: the lists of opponents may be shown to each other."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext as _

from armybuilder.events.log import lock, write_line
from armybuilder.events.models import Entry, Event, Pairing
from armybuilder.events.seeing import Role
from armybuilder.loading.problems import Refusal

#: Rounds of an event.
MOST_ROUNDS = 30
_LINE = re.compile(r"(\d{1,5})\s*(?:[-–:,;]|vs\.?|\s)\s*(\d{1,5})", re.ASCII)


def read_pairings(text: str) -> Iterator[tuple[int, int]]:
    """Yield the two numbers of each line, such as "1 - 4"; empty lines say nothing. Raises Refusal
    for any other line, or where a number comes twice.
    """
    seen: set[int] = set()
    for line in text.splitlines():
        if not line.strip():
            continue
        found = _LINE.fullmatch(line.strip())
        if found is None:
            said = _("“{line}”: write two numbers of entries, such as 1 - 4.")
            raise Refusal(said.format(line=line.strip()[:40]))
        pair = int(found[1]), int(found[2])
        for number in pair:
            if number in seen:
                raise Refusal(_("Entry {number} is there twice.").format(number=number))
            seen.add(number)
        yield pair


def set_pairings(event_id: UUID, number: int, text: str, role: Role, now: datetime) -> None:
    """Let a round be paired as written; what was written of it before goes. Raises Refusal where a
    line cannot be read, or an entry does not play.
    """
    pairs = list(read_pairings(text))
    with transaction.atomic():
        event = lock(event_id)
        if not 1 <= number <= MOST_ROUNDS:
            raise Refusal(_("A round has a number from 1 to {most}.").format(most=MOST_ROUNDS))
        entries = _playing(event)
        for one in (one for pair in pairs for one in pair):
            if one not in entries:
                raise Refusal(_("There is no entry {number} that plays.").format(number=one))
        event.pairings.filter(round=number).delete()
        Pairing.objects.bulk_create(
            Pairing(event=event, round=number, first=entries[a], second=entries[b])
            for a, b in pairs
        )
        write_line(event, now, role, "paired", round=number, pairs=[list(pair) for pair in pairs])


def _playing(event: Event) -> dict[int, Entry]:
    found = event.entries.exclude(status=Entry.Status.WITHDRAWN)
    return {one.number: one for one in found.only("number", "event")}


def rounds_of(event: Event) -> dict[int, list[Pairing]]:
    """Return the pairings of each round, by its number."""
    rounds: dict[int, list[Pairing]] = {}
    for pairing in event.pairings.select_related("first", "second").order_by("round", "pk"):
        rounds.setdefault(pairing.round, []).append(pairing)
    return rounds
