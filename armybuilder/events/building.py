"""Lists that players build for an event, and copies that they make of submitted ones."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext as _

from armybuilder.events.models import Entry, Event, EventList, Submission
from armybuilder.events.rules import Standing, Turn, time_left
from armybuilder.events.selectors import newest_pack, pack_of_entry, turn_of
from armybuilder.lists.forces import build_list_for, store_list
from armybuilder.lists.models import Version
from armybuilder.lists.selectors import current_versions
from armybuilder.loading.documents import hash_of
from armybuilder.loading.problems import Refusal


@dataclass(frozen=True, slots=True)
class Road:
    """The way of a list to its event: its player's `entry`, and whether that may submit `now`."""

    event: Event
    part: int
    entry: Entry | None
    turn: Turn | None
    now: datetime

    @property
    def left(self) -> str:
        """The time left to submit the list: "3 d 4 h"; "" if it can't be submitted."""
        until = self.turn.until if self.turn is not None else self.event.due_at
        if until is None or until <= self.now or self.event.standing != Standing.PUBLISHED:
            return ""
        return time_left(until, self.now)


def tie(list_id: UUID, event: Event, part: int = 1) -> None:
    """Remember that a list is built for an event."""
    EventList.objects.update_or_create(
        army_list_id=list_id, defaults={"event": event, "part": max(1, part)}
    )


def untie(list_id: UUID) -> None:
    EventList.objects.filter(army_list_id=list_id).delete()


def copy_tie(list_id: UUID, copy_id: UUID) -> None:
    """Let a copy of a list be for the same event."""
    tied = EventList.objects.filter(army_list_id=list_id).select_related("event").first()
    if tied is not None:
        tie(copy_id, tied.event, tied.part)


def road_of(version: Version, now: datetime) -> Road | None:
    """Return how a list gets to the event it is built for; None if it is for none."""
    army_list = version.army_list if version.army_list_id is not None else None
    if army_list is None or army_list.pack_id is None:
        return None
    tied = EventList.objects.filter(army_list=army_list).select_related("event").first()
    if tied is None or tied.event.standing == Standing.DRAFT:
        return None
    entries = tied.event.entries.filter(holder=army_list.holder, part=tied.part)
    entry = entries.select_related("submission").defer("submission__document").first()
    turn = turn_of(tied.event, entry, now) if entry is not None else None
    return Road(tied.event, tied.part, entry, turn, now)


def event_names(list_ids: Collection[UUID]) -> Mapping[UUID, str]:
    """Return the names of the events that these lists are built for, by the lists."""
    if not list_ids:
        return {}
    tied = EventList.objects.filter(army_list__in=list_ids)
    tied = tied.exclude(event__standing=Standing.DRAFT)
    return dict(tied.values_list("army_list_id", "event__name"))


def open_submission(holder: str, event: Event, entry: Entry, submission: Submission) -> UUID:
    """Return the id of the holder's list with the content of a submission; make it if need be.

    Raises Refusal where the list was removed, NoRoom.
    """
    content = submission.content
    if content is None:
        raise Refusal(_("This list was removed."))
    tied = EventList.objects.filter(event=event, part=entry.part).values("army_list")
    for version in current_versions(holder).filter(army_list__in=tied):
        if hash_of(version.content) in (submission.list_hash, submission.paper_hash):
            return version.army_list_id
    act = _("Opened list {number} of {event}.").format(number=submission.number, event=event.name)
    pack = pack_of_entry(entry, newest_pack(event))
    with transaction.atomic():
        list_id = store_list(holder, content, act[:200]).army_list_id
        build_list_for(holder, list_id, pack)
        tie(list_id, event, entry.part)
    return list_id
