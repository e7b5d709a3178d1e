"""Books of a game checked against its system: what breaks the format costs a unit.

What the checks say is for authors of books; players are told that the file goes beyond a book.
"""

import logging
from dataclasses import dataclass, replace
from typing import Any, Final

from armybuilder.battlescribe.books import Import
from armybuilder.battlescribe.books.books import MOST_LEFT_OUT
from armybuilder.engine.catalogue import System
from armybuilder.engine.wording import say
from armybuilder.loading import deadline
from armybuilder.loading.library import book_problems
from armybuilder.loading.problems import Problem

logger = logging.getLogger(__name__)

#: Leaving a unit out may break what asks for it; so often it is looked again.
_MOST_ROUNDS: Final = 5


@dataclass(frozen=True)
class Fitted:
    """A book that passes all checks; or None, its file, and a sentence with its first mistake."""

    book: Import | None
    file: str
    sentence: str = ""


def fitted(made: Import, system: System) -> Fitted:
    """Return the book as it passes the checks of the format, units left out that do not."""
    file = made.audit["source"]["file"]
    book, number = made.book, len(made.book["units"])
    for _ in range(_MOST_ROUNDS):
        deadline.check()
        problems = book_problems(book, system, f"{book['id']}.json")
        if not problems:
            return Fitted(_with(made, book), file)
        wrong = {place for problem in problems if (place := _unit_at(problem)) is not None}
        others = [problem for problem in problems if _unit_at(problem) is None]
        left = len(book["units"]) - len(wrong)
        if others or left < (1 - MOST_LEFT_OUT) * number:
            break
        book = _without(book, wrong)
    logger.warning("%s: %s", file, (others or problems)[0])
    return Fitted(None, file, say("{file}: it needs something our books can’t express.", file=file))


def _unit_at(problem: Problem) -> int | None:
    """Return the number of the unit that a problem is in; None where it is in none."""
    parts = problem.pointer.split("/")
    return int(parts[2]) if parts[1:2] == ["units"] and len(parts) > 2 else None


def _without(book: dict[str, Any], wrong: set[int]) -> dict[str, Any]:
    """Return the book without some units, with a gap for each."""
    gaps = list(book.get("gaps", ()))
    for place in sorted(wrong):
        unit = book["units"][place]
        what = f"{unit['name']} is left out: the file asks for what books here cannot hold."
        gaps.append({"where": unit["id"], "what": what})
    units = [unit for place, unit in enumerate(book["units"]) if place not in wrong]
    return {**book, "gaps": gaps, "units": units}


def _with(made: Import, book: dict[str, Any]) -> Import:
    """Return the import with the units that are left, and their places in the source."""
    if book is made.book:
        return made
    ids = {unit["id"] for unit in book["units"]}
    units = [
        node if node.get("as") in ids else {key: node[key] for key in node if key != "as"}
        for node in made.origin["units"]
    ]
    return replace(made, book=book, origin={**made.origin, "units": units})
