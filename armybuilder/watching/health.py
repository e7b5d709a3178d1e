"""Health of the app: alive, and able to work.

These URLs are answered before any other middleware: they need no host name, no https, no session
and, for `/healthz`, no database.
"""

import os
import secrets
import time
from collections.abc import Callable, Mapping
from datetime import timedelta
from threading import Lock

from django.conf import settings
from django.core.cache import caches
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.recorder import MigrationRecorder
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils import timezone
from django.utils.crypto import constant_time_compare

from armybuilder.watching import metrics
from armybuilder.writable import LEAST_FREE, free_bytes, where_possible

#: Seconds for which an answer is reused.
HOLDS = 1.0
#: Time that due jobs may wait for a present worker before it is reported.
LONGEST_WAIT = timedelta(minutes=5)
#: Parts that pages can do without: reported, but no reason to take a machine out.
UNFELT = {"cache"}

#: Checks by name; each returns the fault, or "".
Part = Callable[[], str]


class HealthMiddleware:
    """Answers `/healthz`, `/readyz` and `/metrics`."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response
        self._answers: Mapping[str, Callable[[HttpRequest], HttpResponse]] = {
            "/healthz": alive,
            "/readyz": ready,
            "/metrics": numbers,
        }

    def __call__(self, request: HttpRequest) -> HttpResponse:
        answer = self._answers.get(request.path_info)
        if answer is None:
            return self.get_response(request)
        if request.method not in ("GET", "HEAD"):
            return HttpResponse(status=405, headers={"Allow": "GET, HEAD"})
        response = answer(request)
        response["Cache-Control"] = "no-store"
        return response


def alive(request: HttpRequest) -> HttpResponse:
    return HttpResponse("alive\n", content_type="text/plain")


def ready(request: HttpRequest) -> HttpResponse:
    """Report each part's fault, or "ok"; status 503 if players feel it.

    `?exclude=worker` leaves a part out (more than one: `&exclude=…`): pages can do without.
    """
    left_out = set(request.GET.getlist("exclude"))
    parts = {name: wrong or "ok" for name, wrong in state().items() if name not in left_out}
    is_ready = all(word == "ok" for name, word in parts.items() if name not in UNFELT)
    return JsonResponse({"ready": is_ready, "parts": parts}, status=200 if is_ready else 503)


def numbers(request: HttpRequest) -> HttpResponse:
    """Return the metrics, for bearers of METRICS_TOKEN; without one, there is nothing here."""
    token = settings.METRICS_TOKEN
    if not token:
        return HttpResponse(status=404)
    if not constant_time_compare(request.headers.get("Authorization", ""), f"Bearer {token}"):
        return HttpResponse(status=401, headers={"WWW-Authenticate": "Bearer"})
    return HttpResponse(metrics.written(), content_type=metrics.MEDIA_TYPE)


_lock = Lock()
_last: tuple[float, dict[str, str]] = (float("-inf"), {})


def state() -> dict[str, str]:
    """Return each part's fault now, or within the last second; "" without one."""
    global _last
    with _lock:
        when, wrong = _last
        if time.monotonic() - when > HOLDS:
            wrong = {}
            for name, part in PARTS.items():
                try:
                    wrong[name] = part()
                except Exception as error:  # its message may name places and addresses
                    wrong[name] = f"failed: {type(error).__name__}"
            _last = time.monotonic(), wrong
        return wrong


def _database() -> str:
    """Return whether the database answers, and would write: this writes no row."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    recorder = MigrationRecorder(connection)
    if not recorder.has_table():
        return ""
    nothing = recorder.migration_qs.filter(app="")
    writes = where_possible("whether it is ready", lambda: nothing.update(name=""))
    return "" if writes else "cannot be written"


_migrated = False


def _migrations() -> str:
    """Check for migrations that are not applied; once all are, that stays so."""
    global _migrated
    if not _migrated:
        executor = MigrationExecutor(connection)
        missing = len(executor.migration_plan(executor.loader.graph.leaf_nodes()))
        if missing:
            return f"{missing} not applied: run manage.py migrate"
        _migrated = True
    return ""


def _cache() -> str:
    """Read a value just written, as the cache may hide a loss."""
    shared, word = caches["default"], secrets.token_hex(4)
    key = f"ready-{os.getpid()}"
    shared.set(key, word, 10)
    return "" if shared.get(key) == word else "does not remember"


def _worker() -> str:
    from armybuilder.jobs.queue import worker_is_there
    from armybuilder.printing.jobs import prints
    from armybuilder.uploads.jobs import uploads

    if not worker_is_there():
        return "no sign of life: start manage.py print_worker"
    since = timezone.now() - LONGEST_WAIT
    for jobs in (prints, uploads):
        late = jobs.waiting().filter(turn__lt=since).first()
        if late is not None:
            return f"busy: {late} since {late.turn:%H:%M}"
    return ""


def _disk() -> str:
    if not os.access(settings.VAR_DIR, os.W_OK):
        return "ARMYBUILDER_VAR cannot be written"
    free = free_bytes()
    return "" if free >= LEAST_FREE else f"{free // 1_000_000} MB free"


PARTS: dict[str, Part] = {
    "database": _database,
    "migrations": _migrations,
    "cache": _cache,
    "worker": _worker,
    "disk": _disk,
}
