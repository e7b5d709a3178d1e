"""Perfect matchings of least weight, by linear programs and cuts (Edmonds; Grötschel and Holland).

Where each vertex is matched once in all, a solution may halve the edges of odd circles. An odd set
of vertices has at most half as many edges of a matching as vertices, less one: such cuts are added
until a solution is whole. The rare rest is left to a search among whole numbers,
which ends with the best that it has found in some seconds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
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
