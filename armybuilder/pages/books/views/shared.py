"""A shared book, for everyone who was given its address: to look at, to copy, to save."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from armybuilder.accounts.holders import holder_of, make_holder
from armybuilder.authoring import edits
from armybuilder.books import services
from armybuilder.books.models import new_book_id
from armybuilder.books.selectors import shared_book
from armybuilder.pages.books.shown import rows_of
from armybuilder.pages.books.views.common import go, number_of, system_of
from armybuilder.pages.books.views.files import json_file
from armybuilder.pages.secret_addresses import private


@never_cache
@require_safe
def page(request: HttpRequest, book_id: str, token: str) -> HttpResponse:
    book = shared_book(book_id, token)
    system = system_of(book)
    text, number = request.GET.get("q", "")[:80].strip(), number_of(request.GET.get("page", ""))
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
