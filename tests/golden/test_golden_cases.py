"""Every golden case gets the verdict, the codes and the figures that its rulebook gives it."""

from typing import Any

import pytest

from armybuilder.engine import Severity, validate
from armybuilder.engine.sentences import sentence
from armybuilder.loading.documents import make_roster
from tests.golden import adapter

FILES = sorted(path.name for path in adapter.CASES_DIR.glob("*.json"))
#: What a case says of itself; everything else it says is a figure of the report.
OWN_KEYS = {
    "name", "cite", "about", "points", "settings", "list", "reserve", "legal", "findings",
    "warnings", "notes", "system",
}  # fmt: skip
ALL = [(file, case) for file in FILES for case in adapter.load(file)["cases"]]


@pytest.fixture(scope="module")
def catalogues() -> dict[str, Any]:
    return {file: adapter.catalogue_of(adapter.load(file)) for file in FILES}


@pytest.mark.parametrize(
    ("file", "case"), ALL, ids=[f"{file[:-5]}: {case['name']}" for file, case in ALL]
)
def test_case_gets_the_verdict_of_the_rulebook(
    file: str, case: dict[str, Any], catalogues: dict[str, Any]
) -> None:
    catalogue = catalogues[file]
    document = adapter.document_of(case, catalogue.system)
    report = validate(make_roster(document, catalogue), catalogue)
    said = [sentence(finding) for finding in report.findings]
    if "findings" in case:
        assert adapter.codes(report, Severity.ERROR) == sorted(case["findings"]), said
    if "legal" in case:
        assert report.legal is case["legal"], said
    if "warnings" in case:
        assert adapter.codes(report, Severity.WARNING) == sorted(case["warnings"]), said
    told = adapter.figures(report)
    for figure in case.keys() - OWN_KEYS:
        assert told[figure] == case[figure], figure
