"""What the database keeps of a list: who holds it, and every version of its document.

The current version is the one whose number the list names; undo and redo move that number
between 1 and the number of the latest version.
"""

import uuid

from django.db import models
from django.utils import timezone
from django.utils.functional import cached_property

from armybuilder.lists.fields import ArmyListField


class ArmyList(models.Model):
    """One list. `holder` is a random name kept in the session of the browser that made it.

    An archived list is out of the way but can be opened like any other; a deleted one cannot.
    `tags` are a few short words of the player's own, in the order of the alphabet.
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
    """A document as it stood after one act. `act` is what was done, as a sentence; `label` what the
    player calls this version ("before the club night"): one that has a label stays permanently.

    The primary key names the version in forms: it is never used again, while a number is, when
    an act follows an undo.
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
