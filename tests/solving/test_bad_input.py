"""What is asked of odd lists: very long ones, huge books, books that contradict themselves, a limit
of nothing, a solver that dies, many who ask at once. Each is answered, none by an exception.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from armybuilder.engine.catalogue import Catalogue
from armybuilder.loading.armylist import ArmyList
from armybuilder.loading.documents import catalogue_of
from armybuilder.loading.library import shipped_library
from armybuilder.solving.cpsat import CpSat
from armybuilder.solving.explain import explain
from armybuilder.solving.fill import filling
from armybuilder.solving.look_ahead import Fate, look_ahead
from armybuilder.solving.port import Answer, Problem, Unknown
from armybuilder.solving.questions import answer, questions
from armybuilder.solving.repair import repairs
from armybuilder.solving.taste import Wishes
from tests.building.documents import army, list_of, repeated, value_of
from tests.building.tiny import document, game, rule, take, unit

LIBRARY = shipped_library()
Asked = Callable[[ArmyList, Catalogue, Any], Any]

#: Every question, asked with a solver.
QUESTIONS: dict[str, Asked] = {
    "repair": lambda made, catalogue, solver: repairs(made, catalogue, solver),
    "look ahead": lambda made, catalogue, solver: look_ahead(made, catalogue, solver),
    "explain": lambda made, catalogue, solver: explain(made, catalogue, solver),
    "fill": lambda made, catalogue, solver: filling(made, catalogue, solver, 1, Wishes()),
    "most models": lambda made, catalogue, solver: answer(
        next(iter(questions(catalogue))), made, catalogue, solver
    ),
}
EACH = pytest.mark.parametrize("asked", QUESTIONS.values(), ids=QUESTIONS)


class Counting:
    """A solver that counts how large the problems are that it is asked."""

    def __init__(self) -> None:
        self.largest = 0

    def solve(self, problem: Problem, seconds: float) -> Answer:
        self.largest = max(self.largest, len(problem.constraints.low))
        return Unknown()


@EACH
def test_a_list_of_five_hundred_units_is_not_looked_through(asked: Asked) -> None:
    made, solver = value_of(repeated(army(), 500)), Counting()
    asked(made, catalogue_of(made, LIBRARY), solver)
    assert solver.largest == 0


@pytest.mark.one_in(3)
@EACH
def test_of_a_huge_book_a_part_is_looked_through(asked: Asked) -> None:
    catalogue = game(
        rule("limit", "points.over", id="points", count="points", max="limit"),
        rule("limit", "list.empty", id="some", count="models", min=4),
        units=[unit(f"u{number}", 5 + number % 7) for number in range(2_000)],
    )
    solver = Counting()
    asked(value_of(document(take("u3"), take("u4"))), catalogue, solver)
    assert solver.largest < 6_000


AGAINST_ITSELF = game(
    rule("limit", "list.empty", id="some", count="models", of={"ability": "bow"}, min=1),
    rule("limit", "points.over", id="none", count="models", of={"ability": "bow"}, max=0),
)


def test_a_book_that_contradicts_itself_is_said_to_with_its_rules() -> None:
    made = value_of(document(take("soldier")))
    found = repairs(made, AGAINST_ITSELF, CpSat(), seconds=5)
    assert (found.found, found.impossible) == ((), True)
    assert filling(made, AGAINST_ITSELF, CpSat(), 1, Wishes()).impossible
    assert look_ahead(made, AGAINST_ITSELF, CpSat(), seconds=5).whole is Fate.DEAD
    core = explain(made, AGAINST_ITSELF, CpSat(), seconds=5)
    assert core is not None
    assert [head.id for head in core.rules] == ["some", "none"]
    assert core.units == ()


@EACH
@pytest.mark.parametrize("system", ["sbh", "t9a-2023", "chainmail-2002"])
def test_a_game_of_no_points_is_answered(asked: Asked, system: str) -> None:
    book = next(iter(LIBRARY.books[system]))
    made = value_of(list_of(system, [book], [], limit=1))
    asked(made, catalogue_of(made, LIBRARY), CpSat())


class Dying:
    """A solver that ends in the middle."""

    def solve(self, problem: Problem, seconds: float) -> Answer:
        raise MemoryError("killed")


@EACH
def test_a_solver_that_dies_takes_no_list_with_it(asked: Asked) -> None:
    made = value_of(list_of("sbh", ["profiles"], [], limit=300))
    before = made.to_dict()
    with pytest.raises(MemoryError):
        asked(made, catalogue_of(made, LIBRARY), Dying())
    assert made.to_dict() == before
    asked(made, catalogue_of(made, LIBRARY), CpSat())


class Patient(CpSat):
    """A solver that waits as long as it takes: on a machine that has much else to do, who comes
    last would be told "unknown" instead of the answer of the others.
    """

    def solve(self, problem: Problem, seconds: float) -> Answer:
        return super().solve(problem, 60 + seconds)


@EACH
def test_ten_who_ask_at_once_get_the_same_answer(
    asked: Asked, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("look_ahead", "explain", "sizes"):
        monkeypatch.setattr(f"armybuilder.solving.{module}.monotonic", lambda: 0.0)
    made = value_of(document(take("soldier", 2), take("archer")))
    catalogue = game(
        rule("limit", "points.over", id="points", count="points", max="limit"),
        rule("limit", "list.empty", id="some", count="models", min=5),
    )
    with ThreadPoolExecutor(10) as pool:
        found = list(pool.map(lambda _: asked(made, catalogue, Patient()), range(10)))
    assert len({str(one) for one in found}) == 1
