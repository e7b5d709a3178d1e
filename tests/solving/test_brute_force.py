"""On small lists every one that may be is tried: none is better than what the verbs find, and none
is legal where they say that none is. And a second solver has the same opinion: the smallest repair
costs as much, and what it finds keeps every constraint.
"""

import json
import subprocess
import sys
from collections.abc import Iterator
from itertools import islice, product
from pathlib import Path
from random import Random
from typing import Any

import pytest

from armybuilder.engine import Report, validate
from armybuilder.engine.catalogue import Catalogue
from armybuilder.engine.constraining import PossibleLists, possible_lists
from armybuilder.engine.space.constraints import Expression
from armybuilder.loading.armylist import ArmyList
from armybuilder.loading.documents import make_roster
from armybuilder.solving.changes import distance_of
from armybuilder.solving.cpsat import CpSat
from armybuilder.solving.decoding import decode
from armybuilder.solving.fill import filling
from armybuilder.solving.look_ahead import Fate, look_ahead
from armybuilder.solving.owned import models_of, only_owned
from armybuilder.solving.port import Impossible, Problem, Solution
from armybuilder.solving.questions import Question, Sought, answer
from armybuilder.solving.repair import repairs
from armybuilder.solving.scopes import usual
from armybuilder.solving.weights import USUAL
from tests.building.documents import value_of
from tests.building.random_lists import SKIRMISHES, catalogue_of, random_lists
from tests.building.tiny import Data, document, game, rule, take, unit
from tests.effort import tries
from tests.solving.second_solver import as_data

#: The most models of a list that is tried, and of one unit.
MODELS = 6
LONG = 30.0

UNITS = [
    unit("soldier", 5, faction="red"),
    unit("knight", 8, faction="blue"),
    unit("giant", 20, "big", faction="none"),
    unit("archer", 7, "bow", faction="red"),
]
POINTS = rule("limit", "points.over", id="points", count="points", max="limit")
SOME = rule("limit", "list.empty", id="some", count="models", min=3)
BOWS = rule(
    "limit", id="bows", count="models", of={"ability": "bow"}, max={"share": "1/3", "of": "models"}
)
PAIRS = rule("copies", id="pairs", of={"unit": "book/knight"}, min=2)
FEW = rule("copies", id="few", max=3)
APART = rule("clash", id="apart", between=[{"ability": "big"}, {"ability": "bow"}])
WEIGHED = rule(
    "weighted",
    id="weighed",
    counts=[
        {"of": {"ability": "big"}, "count": "models", "each": "3/2"},
        {"of": {"faction": "red"}},
    ],
    min=2,
    max=3,
)
GAMES: dict[str, list[Data]] = {
    "points and models": [POINTS, SOME],
    "shares and pairs": [POINTS, SOME, BOWS, PAIRS],
    "copies and clashes": [POINTS, FEW, APART, SOME],
    "weights": [POINTS, SOME, WEIGHED],
}
STARTS = [
    [],
    [("giant", 2)],
    [("archer", 3), ("knight", 1)],
    [("soldier", 4), ("archer", 1), ("giant", 1)],
    [("knight", 1), ("giant", 1), ("soldier", 1)],
]


def every_list(possible: PossibleLists) -> Iterator[dict[int, int]]:
    """What is decided of all lists of at most so many models."""
    sizes = [next(iter(one.size.terms)) for one in possible.candidates]
    standing = {**possible.as_it_stands(), **dict.fromkeys(sizes, 0)}
    most = (min(MODELS, possible.constraints.high[size]) for size in sizes)
    for numbers in product(*(range(number + 1) for number in most)):
        if sum(numbers) <= MODELS:
            yield {**standing, **dict(zip(sizes, numbers, strict=True))}


def legal_lists(
    possible: PossibleLists, made: ArmyList, catalogue: Catalogue
) -> Iterator[tuple[dict[int, int], ArmyList]]:
    for decided in every_list(possible):
        other = decode(possible, possible.constraints.complete(decided), made)
        if validate(make_roster(other, catalogue), catalogue).legal:
            yield decided, other


def cost_of(possible: PossibleLists, cost: Expression, decided: dict[int, int]) -> int:
    """What one list costs, where nothing is left to decide."""
    answer = CpSat().solve(Problem(possible.constraints, cost, fixed=decided), LONG)
    assert isinstance(answer, Solution)
    return answer.worth


@pytest.mark.one_in(4)
@pytest.mark.parametrize("start", STARTS, ids=str)
@pytest.mark.parametrize("rules", GAMES.values(), ids=GAMES)
def test_no_list_is_nearer_than_the_repair(rules: list[Data], start: list[tuple[str, int]]) -> None:
    catalogue = game(*rules, units=UNITS, roles=[])
    made = value_of(document(*(take(name, number) for name, number in start), limit=30))
    roster = make_roster(made, catalogue)
    possible = possible_lists(roster, catalogue, usual(roster, catalogue))
    legal = [decided for decided, _ in legal_lists(possible, made, catalogue)]
    cost = distance_of(possible, USUAL).cost
    costs = [cost_of(possible, cost, decided) for decided in legal]
    found = repairs(made, catalogue, CpSat(), number=1, seconds=LONG)
    larger = [
        one for one in found.found if sum(unit.models for unit in one.army_list.units) > MODELS
    ]
    if larger or not costs:
        assert [one.proved for one in larger] == [True] * len(found.found)
        assert all(one.cost <= least for one in larger for least in costs)
        return
    (best,) = found.found
    assert (best.cost, best.proved) == (min(costs), True)


