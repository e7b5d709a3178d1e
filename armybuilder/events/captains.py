"""Captains of teams. They see all lists of theirs, and anybody can write the name of a team: so
nobody becomes captain of players who were there before, unless the organisers say so.
"""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext as _

from armybuilder.events.deciding import check_other
from armybuilder.events.log import lock, write_line
from armybuilder.events.models import Entry, Event, Staff
from armybuilder.events.selectors import captain_of, team_of
from armybuilder.loading.problems import Refusal

#: Who acts for a team, as the log says it.
CAPTAIN = "captain"


def check_captain(event: Event, team: str) -> None:
    """Raise Refusal where somebody who enters cannot be captain of this team: it has one, or others
    have entered for it, also if they have withdrawn.
    """
    if not team:
        raise Refusal(_("Give the name of the team that you are the captain of."))
    if captain_of(event, team) is not None:
        raise Refusal(_("This team has a captain already."))
    teams = event.entries.exclude(team="").values_list("team", flat=True)
    if any(one.casefold() == team.casefold() for one in teams):
        said = _(
            "Others have entered for this team before you. Enter as one of its players; the "
            "organisers can then name you its captain."
        )
        raise Refusal(said)


def name_captain(event_id: UUID, number: int, by: Staff, now: datetime) -> Entry:
    """Let an organiser name the captain of a team, in the place of the one whom it had. Raises
    Refusal for an entry that is in no team, is withdrawn, or is the organiser's own.
    """
    with transaction.atomic():
        event = lock(event_id)
        entry = event.entries.get(number=number)
        check_other(entry, by)
        if not entry.team or entry.main_id or entry.status == Entry.Status.WITHDRAWN:
            raise Refusal(_("Only who plays in a team can be its captain."))
        former = captain_of(event, entry.team)
        if former is not None:
            Entry.objects.filter(pk=former.pk).update(captain=False)
        return _name(event, entry, by.role, now)


def next_captain(event: Event, former: int, team: str, now: datetime) -> None:
    """Let the first player whom a captain has brought into the team, and who has come themselves,
    be captain after the one who leaves, entry `former`; where there is none, the organisers name
    one. The event is locked.
    """
    named = event.log.filter(act="captain", entry=former).order_by("sequence").last()
    brought = event.log.filter(act="entered", actor=CAPTAIN)
    if named is not None:
        brought = brought.filter(sequence__gt=named.sequence)
    numbers = set(brought.values_list("entry", flat=True))
    players = (one for one in team_of(event, team) if one.holder and one.main_id is None)
    heir = next((one for one in players if one.number in numbers), None)
    if heir is not None:
        _name(event, heir, CAPTAIN, now)


def _name(event: Event, entry: Entry, actor: str, now: datetime) -> Entry:
    entry.captain = True
    entry.save(update_fields=["captain"])
    write_line(event, now, actor, "captain", entry.number)
    return entry
