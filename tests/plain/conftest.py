"""Somebody whose browser has no script."""

import pytest

from tests.plain.visitor import Visitor


@pytest.fixture
def visitor(db: None) -> Visitor:
    """At the start page, unknown to the app."""
    visitor = Visitor()
    visitor.open("/")
    return visitor
