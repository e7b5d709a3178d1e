"""Repair: what ways differ by, what goes first, and who has the last word. And against the buttons
of single findings, pressed until nothing moves: every broken list is made legal, and none at a
dearer cost. `python -m tests.solving.test_repair 300` prints figures of so many lists over all
games.
"""

import logging
import os
import sys
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from typing import Any, NamedTuple

import pytest

from armybuilder.acts.base import performed
from armybuilder.advice.answers import Subject
from armybuilder.advice.finding_details import FindingPresenter
from armybuilder.editing.names import entry_name
from armybuilder.engine import Report, Severity, validate
from armybuilder.engine.catalogue import Catalogue
from armybuilder.engine.roster import Roster
from armybuilder.loading.armylist import ArmyList
from armybuilder.loading.documents import make_roster
from armybuilder.solving import decoding, repair
from armybuilder.solving.changes import distance_of
from armybuilder.solving.cpsat import CpSat
from armybuilder.solving.keeping import Pins, read_pins
from armybuilder.solving.port import Problem, Solution
from armybuilder.solving.repair import repairs
from armybuilder.solving.scopes import usual
from tests.building.documents import list_of, value_of
from tests.building.random_lists import ARMY_BOOKS, SKIRMISHES, catalogue_of, random_lists
from tests.effort import THOROUGH
from tests.solving.shared_spaces import SharedSpace

LONG = 60.0
SOLVER = CpSat()
WARRIOR, ARCHER = "profiles/human-warrior", "profiles/human-archer"


def warband(*units: dict[str, Any], limit: int = 300) -> ArmyList:
    return value_of(list_of("sbh", ["profiles"], list(units), limit=limit))


def elves(*units: dict[str, Any], limit: int = 4500) -> ArmyList:
    named = [{**unit, "unit": f"highborn-elves/{unit['unit']}"} for unit in units]
    return value_of(list_of("t9a-2023", ["highborn-elves"], named, limit=limit))


def found(army_list: ArmyList, game: str, **asked: Any) -> list[repair.Repair]:
    asked.setdefault("seconds", LONG)
    return list(repairs(army_list, catalogue_of(game), SOLVER, **asked).found)


