"""What a worker does with the job that is next: its time, its failures, and tries broken off."""

import errno
import logging
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, TypeVar

from django.db import InterfaceError, OperationalError, close_old_connections
from django.utils import timezone, translation

from armybuilder.jobs.models import BackgroundJob
from armybuilder.jobs.queue import JobQueue, LeftOff, State
from armybuilder.loading.deadline import OutOfTime, within

logger = logging.getLogger(__name__)

#: Seconds between two words on how far a job is.
PACE = 0.4
#: What is raised if the database is gone: the job is tried again.
DATABASE_GONE = (OperationalError, InterfaceError)
#: What the system says if a file has no room.
_NO_ROOM = {errno.ENOSPC, errno.EDQUOT, errno.EROFS}
_Job = TypeVar("_Job", bound=BackgroundJob)


def do_next(
    jobs: JobQueue[_Job],
    worker: str,
    work: Callable[[_Job], object],
    enqueue: Callable[[_Job], object],
) -> None:
    """Do the job that is next, if any waits. One that is broken off waits again."""
    job = jobs.take(worker)
    if job is None:
        return
    try:
        work(job)
    except (SystemExit, KeyboardInterrupt, *DATABASE_GONE) as error:
        if isinstance(error, DATABASE_GONE):
            close_old_connections()  # so that the next question opens another
        if jobs.put_back(job):
            enqueue(job)
        raise


def perform(jobs: JobQueue[_Job], job: _Job, outcome: Callable[[_Job], dict[str, Any]]) -> bool:
    """Do a job that was taken: `outcome` works it out, as values of columns.

    Return whether anybody wanted it.

    Raises SystemExit or KeyboardInterrupt if the worker is ended on the way, OperationalError or
    InterfaceError if the database is gone; the job is then as it was.
    """
    try:
        with translation.override(job.language):
            jobs.tell(job, **outcome(job))
    except BaseException as error:
        with suppress(Exception):  # what is left then goes with the next tidying
            jobs.undo(job)
        if isinstance(error, LeftOff):
            return False
        if isinstance(error, DATABASE_GONE) or not isinstance(error, Exception):
            raise
        logger.exception("the job %s failed", job.pk)
        is_full = isinstance(error, OSError) and error.errno in _NO_ROOM
        fault = BackgroundJob.Fault.DISK if is_full else ""
        return bool(jobs.held(job).update(state=State.FAILED, fault=fault, moved=timezone.now()))
    return True


class ProgressReport:
    """Says now and then how far a job is. Raises LeftOff if nobody wants it any more."""

    def __init__(self, tell: Callable[[int], None]) -> None:
        self._tell = tell
        self._told = time.monotonic()

    def reach(self, number: int, at_once: bool = False) -> None:
        """Note that so many parts of the job are done."""
        if at_once or time.monotonic() - self._told > PACE:
            self._told = time.monotonic()
            self._tell(number)


@contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Raise OutOfTime where what follows takes longer, in seconds of the processor.

    Loops that ask (`deadline.check`) are ended in time; in a worker, a signal ends the others at
    twice that.
    """
    with within(seconds):
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = signal.signal(signal.SIGVTALRM, _end)
        signal.setitimer(signal.ITIMER_VIRTUAL, 2 * seconds)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
            signal.signal(signal.SIGVTALRM, before)


def _end(_signal: int, _frame: Any) -> None:
    raise OutOfTime
