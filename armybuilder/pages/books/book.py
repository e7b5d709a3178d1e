"""One book: its cards in a table, and the acts of its buttons; htmx gets the part that changes."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from armybuilder.accounts.holders import holder_of
from armybuilder.authoring import edits
from armybuilder.authoring.checking import about_of, find_unit, mark_of
from armybuilder.authoring.hints import hints_of
from armybuilder.books import services
from armybuilder.books.models import OwnBook
from armybuilder.books.selectors import own_book
from armybuilder.books.services import BookResult
from armybuilder.engine.catalogue import System
from armybuilder.loading.documents import Document
from armybuilder.loading.problems import Refusal
from armybuilder.pages.answers import render_for_htmx, wants_part
from armybuilder.pages.books.common import address, change, fields_of, page_of, rows_of, system_of
from armybuilder.requests import HtmxRequest

PAGE = "books/book.html"
PANEL = "books/book.html#panel"
ROWS = "books/book.html#rows"

#: Acts on one card, in its row of the table.
UNIT_ACTS = ("remove", "copy", "up", "down")
CHANGED = gettext_lazy(
    "That was changed elsewhere, in another window or on another page, after this "
    "page was loaded. Nothing was done; below is the current book."
)


@never_cache
@require_safe
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
    except services.Conflict as conflict:
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
    """Do what a button of the whole book asks; say it."""
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
