"""Parts of a book's document that a page shows and may change, and how to tell that one changed.

A page carries the mark of the part it edits. Where the part still has that mark, the change is
made on the book as it is now, whatever else was changed in it; where not, the player is asked.
"""

from collections.abc import Mapping
from typing import Any

from armybuilder.loading.books import revision_of

Part = Mapping[str, Any]


def find_unit(book: Part, unit_id: str) -> dict[str, Any] | None:
    """The unit of that id in a book's document; None where there is none."""
    return next((unit for unit in book["units"] if unit["id"] == unit_id), None)


def find_ability(book: Part, ability_id: str) -> dict[str, Any] | None:
    """An ability of the book's own; None where there is none of that id."""
    own = book.get("abilities", ())
    return next((ability for ability in own if ability["id"] == ability_id), None)


def about_of(book: Part) -> dict[str, str]:
    """What the book says of itself and its holder can change."""
    return {"name": book["name"], "about": book["about"]}


def mark_of(part: Part | None) -> str:
    """A short mark of what a part says; "" where it is not there."""
    return revision_of(part) if part is not None else ""
