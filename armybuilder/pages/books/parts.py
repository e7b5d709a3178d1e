"""The parts of a book besides its cards: abilities of its own, and army categories."""

from collections import Counter

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from armybuilder.authoring import edits
from armybuilder.authoring.checking import find_part, mark_of
from armybuilder.books.models import OwnBook
from armybuilder.books.selectors import own_book
from armybuilder.books.services import BookConflict, BookResult
from armybuilder.engine.catalogue import System
from armybuilder.loading.abilities import read_ability
from armybuilder.loading.documents import Document
from armybuilder.loading.problems import Refusal
from armybuilder.pages.answers import fresh_form
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


@fresh_form
def abilities(request: HttpRequest, book_id: str) -> HttpResponse:
    """Show all abilities of the book's own, each a form; a post changes one."""
    book = own_book(request, book_id)
    if request.method == "GET":
        return _show_abilities(request, book, {})
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
        return _show_abilities(request, book, fields, 422, refusal.sentence)
    except BookConflict as conflict:
        told = _(
            "That ability was changed elsewhere in the meantime. Your text is still here: "
            "save again to keep it."
        )
        fields["mark"] = mark_of(find_part(conflict.book.data, "abilities", ability_id))
        return _show_abilities(request, conflict.book, fields, 409, told)
    messages.success(request, _("Saved “{name}”.").format(name=fields.get("name", "").strip()))
    return go("book-abilities", book.pk)


def _show_abilities(
    request: HttpRequest, book: OwnBook, typed: dict[str, str], status: int = 200, refused: str = ""
) -> HttpResponse:
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


@fresh_form
def categories(request: HttpRequest, book_id: str) -> HttpResponse:
    """Show categories, each a form, and an empty one; a post changes one; 404 in games without."""
    book = own_book(request, book_id)
    if not system_of(book).sized:
        raise Http404("no categories in books of this game")
    if request.method == "GET":
        return _show_categories(request, book, {})
    fields = fields_of(request)
    category_id = fields.get("id", "")
    # Acts that change what a category says; made on another page meanwhile, they are asked about.
    watched = category_id and fields.get("act", "save") in ("save", "remove")
    try:
        changed = change(
            request,
            book,
            lambda data: _edit_category(data, system_of(book), fields),
            (lambda data: find_part(data, "categories", category_id)) if watched else None,
            fields.get("mark", ""),
        )
    except Refusal as refusal:
        return _show_categories(request, book, fields, 422, refusal.sentence)
    except BookConflict as conflict:
        now = find_part(conflict.book.data, "categories", category_id)
        told = _(
            "That category was changed elsewhere in the meantime. Nothing was done; press "
            "the button again to do it anyway."
        )
        if now is None:
            told = _(
                "That category was removed elsewhere in the meantime. Below is the current book."
            )
        return _show_categories(request, conflict.book, fields | {"mark": mark_of(now)}, 409, told)
    messages.success(request, changed.done.said)
    return go("book-categories", book.pk)


def _edit_category(data: Document, system: System, fields: dict[str, str]) -> BookResult:
    act, category_id = fields.get("act", "save"), fields.get("id", "")
    if act == "save":
        document, category_id = edits.put_category(data, system, fields, category_id)
        told = _("Saved the category “{name}”.")
        return BookResult(document, told.format(name=_category_name(document, category_id)))
    name = _category_name(data, category_id)
    if act == "remove":
        document = edits.remove_category(data, system, category_id)
        told = _("Removed the category “{name}”.")
    elif act == "up":
        document = edits.move_category(data, system, category_id, -1)
        told = _("Moved the category “{name}” up.")
    elif act == "down":
        document = edits.move_category(data, system, category_id, 1)
        told = _("Moved the category “{name}” down.")
    else:
        raise Refusal(_("That button is unknown. Reload the page."))
    return BookResult(document, told.format(name=name))


def _category_name(data: Document, category_id: str) -> str:
    category = find_part(data, "categories", category_id)
    if category is None:
        raise Refusal(_("That category is no longer in the book."))
    return str(category["name"])


def _show_categories(
    request: HttpRequest, book: OwnBook, typed: dict[str, str], status: int = 200, refused: str = ""
) -> HttpResponse:
    """Return the page; the category that `typed` is about, or the new one, shows what was typed."""
    system, about = system_of(book), typed.get("id", "")
    used = Counter(name for unit in book.data["units"] for name in unit.get("categories", ()))
    needed = edits.needed_categories(system)
    labels = {"name": _("Name"), **{bound.key: str(bound.label) for bound in edits.BOUNDS}}

    def inputs(texts: dict[str, str], category_id: str) -> list[tuple[str, str, str]]:
        mine = typed if "name" in typed and about == category_id else texts
        return [(key, label, mine.get(key, "")) for key, label in labels.items()]

    rows = [
        {
            "id": category["id"],
            "title": category["name"],
            "fields": inputs(edits.texts_of(category), category["id"]),
            "mark": typed.get("mark") if about == category["id"] else mark_of(category),
            "used": used[category["id"]],
            "needed": category["id"] in needed,
            "moves": bool(category.get("when")),
        }
        for category in book.data.get("categories", ())
    ]
    context = {
        "book": book,
        "system": system,
        "categories": rows,
        "new_fields": inputs({}, ""),
        "about": about,
        "refused": refused,
    }
    return render(request, "books/categories.html", context, status=status)
