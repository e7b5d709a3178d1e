"""Writes about entries: enter, bring others, withdraw, come back, more time; and captains.

Nobody becomes captain of players who were there before, unless the organisers say so.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Q
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from armybuilder.events.clock import EventState
from armybuilder.events.deciding import check_other
from armybuilder.events.judging import play_again
from armybuilder.events.log import locked, write_line
from armybuilder.events.models import Entry, Event, Staff
from armybuilder.events.selectors import captain_of, newest_pack, players_of, team_of
from armybuilder.events.visibility import StaffRole
from armybuilder.loading.library import Library
from armybuilder.loading.problems import Refusal
from armybuilder.packs.selectors import pack_of

#: Entries of one event: beyond this no page helps anybody.
MOST_ENTRIES = 5_000
#: Who acts, as the log says it.
PLAYER, CAPTAIN = "player", "captain"


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
    """Return the holder's new entry, or the one that they had withdrawn.

    Raises Refusal if the event takes none, is full, or the holder cannot enter so.
    """
    with _locked_open(event_id, now) as event:
        existing = event.entries.filter(holder=holder).order_by("number").first()
        if existing is not None:
            if existing.status != Entry.Status.WITHDRAWN:
                raise Refusal(_("You have entered already."))
            return _restore(event, existing, PLAYER, now, library)
        team = " ".join(team.split())[:80]
        if captain:
            _check_captain(event, team)
        about = {"holder": holder, "email": email.strip()[:254], "captain": captain}
        return _add(event, name, team, PLAYER, now, **about)


def enter_lists(event_id: UUID, number: int, now: datetime) -> None:
    """Make the further entries of a player that the event takes by now; raises as `enter` does."""
    with _locked_open(event_id, now) as event:
        _add_lists(event, event.entries.get(number=number), PLAYER, now)


def bring(event_id: UUID, captain: Entry, name: str, now: datetime) -> Entry:
    """Return a new entry for a player of the captain's team; raises as `enter` does."""
    with _locked_open(event_id, now) as event:
        return _add(event, name, captain.team, CAPTAIN, now)


@contextmanager
def _locked_open(event_id: UUID, now: datetime) -> Iterator[Event]:
    """Open a transaction with the event locked. Raises Refusal if it takes no entries now."""
    with locked(event_id) as event:
        if event.state(now) in (EventState.DRAFT, EventState.CANCELLED):
            raise Refusal(_("The event does not take entries."))
        if not event.takes_entries(now):
            raise Refusal(_("Entries are closed."))
        yield event


def _add(event: Event, name: str, team: str, actor: str, now: datetime, **about: Any) -> Entry:
    name = " ".join(name.split())[:80]
    if not name:
        raise Refusal(_("Give the name that opponents know you by."))
    _check_room(event)
    language = get_language() or "en"
    entry = _create(event, actor, now, name=name, team=team, language=language, **about)
    _add_lists(event, entry, actor, now)
    return entry


def _create(event: Event, actor: str, now: datetime, **fields: Any) -> Entry:
    if event.entry_count >= MOST_ENTRIES:
        sentence = _("An event has at most {most} entries.")
        raise Refusal(sentence.format(most=MOST_ENTRIES))
    event.entry_count += 1
    entry = Entry.objects.create(event=event, number=event.entry_count, **fields)
    event.save(update_fields=["entry_count"])
    write_line(event, now, actor, "entered", entry.number)
    return entry


def _add_lists(event: Event, main: Entry, actor: str, now: datetime) -> None:
    wanted, existing = pack_of(newest_pack(event)).lists, main.further.count() + 1
    same = {key: getattr(main, key) for key in ("holder", "email", "team", "language")}
    for part in range(existing + 1, wanted + 1):
        _create(event, actor, now, main=main, part=part, name=f"{main.name[:75]} ({part})", **same)


def take_back(event_id: UUID, number: int, actor: str, now: datetime, library: Library) -> Entry:
    """Let a withdrawn player in again with all lists. Raises Refusal if it is over, or full."""
    gone = Entry.Status.WITHDRAWN
    with locked(event_id) as event:
        entry = event.entries.select_related("main").get(number=number)
        if event.state(now) is EventState.OVER:
            raise Refusal(_("The event is over."))
        if entry.main is not None and entry.main.status == gone:
            entry = entry.main
        return _restore(event, entry, actor, now, library) if entry.status == gone else entry


