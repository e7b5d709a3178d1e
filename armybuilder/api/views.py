"""The API's views: the same functions as the pages and the command line, nothing stored."""

from typing import Any, BinaryIO

from django.http import Http404
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiTypes, extend_schema
from rest_framework.parsers import BaseParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView
from rest_framework.views import exception_handler as default_handler

from armybuilder.api.serializers import (
    BookWithUnitsSerializer,
    ProblemSerializer,
    ReportSerializer,
    SystemSerializer,
)
from armybuilder.engine import validate
from armybuilder.lists.reports import report_data
from armybuilder.loading.documents import catalogue_of, make_roster, read_document
from armybuilder.loading.jsontext import MAX_BYTES
from armybuilder.loading.library import shipped_library
from armybuilder.loading.problems import Refusal


class DocumentParser(BaseParser):
    """Reads a list document with the same checks as an upload: size, depth, schema."""

    media_type = "application/json"

    def parse(self, stream: BinaryIO, media_type: Any = None, parser_context: Any = None) -> Any:
        return read_document(stream.read(MAX_BYTES + 1))


class Systems(APIView):
    @extend_schema(responses=SystemSerializer(many=True))
    def get(self, request: Request) -> Response:
        """Every game system with its books."""
        library = shipped_library()
        systems = [
            {
                "id": system.id,
                "name": system.name,
                "about": system.about,
                "books": library.books[system.id].values(),
            }
            for system in library.systems.values()
        ]
        return Response(SystemSerializer(systems, many=True).data)


class Book(APIView):
    @extend_schema(responses={200: BookWithUnitsSerializer, 404: ProblemSerializer})
    def get(self, request: Request, system_id: str, book_id: str) -> Response:
        """A book with its units."""
        books = shipped_library().books.get(system_id, {})
        if book_id not in books:
            raise Http404("There is no such book.")
        return Response(BookWithUnitsSerializer(books[book_id]).data)


class Validate(APIView):
    parser_classes = [DocumentParser]

    @extend_schema(
        request={"application/json": OpenApiTypes.OBJECT},
        responses={200: ReportSerializer, 422: ProblemSerializer},
    )
    def post(self, request: Request) -> Response:
        """The verdict on a list document; nothing is stored."""
        document = request.data
        if not document:
            raise Refusal(_("The body is empty: send a list document as JSON."))
        catalogue = catalogue_of(document, shipped_library())
        report = validate(make_roster(document, catalogue), catalogue)
        return Response(ReportSerializer(report_data(report)).data)


def exception_handler(error: Exception, context: dict[str, Any]) -> Response | None:
    """Every error in one shape: problem details (RFC 9457)."""
    if isinstance(error, Refusal):
        problems = [
            {"pointer": problem.pointer, "detail": problem.message, "advice": problem.advice}
            for problem in error.problems
        ]
        return _problem(422, "The document cannot be judged.", error.sentence, problems)
    response = default_handler(error, context)
    if response is None:
        return None
    detail = response.data.get("detail", "") if isinstance(response.data, dict) else ""
    return _problem(response.status_code, response.status_text, str(detail), [])


def _problem(status: int, title: str, detail: str, problems: list[dict[str, str]]) -> Response:
    data = {"title": title, "status": status, "detail": detail, "problems": problems}
    return Response(data, status=status, content_type="application/problem+json")
