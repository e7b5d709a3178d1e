"""Work in small steps, so that nobody who clicks waits.

Each is in a short transaction, with a pause after it: SQLite allows one write at a time.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from armybuilder.housekeeping.models import Progress

#: Seconds that a step should take: from here on the next is smaller, or below a quarter larger.
STEP = 0.02
#: Rows of the first step, and at most.
FIRST, MOST = 20, 1_000
#: After a step, other work gets this multiple of its time.
PAUSE = 1.0
#: Who tidies says so at least this often; else somebody else may.
LEASE = timedelta(minutes=5)


class Busy(Exception):
    """Somebody else is at it."""


class Pace:
    """Does work in steps until a time is over. `longest` is the longest step, in seconds."""

    def __init__(self, seconds: float | None = None) -> None:
        self._end = None if seconds is None else time.perf_counter() + seconds
        self.longest = 0.0
        self._leased = time.perf_counter()

    @property
    def over(self) -> bool:
        return self._end is not None and time.perf_counter() > self._end

    def steps(
        self, some: Callable[[int], Sequence[Any]], work: Callable[[Sequence[Any]], object]
    ) -> int:
        """Do work on everything that `some` finds; return the number.

        `some` is called with a maximum, and must not find finished items again.
        """
        size, number = FIRST, 0
        while not self.over and (rows := some(size)):
            taken = self.step(partial(work, rows))
            number += len(rows)
            if taken > STEP:
                size = max(1, size // 2)
            elif taken < STEP / 4:
                size = min(MOST, size * 2)
        return number

    def step(self, work: Callable[[], object]) -> float:
        """Do one step; the seconds that it took."""
        begun = time.perf_counter()
        with transaction.atomic():
            begun = time.perf_counter()  # SQLite: now that others are done
            work()
        taken = time.perf_counter() - begun
        self.longest = max(self.longest, taken)
        if time.perf_counter() - self._leased > LEASE.total_seconds() / 5:
            self._leased = time.perf_counter()
            Progress.objects.filter(pk=_TIDY).update(until=timezone.now() + LEASE)
        time.sleep(PAUSE * taken)
        return taken


_TIDY = "tidy"


@contextmanager
def alone(now: datetime) -> Iterator[None]:
    """Be the only one who tidies, over all processes and hosts. Raises Busy where another is."""
    Progress.objects.get_or_create(pk=_TIDY)
    free = Progress.objects.filter(Q(until=None) | Q(until__lt=now), pk=_TIDY)
    if not free.update(until=now + LEASE):
        raise Busy
    try:
        yield
    finally:
        Progress.objects.filter(pk=_TIDY).update(until=None)
