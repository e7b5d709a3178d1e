"""Writes about entries: enter, withdraw, come back, more time, and being forgotten."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Q
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from armybuilder.events.again import play_again
from armybuilder.events.captains import CAPTAIN, check_captain, next_captain
from armybuilder.events.clock import State
from armybuilder.events.leaving import forget_helper, hand_over
from armybuilder.events.log import lock, write_line
from armybuilder.events.models import Decision, Entry, Event, Staff, SubmissionBook
from armybuilder.events.seeing import Role
from armybuilder.events.selectors import newest_pack, players_of
from armybuilder.loading.library import Library
from armybuilder.loading.problems import Refusal
from armybuilder.packs.reading import pack_of

#: Entries of one event: beyond this no page helps anybody.
MOST_ENTRIES = 5_000
#: How long the emails of players stay after an event.
ADDRESSES_KEPT = timedelta(days=30)
PLAYER = "player"


def enter(
    event_id: UUID,
    holder: str,
    name: str,
    email: str,
    team: str,
    now: datetime,
    library: Library,
    captain: bool = False,
) -> Entry:
    """Return the holder's new entry, or the one that they had withdrawn. Raises Refusal where the
    event takes none now, or is full, or the holder has entered already, or gives no name, or cannot
    be captain of that team.
    """
    with transaction.atomic():
        event = _open(event_id, now)
        mine = event.entries.filter(holder=holder).order_by("number").first()
        if mine is not None:
            return _back_in(event, mine, now, library)
        team = " ".join(team.split())[:80]
        if captain:
            check_captain(event, team)
        made = _add(event, name, team, PLAYER, now)
        made.holder, made.email, made.captain = holder, email.strip()[:254], captain
        made.save(update_fields=["holder", "email", "captain"])
        _add_lists(event, made, PLAYER, now)
        return made


def enter_lists(event_id: UUID, number: int, now: datetime) -> None:
    """Make the further entries of a player that the event takes by now. Raises Refusal as `enter`
    does.
    """
    with transaction.atomic():
        event = _open(event_id, now)
        _add_lists(event, event.entries.get(number=number), PLAYER, now)


def bring(event_id: UUID, captain: Entry, name: str, now: datetime) -> Entry:
    """Return a new entry that a captain makes for a player of the team, who can come to it by its
    address. Raises Refusal as `enter` does.
    """
    with transaction.atomic():
        event = _open(event_id, now)
        made = _add(event, name, captain.team, CAPTAIN, now)
        _add_lists(event, made, CAPTAIN, now)
        return made


def _open(event_id: UUID, now: datetime) -> Event:
    """Return the event, locked. Raises Refusal where it takes no entries now."""
    event = lock(event_id)
    state = event.state(now)
    if state is State.DRAFT or state is State.CANCELLED:
        raise Refusal(_("The event does not take entries."))
    if not event.takes_entries(now):
        raise Refusal(_("Entries are closed."))
    return event


def _add(event: Event, name: str, team: str, actor: str, now: datetime) -> Entry:
    named = " ".join(name.split())[:80]
    if not named:
        raise Refusal(_("Give the name that opponents know you by."))
    _check_room(event)
    return _create(event, actor, now, name=named, team=team, language=get_language() or "en")


def _create(event: Event, actor: str, now: datetime, **fields: Any) -> Entry:
    _check_number(event)
    event.entry_count += 1
    made = Entry.objects.create(event=event, number=event.entry_count, **fields)
    event.save(update_fields=["entry_count"])
    write_line(event, now, actor, "entered", made.number)
    return made


def _add_lists(event: Event, main: Entry, actor: str, now: datetime) -> None:
    """Make an entry for each further list that a player hands in."""
    wanted, there = pack_of(newest_pack(event)).lists, main.further.count() + 1
    same = {key: getattr(main, key) for key in ("holder", "email", "team", "language")}
    for part in range(there + 1, wanted + 1):
        _create(event, actor, now, main=main, part=part, name=f"{main.name[:75]} ({part})", **same)


def _back_in(event: Event, entry: Entry, now: datetime, library: Library) -> Entry:
    """Let somebody who had withdrawn enter again, as the same number."""
    if entry.status != Entry.Status.WITHDRAWN:
        raise Refusal(_("You have entered already."))
    return _restore(event, entry, PLAYER, now, library)


def take_back(event_id: UUID, number: int, actor: str, now: datetime, library: Library) -> Entry:
    """Let an entry that was withdrawn play again, with those of its player's other lists. Raises
    Refusal where the event is over, or full.
    """
    with transaction.atomic():
        event, gone = lock(event_id), Entry.Status.WITHDRAWN
        entry = event.entries.select_related("main").get(number=number)
        if event.state(now) is State.OVER:
            raise Refusal(_("The event is over."))
        if entry.main is not None and entry.main.status == gone:
            entry = entry.main
        return _restore(event, entry, actor, now, library) if entry.status == gone else entry


def _restore(event: Event, entry: Entry, actor: str, now: datetime, library: Library) -> Entry:
    if entry.main_id is None:
        _check_room(event)
    for one in (entry, *entry.further.filter(status=Entry.Status.WITHDRAWN)):
        play_again(event, one, actor, now, library)
    return entry


def _check_room(event: Event) -> None:
    if event.capacity and players_of(event).count() >= event.capacity:
        raise Refusal(_("The event is full."))


def _check_number(event: Event) -> None:
    if event.entry_count >= MOST_ENTRIES:
        said = _("An event has at most {most} entries.")
        raise Refusal(said.format(most=MOST_ENTRIES))


def withdraw(event_id: UUID, number: int, actor: str, now: datetime) -> Entry:
    """Take an entry out of the event, with those of its player's further lists where it is that of
    the first; its lists are shown to nobody from then on.
    """
    with transaction.atomic():
        event = lock(event_id)
        entry = event.entries.get(number=number)
        if event.state(now) is State.OVER:
            raise Refusal(_("The event is over."))
        was_captain = entry.captain
        for one in (entry, *entry.further.all()):
            if one.status != Entry.Status.WITHDRAWN:
                one.status, one.captain = Entry.Status.WITHDRAWN, False
                one.save(update_fields=["status", "captain"])
                write_line(event, now, actor, "withdrawn", one.number)
        if was_captain and actor == PLAYER:
            next_captain(event, number, entry.team, now)
        return entry


def extend(
    event_id: UUID, number: int, until: datetime, reason: str, role: Role, now: datetime
) -> Entry:
    """Give one entry more time; the reason is in the log. Raises Refusal where lists are shown by
    then, or there is no reason.
    """
    with transaction.atomic():
        event = lock(event_id)
        if not reason.strip():
            raise Refusal(_("Give the reason: it is in the log."))
        if until >= event.revealed_at or now >= event.revealed_at:
            raise Refusal(_("Nobody can get more time than until the lists are shown."))
        entry = event.entries.get(number=number)
        entry.extended_to = until
        entry.save(update_fields=["extended_to"])
        told = {"until": until.isoformat(), "reason": reason.strip()[:200]}
        write_line(event, now, role, "extended", number, **told)
        return entry


def come_back(event: Event, secret: str, holder: str) -> Entry | None:
    """Let the browser that knows the secret address of an entry hold it; None where nobody has it,
    or the browser has another entry of this event.
    """
    with transaction.atomic():
        entry = event.entries.select_for_update().filter(secret=secret, forgotten=None).first()
        if entry is None or not secret:
            return None
        player = Q(pk=entry.main_id or entry.pk) | Q(main=entry.main_id or entry.pk)
        if event.entries.filter(holder=holder).exclude(player).exists():
            return None
        event.entries.filter(player).update(holder=holder)
        return entry


def forget_holder(holder: str, now: datetime) -> None:
    """Let nothing of somebody stay but numbers and verdicts: names, addresses, lists and what was
    written to them go. Events that they own go to the first organiser, or stay for their players
    alone (`leaving.Fate`).
    """
    with transaction.atomic():
        for staff in Staff.objects.filter(holder=holder):
            forget_helper(staff)
            if staff.role == Role.OWNER:
                hand_over(staff, now)
        Staff.objects.filter(holder=holder).delete()
        for entry in Entry.objects.filter(holder=holder):
            _forget(entry, now)


def forget_addresses(now: datetime) -> None:
    """Let the emails of players go some time after their events."""
    Entry.objects.filter(event__over_at__lt=now - ADDRESSES_KEPT).exclude(email="").update(email="")


def _forget(entry: Entry, now: datetime) -> None:
    event = lock(entry.event_id)
    was_captain, team = entry.captain, entry.team
    mine = entry.submissions.all()
    SubmissionBook.objects.filter(submission__in=mine).delete()
    Decision.objects.filter(submission__in=mine).update(to_player="", for_staff="")
    for submission in mine:
        submission.document = None
        for report in (submission.game_report, submission.event_report):
            report["findings"], report["unchecked"] = [], []
        submission.salt = submission.list_hash = submission.paper_hash = ""
        fields = ["document", "game_report", "event_report", "salt", "list_hash", "paper_hash"]
        submission.save(update_fields=fields)
    entry.holder = entry.name = entry.email = entry.team = ""
    entry.forgotten, entry.captain = now, False
    entry.save(update_fields=["holder", "name", "email", "team", "forgotten", "captain"])
    write_line(event, now, PLAYER, "forgotten", entry.number)
    if was_captain:
        next_captain(event, entry.number, team, now)
