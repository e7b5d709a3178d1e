"""What the database keeps of printing: jobs, and set-ups that a player has given a name; and what
jobs of every kind have in common that a worker does.
"""

import uuid

from django.db import models

from armybuilder.loading.problems import Refusal
from armybuilder.sheets.content.setup import Setup, read_setup


class BackgroundJob(models.Model):
    """Something that a worker does for a holder, outside of any request (see `queue`).

    `moved` is when it was asked for, or the worker last spoke. `worker` took it last, at `begun`,
    for the `tries`-th time; `fault` is why it failed, where that can be told.
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
    fault = models.CharField(max_length=10, choices=Fault, default="", db_default="", blank=True)

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return f"{self.id}: {self.state}"

    @property
    def under_way(self) -> bool:
        """Whether the worker has it, or is to take it."""
        return self.state in (self.State.WAITING, self.State.WORKING)


class PrintJob(BackgroundJob):
    """Some lists to be printed into one file. `lists` are (id, name then), `setup` fields of a
    set-up, `troubles` of lists not printed or not legal (see `work`).
    """

    lists = models.JSONField(default=list)
    setup = models.JSONField(default=dict, blank=True)
    zipped = models.BooleanField(default=False)
    pages = models.PositiveIntegerField(default=0)
    size = models.PositiveBigIntegerField(default=0)
    troubles = models.JSONField(default=list, blank=True)

    @property
    def total(self) -> int:
        return len(self.lists)


class PrintWorker(models.Model):
    """A process that does jobs, on any host, and when it last gave a sign of life."""

    id = models.CharField(primary_key=True, max_length=64)
    seen = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.id}: {self.seen}"


class PrintSetup(models.Model):
    """A named set-up of one browser, `fields` as `setup.written` makes them; one at most is the
    `usual` one, used unless told otherwise.
    """

    holder = models.CharField(max_length=64)
    name = models.CharField(max_length=60)
    fields = models.JSONField(default=dict, blank=True)
    usual = models.BooleanField(default=False)
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["holder", "name"], name="one_setup_per_name"),
            models.UniqueConstraint(
                fields=["holder"], condition=models.Q(usual=True), name="one_usual_setup"
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def setup(self) -> Setup:
        """What it stands for; the plain set-up, where something it names is not offered now."""
        try:
            return read_setup(self.fields)
        except Refusal:
            return Setup()
