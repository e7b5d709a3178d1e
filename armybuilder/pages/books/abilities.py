"""The abilities that a book has of its own: their names, ratings, meanings and points."""

from collections import Counter

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from armybuilder.authoring import edits
from armybuilder.authoring.checking import find_part, mark_of
from armybuilder.books.models import OwnBook
from armybuilder.books.selectors import own_book
from armybuilder.books.services import BookResult, Conflict
from armybuilder.loading.abilities import read_ability
from armybuilder.loading.documents import Document
from armybuilder.loading.problems import Refusal
from armybuilder.pages.books.common import change, fields_of, go, system_of

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
    """Show all abilities of the book's own, each a form; a post changes one."""
    book = own_book(request, book_id)
    if request.method == "GET":
        return _show(request, book, {})
    fields = fields_of(request)
    ability_id, mark = fields.get("id", ""), fields.get("mark", "")

    def edit(data: Document) -> BookResult:
        ability = {key: fields.get(key, "") for key in ("id", "name", "rating", "summary")}
        if system_of(book).formula is not None:
            ability["points"] = fields.get("points", "").strip() or "0"
        document = edits.own_ability(data, system_of(book), ability)
        told = _("Changed the ability {name}.")
        return BookResult(document, told.format(name=ability["name"].strip()))

    try:
        change(request, book, edit, lambda data: find_part(data, "abilities", ability_id), mark)
    except Refusal as refusal:
        return _show(request, book, fields, 422, refusal.sentence)
    except Conflict as conflict:
        told = _(
            "That ability was changed elsewhere in the meantime. Your text is still here: "
            "save again to keep it."
        )
        fields["mark"] = mark_of(find_part(conflict.book.data, "abilities", ability_id))
        return _show(request, conflict.book, fields, 409, told)
    messages.success(request, _("Saved “{name}”.").format(name=fields.get("name", "").strip()))
    return go("book-abilities", book.pk)


def _show(
    request: HttpRequest,
    book: OwnBook,
    typed: dict[str, str],
    status: int = 200,
    refused: str = "",
) -> HttpResponse:
    """Return the page; the ability that `typed` is about shows what was typed."""
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
