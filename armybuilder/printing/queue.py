"""Which job is next, who has it, and what becomes of one whose worker has died.

The table of jobs is the queue. A task tells a worker no more than that there is something to do, so
that the worker takes the job of whoever was served longest ago, and not of who asked first.
"""

import logging
from datetime import datetime, timedelta
from uuid import UUID

from django.db.models import F, Max, QuerySet
from django.utils import timezone

from armybuilder.printing.jobs import SILENCE, State, file_of, files, living
from armybuilder.printing.models import PrintJob

logger = logging.getLogger(__name__)

#: So often a job is begun; one that has not ended then is parked.
MOST_TRIES = 3
#: Whoever was served within this time comes after those who were not. Longer ago does not count:
#: else new visitors, of whom there may be any number, would always come before those known.
SERVED_FOR = timedelta(hours=1)


def in_order() -> list[UUID]:
    """Return the jobs that wait, as they would be taken if nobody asked for more: by holder, who
    was served longest ago first; of equals, who asked first.
    """
    jobs = PrintJob.objects.filter(state=State.WAITING)
    waiting = list(jobs.order_by("moved", "pk").values_list("pk", "holder"))
    holders = dict.fromkeys(holder for _job, holder in waiting)
    now = timezone.now()
    recent = PrintJob.objects.filter(begun__gt=now - SERVED_FOR, holder__in=jobs.values("holder"))
    served = dict(recent.values_list("holder").annotate(Max("begun")).order_by())
    turns = sorted(holders, key=lambda holder: (holder in served, served.get(holder, now)))
    ranks = {holder: rank for rank, holder in enumerate(turns)}
    rounds = dict.fromkeys(holders, 0)
    ordered = []
    for job, holder in waiting:
        ordered.append((rounds[holder], ranks[holder], job))
        rounds[holder] += 1
    return [job for _round, _rank, job in sorted(ordered)]


def take(worker: str) -> PrintJob | None:
    """Give the worker the job that is next; None where none waits. No other worker has it then."""
    for job_id in in_order():
        waiting = PrintJob.objects.filter(pk=job_id, state=State.WAITING)
        now = timezone.now()
        if waiting.update(
            state=State.WORKING, worker=worker, tries=F("tries") + 1, done=0, begun=now, moved=now
        ):
            return PrintJob.objects.filter(pk=job_id).first()
    return None


def held(job: PrintJob) -> QuerySet[PrintJob]:
    """Return the job as long as this try of it goes on: none where it was cancelled, removed, or
    taken for abandoned and begun again.
    """
    return PrintJob.objects.filter(pk=job.pk, state=State.WORKING, tries=job.tries)


def put_back(job: PrintJob) -> bool:
    """Let a job whose try was broken off wait again, or park it after the last try. Return whether
    it waits.
    """
    waits = job.tries < MOST_TRIES
    values = {"state": State.WAITING, "done": 0}
    if not waits:
        values = {"state": State.FAILED, "fault": PrintJob.Fault.ENDED}
    if not held(job).update(moved=timezone.now(), **values):
        return False
    if not waits:
        logger.error("printing %s was given up after %d tries", job.pk, job.tries)
    files().delete(file_of(job))  # which this try may have written half
    return waits


def abandoned(now: datetime) -> QuerySet[PrintJob]:
    """Jobs whose worker gives no sign of life any more."""
    quiet = PrintJob.objects.filter(state=State.WORKING, moved__lt=now - SILENCE)
    return quiet.exclude(worker__in=living(now).values("pk"))


def revive(now: datetime) -> list[PrintJob]:
    """Put back what was abandoned; return what waits again."""
    return [job for job in abandoned(now) if put_back(job)]


def state_of(job: PrintJob) -> str:
    """Return the state of a job as its holder is to see it: an abandoned one waits."""
    if job.state == State.WORKING and abandoned(timezone.now()).filter(pk=job.pk).exists():
        return State.WAITING
    return job.state


def ahead_of(job: PrintJob) -> int:
    """Return how many others are done before, as things stand."""
    waiting = in_order()
    before = waiting.index(job.pk) if job.pk in waiting else len(waiting)
    return before + PrintJob.objects.filter(state=State.WORKING).exclude(pk=job.pk).count()
