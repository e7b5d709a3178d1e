"""Garbage is not collected while a question is worked out: its tens of thousands of small objects
are all needed until the answer, and looking through them again and again takes a third of the time.
"""

from __future__ import annotations

import gc
from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

Asked = ParamSpec("Asked")
Answer = TypeVar("Answer")


def uncollected(question: Callable[Asked, Answer]) -> Callable[Asked, Answer]:
    """Let the collector rest while the function runs; where it rests already, it goes on to."""

    @wraps(question)
    def asked(*args: Asked.args, **kwargs: Asked.kwargs) -> Answer:
        if not gc.isenabled():
            return question(*args, **kwargs)
        gc.disable()
        try:
            return question(*args, **kwargs)
        finally:
            gc.enable()

    return asked
