"""The army categories of a book: their names, their shares of the game size, their order."""

from collections import Counter

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from armybuilder.accounts.holders import holder_of
from armybuilder.authoring import category_edits
from armybuilder.authoring.marks import find_category, mark_of
from armybuilder.books.models import OwnBook
from armybuilder.books.selectors import own_book
from armybuilder.books.services import BookResult, Conflict, Watch, change_book
from armybuilder.engine.catalogue import System
from armybuilder.loading.documents import Document
from armybuilder.loading.problems import Refusal
from armybuilder.pages.books.views.common import fields_of, go, system_of

#: Acts that change what a category says: made on another page meanwhile, they are asked about.
WATCHED = ("save", "remove")


@never_cache
@require_http_methods(["GET", "POST"])
def page(request: HttpRequest, book_id: str) -> HttpResponse:
    """Show categories, each a form, and an empty one; a post changes one; 404 in games without."""
    book = own_book(request, book_id)
    if not system_of(book).sized:
        raise Http404("no categories in books of this game")
    if request.method == "GET":
        return _show(request, book)
    fields = fields_of(request)
    act, category = fields.get("act", "save"), fields.get("id", "")
    watch = Watch(lambda data: find_category(data, category), fields.get("mark", ""))
    try:
        changed = change_book(
            holder_of(request),
            book.pk,
            lambda data: _changed(data, system_of(book), act, fields),
            watch if act in WATCHED and category else None,
        )
    except Refusal as refusal:
        return _show(request, book, 422, fields, refusal.sentence)
    except Conflict as conflict:
        return _conflict(request, conflict.book, fields)
    messages.success(request, changed.done.said)
    return go("book-categories", book.pk)


def _changed(data: Document, system: System, act: str, fields: dict[str, str]) -> BookResult:
    """Return the book after what a button asks for. Raises Refusal."""
    category = fields.get("id", "")
    if act == "save":
        document, category = category_edits.put_category(data, system, fields, category)
        said = _("Saved the category “{name}”.").format(name=_name(document, category))
        return BookResult(document, said)
    name = _name(data, category)
    if act == "remove":
        document = category_edits.remove_category(data, system, category)
        return BookResult(document, _("Removed the category “{name}”.").format(name=name))
    steps = {"up": -1, "down": 1}
    if act not in steps:
        raise Refusal(_("That button is unknown. Reload the page."))
    document = category_edits.move_category(data, system, category, steps[act])
    told = (
        _("Moved the category “{name}” up.")
        if act == "up"
        else _("Moved the category “{name}” down.")
    )
    return BookResult(document, told.format(name=name))


def _name(data: Document, category_id: str) -> str:
    found = find_category(data, category_id)
    if found is None:
        raise Refusal(_("That category is no longer in the book."))
    return str(found["name"])


def _conflict(request: HttpRequest, book: OwnBook, fields: dict[str, str]) -> HttpResponse:
    """What was typed, to be saved again on the book as it is now."""
    now = find_category(book.data, fields["id"])
    told = _(
        "That category was changed elsewhere in the meantime. Nothing was done; press "
        "the button again to do it anyway."
    )
    if now is None:
        told = _("That category was removed elsewhere in the meantime. Below is the current book.")
    return _show(request, book, 409, fields | {"mark": mark_of(now)}, told)


def _show(
    request: HttpRequest,
    book: OwnBook,
    status: int = 200,
    typed: dict[str, str] | None = None,
    refused: str = "",
) -> HttpResponse:
    """The page; the category that `typed` is about, or the new one, shows what was typed."""
    typed = typed or {}
    system, about = system_of(book), typed.get("id", "")
    used = Counter(name for unit in book.data["units"] for name in unit.get("categories", ()))
    needed = category_edits.needed_categories(system)
    rows = [
        {
            "id": category["id"],
            "title": category["name"],
            "fields": _inputs(category_edits.texts_of(category), typed, category["id"]),
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
        "new_fields": _inputs({}, typed, ""),
        "about": about,
        "refused": refused,
    }
    return render(request, "books/categories.html", context, status=status)


def _inputs(
    texts: dict[str, str], typed: dict[str, str], category: str
) -> list[tuple[str, str, str]]:
    """Return the fields of a category's form: (name, label, text), as typed where it is the one."""
    mine = typed if "name" in typed and typed.get("id", "") == category else texts
    labels = [
        ("name", _("Name")),
        *((bound.key, str(bound.label)) for bound in category_edits.BOUNDS),
    ]
    return [(key, label, mine.get(key, "")) for key, label in labels]
