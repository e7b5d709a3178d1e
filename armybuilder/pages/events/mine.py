"""What players read of their own entries on the event's page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Prefetch, prefetch_related_objects

from armybuilder.events.clock import Turn
from armybuilder.events.models import Decision, Entry, EventPack, Submission
from armybuilder.events.selectors import turn_of
from armybuilder.events.telling import Told, told_of
from armybuilder.loading.library import shipped_library
from armybuilder.pages.events.visits import Visit


@dataclass(frozen=True)
class OwnEntry:
    """An own entry: whether a list may be handed in for it now, and what was. A list that was
    returned is to be mended `until` then. `told` is why the list that counts is not legal, and
    `changed` the pack by which it was judged since anybody looked at it.
    """

    entry: Entry
    turn: Turn
    submissions: list[Submission]
    until: datetime | None
    told: Told | None
    changed: EventPack | None


def own_entries(visit: Visit) -> Iterator[OwnEntry]:
    """Yield the visitor's entries, that of the first list first."""
    found = Submission.objects.filter(entry__in=visit.entries).defer("document")
    prefetch_related_objects(visit.entries, "ledger")
    decisions = Prefetch("decisions", Decision.objects.order_by("pk"))
    kept = list(found.prefetch_related(decisions).order_by("-number"))
    for entry in visit.entries:
        turn = turn_of(visit.event, entry, visit.now)
        submissions = [one for one in kept if one.entry_id == entry.pk]
        counts, told, changed = entry.submission, None, None
        if counts is not None and entry.status != Entry.Status.WITHDRAWN:
            counts.entry = entry
            told = None if counts.legal else told_of(counts, shipped_library())
            decided = next(one.decisions.all() for one in submissions if one.pk == counts.pk)
            changed = _changed(visit, counts, decided)
        yield OwnEntry(entry, turn, submissions, _until(visit, entry, turn), told, changed)


def _until(visit: Visit, entry: Entry, turn: Turn) -> datetime | None:
    """Return until when a returned list may be mended; None where none was, or it is too late."""
    if entry.status != Entry.Status.RETURNED or not turn.allowed:
        return None
    times = (visit.event.corrected_at, entry.extended_to)
    return max(one for one in times if one is not None)


def _changed(visit: Visit, counts: Submission, decisions: Iterable[Decision]) -> EventPack | None:
    """Return the pack by which a list was judged again after it came in, where nobody has decided
    about it since.
    """
    pack = counts.pack
    decided = [one.at for one in decisions if one.what != Decision.What.UNSEALED]
    if pack.since <= max([counts.received, *decided]):
        return None
    first = visit.event.packs.order_by("pk").first()
    return pack if first is not None and first.pk != pack.pk else None
