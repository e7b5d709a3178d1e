"""Rounds of an event: planned, drawn or written down, shown, with their results and standings."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import zip_longest
from random import Random, SystemRandom
from typing import NamedTuple
from uuid import UUID

from django.db.models import Q, QuerySet
from django.db.models.functions import Coalesce
from django.utils.translation import gettext as _

from armybuilder.engine.names import look_key
from armybuilder.events.log import locked, write_line
from armybuilder.events.models import (
    Entry,
    Event,
    LedgerLine,
    Pairing,
    Report,
    Round,
    TournamentFormat,
)
from armybuilder.events.rules import EventState
from armybuilder.loading.problems import Refusal
from armybuilder.tables import or_404
from armybuilder.tournament.pairing import MOST_DRAWN, Contender, draw_round, shuffled
from armybuilder.tournament.standings import (
    Game,
    Scoring,
    ScoringKind,
    Standing,
    TieBreak,
    standings,
)

MOST_ROUNDS, MOST_SCORE = 30, 99_999
_LINE = re.compile(r"(\d{1,5})(?:\s*(?:[-–:,;]|vs\.?|\s)\s*(?:(\d{1,5})|bye))?", re.ASCII | re.I)

#: Numbers of the entries at a table; None is a bye.
Seats = tuple[int, int | None]


def format_of(event: Event) -> TournamentFormat:
    """Return the format of an event's games, or the usual one."""
    return TournamentFormat.objects.filter(event=event).first() or TournamentFormat(event=event)


def scoring_of(chosen: TournamentFormat) -> Scoring:
    values = (chosen.win, chosen.draw, chosen.loss, chosen.bye, chosen.total)
    return Scoring(ScoringKind(chosen.scoring), *values)


def set_format(event_id: UUID, chosen: TournamentFormat, role: str, now: datetime) -> None:
    """Store the format of an event's games; it counts for all rounds."""
    with locked(event_id) as event:
        chosen.event = event
        chosen.save()
        write_line(event, now, role, "format")


def plan_round(
    event_id: UUID,
    number: int,
    starts_at: datetime | None,
    scenario: str,
    role: str,
    now: datetime,
) -> None:
    """Store when a round begins and its scenario; with neither it is planned no more."""
    with locked(event_id) as event:
        _check_number(number)
        plan = {"starts_at": starts_at, "scenario": " ".join(scenario.split())[:120]}
        if any(plan.values()):
            Round.objects.update_or_create(event=event, number=number, defaults=plan)
        else:
            event.rounds.filter(number=number).delete()
        write_line(event, now, role, "planned", round=number)


# Who plays whom.


def draw(
    event_id: UUID,
    role: str,
    now: datetime,
    *,
    by_chance: bool = False,
    present_only: bool = False,
    chance: Random | None = None,
) -> int:
    """Draw the next round, which stays hidden until it is shown; return its number.

    One that is drawn and not shown yet is drawn again. Raises Refusal if results are missing.
    """
    chance = chance or SystemRandom()
    with locked(event_id) as event:
        _check_playing(event, now)
        number = _next_round(event)
        players = [row for row in standings_of(event, chance) if not row.gone]
        if present_only:
            players = [row for row in players if row.entry.checked_in]
        if len(players) < 2:
            raise Refusal(_("A round needs two players."))
        if len(players) > MOST_DRAWN:
            sentence = _("We draw rounds of up to {most} players. Enter this round by hand.")
            raise Refusal(sentence.format(most=MOST_DRAWN))
        chosen, before = format_of(event), list(_seats_before(event, number))
        field = _Field(players, before, chosen.by_teams)
        ranked = shuffled(field.contenders, chance) if by_chance else field.contenders
        try:
            drawn = draw_round(ranked, not chosen.by_teams and number <= chosen.clubs_apart)
        except ImportError as error:
            raise Refusal(
                _("No solver is installed on this site. Enter the pairings by hand.")
            ) from error
        _store(event, number, field.seats(drawn), shown=False)
        return number


def _next_round(event: Event) -> int:
    """Return the round to draw. Raises Refusal while the one before has games without a result."""
    last = event.pairings.order_by("-round").first()
    if last is None:
        return 1
    if not last.shown:
        return last.round
    open_tables = event.pairings.filter(round=last.round, first_score=None).exclude(second=None)
    if tables := list(open_tables.order_by("table").values_list("table", flat=True)[:10]):
        sentence = _("Round {round} has no result yet for table {tables}.")
        raise Refusal(sentence.format(round=last.round, tables=", ".join(map(str, tables))))
    _check_number(last.round + 1)
    return last.round + 1


def _seats_before(event: Event, number: int) -> Iterator[Seats]:
    pairings = event.pairings.exclude(round=number)
    yield from pairings.values_list("first__number", "second__number")


