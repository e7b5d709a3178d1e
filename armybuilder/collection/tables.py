"""Collections as tables: written as CSV, and read from anybody's columns, refused by row."""

import csv
import difflib
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple, Protocol

from django.utils.translation import gettext as _

from armybuilder.authoring.fields import CardField
from armybuilder.authoring.tables import Grid, Row, TableColumn, match_columns
from armybuilder.authoring.wording import grouped, short, simplified
from armybuilder.collection.models import MAX_NOTE, MAX_NUMBER
from armybuilder.collection.services import Owned
from armybuilder.engine.wording import Later
from armybuilder.exchange.csvs import plain_text, safe_text

#: The columns: their headings, and other words for them.
_FIELDS = (
    ("name", Later("Unit"), "model, miniature, mini, figure, name, card, creature, title"),
    ("book", Later("Book"), "army, army book, faction, set, list"),
    ("number", Later("Number"), "owned, own, have, qty, quantity, count, copies, amount"),
    ("painted", Later("Painted"), "number painted, painted models, finished"),
    ("note", Later("Note"), "notes, comment, comments, remark, remarks, where"),
    ("ref", Later("ID"), "ref, unit id"),
)
#: Rows that are wrong for which a name is suggested: to compare all names takes long.
MAX_SUGGESTED = 20


def table_fields() -> list[CardField]:
    """Return the fields that a column can fill."""
    return [
        CardField(name, str(label), "text", aliases=tuple(aliases.split(", ")), english=label.text)
        for name, label, aliases in _FIELDS
    ]


