"""Every test counts its attempts anew."""

from collections.abc import Iterator

import pytest
from django.core.cache import cache


@pytest.fixture(autouse=True)
def no_attempts(db: None) -> Iterator[None]:
    cache.clear()
    yield
    cache.clear()
