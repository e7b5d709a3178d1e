"""Pairing of a round: no rematch if avoidable, and opponents of similar standing.

A round is a perfect matching of least weight in the graph of all players. Priorities, in this
order: few rematches, few pairs of one club, equal scores, neighbours in rank.

Perfect matchings are found by linear programs and cuts (Edmonds; Grötschel and Holland). Where each
vertex is matched once in all, a solution may halve the edges of odd circles. An odd set of vertices
has at most half as many edges of a matching as vertices, less one: such cuts are added until a
solution is whole. The rare rest is left to a search among whole numbers, which ends with the best
that it has found in some seconds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from random import Random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ortools.linear_solver import pywraplp

Edge = tuple[int, int]
#: Rounds of cuts before the search; a value this near to a whole number is one.
MOST_ROUNDS, NEAR = 100, 1e-6
#: Odd sets are looked for among edges of more than this, and milliseconds of the search.
LEAST, MOST_SEARCHED = (NEAR, 0.1, 0.2, 0.3, 0.4, 0.5, 0.7), 3_000


def matching(weights: Mapping[Edge, int]) -> list[Edge]:
    """Return the edges of a perfect matching of least weight; there must be one.

    Raises ImportError without OR-Tools.
    """
    program, cuts = _Program("GLOP", weights), list[set[int]]()
    for _round in range(MOST_ROUNDS):
        values = program.solve()
        if all(min(value, 1 - value) < NEAR for value in values.values()):
            return [edge for edge, value in values.items() if value > NEAR]
        odd = list(_violated(values))
        if not odd:
            break
        for part in odd:
            program.cut(part)
        cuts += odd
    search = _Program("SCIP", weights)
    for part in cuts:
        search.cut(part)
    return [edge for edge, value in search.solve().items() if value > 1 / 2]


def _violated(values: Mapping[Edge, float]) -> Iterator[set[int]]:
    """Yield odd sets of vertices with more of a solution than a matching has, as far as seen."""
    seen = set[frozenset[int]]()
    for least in LEAST:
        for part in _parts(edge for edge, value in values.items() if value > least):
            within = sum(value for (a, b), value in values.items() if a in part and b in part)
            if len(part) % 2 and within > len(part) // 2 + NEAR and frozenset(part) not in seen:
                seen.add(frozenset(part))
                yield part


class _Program:
    def __init__(self, kind: str, weights: Mapping[Edge, int]) -> None:
        from ortools.linear_solver import pywraplp

        self._solver: pywraplp.Solver = pywraplp.Solver.CreateSolver(kind)
        self._solver.SetTimeLimit(MOST_SEARCHED)
        self._exact = pywraplp.MPSolverParameters()
        self._exact.SetDoubleParam(pywraplp.MPSolverParameters.RELATIVE_MIP_GAP, 0.0)
        vertices = sorted({vertex for edge in weights for vertex in edge})
        once = {vertex: self._solver.RowConstraint(1, 1, "") for vertex in vertices}
        objective = self._solver.Objective()
        objective.SetMinimization()
        self._edges = {edge: self._solver.Var(0, 1, kind != "GLOP", "") for edge in weights}
        for edge, taken in self._edges.items():
            objective.SetCoefficient(taken, weights[edge])
            for vertex in edge:
                once[vertex].SetCoefficient(taken, 1)

    def cut(self, part: set[int]) -> None:
        """Let an odd set of vertices have no more edges than a matching of it."""
        row = self._solver.RowConstraint(0, len(part) // 2, "")
        for (a, b), taken in self._edges.items():
            if a in part and b in part:
                row.SetCoefficient(taken, 1)

    def solve(self) -> dict[Edge, float]:
        status = self._solver.Solve(self._exact)
        if status not in (self._solver.OPTIMAL, self._solver.FEASIBLE):
            raise ArithmeticError(f"no matching was found: {status}")
        return {edge: taken.solution_value() for edge, taken in self._edges.items()}


def _parts(edges: Iterable[Edge]) -> list[set[int]]:
    """Return the vertices of each connected part of a graph."""
    part_of: dict[int, set[int]] = {}
    for a, b in edges:
        joined = part_of.get(a, {a}) | part_of.get(b, {b})
        part_of.update(dict.fromkeys(joined, joined))
    return list({id(part): part for part in part_of.values()}.values())


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
