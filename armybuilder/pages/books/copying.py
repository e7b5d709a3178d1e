"""Copying units from another book of the same game, shipped or one's own."""

from django.contrib import messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from armybuilder.authoring.edits import copy_units
from armybuilder.books.models import OwnBook
from armybuilder.books.paths import is_own_id
from armybuilder.books.selectors import own_book, own_books
from armybuilder.books.services import BookResult
from armybuilder.loading.documents import Document
from armybuilder.loading.library import shipped_library
from armybuilder.loading.problems import Refusal
from armybuilder.pages.answers import render_for_htmx, wants_part
from armybuilder.pages.books.common import change, go, matching_units, page_of, rows_of, system_of
from armybuilder.requests import HtmxRequest

PAGE = "books/copy.html"
FOUND = "books/copy.html#found"


@never_cache
@require_http_methods(["GET", "POST"])
def page(request: HtmxRequest, book_id: str) -> HttpResponse:
    """Choose a book (`?from=...`), look for cards, tick some, and copy those ticked.

    "all" and "none" tick all that are found; a post that says "copy" copies.
    """
    book = own_book(request, book_id)
    refused = ""
    if request.POST.get("go") == "copy":
        try:
            return _copied(request, book)
        except Refusal as refusal:
            refused = refusal.sentence
    return _show(request, book, refused)


def _show(request: HtmxRequest, book: OwnBook, refused: str) -> HttpResponse:
    form = request.POST if request.method == "POST" else request.GET
    wanted = form.get("from", "")
    source = _document(book, wanted) if wanted else None
    rows, ticked = None, dict.fromkeys(form.getlist("units"))
    if source is not None:
        text, number = page_of(form)
        rows = rows_of(source, system_of(book), text, number)
        matches = dict.fromkeys(unit["id"] for _, unit in matching_units(source, text))
        if form.get("go") == "all":
            ticked |= matches
        elif form.get("go") == "none":
            ticked = {unit: None for unit in ticked if unit not in matches}
    shown = {row.id for row in rows.rows} if rows else set()
    shipped = shipped_library().books[book.system].values()
    context = {
        "book": book,
        "shipped": [
            {"id": each.id, "name": each.name, "units": len(each.names)}
            for each in shipped
            if each.names
        ],
        "own": [
            {"id": other.pk, "name": other.name, "units": other.unit_count}
            for other in _others(book)
            if other.unit_count
        ],
        "wanted": wanted,
        "source": source,
        "rows": rows,
        "ticked": ticked,
        "hidden_ticks": [unit for unit in ticked if unit not in shown],
        "refused": refused,
    }
    template = FOUND if wants_part(request) else PAGE
    return render_for_htmx(request, template, context, 422 if refused else 200)


def _others(book: OwnBook) -> QuerySet[OwnBook]:
    """Return the holder's other books of the game, whatever its edition."""
    library = shipped_library()
    system = library.system(book.system)
    editions = [system.id, *(edition.id for edition in library.editions(system))]
    return own_books(book.holder).filter(system__in=editions).exclude(pk=book.pk)


def _document(book: OwnBook, source: str) -> Document:
    """Return a source's content, as one for the book's edition. Raises Refusal for any other."""
    library = shipped_library()
    if source in library.books[book.system]:
        shipped = library.shipped_data(book.system, source)
        if shipped is not None:
            return {**shipped, "system": book.system}
    others = _others(book).defer(None).defer("before")
    other = others.filter(pk=source).first() if is_own_id(source) else None
    if other is None:
        raise Refusal(_("That book no longer exists. Choose another."))
    return {**other.data, "system": book.system}


def _copied(request: HttpRequest, book: OwnBook) -> HttpResponse:
    """Copy the ticked units, all or none. Raises Refusal."""
    ticked = list(dict.fromkeys(request.POST.getlist("units")))
    if not ticked:
        raise Refusal(_("Select the cards to copy first."))
    source = _document(book, request.POST.get("from", ""))
    told = ngettext(
        "Copied {number} card from “{book}”.", "Copied {number} cards from “{book}”.", len(ticked)
    ).format(number=len(ticked), book=source["name"])
    system = system_of(book)
    change(request, book, lambda data: BookResult(copy_units(data, system, source, ticked), told))
    messages.success(request, told)
    return go("own-book", book.pk)
