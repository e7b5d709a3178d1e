"""Many cards at once: from a table, pasted or uploaded, or copied from a book of the same game.

Nothing is kept between the steps: a table travels in the form.
"""

from dataclasses import replace
from itertools import islice
from typing import Any

from django.contrib import messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from armybuilder.authoring import checking, edits, tables
from armybuilder.authoring.cards import CardForm
from armybuilder.authoring.edits import copy_units
from armybuilder.books.models import OwnBook
from armybuilder.books.paths import is_own_id
from armybuilder.books.selectors import own_book, own_books
from armybuilder.books.services import BookResult, Changed
from armybuilder.loading.books import revision_of
from armybuilder.loading.documents import Document
from armybuilder.loading.library import shipped_library
from armybuilder.loading.problems import Refusal
from armybuilder.pages.answers import fresh_form, render_for_htmx, wants_part
from armybuilder.pages.books.common import (
    MAX_UPLOAD,
    change,
    fields_of,
    go,
    matching_units,
    page_of,
    rows_of,
    system_of,
    uploaded,
)
from armybuilder.requests import HtmxRequest

#: Rows without mistakes and mistakes that a preview shows; the others are counted.
GOOD_SHOWN = 60
WRONG_SHOWN = 200
MISTAKES_SHOWN = 100


@fresh_form
def paste(request: HttpRequest, book_id: str) -> HttpResponse:
    """Show the empty form; after a post the preview, or, if it was asked for, save it."""
    book = own_book(request, book_id)
    if request.method == "GET":
        return _show(request, book, {})
    fields = fields_of(request)
    try:
        table, grid = _table(request, fields)
        if fields.get("go") == "bare":
            # It begins with a card: headings above it only count its columns.
            lines = table.split("\n")
            numbers = range(1, max(map(len, grid.rows)) + 1)
            lines.insert(grid.first - 1, grid.delimiter.join(map(_counted_heading, numbers)))
            table = "\n".join(lines)
            grid = tables.read_grid(table)
        columns = _columns(fields, grid, book)
        if fields.get("go") in ("save", "good"):
            messages.success(request, _save(request, book, fields, grid, columns).done.said)
            return go("own-book", book.pk)
    except NotReady as refusal:
        return _preview(request, book, fields, table, grid, columns, refusal.sentence)
    except Refusal as refusal:
        return _show(request, book, fields, 422, refused=refusal.sentence)
    return _preview(request, book, fields, table, grid, columns)


class NotReady(Refusal):
    """A table that still has mistakes, or that the book refuses."""


def _table(request: HttpRequest, fields: dict[str, str]) -> tuple[str, tables.Grid]:
    """Return the table as text that travels on, and as read. A file goes before pasted text."""
    raw = uploaded(request, "file")
    if not raw:
        text = fields.get("table", "")
        return text, tables.read_grid(text)
    grid = tables.read_grid(raw)
    try:
        return raw.decode(grid.encoding).removeprefix("\ufeff"), grid
    except (LookupError, UnicodeDecodeError):
        return raw.decode("utf-8-sig", errors="replace"), grid


def _counted_heading(number: int) -> str:
    return _("Column {number}").format(number=number)


def _columns(
    fields: dict[str, str], grid: tables.Grid, book: OwnBook
) -> tuple[tables.TableColumn, ...]:
    """Return which field each column is: as chosen on the page, else as its heading says.

    If no heading says that one is the name, the first with words in every row is.
    """
    known = CardForm(system_of(book), book.data).fields
    names = {"", *(field.name for field in known)}
    columns = list(tables.match_columns(grid, known))
    if not any(column.field == "name" for column in columns):
        rows = [row for row in grid.rows[1:] if row]
        for at, column in enumerate(columns):
            cells = [row[at] if at < len(row) else "" for row in rows]
            if not column.field and cells and all(any(map(str.isalpha, cell)) for cell in cells):
                columns[at] = replace(column, field="name")
                break
    for at, column in enumerate(columns):
        chosen = fields.get(f"column-{at}")
        if chosen in names and fields.get(f"heading-{at}") == column.heading:
            columns[at] = replace(column, field=chosen or "")
    return tuple(columns)


def _save(
    request: HttpRequest,
    book: OwnBook,
    fields: dict[str, str],
    grid: tables.Grid,
    columns: tuple[tables.TableColumn, ...],
) -> Changed:
    """Put the table's cards into the current book.

    Raises NotReady if rows have mistakes, the book refuses them, or cards to be replaced have
    changed meanwhile.
    """
    system, replaces = system_of(book), "replace" in fields

    def put(data: Document) -> BookResult:
        if replaces and revision_of(data) != fields.get("revision"):
            raise NotReady(_("The book has changed since this preview; check it again."))
        preview = tables.preview(grid, columns, system, data, replaces)
        if preview.wrong and fields.get("go") == "good":
            good = _without_wrong(grid, preview)
            preview = tables.preview(good, columns, system, data, replaces)
        if not preview.ready:
            raise NotReady(_("There are still errors; nothing was saved."))
        if not preview.rows:
            raise NotReady(_("No row is free of errors; nothing was saved."))
        try:
            document = edits.put_cards(data, system, [row.read for row in preview.rows], replaces)
        except Refusal as refusal:
            raise NotReady(refusal.sentence) from refusal
        number = len(preview.rows)
        told = ngettext(
            "Saved {number} card from a table.", "Saved {number} cards from a table.", number
        )
        return BookResult(document, told.format(number=number))

    return change(request, book, put)


def _without_wrong(grid: tables.Grid, preview: tables.Preview) -> tables.Grid:
    wrong = {row.number for row in preview.rows if row.is_wrong}
    rows = (() if number in wrong else row for number, row in enumerate(grid.rows, grid.first))
    return grid._replace(rows=tuple(rows))


