"""What the worker does outside of any request."""

from uuid import UUID

from django_tasks import task


@task()
def print_lists(job_id: str) -> None:
    """Print the lists of a `PrintJob`."""
    from armybuilder.printing.work import work

    work(UUID(job_id))
