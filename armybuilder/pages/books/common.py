"""What pages of books share: forms, addresses, cards as rows of a table, a card as understood."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from armybuilder.accounts.holders import holder_of
from armybuilder.authoring import checking, tables
from armybuilder.authoring.checking import mark_of
from armybuilder.authoring.fields import Entry
from armybuilder.books.models import OwnBook
from armybuilder.books.services import BookResult, Changed, Watch, change_book
from armybuilder.engine.catalogue import Book, System
from armybuilder.engine.describe import size_words, unit_abilities, unit_attributes, unit_facts
from armybuilder.engine.options import Group, Option
from armybuilder.engine.sentences import sentence
from armybuilder.engine.states import State
from armybuilder.engine.units import Unit
from armybuilder.engine.validate import unit_findings
from armybuilder.engine.wording import Later
from armybuilder.loading.books import build_book
from armybuilder.loading.documents import Document
from armybuilder.loading.library import shipped_library
from armybuilder.loading.problems import Problem
from armybuilder.loading.schemas import schema_problems
from armybuilder.loading.unit_fields import UNIT_FIELDS, price_remark, remark_words
from armybuilder.pages.answers import whole_number, with_query

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
    """Return what is looked for in a book, and the page of it, out of an address or a form."""
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
    """Return the cards whose name holds the text, whatever its case, each with its place from 1."""
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
    headings = {entry["id"]: entry["name"] for entry in document.get("categories", ())}
    columns = [(key, name) for key, name in _COLUMNS if any(key in unit for _, unit in on_page)]
    return {
        "rows": [
            _row(number, unit, built.get(unit["id"]), system, headings, columns)
            for number, unit in on_page
        ],
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
) -> tuple[dict[str, Unit], tuple[Problem, ...]]:
    """Return some units of a book by id; if they need the others, all are built."""
    book, problems = build_book({**document, "units": list(units)}, system, "book")
    if book is None and len(units) < len(document["units"]):
        book, problems = build_book(dict(document), system, "book")
    if book is None:
        return {}, tuple(problems)
    return {ref.partition("/")[2]: unit for ref, unit in book.units.items()}, ()


def _row(
    number: int,
    entry: Entry,
    unit: Unit | None,
    system: System,
    headings: Mapping[str, str],
    columns: Sequence[tuple[str, Later]],
) -> dict[str, Any]:
    """Return a row; of a card that the game does not take any more, what is known without it.

    `number` is the card's place in the book from 1, `cells` are (heading, text) of further columns.
    """
    points, facts, abilities = entry.get("points"), "", ""
    if unit is not None:
        points = unit.price.start
        categories = ", ".join(headings.get(each, each) for each in entry.get("categories", ()))
        facts = _with_size(unit_facts(unit, system) or categories, unit)
        keywords = ", ".join(keyword.name for keyword in unit.keywords)
        abilities = keywords if system.sized else unit_abilities(unit)
    return {
        "id": entry["id"],
        "name": entry["name"],
        "points": "?" if points is None else str(points),
        "facts": facts,
        "abilities": abilities,
        "price_mark": _price_mark(entry),
        "cells": [(str(name), str(entry.get(key, ""))) for key, name in columns],
        "note": entry.get("note", ""),
        "number": number,
        "mark": mark_of(entry),
    }


def _price_mark(card: Unit | Entry) -> str:
    remark = price_remark(card)
    return str(remark.mark) if remark else ""


def _with_size(words: str, unit: Unit) -> str:
    size = size_words(unit.size[0].base or 1, unit.size[1].base) if unit.size else ""
    return " · ".join(filter(None, (words, size)))


def face_of(document: Document, entry: Entry, system: System) -> dict[str, Any] | None:
    """Return one card of a book by itself, as it was understood; None if that cannot be shown."""
    alone = {**document, "units": [entry]}
    if not alone.get("abilities"):
        alone.pop("abilities", None)
    if schema_problems("book", alone, "card", 1):
        return None
    book, _problems = build_book(alone, system, "card")
    return _face(next(iter(book.units.values())), book, system) if book else None


def _face(unit: Unit, book: Book, system: System) -> dict[str, Any]:
    """Return what a card shows.

    Of each ability its label, whether it is the book's own, and the game's that may be meant.
    """
    uses = ((use, use.ability.id in book.abilities) for use in unit.abilities)
    categories = ", ".join(book.categories.get(each, each) for each in unit.categories)
    return {
        "name": unit.name,
        "price": _price(unit),
        "price_mark": _price_mark(unit),
        "facts": _with_size(unit_attributes(unit, system) or categories, unit),
        "lines": list(_lines(unit, system)),
        "abilities": [
            (use.label, free, _longer(use.ability.name, system) if free else "")
            for use, free in uses
        ],
        "spells": ", ".join(
            f"{spell.name} ×{spell.uses}" if spell.uses > 1 else spell.name for spell in unit.spells
        ),
        "keywords": ", ".join(keyword.name for keyword in unit.keywords),
        "options": list(map(_priced, unit.offer.nodes)),
        "texts": [
            (part.name, unit.texts[part.id])
            for part in system.texts.values()
            if unit.texts.get(part.id)
        ],
        "note": remark_words(unit),
        "tellings": [
            (one.severity.value, sentence(one), one.citation)
            for one in unit_findings(unit, system, {})
            if one.state is State.BROKEN
        ],
    }


def _price(unit: Unit) -> str:
    """Return the points, "?" if not known, and those for each model above the least."""
    start = unit.price.start
    price = ngettext("{points} point", "{points} points", start or 0)
    price = price.format(points="?" if start is None else start)
    if not unit.price.extra or not unit.size or unit.size[0].base == unit.size[1].base:
        return price
    sentence = _("{price}, +{extra} for each additional model")
    return sentence.format(price=price, extra=unit.price.extra)


def _longer(name: str, system: System) -> str:
    """Return the game's abilities whose names go on where this ends: "Wild" may be Wild Troop."""
    start = f"{name.casefold()} "
    names = (ability.name for ability in system.abilities.values())
    return ", ".join(sorted(name for name in names if name.casefold().startswith(start))[:3])


def _priced(node: Option | Group) -> str:
    """Return an option with its points; of a group what can be chosen in it."""
    if isinstance(node, Group):
        return f"{node.name}: {' | '.join(map(_priced, node.nodes))}"
    points, each = (
        f"{number:+}".replace("-", "−") if number else ""
        for number in (node.points.base, node.each.base)
    )
    if points and each:
        text = _("{name} {points} and {each} a model")
        return text.format(name=node.name, points=points, each=each)
    if each:
        return _("{name} {each} a model").format(name=node.name, each=each)
    return f"{node.name} {points}" if points else _("{name} free").format(name=node.name)


def _lines(unit: Unit, system: System) -> Iterable[tuple[str, list[tuple[str, str, str]]]]:
    """Yield stat lines, each with whose it is, or "", and its statistics as the card prints them.

    These are a short name, a name and a value.
    """
    lines = [("", unit.stats)] if unit.stats else []
    several = len(unit.profiles) > 1
    lines += [(profile.name if several else "", profile.stats) for profile in unit.profiles]
    for name, stats in lines:
        known = (stat for stat in system.stats.values() if stat.id in stats)
        yield name, [(stat.short, stat.name, stat.shown(stats[stat.id])) for stat in known]
