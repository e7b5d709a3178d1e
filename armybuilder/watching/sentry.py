"""Failures told to Sentry: what failed and where in the code, but nothing that players wrote."""

from typing import Any

import sentry_sdk

from armybuilder import __version__
from armybuilder.request_ids import request_id


def start(dsn: str) -> None:
    """From now on, tell failures to the address."""
    sentry_sdk.init(
        dsn=dsn,
        release=__version__,
        before_send=_bare,
        # Lists stand in variables, forms and queries.
        include_local_variables=False,
        max_request_body_size="never",
        max_breadcrumbs=0,
    )


def _bare(event: Any, hint: dict[str, Any]) -> Any:
    """The event without the request, whose address may be a key; its name stays."""
    event.pop("request", None)
    event.setdefault("tags", {})["request_id"] = request_id()
    return event
