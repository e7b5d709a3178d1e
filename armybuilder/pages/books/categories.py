"""The army categories of a book: their names, their shares of the game size, their order."""

from collections import Counter

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from armybuilder.authoring import category_edits
from armybuilder.authoring.checking import find_part, mark_of
from armybuilder.books.models import OwnBook
from armybuilder.books.selectors import own_book
from armybuilder.books.services import BookResult, Conflict
from armybuilder.engine.catalogue import System
from armybuilder.loading.documents import Document
from armybuilder.loading.problems import Refusal
from armybuilder.pages.books.common import change, fields_of, go, system_of


@never_cache
@require_http_methods(["GET", "POST"])
def page(request: HttpRequest, book_id: str) -> HttpResponse:
    """Show categories, each a form, and an empty one; a post changes one; 404 in games without."""
    book = own_book(request, book_id)
    if not system_of(book).sized:
        raise Http404("no categories in books of this game")
    if request.method == "GET":
        return _show(request, book, {})
    fields = fields_of(request)
    category_id = fields.get("id", "")
    # Acts that change what a category says; made on another page meanwhile, they are asked about.
    watched = category_id and fields.get("act", "save") in ("save", "remove")
    try:
        changed = change(
            request,
            book,
            lambda data: _edit(data, system_of(book), fields),
            (lambda data: find_part(data, "categories", category_id)) if watched else None,
            fields.get("mark", ""),
        )
    except Refusal as refusal:
        return _show(request, book, fields, 422, refusal.sentence)
    except Conflict as conflict:
        now = find_part(conflict.book.data, "categories", category_id)
        told = _(
            "That category was changed elsewhere in the meantime. Nothing was done; press "
            "the button again to do it anyway."
        )
        if now is None:
            told = _(
                "That category was removed elsewhere in the meantime. Below is the current book."
            )
        return _show(request, conflict.book, fields | {"mark": mark_of(now)}, 409, told)
    messages.success(request, changed.done.said)
    return go("book-categories", book.pk)


def _edit(data: Document, system: System, fields: dict[str, str]) -> BookResult:
    """Return the book after what a button asks for. Raises Refusal."""
    act, category_id = fields.get("act", "save"), fields.get("id", "")
    if act == "save":
        document, category_id = category_edits.put_category(data, system, fields, category_id)
        told = _("Saved the category “{name}”.")
        return BookResult(document, told.format(name=_name(document, category_id)))
    name = _name(data, category_id)
    if act == "remove":
        document = category_edits.remove_category(data, system, category_id)
        told = _("Removed the category “{name}”.")
    elif act == "up":
        document = category_edits.move_category(data, system, category_id, -1)
        told = _("Moved the category “{name}” up.")
    elif act == "down":
        document = category_edits.move_category(data, system, category_id, 1)
        told = _("Moved the category “{name}” down.")
    else:
        raise Refusal(_("That button is unknown. Reload the page."))
    return BookResult(document, told.format(name=name))


def _name(data: Document, category_id: str) -> str:
    category = find_part(data, "categories", category_id)
    if category is None:
        raise Refusal(_("That category is no longer in the book."))
    return str(category["name"])


def _show(
    request: HttpRequest,
    book: OwnBook,
    typed: dict[str, str],
    status: int = 200,
    refused: str = "",
) -> HttpResponse:
    """Return the page; the category that `typed` is about, or the new one, shows what was typed."""
    system, about = system_of(book), typed.get("id", "")
    used = Counter(name for unit in book.data["units"] for name in unit.get("categories", ()))
    needed = category_edits.needed_categories(system)
    labels = {
        "name": _("Name"),
        **{bound.key: str(bound.label) for bound in category_edits.BOUNDS},
    }

    def inputs(texts: dict[str, str], category_id: str) -> list[tuple[str, str, str]]:
        mine = typed if "name" in typed and about == category_id else texts
        return [(key, label, mine.get(key, "")) for key, label in labels.items()]

    rows = [
        {
            "id": category["id"],
            "title": category["name"],
            "fields": inputs(category_edits.texts_of(category), category["id"]),
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
