"""Cores: as few as may be of what cannot hold together."""

from __future__ import annotations

from collections.abc import Callable, Collection
from time import monotonic
from typing import TypeAlias

from armybuilder.engine.space.constraints import Literal
from armybuilder.solving.port import Impossible, Problem, Solver

#: Says which of some literals cannot hold together; None where they can, or where it is not known.
Clash: TypeAlias = Callable[[list[Literal]], Collection[Literal] | None]


def smaller(
    clash: Clash, needed: list[Literal], left: list[Literal], until: float
) -> tuple[list[Literal], bool]:
    """Return the necessary part of a contradiction, besides the given demands; and whether there
    was time to try all of it."""
    size = max(1, len(left) // 2)
    while left and monotonic() < until:
        some, others = left[:size], left[size:]
        fewer = clash([*needed, *others])
        if fewer is not None:
            left = [one for one in others if one in fewer]
            size = max(1, min(size * 2, len(left) // 2))
        elif len(some) == 1:
            needed = [*needed, *some]
            left = others
        else:
            size = max(1, size // 2)
    return [*needed, *left], not left


def clash_of(problem: Problem, solver: Solver, until: float) -> set[Literal] | None:
    """Return those of a problem's assumptions that cannot hold together; None where they can, or
    where that is not known.
    """
    answer = solver.solve(problem, max(0.05, until - monotonic()))
    return set(answer.core or problem.assumptions) if isinstance(answer, Impossible) else None
