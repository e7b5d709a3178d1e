"""Every golden case gets the verdict, the codes and the figures that its rulebook gives it."""

from pathlib import Path
from typing import Any

import pytest

from tests.golden import adapter, check

ALL = check.cases_in(adapter.CASES_DIR)


@pytest.fixture(scope="module")
def catalogues() -> dict[Path, Any]:
    return {file: adapter.catalogue_of(check.read(file)) for file in {file for file, _ in ALL}}


@pytest.mark.parametrize("place", ALL, ids=check.name_of)
def test_case_gets_the_verdict_of_the_rulebook(
    place: tuple[Path, dict[str, Any]], catalogues: dict[Path, Any]
) -> None:
    file, case = place
    check.check_case(case, catalogues[file])
