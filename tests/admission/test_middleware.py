"""What is not answered now says why, and when to try again: on pages and by the API."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import DataError
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.test import Client
from django.urls import clear_url_caches, path

from armybuilder import urls
from armybuilder.admission import middleware
from armybuilder.admission.dispatch import FULL
from armybuilder.admission.marks import heavy, takes_bytes
from armybuilder.admission.middleware import Budget
from armybuilder.lists.models import ArmyList
from armybuilder.loading import deadline
from tests.accounts.people import ann, signed_in
from tests.api.calls import Caller, make_user
from tests.building.documents import skirmish
from tests.markup import flat

pytestmark = pytest.mark.django_db
PLENTY = 100.0


@pytest.fixture
def budget(monkeypatch: pytest.MonkeyPatch, settings: Any) -> Budget:
    """A budget of one second for nobody in particular, two for users."""
    settings.PROCESSOR_SECONDS_PER_MINUTE = {"anonymous": 1.0, "user": 2.0}
    counted = Budget()
    monkeypatch.setattr(middleware, "budget", counted)
    return counted


def spent_here(budget: Budget) -> Any:
    return budget._spent.get("address-127.0.0.1")


def _endless(request: HttpRequest) -> HttpResponse:
    while True:
        deadline.check()


def _spends(request: HttpRequest) -> StreamingHttpResponse:
    def pieces() -> Iterator[bytes]:
        for _each in range(40):
            yield str(sum(range(100_000))).encode()

    return StreamingHttpResponse(pieces())


def _takes(request: HttpRequest) -> HttpResponse:
    return HttpResponse(str(len(request.body)))


def _store_too_much(_request: HttpRequest) -> HttpResponse:
    raise DataError("integer out of range")


@pytest.fixture
def views(settings: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Pages that do as their names say."""
    more = [
        path("endless/", _endless),
        path("heavily/", heavy(lambda request: _endless(request))),
        path("spends/", _spends),
        path("takes/", _takes),
        path("too-large/", _store_too_much),
        path("takes-more/", takes_bytes(8 * 1024**2)(lambda request: _takes(request))),
    ]
    monkeypatch.setattr(urls, "urlpatterns", [*more, *urls.urlpatterns])
    settings.REQUEST_SECONDS = {"light": 0.2, "heavy": 0.4}
    clear_url_caches()
    yield
    clear_url_caches()


def test_a_spent_budget_is_refused_with_the_time_to_try_again(
    client: Client, budget: Budget
) -> None:
    # Who has spent theirs is told when to come back.
    budget.charge("address-127.0.0.1", 1.5)
    response = client.get("/")
    assert response.status_code == 429
    seconds = response.headers["Retry-After"]
    assert f"Try again in {seconds} seconds." in flat(response.content.decode())
    assert client.get("/", REMOTE_ADDR="203.0.113.9").status_code == 200
    # A user is not kept out by who shares their address.
    client.force_login(make_user("ann"))
    budget.charge("address-127.0.0.1", PLENTY)
    assert client.get("/lists/").status_code == 200
    budget.charge("user-1", PLENTY)
    assert client.get("/lists/").status_code == 429


def test_the_api_answers_a_spent_budget_with_problem_json(budget: Budget) -> None:
    nobody, ann = Caller(), Caller(make_user("ann"))
    budget.charge("address-127.0.0.1", PLENTY)
    answer = nobody("post", "/validate/", skirmish("sbh"))
    assert answer.status_code == 429
    assert answer.json()["status"] == 429
    assert int(answer.headers["Retry-After"]) > 0
    assert ann("post", "/validate/", skirmish("sbh")).status_code == 200


def test_bytes_sent_count_as_well_as_the_time_they_take(
    client: Client, budget: Budget, views: None
) -> None:
    client.post("/takes-more/", b"x" * 2_000_000, content_type="text/plain")
    spent = spent_here(budget)
    assert spent.now + spent.pending > 0.45


def test_every_request_counts_by_its_time(client: Client, budget: Budget) -> None:
    # Every request counts by its time.
    client.get("/")
    assert 0 < spent_here(budget).pending < 1
    # A user known to the page pays for it.
    client.force_login(make_user("ann"))
    client.get("/account/")
    assert [who for who in budget._spent if who.startswith("user-")]


def test_streamed_answers_count_too(client: Client, budget: Budget, views: None) -> None:
    response = client.get("/spends/")
    before = spent_here(budget).pending
    assert b"".join(response)
    assert spent_here(budget).pending > before


