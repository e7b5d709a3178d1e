"""Lists judged again: by another pack, or because their entry has come back."""

from __future__ import annotations

from datetime import datetime

from armybuilder.events.books import look_if_earlier
from armybuilder.events.log import write_line
from armybuilder.events.models import Decision, Entry, Event, EventPack
from armybuilder.events.selectors import newest_pack
from armybuilder.events.trying import Outcome, outcome_of
from armybuilder.loading.library import Library
from armybuilder.packs.reading import pack_of


def judge_again(outcome: Outcome, kept: EventPack) -> None:
    """Let a submission say what the new pack makes of it."""
    found, verdicts = outcome.submission, outcome.verdicts
    found.pack = kept
    found.legal = outcome.legal
    if verdicts is not None:
        found.event_report = dict(verdicts.event_report)
        of_itself = [one for one in found.needs if one in ("late", "books")]
        found.needs = [*verdicts.needs, *of_itself]
    elif "errors" not in found.needs:  # it cannot be judged, so that a human has to
        found.needs = ["errors", *found.needs]
    found.save(update_fields=["pack", "legal", "event_report", "needs"])
    if outcome.falls or outcome.worsens:
        accepted = Entry.objects.filter(pk=outcome.entry.pk, status=Entry.Status.ACCEPTED)
        accepted.update(status=Entry.Status.ENTERED)


def play_again(event: Event, entry: Entry, actor: str, now: datetime, library: Library) -> None:
    """Let an entry that was withdrawn play again: its list is judged by the pack and the books that
    count now, and one that was returned is returned still. The event is locked.
    """
    found = entry.submission
    entry.status = Entry.Status.ENTERED
    if found is not None:
        decided = found.decisions.exclude(what=Decision.What.UNSEALED).order_by("pk").last()
        if decided is not None and decided.what == Decision.What.RETURNED:
            entry.status = Entry.Status.RETURNED
    entry.save(update_fields=["status"])
    write_line(event, now, actor, "entered", entry.number)
    kept = newest_pack(event)
    if found is not None and found.pack_id != kept.pk:
        outcome = outcome_of(entry, found, pack_of(kept), library)
        judge_again(outcome, kept)
        changed = [(entry.number, outcome.legal)] if outcome.falls or outcome.rises else []
        write_line(event, now, actor, "rejudged", entry.number, lists=1, changed=changed)
    look_if_earlier(event, entry)
