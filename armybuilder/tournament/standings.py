"""Standings: points of games by the scoring of the event, penalties and bonuses, tie-breaks."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum


class ScoringKind(StrEnum):
    """Kind of result that players enter.

    `WINS`: the game's own score, of which only who has more counts; `POINTS`: the tournament points
    that each gets.
    """

    WINS = "wins"
    POINTS = "points"


class TieBreak(StrEnum):
    """Tie-break between those with equal points."""

    OPPONENTS = "opponents"
    DIFFERENCE = "difference"
    SCORED = "scored"
    WINS = "wins"


@dataclass(frozen=True, slots=True)
class Scoring:
    """Tournament points by outcome; of `POINTS` the two must add up to `total`, unless it is 0."""

    kind: ScoringKind = ScoringKind.WINS
    win: int = 3
    draw: int = 1
    loss: int = 0
    bye: int = 3
    total: int = 0

    def points(self, own: int, other: int) -> int:
        """Return a player's points for a game, by the two numbers entered."""
        if self.kind is ScoringKind.POINTS:
            return own
        return self.win if own > other else self.draw if own == other else self.loss


@dataclass(frozen=True, slots=True)
class Game:
    """Game with a result; without a `second` it is a bye."""

    first: int
    second: int | None = None
    first_score: int = 0
    second_score: int = 0


@dataclass(slots=True)
class Standing:
    """Row of the standings: `place` is shared by those whom no tie-break separates.

    `points` are all tournament points with `extra`, those of penalties and bonuses; `scored` and
    `conceded` are the numbers entered for games; `strength` the points of all opponents together.
    """

    key: int
    extra: int = 0
    points: int = 0
    wins: int = 0
    draws: int = 0
    losses: int = 0
    byes: int = 0
    scored: int = 0
    conceded: int = 0
    strength: int = 0
    place: int = 0
    opponents: list[int] = field(default_factory=list)

    @property
    def difference(self) -> int:
        return self.scored - self.conceded

    def value(self, by: TieBreak) -> int:
        return {
            TieBreak.OPPONENTS: self.strength,
            TieBreak.DIFFERENCE: self.difference,
            TieBreak.SCORED: self.scored,
            TieBreak.WINS: self.wins,
        }[by]

    def _add(self, own: int, other: int, scoring: Scoring) -> None:
        self.points += scoring.points(own, other)
        self.scored += own
        self.conceded += other
        self.wins += own > other
        self.draws += own == other
        self.losses += own < other


def standings(
    keys: Iterable[int],
    games: Sequence[Game],
    scoring: Scoring,
    tie_breaks: Sequence[TieBreak],
    extra: Mapping[int, int],
) -> list[Standing]:
    """Return the standings, best first; ties in the order of `keys`."""
    rows = {key: Standing(key, extra.get(key, 0), extra.get(key, 0)) for key in keys}
    for game in games:
        first = rows[game.first]
        if game.second is None:
            first.points += scoring.bye
            first.byes += 1
            continue
        second = rows[game.second]
        first._add(game.first_score, game.second_score, scoring)
        second._add(game.second_score, game.first_score, scoring)
        first.opponents.append(second.key)
        second.opponents.append(first.key)
    for row in rows.values():
        row.strength = sum(rows[key].points for key in row.opponents)

    def rank(row: Standing) -> tuple[int, ...]:
        return (-row.points, *(-row.value(by) for by in tie_breaks))

    ordered = sorted(rows.values(), key=rank)
    for number, row in enumerate(ordered, 1):
        before = ordered[number - 2] if number > 1 else None
        row.place = before.place if before is not None and rank(before) == rank(row) else number
    return ordered