class _Field:
    """Those who are drawn: players, or teams whose players meet in the order of their numbers."""

    def __init__(self, players: Sequence["Place"], before: list[Seats], by_teams: bool) -> None:
        self.sides: dict[int, list[Place]] = {}
        keys: dict[str, int] = {}
        self.key_of: dict[int, int] = {}
        for row in players:
            own = look_key(row.entry.team) if by_teams and row.entry.team else ""
            key = keys.setdefault(own, row.entry.number) if own else row.entry.number
            self.sides.setdefault(key, []).append(row)
            self.key_of[row.entry.number] = key
        met: dict[int, set[int | None]] = {key: set() for key in self.sides}
        for first, second in before:
            one, other = self.key_of.get(first), self.key_of.get(second or 0)
            if one is not None and (second is None or other is not None):
                met[one].add(other)
                if other is not None:
                    met[other].add(one)
        contenders = [self._contender(key, met[key]) for key in self.sides]
        self.contenders = sorted(contenders, key=lambda one: -one.score)

    def _contender(self, key: int, met: set[int | None]) -> Contender:
        rows = self.sides[key]
        others = frozenset(one for one in met if one is not None)
        score, club = sum(row.standing.points for row in rows), look_key(rows[0].entry.team)
        # A player of a team without an opponent has had no bye for all of the team.
        return Contender(key, score, club, others, None in met and not (others and len(rows) > 1))

    def seats(self, drawn: Sequence[tuple[int, int | None]]) -> Iterator[Seats]:
        """Yield who sits at each table, byes last."""
        byes: list[int] = []
        for key, other in drawn:
            sides = [self._numbers(key), self._numbers(other) if other is not None else []]
            for one, second in zip_longest(*sides):
                if one is not None and second is not None:
                    yield one, second
                else:
                    byes.append(one or second)
        yield from ((number, None) for number in byes)

    def _numbers(self, key: int) -> list[int]:
        return sorted(row.entry.number for row in self.sides[key])


def read_pairings(text: str) -> Iterator[Seats]:
    """Yield the numbers of each line: "1 - 4", or "7" for a bye. Raises Refusal for others."""
    for line in filter(None, map(str.strip, text.splitlines())):
        match = _LINE.fullmatch(line)
        if match is None:
            sentence = _("“{line}”: write two player numbers, such as 1 - 4.")
            raise Refusal(sentence.format(line=line[:40]))
        yield int(match[1]), int(match[2]) if match[2] else None


def pairings_text(pairings: Iterable[Pairing]) -> str:
    """Return the lines that `read_pairings` reads."""
    rows = map(_seats_of, pairings)
    return "\n".join(f"{a}" if b is None else f"{a} - {b}" for a, b in rows)


def set_pairings(
    event_id: UUID, number: int, text: str, role: str, now: datetime, shown: bool = True
) -> None:
    """Replace the pairings of a round, tables in the order of lines; games with a result stay.

    Raises Refusal for unreadable lines, absent entries, and where a result would be lost.
    """
    pairs = list(read_pairings(text))
    with locked(event_id) as event:
        _check_number(number)
        _store(event, number, pairs, shown)
        if shown:
            _log_pairs(event, number, role, now)


def _store(event: Event, number: int, pairs: Iterable[Seats], shown: bool) -> None:
    """Replace the pairings of a round but for games with a result."""
    playing = event.entries.exclude(status=Entry.Status.WITHDRAWN).select_related("main")
    players = {entry.number: entry.main or entry for entry in playing}
    kept = {_seats_of(one): one for one in _games_with_results(event, number)}
    # Who has withdrawn since stays in a game that has a result.
    players |= {side.number: side for one in kept.values() for side in _sides(one)}
    seats = list(_as_players(pairs, players))
    if lost := [kept[pair].table for pair in kept if pair not in seats]:
        sentence = _("Table {table} has a result already: its players stay together.")
        raise Refusal(sentence.format(table=min(lost)))
    event.pairings.filter(round=number).exclude(pk__in=[one.pk for one in kept.values()]).delete()
    made = []
    for table, (first, second) in enumerate(seats, 1):
        if (there := kept.get((first, second))) is not None:
            there.change(table=table, shown=shown or there.shown)
            continue
        who = {"first": players[first], "second": None if second is None else players[second]}
        made.append(Pairing(event=event, round=number, table=table, shown=shown, **who))
    Pairing.objects.bulk_create(made)


def _games_with_results(event: Event, number: int) -> QuerySet[Pairing]:
    has_result = Q(first_score__isnull=False) | Q(reports__isnull=False)
    games = event.pairings.filter(has_result, round=number).distinct()
    return games.select_related("first", "second")


