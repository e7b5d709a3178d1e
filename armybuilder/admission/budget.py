"""Processor time used lately, by client, over all processes and hosts.

A client is a signed-in user, otherwise an address. Each may use some seconds of processor time a
minute (`PROCESSOR_SECONDS_PER_MINUTE`): a click takes 0.02 s, the PDF of a large army 0.3 s. A
process adds its figures to the shared cache now and then, not at each click, and reads those of the
others at the same time.
"""

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass
from threading import Lock
from typing import Any
from zlib import crc32

from django.conf import settings
from django.core.cache import caches
from django.core.cache.backends.db import DatabaseCache
from django.db import connections, router, transaction
from django.http import HttpRequest

from armybuilder.incoming import networks_of
from armybuilder.loading.cache import Cache

logger = logging.getLogger(__name__)

#: Seconds of a window: what was spent in the one before counts less and less.
PERIOD = 60
#: Seconds of processor time that a process keeps to itself before it adds them to the cache.
SHARE_AT = 0.5
#: How many times the budget of one household a network of version 6 has that holds many.
WIDER = 4
#: How many askers a process remembers; those of long ago go first.
REMEMBERED = 10_000


@dataclass(slots=True)
class _Spent:
    """Seconds in this window and the one before, as last read, and those not yet added."""

    window: int
    now: float = 0.0
    before: float = 0.0
    pending: float = 0.0

    def move_to(self, window: int) -> None:
        """Go on to another window; also to an earlier one, where the clock was set back."""
        if window != self.window:
            self.before = self.now + self.pending if window == self.window + 1 else 0.0
            self.now, self.pending, self.window = 0.0, 0.0, window


class Budget:
    """Time used by all clients, one object in each process; `clock` gives seconds since the epoch.

    `period` is the window in seconds, `share_at` how much a process collects before it shares.
    """

    def __init__(
        self,
        cache: str = "default",
        clock: Callable[[], float] = time.time,
        period: int = PERIOD,
        share_at: float = SHARE_AT,
    ) -> None:
        self.cache = cache
        self.clock = clock
        self.period, self.share_at = period, share_at
        self._spent: Cache[str, _Spent] = Cache(REMEMBERED)
        self._lock = Lock()

    def charge(self, who: str, seconds: float) -> None:
        """Count processor time that a request of theirs took."""
        with self._lock:
            spent = self._of(who)
            spent.pending += seconds
            added = spent.pending if spent.pending >= self.share_at else 0.0
            spent.pending -= added
            spent.now += added
        if added:
            self._share(who, spent.window, added)

    def wait(self, who: str, allowed: float) -> float:
        """Return the seconds until they may ask again, 0.0 where they may now.

        `allowed` are seconds of processor time a minute, 0 for any.
        """
        if not allowed:
            return 0.0
        with self._lock:
            spent = self._of(who)
            part = self.clock() % self.period / self.period
            now = spent.now + spent.pending
        if now + spent.before * (1 - part) < allowed:
            return 0.0
        if now < allowed:  # what counts of the window before falls steadily
            return max(1.0, ((1 - part) - (allowed - now) / spent.before) * self.period)
        return max(1.0, ((1 - part) + (1 - allowed / now)) * self.period)

    def _of(self, who: str) -> _Spent:
        window = int(self.clock() // self.period)
        spent = self._spent.get(who) or _Spent(window)
        spent.move_to(window)
        return self._spent.put(who, spent)

    def _share(self, who: str, window: int, seconds: float) -> None:
        try:
            life = 3 * self.period
            now = _add(self.cache, self._key(who, window), round(seconds * 1000), life) / 1000
            before = caches[self.cache].get(self._key(who, window - 1), 0) / 1000
        except Exception as error:  # each backend raises its own, and all mean that it is not there
            logger.warning("the cache does not answer, so each process counts alone: %s", error)
            return
        with self._lock:
            spent = self._spent.get(who)
            if spent is not None and spent.window == window:
                spent.now, spent.before = max(now, spent.now), max(before, spent.before)

    def _key(self, who: str, window: int) -> str:
        return f"spent-{self.period}-{who}-{window}"


def _add(name: str, key: str, number: int, life: int) -> int:
    """Add to a number in the cache, as one step over all processes, and return the sum."""
    cache = caches[name]
    if not isinstance(cache, DatabaseCache):
        cache.add(key, 0, life)
        return int(cache.incr(key, number))
    # Django's cache in the database reads and writes in two steps; a transaction makes them one.
    database = router.db_for_write(cache.cache_model_class)
    with transaction.atomic(using=database):
        if connections[database].vendor == "postgresql":
            with connections[database].cursor() as cursor:
                cursor.execute("SELECT pg_advisory_xact_lock(%s)", [crc32(key.encode())])
        total = int(cache.get(key, 0)) + number
        cache.set(key, total, life)
    return total


budget = Budget()
#: Megabytes that browsers without an account have stored today.
stored = Budget(period=86_400, share_at=1.0)


def payers_of(request: HttpRequest, user: Any = None) -> list[tuple[str, float]]:
    """Return the budgets that a request is charged to, each with its seconds a minute.

    `user`: the known user, or None.
    """
    if user is not None and user.is_authenticated:
        return [(f"user-{user.pk}", settings.PROCESSOR_SECONDS_PER_MINUTE["user"])]
    return _networks(request, settings.PROCESSOR_SECONDS_PER_MINUTE["anonymous"])


def stores_of(request: HttpRequest) -> list[tuple[str, float]]:
    """Return the networks in which a request stores something, and megabytes a day of each."""
    return _networks(request, settings.NETWORK_BYTES / 1_000_000)


def _networks(request: HttpRequest, each: float) -> list[tuple[str, float]]:
    """Return the networks of a request, of which one of several households has `WIDER` times."""
    networks = enumerate(networks_of(request.META))
    return [(f"address-{network}", each * (WIDER if place else 1)) for place, network in networks]
