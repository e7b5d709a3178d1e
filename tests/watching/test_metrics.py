"""Numbers for Prometheus: over all processes, for whoever has the token."""

import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import requests
from django.test import Client
from prometheus_client.parser import text_string_to_metric_families

from armybuilder.loading import judging
from armybuilder.watching import metrics
from tests.operating.environments import ROOT, manage, world
from tests.operating.servers import free_port

TOKEN = "let-me-read"  # noqa: S105 - made up
#: Of one number, what stands behind its name.
Values = dict[tuple[tuple[str, str], ...], float]


def test_without_a_token_there_is_nothing(client: Client, settings: Any) -> None:
    assert client.get("/metrics").status_code == 404
    settings.METRICS_TOKEN = TOKEN
    for header in ({}, {"Authorization": "Bearer "}, {"Authorization": "Bearer wrong"}):
        answer = client.get("/metrics", headers=header)
        assert (answer.status_code, answer.content) == (401, b"")


def test_a_verdict_is_told_to_who_watches(sbh: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    took: list[float] = []
    monkeypatch.setattr(judging, "_watchers", [])
    judging.watch(took.append)
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


@pytest.fixture
def site(tmp_path: Path) -> Iterator[str]:
    """The address of a server with two processes that counts."""
    assert manage(tmp_path, "migrate").returncode == 0
    assert manage(tmp_path, "collectstatic", "--noinput").returncode == 0
    port = free_port()
    command = [sys.executable, "-m", "gunicorn", "armybuilder.wsgi", "--workers", "2"]
    command += ["--bind", f"127.0.0.1:{port}", "--no-control-socket", "--preload"]
    variables = world(tmp_path, METRICS_TOKEN=TOKEN, TMPDIR=str(tmp_path))
    with subprocess.Popen(command, cwd=ROOT, env=variables, stderr=subprocess.DEVNULL) as server:
        address = f"http://127.0.0.1:{port}"
        for _again in range(200):
            try:
                requests.get(f"{address}/healthz", timeout=5)
                break
            except requests.ConnectionError:
                time.sleep(0.1)
        yield address
        server.terminate()


def numbers(site: str) -> dict[str, Values]:
    named = {"Authorization": f"Bearer {TOKEN}"}
    text = requests.get(f"{site}/metrics", headers=named, timeout=5).text
    found: dict[str, Values] = {}
    for family in text_string_to_metric_families(text):
        for sample in family.samples:
            found.setdefault(sample.name, {})[tuple(sorted(sample.labels.items()))] = sample.value
    return found


@pytest.mark.long
def test_the_numbers_of_all_processes_are_added_up(site: str) -> None:
    for _again in range(30):
        assert requests.get(f"{site}/library/sbh/", timeout=5).ok
    for _again in range(3):
        assert requests.get(f"{site}/nothing/", timeout=5).status_code == 404
    found = numbers(site)
    route = ("route", "library/<slug:system_id>/")
    answered = found["armybuilder_requests_total"]
    assert answered[(("method", "GET"), route, ("status", "200"))] == 30
    assert answered[(("method", "GET"), ("route", ""), ("status", "404"))] == 3
    assert found["armybuilder_request_seconds_count"][(route,)] == 30
    assert found["armybuilder_print_jobs"][(("state", "waiting"),)] == 0
    assert found["armybuilder_print_worker"][()] == 0
    assert found["armybuilder_errors_total"][()] == 0
    assert found["armybuilder_throttled_total"][()] == 0
