"""Whole armies of The Ninth Age get the verdict and the points that their books' sources give them.

`armies/` holds lists as a player would write them, of the shipped books: per book one that is legal
and one with a few faults. What is expected was added up by hand from the source files, not by the
engine: `sums` says for every unit how. A unit whose entry is unknown has no sum.
"""

import re
from math import prod
from pathlib import Path
from typing import Any

import pytest

from armybuilder.engine import Report, Severity, validate
from armybuilder.engine.sentences import sentence
from armybuilder.loading.documents import catalogue_of, make_roster
from armybuilder.loading.library import shipped_library
from armybuilder.loading.schemas import schema_problems
from tests.building.documents import value_of
from tests.golden import check
from tests.golden.adapter import figures

FILES = sorted((Path(__file__).parent / "armies").glob("*.json"))
OWN = Path(__file__).parent / "own" / "own-ninth-age.json"
ARMIES = {file.stem: check.read(file) for file in FILES}
SYSTEM = shipped_library().systems["t9a-2023"]

every_army = pytest.mark.parametrize("army", ARMIES.values(), ids=ARMIES)

#: A sum as the files write it: products with plus and minus between them.
SUM = re.compile(r"-?\d+(\*\d+)*( [+-] \d+(\*\d+)*)*")

#: Codes that rules bring along beside their own: of the categories of a book, and of its units and
#: options with a least number in the army.
BESIDE = {"category.under", "cap.under"}
#: Codes of what a list names and no book has.
UNKNOWN = {"unit.unknown", "option.unknown"}


def report_of(army: dict[str, Any]) -> Report:
    document = army["document"]
    catalogue = catalogue_of(value_of(document), shipped_library())
    return validate(make_roster(value_of(document), catalogue), catalogue)


def worked_out(text: str) -> int:
    """What a sum such as "-80 + 20*27 + 3*10" comes to."""
    assert SUM.fullmatch(text), text
    parts = text.replace(" - ", " + -").split(" + ")
    return sum(prod(int(factor) for factor in part.split("*")) for part in parts)


@every_army
def test_a_golden_army_fits_the_schema(army: dict[str, Any]) -> None:
    assert schema_problems("armylist", army["document"], "army", 9) == []


@every_army
def test_army_gets_the_verdict_of_the_rulebook_and_its_book(army: dict[str, Any]) -> None:
    report = report_of(army)
    said = [sentence(finding) for finding in report.findings]
    assert report.legal is army["expected"]["legal"], said
    for key, severity in (("findings", Severity.ERROR), ("warnings", Severity.WARNING)):
        assert sorted(found.code for found in report.of(severity)) == army["expected"][key], said


@every_army
def test_every_unit_costs_what_the_source_adds_up_to(army: dict[str, Any]) -> None:
    report = report_of(army)
    sums = {unit: worked_out(text) for unit, text in army["sums"].items()}
    assert sums == army["expected"]["unit_points"]
    assert {unit: line.points for unit, line in report.lines.items()} == sums
    assert report.spent == army["expected"]["spent"] == sum(sums.values())


@every_army
def test_every_category_counts_its_units_and_its_mounts(army: dict[str, Any]) -> None:
    counted = figures(report_of(army))["category_points"]
    told = {category: points for category, points in counted.items() if category and points}
    assert told == army["expected"]["category_points"]


@every_army
def test_army_has_a_reason_for_every_fault(army: dict[str, Any]) -> None:
    assert set(army["expected"]["findings"]) <= army["cite"].keys()
    assert army["about"]


def test_there_is_a_legal_and_a_faulty_army_of_five_books() -> None:
    verdicts: dict[str, list[bool]] = {}
    for army in ARMIES.values():
        if army["document"]["limit"] == SYSTEM.default_size:
            (book,) = army["document"]["books"]
            verdicts.setdefault(book["id"], []).append(army["expected"]["legal"])
    assert [sorted(told) for told in verdicts.values()] == [[False, True]] * 5


def test_every_code_of_the_system_fails_in_some_army() -> None:
    """A rule that no army breaks could be missing without anybody noticing. Not every fact that a
    rule asks for stands in a shipped book yet: those are broken by armies of a book of our own.
    """
    failing = {code for army in ARMIES.values() for code in army["expected"]["findings"]}
    failing |= {code for case in check.read(OWN)["cases"] for code in case["findings"]}
    assert failing == {rule.head.code for rule in SYSTEM.rules} | BESIDE | UNKNOWN
