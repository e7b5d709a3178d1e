"""Whose a list or a book is: a random name kept in the session of the browser that made it."""

import secrets

from django.http import HttpRequest

_SESSION_KEY = "holder"


def holder_of(request: HttpRequest) -> str:
    """The name under which this browser holds lists and books; "" where it holds none yet."""
    return str(request.session.get(_SESSION_KEY, ""))


def make_holder(request: HttpRequest) -> str:
    """The browser's holder name, made on the first list or book."""
    if not holder_of(request):
        request.session[_SESSION_KEY] = secrets.token_hex(24)
    return holder_of(request)
