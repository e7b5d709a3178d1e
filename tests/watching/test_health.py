"""Whether the app is alive and ready, its numbers for Prometheus, and its failures for Sentry."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import requests
import sentry_sdk
from django.db import OperationalError
from django.test import Client
from django.utils import timezone
from prometheus_client.parser import text_string_to_metric_families
from sentry_sdk.transport import Transport

from armybuilder.accounts import holders
from armybuilder.jobs.models import PrintWorker
from armybuilder.loading import documents
from armybuilder.pages.home import views
from armybuilder.printing.models import PrintJob
from armybuilder.watching import health, metrics
from armybuilder.watching.apps import tell_sentry
from tests.operating.servers import site

PARTS = {"database", "migrations", "cache", "worker", "disk"}


@pytest.fixture(autouse=True)
def nothing_remembered(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(health, "HOLDS", -1.0)
    monkeypatch.setattr(health, "_migrated", False)
    return


def ready(client: Client, query: str = "") -> tuple[int, dict[str, str]]:
    answer = client.get(f"/readyz{query}")
    told = answer.json()
    assert told["ready"] is (answer.status_code == 200)
    return answer.status_code, told["parts"]


def test_the_liveness_check_needs_no_database_host_or_session(
    client: Client, settings: Any
) -> None:
    """There is no mark for the database: asking it would fail."""
    settings.SECURE_SSL_REDIRECT = True
    for host in ("evil.example", "127.0.0.9", ""):
        answer = client.get("/healthz", headers={"Host": host})
        assert (answer.status_code, answer.content) == (200, b"alive\n")
        assert not answer.cookies
        assert answer["X-Request-ID"]
    assert client.post("/healthz").status_code == 405
    assert client.head("/healthz").status_code == 200


@pytest.mark.django_db
def test_the_readiness_check_names_the_part_that_fails(
    client: Client, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused() -> None:
        raise OperationalError("no route to db.example as ann")

    def only(**wrong: str) -> tuple[int, dict[str, str]]:
        return 503, {**dict.fromkeys(PARTS, "ok"), **wrong}

    assert ready(client) == (200, dict.fromkeys(PARTS, "ok"))
    assert client.get("/readyz", headers={"Host": "evil.example"}).status_code == 200
    with monkeypatch.context() as patched:
        patched.setattr(health.connection, "cursor", refused)
        status, parts = ready(client)
        assert (status, parts["database"]) == (503, "failed: OperationalError")
        assert "ann" not in str(parts)
    with monkeypatch.context() as patched:
        patched.setattr(health, "_migrated", False)
        patched.setattr(health.MigrationExecutor, "migration_plan", lambda *_given: [1, 2])
        assert ready(client) == only(migrations="2 not applied: run manage.py migrate")
    with monkeypatch.context() as patched:
        patched.setattr(health, "LEAST_FREE", 1 << 80)
        assert ready(client)[1]["disk"].endswith(" MB free")
        # Before that, strangers keep nothing new.
        patched.setattr(holders, "LEAST_FREE", 1 << 80)
        refused = Client().post("/new/sbh/", {"limit": 300, "books": ["profiles"]})
        assert (refused.status_code, "almost full" in refused.text) == (422, True)
        patched.setattr(health.os, "access", lambda *_given: False)
        assert ready(client) == only(disk="ARMYBUILDER_VAR cannot be written")
    dummy = {"BACKEND": "django.core.cache.backends.dummy.DummyCache"}
    settings.CACHES = {**settings.CACHES, "default": dummy}
    # Players feel nothing of that, so no balancer should.
    assert ready(client) == (200, only(cache="does not remember")[1])


@pytest.mark.django_db
def test_a_missing_print_worker_is_reported_and_can_be_excluded(
    client: Client, settings: Any
) -> None:
    settings.TASKS = {"default": {"BACKEND": "django_tasks_db.DatabaseBackend", "QUEUES": []}}
    status, parts = ready(client)
    assert (status, parts["worker"][:15]) == (503, "no sign of life")
    status, parts = ready(client, "?exclude=worker")
    assert (status, set(parts)) == (200, PARTS - {"worker"})
    now = timezone.now()
    PrintWorker.objects.create(id="of another host", seen=now)
    job = PrintJob.objects.create(holder="ann", setup={}, state=PrintJob.State.WAITING, moved=now)
    assert ready(client)[0] == 200
    PrintJob.objects.update(moved=now - timedelta(minutes=6))
    status, parts = ready(client)
    assert (status, parts["worker"].startswith(f"busy: {job.pk}: waiting since")) == (503, True)
    # A long job waits for short ones, and is not due yet.
    PrintJob.objects.update(due=now + timedelta(minutes=1))
    assert ready(client)[0] == 200


@pytest.mark.django_db
def test_health_answers_are_cached_for_a_second(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []

    def part() -> str:
        asked.append(1)
        return ""

    monkeypatch.setattr(health, "PARTS", {"one": part})
    monkeypatch.setattr(health, "_last", (float("-inf"), {}))
    monkeypatch.setattr(health, "HOLDS", 60.0)
    for _again in range(20):
        assert ready(client) == (200, {"one": "ok"})
    assert len(asked) == 1


# Numbers for Prometheus: over all processes, for whoever has the token.


TOKEN = "let-me-read"  # noqa: S105 - made up
#: Of one number, what stands behind its name.
Values = dict[tuple[tuple[str, str], ...], float]


def test_metrics_need_a_token(client: Client, settings: Any) -> None:
    assert client.get("/metrics").status_code == 404
    settings.METRICS_TOKEN = TOKEN
    for header in ({}, {"Authorization": "Bearer "}, {"Authorization": "Bearer wrong"}):
        answer = client.get("/metrics", headers=header)
        assert (answer.status_code, answer.content) == (401, b"")


def test_watchers_get_the_time_of_each_verdict(sbh: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    took: list[float] = []
    monkeypatch.setattr(documents, "_watchers", [])
    documents.watch(took.append)
    assert sbh.page
    assert took
    assert all(0 < one < 5 for one in took)


@pytest.mark.django_db
def test_unknown_addresses_and_methods_make_no_numbers_of_their_own(
    client: Client, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.METRICS_TOKEN = TOKEN
    counted: set[tuple[str, ...]] = set()
    labels = metrics._requests.labels

    def remember(*values: str) -> Any:
        counted.add(values)
        return labels(*values)

    monkeypatch.setattr(metrics._requests, "labels", remember)
    for number in range(5):
        client.get(f"/wp-admin-{number}/")
        client.generic(f"ODD{number}", "/")
    assert counted == {("", "GET", "404"), ("", "other", "405")}


def numbers(address: str) -> dict[str, Values]:
    named = {"Authorization": f"Bearer {TOKEN}"}
    text = requests.get(f"{address}/metrics", headers=named, timeout=30).text
    found: dict[str, Values] = {}
    for family in text_string_to_metric_families(text):
        for sample in family.samples:
            found.setdefault(sample.name, {})[tuple(sorted(sample.labels.items()))] = sample.value
    return found


@pytest.mark.slow
@pytest.mark.long
def test_the_numbers_of_all_processes_are_added_up(tmp_path: Path) -> None:
    with site(tmp_path, "--workers", "2", METRICS_TOKEN=TOKEN) as address:
        for _again in range(30):
            assert requests.get(f"{address}/library/sbh/", timeout=30).ok
        for _again in range(3):
            assert requests.get(f"{address}/nothing/", timeout=30).status_code == 404
        found = numbers(address)
    route = ("route", "library/<slug:system_id>/")
    answered = found["armybuilder_requests_total"]
    assert answered[(("method", "GET"), route, ("status", "200"))] == 30
    assert answered[(("method", "GET"), ("route", ""), ("status", "404"))] == 3
    assert found["armybuilder_request_seconds_count"][(route,)] == 30
    assert found["armybuilder_print_jobs"][(("state", "waiting"),)] == 0
    assert found["armybuilder_print_worker"][()] == 0
    assert found["armybuilder_errors_total"][()] == 0
    assert found["armybuilder_throttled_total"][()] == 0


# What Sentry is told of a failure: nothing that players wrote, and no address that is a key.


SECRET = "".join(("Morden", "kainen"))


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """What was sent."""
    sent: list[str] = []

    class Kept(Transport):
        def capture_envelope(self, envelope: Any) -> None:
            sent.append(envelope.serialize().decode())

    really = sentry_sdk.init
    monkeypatch.setattr(sentry_sdk, "init", lambda **given: really(transport=Kept, **given))
    tell_sentry("https://key@sentry.example/1")
    yield sent
    really()


@pytest.mark.django_db
def test_a_failure_is_reported_without_address_form_and_variables(
    client: Client, told: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_given: Any) -> None:
        words = SECRET.split()
        raise RuntimeError(f"broken after {len(words)}")

    monkeypatch.setattr(views, "shipped_library", fail)
    client.raise_request_exception = False
    client.cookies["sessionid"] = SECRET
    answer = client.get("/", {"name": SECRET}, headers={"User-Agent": SECRET})
    assert answer.status_code == 500
    sentry_sdk.flush()
    (event,) = told
    assert "RuntimeError" in event
    assert answer["X-Request-ID"] in event
    assert SECRET not in event
