"""Which job is next, who has it, and what becomes of one whose worker has died.

The table of jobs is the queue. A task tells a worker no more than that there is something to do, so
that the worker takes the job of whoever was served longest ago, and not of who asked first. Each
kind of job has a queue of its own; the functions of this module are those of prints.
"""

import logging
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Generic, TypeVar
from uuid import UUID

from django.db.models import F, Max, QuerySet
from django.utils import timezone

from armybuilder.printing.jobs import SILENCE, file_of, files, living
from armybuilder.printing.models import BackgroundJob, PrintJob

logger = logging.getLogger(__name__)

#: So often a job is begun; one that has not ended then is parked.
MOST_TRIES = 3
#: Whoever was served within this time comes after those who were not. Longer ago does not count:
#: else new visitors, of whom there may be any number, would always come before those known.
SERVED_FOR = timedelta(hours=1)

State = BackgroundJob.State
_Job = TypeVar("_Job", bound=BackgroundJob)


class JobQueue(Generic[_Job]):
    """The jobs of one table. `leave` removes what a try may have written that was broken off."""

    def __init__(self, table: type[_Job], leave: Callable[[_Job], None]) -> None:
        self.table = table
        self.leave = leave

    @property
    def _jobs(self) -> QuerySet[_Job]:
        return self.table._default_manager.all()

    def in_order(self) -> list[UUID]:
        """Return the jobs that wait, as they would be taken if nobody asked for more: by holder,
        who was served longest ago first; of equals, who asked first.
        """
        jobs = self._jobs.filter(state=State.WAITING)
        waiting = list(jobs.order_by("moved", "pk").values_list("pk", "holder"))
        holders = dict.fromkeys(holder for _job, holder in waiting)
        now = timezone.now()
        recent = self._jobs.filter(begun__gt=now - SERVED_FOR, holder__in=jobs.values("holder"))
        served = dict(recent.values_list("holder").annotate(Max("begun")).order_by())
        turns = sorted(holders, key=lambda holder: (holder in served, served.get(holder, now)))
        ranks = {holder: rank for rank, holder in enumerate(turns)}
        rounds = dict.fromkeys(holders, 0)
        ordered = []
        for job, holder in waiting:
            ordered.append((rounds[holder], ranks[holder], job))
            rounds[holder] += 1
        return [job for _round, _rank, job in sorted(ordered)]

    def take(self, worker: str) -> _Job | None:
        """Give the worker the job that is next; None where none waits. No other worker has it."""
        for job_id in self.in_order():
            waiting = self._jobs.filter(pk=job_id, state=State.WAITING)
            now = timezone.now()
            if waiting.update(
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
        """Return the job as long as this try of it goes on: none where it was cancelled, removed,
        or taken for abandoned and begun again.
        """
        return self._jobs.filter(pk=job.pk, state=State.WORKING, tries=job.tries)

    def put_back(self, job: _Job) -> bool:
        """Let a job whose try was broken off wait again, or park it after the last try. Return
        whether it waits.
        """
        waits = job.tries < MOST_TRIES
        values = {"state": State.WAITING, "done": 0}
        if not waits:
            values = {"state": State.FAILED, "fault": BackgroundJob.Fault.ENDED}
        if not self.held(job).update(moved=timezone.now(), **values):
            return False
        if not waits:
            logger.error("%s was given up after %d tries", job, job.tries)
        self.leave(job)
        return waits

    def put_back_of(self, worker: str) -> None:
        """Let what a worker had under way wait again."""
        for job in self._jobs.filter(state=State.WORKING, worker=worker):
            self.put_back(job)

    def abandoned(self, now: datetime) -> QuerySet[_Job]:
        """Jobs whose worker gives no sign of life any more."""
        quiet = self._jobs.filter(state=State.WORKING, moved__lt=now - SILENCE)
        return quiet.exclude(worker__in=living(now).values("pk"))

    def revive(self, now: datetime) -> list[_Job]:
        """Put back what was abandoned; return what waits again."""
        return [job for job in self.abandoned(now) if self.put_back(job)]

    def overlooked(self, since: datetime) -> _Job | None:
        """Return a job that has waited since then; None where none has."""
        return self._jobs.filter(state=State.WAITING, moved__lt=since).first()

    def state_of(self, job: _Job) -> str:
        """Return the state of a job as its holder is to see it: an abandoned one waits."""
        if job.state == State.WORKING and self.abandoned(timezone.now()).filter(pk=job.pk).exists():
            return State.WAITING
        return job.state

    def ahead_of(self, job: _Job) -> int:
        """Return how many others are done before, as things stand."""
        waiting = self.in_order()
        before = waiting.index(job.pk) if job.pk in waiting else len(waiting)
        return before + self._jobs.filter(state=State.WORKING).exclude(pk=job.pk).count()


def _leave(job: PrintJob) -> None:
    files().delete(file_of(job))  # which the try may have written half


prints = JobQueue(PrintJob, _leave)
in_order = prints.in_order
take = prints.take
held = prints.held
put_back = prints.put_back
abandoned = prints.abandoned
revive = prints.revive
state_of = prints.state_of
ahead_of = prints.ahead_of
