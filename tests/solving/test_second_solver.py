"""A second solver has the same opinion: the smallest repair costs as much, and what it finds keeps
every constraint.
"""

import json
import subprocess
import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from armybuilder.engine.constraining import possible_lists
from armybuilder.loading.documents import make_roster
from armybuilder.solving.changes import distance_of
from armybuilder.solving.cpsat import CpSat
from armybuilder.solving.port import Impossible, Problem, Solution
from armybuilder.solving.scopes import usual
from armybuilder.solving.weights import USUAL
from tests.building.documents import value_of
from tests.building.random_lists import SKIRMISHES, catalogue_of, random_lists
from tests.effort import tries
from tests.solving.second_solver import as_data

pytestmark = pytest.mark.long
GAMES = [*reversed(SKIRMISHES), "highborn-elves", "vermin-swarm", "dwarven-holds"]
LONG = 120.0


def problems(game: str, number: int) -> Iterator[Problem]:
    """How random lists of a game are made legal at the least cost."""
    for document in islice(random_lists(game, 11), number):
        roster = make_roster(value_of(document), catalogue_of(game))
        possible = possible_lists(roster, catalogue_of(game), usual(roster, catalogue_of(game)))
        yield Problem(possible.constraints, distance_of(possible, USUAL).cost)


def second_opinions(asked: list[Problem]) -> list[Any]:
    """What the other solver finds, in its own process."""
    lines = "\n".join(json.dumps(as_data(one)) for one in asked)
    command = [sys.executable, "-m", "tests.solving.second_solver"]
    root = Path(__file__).parents[2]
    done = subprocess.run(command, input=lines, capture_output=True, text=True, cwd=root)
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.mark.one_in(8)
@pytest.mark.parametrize("game", GAMES)
def test_a_second_solver_finds_the_same_least_cost(game: str) -> None:
    asked = list(problems(game, tries(13, 2)))
    answers = second_opinions(asked)
    assert len(answers) == len(asked)
    for problem, second in zip(asked, answers, strict=True):
        first = CpSat().solve(problem, LONG)
        if second is None:
            assert isinstance(first, Impossible)
            continue
        assert isinstance(first, Solution)
        assert first.proved
        worth, values = second
        assert worth == first.worth
        assert kept(problem, values)


def kept(problem: Problem, values: list[int]) -> bool:
    """Whether values keep every constraint, as they are written."""
    both = problem.constraints

    def holds(literal: int) -> bool:
        return values[literal] == 1 if literal >= 0 else values[~literal] == 0

    bounds = zip(both.low, values, both.high, strict=True)
    if not all(low <= value <= high for low, value, high in bounds):
        return False
    if not all(any(map(holds, clause.literals)) for clause in both.clauses):
        return False
    for one in both.linear:
        total = sum(k * values[v] for v, k in zip(one.variables, one.factors, strict=True))
        low, high = one.low, one.high
        within = (low is None or total >= low) and (high is None or total <= high)
        if all(map(holds, one.when)) and not within:
            return False
    return True
