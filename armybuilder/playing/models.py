"""Tables of play: games under way, and matches that were played."""

import uuid
from typing import Any

from django.db import models

from armybuilder.lists.models import ArmyList
from armybuilder.tables import NamedTable


class KeptGame(NamedTable):
    """Game at the table as an account keeps it for its other devices.

    `key` says of which lists, `number` counts its changes, `data` is what the page made of it.
    """

    holder = models.CharField(max_length=64)
    key = models.CharField(max_length=120)
    number = models.PositiveIntegerField()
    data = models.JSONField()
    changed = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["holder", "key"], name="one_game_per_key"),
        ]


class Match(NamedTable):
    """Match that was played. `sides` are both lists as text, as they were played.

    Each has `name`, `about`, `books`, `hash` and `lines`, a line a unit; the second may be missing.
    `army_list` is that of the player, while it is there.
    """

    class Result(models.TextChoices):
        WON = "won"
        LOST = "lost"
        DRAWN = "drawn"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    holder = models.CharField(max_length=64, db_index=True)
    army_list = models.ForeignKey(
        ArmyList, on_delete=models.SET_NULL, null=True, blank=True, related_name="matches"
    )
    day = models.DateField()
    opponent = models.CharField(max_length=80, blank=True)
    opponent_book = models.CharField(max_length=120, blank=True)
    result = models.CharField(max_length=5, choices=Result)
    points = models.IntegerField(null=True, blank=True)
    opponent_points = models.IntegerField(null=True, blank=True)
    notes = models.TextField(max_length=2000, blank=True)
    sides = models.JSONField(default=list, blank=True)
    created = models.DateTimeField(auto_now_add=True)

    @property
    def name(self) -> str:
        """The name of the list."""
        return str(self.sides[0]["name"]) if self.sides else ""

    @property
    def score(self) -> str:
        """Both scores: "12 : 8"; "" without any."""
        both: list[Any] = [self.points, self.opponent_points]
        return (
            "" if both == [None, None] else " : ".join("?" if n is None else str(n) for n in both)
        )
