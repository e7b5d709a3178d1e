"""The abilities that a book has of its own: their names, ratings, meanings and points."""

from collections import Counter

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from armybuilder.accounts.holders import holder_of
from armybuilder.authoring import edits
from armybuilder.authoring.marks import find_ability, mark_of
from armybuilder.books.models import OwnBook
from armybuilder.books.selectors import own_book
from armybuilder.books.services import BookResult, Conflict, Watch, change_book
from armybuilder.engine.catalogue import System
from armybuilder.loading.abilities import read_ability
from armybuilder.loading.documents import Document
from armybuilder.loading.problems import Refusal
from armybuilder.pages.books.views.common import fields_of, go, system_of

#: How an ability's number is written, as the page names it.
RATINGS = (
    ("none", gettext_lazy("no number")),
    ("number", gettext_lazy("a number: Burst 2")),
    ("plus", gettext_lazy("a bonus: Rage +2")),
    ("times", gettext_lazy("how often: Tough ×2")),
    ("inches", gettext_lazy("inches: Leap 4″")),
    ("dc", gettext_lazy("a DC: Gaze DC 15")),
    ("level", gettext_lazy("a level: Chief 3")),
    ("roll", gettext_lazy("a roll: Dodge 5+")),
)


@never_cache
@require_http_methods(["GET", "POST"])
def page(request: HttpRequest, book_id: str) -> HttpResponse:
    """All abilities of the book's own, each a form; a post changes one."""
    book = own_book(request, book_id)
    if request.method == "GET":
        return _show(request, book)
    fields = fields_of(request)
    ability = fields.get("id", "")
    try:
        change_book(
            holder_of(request),
            book.pk,
            lambda data: _changed(data, system_of(book), fields),
            Watch(lambda data: find_ability(data, ability), fields.get("mark", "")),
        )
    except Refusal as refusal:
        return _show(request, book, 422, fields, refusal.sentence)
    except Conflict as conflict:
        told = _(
            "That ability was changed elsewhere in the meantime. Your text is still here: "
            "save again to keep it."
        )
        fields["mark"] = mark_of(find_ability(conflict.book.data, ability))
        return _show(request, conflict.book, 409, fields, told)
    name = fields.get("name", "").strip()
    messages.success(request, _("Saved “{name}”.").format(name=name))
    return go("book-abilities", book.pk)


def _changed(data: Document, system: System, fields: dict[str, str]) -> BookResult:
    """Return the book with the ability as the fields say it. Raises Refusal."""
    ability = {key: fields.get(key, "") for key in ("id", "name", "rating", "summary")}
    if system.formula is not None:
        ability["points"] = fields.get("points", "").strip() or "0"
    document = edits.own_ability(data, system, ability)
    said = _("Changed the ability {name}.").format(name=ability["name"].strip())
    return BookResult(document, said)


def _show(
    request: HttpRequest,
    book: OwnBook,
    status: int = 200,
    typed: dict[str, str] | None = None,
    refused: str = "",
) -> HttpResponse:
    """The page; the ability that `typed` is about shows what was typed."""
    typed = typed or {}
    used = Counter(
        read_ability(use)["ability"]
        for unit in book.data["units"]
        for use in unit.get("abilities", ())
    )
    rows = []
    for ability in book.data.get("abilities", ()):
        mine = typed if typed.get("id") == ability["id"] else {}
        stored = {"rating": "none", "summary": "", "points": 0, **ability}
        rows.append({**stored, "mark": mark_of(ability), "used": used[ability["id"]], **mine})
    context = {
        "book": book,
        "system": system_of(book),
        "abilities": rows,
        "ratings": RATINGS,
        "refused": refused,
        "about": typed.get("id", ""),
    }
    return render(request, "books/abilities.html", context, status=status)
