"""Who has had too much of the processors waits, over all processes; others do not."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.core.cache import caches
from django.db import connection
from django.test import RequestFactory

from armybuilder.admission.middleware import PERIOD, SHARE_AT, WIDER, Budget, payers_of
from armybuilder.incoming import network_of

pytestmark = pytest.mark.django_db


class Clock:
    """A clock that stands until it is moved."""

    def __init__(self) -> None:
        self.now = 1_000.0 * PERIOD

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    caches["default"].clear()
    return Clock()


def test_a_spent_budget_refills_over_time(clock: Clock) -> None:
    one = Budget(clock=clock)
    assert one.wait("ann", 10) == 0
    one.charge("ann", 9.9)
    assert one.wait("ann", 10) == 0
    one.charge("ann", 0.2)
    assert one.wait("bob", 10) == 0
    waits = one.wait("ann", 10)
    assert 0 < waits <= 2 * PERIOD
    clock.now += waits - 1.5
    assert one.wait("ann", 10) > 0
    clock.now += 2
    assert one.wait("ann", 10) == 0


def test_a_budget_refills_with_time_and_survives_a_clock_set_back(clock: Clock) -> None:
    one = Budget(clock=clock)
    one.charge("ann", 30)
    assert one.wait("ann", 0) == 0, "no limit"
    clock.now += PERIOD + 6
    waits = one.wait("ann", 10)
    clock.now += waits - 1.5
    assert one.wait("ann", 10) > 0
    clock.now += 2
    assert one.wait("ann", 10) == 0
    one.charge("bob", 30)
    clock.now -= 60 * PERIOD
    assert one.wait("bob", 10) == 0, "a clock that is set back keeps nobody out"


def test_all_processes_count_together(clock: Clock) -> None:
    one, other = Budget(clock=clock), Budget(clock=clock)
    for _each in range(10):
        one.charge("ann", 1)
    other.charge("ann", SHARE_AT)  # what it adds tells it what others have added
    assert other.wait("ann", 10) > 0


def test_small_charges_are_not_written_to_the_cache(
    clock: Clock, django_assert_num_queries: Any
) -> None:
    one = Budget(clock=clock)
    with django_assert_num_queries(0):
        for _each in range(10):
            one.charge("ann", SHARE_AT / 11)
            assert one.wait("ann", 10) == 0


@pytest.mark.django_db(transaction=True)
def test_concurrent_charges_all_count(clock: Clock) -> None:
    budgets = [Budget(clock=clock) for _each in range(4)]

    def charge(one: Budget) -> None:
        for _each in range(10):
            one.charge("ann", 1)
        connection.close()

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(charge, budgets))
    last = Budget(clock=clock)
    last.charge("ann", 1)
    assert last.wait("ann", 41) > 0
    assert last.wait("ann", 41.1) == 0


def test_without_a_cache_each_process_counts_for_itself(
    clock: Clock, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_args: Any) -> None:
        raise ConnectionError("gone")

    monkeypatch.setattr("armybuilder.admission.middleware._add", fail)
    one = Budget(clock=clock)
    one.charge("ann", 11)
    assert one.wait("ann", 10) > 0
    assert "counts alone" in caplog.text


def test_only_the_latest_askers_are_remembered(
    clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("armybuilder.admission.middleware.REMEMBERED", 3)
    one = Budget(clock=clock)
    for name in "abcd":
        one.charge(name, 0.1)
    assert list(one._spent) == ["b", "c", "d"]


def test_an_ipv6_network_shares_one_budget() -> None:
    def same(*addresses: str) -> bool:
        return len({network_of({"REMOTE_ADDR": address}) for address in addresses}) == 1

    assert not same("203.0.113.9", "203.0.113.10")
    assert same("203.0.113.9", "::ffff:203.0.113.9")
    assert same("2001:db8:1:2::1", "2001:db8:1:3:ffff::9")
    assert not same("2001:db8:1:2::1", "2001:db8:2:2::1")


def test_a_customer_with_many_networks_has_a_few_budgets_and_no_more(
    settings: Any, rf: RequestFactory
) -> None:
    settings.PROCESSOR_SECONDS_PER_MINUTE = {"anonymous": 1.0, "user": 2.0}
    one = Budget()
    answered = 0
    for number in range(50):
        request = rf.get("/", REMOTE_ADDR=f"2001:db8:1:{number:x}::1")
        payers = payers_of(request)
        if not any(one.wait(*payer) for payer in payers):
            answered += 1
            for who, _allowed in payers:
                one.charge(who, 1.0)
    assert answered == WIDER
    elsewhere = rf.get("/", REMOTE_ADDR="2001:db8:2::1")
    assert not any(one.wait(*payer) for payer in payers_of(elsewhere))


def test_only_the_configured_number_of_proxies_is_trusted(settings: Any) -> None:
    meta = {"REMOTE_ADDR": "198.51.100.7", "HTTP_X_FORWARDED_FOR": "198.51.100.1, 203.0.113.9"}
    settings.PROXIES = 0
    assert network_of(meta) == "198.51.100.7"
    settings.PROXIES = 1
    assert network_of(meta) == "203.0.113.9"
    settings.PROXIES = 2
    assert network_of(meta) == "198.51.100.1"
    settings.PROXIES = 3
    assert network_of(meta) == "198.51.100.1"
    assert network_of({"REMOTE_ADDR": "not one"}) == "notone"


def test_a_user_pays_for_themselves(settings: Any, django_user_model: Any) -> None:
    settings.PROCESSOR_SECONDS_PER_MINUTE = {"anonymous": 1.0, "user": 2.0}
    request = RequestFactory().get("/")
    ann = django_user_model.objects.create_user("ann")
    assert payers_of(request, ann) == [(f"user-{ann.pk}", 2.0)]
    assert payers_of(request) == [("address-127.0.0.1", 1.0)]
