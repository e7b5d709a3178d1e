"""What the database keeps of printing: jobs, and set-ups that a player has given a name."""

import uuid

from django.db import models

from armybuilder.loading.problems import Refusal
from armybuilder.sheets.content.setup import Setup, read_setup


class PrintJob(models.Model):
    """Some lists to be printed into one file by the worker, outside of any request.

    `lists` are (id, name then), `setup` fields of a set-up, `troubles` of lists not printed or not
    legal (see `work`); `moved` is when it was asked for, or the worker last spoke.
    """

    class State(models.TextChoices):
        PLANNED = "planned"
        WAITING = "waiting"
        WORKING = "working"
        DONE = "done"
        CANCELLED = "cancelled"
        FAILED = "failed"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    holder = models.CharField(max_length=64, db_index=True)
    lists = models.JSONField(default=list)
    setup = models.JSONField(default=dict, blank=True)
    zipped = models.BooleanField(default=False)
    language = models.CharField(max_length=12, default="en")
    state = models.CharField(max_length=10, choices=State, default=State.PLANNED, db_index=True)
    done = models.PositiveIntegerField(default=0)
    pages = models.PositiveIntegerField(default=0)
    size = models.PositiveBigIntegerField(default=0)
    troubles = models.JSONField(default=list, blank=True)
    created = models.DateTimeField(auto_now_add=True, db_index=True)
    moved = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"{self.id}: {self.state}"

    @property
    def total(self) -> int:
        return len(self.lists)

    @property
    def under_way(self) -> bool:
        """Whether the worker has it, or is to take it."""
        return self.state in (self.State.WAITING, self.State.WORKING)


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
