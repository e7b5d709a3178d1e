"""Reading a table pasted from a spreadsheet or uploaded as CSV: letters, separators, rows."""

import codecs
import csv
import io
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from armybuilder.authoring.wording import grouped, short, simplified
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


def read_grid(raw: bytes | str) -> Grid:
    """Read a table. Raises Refusal: empty, too large, no table, not text."""
    size = len(raw if isinstance(raw, bytes) else raw.encode("utf-8", "surrogatepass"))
    if size > MAX_BYTES:
        told = _("The table has {size} KB; maximum {most} KB.")
        most = grouped(MAX_BYTES // 1024)
        raise Refusal(told.format(size=grouped(size // 1024 + 1), most=most))
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
    rows = [_stripped(row) for row in _parsed(text, delimiter)]
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


def _parsed(text: str, delimiter: str) -> list[list[str]]:
    """Return every record. Raises Refusal: too many, or a quotation mark never closed."""
    try:
        rows = list(_records(text, delimiter))
    except csv.Error as error:
        raise Refusal(str(_TOO_LONG)) from error
    number = sum(1 for row in rows if any(map(str.strip, row))) - 1
    if number > MAX_ROWS:
        told = _(
            "The table has {number} rows; a book holds at most {most} cards. Split it into "
            "several books."
        )
        raise Refusal(told.format(number=grouped(number), most=grouped(MAX_ROWS)))
    # A quotation mark that is never closed swallows the rest.
    is_open = number > 0 and text.rstrip("\n").count('"') % 2
    last = [cell for cell in rows[-1] if cell.count("\n") > 3] if is_open else []
    if last:
        told = _("In row {number} a quotation mark is never closed: “{text}”.")
        raise Refusal(told.format(number=len(rows), text=short(last[0], 40)))
    return rows


def _stripped(row: Sequence[str]) -> Row:
    cells = [cell.strip().replace("\ufeff", "") for cell in row]
    while cells and not cells[-1]:
        cells.pop()
    return tuple(cells)


def _grid(rows: list[Row], delimiter: str, encoding: str, first: int) -> Grid:
    named = {"cp1252": "Windows-1252", "utf-16": "UTF-16", "utf-8": "UTF-8"}
    told, marks = _("Read as text, separated by {marks}."), _SEPARATORS[delimiter]
    if encoding in named:
        told = _("Read as {encoding} text, separated by {marks}.")
    notes = [told.format(encoding=named.get(encoding), marks=marks)]
    while rows and not rows[-1]:
        rows.pop()
    while rows and not rows[0]:
        rows, first = rows[1:], first + 1
    while len(rows) > 2 and (_is_title(rows) or not rows[0]):
        if rows[0]:
            told = _("Row {number}, “{text}”, was taken as a title.")
            notes.append(told.format(number=first, text=short(rows[0][0], 40)))
        rows, first = rows[1:], first + 1
    if len(rows) < 2:
        raise Refusal(
            _("The table has only one row: put the headings first, then a row for each card.")
        )
    if max(map(len, rows)) > MAX_COLUMNS:
        told = _("The table has {number} columns; maximum {most}.")
        raise Refusal(told.format(number=max(map(len, rows)), most=MAX_COLUMNS))
    # As many columns as headings, or as most rows have, where those go on.
    below = sorted(len(row) for row in rows[1:] if row)
    width = max(len(rows[0]), below[len(below) // 2])
    padded = [(*row, *[""] * (width - len(row))) if row else () for row in rows]
    return Grid(tuple(padded), delimiter, encoding, tuple(notes), first)


def _is_title(rows: Sequence[Row]) -> bool:
    below = [row for row in rows[1:4] if row]
    filled = sum(map(bool, rows[0]))
    return filled == 1 and bool(below) and all(sum(map(bool, row)) > 1 for row in below)
