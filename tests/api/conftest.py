"""Callers of the API."""

from collections.abc import Iterator

import pytest
from django.core.cache import caches

from tests.api.calls import Caller, make_user


@pytest.fixture(autouse=True)
def _forgotten() -> Iterator[None]:
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
