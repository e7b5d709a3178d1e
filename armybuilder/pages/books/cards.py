"""One card: the form to type it in, its preview, words to complete, and its text for experts.

The form's first button, and so the Enter key, saves and goes on to the next card.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from armybuilder.authoring import edits
from armybuilder.authoring.cards import CardForm
from armybuilder.authoring.checking import CONDITIONS, card_hints, find_unit, mark_of
from armybuilder.authoring.fields import Entry, Input, Mistake, ReadCard, Sections, in_sections
from armybuilder.books.models import OwnBook
from armybuilder.books.selectors import own_book
from armybuilder.books.services import BookConflict, BookResult
from armybuilder.engine.catalogue import System
from armybuilder.loading.documents import Document
from armybuilder.loading.problems import Refusal
from armybuilder.loading.systems import read_ability
from armybuilder.loading.unit_fields import UNIT_FIELDS
from armybuilder.pages.answers import fresh, fresh_form, render_for_htmx
from armybuilder.pages.books.common import address, change, face_of, fields_of, go, system_of
from armybuilder.requests import HtmxRequest

_FORMS = {field.key: field.form for field in UNIT_FIELDS if field.form}
#: Fields copied to the next new card, besides all attributes (faction, alignment, type).
KEPT = {key for key, form in _FORMS.items() if form.kept}
#: Fields in which the texts of other cards of the book are offered again, and how many texts.
OFFERED = {key for key, form in _FORMS.items() if form.offered}
MAX_OFFERED = 50
#: Fields whose last word is completed, and the name of their entries.
COMPLETED = {key: form.completed for key, form in _FORMS.items() if form.completed}
MAX_COMPLETED = 8
#: The last entry of a list that is being typed.
_LAST_WORD = re.compile(r"[^,;\n]*$")

#: The continuation of an ability's text, by the style of its rating.
RATINGS = {
    "none": "",
    "number": gettext_lazy("a number"),
    "plus": gettext_lazy("a bonus, such as +2"),
    "times": gettext_lazy("how often, such as ×2"),
    "inches": gettext_lazy("inches"),
    "dc": gettext_lazy("a DC"),
    "level": gettext_lazy("a level"),
    "roll": gettext_lazy("a roll, such as 4+"),
}


@fresh_form
def new_card(request: HtmxRequest, book_id: str) -> HttpResponse:
    """Show an empty card; after another (`?after=...`) with its attributes, group and set."""
    book = own_book(request, book_id)
    if request.method == "POST":
        return _posted(request, book, "")
    after = request.GET.get("after", "")
    unit = find_unit(book.data, after)
    filled = CardForm(system_of(book), book.data).fill(unit) if unit is not None else {}
    kept = {key: text for key, text in filled.items() if key in KEPT or key.startswith("attr-")}
    return FilledCard(book, "", kept).page(request, saved=_saved(book.data, after))


@fresh_form
def card(request: HtmxRequest, book_id: str, unit_id: str) -> HttpResponse:
    """Show a card of the book, to change."""
    book = own_book(request, book_id)
    if request.method == "POST":
        return _posted(request, book, unit_id)
    values = CardForm(system_of(book), book.data).fill(_unit(book, unit_id))
    saved = _saved(book.data, request.GET.get("saved", ""))
    return FilledCard(book, unit_id, values).page(request, saved=saved)


def _unit(book: OwnBook, unit_id: str) -> dict[str, Any]:
    unit = find_unit(book.data, unit_id)
    if unit is None:
        raise Http404("no such card in the book")
    return unit


def _saved(book: Document, unit_id: str) -> dict[str, Any] | None:
    """Return remarks on a saved card: abilities that only it has, a twin by its name."""
    unit = find_unit(book, unit_id)
    if unit is None:
        return None
    others = [other for other in book["units"] if other is not unit]
    mine, elsewhere = (
        {read_ability(use)["ability"] for each in units for use in each.get("abilities", ())}
        for units in ([unit], others)
    )
    own = book.get("abilities", ())
    return {
        "id": unit_id,
        "name": unit["name"],
        "fresh": tuple(each["name"] for each in own if each["id"] in mine - elsewhere),
        "twin": any(other["name"].casefold() == unit["name"].casefold() for other in others),
    }


@dataclass(frozen=True)
class FilledCard:
    """The form of a card: `unit_id` "" for a new one, `read` the card read from posted fields.

    `mark` is that of the card when the page was first made.
    """

    book: OwnBook
    unit_id: str
    values: dict[str, str]
    read: ReadCard | None = None
    mark: str | None = None

    def page(
        self, request: HttpRequest, status: int = 200, wrong: bool = False, **more: Any
    ) -> HttpResponse:
        """Return the whole page; `wrong`: mark the mistakes at each field."""
        system, data = system_of(self.book), self.book.data
        unit = find_unit(data, self.unit_id)
        mistakes = self.read.mistakes if self.read is not None and wrong else ()
        words = {label: [*words_for(name, system, data)] for name, label in COMPLETED.items()}
        context = {
            "system": system,
            "unit": unit,
            "place": data["units"].index(unit) + 1 if unit is not None else 0,
            "sections": _sections(self.values, system, data, mistakes, unit),
            "words": {label: known for label, known in words.items() if known},
            "mark": mark_of(unit) if self.mark is None else self.mark,
            "wrong": wrong,
            **self._understood(wrong),
            **more,
        }
        return render_for_htmx(request, "books/card.html", context, status)

    def preview(self, request: HtmxRequest) -> HttpResponse:
        """Return a preview of the card; for htmx only that."""
        if not request.htmx:
            return self.page(request)
        return render_for_htmx(request, "books/card.html#preview", self._understood(False))

    def _understood(self, wrong: bool) -> dict[str, Any]:
        """Return the card read from the fields, and its mistakes: all, or in filled ones."""
        system, data = system_of(self.book), self.book.data
        unit, face = find_unit(data, self.unit_id), None
        if self.read is not None:
            unit = self.read.unit
            own = [*data.get("abilities", ()), *self.read.abilities]
            entry = {"id": "card", **unit, "name": unit.get("name") or _("This card")}
            face = face_of({**data, "abilities": own}, entry, system)
        elif unit is not None:
            face = face_of(data, unit, system)
        mistakes = self.read.mistakes if self.read is not None else ()
        if not wrong:
            mistakes = tuple(each for each in mistakes if self.values.get(each.field, "").strip())
        return {
            "book": self.book,
            "face": face,
            "mistakes": mistakes,
            # Names on the card that state a restriction, as it is typed, else as it is stored.
            "hints": card_hints(data, unit) if unit is not None else (),
            "unit_id": self.unit_id,
        }


def _sections(
    values: Mapping[str, str],
    system: System,
    book: Document,
    mistakes: Sequence[Mistake],
    unit: Entry | None,
) -> Sections:
    """Return the form in sections; focus is on the first mistake. `unit` is the stored card."""
    form = CardForm(system, book)
    fields = form.fields
    wrong = {mistake.field: mistake.message for mistake in reversed(mistakes)}
    more = {field.name for field in form.hidden(unit)} if unit else set()
    first = next((field.name for field in fields if field.name in wrong), fields[0].name)

    def used(key: str) -> tuple[str, ...]:
        texts = dict.fromkeys(str(unit[key]) for unit in book["units"] if unit.get(key))
        return tuple(texts)[:MAX_OFFERED]

    return in_sections(
        Input(
            field,
            values.get(field.name, ""),
            wrong.get(field.name, ""),
            used(field.name) if field.name in OFFERED else (),
            str(COMPLETED.get(field.name, "")),
            field.name in more,
            field.name == first,
        )
        for field in fields
    )


def _posted(request: HtmxRequest, book: OwnBook, unit_id: str) -> HttpResponse:
    system, fields = system_of(book), fields_of(request)
    # A field that a browser leaves out is empty.
    form = CardForm(system, book.data)
    values = {field.name: fields.get(field.name, "") for field in form.fields}
    unit, mark = find_unit(book.data, unit_id), fields.get("mark", "")
    read = form.read(values, unit)
    filled = FilledCard(book, unit_id, values, read, mark)
    if "preview" in fields:
        return filled.preview(request)
    if read.mistakes and (not unit_id or unit):
        return filled.page(request, 422, wrong=True)

    def put(data: Document) -> BookResult:
        read = CardForm(system, data).read(values, find_unit(data, unit_id))
        document, made = edits.put_card(data, system, read, unit_id)
        told = _("Changed “{name}”.") if unit_id else _("Added “{name}”.")
        return BookResult(document, told.format(name=read.unit["name"]), made)

    part = (lambda data: find_unit(data, unit_id)) if unit_id else None
    try:
        changed = change(request, book, put, part, mark)
    except Refusal as refusal:
        return filled.page(request, 422, refused=refusal.sentence)
    except BookConflict as conflict:
        return _conflict(request, conflict.book, unit_id, values)
    return _onward(changed.book, changed.done.unit, fields.get("go", "next"), new=not unit_id)


def _conflict(
    request: HttpRequest, book: OwnBook, unit_id: str, values: dict[str, str]
) -> HttpResponse:
    """Show the typed values beside the current card; if that is gone, saving adds it again."""
    form = CardForm(system_of(book), book.data)
    unit = find_unit(book.data, unit_id)
    now = form.fill(unit) if unit is not None else {}
    texts = (
        (field.label, values.get(field.name, ""), now.get(field.name, "")) for field in form.fields
    )
    return FilledCard(book, unit_id if unit is not None else "", values).page(
        request,
        409,
        conflict=True,
        differing=[row for row in texts if unit and row[1].strip() != row[2].strip()],
        action=address("card", book.pk, unit_id) if unit else address("new-card", book.pk),
    )


def _onward(book: OwnBook, unit_id: str, where: str, new: bool) -> HttpResponse:
    if where == "book":
        response = go("own-book", book.pk, saved=unit_id)
        response["Location"] += f"#unit-{unit_id}"
        return response
    ids = [unit["id"] for unit in book.data["units"]]
    following = ids[ids.index(unit_id) + 1 :]
    if new or not following:
        return go("new-card", book.pk, after=unit_id)
    return go("card", book.pk, following[0], saved=unit_id)


@fresh_form
def card_json(request: HttpRequest, book_id: str, unit_id: str) -> HttpResponse:
    """Show the card as JSON, for values that the form cannot show."""
    book = own_book(request, book_id)
    if request.method == "GET":
        return _json_page(request, book, unit_id, _json_of(_unit(book, unit_id)))
    fields = fields_of(request)
    raw, mark = fields.get("json", ""), fields.get("mark", "")

    def edit(data: Document) -> BookResult:
        document = edits.put_json(data, system_of(book), raw, unit_id)
        return BookResult(document, _("Changed a card’s text."))

    try:
        changed = change(request, book, edit, lambda data: find_unit(data, unit_id), mark)
    except Refusal as refusal:
        return _json_page(request, book, unit_id, raw, 422, refused=refusal, mark=mark)
    except BookConflict as conflict:
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
    return render(request, "books/card_json.html", context, status=status)


def words_for(field: str, system: System, book: Document) -> Iterator[tuple[str, str, str]]:
    """Yield all words known for a field: the game's and the book's own.

    Of each its name, what follows that, or "", and a summary.
    """
    if field == "abilities":
        for ability in system.abilities.values():
            yield ability.name, str(RATINGS[ability.rating]), ability.summary
        for own in book.get("abilities", ()):
            summary = own.get("summary", "") or _("An ability of this book.")
            yield own["name"], str(RATINGS[own.get("rating", "none")]), summary
    elif field == "spells":
        for spell in system.spells.values():
            yield spell.name, "", spell.summary
    elif field == "keywords":
        keywords = (keyword for unit in book["units"] for keyword in unit.get("keywords", ()))
        names = (keyword if isinstance(keyword, str) else keyword["name"] for keyword in keywords)
        yield from ((name, "", "") for name in dict.fromkeys(names))


@fresh
def suggest(request: HttpRequest, book_id: str) -> HttpResponse:
    """Show words to complete a field: those that start with the input first."""
    book = own_book(request, book_id)
    name = next((name for name in COMPLETED if name in request.GET), "")
    match = _LAST_WORD.search(request.GET.get(name, "")[-200:])
    typed = match[0].strip().casefold() if match else ""
    words = [
        word
        for word in words_for(name, system_of(book), book.data)
        if typed and typed in word[0].casefold()
    ]
    words.sort(key=lambda word: (not word[0].casefold().startswith(typed), word[0]))
    context = {"words": words[:MAX_COMPLETED], "name": COMPLETED.get(name, "")}
    return render(request, "books/_suggestions.html", context)
