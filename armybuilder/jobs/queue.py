"""Order of jobs, their workers, and recovery if a worker dies.

The table of a kind of jobs is its queue. A task only wakes a worker, so that the worker takes the
job due first of all kinds (`due_for`), not the first requested. A job has a time limit, and may
fail or be interrupted; between its parts the worker gives way to jobs due earlier.
"""

import errno
import logging
import signal
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from functools import partial
from operator import itemgetter
from typing import Any, Generic, TypeVar
from uuid import UUID

from django.conf import settings
from django.core.files.storage import Storage, storages
from django.db import InterfaceError, OperationalError, close_old_connections, transaction
from django.db.models import F, Max, QuerySet
from django.db.models.functions import Coalesce
from django.utils import timezone, translation

from armybuilder.jobs.models import BackgroundJob, PrintWorker
from armybuilder.loading.deadline import OutOfTime, within
from armybuilder.tables import or_404

logger = logging.getLogger(__name__)

#: After so long without a sign of life, a worker is taken for dead, and its job for abandoned.
SILENCE = timedelta(seconds=30)
#: So often a job is begun; one that has not ended then is parked.
MAX_TRIES = 3
#: A job waits for shorter ones requested within this multiple of its own seconds.
PATIENCE = 10

State = BackgroundJob.State
UNDER_WAY = (State.WAITING, State.WORKING)
_Job = TypeVar("_Job", bound=BackgroundJob)


_LAST = datetime.max.replace(tzinfo=UTC)
#: Those of all kinds.
QUEUES: "list[JobQueue[Any]]" = []


class LeftOff(Exception):
    """Nobody wants the job any more: it was cancelled or removed, or another try has begun."""


