"""Choices, differences, lines and lists as plain data, ready for JSON."""

from typing import Any

from armybuilder.comparing.difference_words import Change, Difference
from armybuilder.engine.choices import Choice
from armybuilder.exchange import batch
from armybuilder.exchange.report_data import finding_data
from armybuilder.lists.models import Version
from armybuilder.loading.documents import hash_of

Data = dict[str, Any]


def choice_data(choice: Choice) -> Data:
    """What adding a unit costs and does; points in points."""
    return {
        "unit": choice.unit.ref,
        "name": choice.unit.name,
        "points": choice.points,
        "breaks": [finding_data(finding) for finding in choice.breaks],
        "worsens": [finding_data(finding) for finding in choice.worsens],
        "settles": [finding_data(finding) for finding in choice.settles],
    }


def difference_data(told: Difference) -> Data:
    """What differs between two lists; points in points, null where unknown."""
    return {
        "numbers": [_change(change) for change in told.numbers],
        "about": [_change(change) for change in told.about],
        "units": [
            {
                "kind": unit.kind,
                "name": unit.name,
                "before": unit.before,
                "after": unit.after,
                "changes": [_change(change) for change in unit.changes],
            }
            for unit in told.units
        ],
    }


def _change(change: Change) -> Data:
    sides = {"before": str(change.before), "after": str(change.after)}
    return {"kind": change.kind, "name": str(change.name), **sides}


def line_data(number: int, line: batch.BatchLine) -> Data:
    """A line of a batch. Places of mistakes count from the top of the body."""
    problems = [place.data(f"/documents/{number}") for place in line.problems]
    return {**batch.line_data(line), "problems": problems}


def entry_data(version: Version) -> Data:
    """A list without its document, from its current version."""
    document, army_list = version.document, version.army_list
    return {
        "id": str(army_list.pk),
        "name": document.name,
        "system": document.system,
        "limit": document.limit,
        "created": army_list.created.isoformat(),
        "updated": army_list.updated.isoformat(),
        "archived": army_list.archived is not None,
        "tags": army_list.tags,
        "hash": hash_of(document),
    }


def list_data(version: Version) -> Data:
    """A list with its document."""
    return {**entry_data(version), "document": version.document.to_dict()}
