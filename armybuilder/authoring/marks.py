"""Marks: how a page knows that the part of a book that it edits was changed elsewhere meanwhile.

A page carries the mark of that part. Where the part still has that mark, the change is made on the
book as it is now, whatever else was changed in it; where not, the player is asked.
"""

from typing import Any

from armybuilder.authoring.fields import Entry
from armybuilder.loading.books import revision_of


def find_unit(book: Entry, unit_id: str) -> dict[str, Any] | None:
    """Return the unit of that id in a book's document; None where there is none."""
    return _found(book, "units", unit_id)


def find_ability(book: Entry, ability_id: str) -> dict[str, Any] | None:
    """Return an ability of the book's own; None where there is none of that id."""
    return _found(book, "abilities", ability_id)


def find_category(book: Entry, category_id: str) -> dict[str, Any] | None:
    """Return an army category of the book; None where there is none of that id."""
    return _found(book, "categories", category_id)


def _found(book: Entry, key: str, wanted: str) -> dict[str, Any] | None:
    return next((entry for entry in book.get(key, ()) if entry["id"] == wanted), None)


def about_of(book: Entry) -> dict[str, str]:
    """Return what the book says of itself and its holder can change."""
    return {"name": book["name"], "about": book["about"]}


def mark_of(part: Entry | None) -> str:
    """Return a short mark of what a part says; "" where it is not there."""
    return revision_of(part) if part is not None else ""