class JobQueue(Generic[_Job]):
    """The jobs of one table, each with a file in a storage.

    They go after `kept_for`. The room of its tasks defines how a worker does one (`work`) and
    learns of it (`enqueue`).
    """

    work: Callable[[_Job], object]
    enqueue: Callable[[_Job], object]

    def __init__(self, table: type[_Job], storage: str, kept_for: timedelta) -> None:
        self.table = table
        self.storage = storage
        self.kept_for = kept_for
        QUEUES.append(self)

    @property
    def _jobs(self) -> QuerySet[_Job]:
        return self.table._default_manager.all()

    def file_of(self, job: _Job) -> str:
        return str(job.pk)

    def undo(self, job: _Job) -> None:
        """Remove anything written by an interrupted try."""

    # The jobs of a holder. A holder of "" has none.

    def of(self, holder: str) -> QuerySet[_Job]:
        """Return the holder's jobs, the latest first."""
        mine = self._jobs.filter(holder=holder).exclude(holder="")
        return mine.order_by("-created")

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
        return self._jobs.filter(created__lt=now - self.kept_for)

    # Turns.

    def waiting(self) -> QuerySet[Any]:
        """Return the jobs that wait, in the order in which they are due."""
        return self.in_order(State.WAITING)

    def in_order(self, *states: str) -> QuerySet[Any]:
        jobs = self._jobs.filter(state__in=states)
        return jobs.alias(turn=Coalesce("due", "moved")).order_by("turn", "created")

    def overlooked(self, since: datetime) -> _Job | None:
        """Return a job that has waited since then; None if none has."""
        return self._jobs.filter(state=State.WAITING, moved__lt=since).first()

    # Tries.

    def take(self, worker: str) -> _Job | None:
        """Give the worker the job that is due first; None if none waits. No other worker has it."""
        for job_id in self.waiting().values_list("pk", flat=True):
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
        """Report a try's progress or end. Raises LeftOff if nobody wants it any more."""
        if not self.held(job).update(moved=timezone.now(), **values):
            raise LeftOff

    def put_back(self, job: _Job) -> bool:
        """Let a job whose try was broken off wait again, or park it after the last try.

        Return whether it waits.
        """
        waits = job.tries < MAX_TRIES
        # Each try counts, so that nobody waits for one that is broken off again and again.
        due = due_for(job.holder, job.seconds)
        values: dict[str, Any] = {"state": State.WAITING, "done": 0, "due": due}
        if not waits:
            values = {"state": State.FAILED, "fault": BackgroundJob.Fault.ENDED}
        if not self.held(job).update(moved=timezone.now(), **values):
            return False
        if not waits:
            logger.error("%s was given up after %d tries", job, job.tries)
        self.undo(job)
        return waits

    def put_back_of(self, worker: str) -> None:
        """Let the jobs of a worker wait again."""
        for job in self._jobs.filter(state=State.WORKING, worker=worker):
            self.put_back(job)

    def abandoned(self, now: datetime) -> QuerySet[_Job]:
        """Return the jobs whose worker gives no sign of life any more."""
        quiet = self._jobs.filter(state=State.WORKING, moved__lt=now - SILENCE)
        return quiet.exclude(worker__in=_living(now).values("pk"))

    def revive(self, now: datetime) -> list[_Job]:
        """Put back abandoned jobs; return those that wait again."""
        return [job for job in self.abandoned(now) if self.put_back(job)]

    def progress(self, job: _Job) -> dict[str, Any]:
        """Return the facts about a job for pages: its state, the number before it, and workers."""
        state = self.state_of(job)
        idle = state in (State.PLANNED, State.WAITING)
        return {
            "state": state,
            "ahead": ahead_of(job) if state == State.WAITING else 0,
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
    """Return whether the work gets done: by a worker on any host, or by the request itself."""
    if "Immediate" in str(settings.TASKS["default"]["BACKEND"]):
        return True
    return _living(timezone.now()).exists()


#: Seconds between two words on how far a job is.
PACE = 0.4
#: Errors that mean that the database is gone: the job is tried again.
DATABASE_GONE = (OperationalError, InterfaceError)
#: Error numbers of a full disk.
_NO_ROOM = {errno.ENOSPC, errno.EDQUOT, errno.EROFS}


def due_for(holder: str, seconds: float) -> datetime:
    """Return when a job of some seconds is due: all jobs are done in this order.

    It is fair like turns of requests (`armybuilder.admission.dispatch`): a holder's job comes after
    their earlier ones, short work before long, but never waits for ever.
    """
    theirs = (jobs.of(holder).exclude(state=State.CANCELLED, tries=0) for jobs in QUEUES)
    lasts = [jobs.aggregate(last=Max("due"))["last"] for jobs in theirs]
    begin: datetime = max(filter(None, [timezone.now(), *lasts]))
    return begin + timedelta(seconds=PATIENCE * seconds)


def ahead_of(job: BackgroundJob) -> int:
    """Return the number of jobs of all kinds before it, for now."""
    return sum(jobs.in_order(*UNDER_WAY).filter(turn__lt=job.turn).count() for jobs in QUEUES)


def do_next(worker: str, before: datetime = _LAST) -> bool:
    """Do the job that is due first, if any is before then.

    Return whether there was one. One that is broken off waits again.
    """
    firsts = [(first.turn, jobs) for jobs in QUEUES if (first := jobs.waiting().first())]
    due, jobs = min(firsts, key=itemgetter(0), default=(before, None))
    if jobs is None or due >= before or not (job := jobs.take(worker)):
        return False
    try:
        jobs.work(job)
    except (SystemExit, KeyboardInterrupt, *DATABASE_GONE) as error:
        if isinstance(error, DATABASE_GONE):
            close_old_connections()  # so that the next question opens another
        if jobs.put_back(job):
            jobs.enqueue(job)
        raise
    return True


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
        with suppress(Exception):  # the next tidying removes the rest
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


class ProgressReport(Generic[_Job]):
    """Progress of a try, and the processor seconds that it has left."""

    def __init__(self, jobs: JobQueue[_Job], job: _Job, seconds: float) -> None:
        self._jobs, self._job = jobs, job
        self._told = time.monotonic()
        self._ends = time.thread_time() + seconds

    @property
    def left(self) -> float:
        return self._ends - time.thread_time()

    def reach(self, number: int, at_once: bool = False) -> None:
        """Report progress now and then, and give way to jobs due earlier.

        Raises LeftOff if nobody wants the job any more.
        """
        if at_once or time.monotonic() - self._told > PACE:
            self._jobs.tell(self._job, done=number)
            left = self.left
            while do_next(self._job.worker, before=self._job.turn):
                pass
            self._ends = time.thread_time() + left
            self._told = time.monotonic()


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
