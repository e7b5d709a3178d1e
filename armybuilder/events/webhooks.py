"""What happens at an event, told to an address of its organisers: who and what, and no list."""

from __future__ import annotations

import base64
import json
import uuid
from datetime import UTC, datetime
from functools import partial
from typing import Any

from django.db import transaction

from armybuilder.events.models import Event, Webhook
from armybuilder.events.tasks import call


def tell(event: Event, kind: str, now: datetime, **data: Any) -> None:
    """Tell the event's address, where it has one, once the transaction is through. `kind` is
    "submission.received" or "submission.decided".
    """
    hook = Webhook.objects.filter(event=event).values_list("pk", flat=True).first()
    if hook is None:
        return
    message = {"type": kind, "timestamp": now.astimezone(UTC).isoformat()}
    body = json.dumps({**message, "data": {"event": str(event.pk), **data}})
    transaction.on_commit(partial(call.enqueue, hook, str(uuid.uuid4()), body, 0))


def shown_secret(hook: Webhook) -> str:
    """Return the secret as libraries of Standard Webhooks take it."""
    return f"whsec_{base64.b64encode(hook.key).decode()}"
