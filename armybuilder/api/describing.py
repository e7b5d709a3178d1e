"""OpenAPI 3.1 description of the API: list documents, errors, shared parameters."""

import json
import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from django.conf import settings
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, OpenApiResponse, extend_schema

from armybuilder.api.fields import ANY_DOCUMENT_SCHEMA, DOCUMENT_SCHEMA
from armybuilder.api.parsing import DocumentParser
from armybuilder.api.problems import MEDIA_TYPE, ProblemSerializer
from armybuilder.loading.quick_checks import SCHEMA_DIR
from armybuilder.sheets.content.make import KINDS as VIEWS
from armybuilder.sheets.content.setup import CHOICES, KINDS, OCCASION, SWITCHES, Setup
from armybuilder.sheets.texts.forms import FORMS, PART_NAMES, USUAL

ABOUT = """\
Games, books and units; verdicts on army lists; your own lists, their sheets and frozen copies. The
rules are those of the pages.

**Verdicts need no account.** `validate`, `choices`, `diff`, `batch`, `repair`, `fill`, `answer`,
`outlook`, `explain`, sheets and texts take a list document and store nothing; `read` takes a text
as players write it. **Your lists** need a token (`Authorization: Bearer ab_…`, made on your account
page) or a browser that is signed in.

**Games from files**: lists of them (`armylist/2`) are stored, compared, and taken by `validate`,
`repair`, `fill`, sheets and texts, with the token of a user who has the files.

**Events**: read them, register, submit and check lists by the rules of their pages. Nobody sees a
list before it is published.

**Solver** answers take at most a third of a second. `proved` is false if that was too short.

**Errors** are problem details (RFC 9457); `problems` names the places in what you sent.

**Rate limits** count processor time: 40 seconds a minute for an address, 60 for a user, unless the
operator sets others. Above them the answer is 429 with `Retry-After`.

Sentences come in the language of `Accept-Language`: {languages}.
"""

DOCUMENT_BODY = {"application/json": DOCUMENT_SCHEMA}
#: The same of views that take lists of a community's files, too (`takes_files`).
ANY_DOCUMENT_BODY = {"application/json": ANY_DOCUMENT_SCHEMA}


def _header(name: str, about: str, needed: bool = False) -> OpenApiParameter:
    return OpenApiParameter(name, str, OpenApiParameter.HEADER, required=needed, description=about)


IF_MATCH = _header("If-Match", "Only if the list still has this ETag.")
IF_MATCH_NEEDED = _header("If-Match", "The ETag of the state you replace, or `*`.", needed=True)
IF_NONE_MATCH = _header(
    "If-None-Match", "The ETag of the state you have: 304 if it hasn't changed."
)
WITH_ETAG = OpenApiParameter(
    "ETag",
    str,
    OpenApiParameter.HEADER,
    response=[200, 201],
    description="Names this state of the list, for If-Match.",
)
#: Headers for reading, replacing or deleting something that has an ETag.
READS, REPLACES, DELETES = [WITH_ETAG, IF_NONE_MATCH], [WITH_ETAG, IF_MATCH_NEEDED], [IF_MATCH]


def _choice(name: str, values: tuple[str, ...], about: str, usual: str) -> OpenApiParameter:
    return OpenApiParameter(name, str, enum=list(values), default=usual, description=about)


TEXT_FORM = [
    _choice("form", tuple(FORMS), "Form of the text.", USUAL),
    _choice("kind", tuple(VIEWS), "`open`: only what opponents may see.", VIEWS[0]),
    OpenApiParameter(
        "parts",
        str,
        description=f"Parts of the text: some of {', '.join(PART_NAMES)}, separated by commas.",
    ),
]
#: Fields of a print set-up. A code to a frozen copy needs a link, which is made on the list's page.
PRINT_SWITCHES = tuple(name for name in SWITCHES if name not in ("qr", "certificate"))
_USUAL = Setup()
SETUP = [
    OpenApiParameter(
        "kinds",
        str,
        description=f"Sheets, separated by commas: {', '.join(KINDS)}.",
        default="full",
    ),
    *(_choice(name, values, "", getattr(_USUAL, name)) for name, values in CHOICES.items()),
    *(
        _choice(name, ("0", "1"), "1 is yes, 0 is no.", str(int(getattr(_USUAL, name))))
        for name in PRINT_SWITCHES
    ),
    *(OpenApiParameter(name, str, description="At the head of each sheet.") for name in OCCASION),
]

OF_ENTRY = OpenApiParameter("entry", int, description="Number of the entry, if you have several.")

