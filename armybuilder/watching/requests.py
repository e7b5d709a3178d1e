"""Log and metrics of every request."""

import logging
import time
from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse, UnreadablePostError

from armybuilder.admission.dispatch import HANDING
from armybuilder.incoming import address_of
from armybuilder.logs import shown_path
from armybuilder.watching import metrics

access = logging.getLogger("armybuilder.access")
slow = logging.getLogger("armybuilder.slow")
logger = logging.getLogger(__name__)


class WatchingMiddleware:
    """Writes a line for each request, another for a slow one, and counts both."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        start = time.perf_counter()
        response = self.get_response(request)
        took = time.perf_counter() - start
        handing = request.META.get(HANDING)
        if handing is not None and handing.goes_on:
            return response  # discarded: a heavy process answers, and logs it
        match = getattr(request, "resolver_match", None)
        # The address as the URLconf has it, the same for all lists; "" if there is none.
        route = match.route if match is not None else ""
        metrics.count_request(route, request.method or "", response.status_code, took)
        fields = {
            "method": request.method,
            "path": shown_path(request),
            "route": route,
            "status": response.status_code,
            "seconds": round(took, 3),
            "bytes": 0 if response.streaming else len(response.content),
            "client": address_of(request.META),
        }
        if not settings.DEBUG:
            line = "%(method)s %(path)s %(status)d %(seconds).3f s %(bytes)d bytes %(client)s"
            access.info(line, fields, extra=fields)
        if settings.SLOW_SECONDS and took >= settings.SLOW_SECONDS:
            slow.warning("%(method)s %(path)s took %(seconds).3f s", fields, extra=fields)
        return response

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """Log one line if the client left while it sent."""
        if not isinstance(exception, UnreadablePostError):
            return None
        logger.info("the client has gone while it sent: %s", shown_path(request))
        return HttpResponse(status=400)
