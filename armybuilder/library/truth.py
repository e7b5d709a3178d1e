"""How far the verdicts go: what became of the restrictions of each imported book, in numbers."""

from collections.abc import Iterator
from typing import NamedTuple

from armybuilder.engine.catalogue import Book, System
from armybuilder.library.not_checked import LEFT_OPEN, restrictions_of
from armybuilder.loading.audits import Audit, Tally, shipped_audits
from armybuilder.loading.library import shipped_library


class Row(NamedTuple):
    """A book with what became of the restrictions in its source; `open` is how many things the
    source leaves open, `sparse` of how many units it names neither special rules nor equipment.
    """

    book: Book
    tally: Tally
    open: int
    sparse: int


class Table(NamedTuple):
    """The imported books of a game, and all of them together."""

    system: System
    rows: tuple[Row, ...]
    total: Tally
    open: int
    sparse: int


def audit_of(book: Book) -> Audit | None:
    """The ledger of a shipped book; None where it has none, as it was not imported."""
    return shipped_audits().by_book.get((book.system, book.id))


def tables() -> Iterator[Table]:
    """A table for each game that has imported books."""
    library = shipped_library()
    for system in library.systems.values():
        books = library.books[system.id].values()
        rows = [_row(book, audit) for book in books if (audit := audit_of(book)) is not None]
        if rows and rows[0].book.system == system.id:
            yield _table(system, rows)


def _table(system: System, rows: list[Row]) -> Table:
    total = Tally(*(sum(numbers) for numbers in zip(*(row.tally for row in rows), strict=True)))
    opens, sparse = sum(row.open for row in rows), sum(row.sparse for row in rows)
    return Table(system, tuple(rows), total, opens, sparse)


def _row(book: Book, audit: Audit) -> Row:
    opens = sum(one.why in LEFT_OPEN for one in restrictions_of(book))
    return Row(book, audit.tally, opens, sum(unit.sparse for unit in book.units.values()))
