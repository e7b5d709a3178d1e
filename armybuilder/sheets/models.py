"""What the database keeps of printing: set-ups that a player has given a name."""

from django.db import models

from armybuilder.loading.problems import Refusal
from armybuilder.sheets.setup import Setup, read_setup


class PrintSetup(models.Model):
    """A named set-up of one browser. `fields` are those of `setup.written`; the `usual` one, of
    which there is one at most, is what every list is printed with unless told otherwise.
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
