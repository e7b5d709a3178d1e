"""What the worker does with uploads."""

from django_tasks import TaskContext, task

from armybuilder.printing.models import BackgroundJob
from armybuilder.printing.tasks import do_next
from armybuilder.uploads.queue import uploads
from armybuilder.uploads.work import work


@task(takes_context=True)
def read_upload(context: TaskContext, upload_id: str) -> None:
    """Read the upload that is next: often `upload_id`, as with prints."""
    do_next(uploads, context.task_result.worker_ids[-1], work, enqueue)


def enqueue(upload: BackgroundJob) -> None:
    """Let a worker know that an upload waits."""
    read_upload.enqueue(str(upload.pk))
