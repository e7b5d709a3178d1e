"""Numbers for Prometheus: over all processes, for whoever has the token."""

from pathlib import Path
from typing import Any

import pytest
import requests
from django.test import Client
from prometheus_client.parser import text_string_to_metric_families

from armybuilder.loading import documents
from armybuilder.watching import metrics
from tests.operating.servers import site

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
