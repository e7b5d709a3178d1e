"""Calls to the addresses of organisers, which a worker makes: again, some time later, where there
was no answer.

They are signed as Standard Webhooks are: `webhook-signature` is "v1," and the HMAC-SHA256 of id,
time and body, with dots between, in base64.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
from datetime import datetime, timedelta
from http.client import HTTPException

from django.utils import timezone
from django_tasks import task, task_backends

from armybuilder.events.models import Webhook
from armybuilder.loading.problems import Refusal
from armybuilder.outgoing import post

#: Minutes until a call is made again that was not taken; then it is given up.
WAITS = (1, 10, 60, 360)


@task()
def call(hook_id: int, message: str, body: str, tries: int) -> None:
    """Make a call; `message` is its id, the same however often it is made."""
    hook = Webhook.objects.filter(pk=hook_id).first()
    if hook is None:
        return
    now, taken = timezone.now(), False
    try:
        status = post(hook.url, body.encode(), signed(hook, message, body, now))
        said, taken = str(status), 200 <= status < 300
    except Refusal as refusal:
        said = refusal.sentence
    except (OSError, HTTPException) as error:
        said = type(error).__name__
    Webhook.objects.filter(pk=hook_id).update(said=said[:200], called=now)
    later = task_backends["default"].supports_defer
    if not taken and later and tries < len(WAITS):
        after = now + timedelta(minutes=WAITS[tries])
        call.using(run_after=after).enqueue(hook_id, message, body, tries + 1)


def signed(hook: Webhook, message: str, body: str, now: datetime) -> dict[str, str]:
    """Return the headers of a call."""
    told = str(int(now.timestamp()))
    what = f"{message}.{told}.{body}".encode()
    mark = base64.b64encode(hmac.new(hook.key, what, hashlib.sha256).digest()).decode()
    return {
        "content-type": "application/json",
        "user-agent": "army-builder",
        "webhook-id": message,
        "webhook-timestamp": told,
        "webhook-signature": f"v1,{mark}",
    }
