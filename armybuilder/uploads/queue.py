"""The uploads that wait for a worker."""

from armybuilder.printing.queue import JobQueue
from armybuilder.uploads.models import Upload


def _leave(upload: Upload) -> None:
    """There is nothing to remove: a try writes what it has found once, when it is done."""


uploads = JobQueue(Upload, _leave)
