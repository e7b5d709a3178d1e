"""What the worker does outside of any request."""

from collections.abc import Callable
from typing import TypeVar

from django.db import InterfaceError, OperationalError, close_old_connections
from django_tasks import TaskContext, task

from armybuilder.printing import queue
from armybuilder.printing.models import BackgroundJob
from armybuilder.printing.queue import JobQueue
from armybuilder.printing.work import work

_Job = TypeVar("_Job", bound=BackgroundJob)


@task(takes_context=True)
def print_lists(context: TaskContext, job_id: str) -> None:
    """Do the job that is next: often `job_id`, for which the task was enqueued, but whoever was
    served longest ago goes first. A job that is broken off waits again.
    """
    do_next(queue.prints, context.task_result.worker_ids[-1], work, enqueue)


def enqueue(job: BackgroundJob) -> None:
    """Let a worker know that a print waits."""
    print_lists.enqueue(str(job.pk))


def do_next(
    jobs: JobQueue[_Job],
    worker: str,
    work: Callable[[_Job], None],
    again: Callable[[_Job], None],
) -> None:
    """Do the job that is next, if any waits. One that is broken off waits `again`."""
    job = jobs.take(worker)
    if job is None:
        return
    try:
        work(job)
    except (SystemExit, KeyboardInterrupt):
        _do_again(jobs, job, again)
        raise
    except (OperationalError, InterfaceError):
        close_old_connections()  # so that the next question opens another
        _do_again(jobs, job, again)
        raise


def _do_again(jobs: JobQueue[_Job], job: _Job, again: Callable[[_Job], None]) -> None:
    if jobs.put_back(job):
        again(job)
