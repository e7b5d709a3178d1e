"""A "no" and a "no more" hold whatever a rule asks for, though of each unit only so many copies and
models are looked at.
"""

from typing import Any

import pytest

from armybuilder.engine.catalogue import Catalogue
from armybuilder.loading.armylist import ArmyList
from armybuilder.loading.documents import catalogue_of, judge_by
from armybuilder.loading.library import shipped_library
from armybuilder.loading.packs import at_event, build_pack
from armybuilder.solving.cpsat import CpSat
from armybuilder.solving.explain import explain
from armybuilder.solving.fill import fill
from armybuilder.solving.look_ahead import Fate, look_ahead
from armybuilder.solving.questions import Question, Sought, answer
from armybuilder.solving.repair import repairs
from tests.building.documents import list_of, value_of

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


def test_where_an_event_wants_more_copies_than_are_looked_at_a_no_is_not_known() -> None:
    """Five units of Vermin Slaves, of which each is thought of four times, make a legal army."""
    empty = listed("t9a-2024", "vermin-swarm", 4500)
    catalogue = asking(empty, "vermin-slaves", "units", 5)
    five = listed("t9a-2024", "vermin-swarm", 4500, *[("vermin-slaves", 30)] * 5)
    filled = fill(five, catalogue, SOLVER, 2, seconds=LONG)
    assert filled is not None
    assert judge_by(filled.army_list, catalogue).report.legal
    outlook = look_ahead(empty, catalogue, SOLVER, LONG)
    assert outlook.whole is Fate.UNKNOWN
    assert Fate.DEAD not in outlook.units.values()
    assert not repairs(empty, catalogue, SOLVER, 1, seconds=1.0).impossible
    assert explain(empty, catalogue, SOLVER, LONG) is None
    assert not answer(Question(Sought.CHEAPEST), empty, catalogue, SOLVER).impossible


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
