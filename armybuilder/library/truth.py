"""How far the verdicts go: the outcome of the restrictions of each imported book, in numbers."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from armybuilder.engine.catalogue import Book, System
from armybuilder.library.not_checked import LEFT_OPEN, restrictions_of
from armybuilder.loading.audits import Audit, Tally, shipped_audits
from armybuilder.loading.library import shipped_library

SECOND_READING = Path(__file__).with_name("second_reading.json")


class Tried(NamedTuple):
    """Random armies, and their units, judged twice, and how many were judged wrongly."""

    armies: int
    units: int
    wrongly_legal: int
    wrongly_not_legal: int

    @property
    def wrong(self) -> int:
        """How many verdicts were wrong."""
        return self.wrongly_legal + self.wrongly_not_legal


@dataclass(frozen=True, slots=True)
class TruthRow:
    """A book's outcomes; `open` things in its source, `sparse` units, armies `tried`, if any."""

    book: Book
    tally: Tally
    open: int
    sparse: int
    tried: Tried | None


@dataclass(frozen=True, slots=True)
class TruthTable:
    """The imported books of a game, and all of them together."""

    system: System
    rows: tuple[TruthRow, ...]
    total: Tally
    open: int
    sparse: int
    tried: Tried | None


@cache
def second_reading() -> Mapping[str, Any]:
    """Return the numbers of the second reading, as the command that counts them wrote them."""
    return dict(json.loads(SECOND_READING.read_text(encoding="utf-8")))


def tried(system: str, book: str = "") -> Tried | None:
    """How the armies of a book, or of a whole game, were tried; None where they were not."""
    data = next((one for one in second_reading()["games"] if one["system"] == system), None)
    if data is None:
        return None
    found = data["books"].get(book) if book else data
    return Tried(*(found[field] for field in Tried._fields)) if found else None


def audit_of(book: Book) -> Audit | None:
    """Return the ledger of a shipped book; None where it has none, as it was not imported."""
    return shipped_audits().by_book.get((book.system, book.id))


def tables() -> Iterator[TruthTable]:
    """Yield a table for each game that has imported books."""
    library = shipped_library()
    for system in library.systems.values():
        books = library.books[system.id].values()
        rows = [_row(book, audit) for book in books if (audit := audit_of(book)) is not None]
        if rows and rows[0].book.system == system.id:
            yield _table(system, rows)


def _table(system: System, rows: list[TruthRow]) -> TruthTable:
    total = Tally(*(sum(numbers) for numbers in zip(*(row.tally for row in rows), strict=True)))
    opens, sparse = sum(row.open for row in rows), sum(row.sparse for row in rows)
    return TruthTable(system, tuple(rows), total, opens, sparse, tried(system.id))


def _row(book: Book, audit: Audit) -> TruthRow:
    opens = sum(one.why in LEFT_OPEN for one in restrictions_of(book))
    sparse = sum(unit.sparse for unit in book.units.values())
    return TruthRow(book, audit.tally, opens, sparse, tried(book.system, book.id))
