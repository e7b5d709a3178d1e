"""What something asks the database."""

from collections.abc import Callable
from typing import Any

from django.db import connection
from django.test.utils import CaptureQueriesContext


def queries_of(do: Callable[..., Any], *what: Any, **more: Any) -> list[str]:
    """Do something; return what is asked meanwhile, as SQL."""
    with CaptureQueriesContext(connection) as queries:
        do(*what, **more)
    return [query["sql"] for query in queries]
