"""Database models of printing: jobs, and presets."""

from django.db import models

from armybuilder.jobs.models import BackgroundJob
from armybuilder.loading.problems import Refusal
from armybuilder.sheets.content.setup import Setup, read_setup
from armybuilder.tables import NamedTable


class PrintJob(BackgroundJob):
    """Some lists to be printed into one file.

    `lists` are (id, name then), `setup` fields of a set-up, `troubles` of lists not printed or not
    legal (see `tasks`).
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


class PrintSetup(NamedTable):
    """A named set-up of one browser, `fields` as `setup.written` makes them.

    One at most is the `usual` one, used unless another is chosen.
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

    @property
    def setup(self) -> Setup:
        """Its preset; the plain one if something that it names isn't offered now."""
        try:
            return read_setup(self.fields)
        except Refusal:
            return Setup()
