"""One card: the form to type it in, its preview, words to complete, and its text for experts.

The form's first button, and so the Enter key, saves and goes on to the next card.
"""

import json
import re
from dataclasses import dataclass
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from armybuilder.accounts.holders import holder_of
from armybuilder.authoring import cardform, edits
from armybuilder.authoring.cards import fill_fields, read_card
from armybuilder.authoring.fields import ReadCard
from armybuilder.authoring.hints import CONDITIONS, Hint, card_hints
from armybuilder.authoring.marks import find_unit, mark_of
from armybuilder.books.models import OwnBook
from armybuilder.books.selectors import own_book
from armybuilder.books.services import BookResult, Conflict, Watch, change_book
from armybuilder.engine.catalogue import System
from armybuilder.loading.documents import Document
from armybuilder.loading.problems import Refusal
from armybuilder.pages.answers import render_for_htmx
from armybuilder.pages.books.shown import ShownFace, face_of, face_of_read
from armybuilder.pages.books.views.common import address, fields_of, go, system_of
from armybuilder.requests import HtmxRequest

PAGE = "books/card.html"
PREVIEW = "books/card.html#preview"
JSON_PAGE = "books/card_json.html"

#: What is being typed of a text that lists things.
_LAST_WORD = re.compile(r"[^,;\n]*$")


@never_cache
@require_http_methods(["GET", "POST"])
def new_card(request: HtmxRequest, book_id: str) -> HttpResponse:
    """An empty card; after another (`?after=...`) with that one's faction, group and set."""
    book = own_book(request, book_id)
    if request.method == "POST":
        return _posted(request, book, "")
    after = request.GET.get("after", "")
    values = cardform.start_of(system_of(book), book.data, after)
    return Filled(book, "", values).page(request, saved=cardform.saved_card(book.data, after))


@never_cache
@require_http_methods(["GET", "POST"])
def card(request: HtmxRequest, book_id: str, unit_id: str) -> HttpResponse:
    """A card of the book, to change."""
    book = own_book(request, book_id)
    if request.method == "POST":
        return _posted(request, book, unit_id)
    unit = _unit(book, unit_id)
    values = fill_fields(unit, system_of(book), book.data)
    saved = cardform.saved_card(book.data, request.GET.get("saved", ""))
    return Filled(book, unit_id, values).page(request, saved=saved)


def _unit(book: OwnBook, unit_id: str) -> dict[str, Any]:
    unit = find_unit(book.data, unit_id)
    if unit is None:
        raise Http404("no such card in the book")
    return unit


@dataclass(frozen=True)
class Filled:
    """The form of a card: `unit_id` "" for a new one, `read` what posted fields made, `mark` what
    the card said when the page was first made.
    """

    book: OwnBook
    unit_id: str
    values: dict[str, str]
    read: ReadCard | None = None
    mark: str | None = None

    def page(
        self, request: HttpRequest, status: int = 200, wrong: bool = False, **more: Any
    ) -> HttpResponse:
        """The whole page. `wrong`: what is amiss is marked at each field."""
        return render_for_htmx(request, PAGE, self._context(wrong) | more, status)

    def preview(self, request: HtmxRequest) -> HttpResponse:
        """What the fields make; by htmx only that."""
        if not request.htmx:
            return self.page(request)
        return render_for_htmx(request, PREVIEW, self._understood(False))

    def _context(self, wrong: bool) -> dict[str, Any]:
        system, data = system_of(self.book), self.book.data
        unit = find_unit(data, self.unit_id)
        mistakes = self.read.mistakes if self.read is not None and wrong else ()
        words = {
            said: cardform.words_for(name, system, data)
            for name, said in cardform.COMPLETED.items()
        }
        return {
            "system": system,
            "unit": unit,
            "place": data["units"].index(unit) + 1 if unit is not None else 0,
            "sections": cardform.form_of(self.values, system, data, mistakes, unit),
            "words": {said: found for said, found in words.items() if found},
            "mark": mark_of(unit) if self.mark is None else self.mark,
            "wrong": wrong,
            **self._understood(wrong),
        }

    def _understood(self, wrong: bool) -> dict[str, Any]:
        """The card that the fields make, and what is amiss: all of it, or of what was filled in."""
        told = self.read.mistakes if self.read is not None else ()
        if not wrong:
            told = tuple(one for one in told if self.values.get(one.field, "").strip())
        return {
            "book": self.book,
            "face": self._face(system_of(self.book)),
            "mistakes": told,
            "hints": self._hints(),
            "unit_id": self.unit_id,
        }

    def _hints(self) -> tuple[Hint, ...]:
        """Names on the card that state a restriction, as it is typed, else as it is stored."""
        unit = self.read.unit if self.read else find_unit(self.book.data, self.unit_id)
        return card_hints(self.book.data, unit) if unit is not None else ()

    def _face(self, system: System) -> ShownFace | None:
        if self.read is not None:
            return face_of_read(self.read, self.book.data, system)
        unit = find_unit(self.book.data, self.unit_id)
        return face_of(self.book.data, unit, system) if unit is not None else None


