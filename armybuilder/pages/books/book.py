"""My books: one with its cards and the acts of its buttons, all of them, new ones, and files."""

import json
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST

from armybuilder.accounts.holders import holder_of, make_holder
from armybuilder.authoring import checking, edits
from armybuilder.authoring.checking import about_of, find_unit, hints_of, mark_of
from armybuilder.books import services
from armybuilder.books.models import OwnBook, new_book_id
from armybuilder.books.selectors import own_book, own_books, shared_book
from armybuilder.books.services import BookResult
from armybuilder.downloads import file_response
from armybuilder.engine.catalogue import System
from armybuilder.loading.books import build_book
from armybuilder.loading.documents import Document
from armybuilder.loading.library import book_problems, shipped_library
from armybuilder.loading.problems import Refusal
from armybuilder.pages.answers import fresh, playable, private, render_for_htmx, wants_part
from armybuilder.pages.books.common import (
    MAX_UPLOAD,
    address,
    change,
    fields_of,
    go,
    page_of,
    rows_of,
    system_of,
    uploaded,
)
from armybuilder.requests import HtmxRequest
from armybuilder.sheets.cards.cards_pdf import draw_cards
from armybuilder.sheets.content.cards import faces_of_book

#: Deleted books shown, the latest first.
DELETED_SHOWN = 20
#: Sheets of paper by their names in addresses.
PAPERS: dict[str, str] = {"a4": "A4", "letter": "letter"}
PAGE = "books/book.html"
PANEL = "books/book.html#panel"
ROWS = "books/book.html#rows"

#: Acts on one card, in its row of the table.
UNIT_ACTS = ("remove", "copy", "up", "down")
CHANGED = gettext_lazy(
    "That was changed elsewhere, in another window or on another page, after this "
    "page was loaded. Nothing was done; below is the current book."
)


@fresh
def page(request: HtmxRequest, book_id: str) -> HttpResponse:
    """Show the page of a book; by htmx only its cards, searched anew."""
    return _show(request, own_book(request, book_id), ROWS if wants_part(request) else PAGE)


def _show(
    request: HttpRequest, book: OwnBook, template: str, status: int = 200, **more: Any
) -> HttpResponse:
    system = system_of(book)
    search, number = page_of(request.GET)
    hints, hint_count = hints_of(book.data)
    share_url = ""
    if book.shared and book.share_token:
        where = reverse("shared-book", args=[book.pk, book.share_token])
        share_url = request.build_absolute_uri(where)
    context = {
        "book": book,
        "system": system,
        "rows": rows_of(book.data, system, search, number),
        "about_mark": mark_of(about_of(book.data)),
        "act_url": address("book-act", book.pk, q=search, page=number),
        "share_url": share_url,
        "hints": hints,
        "hint_count": hint_count,
        **more,
    }
    return render_for_htmx(request, template, context, status)


@require_POST
def act(request: HtmxRequest, book_id: str) -> HttpResponse:
    """Do what a button asks: `act` is its name, or "name:unit:mark"."""
    book = own_book(request, book_id)
    fields = fields_of(request)
    name, _colon, what = fields.get("act", "").partition(":")
    template = PANEL if request.htmx else PAGE
    typed = fields if name == "rename" else {}
    try:
        if name in UNIT_ACTS:
            sentence = _unit_act(request, book, name, what)
        else:
            sentence = _book_act(request, book, name, fields)
    except Refusal as refusal:
        now = own_book(request, book_id)
        return _show(request, now, template, 422, refused=refusal.sentence, typed=typed)
    except services.BookConflict as conflict:
        return _show(request, conflict.book, template, 409, refused=CHANGED, typed=typed)
    if request.htmx and name in (*UNIT_ACTS, "undo"):
        return _show(request, own_book(request, book_id), PANEL, said=sentence)
    if name == "delete":
        messages.success(request, sentence, extra_tags=f"book:{book_id}")
        where = address("my-books")
    else:
        messages.success(request, sentence)
        part = "#book-share" if name in ("share", "unshare") else ""
        where = address("own-book", book_id, **request.GET.dict()) + part
    # htmx follows this as a whole page.
    return HttpResponse(headers={"HX-Redirect": where}) if request.htmx else redirect(where)


def _unit_act(request: HttpRequest, book: OwnBook, name: str, what: str) -> str:
    """Change the unit that a button stands beside, watched if the page marks it; say it."""
    unit_id, _colon, mark = what.partition(":")
    changed = change(
        request,
        book,
        lambda data: _edit_unit(data, system_of(book), name, unit_id),
        (lambda data: find_unit(data, unit_id)) if mark else None,
        mark,
    )
    return changed.done.said


def _edit_unit(book: Document, system: System, act: str, unit_id: str) -> BookResult:
    unit, made = find_unit(book, unit_id), ""
    if unit is None:
        raise Refusal(_("That card is no longer in the book."))
    if act == "remove":
        document, told = edits.remove_unit(book, system, unit_id), _("Removed “{name}”.")
    elif act == "copy":
        document, made = edits.copy_unit(book, system, book, unit_id)
        told = _("Copied “{name}”.")
    elif act == "up":
        document, told = edits.move_unit(book, system, unit_id, -1), _("Moved “{name}” up.")
    else:
        document, told = edits.move_unit(book, system, unit_id, 1), _("Moved “{name}” down.")
    return BookResult(document, told.format(name=unit["name"]), made)


