"""Which job is next, who has it, and what becomes of one whose worker has died.

The table of a kind of jobs is its queue. A task tells a worker no more than that there is something
to do, so that the worker takes the job of whoever was served longest ago, and not of who asked
first. What the worker does with it has a time, and may fail or be broken off.
"""

import errno
import logging
import signal
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from datetime import datetime, timedelta
from functools import partial
from typing import Any, Generic, TypeVar
from uuid import UUID

from django.conf import settings
from django.core.files.storage import Storage, storages
from django.db import InterfaceError, OperationalError, close_old_connections, transaction
from django.db.models import F, Max, QuerySet
from django.utils import timezone, translation

from armybuilder.jobs.models import BackgroundJob, PrintWorker
from armybuilder.loading.deadline import OutOfTime, within
from armybuilder.tables import or_404

logger = logging.getLogger(__name__)

#: After so long without a sign of life, a worker is taken for dead, and its job for abandoned.
SILENCE = timedelta(seconds=30)
#: So often a job is begun; one that has not ended then is parked.
MAX_TRIES = 3
#: A job goes before others that were asked for so many times its own seconds before.
PATIENCE = 10
#: Whoever was served within this time comes after those who were not. Longer ago does not count:
#: else new visitors, of whom there may be any number, would always come before those known.
SERVED_FOR = timedelta(hours=1)

State = BackgroundJob.State
UNDER_WAY = (State.WAITING, State.WORKING)
_Job = TypeVar("_Job", bound=BackgroundJob)


class LeftOff(Exception):
    """Nobody wants the job any more: it was cancelled or removed, or another try has begun."""


