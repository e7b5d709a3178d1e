"""A user's own books: told, stored, replaced and deleted."""

from typing import IO, Any

from django.utils.translation import gettext as _
from rest_framework import status
from rest_framework.parsers import BaseParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse

from armybuilder.api import own_examples
from armybuilder.api.describing import (
    IF_MATCH,
    IF_MATCH_NEEDED,
    IF_NONE_MATCH,
    WITH_ETAG,
    operation,
)
from armybuilder.api.own_things import (
    OwnBookSerializer,
    OwnBookWithDocumentSerializer,
    own_book_data,
)
from armybuilder.api.parsing import OtherState, etag_of, is_known, require_match
from armybuilder.api.views.base import OwnBookPages, OwnView, Paged
from armybuilder.authoring import edits
from armybuilder.authoring.checking import MAX_BYTES
from armybuilder.books import services
from armybuilder.books.models import OwnBook, new_book_id
from armybuilder.books.selectors import find_own_book, own_books
from armybuilder.loading.documents import Document
from armybuilder.loading.library import shipped_library
from armybuilder.loading.problems import Refusal

#: What the description says of a body that is a book.
_BODY = {"application/json": {"type": "object", "additionalProperties": True}}


class BookParser(BaseParser):
    """A book as it was sent: the view reads it, as it reads an uploaded one."""

    media_type = "application/json"

    def parse(self, stream: IO[bytes], media_type: Any = None, parser_context: Any = None) -> Any:
        return stream.read(MAX_BYTES + 1)


def _sent(request: Request, book_id: str) -> Document:
    """The book in the body under this id. Raises Refusal with all its mistakes."""
    if not isinstance(request.data, bytes):
        raise Refusal(_("The body is empty: send JSON, in curly brackets."))
    document, _system = edits.read_book(request.data, shipped_library())
    return edits.as_own(document, book_id)


def _answer(book: OwnBook, code: int = status.HTTP_200_OK) -> Response:
    data = own_book_data(book)
    return Response(data, status=code, headers={"ETag": etag_of(data)})


class OwnBooks(Paged, OwnView):
    pagination_class = OwnBookPages
    parser_classes = [BookParser]

    @operation("Your books", "own_books", OwnBookSerializer(many=True), own_examples.OWN_BOOKS)
    def get(self, request: Request) -> Response:
        """Your own books, the latest changed first, page by page."""
        return self.page(own_books(self.holder), lambda one: OwnBookSerializer(one).data, request)

    @operation(
        "Your books",
        "store_book",
        {201: OwnBookWithDocumentSerializer},
        own_examples.A_BOOK,
        own_examples.OWN_BOOK,
        parameters=[WITH_ETAG],
        request=_BODY,
    )
    def post(self, request: Request) -> Response:
        """Store a book as your own, under a new id. All its mistakes are told at once."""
        book = services.create_book(self.holder, _sent(request, new_book_id()))
        response = _answer(book, status.HTTP_201_CREATED)
        response["Location"] = reverse("api-own-book", args=[book.pk])
        return response


class OwnBookDetail(OwnView):
    parser_classes = [BookParser]

    @operation(
        "Your books",
        "own_book",
        {200: OwnBookWithDocumentSerializer, 304: None},
        own_examples.OWN_BOOK,
        parameters=[WITH_ETAG, IF_NONE_MATCH],
    )
    def get(self, request: Request, book_id: str) -> Response:
        """A book of yours with its document and its ETag."""
        response = _answer(find_own_book(self.holder, book_id))
        if is_known(request, response["ETag"]):
            headers = {"ETag": response["ETag"]}
            return Response(status=status.HTTP_304_NOT_MODIFIED, headers=headers)
        return response

    @operation(
        "Your books",
        "replace_book",
        OwnBookWithDocumentSerializer,
        own_examples.A_BOOK,
        own_examples.OWN_BOOK,
        parameters=[WITH_ETAG, IF_MATCH_NEEDED],
        request=_BODY,
    )
    def put(self, request: Request, book_id: str) -> Response:
        """Replace a book, if it is still as you read it. Lists keep the content they have taken."""
        had = find_own_book(self.holder, book_id)
        book = _sent(request, book_id)
        if book["system"] != had.system:
            raise Refusal(_("A book stays with its game."))
        require_match(request, etag_of(own_book_data(had)), needed=True)

        def replaced(now: Document) -> services.BookResult:
            if now != had.data:
                raise OtherState
            return services.BookResult(book, _("Replaced through the API."))

        return _answer(services.change_book(self.holder, book_id, replaced).book)

    @operation("Your books", "delete_book", {204: None}, parameters=[IF_MATCH])
    def delete(self, request: Request, book_id: str) -> Response:
        """Delete a book. For a while it can be restored on the page *My books*."""
        book = find_own_book(self.holder, book_id)
        require_match(request, etag_of(own_book_data(book)), needed=False)
        services.delete_book(self.holder, book_id)
        return Response(status=status.HTTP_204_NO_CONTENT)
