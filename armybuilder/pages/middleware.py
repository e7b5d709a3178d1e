"""What holds for every request: it is read as UTF-8, and a refusal that no view has answered
becomes a page that says its sentence.
"""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from armybuilder.housekeeping.visits import note_visit
from armybuilder.loading.problems import Refusal


class Utf8Middleware:
    """Reads addresses and forms as UTF-8, whatever the request says of itself: a character set that
    does not exist, or that makes halves of characters, would break every page.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        request.encoding = "utf-8"
        return self.get_response(request)


class VisitMiddleware:
    """Notes the day on which a browser is here, on pages that look at its session anyway."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if request.session.accessed:
            note_visit(request)
        return response


class RefusalMiddleware:
    """Status 422 with the refusal's sentence and, for files, every single mistake."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        if not isinstance(exception, Refusal):
            return None
        return render(request, "refusal.html", {"refusal": exception}, status=422)
