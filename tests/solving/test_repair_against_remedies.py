"""Repair against the buttons of single findings, pressed until nothing moves: every broken list is
made legal, and none at a dearer cost. `python -m tests.solving.test_repair_against_remedies 300`
prints figures of so many lists over all games.
"""

import os
import sys
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

import pytest

from armybuilder.acts.base import performed
from armybuilder.advice.answers import Subject
from armybuilder.advice.finding_details import FindingPresenter
from armybuilder.editing.names import entry_name
from armybuilder.engine import Severity, validate
from armybuilder.engine.catalogue import Catalogue
from armybuilder.loading.armylist import ArmyList
from armybuilder.loading.documents import make_roster
from armybuilder.solving.changes import distance_of
from armybuilder.solving.cpsat import CpSat
from armybuilder.solving.port import Problem, Solution
from armybuilder.solving.repair import repairs
from armybuilder.solving.scopes import usual
from tests.building.documents import value_of
from tests.building.random_lists import ARMY_BOOKS, SKIRMISHES, catalogue_of, random_lists
from tests.effort import THOROUGH
from tests.solving.shared_spaces import SharedSpace

pytestmark = pytest.mark.long

GAMES = [*SKIRMISHES, *ARMY_BOOKS[::6]] if THOROUGH else ["sbh"]
#: Lists of each game; of all games and books they are 300.
EACH = 12 if THOROUGH else 4
#: Buttons that are pressed at most.
PRESSES = 40
LONG = 60.0


def broken_lists(game: str, number: int, seed: int = 17) -> Iterator[ArmyList]:
    """Random lists that are not legal."""
    lists = map(value_of, random_lists(game, seed))
    return islice((one for one in lists if not is_legal(one, catalogue_of(game))), number)


def is_legal(army_list: ArmyList, catalogue: Catalogue) -> bool:
    return validate(make_roster(army_list, catalogue), catalogue).legal


def pressed(army_list: ArmyList, catalogue: Catalogue) -> ArmyList:
    """Press the first button of the first error that has one, until nothing moves."""
    seen = [army_list]
    for _press in range(PRESSES):
        after = _pressed_once(seen[-1], catalogue)
        if after is None or after in seen:
            break
        seen.append(after)
    return seen[-1]


def _pressed_once(army_list: ArmyList, catalogue: Catalogue) -> ArmyList | None:
    roster = make_roster(army_list, catalogue)
    report = validate(roster, catalogue)
    names = {unit.id: entry_name(unit, catalogue.units) for unit in army_list.units}
    subject = Subject(army_list, catalogue, roster, report, names)
    presenter = FindingPresenter(subject, performed)
    for finding in report.findings:
        if finding.severity is Severity.ERROR:
            for answer in presenter.answers(finding)[:1]:
                return performed(subject, answer.fields)
    return None


def least_cost(army_list: ArmyList, made: ArmyList, catalogue: Catalogue) -> int | None:
    """Return what the changes from one list to another cost; None where the other is not among
    the lists that a repair may make.
    """
    rosters = [make_roster(one, catalogue) for one in (army_list, made)]
    space = SharedSpace(rosters, catalogue, legal=True)
    point, most = space.point(1), usual(rosters[0], catalogue).added
    if point is None or any(number > most.get(ref, 0) for ref, number in space.added.items()):
        return None
    cost, fixed = distance_of(space.possible).cost, space.decisions | point
    answer = CpSat().solve(Problem(space.possible.constraints, cost, fixed=fixed), LONG)
    return answer.worth if isinstance(answer, Solution) else None


class Compared(NamedTuple):
    """What a repair costs, and the buttons, None where these made nothing legal or what a repair
    could not make.
    """

    repair: int
    proved: bool
    buttons: int | None
    by_buttons: bool


def compared(army_list: ArmyList, catalogue: Catalogue) -> Compared:
    (repair,) = repairs(army_list, catalogue, CpSat(), number=1, seconds=LONG).found
    assert is_legal(repair.army_list, catalogue)
    made = pressed(army_list, catalogue)
    by_buttons = is_legal(made, catalogue)
    cost = least_cost(army_list, made, catalogue) if by_buttons else None
    return Compared(repair.cost, repair.proved, cost, by_buttons)


@pytest.mark.parametrize("game", GAMES)
def test_every_broken_list_is_repaired_at_no_more_than_by_buttons(game: str) -> None:
    catalogue = catalogue_of(game)
    found = [compared(army_list, catalogue) for army_list in broken_lists(game, EACH)]
    assert all(one.proved for one in found)
    assert all(one.buttons is None or one.repair <= one.buttons for one in found)


@pytest.mark.parametrize("game", [pytest.param("sbh", marks=pytest.mark.slow), "highborn-elves"])
def test_what_a_repair_costs_is_what_its_list_costs(game: str) -> None:
    """So that the two are measured alike."""
    catalogue = catalogue_of(game)
    for army_list in broken_lists(game, EACH):
        for repair in repairs(army_list, catalogue, CpSat(), seconds=LONG).found:
            assert least_cost(army_list, repair.army_list, catalogue) == repair.cost


def main(number: int) -> None:
    """Print figures of so many lists over all games."""
    games = [*SKIRMISHES, *ARMY_BOOKS]
    found: list[Compared] = []
    for place, game in enumerate(games):
        each = number // len(games) + (place < number % len(games))
        found += [compared(one, catalogue_of(game)) for one in broken_lists(game, each)]
    by_buttons = [one for one in found if one.by_buttons]
    both = [one for one in by_buttons if one.buttons is not None]
    dearer = [one for one in both if one.buttons is not None and one.repair > one.buttons]
    print(f"{len(found)} lists made legal, {sum(one.proved for one in found)} proved")
    print(f"{len(by_buttons)} by buttons; {len(both)} of them within what a repair may change")
    costs = sum(one.repair for one in both), sum(one.buttons or 0 for one in both)
    print(f"cost of those: {costs[0]} repaired, {costs[1]} by buttons; {len(dearer)} dearer")


if __name__ == "__main__":
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
    django.setup()
    main(int(sys.argv[1]))
