"""Fixtures of tests about sharing."""

import pytest
from django.test import Client


@pytest.fixture
def other(db: None) -> Client:
    """Another browser, to which nothing belongs."""
    return Client()
