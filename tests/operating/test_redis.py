"""With CACHE_URL, sessions and attempts are in a Redis that all machines share."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.contrib.sessions.models import Session
from django.core.cache import cache, caches
from django.test import Client
from django.utils import timezone

from armybuilder.accounts.signing import forget_attempts
from armybuilder.caching import SESSION_SECONDS
from armybuilder.environment import shared_cache
from tests.operating.servers import free_port, redis

pytestmark = [pytest.mark.django_db, pytest.mark.long]
FIELDS = {"name": "One", "limit": 300, "books": ["profiles"]}


@pytest.fixture
def port(settings: Any) -> int:
    """The port of the Redis that the app asks; whether there is one, the test says."""
    port = free_port()
    settings.CACHES = {**settings.CACHES, "default": shared_cache(f"redis://127.0.0.1:{port}/0")}
    settings.SESSION_ENGINE = "armybuilder.accounts.cached_sessions"
    return port


@pytest.fixture
def server(port: int, tmp_path: Path) -> Iterator[str]:
    with redis(tmp_path, port) as address:
        yield address
        caches["default"].close()


def test_sessions_are_read_from_it_and_kept_in_the_database_too(
    client: Client, server: str, django_assert_num_queries: Any
) -> None:
    assert client.post("/new/sbh/", FIELDS).status_code == 302
    holder = client.session["holder"]
    (row,) = Session.objects.all()
    assert row.get_decoded()["holder"] == holder
    key = client.session.session_key
    assert cache.get(f"django.contrib.sessions.cached_db{key}")["holder"] == holder
    with django_assert_num_queries(0):
        assert client.session["holder"] == holder


def test_tidying_asks_the_database_for_nothing_that_is_in_redis(server: str) -> None:
    forget_attempts(timezone.now())


def test_pages_work_while_redis_is_down(
    client: Client, port: int, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    made = client.post("/new/sbh/", FIELDS)
    assert made.status_code == 302
    assert client.get(made["Location"]).status_code == 200
    assert "the shared cache does not answer" in caplog.text
    with redis(tmp_path, port):
        assert client.get(made["Location"]).status_code == 200
        caches["default"].close()
    assert client.get(made["Location"]).status_code == 200


def test_signing_in_works_without_redis(client: Client, port: int) -> None:
    fields = {"username": "ann", "password1": "long-and-odd-7", "password2": "long-and-odd-7"}
    assert client.post("/account/sign-up/", fields).status_code == 302
    wrong = {"login": "ann", "password": "no"}
    assert Client().post("/account/sign-in/", wrong).status_code in (200, 422)


def test_a_session_is_not_remembered_for_long(client: Client, server: str) -> None:
    """One that was ended while Redis could not be reached must not come back with it."""
    client.post("/new/sbh/", FIELDS)
    (key,) = Session.objects.values_list("session_key", flat=True)
    shared: Any = caches["default"]
    name = shared.make_key(f"django.contrib.sessions.cached_db{key}")
    assert 0 < shared._cache.get_client().ttl(name) <= SESSION_SECONDS
