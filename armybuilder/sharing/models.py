"""What the database keeps of shared lists: links, and the frozen copies some of them lead to."""

import uuid

from django.db import models

from armybuilder.lists.fields import ArmyListField


class Frozen(models.Model):
    """A list as it stood once, and what was found about it then. Never changed.

    `hash` is the SHA-256 of its canonical document in hexadecimal digits; `report` is as
    `reports.report_then` makes it, in `language`; `revisions` are the books' by id,
    `system_revision` the game's.
    """

    hash = models.CharField(primary_key=True, max_length=64, editable=False)
    document = ArmyListField()
    report = models.JSONField()
    engine = models.CharField(max_length=20)
    system_revision = models.CharField(max_length=16)
    revisions = models.JSONField(default=dict)
    language = models.CharField(max_length=12, default="en")
    made = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return self.hash


class Share(models.Model):
    """A link to a list as it is at any time, or to a `frozen` copy; `name` is for its owner alone.

    `digest` is the SHA-256 of its secret, which no table keeps (see `tokens`).
    """

    class View(models.TextChoices):
        OPEN = "open"
        FULL = "full"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    army_list = models.ForeignKey("lists.ArmyList", on_delete=models.CASCADE, related_name="shares")
    frozen = models.ForeignKey(
        Frozen, on_delete=models.PROTECT, null=True, blank=True, related_name="shares"
    )
    view = models.CharField(max_length=4, choices=View)
    name = models.CharField(max_length=80, blank=True)
    digest = models.CharField(max_length=64, unique=True, editable=False)
    created = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"{self.id}: {self.view}"

    @property
    def is_open(self) -> bool:
        """Whether it shows only what opponents may see."""
        return self.view == self.View.OPEN