def _book_act(request: HttpRequest, book: OwnBook, act: str, fields: dict[str, str]) -> str:
    holder, system = holder_of(request), system_of(book)
    if act == "undo":
        return services.step(holder, book.pk, fields.get("revision", ""))[1]
    if act == "rename":
        name, about = (fields.get(key, "").strip() for key in ("name", "about"))
        sentence = _("Changed the book’s name or description.")
        change(
            request,
            book,
            lambda data: BookResult(edits.rename(data, system, name, about), sentence),
            about_of,
            fields.get("mark", ""),
        )
        return sentence
    if act == "share":
        services.share_book(holder, book.pk)
        return _("Shared. Anyone with the address below can see the book and copy it.")
    if act == "unshare":
        services.unshare_book(holder, book.pk)
        return _("No longer shared. The old address no longer works.")
    if act == "delete":
        services.delete_book(holder, book.pk)
        return _("Deleted “{name}”.").format(name=book.name)
    raise Refusal(_("That button is unknown. Reload the page."))


@fresh
def my_books(request: HttpRequest) -> HttpResponse:
    """Show the browser's books by game, those that were deleted, and how to start one."""
    holder = holder_of(request)
    library = shipped_library()
    books = list(own_books(holder))
    # Games in the order of the library, then the player's own; those without books left out.
    ids = dict.fromkeys([*library.systems, *sorted({book.system for book in books})])
    games = [
        (system, held)
        for system_id in ids
        if (system := library.find_system(system_id)) is not None
        and (held := [book for book in books if book.system == system.id])
    ]
    context = {
        "games": games,
        "strange": [book for book in books if library.find_system(book.system) is None],
        "systems": library.systems.values(),
        "deleted": own_books(holder, deleted=True)[:DELETED_SHOWN],
    }
    return render(request, "books/my_books.html", context)


@require_http_methods(["GET", "POST"])
def new_book(request: HttpRequest, system_id: str) -> HttpResponse:
    """Name a new book; it is empty or starts as a copy of a shipped one (`?copy=...`)."""
    system, books = playable(request, system_id), shipped_library().books[system_id]
    fields = {"copy": request.GET.get("copy", ""), **fields_of(request)}
    refused = ""
    if request.method == "POST":
        try:
            return _created(request, _new_document(system, fields))
        except Refusal as refusal:
            refused = refusal.sentence
    context = {"system": system, "books": books.values(), "fields": fields, "refused": refused}
    return render(request, "books/new.html", context, status=422 if refused else 200)


def _created(request: HttpRequest, document: Document) -> HttpResponse:
    return go("own-book", services.create_book(make_holder(request), document).pk)


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
    document = edits.as_own({**shipped, "system": system.id}, new_book_id(), name)
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
            return _created(request, _imported(request))
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


@fresh
def book_file(request: HttpRequest, book_id: str) -> HttpResponse:
    """Download the book as a file that can be brought in again, here or elsewhere."""
    return _json_file(own_book(request, book_id).data)


def _json_file(data: dict[str, Any]) -> HttpResponse:
    content = json.dumps(data, indent=2, ensure_ascii=False).encode()
    return file_response(content, "application/json", data["name"], "json", untitled="book")


@fresh
def cards_pdf(request: HttpRequest, book_id: str, paper: str = "a4") -> HttpResponse:
    if paper not in PAPERS:
        raise Http404("no such paper")
    book = own_book(request, book_id)
    if not book.unit_count:
        raise Refusal(_("There are no cards in the book yet."))
    system = system_of(book)
    built, problems = build_book(book.data, system, "book")
    if built is None:
        raise Refusal(_("The game does not accept this book as it is."), problems)
    title = _("{book} cards").format(book=book.name)
    content = draw_cards(faces_of_book(built, system), PAPERS[paper], title)
    return file_response(content, "application/pdf", title, "pdf", inline=True, untitled="book")


@fresh
def shared(request: HttpRequest, book_id: str, token: str) -> HttpResponse:
    """Show a shared book to whoever has its address."""
    book = shared_book(book_id, token)
    system = system_of(book)
    text, number = page_of(request.GET)
    context = {
        "book": book,
        "system": system,
        "token": token,
        "rows": rows_of(book.data, system, text, number),
        "mine": book.holder == holder_of(request),
    }
    return private(render(request, "books/shared.html", context))


@require_POST
def copy_shared(request: HttpRequest, book_id: str, token: str) -> HttpResponse:
    """Make the shared book one of this browser's own."""
    return _created(request, edits.as_own(shared_book(book_id, token).data, new_book_id()))


@fresh
def shared_file(request: HttpRequest, book_id: str, token: str) -> HttpResponse:
    return private(_json_file(shared_book(book_id, token).data))
