"""What a solver is asked, and what it answers; `cpsat` is the one that there is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Protocol

from armybuilder.engine.space.constraints import Constraints, Literal
from armybuilder.engine.space.expressions import Expression


class Relaxation(Enum):
    """How much is made of sums as such, beside trying out: where points of units and of their
    options add up, a strong relaxation saves seconds; where few kinds of models are bought singly,
    it takes longer than the search.
    """

    NONE = "none"
    WEAK = "weak"
    STRONG = "strong"


@dataclass(frozen=True, slots=True)
class Problem:
    """Find values that keep all constraints, with the least of the objective (or the `most`), or no
    farther from it than `near`. `steady`: the time is counted in work done and not by the clock, so
    that the answer is always the same. `upward`: the best is sought from the least that may be,
    which is soon done where little is enough, and finds nothing on the way where it is not.
    `simplified`: the constraints are worked over first, which takes as long as many a search.

    `fixed` are values that are settled, `hint` ones to begin with, both by variable. Of the
    `assumptions` the solver says which cannot hold together, where there is no solution. What a
    rule demands holds where its switch does, by the pointer of the rule's head; of what a bound of
    picks demands, by that; always, where it has none.
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
    `seconds` what it took, where the time is counted in work done.
    """

    values: tuple[int, ...]
    worth: int
    proved: bool
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Impossible:
    """There is no solution; of the assumptions, `core` cannot hold together."""

    core: tuple[Literal, ...] = ()


@dataclass(frozen=True, slots=True)
class Unknown:
    """The time was up before anything was found."""


Answer = Solution | Impossible | Unknown


class Solver(Protocol):
    """Solves problems."""

    def solve(self, problem: Problem, seconds: float) -> Answer:
        """Return the best that is found in so much time."""
        ...


class NoSolver(Exception):
    """No solver is installed."""
