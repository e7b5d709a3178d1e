"""What holds for every request: UTF-8, compressed pages, who may keep them, refusals as pages."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware
from django.shortcuts import render
from django.utils.deprecation import MiddlewareMixin

from armybuilder.housekeeping.visits import note_visit
from armybuilder.lists.selectors import DeletedList
from armybuilder.loading.problems import Refusal

_UNUSED = (
    *("accelerometer", "camera", "display-capture", "geolocation", "gyroscope", "magnetometer"),
    *("microphone", "midi", "payment", "serial", "usb", "xr-spatial-tracking"),
)
_POLICY = ", ".join(f"{feature}=()" for feature in _UNUSED)


class Utf8Middleware(MiddlewareMixin):
    """Read addresses and forms as UTF-8: a request may name a character set that breaks pages."""

    def process_request(self, request: HttpRequest) -> None:
        request.encoding = "utf-8"


class PageGZipMiddleware(GZipMiddleware):
    """Compress pages alone, as files are compressed in themselves.

    An answer of the API keeps its ETag, which compression would make a weak one: `If-Match` never
    matches those.
    """

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> Any:
        if not response.get("Content-Type", "").startswith("text/html"):
            return response
        return super().process_response(request, response)


class VisitMiddleware(MiddlewareMixin):
    """Note the day on which a browser is here, on pages that look at its session anyway."""

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        if request.session.accessed:
            note_visit(request)
            # What was made for one browser is kept by none between.
            response.setdefault("Cache-Control", "private, no-cache")
        return response


class PermissionsMiddleware(MiddlewareMixin):
    """Keep pages from what a browser may do beyond showing them; one says where it needs it."""

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
        if not isinstance(exception, Refusal):
            return None
        return render(request, "refusal.html", {"refusal": exception}, status=422)
