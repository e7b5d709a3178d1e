"""Repair, look ahead, fill and explain: what they promise, on random lists of every game."""

import sys
from collections.abc import Iterator
from itertools import islice
from random import Random
from typing import Any

import pytest

from armybuilder.engine import Report, validate
from armybuilder.engine.catalogue import Catalogue
from armybuilder.loading.armylist import ArmyList
from armybuilder.loading.documents import make_roster
from armybuilder.solving import cpsat
from armybuilder.solving.cpsat import CpSat
from armybuilder.solving.explain import explain
from armybuilder.solving.fill import Wishes, filling
from armybuilder.solving.keeping import Pins
from armybuilder.solving.look_ahead import Fate, look_ahead
from armybuilder.solving.port import NoSolver
from armybuilder.solving.questions import Question, Sought, answer, questions
from armybuilder.solving.repair import Repair, repairs
from armybuilder.solving.unfinished import unfinished
from tests.building.documents import list_of, value_of
from tests.building.random_lists import (
    ARMY_BOOKS,
    SKIRMISHES,
    catalogue_of,
    random_lists,
    starts_of,
)
from tests.effort import THOROUGH, tries
from tests.solving.half_lists import parts_of

pytestmark = pytest.mark.long

GAMES = [*SKIRMISHES, *ARMY_BOOKS[::6]] if THOROUGH else ["sbh", "highborn-elves"]
#: Long enough that no test depends on the machine.
LONG = 60.0
SOLVER = CpSat()

every_game = pytest.mark.parametrize("game", GAMES)


def report_of(army_list: ArmyList, catalogue: Catalogue) -> Report:
    return validate(make_roster(army_list, catalogue), catalogue)


def illegal(game: str, number: int) -> Iterator[ArmyList]:
    lists = map(value_of, random_lists(game, seed=11))
    return islice((one for one in lists if not report_of(one, catalogue_of(game)).legal), number)


