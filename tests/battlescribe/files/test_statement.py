"""What is stated of lists that may be is what is found in lists that are.

`LISTS=50 TRIES=19 pytest tests/battlescribe/files/test_statement.py` makes so many lists of each
game and changes each so often: 1,000 lists are judged in both ways.
"""

import os
from pathlib import Path
from random import Random

import pytest

from armybuilder.engine.kernel.branches import Breach, Why
from armybuilder.engine.kernel.evaluation import Evaluation
from armybuilder.engine.kernel.picks import PickList
from armybuilder.engine.kernel.spots import Spots
from armybuilder.engine.kernel.statement import StatedDemand, Statement
from armybuilder.engine.space.constraints import Expression
from armybuilder.solving.cpsat import CpSat
from armybuilder.solving.port import Problem, Solution
from tests.battlescribe.files.random_lists import (
    GAMES,
    changed_values,
    game_in,
    list_of,
    random_list,
    some_more,
)
from tests.battlescribe.files.specs import SUITE, Run, read_spec
from tests.battlescribe.files.test_specs import OWN
from tests.effort import THOROUGH, scaled

pytestmark = pytest.mark.long

LISTS = int(os.environ.get("LISTS", scaled(2, 6, 12)))
TRIES = int(os.environ.get("TRIES", "3"))
SPECS = [*OWN, *sorted(SUITE.glob("*/*.yaml"))]
#: Games that are read within a second.
FEW = [path for path in GAMES if path.stem in ("kingsofwar", "TrenchCrusade")]
#: Those that most tests take of them.
TRIED = GAMES[:: scaled(3, 3, 1)] if THOROUGH else FEW
not_here = pytest.mark.skipif(not GAMES, reason="community files of games are not here")


def found(evaluation: Evaluation) -> set[tuple[str, ...]]:
    errors = (breach for breach in evaluation.breaches if breach.severity == "error")
    return {_of_breach(breach) for breach in errors if breach.why is not Why.LOOP}


def _of_breach(breach: Breach) -> tuple[str, ...]:
    if breach.bound is None:
        return breach.why, breach.node.definition.key, breach.cost
    return breach.why, breach.bound.id, breach.bound.query.tag


def _of_demand(demand: StatedDemand) -> tuple[str, ...]:
    if demand.bound is None:
        return demand.why, demand.definition.key, demand.cost
    return demand.why, demand.bound.id, demand.bound.query.tag


def disagreement(statement: Statement, values: list[int]) -> set[tuple[str, ...]]:
    """Return what either says alone of the list that some values mean."""
    owners = list(statement.constraints.broken(values))
    assert None not in owners, "the values contradict what the unknowns mean"
    evaluation = Evaluation(list_of(statement, values))
    if evaluation.loops:
        return set()
    stated = {_of_demand(owner) for owner in owners if isinstance(owner, StatedDemand)}
    unstated = {_of_demand(demand) for demand in statement.unstated}
    return (stated ^ found(evaluation)) - unstated


def disagreements(roster: PickList, random: Random, tries: int) -> list[set[tuple[str, ...]]]:
    statement = Statement(Spots(roster, some_more(random)))
    complete = statement.constraints.complete
    values = [complete(statement.space.as_it_stands())]
    values += (complete(changed_values(statement, random)) for _ in range(tries))
    return [wrong for one in values if (wrong := disagreement(statement, one))]


@pytest.mark.one_in(3)
@pytest.mark.parametrize("category", sorted({path.parent.name for path in SPECS}))
def test_checker_and_solver_agree_on_specs(category: str) -> None:
    for path in SPECS:
        if path.parent.name == category and "dataSource" not in (spec := read_spec(path))["setup"]:
            run, random = Run(spec), Random(path.stem)  # noqa: S311
            assert not disagreements(run.editor.roster, random, 6), path.stem


@not_here
@pytest.mark.parametrize("path", GAMES if THOROUGH else FEW, ids=lambda path: path.stem)
def test_checker_and_solver_agree_on_random_lists_of_real_games(path: Path) -> None:
    game = game_in(path)
    for number in range(LISTS):
        editor = random_list(game, random := Random(number))  # noqa: S311
        if editor is not None:
            assert not disagreements(editor.roster, random, TRIES), number


@not_here
@pytest.mark.parametrize("path", GAMES if THOROUGH else FEW[:1], ids=lambda path: path.stem)
def test_the_solver_repairs_broken_lists(path: Path) -> None:
    """The values nearest to a list that keep what is stated make a list in which nothing of that
    is broken.
    """
    for number in range(LISTS):
        editor = random_list(game_in(path), random := Random(number), 4)  # noqa: S311
        if editor is None:
            continue
        statement = Statement(Spots(editor.roster, some_more(random)))
        answer = CpSat().solve(Problem(statement.constraints, changes(statement), steady=True), 5)
        if isinstance(answer, Solution):
            evaluation = Evaluation(list_of(statement, list(answer.values)))
            unstated = {_of_demand(demand) for demand in statement.unstated}
            assert found(evaluation) <= unstated, number


def changes(statement: Statement) -> Expression:
    """Return how many picks are added, removed or numbered otherwise."""
    both, total = statement.constraints, Expression()
    as_it_stands = statement.space.as_it_stands()
    for spot in statement.spots:
        if spot.variable is not None:
            was = as_it_stands[spot.variable]
            more = Expression.of(both.whole(0, both.high[spot.variable]))
            both.require(more - (spot.number - was), 0, None)
            both.require(more - (Expression(was) - spot.number), 0, None)
            total.add(more)
    return total
