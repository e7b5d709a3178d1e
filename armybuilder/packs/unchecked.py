"""Restrictions of a pack that the program can't check, known before any list is in."""

from dataclasses import replace
from typing import NamedTuple

from armybuilder.editing.unit_edits import new_document
from armybuilder.engine.catalogue import Book
from armybuilder.loading.armylist import ListUnit
from armybuilder.loading.documents import judge_by
from armybuilder.loading.file_packs import FilePack
from armybuilder.loading.library import Library
from armybuilder.loading.packs import Pack, at_event


class OpenQuestion(NamedTuple):
    """Restriction of a pack that can't be checked for some units of these books."""

    said: str
    citation: str
    books: list[tuple[str, int]]


def open_questions(pack: Pack, library: Library) -> list[OpenQuestion]:
    """Return a pack's unchecked rules, for which books and how many of their units.

    Each unit is tried alone with its starting options: others may raise further questions.
    """
    found: dict[tuple[str, str], OpenQuestion] = {}
    if isinstance(pack, FilePack):  # its rules say themselves what people check
        return []
    for book in library.books[pack.system].values():
        units: dict[tuple[str, str], set[str]] = {}
        for said, citation, unit in _asked(book, pack, library):
            units.setdefault((said, citation), set()).add(unit)
        for key, names in units.items():
            question = found.setdefault(key, OpenQuestion(*key, []))
            question.books.append((book.name, len(names)))
    return list(found.values())


def _asked(book: Book, pack: Pack, library: Library) -> set[tuple[str, str, str]]:
    """Return the pack's rules, besides its game's, that stay unchecked for each unit of a book."""
    catalogue = library.catalogue(pack.system, [book.id])
    there = at_event(catalogue, pack)
    # How many models a unit has is another question.
    units = tuple(ListUnit(f"u{at}", 1, key) for at, key in enumerate(catalogue.units, 1))
    size = next(iter(pack.sizes), catalogue.system.default_size)
    army = replace(new_document(catalogue, pack.name, size), units=units)
    of_game = {one.sentence for one in judge_by(army, catalogue).report.unchecked}
    of_event = judge_by(army, there).report.unchecked
    return {
        (one.restriction, one.citation, one.unit) for one in of_event if one.sentence not in of_game
    }
