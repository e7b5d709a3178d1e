"""Whether the app is alive and ready, for whoever asks without a name."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.db import OperationalError
from django.test import Client
from django.utils import timezone

from armybuilder.jobs.models import PrintWorker
from armybuilder.watching import health

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


def test_it_is_alive_without_database_host_name_https_or_session(
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
def test_it_is_ready_when_every_part_is(client: Client) -> None:
    assert ready(client) == (200, dict.fromkeys(PARTS, "ok"))
    assert client.get("/readyz", headers={"Host": "evil.example"}).status_code == 200


@pytest.mark.django_db
def test_no_database_is_told_without_its_address(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused() -> None:
        raise OperationalError("no route to db.example as ann")

    monkeypatch.setattr(health.connection, "cursor", refused)
    status, parts = ready(client)
    assert status == 503
    assert parts["database"] == "failed: OperationalError"
    assert "ann" not in str(parts)


@pytest.mark.django_db
def test_migrations_that_are_missing_are_counted(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(health.MigrationExecutor, "migration_plan", lambda *_given: [1, 2])
    assert ready(client)[1]["migrations"] == "2 not applied: run manage.py migrate"
    monkeypatch.undo()


@pytest.mark.django_db
def test_a_cache_that_forgets_is_told(client: Client, settings: Any) -> None:
    dummy = {"BACKEND": "django.core.cache.backends.dummy.DummyCache"}
    settings.CACHES = {**settings.CACHES, "default": dummy}
    assert ready(client) == (503, {**dict.fromkeys(PARTS, "ok"), "cache": "does not remember"})


@pytest.mark.django_db
def test_a_print_worker_that_is_gone_is_told_and_can_be_left_out(
    client: Client, settings: Any
) -> None:
    settings.TASKS = {"default": {"BACKEND": "django_tasks_db.DatabaseBackend"}}
    status, parts = ready(client)
    assert (status, parts["worker"][:15]) == (503, "no sign of life")
    status, parts = ready(client, "?exclude=worker")
    assert (status, set(parts)) == (200, PARTS - {"worker"})
    PrintWorker.objects.create(id="of another host", seen=timezone.now())
    assert ready(client)[0] == 200


@pytest.mark.django_db
def test_too_little_room_is_told(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "LEAST_FREE", 1 << 80)
    status, parts = ready(client)
    assert status == 503
    assert parts["disk"].endswith(" MB free")
    monkeypatch.setattr(health.os, "access", lambda *_given: False)
    assert ready(client)[1]["disk"] == "ARMYBUILDER_VAR cannot be written"


@pytest.mark.django_db
def test_who_asks_often_gets_the_same_answer_for_a_second(
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
