"""What the worker does outside of any request."""

from uuid import UUID

from django_tasks import task

from armybuilder.printing.models import PrintJob
from armybuilder.printing.work import work


@task()
def print_lists(job_id: str) -> None:
    """Print the lists of a `PrintJob`; put it back into the queue where the worker is ended."""
    try:
        work(UUID(job_id))
    except (SystemExit, KeyboardInterrupt):
        if PrintJob.objects.filter(pk=job_id, state=PrintJob.State.WAITING).exists():
            print_lists.enqueue(job_id)
        raise