def test_a_fix_the_validator_refuses_is_not_offered(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """It refuses what the constraints allow: that is logged and cut off, and another is found."""
    army_list = warband({"unit": WARRIOR, "models": 8}, {"unit": ARCHER, "models": 2})
    game = catalogue_of("sbh")
    (over,) = validate(make_roster(army_list, game), game).findings
    assert over.severity is Severity.ERROR
    (first, *_) = found(army_list, "sbh", number=1)
    left = {entry.ref: entry.models for entry in first.army_list.units}

    def stricter(roster: Roster, catalogue: Any) -> Report:
        """The list that came first is not legal here."""
        report = validate(roster, catalogue)
        there = {pick.ref: pick.models for pick in roster.picks}
        units = tuple(pick.id for pick in roster.picks)
        wrong = (replace(over, units=units),) if there == left else ()
        return replace(report, findings=(*report.findings, *wrong))

    monkeypatch.setattr(decoding, "validate", stricter)
    with caplog.at_level(logging.ERROR, decoding.__name__):
        (other,) = found(army_list, "sbh", number=1)
    assert "a repair is not legal" in caplog.text
    assert {entry.ref: entry.models for entry in other.army_list.units} != left
    assert other.cost >= first.cost
    assert first.proved
    assert not other.proved


UNKNOWN = "profiles/nobody-knows"


def test_unknown_units_are_removed_first() -> None:
    """A unit and a role that no book and no game has; without them, eight warriors fit."""
    odd = {"unit": WARRIOR, "models": 8, "roles": ["king"]}
    army_list = warband(odd, {"unit": UNKNOWN, "models": 2})
    (way,) = found(army_list, "sbh")
    assert [(one.ref, one.models, one.roles) for one in way.army_list.units] == [(WARRIOR, 8, ())]
    assert way.proved


def test_added_units_get_ids_that_unknown_units_do_not_have() -> None:
    """A difference would tell it as that unit, changed."""
    rank = [{"unit": "sea-guard", "models": 20}, {"unit": "highborn-lancers", "models": 10}]
    lord, odd = {"unit": "high-prince", "models": 1}, {"unit": "nobody-knows", "models": 2}
    army_list = elves(lord, *rank, odd, limit=1500)
    (way, *_) = found(army_list, "highborn-elves", number=1)
    ids = [entry.id for entry in way.army_list.units]
    assert ids == ["u1", "u2", "u3", "u5"]


@pytest.mark.parametrize("pin", ["u1", "u1:king", "u2"])
def test_a_pinned_unknown_unit_leaves_no_fix(pin: str) -> None:
    odd = {"unit": WARRIOR, "models": 8, "roles": ["king"]}
    army_list = warband(odd, {"unit": UNKNOWN, "models": 2})
    answer = repairs(army_list, catalogue_of("sbh"), SOLVER, pins=read_pins([pin]), seconds=LONG)
    assert answer == repair.Repairs((), impossible=True)


@pytest.mark.slow
def test_the_search_ends_if_the_validator_refuses_everything(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Nothing is found, and nobody says that there is nothing."""
    army_list = warband({"unit": WARRIOR, "models": 11})
    game = catalogue_of("sbh")
    broken = validate(make_roster(army_list, game), game)
    monkeypatch.setattr(decoding, "validate", lambda roster, catalogue: broken)
    answer = repairs(army_list, game, SOLVER, seconds=1.0)
    assert answer.found == ()
    assert not answer.impossible


def test_other_numbers_of_the_same_units_are_no_other_fix() -> None:
    army_list = warband({"unit": WARRIOR, "models": 8}, {"unit": ARCHER, "models": 4})
    ways = found(army_list, "sbh")
    units = [{(one.kind, one.unit) for one in way.changes} for way in ways]
    assert len(ways) > 1
    assert all(one != other for at, one in enumerate(units) for other in units[:at])


@pytest.mark.slow
def test_a_change_of_general_alone_is_no_other_fix() -> None:
    lords = [{"unit": "high-prince", "models": 1}, {"unit": "commander", "models": 1}]
    rank = [{"unit": "sea-guard", "models": 30}] * 2 + [{"unit": "highborn-lancers", "models": 10}]
    for way in (ways := found(elves(*lords, *rank, limit=2500), "highborn-elves")):
        told = [frozenset(one for one in other.changes if one.is_told) for other in ways]
        assert told.count(frozenset(one for one in way.changes if one.is_told)) == 1


def gone(army_list: ArmyList, way: repair.Repair) -> list[str]:
    left = {entry.id for entry in way.army_list.units}
    return [entry.id for entry in army_list.units if entry.id not in left]


@pytest.mark.parametrize(
    "more",
    [
        {"options": [{"id": "champion"}, {"id": "musician"}]},
        {"name": "The Old Guard"},
        {"notes": "Painted"},
    ],
)
def test_a_plain_unit_is_removed_before_an_equipped_one(more: dict[str, Any]) -> None:
    spears = {"unit": "citizen-spears", "models": 20}
    prince = {"unit": "high-prince", "models": 1, "roles": ["general"]}
    army_list = elves(prince, *[{**spears, **more}] * 2, spears, {**spears, **more}, limit=4500)
    spent = validate(
        make_roster(army_list, catalogue_of("highborn-elves")), catalogue_of("highborn-elves")
    ).spent
    smaller = replace(army_list, limit=spent - 230)
    (way, *_) = found(smaller, "highborn-elves", pins=Pins(frozenset({"u1"})), number=1)
    assert gone(smaller, way) == ["u4"], way.changes


def test_pins_name_units_roles_and_options() -> None:
    assert read_pins(["u1", "u2:general", "u3/horse/barding", ""]) == Pins(
        frozenset({"u1", ""}),
        frozenset({("u2", "general")}),
        frozenset({("u3", ("horse", "barding"))}),
    )


GAMES = [*SKIRMISHES, *ARMY_BOOKS[::6]] if THOROUGH else ["sbh"]
#: Lists of each game; by hand (`main`) as many as one likes.
EACH = 4
#: Buttons that are pressed at most.
PRESSES = 40


def broken_lists(game: str, number: int, seed: int = 17) -> Iterator[ArmyList]:
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
    (way,) = repairs(army_list, catalogue, CpSat(), number=1, seconds=LONG).found
    assert is_legal(way.army_list, catalogue)
    made = pressed(army_list, catalogue)
    by_buttons = is_legal(made, catalogue)
    cost = least_cost(army_list, made, catalogue) if by_buttons else None
    return Compared(way.cost, way.proved, cost, by_buttons)


def test_a_fix_names_only_changes_it_makes() -> None:
    catalogue = catalogue_of("sbh")
    names = "dwarf-warrior", "dwarf-elite-warrior", "dwarf-leader", "orcslayer", "dwarf-spearman"
    units = [{"unit": f"profiles/{name}", "models": 1} for name in names]
    units.append({"unit": "profiles/lizardman-champion", "models": 3})
    army_list = value_of(list_of("sbh", ["profiles"], units, limit=300))
    ways = repairs(army_list, catalogue, CpSat(), seconds=LONG).found
    made = [tuple((unit.ref, unit.models) for unit in way.army_list.units) for way in ways]
    assert len({*made}) == len(ways) > 1
    for way in ways:
        assert least_cost(army_list, way.army_list, catalogue) == way.cost


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES)
def test_every_broken_list_is_repaired_at_no_more_than_by_buttons(game: str) -> None:
    catalogue = catalogue_of(game)
    found = [compared(army_list, catalogue) for army_list in broken_lists(game, EACH)]
    assert all(one.proved for one in found)
    assert all(one.buttons is None or one.repair <= one.buttons for one in found)


@pytest.mark.slow
@pytest.mark.parametrize("game", ["sbh", "highborn-elves"])
def test_what_a_repair_costs_is_what_its_list_costs(game: str) -> None:
    """So that the two are measured alike."""
    catalogue = catalogue_of(game)
    for army_list in broken_lists(game, EACH):
        for way in repairs(army_list, catalogue, CpSat(), seconds=LONG).found:
            assert least_cost(army_list, way.army_list, catalogue) == way.cost


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
