"""Leagues: events in a row, each a round with lists, a deadline and a points limit of its own.

A player is the same in two rounds if they have the same name there.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID, uuid4

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from armybuilder.authoring.packs import basics_of, with_basics
from armybuilder.engine.names import look_key
from armybuilder.events.entering import add_player
from armybuilder.events.log import locked
from armybuilder.events.models import Entry, Event, Staff
from armybuilder.events.organising import EventDetails, create_event
from armybuilder.events.rounds import Place, standings_of
from armybuilder.events.rules import StaffRole, Standing
from armybuilder.events.selectors import players_of
from armybuilder.loading.packs import Pack
from armybuilder.loading.problems import Refusal
from armybuilder.packs.selectors import read_pack

MOST_ROUNDS = 30


@dataclass(frozen=True, slots=True)
class LeaguePlayer:
    """Row of a league's table: a player's sums, and the place in each round (None: not played)."""

    name: str
    points: int
    wins: int
    draws: int
    losses: int
    rounds: tuple[Place | None, ...]
    place: int = 0


def rounds_of_league(event: Event) -> QuerySet[Event]:
    """Return the events of a league in their order; of an event without a league itself."""
    same = Event.objects.filter(pk=event.pk) | Event.objects.filter(
        league__isnull=False, league=event.league
    )
    return same.order_by("due_at", "created")


def pack_of_points(pack: Pack, points: int) -> Pack:
    """Return the pack with another points limit, the same for all lists of a player."""
    basics = basics_of(pack.data)
    lists = 1 if basics.in_order else basics.lists
    changed = replace(basics, sizes=(points,), in_order=False, lists=lists)
    return read_pack(with_basics(pack.data, changed, {}))


def add_round(
    before: Event, holder: str, name: str, about: EventDetails, pack: Pack, now: datetime
) -> Event:
    """Make the next round of the league of an event, as a draft.

    Raises Refusal as `create_event` does, and for one round too many.
    """
    with locked(before.pk) as last:
        if last.league is None:
            last.change(league=uuid4())
        if rounds_of_league(last).count() >= MOST_ROUNDS:
            raise Refusal(_("A league has at most {most} rounds.").format(most=MOST_ROUNDS))
        event = create_event(holder, name, about, pack, now)
        event.change(league=last.league)
        return event


def round_before(event: Event, holder: str) -> Event | None:
    """Return the last round before this one, of those that an organiser runs; else None.

    Addresses of players are for the organisers of their round alone.
    """
    earlier = rounds_of_league(event).exclude(pk=event.pk).filter(due_at__lte=event.due_at)
    organising = (StaffRole.OWNER, StaffRole.ORGANISER)
    mine = earlier.filter(staff__holder=holder, staff__role__in=organising)
    return mine.exclude(standing=Standing.DRAFT.value).last()


def add_players_of_round_before(event_id: UUID, by: Staff, now: datetime) -> list[Entry]:
    """Register those who played the round before and are not registered yet; all or none.

    Where a team has another captain by now, its players come without the team: a captain reads
    their lists. Raises Refusal if players cannot be added now, or the event is full.
    """
    with locked(event_id) as event:
        before = round_before(event, by.holder)
        if before is None or not event.takes_entries(now):
            raise Refusal(_("Nobody can be added to this event now."))
        names = set(map(look_key, event.entries.values_list("name", flat=True)))
        holders = set(event.entries.exclude(holder="").values_list("holder", flat=True))
        captains, former = _captains(event), _captains(before)
        made = []
        for player in players_of(before).filter(forgotten=None).order_by("number"):
            if look_key(player.name) in names or player.holder in holders:
                continue
            key = look_key(player.team)
            is_led_anew = key in captains and captains[key] != former.get(key)
            about = {
                name: getattr(player, name) for name in ("holder", "email", "language", "role")
            }
            about["captain"] = player.captain and key not in captains
            team = "" if is_led_anew else player.team
            made.append(add_player(event, player.name, team, by.role, now, **about))
        return made


def _captains(event: Event) -> dict[str, str]:
    """Return the holders of the captains of an event, by the keys of their teams."""
    rows = players_of(event).filter(captain=True).values_list("team", "holder")
    return {look_key(team): holder for team, holder in rows}


def league_table(events: Sequence[Event]) -> list[LeaguePlayer]:
    """Return the players of all rounds, by their points, then wins; equal ones share a place."""
    places: dict[str, list[Place | None]] = {}
    for number, event in enumerate(events):
        for place in standings_of(event):
            # Who was forgotten has no name by which two rounds could be one player's.
            key = look_key(place.entry.name) or f"{event.pk} {place.entry.number}"
            places.setdefault(key, [None] * len(events))[number] = place
    rows = sorted(map(_sums, places.values()), key=_rank)
    ranks = list(map(_rank, rows))
    return [replace(row, place=1 + ranks.index(_rank(row))) for row in rows]


def _sums(places: Sequence[Place | None]) -> LeaguePlayer:
    played = [place for place in places if place is not None]
    points, wins, draws, losses = (
        sum(getattr(one.standing, key) for one in played) for key in _SUMMED
    )
    name = played[-1].entry.name
    return LeaguePlayer(name, points, wins, draws, losses, tuple(places))


_SUMMED = ("points", "wins", "draws", "losses")


def _rank(row: LeaguePlayer) -> tuple[int, int]:
    return -row.points, -row.wins
