"""What it means that a golden case holds: verdict, codes and figures as its source gives them."""

import json
from pathlib import Path
from typing import Any

from armybuilder.engine import Report, Severity, validate
from armybuilder.engine.catalogue import Catalogue
from armybuilder.engine.sentences import sentence
from armybuilder.loading.armylist import ArmyList
from armybuilder.loading.documents import make_roster
from tests.golden import adapter, chosen

#: What a case says of itself; everything else it says is a figure of the report.
OWN_KEYS = {
    "name", "cite", "about", "points", "settings", "list", "reserve", "legal", "findings",
    "warnings", "notes", "system", "lineups", "army_points", "category_points", "organisation",
    "note", "comment", "reading", "page",
} | chosen.BESIDE  # fmt: skip


def cases_in(directory: Path) -> list[tuple[Path, dict[str, Any]]]:
    """Every case of every file in the directory, with its file."""
    files = sorted(directory.glob("*.json"))
    return [(file, case) for file in files for case in read(file)["cases"]]


def read(file: Path) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return data


def system_of(file: Path, case: dict[str, Any]) -> str:
    """The game system of a case: its own, or that of its file."""
    system: str = case.get("system") or read(file)["system"]
    return system


def name_of(place: tuple[Path, dict[str, Any]]) -> str:
    file, case = place
    return f"{file.stem}: {case['name']}"


def same(told: Any, expected: Any) -> bool:
    """Whether a figure is the one expected; names may be written with other letters."""
    if isinstance(told, str) and isinstance(expected, str):
        return chosen.slug(told) == chosen.slug(expected)
    return bool(told == expected)


def check_case(case: dict[str, Any], catalogue: Catalogue) -> Report:
    """Asserts all that the case says; returns the report for more questions."""
    document = ArmyList.from_dict(adapter.document_of(case, catalogue.system))
    report = validate(make_roster(document, catalogue), catalogue)
    said = [sentence(finding) for finding in report.findings]
    for key, severity in (
        ("findings", Severity.ERROR),
        ("warnings", Severity.WARNING),
        ("notes", Severity.NOTE),
    ):
        if isinstance(case.get(key), list):
            assert adapter.codes(report, severity) == sorted(case[key]), said
    if "legal" in case:
        assert report.legal is case["legal"], said
    for code, lineups in case.get("lineups", {}).items():
        told = [finding.lineup for finding in report.findings if finding.code == code]
        assert told == lineups, said
    figures = adapter.figures(report)
    for category, points in case.get("category_points", {}).items():
        assert figures["category_points"][category] == points, category
    for figure in case.keys() - OWN_KEYS:
        assert same(figures.get(figure), case[figure]), (figure, figures.get(figure))
    return report
