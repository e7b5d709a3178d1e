"""How long a part of a job may take in a worker."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from armybuilder.loading.deadline import OutOfTime, within


@contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Raise OutOfTime where what follows takes longer, in seconds of the processor. Loops that ask
    (`deadline.check`) are ended in time; in a worker, a signal ends the others at twice that.
    """
    with within(seconds):
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = signal.signal(signal.SIGVTALRM, _is_over)
        signal.setitimer(signal.ITIMER_VIRTUAL, 2 * seconds)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
            signal.signal(signal.SIGVTALRM, before)


def _is_over(_signal: int, _frame: Any) -> None:
    raise OutOfTime
