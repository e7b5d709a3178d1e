"""Helpers of book pages: forms, URLs, cards as rows of a table, a card as understood."""

from collections.abc import Callable, Sequence
from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.urls import reverse

from armybuilder.accounts.holders import holder_of
from armybuilder.authoring import checking, tables
from armybuilder.authoring.checking import mark_of
from armybuilder.authoring.fields import Entry
from armybuilder.books.models import OwnBook
from armybuilder.books.services import BookResult, Changed, Watch, change_book
from armybuilder.engine.catalogue import System
from armybuilder.engine.sentences import sentence
from armybuilder.engine.states import State
from armybuilder.engine.validate import unit_findings
from armybuilder.engine.wording import Later
from armybuilder.loading.books import build_book
from armybuilder.loading.documents import Document
from armybuilder.loading.library import make_catalogue, shipped_library
from armybuilder.loading.problems import Problem
from armybuilder.loading.schemas import schema_problems
from armybuilder.loading.unit_fields import UNIT_FIELDS, price_remark
from armybuilder.pages.answers import whole_number, with_query
from armybuilder.sheets.content.make_units import entry_views
from armybuilder.sheets.content.unit_view import UnitView

#: Bytes of an upload, a book or a table. Files are read up to this and one byte more.
MAX_UPLOAD = max(checking.MAX_BYTES, tables.MAX_BYTES)
#: Rows of one page of a table of cards.
ROWS = 100
#: Keys of cards that have a column of their own, and its heading.
_COLUMNS = [
    (field.key, field.form.column) for field in UNIT_FIELDS if field.form and field.form.column
]


def system_of(book: OwnBook) -> System:
    return shipped_library().system(book.system)


def fields_of(request: HttpRequest) -> dict[str, str]:
    """Return the fields of a form, several values joined with commas, without the character NUL."""
    fields = {name: ",".join(values) for name, values in request.POST.lists()}
    return {name: value.replace("\0", "") for name, value in fields.items()}


def uploaded(request: HttpRequest, name: str) -> bytes:
    """Return the uploaded file's content, or a byte more than it may have; b"" for no file."""
    file = request.FILES.get(name)
    return file.read(MAX_UPLOAD + 1) if file is not None else b""


def page_of(fields: QueryDict) -> tuple[str, int]:
    """Return the search text for a book, and the page number, from a query or a form."""
    return fields.get("q", "")[:80].strip(), whole_number(fields.get("page", ""), 5, 1)


def address(name: str, /, *args: str, **query: str | int) -> str:
    filled = urlencode({key: value for key, value in query.items() if value})
    return with_query(reverse(name, args=args), filled)


def go(name: str, /, *args: str, **query: str | int) -> HttpResponse:
    return redirect(address(name, *args, **query))


def change(
    request: HttpRequest,
    book: OwnBook,
    edit: Callable[[Document], BookResult],
    part: Callable[[Document], Entry | None] | None = None,
    mark: str = "",
) -> Changed:
    """Change a book as `change_book` does; a watched part must have the mark of its page."""
    watch = Watch(part, mark) if part is not None else None
    return change_book(holder_of(request), book.pk, edit, watch)


def matching_units(document: Entry, text: str) -> list[tuple[int, Entry]]:
    """Return the cards whose name contains the text, ignoring case, each with its place from 1."""
    return [
        (number, unit)
        for number, unit in enumerate(document["units"], 1)
        if text.casefold() in unit["name"].casefold()
    ]


def rows_of(document: Entry, system: System, text: str = "", page: int = 1) -> dict[str, Any]:
    """Return a page of the cards whose name holds the text; a page too high is the last.

    `columns` are headings that some card fills; `problems` say why the game does not take the book
    any more.
    """
    units = document["units"]
    matches = matching_units(document, text)
    last = max(1, -(-len(matches) // ROWS))
    page = min(max(page, 1), last)
    on_page = matches[(page - 1) * ROWS : page * ROWS]
    built, problems = _built(document, [unit for _, unit in on_page], system)
    columns = [(key, name) for key, name in _COLUMNS if any(key in unit for _, unit in on_page)]
    return {
        "rows": [_row(number, unit, built.get(unit["id"]), columns) for number, unit in on_page],
        "columns": [str(name) for _, name in columns],
        "text": text,
        "found": len(matches),
        "total": len(units),
        "page": page,
        "last": last,
        "problems": problems,
    }


def _built(
    document: Entry, units: Sequence[Entry], system: System
) -> tuple[dict[str, UnitView], tuple[Problem, ...]]:
    """Return some units of a book by id; if they need the others, all are built."""
    book, problems = build_book({**document, "units": list(units)}, system, "book")
    if book is None and len(units) < len(document["units"]):
        book, problems = build_book(dict(document), system, "book")
    if book is None:
        return {}, tuple(problems)
    views = entry_views(book.units.values(), make_catalogue(system, [book]))
    return {view.id.partition("/")[2]: view for view in views}, ()


def _row(
    number: int, entry: Entry, unit: UnitView | None, columns: Sequence[tuple[str, Later]]
) -> dict[str, Any]:
    """Return a row; for a card that the game no longer accepts, only its own entries.

    `number` is the card's place in the book from 1, `cells` are (heading, text) of further columns.
    """
    points, facts, names, remark = entry.get("points"), [""], [""], price_remark(entry)
    if unit is not None and unit.entry is not None:
        points = unit.points
        facts = [unit.entry.heading if unit.sized else unit.about, unit.entry.bounds]
        names = [use.name for use in (*unit.abilities, *unit.spells)] or [*unit.rules]
        # Where statistics make the price they are few.
        if entry.get("points") is None and points is not None:
            facts += [f"{stat.label}{stat.value}" for stat in unit.stats]
    return {
        "id": entry["id"],
        "name": entry["name"],
        "points": "?" if points is None else str(points),
        "facts": " · ".join(filter(None, facts)),
        "abilities": ", ".join(names),
        "price_mark": str(remark.mark) if remark else "",
        "cells": [(str(name), str(entry.get(key, ""))) for key, name in columns],
        "note": entry.get("note", ""),
        "number": number,
        "mark": mark_of(entry),
    }


def face_of(document: Document, entry: Entry, system: System) -> dict[str, Any] | None:
    """Return one card of a book, as it was understood; None if that can't be shown.

    `own` are abilities of the book, each with similar ones of the game.
    """
    alone = {**document, "units": [entry]}
    if not alone.get("abilities"):
        alone.pop("abilities", None)
    if schema_problems("book", alone, "card", 1):
        return None
    book, _problems = build_book(alone, system, "card")
    if book is None:
        return None
    (unit,) = book.units.values()
    (card,) = entry_views([unit], make_catalogue(system, [book]))
    own = (use for use in unit.abilities if use.ability.id in book.abilities)
    return {
        "card": card,
        "own": [(use.label, _longer(use.ability.name, system)) for use in own],
        "tellings": [
            (one.severity.value, sentence(one), one.citation)
            for one in unit_findings(unit, system, {})
            if one.state is State.BROKEN
        ],
    }


def _longer(name: str, system: System) -> str:
    """Return the game's abilities whose names go on where this ends: "Wild" may be Wild Troop."""
    start = f"{name.casefold()} "
    names = (ability.name for ability in system.abilities.values())
    return ", ".join(sorted(name for name in names if name.casefold().startswith(start))[:3])
