"""A list pasted as text: paste it, look at the outcome of each line, make the list.

Nothing is kept between the steps: the text and what was chosen travel in the form.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from armybuilder.accounts.holders import holder_of, make_holder
from armybuilder.books.models import OwnBook
from armybuilder.books.pinning import books_now, take
from armybuilder.exchange.pasting import OtherBook, PastedLine, PastedList, game_in, read_text
from armybuilder.exchange.pasting.rows import MAX_TEXT
from armybuilder.exchange.pasting.taken import LEAVE_OUT, ReadChoice, ReadPiece
from armybuilder.exchange.pasting.units import UnitRead
from armybuilder.lists import services
from armybuilder.loading.library import shipped_library
from armybuilder.loading.problems import Refusal

PAGE = "my_lists/paste.html"


@never_cache
@require_http_methods(["GET", "POST"])
def page(request: HttpRequest) -> HttpResponse:
    """Show the form, empty or with a text; after a post the review, or make the new list."""
    if request.method == "GET":
        asked = request.GET
        text = asked.get("text", "")[:MAX_TEXT]
        return _show(request, {"text": text, "chosen_system": asked.get("system", "")})
    try:
        reading = _read(request)
        if request.POST.get("go") == "make":
            return _make(request, reading)
    except Refusal as refusal:
        context = {"refused": refusal.sentence, "chosen_system": request.POST.get("system", "")}
        return _show(request, {**context, "text": request.POST.get("text", "")}, 422)
    return _show(request, _review(request, reading))


def _read(request: HttpRequest) -> PastedList:
    """Return the text as read with what was chosen; keep the content of own books first."""
    fields, library = request.POST, shipped_library()
    text = fields.get("text", "").replace("\0", "")
    system_id = fields.get("system", "")
    if system_id and system_id not in library.systems:
        raise Refusal(_("There is no such game here."))
    # Books that were chosen for another game than the one chosen now are not meant.
    same = fields.get("shown_system", system_id) == system_id
    books = list(dict.fromkeys(filter(None, fields.getlist("book")))) if same else []
    own = _own_books(holder_of(request))
    found = game_in(text, library, system_id or None, books, own)
    wanted = [book.id for book in own if book.id in found.books]
    if wanted:
        take(holder_of(request), library.system(found.system), library, wanted)
    choices = chosen_before((name, fields.get(name, "")) for name in fields)
    return read_text(text, library, system_id or None, books, own, choices)


def _own_books(holder: str) -> list[OtherBook]:
    """Return the books of the player's own, for any game."""
    if not holder:
        return []
    books = OwnBook.objects.filter(holder=holder, deleted__isnull=True).order_by("name", "id")
    columns = ("id", "revision", "name", "system")
    return [OtherBook(*values) for values in books.values_list(*columns)]


def _make(request: HttpRequest, reading: PastedList) -> HttpResponse:
    """Store what was read as a new list. Raises Refusal where nothing was."""
    if reading.document is None:
        raise Refusal(_("Choose a game first."))
    if not reading.document.units:
        raise Refusal(_("No unit was found in the text; choose the game and its books."))
    holder, library = make_holder(request), shipped_library()
    take(holder, library.system(reading.system), library, reading.books)
    version = services.create_list(holder, reading.document, _("Pasted as text."))
    return redirect("builder", version.army_list_id)


def _review(request: HttpRequest, reading: PastedList) -> dict[str, Any]:
    library = shipped_library()
    system = library.systems.get(reading.system)
    return {
        "text": request.POST.get("text", ""),
        "reading": reading,
        "report": reading.report,
        "system": system,
        "chosen_system": reading.system,
        "books": books_now(holder_of(request), system, library) if system else (),
        "folds": shown_lines(reading),
        "made": len(reading.document.units) if reading.document else 0,
        "counts": {state: reading.count(state) for state in ("ok", "doubt", "lost")},
    }


def _show(request: HttpRequest, context: dict[str, Any], status: int = 200) -> HttpResponse:
    context = {
        "systems": shipped_library().systems.values(),
        "most_kilobytes": MAX_TEXT // 1024,
        **context,
    }
    return render(request, PAGE, context, status=status)


#: Lines with something to choose on one page: a form holds so many fields, and nobody more doubts.
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
    "doubt": ("warning", _lazy("Have a look")),
    "lost": ("error", _lazy("Not understood")),
    "": ("note", _lazy("Nothing to read")),
}
#: The outcome of lines that are no units.
_KINDS = {
    "empty": _lazy("empty"),
    "title": _lazy("the name of the list"),
    "verdict": _lazy("the verdict of then; the list is judged anew"),
    "count": _lazy("points, models and size"),
    "finding": _lazy("a finding of then; the list is judged anew"),
    "heading": _lazy("a heading"),
    "detail": _lazy("says more of the unit above; the book knows it"),
    "told": _lazy("says again what stands elsewhere"),
    "unit note": _lazy("a note on the unit above"),
    "list note": _lazy("a note on the list"),
    "total": _lazy("points in all"),
    "taken": _lazy("taken by the unit above"),
    "more": _lazy("goes on with the line above"),
    "unread": _lazy("kept in the notes of the list"),
}
#: Lines that are folded away where several stand one after the other.
_FOLDED = frozenset({"empty", "detail", "told", "more", "finding", "verdict"})


