"""Middleware for every request: UTF-8, compression, caching, refusals as pages."""

import logging
import re
import secrets
from typing import Any

import brotli
from django.db import DataError
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware
from django.shortcuts import render
from django.utils.cache import patch_vary_headers
from django.utils.deprecation import MiddlewareMixin
from django.utils.translation import gettext as _

from armybuilder.housekeeping.visits import note_visit
from armybuilder.lists.selectors import DeletedList
from armybuilder.loading.problems import Refusal

logger = logging.getLogger(__name__)

_UNUSED = (
    *("accelerometer", "camera", "display-capture", "geolocation", "gyroscope", "magnetometer"),
    *("microphone", "midi", "payment", "serial", "usb", "xr-spatial-tracking"),
)
_POLICY = ", ".join(f"{feature}=()" for feature in _UNUSED)

_BROTLI = re.compile(r"\bbr\b")
#: Bytes of a page that is not worth compressing.
SHORT = 200


class Utf8Middleware(MiddlewareMixin):
    """Read addresses and forms as UTF-8: a request may name a character set that breaks pages."""

    def process_request(self, request: HttpRequest) -> None:
        request.encoding = "utf-8"


class PageCompressionMiddleware(GZipMiddleware):
    """Compress pages alone, by Brotli where the browser knows it, which is smaller than GZip.

    Files are compressed in themselves. An answer of the API keeps its ETag, which compression
    would make a weak one: `If-Match` never matches those.
    """

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> Any:
        if not response.get("Content-Type", "").startswith("text/html"):
            return response
        wanted = request.META.get("HTTP_ACCEPT_ENCODING", "")
        if (
            not isinstance(response, HttpResponse)
            or response.has_header("Content-Encoding")
            or len(response.content) < SHORT
            or not _BROTLI.search(wanted)
        ):
            return super().process_response(request, response)
        patch_vary_headers(response, ("Accept-Encoding",))
        response.content = compress_page(response.content)
        response["Content-Length"] = str(len(response.content))
        response["Content-Encoding"] = "br"
        if response.get("ETag", "").startswith('"'):
            response["ETag"] = f"W/{response['ETag']}"
        return response


def compress_page(page: bytes) -> bytes:
    """Return a page in Brotli, with some random bytes that readers ignore.

    Its length must not reveal its contents (BREACH), which is why Django pads GZip, too.
    """
    packer = brotli.Compressor(quality=8)
    number = 1 + secrets.randbelow(GZipMiddleware.max_random_bytes)
    # A metadata block (RFC 7932, 9.2) between the page and the end.
    head = (0b010110 | (number - 1) << 6).to_bytes(2, "little")
    parts = packer.process(page), packer.flush(), head, secrets.token_bytes(number), packer.finish()
    return b"".join(parts)


class VisitMiddleware(MiddlewareMixin):
    """Note the day on which a browser is here, on pages that look at its session anyway."""

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        if request.session.accessed:
            note_visit(request)
            # No cache on the way keeps a page made for one browser.
            response.setdefault("Cache-Control", "private, no-cache")
        return response


class PermissionsMiddleware(MiddlewareMixin):
    """Deny pages the browser's features beyond display; a page allows those that it needs."""

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        response.setdefault("Permissions-Policy", _POLICY)
        return response


def with_camera(response: HttpResponse) -> HttpResponse:
    """Let a page use the camera, for which the browser asks its user."""
    response["Permissions-Policy"] = _POLICY.replace("camera=()", "camera=(self)")
    return response


class RefusalMiddleware(MiddlewareMixin):
    """Answer 422 with a refusal and its mistakes, 404 with the way to restore a deleted list."""

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        if isinstance(exception, DeletedList):
            context = {"version": exception.version}
            return render(request, "my_lists/deleted.html", context, status=404)
        if isinstance(exception, DataError):  # PostgreSQL takes no zero bytes nor larger numbers
            logger.warning("the database can't store what was sent: %s", exception)
            exception = Refusal(
                _("We can’t store this: a number is too large, or a character is damaged.")
            )
        if not isinstance(exception, Refusal):
            return None
        return render(request, "refusal.html", {"refusal": exception}, status=422)
