"""Bodies of requests, from anyone: size and depth are checked before JSON is read."""

from typing import IO, Any

from django.utils.translation import gettext as _
from rest_framework.parsers import BaseParser

from armybuilder.loading.armylist import ArmyList
from armybuilder.loading.documents import read_document
from armybuilder.loading.jsontext import MAX_BYTES, MAX_DEPTH, parse_json
from armybuilder.loading.problems import Refusal

#: Bytes of a body with several documents; they nest two levels further down.
MOST_BYTES = 8 * 1024 * 1024
_DEPTH = MAX_DEPTH + 2


class DocumentParser(BaseParser):
    """A list document, with the same checks as an upload: size, depth, schema."""

    media_type = "application/json"

    def parse(self, stream: IO[bytes], media_type: Any = None, parser_context: Any = None) -> Any:
        return read_document(stream.read(MAX_BYTES + 1))


class ObjectParser(BaseParser):
    """A JSON object that holds documents; the view checks what is in it."""

    media_type = "application/json"

    def parse(self, stream: IO[bytes], media_type: Any = None, parser_context: Any = None) -> Any:
        data = parse_json(stream.read(MOST_BYTES + 1), MOST_BYTES, _DEPTH)
        if not isinstance(data, dict):
            raise Refusal(_("The body must be an object, in curly brackets."))
        return data


def document_of(data: Any) -> ArmyList:
    """Return the list that `DocumentParser` read. Raises Refusal where there was no body."""
    if not isinstance(data, ArmyList):
        raise Refusal(_("The body is empty: send JSON, in curly brackets."))
    return data


def body_of(data: Any) -> dict[str, Any]:
    """What a parser read. Raises Refusal where there was no body, for which no parser is asked."""
    if not isinstance(data, dict) or not data:
        raise Refusal(_("The body is empty: send JSON, in curly brackets."))
    return data
