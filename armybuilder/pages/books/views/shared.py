"""A book to give away: its file, its cards as a PDF, and for whoever has its address a page."""

import json
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from armybuilder.accounts.holders import holder_of, make_holder
from armybuilder.authoring import edits
from armybuilder.books import services
from armybuilder.books.models import new_book_id
from armybuilder.books.selectors import own_book, shared_book
from armybuilder.downloads import file_response
from armybuilder.loading.books import build_book
from armybuilder.loading.problems import Refusal
from armybuilder.pages.answers import private
from armybuilder.pages.books.shown import rows_of
from armybuilder.pages.books.views.common import go, page_of, system_of
from armybuilder.sheets.cards.cards_pdf import draw_cards
from armybuilder.sheets.content.cards import faces_of_book

#: Sheets of paper by their names in addresses.
PAPERS: dict[str, str] = {"a4": "A4", "letter": "letter"}


@never_cache
@require_safe
def book_file(request: HttpRequest, book_id: str) -> HttpResponse:
    """The book as a file that can be brought in again, here or elsewhere."""
    return json_file(own_book(request, book_id).data)


def json_file(data: dict[str, Any]) -> HttpResponse:
    """A book's document as a download under its name."""
    content = json.dumps(data, indent=2, ensure_ascii=False).encode()
    return file_response(content, "application/json", data["name"], "json", untitled="book")


@never_cache
@require_safe
def cards_pdf(request: HttpRequest, book_id: str, paper: str = "a4") -> HttpResponse:
    """All cards of the book, to print and cut out."""
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


@never_cache
@require_safe
def page(request: HttpRequest, book_id: str, token: str) -> HttpResponse:
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
def copy(request: HttpRequest, book_id: str, token: str) -> HttpResponse:
    """Make the shared book one of this browser's own."""
    book = shared_book(book_id, token)
    document = edits.as_own(book.data, new_book_id())
    return go("own-book", services.create_book(make_holder(request), document).pk)


@never_cache
@require_safe
def file(request: HttpRequest, book_id: str, token: str) -> HttpResponse:
    return private(json_file(shared_book(book_id, token).data))
