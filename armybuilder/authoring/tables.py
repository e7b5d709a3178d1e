"""Tables of cards, pasted or as CSV: how they are read, and the unit made from each row."""

import codecs
import csv
import io
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from armybuilder.authoring.cards import CardForm
from armybuilder.authoring.checking import MAX_ABILITIES, MAX_UNITS
from armybuilder.authoring.fields import CardField, ReadCard
from armybuilder.authoring.wording import and_more, grouped, short, simplified
from armybuilder.engine.catalogue import System
from armybuilder.engine.wording import quote
from armybuilder.loading.deadline import checked
from armybuilder.loading.documents import Document
from armybuilder.loading.problems import Refusal

MAX_BYTES = 1024 * 1024
MAX_ROWS = 1000
MAX_COLUMNS = 60
#: Rows that are looked at to find the separator.
_SAMPLE = 200

_SEPARATORS = {
    "\t": gettext_lazy("tabs"),
    ";": gettext_lazy("semicolons"),
    "|": gettext_lazy("bars"),
    ",": gettext_lazy("commas"),
}
#: A table of one column is one only where its heading says so.
_SINGLE = frozenset({"name", "names", "unit", "model", "creature", "card", "title"})
_TOO_LONG = gettext_lazy("A cell of the table is too long.")
_OTHER_FILES = {
    b"PK\x03\x04": gettext_lazy("an Excel or OpenDocument file"),
    b"\xd0\xcf\x11\xe0": gettext_lazy("an old Excel file"),
    b"%PDF": gettext_lazy("a PDF"),
}

Row = tuple[str, ...]


class Grid(NamedTuple):
    """A table: headings, then rows as wide or wider; empty rows are ().

    `first` is the number of the heading row as given; `notes` say how it was read.
    """

    rows: tuple[Row, ...]
    delimiter: str
    encoding: str
    notes: tuple[str, ...]
    first: int = 1