def _restore(event: Event, entry: Entry, actor: str, now: datetime, library: Library) -> Entry:
    if entry.main_id is None:
        _check_room(event)
    for each in (entry, *entry.further.filter(status=Entry.Status.WITHDRAWN)):
        play_again(event, each, actor, now, library)
    return entry


def _check_room(event: Event) -> None:
    if event.capacity and players_of(event).count() >= event.capacity:
        raise Refusal(_("The event is full."))


def withdraw(event_id: UUID, number: int, actor: str, now: datetime) -> Entry:
    """Take an entry out of the event, a player's first with all others; nobody sees them."""
    with locked(event_id) as event:
        entry = event.entries.get(number=number)
        if event.state(now) is EventState.OVER:
            raise Refusal(_("The event is over."))
        was_captain = entry.captain
        for each in (entry, *entry.further.all()):
            if each.status != Entry.Status.WITHDRAWN:
                each.status, each.captain = Entry.Status.WITHDRAWN, False
                each.save(update_fields=["status", "captain"])
                write_line(event, now, actor, "withdrawn", each.number)
        if was_captain and actor == PLAYER:
            next_captain(event, number, entry.team, now)
        return entry


def extend(
    event_id: UUID, number: int, until: datetime, reason: str, role: StaffRole, now: datetime
) -> Entry:
    """Give one entry more time before lists are shown, for a reason that the log says."""
    with locked(event_id) as event:
        if not reason.strip():
            raise Refusal(_("Give the reason: it is in the log."))
        if until >= event.revealed_at or now >= event.revealed_at:
            raise Refusal(_("Nobody can get more time than until the lists are shown."))
        entry = event.entries.get(number=number)
        entry.extended_to = until
        entry.save(update_fields=["extended_to"])
        data = {"until": until.isoformat(), "reason": reason.strip()[:200]}
        write_line(event, now, role, "extended", number, **data)
        return entry


def come_back(event: Event, secret: str, holder: str) -> Entry | None:
    """Let the browser that knows an entry's secret address hold it, unless it has another."""
    with transaction.atomic():
        entry = event.entries.select_for_update().filter(secret=secret, forgotten=None).first()
        if entry is None or not secret:
            return None
        player = Q(pk=entry.main_id or entry.pk) | Q(main=entry.main_id or entry.pk)
        if event.entries.filter(holder=holder).exclude(player).exists():
            return None
        event.entries.filter(player).update(holder=holder)
        return entry


def _check_captain(event: Event, team: str) -> None:
    """Raise Refusal if the team has a captain, or others have entered for it, also if withdrawn."""
    if not team:
        raise Refusal(_("Give the name of the team that you are the captain of."))
    if captain_of(event, team) is not None:
        raise Refusal(_("This team has a captain already."))
    teams = event.entries.exclude(team="").values_list("team", flat=True)
    if team.casefold() in map(str.casefold, teams):
        raise Refusal(
            _(
                "Others have entered for this team before you. Enter as one of its players; the "
                "organisers can then name you its captain."
            )
        )


def name_captain(event_id: UUID, number: int, by: Staff, now: datetime) -> Entry:
    """Let an organiser name the captain of a team, replacing the one that it had."""
    with locked(event_id) as event:
        entry = event.entries.get(number=number)
        check_other(entry, by)
        if not entry.team or entry.main_id or entry.status == Entry.Status.WITHDRAWN:
            raise Refusal(_("Only who plays in a team can be its captain."))
        former = captain_of(event, entry.team)
        if former is not None:
            Entry.objects.filter(pk=former.pk).update(captain=False)
        return _set_captain(event, entry, by.role, now)


def next_captain(event: Event, former: int, team: str, now: datetime) -> None:
    """Name the captain after entry `former`: the first whom they brought in and who has come."""
    named = event.log.filter(act="captain", entry=former).order_by("sequence").last()
    brought = event.log.filter(act="entered", actor=CAPTAIN)
    if named is not None:
        brought = brought.filter(sequence__gt=named.sequence)
    numbers = set(brought.values_list("entry", flat=True))
    for entry in team_of(event, team):
        if entry.holder and entry.main_id is None and entry.number in numbers:
            _set_captain(event, entry, CAPTAIN, now)
            return


def _set_captain(event: Event, entry: Entry, actor: str, now: datetime) -> Entry:
    entry.captain = True
    entry.save(update_fields=["captain"])
    write_line(event, now, actor, "captain", entry.number)
    return entry
