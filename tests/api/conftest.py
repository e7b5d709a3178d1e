"""Callers of the API: nobody counts calls unless a test wants it."""

from collections.abc import Iterator

import pytest
from django.core.cache import caches

from tests.api.calls import Caller, make_user


@pytest.fixture(autouse=True)
def _uncounted(settings: object) -> Iterator[None]:
    settings.API_CALLS_PER_MINUTE = {"anonymous": 0, "user": 0}  # type: ignore[attr-defined]
    caches["memory"].clear()
    yield
    caches["memory"].clear()


@pytest.fixture
def nobody() -> Caller:
    return Caller()


@pytest.fixture
def ann(db: None) -> Caller:
    return Caller(make_user("ann"))


@pytest.fixture
def bob(db: None) -> Caller:
    return Caller(make_user("bob"))
