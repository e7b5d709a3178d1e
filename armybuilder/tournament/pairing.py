"""Pairing of a round: no rematch if avoidable, and opponents of similar standing.

A round is a perfect matching of least weight in the graph of all players. Priorities, in this
order: few rematches, few pairs of one club, equal scores, neighbours in rank.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from random import Random

from armybuilder.tournament.matching import matching

#: Players who are matched at once: larger fields are cut into blocks of the ranking, of even
#: numbers, unless that leaves a game that was played before.
BLOCK = 48
#: Players for whom a round is drawn; the work grows faster than their number.
MOST_DRAWN = 400


@dataclass(frozen=True, slots=True)
class Contender:
    """Player or team: the score, the club ("" for none), whom they have met, and any bye."""

    key: int
    score: int = 0
    club: str = ""
    met: frozenset[int] = frozenset()
    had_bye: bool = False


#: Keys of two contenders that play each other; None is a bye.
Pair = tuple[int, int | None]


def draw_round(ranked: Sequence[Contender], clubs_apart: bool = False) -> list[Pair]:
    """Return who plays whom, the best table first; a bye, of an odd number, comes last.

    `ranked` are the contenders, the best first. With `clubs_apart` a game within a club is avoided
    even if scores differ more.
    """
    count = len(ranked)
    blocks = max(1, -(-count // BLOCK))
    while True:
        bounds = [count * number // blocks // 2 * 2 for number in range(blocks)] + [count]
        places = [
            (start + a, None if b is None else start + b)
            for start, end in pairwise(bounds)
            for a, b in _match(ranked[start:end], clubs_apart)
        ]
        if blocks == 1 or not any(_spoils(ranked, *pair, clubs_apart) for pair in places):
            break
        blocks //= 2
    places.sort(key=lambda pair: (pair[1] is None, pair))
    return [(ranked[a].key, None if b is None else ranked[b].key) for a, b in places]


def shuffled(contenders: Sequence[Contender], chance: Random) -> list[Contender]:
    """Return contenders ranked by chance, as if none had a score."""
    blank = [Contender(one.key, 0, one.club, one.met, one.had_bye) for one in contenders]
    chance.shuffle(blank)
    return blank


def _match(ranked: Sequence[Contender], clubs_apart: bool) -> list[tuple[int, int | None]]:
    """Return pairs of places in the ranking, each with the higher place first."""
    bye = len(ranked)
    weights = {
        (a, bye if b is None else b): weight for a, b, weight in _weights(ranked, clubs_apart)
    }
    pairs = matching(weights) if weights else []
    return [(a, None if b == bye else b) for a, b in pairs]


def _weights(
    ranked: Sequence[Contender], clubs_apart: bool
) -> Iterator[tuple[int, int | None, int]]:
    """Yield pairs of places with what speaks against them, each kind before all of the next."""
    count = len(ranked)
    scores = [one.score for one in ranked] or [0]
    # All differences in rank together are less than one difference in score, and so on.
    score = (count // 2 + 1) * count + 1
    club = score * ((max(scores) - min(scores)) * (count // 2 + 2) + 1)
    again = club * (count // 2 + 2)
    for a, b in combinations(range(count), 2):
        weight = score * abs(scores[a] - scores[b]) + b - a
        weight += club * (clubs_apart and _of_one_club(ranked[a], ranked[b]))
        yield a, b, weight + again * (ranked[b].key in ranked[a].met)
    if count % 2:
        for place, one in enumerate(ranked):
            weight = 2 * score * (one.score - min(scores)) + count - place
            yield place, None, weight + again * one.had_bye


def _of_one_club(one: Contender, other: Contender) -> bool:
    return bool(one.club) and one.club == other.club


def _spoils(ranked: Sequence[Contender], a: int, b: int | None, clubs_apart: bool) -> bool:
    """Return whether a pair is one that a wider choice may avoid."""
    if b is None:
        return ranked[a].had_bye
    again = ranked[b].key in ranked[a].met
    return again or (clubs_apart and _of_one_club(ranked[a], ranked[b]))
