"""Turns of those who ask: who has used little lately comes first, and short work before long."""

import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from threading import Condition

from armybuilder.loading.cache import Cache

#: Names whose work is remembered.
_REMEMBERED = 1_000
#: Seconds between two looks at whether somebody who waits has left.
_LOOK_EVERY = 0.5
#: A name may use one part in so many of a processor; what it uses beyond is owed, up to so many
#: seconds.
_PART, _OWED = 8, 30.0


@dataclass(slots=True, eq=False)
class Ticket:
    """A turn that was `asked` for at a time and is expected to cost some seconds."""

    who: str
    cost: float
    asked: float


class Turns:
    """A queue that gives `at_once` turns at a time, and to one name at most all but one of them.

    A turn is due when it is asked for, later by its cost, and not before its name has paid off its
    earlier turns. So heavy users wait for light ones, and long work for short, but never for ever.
    At most `most` wait or have a turn, `most_each` of one name; if the queue is full, the name with
    most turns loses its last.
    """

    def __init__(
        self,
        at_once: int,
        most: int,
        most_each: int,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.clock = clock
        self.at_once = at_once
        self.most = most
        self.most_each = most_each
        self._changed = Condition()
        self._waiting: list[Ticket] = []
        self._running: list[Ticket] = []
        #: When each name owes nothing more.
        self._free: Cache[str, float] = Cache(_REMEMBERED)

    def take(
        self, who: str, seconds: float, gone: Callable[[], bool], cost: float
    ) -> Ticket | None:
        """Wait for a turn and return it; None if there are too many, or none comes in time.

        It waits at most this many seconds, and stops when the client is `gone`. `cost` is the
        expected work in seconds.
        """
        ends = time.monotonic() + seconds
        with self._changed:
            if not self._makes_room(who):
                return None
            turn = Ticket(who, cost, self.clock())
            self._waiting.append(turn)
            while turn is not self._next():
                self._changed.wait(_LOOK_EVERY)
                if turn not in self._waiting:
                    return None
                if time.monotonic() > ends or gone():
                    self._leave(turn)
                    return None
            self._waiting.remove(turn)
            self._running.append(turn)
            self._charge(who, cost)
            self._changed.notify_all()
            return turn

    def give_back(self, turn: Ticket, cost: float | None = None) -> None:
        """End a turn that took `cost` seconds of work, or the expected time."""
        with self._changed:
            self._running.remove(turn)
            if cost is not None:
                self._charge(turn.who, cost - turn.cost)
            self._changed.notify_all()

    def _next(self) -> Ticket | None:
        if len(self._running) >= self.at_once:
            return None
        running = Counter(turn.who for turn in self._running)
        most = max(1, self.at_once - 1)
        may = [turn for turn in self._waiting if running[turn.who] < most]
        return min(may, key=self._due, default=None)

    def _due(self, turn: Ticket) -> float:
        return max(turn.asked, self._free.get(turn.who) or 0.0) + turn.cost

    def _makes_room(self, who: str) -> bool:
        here = Counter(turn.who for turn in (*self._waiting, *self._running))
        if here[who] >= self.most_each:
            return False
        if here.total() < self.most:
            return True
        last = max(self._waiting, key=lambda turn: (here[turn.who], self._due(turn)), default=None)
        if last is None or here[last.who] <= here[who] + 1:
            return False
        self._leave(last)
        return True

    def _leave(self, turn: Ticket) -> None:
        self._waiting.remove(turn)
        self._changed.notify_all()

    def _charge(self, who: str, seconds: float) -> None:
        now = self.clock()
        free = max(now, self._free.get(who) or 0.0) + _PART * seconds
        self._free.put(who, min(free, now + _OWED))
