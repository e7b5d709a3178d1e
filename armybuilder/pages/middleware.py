"""What holds for every request: it is read as UTF-8, and an unanswered refusal becomes a page."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.deprecation import MiddlewareMixin

from armybuilder.loading.problems import Refusal


class Utf8Middleware(MiddlewareMixin):
    """Read addresses and forms as UTF-8: a request may name a character set that breaks pages."""

    def process_request(self, request: HttpRequest) -> None:
        request.encoding = "utf-8"


class RefusalMiddleware(MiddlewareMixin):
    """Answer 422 with the refusal's sentence and, for files, every single mistake."""

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        if not isinstance(exception, Refusal):
            return None
        return render(request, "refusal.html", {"refusal": exception}, status=422)
