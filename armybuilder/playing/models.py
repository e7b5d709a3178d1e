"""Tables of play: games under way, matches that were played, campaigns of lists."""

import uuid
from typing import Any

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy

from armybuilder.lists.models import ArmyList
from armybuilder.tables import NamedTable


class KeptGame(NamedTable):
    """Game at the table as an account keeps it for its other devices.

    `key` names its lists, `number` counts its changes, `data` is the page's own.
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
    `army_list` is that of the player, while it exists; `list_points` is its cost then.
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
    scenario = models.CharField(max_length=120, blank=True, default="")
    notes = models.TextField(max_length=2000, blank=True)
    list_points = models.IntegerField(null=True, blank=True)
    sides = models.JSONField(default=list, blank=True)
    created = models.DateTimeField(auto_now_add=True)

    @property
    def name(self) -> str:
        return str(self.sides[0]["name"]) if self.sides else ""

    @property
    def score(self) -> str:
        """Both scores: "12 : 8"; "" without any."""
        both: list[Any] = [self.points, self.opponent_points]
        return (
            "" if both == [None, None] else " : ".join("?" if n is None else str(n) for n in both)
        )


class CampaignEntry(NamedTable):
    """Change of a list between its matches: of one of its models, or of its treasure.

    `price_before` and `price_after` are the model's, `points` the list's when it was entered.
    """

    class Kind(models.TextChoices):
        ADVANCE = "advance", gettext_lazy("Advance")
        INJURY = "injury", gettext_lazy("Injury")
        EQUIPMENT = "equipment", gettext_lazy("Equipment")
        RECRUIT = "recruit", gettext_lazy("Recruit")
        DEATH = "death", gettext_lazy("Death")
        TREASURE = "treasure", gettext_lazy("Treasure")
        NOTE = "note", gettext_lazy("Note")

    army_list = models.ForeignKey(ArmyList, on_delete=models.CASCADE, related_name="campaign")
    day = models.DateField()
    kind = models.CharField(max_length=9, choices=Kind)
    model = models.CharField(max_length=120, blank=True)
    text = models.TextField(max_length=1000, blank=True)
    price_before = models.PositiveIntegerField(null=True, blank=True)
    price_after = models.PositiveIntegerField(null=True, blank=True)
    treasure = models.IntegerField(null=True, blank=True)
    points = models.IntegerField(null=True, blank=True)
    created = models.DateTimeField(default=timezone.now, editable=False)
