"""Owners of lists and books: a random name, the holder, under which they are kept.

A browser has one in its session from its first list on; on sign-in the account's holder replaces
it, and the browser's lists and books move there.
"""

import secrets
from typing import Any

from django.db import models
from django.dispatch import Signal
from django.http import HttpRequest
from django.utils.translation import gettext as _

from armybuilder.loading.problems import Refusal
from armybuilder.writable import LEAST_FREE, free_bytes

_SESSION_KEY = "holder"

#: Everything of the holder `old` goes to the holder `new`. Sent within a transaction; receivers
#: return how many things they moved.
moved = Signal()
#: Everything of `holder` is removed permanently. Sent within a transaction.
leaving = Signal()


def random_holder() -> str:
    """Return a new random name of 192 bits, as hexadecimal digits."""
    return secrets.token_hex(24)


def holder_of(request: HttpRequest) -> str:
    """Return the name under which this browser holds lists and books; "": none yet."""
    return str(request.session.get(_SESSION_KEY, ""))


def make_holder(request: HttpRequest) -> str:
    """Return the browser's holder name, made on the first list or book.

    Raises Refusal for a browser that has none where there is hardly any room left.
    """
    if not holder_of(request):
        if free_bytes() < 2 * LEAST_FREE:
            raise Refusal(_("This site is almost full, so nothing new can be saved right now."))
        request.session[_SESSION_KEY] = random_holder()
    return holder_of(request)


def hold_as(request: HttpRequest, holder: str) -> None:
    """From now on the browser holds under this name."""
    request.session[_SESSION_KEY] = holder


def move_along(model: type[models.Model]) -> None:
    """Let the rows of a model, which has a field `holder`, move with their holder."""

    def move(old: str, new: str, **_signal: Any) -> int:
        return model._default_manager.filter(holder=old).update(holder=new)

    moved.connect(move, weak=False, dispatch_uid=model._meta.label)
