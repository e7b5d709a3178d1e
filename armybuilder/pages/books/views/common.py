"""What the views of books share: the book's game, a form's fields, and where to go afterwards."""

from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.urls import reverse

from armybuilder.authoring import checking, grids
from armybuilder.books.models import OwnBook
from armybuilder.engine.catalogue import System
from armybuilder.loading.library import shipped_library
from armybuilder.pages.answers import whole_number, with_query

#: Bytes of an upload, a book or a table. Files are read up to this and one byte more.
MAX_UPLOAD = max(checking.MAX_BYTES, grids.MAX_BYTES)


def system_of(book: OwnBook) -> System:
    """Return the game of a book. Raises Refusal where it is not here any more."""
    return shipped_library().system(book.system)


def fields_of(request: HttpRequest) -> dict[str, str]:
    """Return the fields of a form, several values joined with commas, without the character NUL."""
    fields = {name: ",".join(values) for name, values in request.POST.lists()}
    return {name: value.replace("\0", "") for name, value in fields.items()}


def uploaded(request: HttpRequest, name: str) -> bytes:
    """The uploaded file's content, or what shows that it is too large; b"" where there is none."""
    file = request.FILES.get(name)
    return file.read(MAX_UPLOAD + 1) if file is not None else b""


def page_of(fields: QueryDict) -> tuple[str, int]:
    """Return what is looked for in a book, and the page of it, out of an address or a form."""
    return fields.get("q", "")[:80].strip(), whole_number(fields.get("page", ""), 5, 1)


def address(name: str, /, *args: str, **query: str | int) -> str:
    """Return the address of a page, with what of the query says something."""
    said = urlencode({key: value for key, value in query.items() if value})
    return with_query(reverse(name, args=args), said)


def go(name: str, /, *args: str, **query: str | int) -> HttpResponse:
    """A redirect there."""
    return redirect(address(name, *args, **query))
