"""What is asked of odd lists: very long ones, huge books, books that contradict themselves, a limit
of nothing, a solver that dies, many who ask at once. Each is answered, none by an exception. And a
"no" and a "no more" hold whatever a rule asks for, though of each unit only so many copies and
models are looked at.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from armybuilder.engine.catalogue import Catalogue
from armybuilder.loading.armylist import ArmyList
from armybuilder.loading.documents import catalogue_of, judge_by
from armybuilder.loading.library import shipped_library
from armybuilder.loading.packs import at_event, build_pack
from armybuilder.solving.cpsat import CpSat
from armybuilder.solving.explain import explain
from armybuilder.solving.fill import filling
from armybuilder.solving.look_ahead import Fate, look_ahead
from armybuilder.solving.port import Answer, Problem, Unknown
from armybuilder.solving.questions import Question, Sought, answer, questions
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


@pytest.mark.one_in(5)
@EACH
def test_a_list_of_five_hundred_units_is_not_looked_through(asked: Asked) -> None:
    made, solver = value_of(repeated(army(), 500)), Counting()
    asked(made, catalogue_of(made, LIBRARY), solver)
    assert solver.largest == 0


@pytest.mark.slow
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


@pytest.mark.one_in(5)
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


@pytest.mark.one_in(5)
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


LONG = 10.0
SOLVER = CpSat()


def listed(system: str, book: str, limit: int, *units: tuple[str, int]) -> ArmyList:
    entries = [{"unit": f"{book}/{unit}", "models": models} for unit, models in units]
    return value_of(list_of(system, [book], entries, limit=limit))


def asking(army_list: ArmyList, unit: str, count: str, least: int) -> Catalogue:
    """The catalogue of a list, as an event plays it that wants so much of a unit."""
    library, book = shipped_library(), army_list.books[0].id
    rule: dict[str, Any] = {
        "id": "least", "kind": "limit", "code": "event.limit", "cite": "1", "summary": "Many.",
        "of": {"unit": f"{book}/{unit}"}, "count": count, "min": least,
    }  # fmt: skip
    data = {
        "format": "pack/1", "id": "many", "name": "Many", "about": "Many", "entry": {},
        "system": army_list.system, "sources": {"pack": {"title": "Many", "short": "Pack"}},
        "rules": [rule],
    }  # fmt: skip
    pack, problems = build_pack(data, library.systems, "the pack")
    assert pack is not None, problems
    return at_event(catalogue_of(army_list, library), pack)


@pytest.mark.parametrize(
    ("system", "book", "limit", "unit", "least"),
    [
        ("sbh", "profiles", 1000, "goblin-warrior", 65),
        ("chainmail-2002", "practice", 150, "gatehouse-recruit", 65),
    ],
)
def test_of_models_bought_singly_as_many_are_looked_at_as_can_be_paid(
    system: str, book: str, limit: int, unit: str, least: int
) -> None:
    empty = listed(system, book, limit)
    catalogue = asking(empty, unit, "models", least)
    assert look_ahead(empty, catalogue, SOLVER, LONG).whole is Fate.OPEN
    (made,) = repairs(empty, catalogue, SOLVER, 1, seconds=LONG).found
    assert judge_by(made.army_list, catalogue).report.legal
    assert look_ahead(empty, asking(empty, unit, "models", 400), SOLVER, LONG).whole is Fate.DEAD


@pytest.mark.slow
def test_where_an_event_wants_more_copies_than_are_looked_at_a_no_is_not_known() -> None:
    """Five units of Vermin Slaves, of which each is thought of four times, make a legal army."""
    empty = listed("t9a-2024", "vermin-swarm", 4500)
    catalogue = asking(empty, "vermin-slaves", "units", 5)
    five = listed("t9a-2024", "vermin-swarm", 4500, *[("vermin-slaves", 30)] * 5)
    filled = filling(five, catalogue, SOLVER, 2, seconds=LONG).filled
    assert filled is not None
    assert judge_by(filled.army_list, catalogue).report.legal
    outlook = look_ahead(empty, catalogue, SOLVER, LONG)
    assert outlook.whole is Fate.UNKNOWN
    assert Fate.DEAD not in outlook.units.values()
    assert not repairs(empty, catalogue, SOLVER, 1, seconds=1.0).impossible
    assert explain(empty, catalogue, SOLVER, LONG) is None
    assert not answer(Question(Sought.CHEAPEST), empty, catalogue, SOLVER).impossible


@pytest.mark.slow
def test_the_most_models_are_at_least_so_many_where_more_copies_might_come() -> None:
    recruits = answer(
        Question(Sought.MODELS),
        empty := listed("chainmail-2002", "practice", 100),
        catalogue_of(empty, shipped_library()),
        SOLVER,
    )
    assert (recruits.value, recruits.proved) == (50, True)
    swarm = listed("t9a-2023", "vermin-swarm", 4500)
    most = answer(Question(Sought.MODELS), swarm, catalogue_of(swarm, shipped_library()), SOLVER)
    assert most.army_list is not None
    assert not most.proved
