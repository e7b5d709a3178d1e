"""Turns of those who ask: shared by the work that is done for each, short work before long."""

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


@dataclass(slots=True, eq=False)
class Ticket:
    """A turn of somebody; `due` is all the work that each name here may have had by its end."""

    who: str
    cost: float
    due: float


class Turns:
    """Gives `at_once` turns at a time, all but one of them at most to the same name.

    Names share the work evenly, as weighted fair queueing does: a turn is due when everybody else
    has had as much work as its name with it. So short work passes long work, but not for ever. At
    most `most` wait or have their turn, `most_each` of one name; where all places are taken, the
    name with most of them gives its last one up.
    """

    def __init__(self, at_once: int, most: int, most_each: int) -> None:
        self.at_once = at_once
        self.most = most
        self.most_each = most_each
        self._changed = Condition()
        self._waiting: list[Ticket] = []
        self._running: list[Ticket] = []
        self._done = 0.0
        self._due: Cache[str, float] = Cache(_REMEMBERED)

    def take(
        self, who: str, seconds: float, gone: Callable[[], bool], cost: float = 1.0
    ) -> Ticket | None:
        """Wait for a turn and return it; None if there are too many, or it does not come.

        That is within so many seconds, or before whoever waits is `gone`. `cost` is how much work
        it is expected to be.
        """
        ends = time.monotonic() + seconds
        with self._changed:
            if not self._makes_room(who):
                return None
            turn = Ticket(who, cost, max(self._done, self._due.get(who) or 0.0) + cost)
            self._due.put(who, turn.due)
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
            self._changed.notify_all()
            return turn

    def give_back(self, turn: Ticket, cost: float | None = None) -> None:
        """End a turn, which took as much work as `cost`, or what was expected."""
        with self._changed:
            self._running.remove(turn)
            self._done = max(self._done, turn.due)
            if cost is not None:
                self._charge(turn.who, cost - turn.cost)
            self._changed.notify_all()

    def _next(self) -> Ticket | None:
        if len(self._running) >= self.at_once:
            return None
        running = Counter(turn.who for turn in self._running)
        most = max(1, self.at_once - 1)
        may = [turn for turn in self._waiting if running[turn.who] < most]
        return min(may, key=lambda turn: turn.due, default=None)

    def _makes_room(self, who: str) -> bool:
        here = Counter(turn.who for turn in (*self._waiting, *self._running))
        if here[who] >= self.most_each:
            return False
        if here.total() < self.most:
            return True
        last = max(self._waiting, key=lambda turn: (here[turn.who], turn.due), default=None)
        if last is None or here[last.who] <= here[who] + 1:
            return False
        self._leave(last)
        return True

    def _leave(self, turn: Ticket) -> None:
        self._waiting.remove(turn)
        self._charge(turn.who, -turn.cost)
        self._changed.notify_all()

    def _charge(self, who: str, more: float) -> None:
        self._due.put(who, (self._due.get(who) or 0.0) + more)
