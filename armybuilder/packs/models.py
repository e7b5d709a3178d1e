"""Tables of players' own packs, in versions that are never changed."""

import uuid

from django.db import models

from armybuilder.tables import NamedTable


class OwnPack(NamedTable):
    """A user's own event pack; `number`: of the newest version, `origin`: copied from."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    holder = models.CharField(max_length=64, db_index=True)
    system = models.CharField(max_length=80)
    name = models.CharField(max_length=600)
    number = models.PositiveIntegerField(default=0)
    origin = models.CharField(max_length=700, blank=True)
    created = models.DateTimeField(auto_now_add=True)
    updated = models.DateTimeField(auto_now=True)


class PackVersion(NamedTable):
    """Version of a pack as it was saved, by the running `number` of its pack."""

    pack = models.ForeignKey(OwnPack, on_delete=models.CASCADE, related_name="versions")
    number = models.PositiveIntegerField()
    revision = models.CharField(max_length=16)
    data = models.JSONField()
    size = models.PositiveIntegerField()
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["pack", "number"], name="one_number_per_pack_version")
        ]
