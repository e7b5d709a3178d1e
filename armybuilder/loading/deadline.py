"""Limits of work for one request: its seconds are set at the start, and long loops check them.

Seconds are processor time, so a busy machine ends no work early. Outside of a deadline, as in
commands, there is no limit.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from time import thread_time
from typing import TypeVar

from armybuilder.engine.wording import say

_Thing = TypeVar("_Thing")

#: Seconds of the processor between two looks at whether anybody still waits.
_LOOK_EVERY = 0.1


class OutOfTime(Exception):
    """Raised if work takes more processor time than one request may have, with a sentence."""


class GivenUp(Exception):
    """Whoever asked for the work no longer waits for it."""


class Elsewhere(Exception):
    """The work is to be done by a process for heavy work."""


class Deadline:
    """A limit of some `seconds` of this thread's processor time.

    `gone` says whether the client has left, `elsewhere` whether another process should do work that
    has taken this many seconds, or expects to.
    """

    def __init__(
        self, seconds: float, gone: Callable[[], bool], elsewhere: Callable[[float, float], bool]
    ) -> None:
        self.gone = gone
        self.elsewhere = elsewhere
        self.started = thread_time()
        self.seconds = seconds
        self._look = self.started + _LOOK_EVERY

    def check(self) -> None:
        """Raise OutOfTime if the seconds are over, GivenUp if nobody waits any more.

        Raises Elsewhere if another process should continue.
        """
        now = thread_time()
        if now < self._look:
            return
        self._look = now + _LOOK_EVERY
        spent = now - self.started
        if spent > self.seconds:
            raise OutOfTime(say("The request is too complex. Try less at once."))
        if self.gone():
            raise GivenUp
        if self.elsewhere(spent, 0.0):
            raise Elsewhere


_current: ContextVar[Deadline | None] = ContextVar("deadline", default=None)


def allow(seconds: float) -> None:
    """Set the total seconds for the current work."""
    deadline = _current.get()
    if deadline is not None:
        deadline.seconds = seconds


def heavy_ahead(seconds: float) -> None:
    """Announce heavy work. Raises Elsewhere if another process should do it."""
    deadline = _current.get()
    if deadline is not None and deadline.elsewhere(0.0, seconds):
        raise Elsewhere


def check() -> None:
    """Ask whether to go on: for loops that may run for seconds.

    Raises as `Deadline.check` does.
    """
    deadline = _current.get()
    if deadline is not None:
        deadline.check()


def checked(things: Iterable[_Thing]) -> Iterator[_Thing]:
    """Return the things one by one, and ask before each whether to go on, as `check` does."""
    for thing in things:
        check()
        yield thing


@contextmanager
def within(
    seconds: float,
    gone: Callable[[], bool] = lambda: False,
    elsewhere: Callable[[float, float], bool] = lambda spent, ahead: False,
) -> Iterator[Deadline]:
    """Run the block within some seconds of processor time."""
    deadline = Deadline(seconds, gone, elsewhere)
    token = _current.set(deadline)
    try:
        yield deadline
    finally:
        _current.reset(token)
