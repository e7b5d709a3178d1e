"""Queries of events, a person's part in them, entries and submissions."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from uuid import UUID

from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from armybuilder.engine.names import look_key
from armybuilder.events import rules
from armybuilder.events.models import Entry, Event, EventPack, Staff, Submission
from armybuilder.loading.packs import Pack, pack_for
from armybuilder.packs.selectors import pack_of
from armybuilder.tables import or_404


def find_event(event_id: UUID) -> Event:
    """Return an event. Raises Http404 if there is none."""
    return or_404(Event.objects.filter(pk=event_id).first(), "no such event")


def events_of(holder: str, built: bool = False) -> QuerySet[Event]:
    """Return the events that somebody helps with, plays in or has `built` for, the next first."""
    if not holder:
        return Event.objects.none()
    theirs = Q(entries__holder=holder)
    if built:
        theirs |= Q(lists__army_list__holder=holder, lists__army_list__deleted=None)
    mine = Q(staff__holder=holder) | theirs & ~Q(standing=rules.Standing.DRAFT.value)
    return Event.objects.filter(mine).distinct().order_by("over_at", "name")


def listed_events(now: datetime) -> QuerySet[Event]:
    """Return the published events that everybody finds and that are not over, the next first."""
    published = Event.objects.filter(standing=rules.Standing.PUBLISHED.value, listed=True)
    return published.filter(over_at__gt=now).order_by("over_at", "name")


def newest_pack(event: Event) -> EventPack:
    """Return the pack by which lists are judged at the event now."""
    return EventPack.objects.filter(event=event).latest("pk")


def pack_of_entry(entry: Entry, kept: EventPack) -> Pack:
    """Return the pack as it judges the list of this entry."""
    return pack_for(pack_of(kept), entry.part)


def entries_held(event: Event, holder: str) -> list[Entry]:
    """Return a person's entries with their current submissions, the first list's first."""
    if not holder:
        return []
    mine = event.entries.filter(holder=holder).select_related("submission__pack")
    return list(mine.order_by("number"))


def person_to(event: Event, staff: Staff | None, entries: Sequence[Entry]) -> rules.Person:
    """Return a person as the event sees them, by staff role and entries."""
    role = rules.StaffRole(staff.role) if staff is not None else None
    conflicts = frozenset(map(look_key, staff.conflicts)) if staff else frozenset()
    if not entries:
        return rules.Person(role, frozenset(), conflicts, plays=False)
    first, own = entries[0], frozenset(entry.pk for entry in entries)
    playing = first.status != Entry.Status.WITHDRAWN
    leads = look_key(first.team) if first.captain else ""
    met: frozenset[int] = frozenset()
    if event.rules.audience is rules.Audience.OPPONENTS:
        pairs = event.pairings.filter(Q(first__in=own) | Q(second__in=own), shown=True)
        keys = {key for pair in pairs.values_list("first", "second") for key in pair if key}
        theirs = event.entries.filter(Q(pk__in=keys) | Q(main__in=keys))
        met = frozenset(theirs.values_list("pk", flat=True)) - own
    return rules.Person(role, own, conflicts, playing, leads, met)


def players_of(event: Event) -> QuerySet[Entry]:
    """Return those who play, by the entries of their first lists."""
    return event.entries.exclude(status=Entry.Status.WITHDRAWN).filter(main=None)


def is_full(event: Event) -> bool:
    """Return whether as many play as may."""
    return bool(event.capacity) and players_of(event).count() >= event.capacity


def team_of(event: Event, team: str) -> list[Entry]:
    """Return the playing entries of a team, by their numbers; names that look alike are one."""
    entries = entries_of(event).exclude(status=Entry.Status.WITHDRAWN).exclude(team="")
    key = look_key(team)
    return [entry for entry in entries if look_key(entry.team) == key]


def captain_of(event: Event, team: str) -> Entry | None:
    """Return the entry of the captain of a team; None if it has none, or there is no team."""
    return next((entry for entry in team_of(event, team) if entry.captain), None) if team else None


def staff_of(event: Event, holder: str) -> Staff | None:
    """Return a person's role among the staff."""
    return Staff.objects.filter(event=event, holder=holder).first() if holder else None


def find_entry(event: Event, number: int) -> Entry:
    """Return an entry by its number. Raises Http404 if there is none."""
    entries = event.entries.filter(number=number)
    return or_404(entries.select_related("submission__pack").first(), "no such entry")


def entries_of(event: Event) -> QuerySet[Entry]:
    """Return all entries with their current submissions, without the lists."""
    entries = event.entries.select_related("submission")
    return entries.defer("submission__document").order_by("number")


def shown_entries(event: Event) -> QuerySet[Entry]:
    """Return the entries that play and have a list, with their lists."""
    entries = event.entries.exclude(status=Entry.Status.WITHDRAWN).exclude(submission=None)
    return entries.filter(forgotten=None).select_related("submission").order_by("number")


def helper_to(event: Event, staff: Staff) -> rules.Person:
    """Return a helper as the event sees them, with the entries they hold."""
    return person_to(event, staff, entries_held(event, staff.holder))


def sees_all(event: Event, person: rules.Person, now: datetime) -> bool:
    """Return whether somebody may read every list that plays at the event now."""
    return all(sight is rules.Sight.FULL for sight in _sights_of(event, person, now))


def sees_any(event: Event, person: rules.Person, now: datetime) -> bool:
    """Return whether somebody may read any list of others that plays at the event now."""
    return any(sight is rules.Sight.FULL for sight in _sights_of(event, person, now))


def _sights_of(event: Event, person: rules.Person, now: datetime) -> Iterator[rules.Sight]:
    """Yield how much of each list of others somebody may read."""
    for entry in shown_entries(event).exclude(pk__in=person.own).defer("submission__document"):
        if entry.submission is not None:
            yield sight_of(person, event, entry, entry.submission, now)


def sight_of(
    person: rules.Person, event: Event, entry: Entry, submission: Submission, now: datetime
) -> rules.Sight:
    """Return how much of a submission the person may see now."""
    seen = rules.Seen(
        entry=entry.pk,
        team=entry.team,
        plays=entry.status != Entry.Status.WITHDRAWN and entry.forgotten is None,
        counts=entry.submission_id == submission.pk,
        unsealed=submission.unsealed,
    )
    return rules.may_see(person, seen, event.rules, event.state(now))


def turn_of(event: Event, entry: Entry, now: datetime) -> rules.Turn:
    """Return whether an entry may submit now."""
    if entry.status == Entry.Status.WITHDRAWN:
        return rules.Turn(False, reason=_("You have withdrawn. Register again first."))
    return rules.turn_at(
        event.times,
        rules.Standing(event.standing),
        now,
        returned=entry.status == Entry.Status.RETURNED,
        accepted=entry.status == Entry.Status.ACCEPTED,
        extended=entry.extended_to,
        late_allowed=event.late_allowed,
    )
