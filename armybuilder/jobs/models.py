"""Common database model of background jobs, and their workers."""

import uuid
from datetime import datetime

from django.db import models


class BackgroundJob(models.Model):
    """A job that a worker does for a holder, outside of any request (see `queue`).

    `moved` is when it was requested, or the worker's last report. `worker` took it last, at
    `begun`, for the `tries`-th time; `fault` is why it failed, if that can be shown. It takes some
    `seconds` of processor time, and is `due` accordingly (see `queue.due_for`).
    """

    class State(models.TextChoices):
        PLANNED = "planned"
        WAITING = "waiting"
        WORKING = "working"
        DONE = "done"
        CANCELLED = "cancelled"
        FAILED = "failed"

    class Fault(models.TextChoices):
        ENDED = "ended"  # so did each worker that had it
        DISK = "disk"  # there is no room for its file

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    holder = models.CharField(max_length=64, db_index=True)
    language = models.CharField(max_length=12, default="en")
    state = models.CharField(max_length=10, choices=State, default=State.PLANNED, db_index=True)
    done = models.PositiveIntegerField(default=0)
    created = models.DateTimeField(auto_now_add=True, db_index=True)
    moved = models.DateTimeField(null=True, blank=True)
    # With values of the database, processes that do not know them yet go on while others do.
    tries = models.PositiveIntegerField(default=0, db_default=0)
    begun = models.DateTimeField(null=True, blank=True)
    worker = models.CharField(max_length=64, default="", db_default="", blank=True)
    seconds = models.FloatField(default=0.0, db_default=0.0)
    due = models.DateTimeField(null=True, blank=True)
    fault = models.CharField(max_length=10, choices=Fault, default="", db_default="", blank=True)

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return f"{self.id}: {self.state}"

    @property
    def turn(self) -> datetime:
        """The time it is due, also for jobs stored by an earlier release."""
        return self.due or self.moved or self.created

    @property
    def under_way(self) -> bool:
        return self.state in (self.State.WAITING, self.State.WORKING)


class PrintWorker(models.Model):
    """A process that does jobs, on any host, and when it last gave a sign of life."""

    id = models.CharField(primary_key=True, max_length=64)
    seen = models.DateTimeField()

    class Meta:
        app_label = "printing"  # the table is older than the room

    def __str__(self) -> str:
        return f"{self.id}: {self.seen}"