def _preview(
    request: HttpRequest,
    book: OwnBook,
    fields: dict[str, str],
    table: str,
    grid: tables.Grid,
    columns: tuple[tables.TableColumn, ...],
    refused: str = "",
) -> HttpResponse:
    """Show the table as it was read, with the mistakes in each cell."""
    system, replaces = system_of(book), "replace" in fields
    preview = tables.preview(grid, columns, system, book.data, replaces)
    good = [row for row in preview.rows if not row.is_wrong]
    wrong = [row for row in preview.rows if row.is_wrong]
    shown = {row.number for row in (*good[:GOOD_SHOWN], *wrong[:WRONG_SHOWN])}
    mistakes = (
        (row.number, mistake)
        for row in wrong
        for mistake in (*(told for _cell, told in row.cells if told), *row.mistakes)
    )
    rest = tables.preview(_without_wrong(grid, preview), columns, system, book.data, replaces)
    known = CardForm(system, book.data).fields
    # The first row may be a card: no heading is known, and none was made for it.
    made = grid.rows[0][0] == _counted_heading(1)
    headless = not made and not any(column.field for column in tables.match_columns(grid, known))
    context = {
        "table": table,
        "fields": known,
        "preview": preview,
        "rows": [row for row in preview.rows if row.number in shown],
        "hidden_rows": len(preview.rows) - len(shown),
        "mistakes": list(islice(mistakes, MISTAKES_SHOWN)),
        "good": len(good),
        "rest_ready": rest.ready and bool(good),
        "headless": headless,
        "refused": refused,
    }
    return _show(request, book, fields, 422 if refused else 200, **context)


def _show(
    request: HttpRequest, book: OwnBook, typed: dict[str, str], status: int = 200, **more: Any
) -> HttpResponse:
    system = system_of(book)
    context = {
        "book": book,
        "system": system,
        "typed": typed,
        "table": typed.get("table", ""),
        "headings": [field.label for field in CardForm(system, book.data).fields],
        "most_kilobytes": MAX_UPLOAD // 1024,
        "most_units": checking.MAX_UNITS,
        **more,
    }
    return render(request, "books/paste.html", context, status=status)


@fresh_form
def copying(request: HtmxRequest, book_id: str) -> HttpResponse:
    """Copy ticked cards of the book `from`; `go`: "copy", or tick "all" or "none" found."""
    book = own_book(request, book_id)
    refused = ""
    if request.POST.get("go") == "copy":
        try:
            return _copied(request, book)
        except Refusal as refusal:
            refused = refusal.sentence
    return _show_copying(request, book, refused)


def _show_copying(request: HtmxRequest, book: OwnBook, refused: str) -> HttpResponse:
    form = request.POST if request.method == "POST" else request.GET
    wanted = form.get("from", "")
    source = _source(book, wanted) if wanted else None
    rows, ticked = None, dict.fromkeys(form.getlist("units"))
    if source is not None:
        text, number = page_of(form)
        rows = rows_of(source, system_of(book), text, number)
        matches = dict.fromkeys(unit["id"] for _, unit in matching_units(source, text))
        if form.get("go") == "all":
            ticked |= matches
        elif form.get("go") == "none":
            ticked = {unit: None for unit in ticked if unit not in matches}
    shown = {row["id"] for row in rows["rows"]} if rows else set()
    context = {
        "book": book,
        "shipped": [
            {"id": each.id, "name": each.name, "units": len(each.names)}
            for each in shipped_library().books[book.system].values()
            if each.names
        ],
        "own": [
            {"id": other.pk, "name": other.name, "units": other.unit_count}
            for other in _others(book)
            if other.unit_count
        ],
        "wanted": wanted,
        "source": source,
        "rows": rows,
        "ticked": ticked,
        "hidden_ticks": [unit for unit in ticked if unit not in shown],
        "refused": refused,
    }
    template = "books/copy.html#found" if wants_part(request) else "books/copy.html"
    return render_for_htmx(request, template, context, 422 if refused else 200)


def _others(book: OwnBook) -> QuerySet[OwnBook]:
    """Return the holder's other books of the game, in any edition."""
    library = shipped_library()
    system = library.system(book.system)
    editions = [system.id, *(edition.id for edition in library.editions(system))]
    return own_books(book.holder).filter(system__in=editions).exclude(pk=book.pk)


def _source(book: OwnBook, source: str) -> Document:
    """Return a source's content, as one for the book's edition. Raises Refusal for any other."""
    library = shipped_library()
    if source in library.books[book.system]:
        shipped = library.shipped_data(book.system, source)
        if shipped is not None:
            return {**shipped, "system": book.system}
    others = _others(book).defer(None).defer("before")
    other = others.filter(pk=source).first() if is_own_id(source) else None
    if other is None:
        raise Refusal(_("That book no longer exists. Choose another."))
    return {**other.data, "system": book.system}


def _copied(request: HttpRequest, book: OwnBook) -> HttpResponse:
    """Copy the ticked units, all or none. Raises Refusal."""
    ticked = list(dict.fromkeys(request.POST.getlist("units")))
    if not ticked:
        raise Refusal(_("Select the cards to copy first."))
    source = _source(book, request.POST.get("from", ""))
    told = ngettext(
        "Copied {number} card from “{book}”.", "Copied {number} cards from “{book}”.", len(ticked)
    ).format(number=len(ticked), book=source["name"])
    system = system_of(book)
    change(request, book, lambda data: BookResult(copy_units(data, system, source, ticked), told))
    messages.success(request, told)
    return go("own-book", book.pk)
