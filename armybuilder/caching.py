"""The cache that several machines share."""

import logging
from collections.abc import Callable
from typing import Any, TypeVar

from django.core.cache.backends.base import DEFAULT_TIMEOUT
from django.core.cache.backends.redis import RedisCache
from redis.exceptions import ConnectionError as NoConnection
from redis.exceptions import TimeoutError as NoAnswer

logger = logging.getLogger(__name__)
_Answer = TypeVar("_Answer")

#: How the keys of sessions begin, and seconds that one is remembered at most. The database has them
#: all; one that was signed out of while Redis was gone does not come back with it for longer.
_SESSIONS = "django.contrib.sessions"
SESSION_SECONDS = 300


class Redis(RedisCache):
    """Redis; while it is gone, nothing is remembered and pages go on."""

    def get(self, key: Any, default: Any = None, version: int | None = None) -> Any:
        return _ask(lambda: super(Redis, self).get(key, default, version), default)

    def set(
        self,
        key: Any,
        value: Any,
        timeout: float | None = DEFAULT_TIMEOUT,
        version: int | None = None,
    ) -> None:
        if str(key).startswith(_SESSIONS):
            timeout = SESSION_SECONDS
        _ask(lambda: super(Redis, self).set(key, value, timeout, version), None)

    def add(self, *args: Any, **kwargs: Any) -> bool:
        return _ask(lambda: bool(super(Redis, self).add(*args, **kwargs)), True)

    def delete(self, key: Any, version: int | None = None) -> bool:
        return _ask(lambda: bool(super(Redis, self).delete(key, version)), False)

    def has_key(self, key: Any, version: int | None = None) -> bool:
        return _ask(lambda: bool(super(Redis, self).has_key(key, version)), False)


def _ask(call: Callable[[], _Answer], otherwise: _Answer) -> _Answer:
    try:
        return call()
    except (NoConnection, NoAnswer) as error:
        logger.warning("the shared cache does not answer: %s", error)
        return otherwise
