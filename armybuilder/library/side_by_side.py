"""Comparison of up to four units, row by row, with shared words marked."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from django.utils.translation import gettext as _

from armybuilder.engine.units import Unit
from armybuilder.sheets.content.unit_view import FactPart, UnitView

#: Units compared side by side, at most.
MOST = 4


@dataclass(frozen=True, slots=True)
class ComparedWord:
    """Something a unit has; `shared`: all the units have the same."""

    text: str
    shared: bool


@dataclass(frozen=True, slots=True)
class ComparedRow:
    """One thing compared. A cell per unit, each a list of words; `differs`: they are not alike."""

    name: str
    cells: tuple[tuple[ComparedWord, ...], ...]
    differs: bool


@dataclass(frozen=True, slots=True)
class ComparedPart:
    """Rows of one kind under their heading."""

    heading: str
    rows: tuple[ComparedRow, ...]

    @property
    def differs(self) -> bool:
        return any(row.differs for row in self.rows)


@dataclass(frozen=True, slots=True)
class ComparedColumn:
    """A unit compared; `without` is the query string of the comparison without it."""

    unit: Unit
    without: str


@dataclass(frozen=True, slots=True)
class ComparedUnits:
    """Contents of a comparison page: `more` didn't fit; `offered` are others of these books."""

    units: tuple[Unit, ...]
    columns: tuple[ComparedColumn, ...]
    more: int
    offered: tuple[Unit, ...]


def chosen_units(refs: Iterable[str], units: Mapping[str, Unit]) -> ComparedUnits:
    """Return the units that an address asks for, without unknown ones."""
    known = [units[ref] for ref in dict.fromkeys(refs) if ref in units]
    shown = tuple(known[:MOST])
    columns = tuple(
        ComparedColumn(unit, units_query(other for other in shown if other is not unit))
        for unit in shown
    )
    books = {unit.book for unit in shown}
    offered = (unit for unit in units.values() if not books or unit.book in books)
    free = tuple(unit for unit in offered if unit not in shown) if len(shown) < MOST else ()
    return ComparedUnits(shown, columns, len(known) - len(shown), free)


def units_query(units: Iterable[Unit]) -> str:
    return urlencode([("unit", unit.ref) for unit in units])


def side_by_side(views: Sequence[UnitView], points: Sequence[str] = ()) -> tuple[ComparedPart, ...]:
    """Return what units of books are, part by part; `points` are prices in words, else the book's.

    Rows are those of which some unit says something, in the order in which they are first said.
    """
    rows: dict[tuple[FactPart, str], list[list[str]]] = {}
    for column, view in enumerate(views):
        for part, name, words in view.facts:
            cells = rows.setdefault((part, name), [[] for _each in views])
            cells[column] += filter(None, words)
    if points:
        rows[FactPart.SHORT, _("Points")] = [[text] for text in points]
    headings = {
        FactPart.SHORT: _("In short"),
        FactPart.STATS: _("Stats"),
        FactPart.RULES: _("Abilities and rules"),
        FactPart.OPTIONS: _("Options"),
    }
    told = [(part, _row(name, cells)) for (part, name), cells in rows.items() if any(cells)]
    parts = (
        ComparedPart(heading, tuple(row for of, row in told if of is part))
        for part, heading in headings.items()
    )
    return tuple(part for part in parts if part.rows)


def _row(name: str, cells: Sequence[Iterable[str]]) -> ComparedRow:
    """Return a row whose words know which of them all the units share."""
    listed = [tuple(dict.fromkeys(cell)) for cell in cells]
    counts = Counter(word for cell in listed for word in cell)
    everywhere = {word for word, number in counts.items() if number == len(listed)}
    words = (tuple(ComparedWord(word, word in everywhere) for word in cell) for cell in listed)
    differs = any(set(cell) != everywhere for cell in listed)
    return ComparedRow(name, tuple(words), differs)
