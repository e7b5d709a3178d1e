"""Units found by what a program asks for; units, choices, differences and lists as plain data."""

from collections.abc import Iterator, Mapping
from typing import Any

from armybuilder.comparing.difference import Change, Difference
from armybuilder.editing.unit_edits import new_entry
from armybuilder.engine.catalogue import Book
from armybuilder.engine.choices import Choice
from armybuilder.engine.units import Unit
from armybuilder.exchange import batch
from armybuilder.exchange.report_data import finding_data
from armybuilder.library.units import found_by
from armybuilder.lists.models import Version
from armybuilder.loading.documents import hash_of
from armybuilder.loading.library import Library


def find_units(library: Library, system_id: str, asked: Mapping[str, Any]) -> list[Unit]:
    """Return the units, in book order, of a system or one `book` that fit all that is asked: text
    `q`, `group` or category, `ability` or rule (name or id), `points_from` to `points_to`.
    """
    return [
        unit
        for book in library.books[system_id].values()
        if (asked.get("book") or book.id) == book.id
        for unit in _found(library, book, asked)
    ]


def _found(library: Library, book: Book, asked: Mapping[str, Any]) -> Iterator[Unit]:
    text = asked.get("q", "")
    catalogue = library.catalogue(book.system, [book.id]) if text else None
    for unit in book.units.values():
        if _fits(unit, book, asked) and (
            catalogue is None or found_by(unit, text, catalogue) is not None
        ):
            yield unit


def _fits(unit: Unit, book: Book, asked: Mapping[str, Any]) -> bool:
    group, ability = (asked.get(key, "").casefold() for key in ("group", "ability"))
    if group and group not in set(_groups(unit, book)):
        return False
    if ability and ability not in set(_abilities(unit)):
        return False
    points = unit.price.start
    if "points_from" in asked and (points is None or points < asked["points_from"]):
        return False
    return not ("points_to" in asked and (points is None or points > asked["points_to"]))


def _groups(unit: Unit, book: Book) -> Iterator[str]:
    yield unit.group.casefold()
    for category in unit.categories:
        yield category.casefold()
        yield book.categories.get(category, category).casefold()


def _abilities(unit: Unit) -> Iterator[str]:
    """Names and ids of its abilities and special rules."""
    for use in unit.abilities:
        yield from (use.ability.id.casefold(), use.ability.name.casefold(), use.label.casefold())
    for keyword in unit.keywords:
        yield from _names(keyword.name)
    for profile in unit.profiles:
        for rule in profile.rules:
            yield from _names(rule)


def _names(rule: str) -> tuple[str, str]:
    """Return a special rule as it is printed, and without what stands in brackets behind it."""
    printed = rule.casefold()
    return printed, printed.partition("(")[0].strip()


Data = dict[str, Any]


def choice_data(choice: Choice) -> Data:
    """Return what adding a unit costs and does; points in points."""
    return {
        "unit": choice.unit.ref,
        "name": choice.unit.name,
        "points": choice.points,
        "entry": entry_of(choice.unit),
        "breaks": [finding_data(finding) for finding in choice.breaks],
        "worsens": [finding_data(finding) for finding in choice.worsens],
        "settles": [finding_data(finding) for finding in choice.settles],
    }


def entry_of(unit: Unit) -> Data:
    """Return what a click on a unit adds to a document, but for its id."""
    written = new_entry(unit).to_dict()
    return {key: value for key, value in written.items() if key != "id"}


def difference_data(told: Difference) -> Data:
    """Return what differs between two lists; points in points, null where unknown."""
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


def line_data(source: str, line: batch.BatchLine, first: int | None = None) -> Data:
    """Return a line of a batch. Places of mistakes count from the top of the body, as does that of
    the list (`source`); `first` is the line of a text that it begins on.
    """
    problems = [place.data(source) for place in line.problems]
    return {"source": source, "first": first, **batch.line_data(line), "problems": problems}


def entry_data(version: Version) -> Data:
    """Return a list without its document, from its current version."""
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
    """Return a list with its document."""
    return {**entry_data(version), "document": version.document.to_dict()}