def read_grid(raw: bytes | str, most: int = MAX_ROWS) -> Grid:
    """Read a table of `most` rows at most. Raises Refusal: empty, too large, or no table."""
    size = len(raw if isinstance(raw, bytes) else raw.encode("utf-8", "surrogatepass"))
    if size > MAX_BYTES:
        told = _("The table has {size} KB; maximum {most} KB.")
        limit = grouped(MAX_BYTES // 1024)
        raise Refusal(told.format(size=grouped(size // 1024 + 1), most=limit))
    text, encoding = _decoded(raw) if isinstance(raw, bytes) else (raw, "text")
    if "\0" in text or any("\ud800" <= letter <= "\udfff" for letter in text):
        raise Refusal(_("That is not text; save the table as CSV, or copy and paste its cells."))
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    if not text.strip():
        raise Refusal(_("The table is empty."))
    # Excel may name the separator in the first line.
    line, _newline, rest = text.partition("\n")
    named = line.strip().strip('"')
    is_named = named.casefold().startswith("sep=") and named[4:] in _SEPARATORS
    text, delimiter = (rest, named[4:]) if is_named else (text, _separator(text))
    rows: list[Row] = []
    for row in _parsed(text, delimiter, most):
        cells = [cell.strip().replace("\ufeff", "") for cell in row]
        while cells and not cells[-1]:
            cells.pop()
        rows.append(tuple(cells))
    return _grid(rows, delimiter, encoding, 2 if is_named else 1)


def _decoded(raw: bytes) -> tuple[str, str]:
    for start, kind in _OTHER_FILES.items():
        if raw.startswith(start):
            told = _("That is {kind}; save the table as CSV, or copy its cells.")
            raise Refusal(told.format(kind=kind))
    is_utf16 = raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    for name in ("utf-16" if is_utf16 else "utf-8-sig", "cp1252"):
        try:
            text = raw.decode(name)
        except UnicodeDecodeError:
            continue
        if sum(letter < " " and letter not in "\t\n\r\f" for letter in text) > len(text) // 100:
            break
        return text, name.removesuffix("-sig")
    raise Refusal(_("That is not text; save the table as CSV, or copy and paste its cells."))


def _separator(text: str) -> str:
    best = (0.0, 0, "")
    unread = False
    for mark in _SEPARATORS:
        if mark not in text:
            continue
        try:
            sample = list(islice(_records(text, mark), _SAMPLE))
        except csv.Error:
            unread = True
            continue
        widths = Counter(len(row) for row in sample if any(map(str.strip, row)))
        if not widths:
            continue
        width, often = max(widths.items(), key=lambda item: (item[1], item[0]))
        wide = sum(number for found, number in widths.items() if found > 1)
        share = often / sum(widths.values()) if width > 1 else 0.5 * wide / sum(widths.values())
        if (share, width) > best[:2] and wide:
            best = (share, width, mark)
    if best[2]:
        return best[2]
    if simplified(text.strip().partition("\n")[0]) in _SINGLE:
        return "\t"
    if unread:
        raise Refusal(str(_TOO_LONG))
    raise Refusal(
        _(
            "No table was found: separate the columns with tabs, commas or semicolons, and "
            "put the headings in the first row."
        )
    )


def _records(text: str, delimiter: str) -> Iterator[list[str]]:
    return csv.reader(io.StringIO(text), delimiter=delimiter)


def _parsed(text: str, delimiter: str, most: int) -> list[list[str]]:
    """Return every record. Raises Refusal: too many, or a quotation mark never closed."""
    try:
        rows = list(_records(text, delimiter))
    except csv.Error as error:
        raise Refusal(str(_TOO_LONG)) from error
    number = sum(1 for row in rows if any(map(str.strip, row))) - 1
    if number > most:
        message = _("The table has {number} rows; maximum {most}. Split it into several.")
        raise Refusal(message.format(number=grouped(number), most=grouped(most)))
    # A quotation mark that is never closed swallows the rest.
    is_open = number > 0 and text.rstrip("\n").count('"') % 2
    last = [cell for cell in rows[-1] if cell.count("\n") > 3] if is_open else []
    if last:
        message = _("In row {number} a quotation mark is never closed: “{text}”.")
        raise Refusal(message.format(number=len(rows), text=short(last[0], 40)))
    return rows


def _grid(rows: list[Row], delimiter: str, encoding: str, first: int) -> Grid:
    named = {"cp1252": "Windows-1252", "utf-16": "UTF-16", "utf-8": "UTF-8"}
    message, marks = _("Read as text, separated by {marks}."), _SEPARATORS[delimiter]
    if encoding in named:
        message = _("Read as {encoding} text, separated by {marks}.")
    notes = [message.format(encoding=named.get(encoding), marks=marks)]
    while rows and not rows[-1]:
        rows.pop()
    while rows and not rows[0]:
        rows, first = rows[1:], first + 1
    while len(rows) > 2 and (_is_title(rows) or not rows[0]):
        if rows[0]:
            message = _("Row {number}, “{text}”, was taken as a title.")
            notes.append(message.format(number=first, text=short(rows[0][0], 40)))
        rows, first = rows[1:], first + 1
    if len(rows) < 2:
        raise Refusal(
            _("The table has only one row: put the headings first, then a row for each card.")
        )
    if max(map(len, rows)) > MAX_COLUMNS:
        message = _("The table has {number} columns; maximum {most}.")
        raise Refusal(message.format(number=max(map(len, rows)), most=MAX_COLUMNS))
    # As many columns as headings, or as most rows have, where those go on.
    below = sorted(len(row) for row in rows[1:] if row)
    width = max(len(rows[0]), below[len(below) // 2])
    padded = [(*row, *[""] * (width - len(row))) if row else () for row in rows]
    return Grid(tuple(padded), delimiter, encoding, tuple(notes), first)


def _is_title(rows: Sequence[Row]) -> bool:
    below = [row for row in rows[1:4] if row]
    filled = sum(map(bool, rows[0]))
    return filled == 1 and bool(below) and all(sum(map(bool, row)) > 1 for row in below)


@dataclass(frozen=True, slots=True)
class TableColumn:
    """A column of a table and the name of the field it fills; "" where it is left out."""

    heading: str
    field: str


@dataclass(frozen=True, slots=True)
class RowView:
    """A row as it would be taken over: its `number`, `cells` (text, mistake), other mistakes."""

    number: int
    cells: tuple[tuple[str, str], ...]
    mistakes: tuple[str, ...]
    read: ReadCard

    @property
    def is_wrong(self) -> bool:
        return bool(self.mistakes) or any(wrong for _, wrong in self.cells)


@dataclass(frozen=True, slots=True)
class Preview:
    """Preview of a table. `wrong` rows must be corrected; `ready`: all rows are valid."""

    columns: tuple[TableColumn, ...]
    rows: tuple[RowView, ...]
    wrong: int
    notes: tuple[str, ...]
    ready: bool


def match_columns(grid: Grid, fields: Sequence[CardField]) -> tuple[TableColumn, ...]:
    """Return which field each column fills: by its name, its label in any language, or an alias."""
    known = _headings(fields)
    return tuple(TableColumn(heading, known.get(_plain(heading), "")) for heading in grid.rows[0])


def _headings(fields: Sequence[CardField]) -> dict[str, str]:
    """Return the field of every heading. A field's own name goes before its other words."""
    known: dict[str, str] = {}
    for field in fields:
        for heading in (field.name, field.label, field.english or field.name):
            known.setdefault(_plain(heading), field.name)
    for field in fields:
        for heading in field.aliases:
            known.setdefault(_plain(heading), field.name)
    return known


def _plain(heading: str) -> str:
    return simplified(heading).replace("-", "")


def preview(
    grid: Grid,
    columns: Sequence[TableColumn],
    system: System,
    book: Document,
    replace: bool = False,
) -> Preview:
    """Return the units read from rows. With `replace`, a row changes the unit that has its name."""
    card = CardForm(system, book)
    troubles = _troubles(grid, columns, card.fields)
    rows = _Rows(card, columns, book, replace)
    numbered = enumerate(checked(grid.rows[1:]), grid.first + 1)
    views = tuple(rows.view(number, cells) for number, cells in numbered if cells)
    total = len(book["units"]) + sum("id" not in view.read.unit for view in views)
    if total > MAX_UNITS:
        message = _("Your book would have {number} units; maximum {most}.")
        troubles.append(message.format(number=grouped(total), most=grouped(MAX_UNITS)))
    existing = {entry["id"] for entry in book.get("abilities", ())}
    named = {entry["id"]: entry["name"] for view in views for entry in view.read.abilities}
    fresh = [name for ability_id, name in named.items() if ability_id not in existing]
    own = len(book.get("abilities", ())) + len(fresh)
    if own > MAX_ABILITIES:
        message = _("Your book would have {number} abilities of its own; maximum {most}.")
        troubles.append(message.format(number=grouped(own), most=MAX_ABILITIES))
    wrong = sum(view.is_wrong for view in views)
    notes = (*grid.notes, *troubles, *_remarks(grid, columns, views, fresh))
    return Preview(tuple(columns), views, wrong, notes, not (wrong or troubles))


class _Rows:
    def __init__(
        self, card: CardForm, columns: Sequence[TableColumn], book: Document, replace: bool
    ) -> None:
        self.card = card
        self.fields = [column.field for column in columns]
        self.place = {field: at for at, field in reversed(list(enumerate(self.fields))) if field}
        self.units = {simplified(unit["name"]): unit for unit in reversed(book["units"])}
        self.replace = replace
        self.seen: dict[str, int] = {}

    def view(self, number: int, cells: Row) -> RowView:
        """Return one row as it would be taken over."""
        values = {field: cells[at] for field, at in self.place.items()}
        name = simplified(values.get("name", ""))
        base = self.units.get(name) if self.replace and name else None
        read = self.card.read(values, base)
        beside = [""] * len(cells)
        mistakes = []
        for mistake in read.mistakes:
            at = self.place.get(mistake.field)
            if at is None:
                mistakes.append(mistake.message)
            else:
                beside[at] = " ".join(filter(None, (beside[at], mistake.message)))
        if name and not beside[self.place["name"]]:
            beside[self.place["name"]] = self._same_name(name, values["name"], number)
        if len(cells) > len(self.fields):
            told = _(
                "Row {number} has {cells} cells, the headings are {headings}: put cells that "
                "contain a separator in quotation marks."
            )
            headings = len(self.fields)
            mistakes.append(told.format(number=number, cells=len(cells), headings=headings))
        return RowView(number, tuple(zip(cells, beside, strict=True)), tuple(mistakes), read)

    def _same_name(self, name: str, written: str, number: int) -> str:
        first = self.seen.setdefault(name, number)
        if first != number:
            message = _("Name: row {number} is called “{name}” too; rename one.")
            return message.format(number=first, name=short(written))
        if name in self.units and not self.replace:
            message = _(
                "Name: your book already has “{name}”; replace its units of the same name, or "
                "rename this one."
            )
            return message.format(name=short(written))
        return ""


def _troubles(grid: Grid, columns: Sequence[TableColumn], fields: Sequence[CardField]) -> list[str]:
    troubles = []
    labels = {field.name: field.label for field in fields}
    counts = Counter(column.field for column in columns if column.field)
    for field, number in counts.items():
        if field not in labels:
            message = _("There is no field “{field}” on these cards.")
            troubles.append(message.format(field=short(field)))
        elif number > 1:
            named = ", ".join(quote(short(c.heading)) for c in columns if c.field == field)
            message = _("{field} is filled by {number} columns, {columns}; keep one.")
            troubles.append(message.format(field=labels[field], number=number, columns=named))
    if "name" not in counts:
        troubles.append(_("No column holds the name; choose one, or write “Name” above it."))
    known = _headings(fields)
    first, second = (
        {known.get(_plain(cell), "") for cell in row if cell} - {""} for row in grid.rows[:2]
    )
    if len(second) > 1 and len(second) >= len(first):
        message = _(
            "The headings are in two rows, {first} and {second}; put them in one row, one "
            "heading above each column."
        )
        troubles.append(message.format(first=grid.first, second=grid.first + 1))
    return troubles


def _remarks(
    grid: Grid, columns: Sequence[TableColumn], views: Sequence[RowView], fresh: Sequence[str]
) -> Iterator[str]:
    """Yield remarks that need no correction."""
    bare = [at for at, heading in enumerate(grid.rows[0]) if not heading]
    filled = [at for at in bare if any(len(row) > at and row[at] for row in grid.rows[1:])]
    if filled and any(not columns[at].field for at in filled):
        # Columns as spreadsheets name them: A, B, ..., AA.
        letters = ((chr(64 + at // 26) if at >= 26 else "") + chr(65 + at % 26) for at in filled)
        named = ", ".join(letters)
        message = _("There is no heading above column {columns}; write one to import it.")
        yield message.format(columns=named)
    left = [column.heading for column in columns if column.heading and not column.field]
    if left:
        yield _("Left out: {columns}.").format(columns=", ".join(map(short, left)))
    replaced = sum("id" in view.read.unit for view in views)
    if replaced:
        message = ngettext(
            "{number} row changes a unit that your book already has.",
            "{number} rows change units that your book already has.",
            replaced,
        )
        yield message.format(number=replaced)
    if fresh:
        names = ", ".join(fresh[:20])
        names = and_more(names, len(fresh) - 20) if len(fresh) > 20 else names
        yield _("New abilities of your book: {names}.").format(names=names)
