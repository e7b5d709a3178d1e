"""The address of the site, for everything that is given away: mails, links, QR codes, the API."""

from collections.abc import Callable
from typing import Any
from urllib.parse import urljoin

from django.conf import settings
from django.http import HttpRequest, HttpResponse


def at_site_url(get_response: Callable[[HttpRequest], HttpResponse]) -> Any:
    """The middleware that lets whole addresses begin with SITE_URL, if that is set, and not with
    what the request says of itself: its Host may name another port, or another name of the server.

    Every whole address, Django's and that of libraries too, is made by the request. So they are all
    right, and nobody has to think of it.
    """

    def served(request: HttpRequest) -> HttpResponse:
        if settings.SITE_URL:
            setattr(request, "build_absolute_uri", _builder(request))  # noqa: B010 - a method
        return get_response(request)

    return served


def _builder(request: HttpRequest) -> Callable[[str | None], str]:
    def build(location: str | None = None) -> str:
        path = request.get_full_path() if location is None else str(location)
        here = urljoin(settings.SITE_URL, request.path)
        # A path of two strokes would be another host.
        return settings.SITE_URL + path if path.startswith("/") else urljoin(here, path)

    return build
