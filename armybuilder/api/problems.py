"""Every error of the API in one shape: problem details (RFC 9457).

`pointer` names the place in the body (a JSON pointer), or "?name" for a part of the address.
"""

import logging
from collections.abc import Iterable, Iterator
from typing import Any

from django.core.exceptions import BadRequest, RequestDataTooBig, SuspiciousOperation
from django.core.signals import got_request_exception
from django.http import HttpRequest, HttpResponse, JsonResponse, UnreadablePostError
from django.http.multipartparser import MultiPartParserError
from django.utils.deprecation import MiddlewareMixin
from django.utils.translation import gettext as _
from rest_framework.exceptions import ValidationError
from rest_framework.response import Response
from rest_framework.views import exception_handler as rest_response
from rest_framework.views import set_rollback

from armybuilder.accounts.quotas import NoRoom
from armybuilder.api.parsing import NoCondition, OtherState
from armybuilder.incoming import request_id
from armybuilder.loading.deadline import Elsewhere, GivenUp, OutOfTime
from armybuilder.loading.problems import Refusal
from armybuilder.solving.port import NoSolver

MEDIA_TYPE = "application/problem+json"
PREFIX = "/api/"
logger = logging.getLogger("django.request")
gone = logging.getLogger(__name__)

Places = list[dict[str, str]]


def problem(
    status: int, title: str, detail: str, places: Iterable[dict[str, str]] = ()
) -> dict[str, Any]:
    """Return the body of an error. `places` are single mistakes: pointer, detail and advice."""
    return {
        "type": "about:blank",
        "title": title,
        "status": status,
        "detail": detail,
        "request_id": request_id(),
        "problems": list(places),
    }


def problem_response(status: int, title: str, detail: str) -> JsonResponse:
    """The same as an answer from outside of any view of the API."""
    return JsonResponse(problem(status, title, detail), status=status, content_type=MEDIA_TYPE)


def exception_handler(error: Exception, context: dict[str, Any]) -> Response:
    """Answer what a view has raised; log what nobody foresaw, and tell those who listen."""
    known = _foreseen(error)
    if known is not None:
        set_rollback()
        return _response(*known)
    response = rest_response(error, context)
    if response is None:
        logger.error("Error in the API", exc_info=error, extra={"request": context["request"]})
        got_request_exception.send(sender=None, request=context["request"]._request)
        set_rollback()
        return _response(500, title_of(500), said_of(500))
    places = []
    if isinstance(error, ValidationError):
        in_body = context["request"].method in ("POST", "PUT")
        places = list(_fields(error.detail, "/" if in_body else "?"))
    detail = _("Something in the request is not valid.")
    if not places and isinstance(response.data, dict):
        detail = str(response.data.get("detail", ""))
    response.data = problem(response.status_code, response.status_text, detail, places)
    response.content_type = MEDIA_TYPE
    return response


def _foreseen(error: Exception) -> tuple[int, str, str, Places] | tuple[int, str, str] | None:
    """Status, title, detail and places of errors that REST framework does not know."""
    if isinstance(error, OutOfTime | GivenUp | Elsewhere):
        # The last two answer nobody.
        return 503, title_of(503), str(error)
    if isinstance(error, NoSolver):
        said = _("This site cannot answer that: OR-Tools is not installed.")
        return 503, _("Not available here."), said
    if isinstance(error, NoRoom):
        return 409, title_of(409), error.sentence
    if isinstance(error, Refusal):
        return 422, _("This cannot be done."), error.sentence, places_of(error)
    if isinstance(error, OtherState | NoCondition):
        return error.status, title_of(error.status), str(error.sentence)
    if isinstance(error, RequestDataTooBig):
        return 413, title_of(413), said_of(413)
    if isinstance(error, UnreadablePostError):
        gone.info("the client has gone while it sent")
        return 400, title_of(400), said_of(400)
    if isinstance(error, SuspiciousOperation | BadRequest | MultiPartParserError):
        return 400, title_of(400), said_of(400)
    return None


def places_of(refusal: Refusal) -> Places:
    """Return the single mistakes that a refusal tells of."""
    return [place.data() for place in refusal.problems]


def _response(status: int, title: str, detail: str, places: Places | None = None) -> Response:
    body = problem(status, title, detail, places or ())
    return Response(body, status=status, content_type=MEDIA_TYPE)


def _fields(detail: Any, where: str) -> Iterator[dict[str, str]]:
    """Return a place for each sentence that a serializer said about a field."""
    for key, sentences in detail.items():
        for sentence in sentences:
            yield {"pointer": f"{where}{key}", "detail": str(sentence), "advice": ""}


def title_of(status: int) -> str:
    """Return what kind of error a status is."""
    titles = {
        400: _("The request cannot be read."),
        403: _("Not allowed."),
        404: _("Not found."),
        409: _("No room left."),
        412: _("The list has changed."),
        413: _("Too large."),
        428: _("A precondition is missing."),
        503: _("Too much work."),
    }
    return titles.get(status) or _("Something went wrong.")


def said_of(status: int) -> str:
    """Return a sentence for a status of which nothing more is known."""
    said = {
        400: _("The request cannot be answered."),
        403: _("You may not do that."),
        404: _("There is nothing at this address."),
        413: _("The request is too large."),
    }
    return said.get(status) or _("The fault is ours, not yours. Please try again later.")


class ProblemMiddleware(MiddlewareMixin):
    """Make error pages under `/api/`, also of what stands around the views, problem details."""

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        if response.status_code < 400 or not request.path_info.startswith(PREFIX):
            return response
        if response.headers.get("Content-Type", "").startswith(MEDIA_TYPE):
            return response
        status = response.status_code
        return problem_response(status, title_of(status), said_of(status))
