"""A report as plain data, the same for the command line, files and programs."""

from typing import Any

from armybuilder.engine import Finding, Report
from armybuilder.engine.sentences import sentence
from armybuilder.engine.unchecked import Unchecked


def report_data(report: Report) -> dict[str, Any]:
    """Return the report as JSON-ready data; points in points, ids as in the document."""
    return {
        "legal": report.legal,
        "complete": report.complete,
        "verdict": report.outcome_words,
        "spent": report.spent,
        "limit": report.limit,
        "models": report.models,
        "faction": report.faction,
        "findings": [finding_data(finding) for finding in report.findings],
        "unchecked": [unchecked_data(one) for one in report.unchecked],
        "gauges": [
            {
                "name": gauge.name,
                "used": gauge.used,
                "minimum": gauge.minimum,
                "maximum": gauge.maximum,
                "lineup": gauge.lineup,
                "parts": [
                    {"unit": part.unit, "name": part.label, "amount": part.amount}
                    for part in gauge.parts
                ],
            }
            for gauge in report.gauges
        ],
        "facts": [
            {"name": fact.name, "text": fact.text, "lineup": lineup, "citation": str(fact.citation)}
            for lineup, fact in report.facts
        ],
    }


def unchecked_data(one: Unchecked) -> dict[str, Any]:
    """Return a restriction that was not checked: of which units, in words, and why."""
    return {
        "units": list(one.units),
        "name": one.name,
        "restriction": one.restriction,
        "why": one.why,
        "sentence": one.sentence,
        "reason": one.reason,
        "citation": one.citation,
    }


def finding_data(finding: Finding) -> dict[str, Any]:
    """One finding with its answers: code, severity, state, where, which rule, numbers."""
    return {
        "code": finding.code,
        "severity": finding.severity.value,
        "state": finding.state.value,
        "origin": finding.origin.value,
        "sentence": sentence(finding),
        "units": list(finding.units),
        "rule": finding.head.pointer,
        "citation": finding.citation,
        "reading": str(finding.head.reading),
        "measured": finding.measured,
        "allowed": finding.allowed,
        "lineup": finding.lineup,
    }
