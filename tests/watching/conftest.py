"""The log as an operator reads it."""

import logging
from collections.abc import Callable, Iterator
from io import StringIO
from typing import Any

import pytest

from armybuilder.logs import formatter, mark

Written = Callable[[], list[str]]


@pytest.fixture
def log(request: Any) -> Iterator[Written]:
    """Reads the lines written until now; as JSON where the test asks for "json"."""
    stream = StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(formatter(getattr(request, "param", "") == "json"))
    handler.addFilter(mark)
    logging.getLogger().addHandler(handler)
    yield lambda: stream.getvalue().splitlines()
    logging.getLogger().removeHandler(handler)
