"""A site that has signed nothing yet."""

import pytest


@pytest.fixture(autouse=True)
def signing_keys(db: None) -> None:
    """Let each test have keys of its own: they are in the database."""
