"""Whose turn it is: those who had theirs longest ago go first, however many others ask for."""

import time
from collections import Counter
from collections.abc import Callable
from threading import Condition

from armybuilder.loading.cache import Cache

#: Seconds between two looks at whether somebody who waits has left.
LOOK_EVERY = 0.5
#: How many of those who had their turn are remembered.
REMEMBERED = 1_000


class Turns:
    """So many turns at a time (`at_once`), so many who wait or have theirs (`most`), and so many of
    those for one name (`most_each`).
    """

    def __init__(self, at_once: int, most: int, most_each: int) -> None:
        self.at_once = at_once
        self.most = most
        self.most_each = most_each
        self._changed = Condition()
        self._running = 0
        self._here: Counter[str] = Counter()
        self._waiting: list[str] = []
        self._last: Cache[str, float] = Cache(REMEMBERED)

    def take(self, who: str, seconds: float, gone: Callable[[], bool]) -> bool:
        """Wait for a turn and return True; False where there are too many, where it does not come
        within so many seconds, or where whoever waits is `gone`.
        """
        ends = time.monotonic() + seconds
        with self._changed:
            if self._here.total() >= self.most or self._here[who] >= self.most_each:
                return False
            self._here[who] += 1
            self._waiting.append(who)
            while self._running >= self.at_once or self._next() != who:
                self._changed.wait(LOOK_EVERY)
                if time.monotonic() > ends or gone():
                    self._waiting.remove(who)
                    self._leave(who)
                    return False
            self._waiting.remove(who)
            self._running += 1
            self._last.put(who, time.monotonic())
            return True

    def give_back(self, who: str) -> None:
        """End a turn."""
        with self._changed:
            self._running -= 1
            self._leave(who)

    def _next(self) -> str:
        return min(self._waiting, key=lambda name: self._last.get(name) or 0.0)

    def _leave(self, who: str) -> None:
        self._here -= Counter([who])
        self._changed.notify_all()