def halves(game: str) -> Iterator[ArmyList]:
    rng = Random(3)  # noqa: S311, lists for tests, not secrets
    for start in starts_of(game):
        units = rng.sample(start["units"], len(start["units"]) // 2)
        yield value_of({**start, "units": units})


def assert_stays(before: ArmyList, after: ArmyList) -> None:
    """Nothing of a list goes: no models, no roles, no options, nor what they are put on."""
    there = {one.id: one for one in after.units}
    assert all(there[one.id].models >= one.models for one in before.units)
    assert parts_of(before) <= parts_of(after)


def assert_pinned_stay(army_list: ArmyList, catalogue: Catalogue, first: Repair) -> None:
    """A unit that a repair changes is kept by another, which costs as much at least."""
    kept = {one.id: one for one in first.army_list.units}
    changed = [one.id for one in army_list.units if kept.get(one.id) != one]
    pins = Pins(units=frozenset(changed[:1]))
    for other in repairs(army_list, catalogue, SOLVER, 1, pins, seconds=LONG).found:
        assert other.cost >= first.cost
        pinned = [one for one in army_list.units if one.id in pins.units]
        there = {one.id: one for one in other.army_list.units}
        assert all(there[one.id].models >= one.models for one in pinned)


@every_game
def test_an_illegal_list_is_made_legal_the_smallest_way_first_and_what_is_pinned_stays(
    game: str,
) -> None:
    catalogue = catalogue_of(game)
    for army_list in illegal(game, tries(4, 1)):
        found = repairs(army_list, catalogue, SOLVER, seconds=LONG).found
        assert found
        assert_pinned_stay(army_list, catalogue, found[0])
        assert all(report_of(one.army_list, catalogue).legal for one in found)
        assert found[0].proved  # of further ways of a very large list it may take minutes
        assert [one.cost for one in found] == sorted(one.cost for one in found)
        made = [one.army_list.to_dict() for one in found]
        assert all(one not in made[:place] for place, one in enumerate(made))


@pytest.mark.one_in(2)
@every_game
def test_a_legal_list_needs_no_repair(game: str) -> None:
    catalogue = catalogue_of(game)
    legal = [one for one in map(value_of, starts_of(game)) if report_of(one, catalogue).legal]
    (repair,) = repairs(legal[0], catalogue, SOLVER, seconds=LONG).found
    assert (repair.cost, repair.changes) == (0, ())
    assert repair.army_list == legal[0]


@pytest.mark.one_in(2)
@every_game
def test_half_a_list_is_filled_to_the_limit(game: str) -> None:
    catalogue = catalogue_of(game)
    filled = exact = 0
    for seed, half in enumerate(islice(halves(game), tries(4, 1))):
        found = filling(half, catalogue, SOLVER, seed, seconds=LONG).filled
        if found is None:
            assert look_ahead(half, catalogue, SOLVER, LONG).whole is not Fate.OPEN
            continue
        report = report_of(found.army_list, catalogue)
        assert report.legal
        assert found.left == report.limit - report.spent
        assert found.proved
        exact += not found.left
        assert_stays(half, found.army_list)
        filled += 1
    assert filled
    assert exact


@pytest.mark.slow
@pytest.mark.one_in(2)
@pytest.mark.parametrize("game", ["highborn-elves", "t9a-2024/highborn-elves"])
def test_adding_units_keeps_the_general(game: str) -> None:
    catalogue = catalogue_of(game)
    units = [
        {"unit": "highborn-elves/high-prince", "models": 1, "roles": ["general"]},
        {"unit": "highborn-elves/mage", "models": 1},
        {"unit": "highborn-elves/citizen-spears", "models": 20},
    ]
    begun = value_of(list_of(catalogue.system.id, ["highborn-elves"], units, limit=4500))
    made = [filling(begun, catalogue, SOLVER, seed).filled for seed in range(tries(3, 1))]
    answers = [answer(one, begun, catalogue, SOLVER) for one in questions(catalogue)]
    for after in (one.army_list if one is not None else None for one in (*made, *answers)):
        assert after is not None
        assert_stays(begun, after)
        assert [unit.id for unit in after.units if "general" in unit.roles] == ["u1"]


@pytest.mark.one_in(2)
@every_game
def test_a_list_is_made_from_nothing_and_others_of_other_seeds(game: str) -> None:
    catalogue, (start, *_) = catalogue_of(game), starts_of(game)
    empty = value_of({**start, "units": []})
    found = [filling(empty, catalogue, SOLVER, seed, seconds=LONG).filled for seed in range(3)]
    made = [one.army_list.to_dict()["units"] for one in found if one is not None]
    assert len(made) == 3
    assert any(one != made[0] for one in made)
    assert all(one is not None and one.left == 0 for one in found)
    again = filling(empty, catalogue, SOLVER, 0, seconds=LONG).filled
    assert again is not None
    assert again.army_list.to_dict()["units"] == made[0]


@pytest.mark.slow
def test_wishes_change_the_filling() -> None:
    catalogue = catalogue_of("highborn-elves")
    empty = value_of({**starts_of("highborn-elves")[0], "units": [], "limit": 4500})

    def models(wishes: Wishes) -> int:
        found = filling(empty, catalogue, SOLVER, 1, wishes, LONG).filled
        assert found is not None
        return sum(unit.models for unit in found.army_list.units)

    assert models(Wishes(bodies=3)) > models(Wishes(bodies=-3))
    found = filling(empty, catalogue, SOLVER, 1, Wishes(no_copies=True), LONG).filled
    assert found is not None
    refs = [unit.ref for unit in found.army_list.units]
    assert len(set(refs)) == len(refs)


@pytest.mark.one_in(8)
@pytest.mark.parametrize("game", [*reversed(SKIRMISHES), "dread-fleet", "highborn-elves"])
def test_what_looking_ahead_says_holds(game: str) -> None:
    """Where it can become legal, filling finds how; where it cannot, there is a reason."""
    catalogue = catalogue_of(game)
    for army_list in [*islice(halves(game), tries(2, 1)), *illegal(game, tries(3, 1))]:
        outlook = look_ahead(army_list, catalogue, SOLVER, LONG)
        # To make the core of a whole army minimal can take long: that is not waited for.
        core = explain(army_list, catalogue, SOLVER, 10.0)
        roster = make_roster(army_list, catalogue)
        cards = {card.ref for card in unfinished(catalogue, roster)}
        assert not outlook.cards or cards
        if outlook.whole is Fate.UNKNOWN:
            assert outlook.cards
            assert core is not None
            assert not answer(Question(Sought.CHEAPEST), army_list, catalogue, SOLVER).impossible
            continue
        assert (outlook.whole is Fate.DEAD) == (core is not None)
        unknown = {ref for ref, fate in outlook.units.items() if fate is Fate.UNKNOWN}
        assert outlook.cards or unknown <= cards
        if core is not None:
            assert core.rules


def test_a_core_names_the_rule_and_the_units_that_clash() -> None:
    catalogue = catalogue_of("ddm-2008")
    unique = next(unit for unit in catalogue.units.values() if unit.unique)
    twice = [{"unit": unique.ref, "models": 2}, {"unit": next(iter(catalogue.units)), "models": 1}]
    books = [book.id for book in catalogue.books]
    army_list = value_of(list_of("ddm-2008", books, twice, limit=200))
    core = explain(army_list, catalogue, SOLVER, LONG)
    assert core is not None
    assert [head.id for head in core.rules] == ["unique"]
    assert core.units == ("u1",)


def test_a_missing_solver_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    army_list = value_of(starts_of("sbh")[0])  # by the solver
    hidden: Any = None  # what Python takes for a module that cannot be had
    monkeypatch.setitem(sys.modules, "ortools.sat.python", hidden)
    cpsat._helper.cache_clear()
    cpsat.is_installed.cache_clear()
    try:
        assert not cpsat.is_installed()
        with pytest.raises(NoSolver):
            repairs(army_list, catalogue_of("sbh"), SOLVER)
    finally:
        cpsat._helper.cache_clear()
        cpsat.is_installed.cache_clear()


@pytest.mark.slow
def test_a_question_lets_listed_units_take_what_they_need() -> None:
    """A mage of whom it is not said yet how learned they are stands in nobody's way."""
    catalogue = catalogue_of("highborn-elves")
    units = [
        {"id": "u1", "unit": "highborn-elves/mage", "models": 1},
        {"id": "u2", "unit": "highborn-elves/sea-guard", "models": 20},
    ]
    army_list = value_of({**starts_of("highborn-elves")[0], "units": units, "limit": 4500})
    for question in questions(catalogue):
        reply = answer(question, army_list, catalogue, SOLVER)
        assert reply.army_list is not None, question.id
        assert report_of(reply.army_list, catalogue).legal
        assert not reply.impossible