def _sides(pairing: Pairing) -> list[Entry]:
    return [pairing.first, *([pairing.second] if pairing.second else [])]


def _seats_of(pairing: Pairing) -> Seats:
    return pairing.first.number, pairing.second.number if pairing.second else None


def _as_players(pairs: Iterable[Seats], players: Mapping[int, Entry]) -> Iterator[Seats]:
    """Yield pairs by the numbers of first lists. Raises Refusal for absent or repeated players."""
    seen: set[int] = set()
    for pair in pairs:
        numbers = []
        for number in (one for one in pair if one is not None):
            if number not in players:
                raise Refusal(
                    _("Player {number} doesn’t exist or has withdrawn.").format(number=number)
                )
            if (player := players[number].number) in seen:
                raise Refusal(_("Player {number} appears twice.").format(number=number))
            seen.add(player)
            numbers.append(player)
        yield numbers[0], numbers[1] if len(numbers) > 1 else None


def _log_pairs(event: Event, number: int, role: str, now: datetime) -> None:
    rows = event.pairings.filter(round=number).order_by("table", "pk")
    pairs = rows.values_list("first__number", "second__number")
    seats = [[one for one in pair if one is not None] for pair in pairs]
    write_line(event, now, role, "paired", round=number, pairs=seats)


def show_round(event_id: UUID, number: int, role: str, now: datetime) -> None:
    """Show a round to players. Raises Refusal if one of them has withdrawn since it was drawn."""
    with locked(event_id) as event:
        _check_playing(event, now)
        hidden = event.pairings.filter(round=number, shown=False)
        withdrawn = Entry.Status.WITHDRAWN
        gone = hidden.filter(Q(first__status=withdrawn) | Q(second__status=withdrawn))
        if table := gone.order_by("table").values_list("table", flat=True).first():
            sentence = _("A player at table {table} has withdrawn. Draw the round again.")
            raise Refusal(sentence.format(table=table))
        if hidden.update(shown=True):
            _log_pairs(event, number, role, now)


def rounds_of(event: Event, shown_only: bool = False) -> list[int]:
    """Return the numbers of the rounds that are planned or paired."""
    pairings = event.pairings.filter(shown=True) if shown_only else event.pairings.all()
    numbers = set(pairings.values_list("round", flat=True).distinct())
    return sorted(numbers | set(event.rounds.values_list("number", flat=True)))


# Results.


class Score(NamedTuple):
    """The two numbers of a result, of the first player and of the second."""

    first: int
    second: int


def read_score(first: str, second: str, scoring: Scoring) -> Score:
    """Return the two numbers of a form. Raises Refusal if they cannot be a result."""
    texts = first.strip(), second.strip()
    if not all(text.isascii() and text.isdigit() and len(text) <= 5 for text in texts):
        raise Refusal(_("Write two whole numbers, such as 13 and 7."))
    score = Score(*map(int, texts))
    if scoring.kind is ScoringKind.POINTS and scoring.total and sum(score) != scoring.total:
        sentence = _("{first} and {second} add up to {sum}. They must add up to {total}.")
        about = {"first": score.first, "second": score.second, "sum": sum(score)}
        raise Refusal(sentence.format(**about, total=scoring.total))
    return score


def settle(
    event_id: UUID,
    number: int,
    table: int,
    score: Score | None,
    role: str,
    now: datetime,
    own: Collection[int] = (),
) -> None:
    """Let the desk enter the result of a game, or take it away with None.

    Raises Refusal for a game of their `own` entries whose opponent has reported another result.
    """
    with locked(event_id) as event:
        _check_playing(event, now)
        game = find_game(event, number, table)
        if not {game.first_id, game.second_id}.isdisjoint(own):
            for other in game.reports.exclude(by__in=own):
                if score != (other.first_score, other.second_score):
                    raise Refusal(
                        _("Your opponent reported another result. Another organiser must decide.")
                    )
        _put_score(event, game, score, role, now)


def report(
    event_id: UUID, number: int, table: int, by: Entry, score: Score, now: datetime
) -> Pairing:
    """Store a player's report; the result is final once both report the same.

    Raises Refusal if there is a final result, and Http404 for a person who doesn't play this game.
    """
    with locked(event_id) as event:
        _check_playing(event, now)
        game = find_game(event, number, table)
        or_404(by if by.pk in (game.first_id, game.second_id) else None, "not at this table")
        if game.first_score is not None:
            raise Refusal(_("This game already has a result. Ask the desk to change it."))
        scores = {"first_score": score.first, "second_score": score.second}
        Report.objects.update_or_create(pairing=game, by=by, defaults={**scores, "at": now})
        others = game.reports.exclude(by=by)
        if others.filter(**scores).exists():
            _put_score(event, game, score, "player", now)
        return game


