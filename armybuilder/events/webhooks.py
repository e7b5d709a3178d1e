"""Webhooks: what happens at an event is posted to an address of its organisers, by a worker.

Calls are signed as Standard Webhooks are, and made again some time later without an answer.
"""

import base64
import hashlib
import hmac
import json
import uuid
from datetime import UTC, datetime, timedelta
from functools import partial
from http.client import HTTPException
from typing import Any

from django.db import transaction
from django.utils import timezone
from django_tasks import task, task_backends

from armybuilder.events.models import Event, Webhook
from armybuilder.loading.problems import Refusal
from armybuilder.outgoing import post

#: Minutes until a call is made again that was not taken; then it is given up.
WAITS = (1, 10, 60, 360)


def tell(event: Event, kind: str, now: datetime, **data: Any) -> None:
    """Call the event's webhook, if it has one, once the transaction is through."""
    hook = Webhook.objects.filter(event=event).values_list("pk", flat=True).first()
    if hook is None:
        return
    message = {"type": kind, "timestamp": now.astimezone(UTC).isoformat()}
    body = json.dumps({**message, "data": {"event": str(event.pk), **data}})
    transaction.on_commit(partial(call.enqueue, hook, str(uuid.uuid4()), body, 0))


@task()
def call(hook_id: int, message: str, body: str, tries: int) -> None:
    """Make a call; `message` is its id, the same however often it is made."""
    hook = Webhook.objects.filter(pk=hook_id).first()
    if hook is None:
        return
    now, taken = timezone.now(), False
    try:
        timestamp, content = str(int(now.timestamp())), body.encode()
        signed = f"{message}.{timestamp}.".encode() + content
        signature = base64.b64encode(hmac.new(hook.key, signed, hashlib.sha256).digest()).decode()
        headers = {
            "content-type": "application/json",
            "user-agent": "army-builder",
            "webhook-id": message,
            "webhook-timestamp": timestamp,
            "webhook-signature": f"v1,{signature}",
        }
        status = post(hook.url, content, headers)
        answer, taken = str(status), 200 <= status < 300
    except Refusal as refusal:
        answer = refusal.sentence
    except (OSError, HTTPException) as error:
        answer = type(error).__name__
    Webhook.objects.filter(pk=hook_id).update(said=answer[:200], called=now)
    later = task_backends["default"].supports_defer
    if not taken and later and tries < len(WAITS):
        after = now + timedelta(minutes=WAITS[tries])
        call.using(run_after=after).enqueue(hook_id, message, body, tries + 1)


def shown_secret(hook: Webhook) -> str:
    """Return the secret as libraries of Standard Webhooks take it."""
    return f"whsec_{base64.b64encode(hook.key).decode()}"