class NamedUnits(Protocol):
    """A book with the names of its units by their refs."""

    @property
    def id(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def names(self) -> Mapping[str, str]: ...


class UnitIndex:
    """Units of a game's books by ref and by name; `names` and `books` by ref."""

    def __init__(self, books: Iterable[NamedUnits]) -> None:
        self.names: dict[str, str] = {}
        self.books: dict[str, str] = {}
        for book in books:
            for ref, name in book.names.items():
                if ref not in self.names:
                    self.names[ref], self.books[ref] = name, book.name

    @cached_property
    def _by_name(self) -> dict[str, list[str]]:
        refs: dict[str, list[str]] = {}
        for ref, name in self.names.items():
            refs.setdefault(simplified(name), []).append(ref)
        return refs

    def named(self, name: str, book: str) -> list[str]:
        """Return the units of a name, in the book of a name if one is given."""
        found = self._by_name.get(simplified(name), [])
        wanted = simplified(book)
        return [ref for ref in found if not wanted or simplified(self.books[ref]) == wanted]

    def like(self, name: str) -> str:
        """Return the name of the unit that is written most alike; "" for none."""
        near = difflib.get_close_matches(simplified(name), self._by_name, 1, 0.75)
        return self.names[self._by_name[near[0]][0]] if near else ""


class ReadRow(NamedTuple):
    """A row of a table by its `number`: the unit read from it, or the mistake in it."""

    number: int
    unit: Owned | None
    mistake: str = ""


class CollectionTable:
    """A table of a collection, read by the field of each column."""

    def __init__(self, grid: Grid, chosen: Mapping[str, str], index: UnitIndex) -> None:
        self.grid = grid
        self.index = index
        self.columns = _columns(grid, chosen)
        self.place = {one.field: at for at, one in reversed([*enumerate(self.columns)])}
        self._suggested = 0
        self.rows = list(self._rows()) if self.is_named else []

    @property
    def is_named(self) -> bool:
        """Return whether a column says which unit a row is about."""
        return "name" in self.place or "ref" in self.place

    @property
    def wrong(self) -> list[ReadRow]:
        return [row for row in self.rows if row.unit is None]

    @property
    def units(self) -> list[Owned]:
        """The units of rows without mistakes; rows of one unit are added up."""
        units: dict[str, Owned] = {}
        for unit in (row.unit for row in self.rows if row.unit is not None):
            units[unit.ref] = _added(units[unit.ref], unit) if unit.ref in units else unit
        return list(units.values())

    @property
    def examples(self) -> list[tuple[TableColumn, str]]:
        """Each column with its first value."""
        rows = [row for row in self.grid.rows[1:] if row]
        return [
            (column, next((short(row[at]) for row in rows if at < len(row) and row[at]), ""))
            for at, column in enumerate(self.columns)
        ]

    def _rows(self) -> Iterator[ReadRow]:
        for number, cells in enumerate(self.grid.rows[1:], self.grid.first + 1):
            if any(cells):
                try:
                    yield ReadRow(number, self._unit(cells))
                except ValueError as error:
                    yield ReadRow(number, None, str(error))

    def _unit(self, cells: Row) -> Owned:
        """Return the unit in a row. Raises ValueError with the mistake."""
        ref = self._ref(cells)
        owned = 1 if "number" not in self.place else self._whole(cells, "number") or 0
        painted = self._whole(cells, "painted")
        if painted is not None and painted > owned:
            said = _("Painted: {painted}, but the number is {number}.")
            raise ValueError(said.format(painted=painted, number=owned))
        note = self._cell(cells, "note")
        if len(note) > MAX_NOTE:
            raise ValueError(_("The note has more than {most} letters.").format(most=MAX_NOTE))
        return Owned(ref, self.index.names[ref], owned, painted, note)

    def _ref(self, cells: Row) -> str:
        ref, name, book = (self._cell(cells, field) for field in ("ref", "name", "book"))
        if ref in self.index.names:
            return ref
        if not name:
            raise ValueError(_("The unit’s name is missing."))
        found = self.index.named(name, book)
        if len(found) == 1:
            return found[0]
        if found:
            said = _("“{name}” is in several books: {books}. Add the book’s name to the row.")
            books = ", ".join(self.index.books[ref] for ref in found[:6])
            raise ValueError(said.format(name=short(name), books=books))
        said = _("There is no unit “{name}” in the books of this game.")
        if book and self.index.named(name, ""):
            said = _("There is no unit “{name}” in the book “{book}”.")
        said = said.format(name=short(name), book=short(book))
        self._suggested += 1
        like = self.index.like(name) if self._suggested <= MAX_SUGGESTED else ""
        raise ValueError(
            f"{said} {_('Did you mean “{name}”?').format(name=like)}" if like else said
        )

    def _cell(self, cells: Row, field: str) -> str:
        at = self.place.get(field, len(cells))
        return plain_text(cells[at]) if at < len(cells) else ""

    def _whole(self, cells: Row, field: str) -> int | None:
        text = self._cell(cells, field)
        if not text:
            return None
        if not (text.isascii() and text.isdigit() and len(text) <= 6 and int(text) <= MAX_NUMBER):
            said = _("{field}: “{text}” is not a whole number from 0 to {most}.")
            heading = self.columns[self.place[field]].heading
            most = grouped(MAX_NUMBER)
            raise ValueError(said.format(field=short(heading), text=short(text), most=most))
        return int(text)


def _columns(grid: Grid, chosen: Mapping[str, str]) -> Sequence[TableColumn]:
    """Return which field each column fills: as chosen in a form, else as its heading says."""
    known = {"", *(name for name, _label, _aliases in _FIELDS)}
    columns: list[TableColumn] = []
    for at, column in enumerate(match_columns(grid, table_fields())):
        wanted = chosen.get(f"column-{at}", column.field)
        field = wanted if wanted in known else ""
        taken = any(one.field == field for one in columns)
        columns.append(TableColumn(column.heading, "" if taken else field))
    return columns


def _added(one: Owned, other: Owned) -> Owned:
    painted = [number for number in (one.painted, other.painted) if number is not None]
    note = one.note if other.note in ("", one.note) else f"{one.note} {other.note}".strip()
    number = min(MAX_NUMBER, one.number + other.number)
    return one._replace(
        number=number, painted=sum(painted) if painted else None, note=note[:MAX_NOTE]
    )


def collection_csv(units: Iterable[Owned], books: Mapping[str, str]) -> bytes:
    """Return a collection as CSV; `books` are the books' names by their units' refs."""
    stream = io.StringIO()
    writer = csv.writer(stream)
    writer.writerow([str(label) for _name, label, _aliases in _FIELDS])
    for unit in units:
        painted = "" if unit.painted is None else unit.painted
        row = (unit.name, books.get(unit.ref, ""), unit.number, painted, unit.note, unit.ref)
        writer.writerow([safe_text(str(cell)) for cell in row])
    return stream.getvalue().encode()