@pytest.mark.one_in(5)
@pytest.mark.parametrize("limit", [30, 45])
@pytest.mark.parametrize("start", STARTS, ids=str)
@pytest.mark.parametrize("rules", GAMES.values(), ids=GAMES)
def test_no_list_is_legal_where_looking_ahead_sees_none(
    rules: list[Data], start: list[tuple[str, int]], limit: int
) -> None:
    catalogue = game(*rules, units=UNITS, roles=[])
    made = value_of(document(*(take(name, number) for name, number in start), limit=limit))
    roster = make_roster(made, catalogue)
    possible = possible_lists(roster, catalogue, usual(roster, catalogue))
    had = dict(start)
    more = [
        {one.ref.split("/")[1]: one.models for one in other.units}
        for _, other in legal_lists(possible, made, catalogue)
    ]
    reached = [
        one for one in more if all(one.get(name, 0) >= number for name, number in had.items())
    ]
    outlook = look_ahead(made, catalogue, CpSat(), seconds=LONG)
    assert outlook.whole is not Fate.UNKNOWN
    if reached:
        assert outlook.whole is Fate.OPEN
    for name in ("soldier", "knight", "giant", "archer"):
        if any(one.get(name, 0) > had.get(name, 0) for one in reached):
            assert outlook.units[f"book/{name}"] is Fate.OPEN, name


def owned_lists(
    had: dict[str, int], owned: dict[str, int], limit: int, catalogue: Catalogue
) -> list[tuple[dict[str, int], Report]]:
    """Every legal list that adds to what there was no more than is owned, by the game's rules."""
    names = [entry["id"] for entry in UNITS]
    numbers = [
        range(had.get(name, 0), max(owned.get(name, 0), had.get(name, 0)) + 1) for name in names
    ]
    made = []
    for models in product(*numbers):
        taken = {name: number for name, number in zip(names, models, strict=True) if number}
        other = value_of(document(*(take(*one) for one in taken.items()), limit=limit))
        report = validate(make_roster(other, catalogue), catalogue)
        if report.legal:
            made.append((taken, report))
    return made


@pytest.mark.slow
def test_advice_on_what_is_owned_is_that_of_all_lists_of_it() -> None:
    chance = Random(41)  # noqa: S311
    for _ in range(tries(200, 30)):
        catalogue = game(*chance.choice([*GAMES.values()]), units=UNITS, roles=[])
        had, limit = dict(chance.choice(STARTS)), chance.choice([30, 45])
        owned = {entry["id"]: chance.randint(0, 3) for entry in UNITS if chance.random() < 0.8}
        made = value_of(document(*(take(*one) for one in had.items()), limit=limit))
        roster = make_roster(made, catalogue)
        within = only_owned(catalogue, roster, {f"book/{ref}": n for ref, n in owned.items()})
        verdict, plain = (validate(roster, each) for each in (within, catalogue))
        assert [one.key for one in verdict.findings] == [one.key for one in plain.findings]
        reached = owned_lists(had, owned, limit, catalogue)
        about = f"{had} of {owned} at {limit}"

        most = answer(Question(Sought.MODELS), made, within, CpSat(), LONG)
        least = answer(Question(Sought.CHEAPEST), made, within, CpSat(), LONG)
        outlook = look_ahead(made, within, CpSat(), LONG)
        filled = filling(made, within, CpSat(), 1, seconds=LONG).filled
        fixes = repairs(made, within, CpSat(), 1, seconds=LONG).found
        assert fixes or not reached, about
        for fix in fixes:
            assert validate(make_roster(fix.army_list, catalogue), catalogue).legal, about
            for ref, number in models_of(fix.army_list).items():
                name = ref.removeprefix("book/")
                assert number <= max(owned.get(name, 0), had.get(name, 0)), about
        if not reached:
            assert (most.impossible, least.impossible, filled) == (True, True, None), about
            assert outlook.whole is Fate.DEAD, about
            continue
        assert most.value == max(report.models for _, report in reached), about
        assert least.value == min(report.spent for _, report in reached), about
        assert filled is not None, about
        assert filled.left == limit - max(report.spent for _, report in reached), about
        more = {f"book/{n}" for one, _ in reached for n in one if one[n] > had.get(n, 0)}
        open_ones = {ref for ref, fate in outlook.units.items() if fate is Fate.OPEN}
        assert (outlook.whole, open_ones) == (Fate.OPEN, more), about


SOLVED_TWICE = [*reversed(SKIRMISHES), "highborn-elves", "vermin-swarm", "dwarven-holds"]


def problems(game: str, number: int) -> Iterator[Problem]:
    """How random lists of a game are made legal at the least cost."""
    catalogue = catalogue_of(game)
    for army_list in islice(map(value_of, random_lists(game, 11)), number):
        roster = make_roster(army_list, catalogue)
        possible = possible_lists(roster, catalogue, usual(roster, catalogue))
        yield Problem(possible.constraints, distance_of(possible, USUAL).cost)


def second_opinions(asked: list[Problem]) -> list[Any]:
    """What the other solver finds, in its own process."""
    lines = "\n".join(json.dumps(as_data(one)) for one in asked)
    command = [sys.executable, "-m", "tests.solving.second_solver"]
    root = Path(__file__).parents[2]
    done = subprocess.run(command, input=lines, capture_output=True, text=True, cwd=root)
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.mark.long
@pytest.mark.one_in(8)
@pytest.mark.parametrize("game", SOLVED_TWICE)
def test_a_second_solver_finds_the_same_least_cost(game: str) -> None:
    asked = list(problems(game, tries(5, 2)))
    answers = second_opinions(asked)
    assert len(answers) == len(asked)
    for problem, second in zip(asked, answers, strict=True):
        first = CpSat().solve(problem, 120.0)
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
