"""My books, and the ways to a new one: empty, a copy of a shipped one, or from a file."""

from collections.abc import Iterable

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from armybuilder.accounts.holders import holder_of, make_holder
from armybuilder.authoring import checking, edits
from armybuilder.books import services
from armybuilder.books.models import OwnBook, new_book_id
from armybuilder.books.selectors import own_books
from armybuilder.engine.catalogue import System
from armybuilder.loading.documents import Document
from armybuilder.loading.library import book_problems, shipped_library
from armybuilder.loading.problems import Refusal
from armybuilder.pages.answers import playable
from armybuilder.pages.books.views.common import MAX_UPLOAD, fields_of, go, uploaded

#: Deleted books shown, the latest first.
DELETED_SHOWN = 20


@never_cache
@require_safe
def my_books(request: HttpRequest) -> HttpResponse:
    """The browser's books by game, those that were deleted, and how to start one."""
    holder = holder_of(request)
    library = shipped_library()
    books = list(own_books(holder))
    context = {
        "games": _by_game(books),
        "strange": [book for book in books if library.find_system(book.system) is None],
        "systems": library.systems.values(),
        "deleted": own_books(holder, deleted=True)[:DELETED_SHOWN],
    }
    return render(request, "books/my_books.html", context)


def _by_game(books: Iterable[OwnBook]) -> list[tuple[System, list[OwnBook]]]:
    """The books under their games, in the order of the games, then of the player's own; games
    without books left out.
    """
    books, library = list(books), shipped_library()
    ids = dict.fromkeys([*library.systems, *sorted({book.system for book in books})])
    systems = [system for one in ids if (system := library.find_system(one)) is not None]
    held = [(system, [book for book in books if book.system == system.id]) for system in systems]
    return [(system, found) for system, found in held if found]


@require_http_methods(["GET", "POST"])
def new_book(request: HttpRequest, system_id: str) -> HttpResponse:
    """Name a new book; it is empty or starts as a copy of a shipped one (`?copy=...`)."""
    system, books = playable(request, system_id), shipped_library().books[system_id]
    fields = {"copy": request.GET.get("copy", ""), **fields_of(request)}
    refused = ""
    if request.method == "POST":
        try:
            document = _new_document(system, fields)
            return go("own-book", services.create_book(make_holder(request), document).pk)
        except Refusal as refusal:
            refused = refusal.sentence
    context = {"system": system, "books": books.values(), "fields": fields, "refused": refused}
    return render(request, "books/new.html", context, status=422 if refused else 200)


def _new_document(system: System, fields: dict[str, str]) -> Document:
    """Return the document that the form of a new book asks for. Raises Refusal."""
    name, about = fields.get("name", "").strip(), fields.get("about", "").strip()
    copied = fields.get("copy", "")
    if not copied:
        return edits.new_book(system, new_book_id(), name, about)
    library = shipped_library()
    shipped = None
    if copied in library.books[system.id]:
        shipped = library.shipped_data(system.id, copied)
    if shipped is None:
        raise Refusal(_("{game} has no book “{book}”.").format(game=system.name, book=copied[:80]))
    source = {**shipped, "system": system.id}
    document = edits.as_own(source, new_book_id(), name)
    problems = book_problems(document, system, "book")
    if problems:
        raise Refusal(_("That book cannot be copied."), problems)
    return edits.rename(document, system, document["name"], about) if about else document


@require_http_methods(["GET", "POST"])
def import_book(request: HttpRequest) -> HttpResponse:
    """Import a book from a file; every mistake of the file is told with its place."""
    refused = None
    if request.method == "POST":
        try:
            document = _imported(request)
            return go("own-book", services.create_book(make_holder(request), document).pk)
        except Refusal as refusal:
            refused = refusal
    context = {
        "refused": refused,
        "most_kilobytes": MAX_UPLOAD // 1024,
        "units": checking.MAX_UNITS,
    }
    return render(request, "books/import.html", context, status=422 if refused else 200)


def _imported(request: HttpRequest) -> Document:
    file = request.FILES.get("file")
    if file is None:
        raise Refusal(_("Choose a file first: a book saved here, ending in .json."))
    name = str(file.name)[:80]
    document, _system = edits.read_book(uploaded(request, "file"), shipped_library(), name)
    return edits.as_own(document, new_book_id())


@require_POST
def restore(request: HttpRequest, book_id: str) -> HttpResponse:
    if not services.restore_book(holder_of(request), book_id):
        raise Http404("no such deleted book in this browser")
    messages.success(request, _("The book has been restored."))
    return go("my-books")