@dataclass(frozen=True, slots=True)
class Select:
    """Something to choose: the field's name, what it is about, what may be chosen, and what is."""

    name: str
    about: str
    choices: tuple[ReadChoice, ...]
    chosen: str


@dataclass(frozen=True, slots=True)
class ShownLine:
    """A line: its text, how it went, how it was read, its points there and here, what to choose."""

    number: int
    text: str
    state: str
    icon: str
    word: str
    said: tuple[str, ...]
    points: str = ""
    agrees: bool | None = None
    selects: tuple[Select, ...] = ()


@dataclass(frozen=True, slots=True)
class Fold:
    """Lines that go together, `folded` where there is nothing in them to look at."""

    folded: bool
    lines: tuple[ShownLine, ...]

    @property
    def first(self) -> int:
        """The number of the first line."""
        return self.lines[0].number

    @property
    def last(self) -> int:
        """The number of the last line."""
        return self.lines[-1].number


def shown_lines(reading: PastedList) -> list[Fold]:
    """Return all lines of the text, those with nothing to look at folded together."""
    doubts = iter(range(MOST_DOUBTS))
    return [
        Fold(folded, tuple(_shown(line, doubts) for line in lines))
        for folded, lines in groupby(_told(reading), lambda line: line.kind in _FOLDED)
    ]


def _told(reading: PastedList) -> Iterator[PastedLine]:
    """Return the lines without empty ones between two that are looked at."""
    for folded, lines in groupby(reading.lines, lambda line: line.kind in _FOLDED):
        several = list(lines)
        if not folded or any(line.kind != "empty" for line in several):
            yield from several


def _shown(line: PastedLine, doubts: Iterator[int]) -> ShownLine:
    icon, word = _STATES[line.state]
    plain = ShownLine(line.number, line.text, line.state, icon, str(word), (_said(line),))
    unit = line.unit
    if unit is None:
        return plain
    picked = unit.picked or any(piece.picked for piece in unit.pieces)
    asked = (picked or line.state in ("doubt", "lost")) and next(doubts, None) is not None
    return replace(
        plain,
        said=tuple(_unit_said(unit)),
        points=_points(unit),
        agrees=unit.agrees,
        selects=tuple(_selects(line.number, unit)) if asked else (),
    )


def _said(line: PastedLine) -> str:
    if line.kind == "game":
        return _("the game: {name}").format(name=line.name)
    if line.kind == "setting":
        if line.value is None:
            return _("{setting}: not understood, left as it was").format(setting=line.name)
        return f"{line.name}: {line.value}"
    return str(_KINDS.get(line.kind, ""))


def _unit_said(unit: UnitRead) -> Iterator[str]:
    """Return the unit, then each of its names that is more than plainly read, in words."""
    sure = str(_PICKED if unit.picked else _SURE[unit.sure])
    if unit.entry is None:
        yield _("No unit of these books; the line is kept in the notes of the list.")
        return
    if unit.entry.profile is not None:
        sure = _("your own model")
    yield f"{unit.models} {unit.name} ({sure})"
    plain = [piece.name for piece in unit.pieces if _plainly(piece)]
    if plain:
        yield _("with {names}").format(names=", ".join(plain))
    for piece in unit.pieces:
        if not _plainly(piece):
            yield _piece_said(piece)
    if unit.added:
        yield _("added, as it needs it and the points stay right: {names}").format(
            names=", ".join(unit.added)
        )


def _plainly(piece: ReadPiece) -> bool:
    sure = piece.sure in ("exact", "alike") and not piece.picked
    return piece.kind in ("option", "role") and sure


def _piece_said(piece: ReadPiece) -> str:
    if piece.kind == "unknown":
        return _("“{text}” not found; kept in the notes of the unit").format(text=piece.text)
    if piece.kind == "given":
        return _("“{text}” it has anyway").format(text=piece.text)
    return _("“{text}” taken for {name} ({sure})").format(
        text=piece.text, name=piece.name, sure=_PICKED if piece.picked else _SURE[piece.sure]
    )


def _points(unit: UnitRead) -> str:
    if unit.printed is None and unit.computed is None:
        return ""
    if unit.printed is None:
        return _("{points} points").format(points=unit.computed)
    if unit.computed is None:
        return _("{points} points in the text").format(points=unit.printed)
    if unit.agrees:
        return _("{points} points, as in the text").format(points=unit.computed)
    return _("{ours} points, {theirs} in the text").format(ours=unit.computed, theirs=unit.printed)


def _selects(number: int, unit: UnitRead) -> Iterator[Select]:
    if unit.choices:
        chosen = unit.chosen or LEAVE_OUT
        yield Select(f"unit-{number}", _("Unit"), unit.choices, chosen)
    for place, piece in enumerate(unit.pieces):
        if piece.choices:
            chosen = piece.chosen or LEAVE_OUT
            yield Select(f"piece-{number}-{place}", piece.text, piece.choices, chosen)


def chosen_before(fields: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return what the player chose on the review, out of the fields of its form."""
    return {name: value for name, value in fields if name.startswith(("unit-", "piece-")) and value}