def _put_score(event: Event, game: Pairing, score: Score | None, role: str, now: datetime) -> None:
    if game.second_id is None:
        raise Refusal(_("A bye has no result."))
    first, second = score or (None, None)
    game.change(first_score=first, second_score=second)
    facts = {"round": game.round, "table": game.table, "first": first, "second": second}
    write_line(event, now, role, "result" if score else "no-result", **facts)


def find_game(event: Event, number: int, table: int) -> Pairing:
    """Return the game at a table. Raises Http404 if there is none."""
    games = event.pairings.filter(round=number, table=table).select_related("first", "second")
    return or_404(games.first(), "no such table")


def own_game(event: Event, entry: Entry) -> Pairing | None:
    """Return the game of a player in the newest round that is shown."""
    player = entry.main_id or entry.pk
    mine = event.pairings.filter(Q(first=player) | Q(second=player), shown=True)
    sides = mine.select_related("first__submission", "second__submission")
    documents = ("first__submission__document", "second__submission__document")
    return sides.defer(*documents).order_by("-round").first()


# Standings.


@dataclass(frozen=True, slots=True)
class Place:
    """Player in the standings; `gone`: withdrawn, with games that count for the others."""

    entry: Entry
    standing: Standing

    @property
    def gone(self) -> bool:
        return self.entry.status == Entry.Status.WITHDRAWN


def standings_of(event: Event, chance: Random | None = None) -> list[Place]:
    """Return the standings, without those who withdrew before a game.

    Ties that no tie-break settles go by number, or by `chance`.
    """
    entries = {
        entry.pk: entry
        for entry in event.entries.filter(main=None).order_by("number").defer("email", "secret")
    }
    games = list(_games(event, entries))
    played = {number for game in games for number in (game.first, game.second)}
    there = {
        entry.number: entry
        for entry in entries.values()
        if entry.status != Entry.Status.WITHDRAWN or entry.number in played
    }
    keys, chosen = list(there), format_of(event)
    if chance is not None:
        chance.shuffle(keys)
    breaks = [TieBreak(code) for code in chosen.tie_breaks]
    sums = penalties_and_bonuses(event).items()
    extra = {number: got - lost for number, (lost, got) in sums}
    rows = standings(keys, games, scoring_of(chosen), breaks, extra)
    return [Place(there[row.key], row) for row in rows]


class TeamPlace(NamedTuple):
    """Team in the standings, by the points of its players together."""

    place: int
    team: str
    points: int
    players: int


def team_standings(places: Sequence[Place]) -> list[TeamPlace]:
    """Return the standings of teams, best first; equal ones share a place."""
    teams: dict[str, list[Place]] = {}
    for one in places:
        if one.entry.team:
            teams.setdefault(look_key(one.entry.team), []).append(one)
    sums = {key: sum(one.standing.points for one in rows) for key, rows in teams.items()}
    ordered = sorted(teams, key=lambda key: -sums[key])
    return [
        TeamPlace(
            1 + sum(other > sums[key] for other in sums.values()),
            *(teams[key][0].entry.team, sums[key], len(teams[key])),
        )
        for key in ordered
    ]


def penalties_and_bonuses(event: Event) -> dict[int, tuple[int, int]]:
    """Return players' penalties and bonuses, both unsigned, by their numbers."""
    lines = LedgerLine.objects.filter(entry__event=event, undone=None)
    player = Coalesce("entry__main__number", "entry__number")
    sums: dict[int, tuple[int, int]] = {}
    for number, points in lines.annotate(player=player).values_list("player", "points"):
        lost, got = sums.get(number, (0, 0))
        sums[number] = (lost + max(0, -points), got + max(0, points))
    return sums


def _games(event: Event, entries: Mapping[int, Entry]) -> Iterator[Game]:
    counted = event.pairings.filter(Q(second=None) | Q(first_score__isnull=False), shown=True)
    columns = ("first", "second", "first_score", "second_score")
    for first, second, own, other in counted.order_by("pk").values_list(*columns):
        if first in entries and (second is None or second in entries):
            opponent = None if second is None else entries[second].number
            yield Game(entries[first].number, opponent, own or 0, other or 0)


def _check_playing(event: Event, now: datetime) -> None:
    if event.state(now) in (EventState.DRAFT, EventState.CANCELLED, EventState.OVER):
        raise Refusal(_("No games are played at this event now."))


def _check_number(number: int) -> None:
    if not 1 <= number <= MOST_ROUNDS:
        raise Refusal(_("Rounds are numbered 1 to {most}.").format(most=MOST_ROUNDS))