@pytest.mark.parametrize("address", ["/endless/", "/heavily/"])
def test_work_that_takes_too_long_is_ended_with_a_sentence(
    client: Client, views: None, address: str, caplog: pytest.LogCaptureFixture
) -> None:
    response = client.get(address)
    assert response.status_code == 503
    assert response.headers["Retry-After"] == str(middleware.COME_BACK)
    assert "too complex" in flat(response.content.decode())
    assert f"out of time: GET {address}" in caplog.text


def test_work_stops_when_its_time_is_up_or_nobody_waits() -> None:
    # Outside of a request work may take as long as it likes.
    deadline.check()
    with deadline.within(0.0) as limit:
        limit._look = 0.0
        with pytest.raises(deadline.OutOfTime):
            deadline.check()
    deadline.check()
    # Work ends where nobody waits for it.
    with deadline.within(PLENTY, gone=lambda: True) as limit:
        limit._look = 0.0
        with pytest.raises(deadline.GivenUp):
            deadline.check()


def test_a_request_given_up_while_waiting_is_not_started(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(middleware, "has_left", lambda _meta: True)
    assert client.get("/").status_code == middleware.GAVE_UP


def test_a_body_is_refused_by_its_length_alone(client: Client, views: None) -> None:
    large = b"x" * (4 * 1024**2 + 1)
    response = client.post("/takes/", large, content_type="text/plain")
    assert response.status_code == 413
    assert "over 4 MB" in flat(response.content.decode())
    more = client.post("/takes-more/", large[:4_000_000], content_type="text/plain")
    assert more.content == b"4000000"


def test_if_too_many_requests_wait_the_next_are_asked_to_try_again(client: Client) -> None:
    response = client.get("/", **{FULL: True})
    assert response.status_code == 503
    assert "The server is busy" in flat(response.content.decode())
    problem = client.get("/api/v1/systems/", **{FULL: True})
    assert problem.json()["status"] == 503


def test_the_busy_page_is_cached_per_browser(
    client: Client,
) -> None:
    client.get("/", **{FULL: True})  # with which it gets its cookie
    first = client.get("/", **{FULL: True})
    again = client.get("/", **{FULL: True})
    assert again.content == first.content
    assert again["Retry-After"] == first["Retry-After"]
    assert not again.cookies
    assert client.get("/lists/", **{FULL: True}).content != first.content
    # What sets a cookie is for one browser alone.
    pages = [Client().get("/", **{FULL: True}) for _each in range(2)]
    assert pages[0].cookies["csrftoken"].value != pages[1].cookies["csrftoken"].value


def test_a_form_that_a_database_cannot_store_is_refused(views: None, client: Client) -> None:
    answer = client.post("/too-large/")
    assert (answer.status_code, "We can’t store this" in flat(answer.text)) == (422, True)


def test_browsers_of_one_network_share_a_daily_storage_limit_and_accounts_may_store_more(
    monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    settings.NETWORK_BYTES = 6_000
    monkeypatch.setattr(middleware, "stored", Budget(period=86_400, share_at=1.0))

    def keep(client: Client) -> HttpResponse:
        """Store a list of some 2,200 bytes."""
        document = {**skirmish("sbh"), "notes": "n" * 1_900}
        file = SimpleUploadedFile("list.json", json.dumps(document).encode())
        return client.post("/lists/open/", {"file": file})

    answers = [keep(Client()) for _each in range(5)]
    assert [answer.status_code == 302 for answer in answers] == [True] * 3 + [False] * 2
    assert "Sign in, or try again tomorrow." in flat(answers[-1].text)
    assert ArmyList.objects.count() == 3
    assert Client().get("/lists/").status_code == 200
    assert keep(Client(REMOTE_ADDR="203.0.113.9")).status_code == 302
    match = {"day": "2026-05-01", "result": "won", "notes": "n" * 1_900}
    other = Client(REMOTE_ADDR="198.51.100.7")
    answers = [other.post("/matches/", match) for _each in range(5)]
    assert [answer.status_code for answer in answers] == [302] * 4 + [422]
    ann()
    assert keep(signed_in()).status_code == 302
    # Of version 6, a customer with many networks has four times as much.
    settings.NETWORK_BYTES = 4_000
    answers = [keep(Client(REMOTE_ADDR=f"2001:db8:9:{each:x}::1")) for each in range(12)]
    assert sum(answer.status_code == 302 for answer in answers) == 7
