"""What was found about a list when a copy of it was frozen."""

from typing import Any

from armybuilder.engine import Report, Severity
from armybuilder.engine.sentences import sentence
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
        "findings": [
            {
                "code": finding.code,
                "severity": finding.severity.value,
                "state": finding.state.value,
                "sentence": sentence(finding),
                "citation": finding.citation,
            }
            for finding in report.findings
        ],
        "unchecked": [restriction.sentence for restriction in report.unchecked],
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
