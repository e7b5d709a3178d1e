"""Writes of organisers: an event with its times and rules, its pack and staff."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext as _

from armybuilder.events.deciding import break_seal, check_promise, widen
from armybuilder.events.entering import move_up
from armybuilder.events.judging import PackOutcome, judge_again, leave_books, outcome_of, try_pack
from armybuilder.events.lending import key_of_game, lend_game, take_room
from armybuilder.events.log import locked, write_line
from armybuilder.events.models import Event, EventPack, Staff
from armybuilder.events.rules import EventState, EventTimes, Rules, StaffRole, Standing
from armybuilder.events.selectors import find_event, helper_to, sees_all, shown_entries
from armybuilder.loading.jsontext import canonical_json
from armybuilder.loading.library import Library
from armybuilder.loading.packs import Pack
from armybuilder.loading.problems import Refusal

#: Events that one account organises at a time; helpers of one event.
MOST_EVENTS, MOST_STAFF = 50, 40


@dataclass(frozen=True, slots=True)
class EventDetails:
    """Details of an event; `capacity` 0: unlimited; `ladder`: points by reason.

    Play begins at `starts_at`; a `listed` event is in the public list.
    """

    name: str
    about: str
    place: str
    zone: str
    times: EventTimes
    rules: Rules
    capacity: int = 0
    late_allowed: bool = False
    ladder: Mapping[str, int] = field(default_factory=dict)
    starts_at: datetime | None = None
    listed: bool = False


def create_event(holder: str, name: str, about: EventDetails, pack: Pack, now: datetime) -> Event:
    """Make an event in draft, with its owner, called `name`. Raises Refusal for too many."""
    with transaction.atomic():
        if Staff.objects.filter(holder=holder, role=StaffRole.OWNER).count() >= MOST_EVENTS:
            sentence = _("You organise {number} events, the maximum. Delete one first.")
            raise Refusal(sentence.format(number=MOST_EVENTS))
        event = Event(system=pack.system, game_id=key_of_game(holder, pack))
        _put(event, about)
        event.save(force_insert=True)
        Staff.objects.create(event=event, holder=holder, role=StaffRole.OWNER, name=name)
        write_line(event, now, StaffRole.OWNER, "made")
        _use(event, pack, "", now, StaffRole.OWNER)
        return event


def change_event(
    event_id: UUID, about: EventDetails, by: Staff, now: datetime, reason: str = ""
) -> None:
    """Change the details of an event; the log names them.

    To publish submitted lists sooner or to more people than promised, it takes a `reason` that
    their players read, and a member of the staff who does not play.
    """
    with locked(event_id) as event:
        before, was, was_revealed = _facts(event), event.rules, event.revealed_at
        shown = event.state(now) in (EventState.REVEALED, EventState.OVER)
        _put(event, about)
        leave_books(event, now)
        if shown and event.revealed_at > now:
            raise Refusal(_("Lists are published and can’t be hidden again."))
        sooner = not shown and event.revealed_at < was_revealed
        entries = list(shown_entries(event)) if sooner or event.rules.shows_more_than(was) else []
        if entries:
            check_promise(event, by, reason, was)
        event.save()
        move_up(event, now)
        after = _facts(event)
        changed = sorted(key for key, fact in after.items() if before[key] != fact)
        if changed:
            values = {key: [before[key], after[key]] for key in changed if key not in _WORDY}
            write_line(event, now, by.role, "changed", what=changed, values=values)
        breaks = was.sealed and not shown and (sooner or not event.sealed)
        for entry in entries:
            if breaks:
                break_seal(event, entry, by, now, reason, opened=not event.sealed)
            else:
                widen(event, entry, by, now, reason)


#: Long texts that stay out of the log.
_WORDY = ("name", "about", "place")
_PLAIN = ("zone", "capacity", "late_allowed", "ladder", "listed")
_TIMES = ("frozen", "due", "corrected", "revealed", "over")
_RULES = tuple(rule.name for rule in fields(Rules))


def _put(event: Event, about: EventDetails) -> None:
    for name in (*_WORDY, *_PLAIN):
        setattr(event, name, getattr(about, name))
    event.ladder, event.starts_at = dict(about.ladder), about.starts_at
    for name in _TIMES:
        setattr(event, f"{name}_at", getattr(about.times, name))
    event.grace_seconds = int(about.times.grace.total_seconds())
    for name in _RULES:
        value = getattr(about.rules, name)
        setattr(event, name, getattr(value, "value", value))


def _facts(event: Event) -> Mapping[str, object]:
    times = {f"{name}_at": getattr(event, f"{name}_at").isoformat() for name in _TIMES}
    times["starts_at"] = event.starts_at.isoformat() if event.starts_at else ""
    names = (*_WORDY, *_PLAIN, "grace_seconds", *_RULES)
    return times | {name: getattr(event, name) for name in names}


def set_standing(event_id: UUID, standing: Standing, role: StaffRole, now: datetime) -> Event:
    """Publish an event, cancel it, or return it to draft unless somebody has registered."""
    with locked(event_id) as event:
        if standing is Standing.DRAFT and event.entry_count:
            raise Refusal(_("Players have already registered. Cancel the event instead."))
        if event.standing != standing:
            event.change(standing=standing.value)
            write_line(event, now, role, standing.value)
        return event


def use_pack(
    event_id: UUID, pack: Pack, reason: str, by: Staff, now: datetime, library: Library
) -> list[PackOutcome]:
    """Put another pack into effect; return its verdict on each list: worse ones open again.

    The outcome reveals the contents of lists: if `by` may not see some of them, it requires the
    same as showing them to more people (`check_promise`).
    """
    # Checked before the lock; lists that arrive meanwhile are checked within it.
    tried = try_pack(find_event(event_id), pack, library)
    known = {outcome.submission.pk: outcome for outcome in tried}
    with locked(event_id) as event:
        if pack.system != event.system:
            raise Refusal(_("This pack is for another game."))
        state = event.state(now)
        if state in (EventState.REVEALED, EventState.OVER):
            raise Refusal(_("Lists are published, so the event pack can’t change."))
        if state is not EventState.DRAFT and now >= event.frozen_at and not reason.strip():
            raise Refusal(_("The rules are locked. Give a reason; everybody can read it."))
        if blind := not sees_all(event, helper_to(event, by), now):
            sentence = _(
                "Some submitted lists are hidden from you, and a new pack would reveal "
                "something about them. Give a reason; players will see it."
            )
            check_promise(event, by, reason, event.rules, sentence)
        kept = _use(event, pack, reason.strip()[:200], now, by.role)
        outcomes = [
            known.get(submission.pk) or outcome_of(entry, submission, pack, library)
            for entry in shown_entries(event)
            if (submission := entry.submission) is not None
        ]
        changed = []
        for outcome in outcomes:
            judge_again(outcome, kept)
            if outcome.differs:
                changed.append((outcome.entry.number, outcome.legal))
        if outcomes:
            # Mail all players if a mail to some would reveal which lists have changed.
            everybody: dict[str, Any] = {"all": True} if blind else {}
            lists = len(outcomes)
            write_line(event, now, by.role, "rejudged", lists=lists, changed=changed, **everybody)
        return outcomes


def _use(event: Event, pack: Pack, reason: str, now: datetime, role: str) -> EventPack:
    take_room(event, len(canonical_json(pack.data)))
    kept = EventPack.objects.create(
        event=event, pack_id=pack.id, revision=pack.revision, data=pack.data, reason=reason
    )
    write_line(event, now, role, "pack", pack=pack.id, revision=pack.revision, reason=reason)
    return kept


def invite(
    event_id: UUID,
    role: StaffRole,
    name: str,
    conflicts: Sequence[str],
    by: StaffRole,
    now: datetime,
) -> Staff:
    """Make an invitation for a helper. Raises Refusal for one too many, or the owner's role."""
    with locked(event_id) as event:
        name = " ".join(name.split())[:80]
        if role is StaffRole.OWNER or not name:
            raise Refusal(_("Give the helper a name and a role."))
        if event.staff.count() >= MOST_STAFF:
            raise Refusal(_("An event has at most {most} helpers.").format(most=MOST_STAFF))
        staff = Staff.objects.create(
            event=event, role=role.value, name=name, conflicts=list(conflicts)
        )
        write_line(event, now, by, "invited", role=role.value)
        return staff


def join(event_id: UUID, secret: str, holder: str, now: datetime) -> Staff:
    """Let a holder take an invitation. Raises Refusal if it is gone, or they help already."""
    with locked(event_id) as event:
        invited = event.staff.filter(secret=secret).first()
        if invited is None or (invited.holder and invited.holder != holder):
            raise Refusal(_("This invitation is no longer valid."))
        if event.staff.filter(holder=holder).exclude(pk=invited.pk).exists():
            raise Refusal(_("You already help with this event."))
        if not invited.holder:
            invited.change(holder=holder)
            lend_game(event, holder)
            write_line(event, now, invited.role, "joined")
        return invited


def dismiss(event_id: UUID, staff_id: int, by: StaffRole, now: datetime) -> None:
    """End a person's help, or an invitation; the owner stays."""
    with locked(event_id) as event:
        gone = event.staff.filter(pk=staff_id).exclude(role=StaffRole.OWNER).first()
        if gone is not None:
            write_line(event, now, by, "dismissed", role=gone.role)
            gone.delete()
