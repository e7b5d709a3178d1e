"""Interface to a solver; `cpsat` is the only one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Protocol

from armybuilder.engine.space.constraints import Constraints, Expression, Literal


class Relaxation(Enum):
    """Strength of the relaxation: if points of units and their options add up, a strong one
    saves seconds; if few kinds of models are bought one by one, it takes longer than the
    search."""

    NONE = "none"
    WEAK = "weak"
    STRONG = "strong"


@dataclass(frozen=True, slots=True)
class Problem:
    """Find values that keep all constraints, with the least objective (or the `most`), or no
    farther from it than `near`. `steady`: time is counted in work, not by the clock, so that
    the answer is always the same. `upward`: the search starts at the minimum, which is fast
    if little is enough, and finds nothing on the way otherwise. `simplified`: constraints are
    simplified first, which takes as long as many a search.

    `fixed` are settled values, `hint` starting ones, both by variable. Without a solution the
    solver says which of the `assumptions` contradict each other. A rule's demands hold if its
    switch does, by the pointer of the rule's head; those of picks' bounds by the bound; always,
    without one.
    """

    constraints: Constraints
    objective: Expression | None = None
    most: bool = False
    near: int = 0
    steady: bool = False
    upward: bool = False
    simplified: bool = True
    relaxation: Relaxation = Relaxation.STRONG
    fixed: Mapping[int, int] = field(default_factory=dict)
    hint: Mapping[int, int] = field(default_factory=dict)
    assumptions: tuple[Literal, ...] = ()
    switches: Mapping[Any, Literal] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Solution:
    """A value for each variable; `proved`: none is better. `worth` is that of the objective;
    `seconds` the time taken, if it is counted in work done.
    """

    values: tuple[int, ...]
    worth: int
    proved: bool
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Impossible:
    """There is no solution; `core` of the assumptions is contradictory."""

    core: tuple[Literal, ...] = ()


@dataclass(frozen=True, slots=True)
class Unknown:
    """The time was up before anything was found."""


Answer = Solution | Impossible | Unknown


class Solver(Protocol):
    """Solves problems."""

    def solve(self, problem: Problem, seconds: float) -> Answer:
        """Return the best solution found in the given time."""
        ...


class NoSolver(Exception):
    """No solver is installed."""
