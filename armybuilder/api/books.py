"""A user's custom books: list, read, save, replace, delete."""

from typing import IO, Any

from django.utils.translation import gettext as _
from rest_framework import serializers, status
from rest_framework.parsers import BaseParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse

from armybuilder.api import describing
from armybuilder.api.base import KeysetPages, OwnView, Paged, tagged, tagged_unless_known
from armybuilder.api.describing import operation
from armybuilder.api.fields import Answer, answer_of
from armybuilder.api.parsing import OtherState, require_match
from armybuilder.authoring import edits
from armybuilder.authoring.checking import MAX_BYTES
from armybuilder.books import services
from armybuilder.books.models import OwnBook, new_book_id
from armybuilder.books.selectors import find_own_book, own_books
from armybuilder.loading.documents import Document
from armybuilder.loading.library import shipped_library
from armybuilder.loading.problems import Refusal

#: The description's schema for a body that is a book.
_BODY = {"application/json": {"type": "object", "additionalProperties": True}}


class OwnBookSerializer(Answer[OwnBook]):
    """A book of yours without its units. `revision` is the hash of its content."""

    id = serializers.CharField()
    name = serializers.CharField()
    system = serializers.CharField()
    revision = serializers.CharField()
    units = serializers.IntegerField(source="unit_count", help_text="Number of units")
    created = serializers.DateTimeField()
    updated = serializers.DateTimeField()
    shared = serializers.BooleanField()


class OwnBookWithDocumentSerializer(OwnBookSerializer):
    """The same with the book as a document: see the guide to the format of books."""

    document = serializers.DictField(source="data")


class BookParser(BaseParser):
    """A book as it was sent: the view reads it, as it reads an uploaded one."""

    media_type = "application/json"

    def parse(self, stream: IO[bytes], media_type: Any = None, parser_context: Any = None) -> Any:
        return stream.read(MAX_BYTES + 1)


def _sent(request: Request, book_id: str) -> Document:
    """Return the book in the body under this id. Raises Refusal with all its mistakes."""
    if not isinstance(request.data, bytes):
        raise Refusal(_("The body is empty. Send a JSON object."))
    document, _system = edits.read_book(request.data, shipped_library())
    return edits.as_own(document, book_id)


class OwnBooks(Paged, OwnView):
    pagination_class = KeysetPages
    ordering = ("-updated", "id")
    parser_classes = [BookParser]

    @operation("Your books", "own_books", OwnBookSerializer(many=True))
    def get(self, request: Request) -> Response:
        """Return your own books, the latest changed first, page by page."""
        return self.page(own_books(self.holder), OwnBookSerializer)

    @operation(
        "Your books",
        "store_book",
        {201: OwnBookWithDocumentSerializer},
        parameters=[describing.WITH_ETAG],
        request=_BODY,
    )
    def post(self, request: Request) -> Response:
        """Store a book as your own, under a new id. The answer lists all its mistakes at once."""
        book = services.create_book(self.holder, _sent(request, new_book_id()))
        response = tagged(answer_of(OwnBookWithDocumentSerializer, book), status.HTTP_201_CREATED)
        response["Location"] = reverse("api-own-book", args=[book.pk])
        return response


class OwnBookDetail(OwnView):
    parser_classes = [BookParser]

    @operation(
        "Your books",
        "own_book",
        {200: OwnBookWithDocumentSerializer, 304: None},
        parameters=describing.READS,
    )
    def get(self, request: Request, book_id: str) -> Response:
        """Return a book of yours with its document and its ETag."""
        book = find_own_book(self.holder, book_id)
        return tagged_unless_known(answer_of(OwnBookWithDocumentSerializer, book), request)

    @operation(
        "Your books",
        "replace_book",
        OwnBookWithDocumentSerializer,
        parameters=describing.REPLACES,
        request=_BODY,
    )
    def put(self, request: Request, book_id: str) -> Response:
        """Replace a book, if it is still as you read it.

        Lists keep the content they have taken.
        """
        existing = find_own_book(self.holder, book_id)
        book = _sent(request, book_id)
        if book["system"] != existing.system:
            raise Refusal(_("A book can’t move to another game."))
        require_match(request, answer_of(OwnBookWithDocumentSerializer, existing), needed=True)

        def replaced(now: Document) -> services.BookResult:
            if now != existing.data:
                raise OtherState
            return services.BookResult(book, _("Replaced through the API."))

        changed = services.change_book(self.holder, book_id, replaced).book
        return tagged(answer_of(OwnBookWithDocumentSerializer, changed))

    @operation("Your books", "delete_book", {204: None}, parameters=describing.DELETES)
    def delete(self, request: Request, book_id: str) -> Response:
        """Delete a book. For a while it can be restored on the page *My books*."""
        book = find_own_book(self.holder, book_id)
        require_match(request, answer_of(OwnBookWithDocumentSerializer, book), needed=False)
        services.delete_book(self.holder, book_id)
        return Response(status=status.HTTP_204_NO_CONTENT)