class JobQueue(Generic[_Job]):
    """The jobs of one table, each with a file in a storage.

    They go after `kept_for`; `deferred` are columns that pages do without.
    """

    def __init__(
        self, table: type[_Job], storage: str, kept_for: timedelta, deferred: tuple[str, ...] = ()
    ) -> None:
        self.table = table
        self.storage = storage
        self.kept_for = kept_for
        self.deferred = deferred

    @property
    def _jobs(self) -> QuerySet[_Job]:
        return self.table._default_manager.all()

    def file_of(self, job: _Job) -> str:
        return str(job.pk)

    def undo(self, job: _Job) -> None:
        """Remove what a try that was broken off may have written."""

    # The jobs of a holder. A holder of "" has none.

    def of(self, holder: str) -> QuerySet[_Job]:
        """Return the holder's jobs, the latest first."""
        mine = self._jobs.filter(holder=holder).exclude(holder="")
        return mine.defer(*self.deferred).order_by("-created")

    def get(self, holder: str, job_id: UUID) -> _Job:
        """Return one of the holder's jobs. Raises Http404 if there is none of this id."""
        return or_404(self.of(holder).filter(pk=job_id).first(), "no such job in this browser")

    def count_under_way(self, holder: str) -> int:
        """Return how many of the holder's jobs wait or are worked on.

        All are locked: of two who start at the same time, one goes after the other.
        """
        jobs = self._jobs.filter(holder=holder).select_for_update().order_by("pk")
        return sum(state in UNDER_WAY for state in jobs.values_list("state", flat=True))

    def files(self) -> Storage:
        return storages[self.storage]

    def remove(self, jobs: Iterable[_Job]) -> int:
        """Remove jobs with their files; return how many. A worker that has one leaves off."""
        gone = list(jobs)
        self._jobs.filter(pk__in=[job.pk for job in gone]).delete()
        for job in gone:
            self.files().delete(self.file_of(job))
        return len(gone)

    def forget(self, holder: str) -> None:
        """Remove the holder's jobs now, their files when it is certain that the jobs are gone."""
        gone = list(self.of(holder))
        self.of(holder).delete()
        transaction.on_commit(partial(self.remove, gone))

    def long_ago(self, now: datetime) -> QuerySet[_Job]:
        return self._jobs.filter(created__lt=now - self.kept_for).defer(*self.deferred)

    # Turns.

    def in_order(self) -> list[UUID]:
        """Return the jobs that wait, as they would be taken if nobody asked for more.

        By holder, who was served longest ago first; of equals, who asked first and for less.
        """
        jobs = self._jobs.filter(state=State.WAITING)
        fields = jobs.order_by("moved", "pk").values_list("pk", "holder", "moved", "seconds")
        waiting = sorted(
            (moved + timedelta(seconds=PATIENCE * seconds), number, pk, holder)
            for number, (pk, holder, moved, seconds) in enumerate(fields)
        )
        holders: dict[str, datetime] = {}
        for due, _number, _job, holder in waiting:
            holders.setdefault(holder, due)
        now = timezone.now()
        recent = self._jobs.filter(begun__gt=now - SERVED_FOR, holder__in=jobs.values("holder"))
        served = dict(recent.values_list("holder").annotate(Max("begun")).order_by())
        turns = sorted(holders, key=lambda one: (one in served, served.get(one, holders[one])))
        ranks = {holder: rank for rank, holder in enumerate(turns)}
        rounds = dict.fromkeys(holders, 0)
        ordered = []
        for _due, _number, job, holder in waiting:
            ordered.append((rounds[holder], ranks[holder], job))
            rounds[holder] += 1
        return [job for _round, _rank, job in sorted(ordered)]

    def ahead_of(self, job: _Job) -> int:
        """Return how many others are done before, as things stand."""
        waiting = self.in_order()
        before = waiting.index(job.pk) if job.pk in waiting else len(waiting)
        return before + self._jobs.filter(state=State.WORKING).exclude(pk=job.pk).count()

    def overlooked(self, since: datetime) -> _Job | None:
        """Return a job that has waited since then; None if none has."""
        return self._jobs.filter(state=State.WAITING, moved__lt=since).first()

    # Tries.

    def take(self, worker: str) -> _Job | None:
        """Give the worker the job that is next; None if none waits. No other worker has it."""
        for job_id in self.in_order():
            now = timezone.now()
            if self._jobs.filter(pk=job_id, state=State.WAITING).update(
                state=State.WORKING,
                worker=worker,
                tries=F("tries") + 1,
                done=0,
                begun=now,
                moved=now,
            ):
                return self._jobs.filter(pk=job_id).first()
        return None

    def held(self, job: _Job) -> QuerySet[_Job]:
        """Return the job as long as this try of it goes on.

        None if it was cancelled, removed, or taken for abandoned and begun again.
        """
        return self._jobs.filter(pk=job.pk, state=State.WORKING, tries=job.tries)

    def tell(self, job: _Job, **values: Any) -> None:
        """Say how far a try is, or how it ended. Raises LeftOff if nobody wants it any more."""
        if not self.held(job).update(moved=timezone.now(), **values):
            raise LeftOff

    def put_back(self, job: _Job) -> bool:
        """Let a job whose try was broken off wait again, or park it after the last try.

        Return whether it waits.
        """
        waits = job.tries < MAX_TRIES
        values = {"state": State.WAITING, "done": 0}
        if not waits:
            values = {"state": State.FAILED, "fault": BackgroundJob.Fault.ENDED}
        if not self.held(job).update(moved=timezone.now(), **values):
            return False
        if not waits:
            logger.error("%s was given up after %d tries", job, job.tries)
        self.undo(job)
        return waits

    def put_back_of(self, worker: str) -> None:
        """Let what a worker had under way wait again."""
        for job in self._jobs.filter(state=State.WORKING, worker=worker):
            self.put_back(job)

    def abandoned(self, now: datetime) -> QuerySet[_Job]:
        """Return the jobs whose worker gives no sign of life any more."""
        quiet = self._jobs.filter(state=State.WORKING, moved__lt=now - SILENCE)
        return quiet.exclude(worker__in=_living(now).values("pk"))

    def revive(self, now: datetime) -> list[_Job]:
        """Put back what was abandoned; return what waits again."""
        return [job for job in self.abandoned(now) if self.put_back(job)]

    def progress(self, job: _Job) -> dict[str, Any]:
        """Return what pages tell of a job: its state, how many are before it, and who works."""
        state = self.state_of(job)
        idle = state in (State.PLANNED, State.WAITING)
        return {
            "state": state,
            "ahead": self.ahead_of(job) if state == State.WAITING else 0,
            "worker": not idle or worker_is_there(),
            "days": self.kept_for.days,
        }

    def state_of(self, job: _Job) -> str:
        """Return the state of a job as its holder is to see it: an abandoned one waits."""
        if job.state == State.WORKING and self.abandoned(timezone.now()).filter(pk=job.pk).exists():
            return State.WAITING
        return job.state


def _living(now: datetime) -> QuerySet[PrintWorker]:
    return PrintWorker.objects.filter(seen__gt=now - SILENCE)


def worker_is_there() -> bool:
    """Return whether somebody does the work: a worker on any host, or the request itself."""
    if "Immediate" in str(settings.TASKS["default"]["BACKEND"]):
        return True
    return _living(timezone.now()).exists()


#: Seconds between two words on how far a job is.
PACE = 0.4
#: What is raised if the database is gone: the job is tried again.
DATABASE_GONE = (OperationalError, InterfaceError)
#: What the system says if a file has no room.
_NO_ROOM = {errno.ENOSPC, errno.EDQUOT, errno.EROFS}


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