def _posted(request: HtmxRequest, book: OwnBook, unit_id: str) -> HttpResponse:
    """Save the card, or show what its fields make (`preview`)."""
    system, fields = system_of(book), fields_of(request)
    values = cardform.values_of(fields, system, book.data)
    read = read_card(values, system, book.data, find_unit(book.data, unit_id))
    filled = Filled(book, unit_id, values, read, fields.get("mark", ""))
    if "preview" in fields:
        return filled.preview(request)
    try:
        if read.mistakes and (not unit_id or find_unit(book.data, unit_id)):
            return filled.page(request, 422, wrong=True)
        changed = _save(request, book, unit_id, filled)
    except Refusal as refusal:
        return filled.page(request, 422, refused=refusal.sentence)
    except Conflict as conflict:
        return _conflict(request, conflict.book, unit_id, values)
    return _onward(changed.book, changed.done.unit, fields.get("go", "next"), new=not unit_id)


def _save(request: HttpRequest, book: OwnBook, unit_id: str, filled: Filled) -> Any:
    """Put the card into the book as it is now. Raises what `change_book` does."""
    system, watch = system_of(book), None
    if unit_id:
        watch = Watch(lambda data: find_unit(data, unit_id), filled.mark or "")

    def put(data: Document) -> BookResult:
        read = read_card(filled.values, system, data, find_unit(data, unit_id))
        document, made = edits.put_card(data, system, read, unit_id)
        told = _("Changed “{name}”.") if unit_id else _("Added “{name}”.")
        return BookResult(document, told.format(name=read.unit["name"]), made)

    return change_book(holder_of(request), book.pk, put, watch)


def _conflict(
    request: HttpRequest, book: OwnBook, unit_id: str, values: dict[str, str]
) -> HttpResponse:
    """What was typed, beside the card as it is now; where that is gone, saving adds it again."""
    system = system_of(book)
    unit = find_unit(book.data, unit_id)
    now = fill_fields(unit, system, book.data) if unit is not None else {}
    kept = Filled(book, unit_id if unit is not None else "", values)
    return kept.page(
        request,
        409,
        conflict=True,
        differing=cardform.differences(values, now, system, book.data) if unit else (),
        action=address("card", book.pk, unit_id) if unit else address("new-card", book.pk),
    )


def _onward(book: OwnBook, unit_id: str, where: str, new: bool) -> HttpResponse:
    """Where a saved card leads: back to the book, or on to the next card."""
    if where == "book":
        response = go("own-book", book.pk, saved=unit_id)
        response["Location"] += f"#unit-{unit_id}"
        return response
    ids = [unit["id"] for unit in book.data["units"]]
    following = ids[ids.index(unit_id) + 1 :]
    if new or not following:
        return go("new-card", book.pk, after=unit_id)
    return go("card", book.pk, following[0], saved=unit_id)


@never_cache
@require_http_methods(["GET", "POST"])
def card_json(request: HttpRequest, book_id: str, unit_id: str) -> HttpResponse:
    """The card as the text of a book file, for what the form cannot show."""
    book = own_book(request, book_id)
    if request.method == "GET":
        return _json_page(request, book, unit_id, _json_of(_unit(book, unit_id)))
    fields = fields_of(request)
    raw = fields.get("json", "")
    try:
        changed = change_book(
            holder_of(request),
            book.pk,
            lambda data: BookResult(
                edits.put_json(data, system_of(book), raw, unit_id), _("Changed a card’s text.")
            ),
            Watch(lambda data: find_unit(data, unit_id), fields.get("mark", "")),
        )
    except Refusal as refusal:
        mark = fields.get("mark", "")
        return _json_page(request, book, unit_id, raw, 422, refused=refusal, mark=mark)
    except Conflict as conflict:
        return _json_page(request, conflict.book, unit_id, raw, 409, conflict=True)
    kept = find_unit(changed.book.data, unit_id)
    return go("card", book.pk, unit_id) if kept else go("own-book", book.pk)


def _json_of(unit: dict[str, Any]) -> str:
    return json.dumps(unit, indent=2, ensure_ascii=False)


def _json_page(
    request: HttpRequest, book: OwnBook, unit_id: str, raw: str, status: int = 200, **more: Any
) -> HttpResponse:
    unit = find_unit(book.data, unit_id)
    context = {
        "book": book,
        "unit": unit,
        "raw": raw,
        "lines": min(max(raw.count("\n") + 2, 12), 40),
        "mark": mark_of(unit),
        "now": _json_of(unit) if unit is not None else "",
        "hints": card_hints(book.data, unit) if unit is not None else (),
        "conditions": CONDITIONS,
        **more,
    }
    return render(request, JSON_PAGE, context, status=status)


@never_cache
@require_safe
def suggest(request: HttpRequest, book_id: str) -> HttpResponse:
    """Words that complete what is being typed into a field, such as names of abilities."""
    book = own_book(request, book_id)
    name = next((name for name in cardform.COMPLETED if name in request.GET), "")
    typed = request.GET.get(name, "")[-200:]
    match = _LAST_WORD.search(typed)
    words = cardform.words_for(name, system_of(book), book.data)
    found = cardform.matching(words, match[0] if match else "")
    context = {"words": found, "name": cardform.COMPLETED.get(name, "")}
    return render(request, "books/_suggestions.html", context)
