"""What was found about a list when a copy of it was frozen, and what has changed since."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from armybuilder import __version__
from armybuilder.engine import Finding, Report, Severity
from armybuilder.engine.catalogue import Catalogue
from armybuilder.engine.sentences import sentence
from armybuilder.loading.library import Library
from armybuilder.sharing.models import Frozen


def report_then(report: Report) -> dict[str, Any]:
    """Return the report as a frozen copy keeps it; points in points, findings as sentences."""
    return {
        "legal": report.legal,
        "spent": report.spent,
        "limit": report.limit,
        "models": report.models,
        "errors": len(report.of(Severity.ERROR)),
        "warnings": len(report.of(Severity.WARNING)),
        "findings": [_finding(finding) for finding in report.findings],
        "unchecked": [one.sentence for one in report.unchecked],
    }


def _finding(finding: Finding) -> dict[str, str]:
    return {
        "code": finding.code,
        "severity": finding.severity.value,
        "state": finding.state.value,
        "sentence": sentence(finding),
        "citation": finding.citation,
    }


def frozen_data(frozen: Frozen) -> dict[str, Any]:
    """Return a frozen copy with what was found then, as JSON-ready data."""
    return {
        "id": frozen.pk,
        "hash": frozen.hash,
        "salt": frozen.salt,
        "seal": frozen.seal,
        "made": frozen.made.isoformat(),
        "engine": frozen.engine,
        "revisions": frozen.revisions,
        "report": frozen.report,
        "document": frozen.document.to_dict(),
    }


@dataclass(frozen=True, slots=True)
class Since:
    """What is otherwise today than when a copy was frozen; `books` names those that differ."""

    engine: bool
    system: bool
    books: tuple[str, ...]

    def __bool__(self) -> bool:
        return self.engine or self.system or bool(self.books)


def changes_since(frozen: Frozen, catalogue: Catalogue, library: Library) -> Since:
    """Return what has changed; `catalogue` is what the copy's document draws from now."""
    system = catalogue.system
    return Since(
        engine=frozen.engine != __version__,
        system=frozen.system_revision != system.revision,
        books=tuple(_other_books(frozen, catalogue, library)),
    )


def _other_books(frozen: Frozen, catalogue: Catalogue, library: Library) -> Iterator[str]:
    shipped = library.books[catalogue.system.id]
    for book in catalogue.books:
        newest = shipped.get(book.id, book).revision
        if frozen.revisions.get(book.id) != book.revision or newest != book.revision:
            yield book.name


def same_verdict(frozen: Frozen, report: Report) -> bool:
    """Return whether the list is judged today as it was then."""
    then, now = frozen.report, report_then(report)
    seen = [
        (
            one["legal"],
            one["spent"],
            sorted((f["code"], f["severity"]) for f in one["findings"]),
            len(one.get("unchecked", ())),
        )
        for one in (then, now)
    ]
    return bool(seen[0] == seen[1])
