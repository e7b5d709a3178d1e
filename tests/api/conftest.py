"""Callers of the API."""

import pytest

from tests.api.calls import Caller, make_user


@pytest.fixture
def nobody() -> Caller:
    return Caller()


@pytest.fixture
def ann(db: None) -> Caller:
    return Caller(make_user("ann"))


@pytest.fixture
def bob(db: None) -> Caller:
    return Caller(make_user("bob"))
