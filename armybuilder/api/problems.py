"""Every error of the API in one shape: problem details (RFC 9457).

`pointer` names the place in the body (a JSON pointer), or "?name" for a part of the address.
"""

import logging
from collections.abc import Iterable
from typing import Any

from django.core.exceptions import BadRequest, RequestDataTooBig, SuspiciousOperation
from django.core.signals import got_request_exception
from django.http import HttpRequest, HttpResponse, JsonResponse, UnreadablePostError
from django.http.multipartparser import MultiPartParserError
from django.utils.deprecation import MiddlewareMixin
from django.utils.translation import gettext as _
from rest_framework import serializers
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
logger = logging.getLogger("django.request")
gone = logging.getLogger(__name__)


class ProblemPlaceSerializer(serializers.Serializer[dict[str, str]]):
    """A single mistake: a JSON pointer into the body, or "?name" for a part of the address."""

    pointer = serializers.CharField()
    detail = serializers.CharField()
    advice = serializers.CharField()


class ProblemSerializer(serializers.Serializer[dict[str, Any]]):
    """An error (RFC 9457); `problems` are single places of the document."""

    type = serializers.CharField()
    title = serializers.CharField()
    status = serializers.IntegerField()
    detail = serializers.CharField()
    request_id = serializers.CharField(help_text="Id of the request in the server's log")
    problems = ProblemPlaceSerializer(many=True)


def problem(
    status: int,
    detail: str | None = None,
    title: str | None = None,
    places: Iterable[dict[str, str]] = (),
) -> dict[str, Any]:
    """Return the body of an error; missing parts are those of its status.

    `places` are single mistakes: pointer, detail and advice.
    """
    return {
        "type": "about:blank",
        "title": _title_of(status) if title is None else title,
        "status": status,
        "detail": detail_of(status) if detail is None else detail,
        "request_id": request_id(),
        "problems": list(places),
    }


def problem_response(status: int, detail: str | None = None) -> JsonResponse:
    """Return an error as an answer from outside of any view of the API."""
    return JsonResponse(problem(status, detail), status=status, content_type=MEDIA_TYPE)


def exception_handler(error: Exception, context: dict[str, Any]) -> Response:
    """Answer an exception of a view; log the unexpected ones and notify the listeners."""
    body = _foreseen(error)
    response = None if body else rest_response(error, context)
    if response is None:
        if body is None:
            logger.error("Error in the API", exc_info=error, extra={"request": context["request"]})
            got_request_exception.send(sender=None, request=context["request"]._request)
        set_rollback()
        body = body or problem(500)
        return Response(body, status=body["status"], content_type=MEDIA_TYPE)
    places = []
    if isinstance(error, ValidationError):
        start = "/" if context["request"].method in ("POST", "PUT") else "?"
        mistakes: Any = error.detail
        places = [
            {"pointer": f"{start}{field}", "detail": str(sentence), "advice": ""}
            for field, sentences in mistakes.items()
            for sentence in sentences
        ]
    detail = _("Something in the request is not valid.")
    if not places and isinstance(response.data, dict):
        detail = str(response.data.get("detail", ""))
    response.data = problem(response.status_code, detail, response.status_text, places)
    response.content_type = MEDIA_TYPE
    return response


def _foreseen(error: Exception) -> dict[str, Any] | None:
    if isinstance(error, OutOfTime | GivenUp | Elsewhere):
        # The last two answer nobody.
        return problem(503, str(error))
    if isinstance(error, NoSolver):
        sentence = _("This site cannot answer that: OR-Tools is not installed.")
        return problem(503, sentence, _("Not available here."))
    if isinstance(error, NoRoom):
        return problem(409, error.sentence)
    if isinstance(error, Refusal):
        places = [place.data() for place in error.problems]
        return problem(422, error.sentence, _("This isn’t possible."), places)
    if isinstance(error, OtherState | NoCondition):
        return problem(error.status, str(error.sentence))
    if isinstance(error, RequestDataTooBig):
        return problem(413)
    if isinstance(error, UnreadablePostError):
        gone.info("the client has gone while it sent")
        return problem(400)
    if isinstance(error, SuspiciousOperation | BadRequest | MultiPartParserError):
        return problem(400)
    return None


def _title_of(status: int) -> str:
    titles = {
        400: _("The request cannot be read."),
        403: _("Not allowed."),
        404: _("Not found."),
        409: _("No room left."),
        412: _("The list has changed."),
        413: _("Too large."),
        428: _("A precondition is missing."),
        503: _("Request too complex."),
    }
    return titles.get(status) or _("Something went wrong.")


def detail_of(status: int) -> str:
    """Return a sentence for a status of which nothing more is known."""
    details = {
        400: _("The request cannot be answered."),
        403: _("You may not do that."),
        404: _("Nothing was found at this URL."),
        413: _("The request is too large."),
    }
    return details.get(status) or _("Something went wrong on our side. Try again later.")


class ProblemMiddleware(MiddlewareMixin):
    """Turn error pages under `/api/` into problem details, also those of other middleware."""

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        if response.status_code < 400 or not request.path_info.startswith("/api/"):
            return response
        if response.headers.get("Content-Type", "").startswith(MEDIA_TYPE):
            return response
        return problem_response(response.status_code)
