"""Numbers for Prometheus, over all processes of this machine.

They are kept where METRICS_TOKEN is set: each process writes its own into a folder
(PROMETHEUS_MULTIPROC_DIR), and whichever is asked adds them up.
"""

import os
from collections.abc import Iterator
from pathlib import Path

from django.conf import settings
from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

MEDIA_TYPE = "text/plain; version=0.0.4; charset=utf-8"
_STEPS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.25, 0.5, 1, 2.5, 5, 10, 30)

_requests = Counter(
    "armybuilder_requests", "Requests answered", ["route", "method", "status"], registry=None
)
_seconds = Histogram(
    "armybuilder_request_seconds", "Seconds to answer", ["route"], buckets=_STEPS, registry=None
)
_throttled = Counter(
    "armybuilder_throttled", "Requests refused as too many, or while too busy", registry=None
)
_errors = Counter("armybuilder_errors", "Requests that failed by our mistake", registry=None)
verdicts = Histogram(
    "armybuilder_verdict_seconds", "Seconds to judge a list", buckets=_STEPS, registry=None
)
#: Methods counted separately; others come from scanners.
_METHODS = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}


def count_request(route: str, method: str, status: int, took: float) -> None:
    if not settings.METRICS_TOKEN:
        return
    method = method if method in _METHODS else "other"
    _requests.labels(route, method, str(status)).inc()
    _seconds.labels(route).observe(took)
    if status in (429, 503):
        _throttled.inc()
    elif status >= 500:
        _errors.inc()


def written() -> bytes:
    registry = CollectorRegistry()
    if settings.METRICS_TOKEN:
        MultiProcessCollector(registry)  # type: ignore[no-untyped-call]  # the library's own
    registry.register(_PrintGauges())
    return generate_latest(registry)


class _PrintGauges(Collector):
    def collect(self) -> Iterator[Metric]:
        from django.db.models import Count

        from armybuilder.jobs.queue import worker_is_there
        from armybuilder.printing.models import PrintJob

        jobs = GaugeMetricFamily("armybuilder_print_jobs", "Print jobs", labels=["state"])
        numbers = dict(PrintJob.objects.values_list("state").annotate(Count("pk")).order_by())
        for state in PrintJob.State.values:
            jobs.add_metric([state], numbers.get(state, 0))
        yield jobs
        there = GaugeMetricFamily("armybuilder_print_worker", "1 while somebody prints")
        there.add_metric([], worker_is_there())
        yield there


def forget() -> None:
    """Remove the counts of an earlier run's processes.

    For a server that starts, before it divides itself.
    """
    for file in Path(os.environ.get("PROMETHEUS_MULTIPROC_DIR", "")).glob("*.db"):
        file.unlink(missing_ok=True)
