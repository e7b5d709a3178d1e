"""Writes of organisers: an event with its times and rules, its pack, its staff."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext as _

from armybuilder.events.again import judge_again
from armybuilder.events.books import leave_books
from armybuilder.events.clock import Standing, State, Times
from armybuilder.events.deciding import break_seal
from armybuilder.events.log import lock, write_line
from armybuilder.events.models import Decision, Event, EventPack, Staff
from armybuilder.events.seeing import Role, Rules
from armybuilder.events.selectors import find_event, shown_entries
from armybuilder.events.trying import Outcome, outcome_of, try_pack
from armybuilder.loading.library import Library
from armybuilder.loading.packs import Pack
from armybuilder.loading.problems import Refusal

#: Events that one account organises at a time, and helpers of one event.
MOST_EVENTS = 50
MOST_STAFF = 40


@dataclass(frozen=True, slots=True)
class About:
    """What an organiser says of an event. `capacity` is how many may enter; 0: any number.
    `ladder` is what penalties and bonuses come to, in points."""

    name: str
    about: str
    place: str
    zone: str
    times: Times
    rules: Rules
    capacity: int = 0
    late_allowed: bool = False
    ladder: Mapping[str, int] = field(default_factory=dict)


def create_event(holder: str, name: str, about: About, pack: Pack, now: datetime) -> Event:
    """Make an event in draft, with its owner, who is called `name`. Raises Refusal where the owner
    has as many as one may have.
    """
    with transaction.atomic():
        if Staff.objects.filter(holder=holder, role=Role.OWNER).count() >= MOST_EVENTS:
            said = _("You organise {number} events, the maximum.")
            raise Refusal(said.format(number=MOST_EVENTS))
        event = Event(system=pack.system)
        _put(event, about)
        event.save(force_insert=True)
        Staff.objects.create(event=event, holder=holder, role=Role.OWNER, name=name)
        write_line(event, now, Role.OWNER, "made")
        _use(event, pack, "", now, Role.OWNER)
        return event


def change_event(
    event_id: UUID, about: About, by: Staff, now: datetime, reason: str = ""
) -> list[Decision]:
    """Change what an event says; the log tells which of it. Return how the seals of lists that are
    in were broken by that: it takes a `reason`, which their players read.

    Raises Refusal where lists have been shown already and would not be now, or seals would be
    broken for no reason.
    """
    with transaction.atomic():
        event = lock(event_id)
        before, promised = _facts(event), _Promise(event.sealed, event.revealed_at)
        shown = event.state(now) in (State.REVEALED, State.OVER)
        _put(event, about)
        leave_books(event, now)
        if shown and event.revealed_at > now:
            raise Refusal(_("The lists are shown already: nobody can unsee them."))
        told = list(shown_entries(event)) if not shown and promised.is_broken_by(event) else []
        if told and not reason.strip():
            raise Refusal(
                _("Lists are in whose seal this would break: give the reason, which players read.")
            )
        event.save()
        after = _facts(event)
        changed = sorted(key for key, fact in after.items() if before[key] != fact)
        if changed:
            was = {key: [before[key], after[key]] for key in changed if key not in _WORDY}
            write_line(event, now, by.role, "changed", what=changed, values=was)
        return [break_seal(event, one, by, now, reason, not event.sealed) for one in told]


class _Promise(NamedTuple):
    """What players were told about their lists: whether, and until when, they are sealed."""

    sealed: bool
    until: datetime

    def is_broken_by(self, event: Event) -> bool:
        """Whether lists would be seen sooner than that."""
        return self.sealed and (not event.sealed or event.revealed_at < self.until)


#: What is said at length, and stays out of the log.
_WORDY = {"name", "about", "place"}
_TIMES = {"frozen": "frozen_at", "due": "due_at", "corrected": "corrected_at"} | {
    "revealed": "revealed_at", "over": "over_at",
}  # fmt: skip


def _put(event: Event, about: About) -> None:
    event.name, event.about, event.place = about.name, about.about, about.place
    event.zone, event.capacity = about.zone, about.capacity
    event.late_allowed, event.ladder = about.late_allowed, dict(about.ladder)
    for name, column in _TIMES.items():
        setattr(event, column, getattr(about.times, name))
    event.grace_seconds = int(about.times.grace.total_seconds())
    for rule in fields(about.rules):
        value = getattr(about.rules, rule.name)
        setattr(event, rule.name, getattr(value, "value", value))


def _facts(event: Event) -> Mapping[str, object]:
    columns = [
        *_WORDY,
        *_TIMES.values(),
        "zone",
        "grace_seconds",
        "capacity",
        "late_allowed",
        "ladder",
    ]
    columns += [one.name for one in fields(Rules)]
    values = {name: getattr(event, name) for name in columns}
    return {
        name: value.isoformat() if isinstance(value, datetime) else value
        for name, value in values.items()
    }


def set_standing(event_id: UUID, standing: Standing, role: Role, now: datetime) -> Event:
    """Publish an event, cancel it, or take it back into draft, which is refused once somebody has
    entered.
    """
    with transaction.atomic():
        event = lock(event_id)
        if standing is Standing.DRAFT and event.entry_count:
            raise Refusal(_("Somebody has entered already: cancel the event instead."))
        if event.standing != standing:
            event.standing = standing.value
            event.save(update_fields=["standing"])
            write_line(event, now, role, standing.value)
        return event


def use_pack(
    event_id: UUID, pack: Pack, reason: str, role: Role, now: datetime, library: Library
) -> list[Outcome]:
    """Let another pack, or revision of one, count from now on, also for the lists that count; those
    that it makes worse have to be looked at again. Return the outcome of each.

    Raises Refusal where it is for another game, rules are final and no reason is given, or lists
    are shown already.
    """
    # Judged before anything is locked; what comes in meanwhile is judged within.
    known = {one.submission.pk: one for one in try_pack(find_event(event_id), pack, library)}
    with transaction.atomic():
        event = lock(event_id)
        if pack.system != event.system:
            raise Refusal(_("This pack is for another game."))
        state = event.state(now)
        if state in (State.REVEALED, State.OVER):
            raise Refusal(_("The lists are shown already: their rules stay as they are."))
        if state is not State.DRAFT and now >= event.frozen_at and not reason.strip():
            raise Refusal(_("The rules were final: give the reason, which everybody can read."))
        kept = _use(event, pack, reason.strip()[:200], now, role)
        outcomes = [
            known.get(found.pk) or outcome_of(entry, found, pack, library)
            for entry in shown_entries(event)
            if (found := entry.submission) is not None
        ]
        others = [one for one in outcomes if one.falls or one.rises or one.worsens]
        changed = [(one.entry.number, one.legal) for one in others]
        for outcome in outcomes:
            judge_again(outcome, kept)
        if outcomes:
            write_line(event, now, role, "rejudged", lists=len(outcomes), changed=changed)
        return outcomes


def _use(event: Event, pack: Pack, reason: str, now: datetime, role: Role) -> EventPack:
    made = EventPack.objects.create(
        event=event, pack_id=pack.id, revision=pack.revision, data=pack.data, reason=reason
    )
    write_line(event, now, role, "pack", pack=pack.id, revision=pack.revision, reason=reason)
    return made


def invite(
    event_id: UUID, role: Role, name: str, conflicts: Sequence[str], by: Role, now: datetime
) -> Staff:
    """Make an invitation for a helper. Raises Refusal where there are too many, or the role is the
    owner's.
    """
    with transaction.atomic():
        event = lock(event_id)
        if role is Role.OWNER or not name.strip():
            raise Refusal(_("Give the helper a name and a role."))
        if event.staff.count() >= MOST_STAFF:
            raise Refusal(_("An event has at most {most} helpers.").format(most=MOST_STAFF))
        named = " ".join(name.split())[:80]
        made = Staff.objects.create(
            event=event, role=role.value, name=named, conflicts=list(conflicts)
        )
        write_line(event, now, by, "invited", role=role.value)
        return made


def join(event_id: UUID, secret: str, holder: str, now: datetime) -> Staff:
    """Let a holder take an invitation. Raises Refusal where it is taken, withdrawn or unknown, or
    the holder helps already.
    """
    with transaction.atomic():
        event = lock(event_id)
        found = event.staff.filter(secret=secret).first()
        if found is None or (found.holder and found.holder != holder):
            raise Refusal(_("This invitation is not valid any more."))
        if event.staff.filter(holder=holder).exclude(pk=found.pk).exists():
            raise Refusal(_("You help with this event already."))
        if not found.holder:
            found.holder = holder
            found.save(update_fields=["holder"])
            write_line(event, now, found.role, "joined")
        return found


def dismiss(event_id: UUID, staff_id: int, by: Role, now: datetime) -> None:
    """End somebody's help, or an invitation; the owner stays."""
    with transaction.atomic():
        event = lock(event_id)
        gone = event.staff.filter(pk=staff_id).exclude(role=Role.OWNER).first()
        if gone is not None:
            write_line(event, now, by, "dismissed", role=gone.role)
            gone.delete()
