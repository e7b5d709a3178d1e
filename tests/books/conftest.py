"""Fixtures of the tests of own books."""

import pytest
from django.test import Client

from tests.books.shelf import Shelf


@pytest.fixture
def shelf(client: Client, db: None) -> Shelf:
    """An own Chainmail book with one card, the Orc Berserker."""
    shelf = Shelf(client)
    assert shelf.add().status_code == 302
    return shelf
