"""A name for each request, by which its lines in the log are found: pages and answers that tell of
a failure show it, and so does the header X-Request-ID of every answer.
"""

import re
import secrets
from collections.abc import Callable
from contextvars import ContextVar

from django.conf import settings
from django.http import HttpRequest, HttpResponse

HEADER = "X-Request-ID"
#: What a proxy may call a request.
_FORM = re.compile(r"[A-Za-z0-9._-]{8,64}")
_current: ContextVar[str] = ContextVar("request_id", default="")


def request_id() -> str:
    """The name of the request that is being answered; "" outside of any."""
    return _current.get()


class RequestIdMiddleware:
    """Takes the name that the proxy gave, where one stands before the app; else makes one."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        told = request.headers.get(HEADER, "") if settings.PROXIES else ""
        name = told if _FORM.fullmatch(told) else secrets.token_hex(8)
        mark = _current.set(name)
        try:
            response = self.get_response(request)
        finally:
            _current.reset(mark)
        response[HEADER] = name
        return response
