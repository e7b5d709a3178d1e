"""What the worker does outside of any request."""

from django.db import InterfaceError, OperationalError, close_old_connections
from django_tasks import TaskContext, task

from armybuilder.printing import queue
from armybuilder.printing.models import PrintJob
from armybuilder.printing.work import work


@task(takes_context=True)
def print_lists(context: TaskContext, job_id: str) -> None:
    """Do the job that is next: often `job_id`, for which the task was enqueued, but whoever was
    served longest ago goes first. A job that is broken off waits again.
    """
    job = queue.take(context.task_result.worker_ids[-1])
    if job is None:
        return
    try:
        work(job)
    except (SystemExit, KeyboardInterrupt):
        _do_again(job)
        raise
    except (OperationalError, InterfaceError):
        close_old_connections()  # so that the next question opens another
        _do_again(job)
        raise


def _do_again(job: PrintJob) -> None:
    if queue.put_back(job):
        print_lists.enqueue(str(job.pk))
