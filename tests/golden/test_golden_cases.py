"""Every golden case gets the verdict, the codes and the figures that its rulebook gives it.

`cases/` holds the given ones; `own/` our own, worked out by hand from the rules they cite, in the
same neutral shape; `texts.json` holds lists as players write them. Ours may also say `lineups`: by
code, whether a rule fails with the reserve model, without it, or ("") both ways alike; and `notes`,
codes of that severity.
"""

from pathlib import Path
from typing import Any

import pytest

from armybuilder.engine import Severity
from armybuilder.exchange.pasting import read_text
from armybuilder.loading.library import shipped_library
from tests.golden import adapter, check

OWN = check.cases_in(Path(__file__).parent / "own")
ALL = [*check.cases_in(adapter.CASES_DIR), *OWN]


@pytest.fixture(scope="module")
def catalogues() -> dict[tuple[Path, str], Any]:
    """By file and system: one file may hold cases for several editions of a game."""
    return {
        (file, system): adapter.catalogue_for(check.read(file), system)
        for file, system in {(file, check.system_of(file, case)) for file, case in ALL}
    }


@pytest.mark.parametrize("place", ALL, ids=check.name_of)
def test_case_gets_the_verdict_of_the_rulebook(
    place: tuple[Path, dict[str, Any]], catalogues: dict[tuple[Path, str], Any]
) -> None:
    file, case = place
    check.check_case(case, catalogues[file, check.system_of(file, case)])


@pytest.mark.parametrize("place", [p for p in ALL if "t9a-2023" in p[0].stem], ids=check.name_of)
def test_case_gets_the_same_verdict_from_the_book_written_by_hand(
    place: tuple[Path, dict[str, Any]],
) -> None:
    check.check_case(place[1], adapter.oz_catalogue())


def test_every_own_case_has_a_name_of_its_own_and_cites_its_rule() -> None:
    names = [check.name_of(place) for place in OWN]
    assert sorted(set(names)) == sorted(names)
    assert all(case["cite"] for _, case in OWN)


@pytest.mark.parametrize(
    "system",
    ["chainmail-2001-advanced", "chainmail-2001-basic", "chainmail-2002", "ddm-2008", "sbh"],
)
def test_every_rule_of_a_system_fails_in_some_case(
    system: str, catalogues: dict[tuple[Path, str], Any]
) -> None:
    """A rule that no case breaks could be missing without anybody noticing."""
    rules: set[str] = set()
    failing: set[str] = set()
    for file, case in ALL:
        catalogue = catalogues[file, check.system_of(file, case)]
        if catalogue.system.id == system:
            rules |= {rule.head.id for rule in catalogue.system.rules}
            failing |= {found.head.id for found in check.check_case(case, catalogue).findings}
    assert rules - failing == set()


TEXTS = check.read(Path(__file__).parent / "texts.json")["cases"]


@pytest.mark.parametrize("case", TEXTS, ids=lambda case: case["name"])
def test_a_text_gets_the_units_points_and_verdict_that_a_reader_gives_it(
    case: dict[str, Any],
) -> None:
    read = read_text(case["text"], shipped_library(), case["system"])
    assert read.report is not None
    units = [f"{line.unit.models} {line.unit.name}" for line in read.units if line.unit]
    assert (units, read.document.limit) == (case["units"], case["points"])
    assert read.report.spent == case["spent"]
    assert read.report.legal is case["legal"]
    assert adapter.codes(read.report, Severity.ERROR) == case["findings"]
