"""Many cards at once from a table: paste or upload it, match its columns, look, then save.

Nothing is kept between the steps: the table travels in the form.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from armybuilder.accounts.holders import holder_of
from armybuilder.authoring import checking, edits, grids, tables
from armybuilder.authoring.cards import card_fields
from armybuilder.authoring.fields import CardField
from armybuilder.books.models import OwnBook
from armybuilder.books.selectors import own_book
from armybuilder.books.services import BookResult, Changed, change_book
from armybuilder.loading.books import revision_of
from armybuilder.loading.documents import Document
from armybuilder.loading.problems import Refusal
from armybuilder.pages.books.views.common import MAX_UPLOAD, fields_of, go, system_of, uploaded

PAGE = "books/paste.html"

#: Rows without mistakes and mistakes that a preview shows; the others are counted.
GOOD_SHOWN = 60
WRONG_SHOWN = 200
MISTAKES_SHOWN = 100


@never_cache
@require_http_methods(["GET", "POST"])
def page(request: HttpRequest, book_id: str) -> HttpResponse:
    """The empty form; after a post the preview, or, where it was asked for, the saved book."""
    book = own_book(request, book_id)
    if request.method == "GET":
        return _show(request, book, {})
    fields = fields_of(request)
    try:
        table, grid = _table(request, fields)
        if fields.get("go") == "bare":
            table = _with_headings(table, grid)
            grid = grids.read_grid(table)
        columns = _columns(fields, grid, book)
        if fields.get("go") in ("save", "good"):
            changed = _save(request, book, fields, grid, columns)
            messages.success(request, changed.done.said)
            return go("own-book", book.pk)
    except NotReady as refusal:
        return _preview(request, book, fields, table, grid, columns, refusal.sentence)
    except Refusal as refusal:
        return _show(request, book, fields, 422, refused=refusal.sentence)
    return _preview(request, book, fields, table, grid, columns)


class NotReady(Refusal):
    """A table that still has mistakes, or that the book does not take as it is."""


def _table(request: HttpRequest, fields: dict[str, str]) -> tuple[str, grids.Grid]:
    """Return the table as text that travels on, and as read. A file goes before pasted text."""
    raw = uploaded(request, "file")
    if not raw:
        text = fields.get("table", "")
        return text, grids.read_grid(text)
    grid = grids.read_grid(raw)
    return _text_of(raw, grid), grid


def _text_of(raw: bytes, grid: grids.Grid) -> str:
    """Return an uploaded table as text."""
    try:
        return raw.decode(grid.encoding).removeprefix("\ufeff")
    except (LookupError, UnicodeDecodeError):
        return raw.decode("utf-8-sig", errors="replace")


def _with_headings(table: str, grid: grids.Grid) -> str:
    """Return a table that begins with a card, below headings that only count its columns."""
    lines = table.split("\n")
    numbers = range(1, max(map(len, grid.rows)) + 1)
    lines.insert(grid.first - 1, grid.delimiter.join(map(_counted_heading, numbers)))
    return "\n".join(lines)


def _counted_heading(number: int) -> str:
    """Return what stands above a column of a table that has no headings."""
    return _("Column {number}").format(number=number)


def _columns(
    fields: dict[str, str], grid: grids.Grid, book: OwnBook
) -> tuple[tables.TableColumn, ...]:
    """Return which field each column is: as chosen on the page, else as its heading says."""
    known = card_fields(system_of(book), book.data)
    names = {"", *(field.name for field in known)}
    matched = _with_name(tables.match_columns(grid, known), grid)
    return tuple(_chosen(fields, number, one, names) for number, one in enumerate(matched))


def _with_name(
    columns: tuple[tables.TableColumn, ...], grid: grids.Grid
) -> tuple[tables.TableColumn, ...]:
    """The columns with one that is the name: where no heading says so, the first of words."""
    if any(column.field == "name" for column in columns):
        return columns
    guessed = next((at for at, one in enumerate(columns) if _is_name(one, at, grid)), -1)
    return tuple(
        replace(one, field="name") if at == guessed else one for at, one in enumerate(columns)
    )


def _is_name(column: tables.TableColumn, at: int, grid: grids.Grid) -> bool:
    """Return whether a column that no heading explains has words in every row."""
    cells = [row[at] if at < len(row) else "" for row in grid.rows[1:] if row]
    return not column.field and bool(cells) and all(any(map(str.isalpha, cell)) for cell in cells)


def _chosen(
    fields: dict[str, str], number: int, column: tables.TableColumn, names: set[str]
) -> tables.TableColumn:
    """The column with the field that the page chose for it, if it is the column chosen for."""
    chosen = fields.get(f"column-{number}")
    same = fields.get(f"heading-{number}") == column.heading
    return replace(column, field=chosen) if chosen in names and same else column


def _save(
    request: HttpRequest,
    book: OwnBook,
    fields: dict[str, str],
    grid: grids.Grid,
    columns: tuple[tables.TableColumn, ...],
) -> Changed:
    """Put the table's cards into the book as it is now. Raises NotReady where rows have mistakes,
    where the book refuses them, or cards to be replaced have changed meanwhile.
    """
    system, replace = system_of(book), "replace" in fields
    leave_out = fields.get("go") == "good"

    def put(data: Document) -> BookResult:
        if replace and revision_of(data) != fields.get("revision"):
            raise NotReady(_("The book has changed since this preview; check it again."))
        seen = tables.preview(grid, columns, system, data, replace)
        if seen.wrong and leave_out:
            seen = tables.preview(_without_wrong(grid, seen), columns, system, data, replace)
        if not seen.ready:
            raise NotReady(_("There are still errors; nothing was saved."))
        if not seen.rows:
            raise NotReady(_("No row is free of errors; nothing was saved."))
        try:
            document = edits.put_cards(data, system, [row.read for row in seen.rows], replace)
        except Refusal as refusal:
            raise NotReady(refusal.sentence) from refusal
        told = ngettext(
            "Saved {number} card from a table.",
            "Saved {number} cards from a table.",
            len(seen.rows),
        )
        return BookResult(document, told.format(number=len(seen.rows)))

    return change_book(holder_of(request), book.pk, put)


def _without_wrong(grid: grids.Grid, seen: tables.Preview) -> grids.Grid:
    """Return the table with the rows that have mistakes left empty."""
    wrong = {row.number for row in seen.rows if row.is_wrong}
    rows = (() if number in wrong else row for number, row in enumerate(grid.rows, grid.first))
    return grid._replace(rows=tuple(rows))


def _preview(
    request: HttpRequest,
    book: OwnBook,
    fields: dict[str, str],
    table: str,
    grid: grids.Grid,
    columns: tuple[tables.TableColumn, ...],
    refused: str = "",
) -> HttpResponse:
    """The table as it was understood, with what is wrong in each cell."""
    system, replace = system_of(book), "replace" in fields
    seen = tables.preview(grid, columns, system, book.data, replace)
    good = [row for row in seen.rows if not row.is_wrong]
    wrong = [row for row in seen.rows if row.is_wrong]
    shown = {row.number for row in (*good[:GOOD_SHOWN], *wrong[:WRONG_SHOWN])}
    rest = tables.preview(_without_wrong(grid, seen), columns, system, book.data, replace)
    context = {
        "table": table,
        "fields": card_fields(system, book.data),
        "preview": seen,
        "rows": [row for row in seen.rows if row.number in shown],
        "hidden_rows": len(seen.rows) - len(shown),
        "mistakes": list(islice(_mistakes(wrong), MISTAKES_SHOWN)),
        "good": len(good),
        "rest_ready": rest.ready and bool(good),
        "headless": _headless(grid, card_fields(system, book.data)),
        "refused": refused,
    }
    return _show(request, book, fields, 422 if refused else 200, **context)


def _headless(grid: grids.Grid, known: Iterable[CardField]) -> bool:
    """Return whether the first row may be a card: no heading is known, and none was made for it."""
    made = grid.rows[0][0] == _counted_heading(1)
    return not made and not any(one.field for one in tables.match_columns(grid, tuple(known)))


def _mistakes(rows: Iterable[tables.RowView]) -> Iterator[tuple[int, str]]:
    """Return what is wrong with rows: (number of the row, message)."""
    for row in rows:
        yield from ((row.number, wrong) for _cell, wrong in row.cells if wrong)
        yield from ((row.number, wrong) for wrong in row.mistakes)


def _show(
    request: HttpRequest, book: OwnBook, typed: dict[str, str], status: int = 200, **more: Any
) -> HttpResponse:
    system = system_of(book)
    context = {
        "book": book,
        "system": system,
        "typed": typed,
        "table": typed.get("table", ""),
        "headings": [field.label for field in card_fields(system, book.data)],
        "most_kilobytes": MAX_UPLOAD // 1024,
        "most_units": checking.MAX_UNITS,
        **more,
    }
    return render(request, PAGE, context, status=status)