#: Possible errors by status.
_ERRORS = {
    "400": "The request cannot be read.",
    "401": "The token is not valid, or one is needed.",
    "403": "Not allowed: a browser must send its CSRF token.",
    "404": "There is no such thing, or it is not yours.",
    "406": "Nothing here has the media type that is asked for.",
    "409": "You have as much here as one may have: delete something first.",
    "412": "The list has changed since.",
    "413": "Too large.",
    "415": "The body is not JSON.",
    "422": "It cannot be done: the document, or what is asked for, is wrong.",
    "428": "If-Match is missing.",
    "429": "Asked too often: wait as long as Retry-After says.",
    "500": "Our mistake.",
    "503": "This site has no solver, or it was too much work.",
}


class ApiSchema(AutoSchema):
    """Adds to each operation its errors, and a name: the first words of its description."""

    def get_summary(self) -> str | None:
        summary = super().get_summary() or self.get_description().partition(".")[0]
        return " ".join(summary.split()).partition(":")[0]

    def get_request_serializer(self) -> Any:
        if DocumentParser in self.view.parser_classes:
            return ANY_DOCUMENT_BODY if getattr(self.view, "takes_files", False) else DOCUMENT_BODY
        return super().get_request_serializer()

    def _get_response_bodies(self, direction: Any = "response") -> dict[str, Any]:
        bodies: dict[str, Any] = super()._get_response_bodies(direction)
        for code in self._errors():
            answer = OpenApiResponse(ProblemSerializer, _ERRORS[code])
            bodies[code] = self._get_response_for_code(  # type: ignore[no-untyped-call]  # not typed
                answer, code, [MEDIA_TYPE], direction
            )
        return bodies

    def _get_request_body(self, direction: Any = "request") -> dict[str, Any] | None:
        body: dict[str, Any] | None = super()._get_request_body(  # type: ignore[no-untyped-call]  # not typed
            direction
        )
        if body and isinstance(self.get_request_serializer(), dict):
            body["required"] = True
        return body

    def _errors(self) -> Iterator[str]:
        writes, is_open = self.method in ("POST", "PUT"), {} in (self.get_auth() or [])
        yield from ("400", "401", "406", "429", "500")
        if writes:
            yield from ("413", "415", "422")
        elif self.get_override_parameters():
            yield "422"
        if "{" in self.path or hasattr(self.view, "pagination_class"):
            yield "404"
        if getattr(self.view, "asks_solver", False):
            yield "503"
        if not is_open:
            yield from ("403", "409") if writes else ("403",)
        if self.method in ("PUT", "DELETE"):
            yield "412"
        if self.method == "PUT":
            yield "428"


Method = TypeVar("Method", bound=Callable[..., Any])

#: Bodies that are sent (`sent`) and answered (`got`), by operation: see tests/api/record.py.
_RECORDED = json.loads((Path(__file__).parent / "examples.json").read_text("utf-8"))
#: The media types of bodies that are texts.
_TEXTS = {"sent": "application/octet-stream", "got": "text/plain"}


def operation(tag: str, name: str, answers: Any, **more: Any) -> Callable[[Method], Method]:
    """Describe a view's method: its tag, id, answers, and `more` as `extend_schema`.

    Its examples are those recorded under its id.
    """
    more["examples"] = [
        OpenApiExample(
            title,
            value,
            request_only=side == "sent",
            response_only=side == "got",
            media_type=_TEXTS[side] if isinstance(value, str) else None,
        )
        for side, examples in _RECORDED.get(name, {}).items()
        for title, value in examples.items()
    ]
    return extend_schema(responses=answers, tags=[tag], operation_id=name, **more)


@cache
def _document_schemas(file: str, name: str) -> dict[str, Any]:
    """Return the schema of a kind of list documents, and its parts, by their names."""
    text = (SCHEMA_DIR / file).read_text("utf-8")
    # Only Python lets "$" match before a last newline: others don't need this.
    text = text.replace("$(?!\\n)", "$")
    text = re.sub(
        r'"#/\$defs/(\w+)"', lambda ref: f'"#/components/schemas/{name}{ref[1].capitalize()}"', text
    )
    data = json.loads(text)
    parts = data.pop("$defs")
    del data["$schema"], data["$id"]
    return {name: data, **{f"{name}{key.capitalize()}": part for key, part in parts.items()}}


def add_documents(result: dict[str, Any], **_about: Any) -> dict[str, Any]:
    """Add the schemas of list documents and a text about the API to the description."""
    spoken = ", ".join(name for _code, name in settings.LANGUAGES)
    result["info"]["description"] = ABOUT.format(languages=spoken)
    schemas = {**result["components"]["schemas"]}
    schemas |= _document_schemas("armylist.schema.json", "ArmyList")
    schemas |= _document_schemas("forcelist.schema.json", "ForceList")
    result["components"]["schemas"] = dict(sorted(schemas.items()))
    for methods in result["paths"].values():
        for operation in methods.values():
            for parameter in operation.get("parameters", ()):
                schema = parameter["schema"]
                is_text = schema.get("type") == "string" and "enum" not in schema
                if is_text and parameter["in"] == "query":
                    schema["pattern"] = r"^[^\u0000]*$"  # NUL is a 400
    return result
