"""Who asks too often waits; others do not. Heavy calls count for more."""

import time
from types import SimpleNamespace
from typing import Any

import pytest
from django.core.cache import caches

from armybuilder.api import throttles
from armybuilder.api.views.judging import Validate
from armybuilder.networks import network_of
from tests.api.calls import DOCUMENT, Caller


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The time, in seconds, as the throttle sees it."""
    now = [time.time()]
    monkeypatch.setattr(throttles, "time", SimpleNamespace(time=lambda: now[0]))
    return now


@pytest.fixture(autouse=True)
def _counted(_uncounted: None, settings: Any) -> None:
    settings.API_CALLS_PER_MINUTE = {"anonymous": 3, "user": 5}


def statuses(caller: Caller, calls: int, **headers: str) -> list[int]:
    return [caller("get", "/systems/", **headers).status_code for _each in range(calls)]


def test_calls_are_used_up_and_come_back_steadily(nobody: Caller, clock: list[float]) -> None:
    assert statuses(nobody, 4) == [200, 200, 200, 429]
    refused = nobody("get", "/systems/")
    assert refused.json()["status"] == 429
    clock[0] += int(refused["Retry-After"])
    assert statuses(nobody, 2) == [200, 429]
    clock[0] += 60
    assert statuses(nobody, 4) == [200, 200, 200, 429]


def test_each_caller_has_calls_of_their_own(
    nobody: Caller, ann: Caller, bob: Caller, clock: list[float]
) -> None:
    assert statuses(nobody, 4)[-1] == 429
    assert statuses(ann, 6) == [200] * 5 + [429]
    assert statuses(bob, 1) == [200]


def test_nobody_is_forgotten_where_many_call(nobody: Caller, clock: list[float]) -> None:
    assert statuses(nobody, 3) == [200] * 3
    for number in range(1_000):
        caches["memory"].set(f"api-calls-anonymous-{number}", clock[0], throttles.PERIOD)
    assert statuses(nobody, 1) == [429]


def test_a_header_makes_nobody_another_caller(nobody: Caller, clock: list[float]) -> None:
    assert statuses(nobody, 3) == [200] * 3
    assert statuses(nobody, 1, X_Forwarded_For="203.0.113.9") == [429]


def test_heavy_calls_count_for_more(
    nobody: Caller, clock: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Validate, "weight", 2, raising=False)
    answers = [nobody("post", "/validate/", DOCUMENT).status_code for _each in range(2)]
    assert answers == [200, 429]
    assert statuses(nobody, 1) == [200]


def test_a_call_heavier_than_a_minute_gets_through_alone(
    nobody: Caller, clock: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Validate, "weight", 20, raising=False)
    assert nobody("post", "/validate/", DOCUMENT).status_code == 200
    assert statuses(nobody, 1) == [429]


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("203.0.113.9", "203.0.113.10", False),
        ("2001:db8:1:2::1", "2001:db8:1:2:ffff::9", True),
        ("2001:db8:1:2::1", "2001:db8:1:3::1", False),
    ],
)
def test_a_network_of_version_6_is_one_caller(one: str, other: str, same: bool) -> None:
    assert (network_of(one) == network_of(other)) is same
