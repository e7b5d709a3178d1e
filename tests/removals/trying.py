"""Books imported once more without a construct, and what became of that."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, Literal

from armybuilder.battlescribe.books import Import, Sources, make_book, read_sources
from armybuilder.battlescribe.books.rulebook import Rulebook
from armybuilder.loading.library import shipped_library
from armybuilder.loading.problems import Refusal
from tests.removals.constructs import Construct, constructs, without
from tests.removals.explained import explanation

VARIABLE = "BATTLESCRIBE_FILES"
GAMES = ("t9a-2023", "t9a-2024", "essence-of-war")

#: The book changes, or is refused; its report changes; neither, for a reason; neither: lost.
Outcome = Literal["book", "report", "explained", "lost"]


@dataclass(frozen=True, eq=False)
class Tried:
    """A construct taken out of a book. `why` is the class of those that may go unnoticed."""

    book: str
    construct: Construct
    outcome: Outcome
    why: str = ""

    def __str__(self) -> str:
        return f"{self.book}: {self.construct}"


class Bookbinder:
    """Imports one catalogue, whole or without something."""

    def __init__(self, sources: Sources, number: int, system: str) -> None:
        game = sources.system_of(number)
        self.sources = Sources((game,), (sources.books[number],))
        self.file, self.root = sources.books[number]
        self.game = game[1]
        self.system = system
        known = shipped_library().system(system)
        self.rules = Rulebook.carrying(known.carried)
        self.whole = self._import()
        self.said = _report(self.whole)

    def _import(self) -> Import:
        return make_book(self.sources, 0, self.system, self.rules)

    def try_without(self, construct: Construct) -> Tried:
        """Import the book without a construct, and compare."""
        with without(construct):
            try:
                made = self._import()
            except Refusal:
                return Tried(self.file, construct, "book")
        if made.book != self.whole.book:
            return Tried(self.file, construct, "book")
        if _report(made) != self.said:
            return Tried(self.file, construct, "report")
        why = explanation(construct, self.root, self.game, self.whole)
        return Tried(self.file, construct, "explained" if why else "lost", why)


def _report(made: Import) -> Any:
    """All that is told of an import but how much was read."""
    notes = made.notes
    told = (notes.gaps, notes.doubts, notes.opens, notes.dropped, notes.against_rules)
    audit = {key: made.audit[key] for key in ("unchecked", "idle", "unaccounted", "left_out")}
    return [[str(one) for one in part] for part in told[:2]] + [
        sorted(notes.dropped.items()), sorted(notes.against_rules.items()),
        len(notes.opens), audit,
    ]  # fmt: skip


def binders(folder: Path, games: tuple[str, ...] = GAMES) -> Iterator[Bookbinder]:
    """One for each book of these games, whose files lie in folders of a folder."""
    for game in games:
        sources = read_sources(folder / game)
        for number in range(len(sources.books)):
            yield Bookbinder(sources, number, game)


def files() -> Path | None:
    """The folder of the games' files; None where nobody has named one that is there."""
    named = os.environ.get(VARIABLE)
    folder = Path(named) if named else None
    return folder if folder and all((folder / game).is_dir() for game in GAMES) else None


def sample(binder: Bookbinder, number: int, seed: str) -> list[Construct]:
    """So many constructs of a book by chance, the same for the same seed; 0: all."""
    found = constructs(binder.root)
    if not number or number >= len(found):
        return found
    return Random(f"{seed}/{binder.system}/{binder.file}").sample(found, number)  # noqa: S311
