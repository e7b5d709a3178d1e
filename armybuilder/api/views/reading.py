"""Lists out of texts, line by line, and out of files: nothing is stored, or dropped unsaid."""

from typing import IO, Any

from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils.translation import gettext as _
from rest_framework.parsers import BaseParser
from rest_framework.request import Request
from rest_framework.response import Response

from armybuilder.api import examples
from armybuilder.api.describing import operation
from armybuilder.api.parsing import ObjectParser, body_of
from armybuilder.api.reading import (
    FileQuery,
    FileReadSerializer,
    TextReadSerializer,
    TextRequestSerializer,
    file_data,
    parts_data,
    reading_data,
)
from armybuilder.api.views.base import OpenView
from armybuilder.exchange.files import MAX_ZIP, read_files
from armybuilder.exchange.pasting import read_text, split_text
from armybuilder.loading.library import shipped_library
from armybuilder.loading.problems import Refusal


class ReadText(OpenView):
    parser_classes = [ObjectParser]

    @operation(
        "Lists out of texts",
        "read",
        TextReadSerializer,
        examples.A_TEXT,
        examples.TEXT_READ,
        request=TextRequestSerializer,
    )
    def post(self, request: Request) -> Response:
        """The list in a text as players write it: the document, and how sure each line is. A text
        with many lists, such as an organiser's pack, gives each of them in `lists`.
        """
        asked = TextRequestSerializer(data=body_of(request.data))
        asked.is_valid(raise_exception=True)
        fields, library = asked.validated_data, shipped_library()
        system, books = fields.get("system"), fields.get("books", [])
        if system is not None and system not in library.systems:
            raise Refusal(_("There is no such game."))
        if any(system is None or book not in library.books[system] for book in books):
            raise Refusal(_("There is no such book."))
        text = fields["text"].replace("\0", "")
        if not books and not fields.get("one"):
            parts = split_text(text, library, system)
            if len(parts) > 1:
                return Response(parts_data(parts, library, system))
        read = read_text(text, library, system, books, choices=fields.get("choices"))
        return Response({**reading_data(read), "lists": []})


class FileParser(BaseParser):
    """A file as it was sent; the view looks at its name."""

    media_type = "application/octet-stream"

    def parse(self, stream: IO[bytes], media_type: Any = None, parser_context: Any = None) -> Any:
        return stream.read(MAX_ZIP + 1)


class ReadFile(OpenView):
    parser_classes = [FileParser]

    @operation(
        "Lists out of texts",
        "read_file",
        FileReadSerializer,
        examples.A_FILE,
        examples.FILE_READ,
        parameters=[FileQuery],
        request={"application/octet-stream": {"type": "string", "format": "binary"}},
    )
    def post(self, request: Request) -> Response:
        """The lists in a file: a document, a table, a roster of BattleScribe, a text of which every
        line is clear, or a zip of these.
        """
        query = FileQuery(data=request.query_params)
        query.is_valid(raise_exception=True)
        content = request.data if isinstance(request.data, bytes) else b""
        file = SimpleUploadedFile(query.validated_data["name"], content)
        return Response(file_data(read_files([file], shipped_library())))
