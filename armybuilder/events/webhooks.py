"""Webhooks: news of an event posted to an address of its organisers, by a worker.

Calls are signed as in Standard Webhooks. A refused call is repeated; until it succeeds, further
ones wait, longer each time, so that an address that doesn't answer costs little. At last calls
stop.
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
from django.utils.translation import gettext as _
from django_tasks import task, task_backends

from armybuilder.events.models import Event, Webhook
from armybuilder.events.notifications import QUEUE
from armybuilder.loading.problems import Refusal
from armybuilder.outgoing import post

#: Minutes for which nothing is called, by how many calls in a row were not taken; after the last
#: the address is given up, until an organiser tries it.
WAITS = (1, 2, 5, 15, 60, 240, 720)
#: Seconds between two trials of an address by its organisers.
TRIALS = timedelta(seconds=30)


def tell(event: Event, kind: str, now: datetime, **data: Any) -> None:
    """Call the event's webhook, if it has one, once the transaction is through."""
    hook = Webhook.objects.filter(event=event).values_list("pk", flat=True).first()
    if hook is None:
        return
    message = {"type": kind, "timestamp": now.astimezone(UTC).isoformat()}
    body = json.dumps({**message, "data": {"event": str(event.pk), **data}})
    transaction.on_commit(partial(call.enqueue, hook, str(uuid.uuid4()), body))


def try_again(event: Event, now: datetime) -> None:
    """Call the webhook for a trial, also where it was given up. Raises Refusal if it just was."""
    hook = Webhook.objects.get(event=event)
    if hook.called and hook.called > now - TRIALS:
        raise Refusal(_("The webhook was called a moment ago. Wait half a minute."))
    hook.change(failures=0, called=now)
    tell(event, "test", now)


def is_given_up(hook: Webhook) -> bool:
    return hook.failures > len(WAITS)


@task(queue_name=QUEUE)
def call(hook_id: int, message: str, body: str, _tries: int = 0) -> None:
    """Make a call; `message` is its id, the same however often it is made."""
    hook = Webhook.objects.filter(pk=hook_id).first()
    if hook is None or is_given_up(hook):
        return
    now, again = timezone.now(), None
    if hook.failures and hook.called:
        again = hook.called + timedelta(minutes=WAITS[hook.failures - 1])
    if again is None or again <= now:
        answer, taken = _answer(hook, message, body, now)
        hook.change(said=answer[:200], called=now, failures=0 if taken else hook.failures + 1)
        if taken or is_given_up(hook):
            return
        again = now + timedelta(minutes=WAITS[hook.failures - 1])
    if task_backends["default"].supports_defer:
        call.using(run_after=again).enqueue(hook_id, message, body)


def _answer(hook: Webhook, message: str, body: str, now: datetime) -> tuple[str, bool]:
    """Return the other side's answer, and whether it accepted the call."""
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
    try:
        status = post(hook.url, content, headers)
    except Refusal as refusal:
        return refusal.sentence, False
    except (OSError, HTTPException) as error:
        return type(error).__name__, False
    return str(status), 200 <= status < 300


def shown_secret(hook: Webhook) -> str:
    """Return the secret as libraries of Standard Webhooks take it."""
    return f"whsec_{base64.b64encode(hook.key).decode()}"
