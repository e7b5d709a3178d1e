"""What the database keeps of a list: who holds it, and every version of its document.

The current version is the one whose number the list names; undo and redo move that number between 1
and `latest`.
"""

import uuid

from django.db import models
from django.utils import timezone
from django.utils.functional import cached_property

from armybuilder.lists.fields import ArmyListField


class ArmyList(models.Model):
    """One list; `holder` is a random name kept in a session; `tags` are in alphabetical order.

    An archived list is out of the way but can be opened; a deleted one cannot.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    holder = models.CharField(max_length=64, db_index=True)
    number = models.PositiveIntegerField(default=1)
    latest = models.PositiveIntegerField(default=1)
    created = models.DateTimeField(auto_now_add=True)
    updated = models.DateTimeField(auto_now=True, db_index=True)
    deleted = models.DateTimeField(null=True, blank=True)
    archived = models.DateTimeField(null=True, blank=True)
    pinned = models.BooleanField(default=False)
    tags = models.JSONField(default=list, blank=True)

    def __str__(self) -> str:
        return str(self.id)


class Version(models.Model):
    """A document after one `act`, told as a sentence; one with the player's `label` stays
    permanently.

    Forms name it by its primary key: a number is used again when an act follows an undo.
    """

    # The constraint's index serves the key too. A second one on the key alone would tempt the
    # database to walk through all versions of a list to find its current one.
    army_list = models.ForeignKey(
        ArmyList, on_delete=models.CASCADE, related_name="versions", db_index=False
    )
    number = models.PositiveIntegerField()
    document = ArmyListField()
    act = models.CharField(max_length=200)
    label = models.CharField(max_length=60, blank=True, default="")
    created = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["army_list", "number"], name="one_version_per_number")
        ]

    def __str__(self) -> str:
        return f"{self.army_list_id} {self.number}: {self.act}"

    @cached_property
    def next_act(self) -> str:
        """What redo would do again; "" where nothing can be redone, without asking the database."""
        if self.number >= self.army_list.latest:
            return ""
        after = Version.objects.filter(army_list_id=self.army_list_id, number=self.number + 1)
        return str(after.values_list("act", flat=True).first() or "")
