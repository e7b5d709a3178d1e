"""The cache that several machines share."""

import logging
from typing import Any

from django.core.cache.backends.base import DEFAULT_TIMEOUT
from django.core.cache.backends.redis import RedisCache
from redis.exceptions import ConnectionError as NoConnection
from redis.exceptions import TimeoutError as NoAnswer

logger = logging.getLogger(__name__)


#: How the keys of sessions begin, and seconds that one is remembered at most. The database has them
#: all; one that was signed out of while Redis was gone does not come back with it for longer.
_SESSIONS = "django.contrib.sessions"
SESSION_SECONDS = 300


class Redis(RedisCache):
    """Redis; while it is gone, nothing is remembered and pages go on."""

    def get(self, key: Any, default: Any = None, version: int | None = None) -> Any:
        """Return what is remembered; the default where nothing is, or no Redis."""
        try:
            return super().get(key, default, version)
        except (NoConnection, NoAnswer) as error:
            _tell(error)
            return default

    def set(
        self,
        key: Any,
        value: Any,
        timeout: float | None = DEFAULT_TIMEOUT,
        version: int | None = None,
    ) -> None:
        """Remember, where there is a Redis."""
        if str(key).startswith(_SESSIONS):
            timeout = SESSION_SECONDS
        try:
            super().set(key, value, timeout, version)
        except (NoConnection, NoAnswer) as error:
            _tell(error)

    def add(
        self,
        key: Any,
        value: Any,
        timeout: float | None = DEFAULT_TIMEOUT,
        version: int | None = None,
    ) -> bool:
        """Remember what is not remembered yet; whether that was so."""
        try:
            return bool(super().add(key, value, timeout, version))
        except (NoConnection, NoAnswer) as error:
            _tell(error)
            return True

    def delete(self, key: Any, version: int | None = None) -> bool:
        """Forget; whether there was something."""
        try:
            return bool(super().delete(key, version))
        except (NoConnection, NoAnswer) as error:
            _tell(error)
            return False

    def has_key(self, key: Any, version: int | None = None) -> bool:
        """Whether it is remembered."""
        try:
            return bool(super().has_key(key, version))
        except (NoConnection, NoAnswer) as error:
            _tell(error)
            return False


def _tell(error: Exception) -> None:
    logger.warning("the shared cache does not answer: %s", error)
