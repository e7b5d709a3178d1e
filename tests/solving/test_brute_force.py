"""On small lists every one that may be is tried: none is better than what the verbs find, and none
is legal where they say that none is.
"""

from collections.abc import Iterator
from itertools import product

import pytest

from armybuilder.engine import validate
from armybuilder.engine.catalogue import Catalogue
from armybuilder.engine.constraining import PossibleLists, possible_lists
from armybuilder.engine.space.expressions import Expression
from armybuilder.loading.armylist import ArmyList
from armybuilder.loading.documents import make_roster
from armybuilder.solving.changes import distance_of
from armybuilder.solving.cpsat import CpSat
from armybuilder.solving.decoding import decode
from armybuilder.solving.look_ahead import Fate, look_ahead
from armybuilder.solving.port import Problem, Solution
from armybuilder.solving.repair import repairs
from armybuilder.solving.scopes import usual
from armybuilder.solving.weights import USUAL
from tests.building.documents import value_of
from tests.building.tiny import Data, document, game, rule, take, unit

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
    """Those of them that are legal."""
    for decided in every_list(possible):
        other = decode(possible, possible.constraints.complete(decided), made)
        if validate(make_roster(other, catalogue), catalogue).legal:
            yield decided, other


def cost_of(possible: PossibleLists, cost: Expression, decided: dict[int, int]) -> int:
    """What one list costs, where nothing is left to decide."""
    answer = CpSat().solve(Problem(possible.constraints, cost, fixed=decided), LONG)
    assert isinstance(answer, Solution)
    return answer.worth


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
