"""Repair: what ways differ by, what goes first, and who has the last word."""

import logging
from dataclasses import replace
from typing import Any

import pytest

from armybuilder.engine import Report, validate
from armybuilder.engine.citations import Severity
from armybuilder.engine.roster import Roster
from armybuilder.loading.armylist import ArmyList
from armybuilder.loading.documents import make_roster
from armybuilder.solving import decoding, repair
from armybuilder.solving.cpsat import CpSat
from armybuilder.solving.keeping import Pins, read_pins
from armybuilder.solving.repair import repairs
from tests.building.documents import list_of, value_of
from tests.building.random_lists import catalogue_of

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


def test_the_validator_has_the_last_word(
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


def test_what_nobody_knows_goes_first() -> None:
    """A unit and a role that no book and no game has; without them, eight warriors fit."""
    odd = {"unit": WARRIOR, "models": 8, "roles": ["king"]}
    army_list = warband(odd, {"unit": UNKNOWN, "models": 2})
    (way,) = found(army_list, "sbh")
    assert [(one.ref, one.models, one.roles) for one in way.army_list.units] == [(WARRIOR, 8, ())]
    assert way.proved


def test_what_comes_has_no_id_of_what_nobody_knows() -> None:
    """A difference would tell it as that unit, changed."""
    rank = [{"unit": "sea-guard", "models": 20}, {"unit": "highborn-lancers", "models": 10}]
    lord, odd = {"unit": "high-prince", "models": 1}, {"unit": "nobody-knows", "models": 2}
    army_list = elves(lord, *rank, odd, limit=1500)
    (way, *_) = found(army_list, "highborn-elves", number=1)
    ids = [entry.id for entry in way.army_list.units]
    assert ids == ["u1", "u2", "u3", "u5"]


@pytest.mark.parametrize("pin", ["u1", "u1:king", "u2"])
def test_what_nobody_knows_and_is_pinned_leaves_no_way(pin: str) -> None:
    odd = {"unit": WARRIOR, "models": 8, "roles": ["king"]}
    army_list = warband(odd, {"unit": UNKNOWN, "models": 2})
    answer = repairs(army_list, catalogue_of("sbh"), SOLVER, pins=read_pins([pin]), seconds=LONG)
    assert answer == repair.Repairs((), impossible=True)


@pytest.mark.slow
def test_a_validator_that_refuses_all_ends_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is found, and nobody says that there is nothing."""
    army_list = warband({"unit": WARRIOR, "models": 11})
    game = catalogue_of("sbh")
    broken = validate(make_roster(army_list, game), game)
    monkeypatch.setattr(decoding, "validate", lambda roster, catalogue: broken)
    answer = repairs(army_list, game, SOLVER, seconds=1.0)
    assert answer.found == ()
    assert not answer.impossible


def test_other_numbers_of_the_same_units_make_no_other_way() -> None:
    army_list = warband({"unit": WARRIOR, "models": 8}, {"unit": ARCHER, "models": 4})
    ways = found(army_list, "sbh")
    units = [{(one.kind, one.unit) for one in way.changes} for way in ways]
    assert len(ways) > 1
    assert all(one != other for at, one in enumerate(units) for other in units[:at])


def test_who_leads_alone_makes_no_other_way() -> None:
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
def test_a_bare_unit_goes_before_one_of_which_more_was_made(more: dict[str, Any]) -> None:
    spears = {"unit": "citizen-spears", "models": 20}
    prince = {"unit": "high-prince", "models": 1, "roles": ["general"]}
    army_list = elves(prince, *[{**spears, **more}] * 2, spears, {**spears, **more}, limit=4500)
    spent = validate(
        make_roster(army_list, catalogue_of("highborn-elves")), catalogue_of("highborn-elves")
    ).spent
    smaller = replace(army_list, limit=spent - 230)
    (way, *_) = found(smaller, "highborn-elves", pins=Pins(frozenset({"u1"})), number=1)
    assert gone(smaller, way) == ["u4"], way.changes


def test_pins_are_read() -> None:
    assert read_pins(["u1", "u2:general", "u3/horse/barding", ""]) == Pins(
        frozenset({"u1", ""}),
        frozenset({("u2", "general")}),
        frozenset({("u3", ("horse", "barding"))}),
    )
