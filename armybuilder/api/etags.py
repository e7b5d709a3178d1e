"""Conditions of requests: who replaces a list says which state of it they saw (RFC 9110)."""

import hashlib
import json
from typing import Any

from django.utils.http import parse_etags
from django.utils.translation import gettext_lazy as _
from rest_framework.request import Request
from rest_framework.utils.encoders import JSONEncoder


class OtherState(Exception):
    """The list is not, or no longer, in the state that the request names."""

    status = 412
    sentence = _("The list has changed since you read it. Read it again, then decide.")


class NoCondition(Exception):
    """The request does not say which state of the list it is about."""

    status = 428
    sentence = _("Say which state of the list you replace: send its ETag as If-Match.")


def etag_of(data: Any) -> str:
    """The strong entity tag of what is answered, in its quotes."""
    text = json.dumps(data, sort_keys=True, cls=JSONEncoder)
    return f'"{hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]}"'


def require_match(request: Request, etag: str, needed: bool) -> None:
    """Raise OtherState where `If-Match` names other states, NoCondition where it is `needed` and
    not sent. A weak tag matches nothing.
    """
    wanted = request.headers.get("If-Match")
    if wanted is None and needed:
        raise NoCondition
    if wanted is not None and etag not in (tags := parse_etags(wanted)) and "*" not in tags:
        raise OtherState


def is_known(request: Request, etag: str) -> bool:
    """Whether who asks has this state already (`If-None-Match`)."""
    tags = [tag.removeprefix("W/") for tag in parse_etags(request.headers.get("If-None-Match", ""))]
    return etag in tags or "*" in tags
