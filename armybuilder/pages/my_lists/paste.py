"""Pages where lists are imported, and texts reviewed line by line before the list is made.

Nothing is kept between the steps: the text and the choices travel in the form.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy

from armybuilder.accounts.holders import holder_of, make_holder
from armybuilder.acts.proposals import unpacked
from armybuilder.books.pinning import books_now
from armybuilder.engine.sentences import sentence
from armybuilder.exchange.files import ending_of
from armybuilder.exchange.pasting import PastedLine, PastedList
from armybuilder.exchange.pasting.options import LEAVE_OUT, ReadChoice, ReadPiece
from armybuilder.exchange.pasting.results import UnitRead
from armybuilder.exchange.pasting.rows import MAX_TEXT
from armybuilder.lists import services
from armybuilder.lists.file_imports import KeptGames
from armybuilder.loading.library import Library, shipped_library
from armybuilder.loading.problems import Refusal
from armybuilder.pages.answers import fresh, fresh_form, with_query
from armybuilder.pages.builder.ways import find_ways
from armybuilder.pages.my_lists.keeping import (
    TextSource,
    answer_file_text,
    answer_many,
    named,
    open_text,
    own_library,
    parts_of,
    read_whole,
)


@fresh
def import_page(request: HttpRequest) -> HttpResponse:
    """Show files to choose or drop, and a field for a text, empty or with one."""
    return show_form(request, request.GET.get("text", "")[:MAX_TEXT], request.GET.get("system", ""))


@fresh_form
def page(request: HttpRequest) -> HttpResponse:
    """Show how the text was read, or make the new list; who only asks is sent to the form."""
    if request.method == "GET":
        return redirect(with_query(reverse("import"), request.GET.urlencode()))
    if files := request.POST.getlist("file"):
        return _answer_files(request, files, request.POST.getlist("text"))
    return answer_text(request, request.POST.get("text", ""))


def answer_text(request: HttpRequest, text: str) -> HttpResponse:
    """Show how a text, file or one of many lists was read, or make the list if asked."""
    try:
        if ending := ending_of(text):
            return open_text(request, text, ending)
        library = own_library(request)
        of_files = answer_file_text(request, text, library)
        if of_files is not None:
            return of_files
        parts = parts_of(request.POST, text, library)
        perhaps = parts[0]
        part = parts[0] if request.POST.get("one") else None
        if len(parts) > 1:
            part = next((p for p in parts if str(p.first) == request.POST.get("only")), None)
            if part is None:
                return answer_many(request, [TextSource(text, parts)])
            text = part.text
        reading = read_whole(request.POST, text, library, part)
        if request.POST.get("go") == "make":
            return _make(request, reading)
    except Refusal as refusal:
        return show_form(request, text, request.POST.get("system", ""), refusal)
    refused = ""
    if proposal := request.POST.get("proposal"):
        try:
            # Made legal in a way that the page has shown; refused if that was of another list.
            document = unpacked(proposal, reading.document) if reading.document else None
            return _make(request, replace(reading, document=document))
        except Refusal as refusal:  # something else was chosen meanwhile
            refused = refusal.sentence
    context = {**_review(request, text, reading, library), "refused": refused, "one": part}
    context["perhaps"] = perhaps if part is None else None
    return render(request, "my_lists/paste.html", context, status=422 if refused else 200)


def _answer_files(request: HttpRequest, files: Sequence[str], texts: Sequence[str]) -> HttpResponse:
    """Show the lists in the texts of several files, keep those that are asked for, or show one."""
    library = own_library(request)
    try:
        sources = [
            TextSource(text, parts_of(request.POST, text, library), number, file)
            for number, (file, text) in enumerate(zip(files, texts, strict=False), 1)
        ]
    except Refusal as refusal:
        return show_form(request, "", request.POST.get("system", ""), refusal)
    parts = {key: part for source in sources for key, part in source.by_key()}
    part = parts.get(request.POST.get("only", ""))
    if part is None:
        return answer_many(request, sources)
    try:
        reading = read_whole(request.POST, part.text, library, part)
    except Refusal as refusal:
        return show_form(request, part.text, "", refusal)
    context = {**_review(request, part.text, reading, library), "perhaps": part}
    context["one"] = None if part.doubt else part
    return render(request, "my_lists/paste.html", context)


def _make(request: HttpRequest, reading: PastedList) -> HttpResponse:
    """Store the reading as a new list. Raises Refusal if nothing was read."""
    document = named(request, reading)
    version = services.create_list(make_holder(request), document, _("Pasted as text."))
    return redirect("builder", version.army_list_id)


def _review(
    request: HttpRequest, text: str, reading: PastedList, library: Library
) -> dict[str, Any]:
    system = library.find_system(reading.system)
    document, catalogue, ways = reading.document, reading.catalogue, None
    if document and catalogue and reading.report and not reading.report.legal:
        ways = find_ways(document, catalogue)
    return {
        "text": text,
        "reading": reading,
        "systems": library.systems.values(),
        "report": reading.report,
        "unnamed": [sentence(finding) for finding in reading.unnamed],
        "found": ways,
        "system": system,
        "chosen_system": reading.system,
        "books": books_now(holder_of(request), system, shipped_library()) if system else (),
        "folds": _folds(reading),
        "made": len(document.units) if document else 0,
        "counts": {state: reading.count(state) for state in ("ok", "doubt", "lost")},
    }


def show_form(
    request: HttpRequest, text: str = "", system_id: str = "", refusal: Refusal | None = None
) -> HttpResponse:
    """Show the page where lists are imported; `refusal` is why nothing was."""
    context = {
        "text": text,
        "chosen_system": system_id,
        "refusal": refusal,
        "systems": own_library(request).systems.values(),
        "games": KeptGames(holder_of(request)).choices,
        "most_kilobytes": MAX_TEXT // 1024,
    }
    return render(request, "my_lists/import.html", context, status=422 if refusal else 200)


#: Lines with choices on one page: the number of fields in a form is limited.
MOST_DOUBTS = 150

_PICKED = _lazy("as you chose")
_SURE = {
    "exact": _lazy("as written"),
    "alike": _lazy("nearly as written"),
    "guess": _lazy("a guess"),
    "none": _lazy("not found"),
}
_STATES = {
    "ok": ("fits", _lazy("Read")),
    "doubt": ("warning", _lazy("Check")),
    "lost": ("error", _lazy("Not understood")),
    "": ("note", _lazy("Nothing to read")),
}
#: The outcome of lines that are no units.
_KINDS = {
    "empty": _lazy("empty"),
    "title": _lazy("the name of the list"),
    "verdict": _lazy("the verdict at the time; the list is checked again"),
    "count": _lazy("points, models and size"),
    "finding": _lazy("a finding at the time; the list is checked again"),
    "heading": _lazy("a heading"),
    "detail": _lazy("describes the unit above; the book knows it"),
    "repeated": _lazy("repeats another line"),
    "unit note": _lazy("a note on the unit above"),
    "list note": _lazy("a note on the list"),
    "total": _lazy("total points"),
    "taken": _lazy("belongs to the unit above"),
    "more": _lazy("continues the line above"),
    "unread": _lazy("kept in the list’s notes"),
}
#: Lines that are folded away if several follow each other.
_FOLDED = frozenset({"empty", "detail", "repeated", "more", "finding", "verdict"})


def _folds(reading: PastedList) -> list[tuple[bool, list[dict[str, Any]]]]:
    """Return the lines, those with nothing to look at folded, without lone empty ones."""
    doubts, kept = iter(range(MOST_DOUBTS)), list[PastedLine]()
    for folded, lines in groupby(reading.lines, lambda line: line.kind in _FOLDED):
        several = list(lines)
        if not folded or any(line.kind != "empty" for line in several):
            kept += several
    return [
        (folded, [_shown(line, doubts) for line in lines])
        for folded, lines in groupby(kept, lambda line: line.kind in _FOLDED)
    ]


def _shown(line: PastedLine, doubts: Iterator[int]) -> dict[str, Any]:
    """Return a line: its state, its reading, its points there and here, its choices."""
    icon, word = _STATES[line.state]
    shown = {
        "number": line.number,
        "text": line.text,
        "state": line.state,
        "icon": icon,
        "word": str(word),
        "said": [_said(line)],
        "agrees": None,
    }
    unit = line.unit
    if unit is None:
        return shown
    picked = unit.picked or any(piece.picked for piece in unit.pieces)
    asked = (picked or line.state in ("doubt", "lost")) and next(doubts, None) is not None
    return shown | {
        "said": list(_unit_said(unit)),
        "points": _points(unit),
        "agrees": unit.agrees,
        "selects": list(_selects(line.number, unit)) if asked else (),
    }


def _said(line: PastedLine) -> str:
    if line.kind == "game":
        return _("the game: {name}").format(name=line.name)
    if line.kind == "books":
        said = _("there is no book called {names} here; import it first if it is a custom book")
        return said.format(names=line.name)
    if line.kind == "setting":
        if line.value is None:
            return _("{setting}: not understood, left unchanged").format(setting=line.name)
        return f"{line.name}: {line.value}"
    return str(_KINDS.get(line.kind, ""))


def _unit_said(unit: UnitRead) -> Iterator[str]:
    """Yield the unit, then each of its names that is more than plainly read, in words."""
    sure = str(_PICKED if unit.picked else _SURE[unit.sure])
    if unit.entry is None:
        yield _("Not a unit of these books; the line is kept in the list’s notes.")
        return
    if unit.entry.profile is not None:
        sure = _("your custom model")
    times = f"{unit.times} × " if unit.times > 1 else ""
    yield f"{times}{unit.models} {unit.name} ({sure})"
    plain = [piece.name for piece in unit.pieces if _plainly(piece)]
    if plain:
        yield _("with {names}").format(names=", ".join(plain))
    for piece in unit.pieces:
        if not _plainly(piece):
            yield _piece_said(piece)
    if unit.added:
        yield _("added, because it is needed: {names}").format(names=", ".join(unit.added))


def _plainly(piece: ReadPiece) -> bool:
    sure = piece.sure in ("exact", "alike") and not piece.picked
    return piece.kind in ("option", "role") and sure


def _piece_said(piece: ReadPiece) -> str:
    if piece.kind == "unknown":
        return _("“{text}” not found; kept in the unit’s notes").format(text=piece.text)
    if piece.within:
        return _("“{text}” goes with {name}").format(text=piece.text, name=piece.within)
    if piece.kind == "given":
        return _("“{text}” is included anyway").format(text=piece.text)
    return _("“{text}” read as {name} ({sure})").format(
        text=piece.text, name=piece.name, sure=_PICKED if piece.picked else _SURE[piece.sure]
    )


def _points(unit: UnitRead) -> str:
    """Return the points of all units of a line, ours and those in the text."""
    ours, theirs = (
        None if points is None else points * unit.times for points in (unit.computed, unit.printed)
    )
    if ours is None and theirs is None:
        return ""
    if theirs is None:
        return _("{points} points").format(points=ours)
    if ours is None:
        return _("{points} points in the text").format(points=theirs)
    if unit.agrees:
        return _("{points} points, as in the text").format(points=ours)
    return _("{ours} points, {theirs} in the text").format(ours=ours, theirs=theirs)


def _selects(number: int, unit: UnitRead) -> Iterator[tuple[str, str, tuple[ReadChoice, ...], str]]:
    """Yield choices: the field's name, its label, the choices, and the chosen one."""
    if unit.choices:
        yield f"unit-{number}", _("Unit"), unit.choices, unit.chosen or LEAVE_OUT
    for place, piece in enumerate(unit.pieces):
        if piece.choices:
            field, chosen = f"piece-{number}-{place}", piece.chosen or LEAVE_OUT
            yield field, piece.text, piece.choices, chosen
