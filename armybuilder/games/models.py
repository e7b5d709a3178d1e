"""Database models of brought games: their files, and their holders."""

from django.db import models
from django.utils import timezone

from armybuilder.tables import NamedTable


class Game(NamedTable):
    """A game by its files, which never change: the key is the hash of them all.

    `files` are [name, hash, first element] of each, the content lies in the storage `games` by its
    hash. `size` is how many bytes it takes there. `dated` is the latest date that the files came
    with, `report` the results when they were `surveyed` last, as `battlescribe.files.surveying`
    makes it, with the units for a collection by catalogue (`collected`).
    """

    key = models.CharField(primary_key=True, max_length=40, editable=False)
    system_id = models.CharField(max_length=200, db_index=True)
    name = models.CharField(max_length=200)
    revision = models.CharField(max_length=40, blank=True)
    dated = models.DateField(null=True, blank=True)
    files = models.JSONField()
    size = models.BigIntegerField()
    report = models.JSONField()
    surveyed = models.DateTimeField(default=timezone.now, db_index=True)
    made = models.DateTimeField(auto_now_add=True, db_index=True)


class Holding(NamedTable):
    """A holder's right to use a game: as the one who `brought` it, or with a shared list.

    `name` is the holder's name for it, `source` the file or URL that it came from.
    """

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="holdings")
    holder = models.CharField(max_length=64, db_index=True)
    name = models.CharField(max_length=200)
    source = models.CharField(max_length=300, blank=True)
    brought = models.BooleanField(default=True)
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["game", "holder"], name="one_holding_per_game")
        ]
