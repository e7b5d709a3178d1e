"""Parsing of requests: conditions (RFC 9110); bodies, checked for size and depth first."""

import hashlib
import json
from typing import IO, Any

from django.utils.http import parse_etags
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from rest_framework import serializers
from rest_framework.parsers import BaseParser
from rest_framework.request import Request
from rest_framework.utils.encoders import JSONEncoder

from armybuilder.lists.models import ListDocument, OfFiles
from armybuilder.loading import forcelist
from armybuilder.loading.armylist import ArmyList
from armybuilder.loading.documents import read_document
from armybuilder.loading.jsontext import MAX_DEPTH, parse_json
from armybuilder.loading.problems import Refusal


class OtherState(Exception):
    """The list is not, or no longer, in the state that the request names."""

    status = 412
    sentence = gettext_lazy(
        "The list has changed since you read it. Read it again before you replace it."
    )


class NoCondition(Exception):
    """The request does not say which state of the list it is about."""

    status = 428
    sentence = gettext_lazy("Send the ETag of the version you are replacing as If-Match.")


def etag_of(data: Any) -> str:
    """Return the strong entity tag of an answer, in its quotes."""
    text = json.dumps(data, sort_keys=True, cls=JSONEncoder)
    return f'"{hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]}"'


def require_match(request: Request, data: Any, needed: bool) -> None:
    """Raise OtherState if `If-Match` names other states than that of this answer.

    Raises NoCondition if it is `needed` and not sent. A weak tag matches nothing.
    """
    wanted = request.headers.get("If-Match")
    if wanted is None:
        if needed:
            raise NoCondition
        return
    tags = parse_etags(wanted)
    if etag_of(data) not in tags and "*" not in tags:
        raise OtherState


#: Bytes of a body with several documents; they nest two levels further down.
MAX_BODY = 8 * 1024 * 1024
_DEPTH = max(MAX_DEPTH, forcelist.MAX_NESTING) + 2


class DocumentParser(BaseParser):
    """A list document, with the same checks as an upload: size, depth, schema."""

    media_type = "application/json"

    def parse(self, stream: IO[bytes], media_type: Any = None, parser_context: Any = None) -> Any:
        raw = stream.read(forcelist.MAX_BYTES + 1)
        if forcelist.FORMAT.encode() in raw:
            data = parse_json(raw, forcelist.MAX_BYTES, forcelist.MAX_NESTING)
            if forcelist.is_force_list(data):
                return forcelist.check_force_list(data)
        return read_document(raw)


class ObjectParser(BaseParser):
    """A JSON object that holds documents; the view checks its content."""

    media_type = "application/json"

    def parse(self, stream: IO[bytes], media_type: Any = None, parser_context: Any = None) -> Any:
        data = parse_json(stream.read(MAX_BODY + 1), MAX_BODY, _DEPTH)
        if not isinstance(data, dict):
            raise Refusal(_("The body must be a JSON object."))
        return data


def any_document_of(data: Any) -> ListDocument:
    """Return the list that `DocumentParser` read. Raises Refusal if there was no body."""
    if not isinstance(data, ArmyList | forcelist.ForceList):
        raise Refusal(_("The body is empty. Send a JSON object."))
    return data


def document_of(data: Any) -> ArmyList:
    """Return the same of a list of our books. Raises OfFiles for one of a community's files."""
    document = any_document_of(data)
    if not isinstance(document, ArmyList):
        raise OfFiles
    return document


def body_of(data: Any) -> dict[str, Any]:
    """Return the parsed body. Raises Refusal if there was none, since then no parser runs."""
    if not isinstance(data, dict) or not data:
        raise Refusal(_("The body is empty. Send a JSON object."))
    return data


def read_fields(kind: type[serializers.Serializer[Any]], data: Any) -> dict[str, Any]:
    """Return the fields of a query or body. Raises ValidationError with the errors in them."""
    serializer = kind(data=data)
    serializer.is_valid(raise_exception=True)
    fields: dict[str, Any] = serializer.validated_data
    return fields
