"""What the database keeps of an upload until its player keeps what was found, or throws it away."""

from django.db import models

from armybuilder.jobs.models import BackgroundJob


class Upload(BackgroundJob):
    """Files that were uploaded, called `name`, or that are to be fetched from an `address`.

    `game` is what they are to be: "" as they say themselves, `WHOLE_GAME` a game kept by its files
    as they are (see `games`), else books: of that system, or, for `OWN_GAME`, of a game of the
    player's own.

    `report` and `found` are as `games` or `tasks` make them: what is told, and what may be kept.
    `refused` is why nothing was found.
    """

    #: Stands for a game that is kept by its files.
    WHOLE_GAME = "files"
    #: Stands for a game of the player's own, made of the files.
    OWN_GAME = "own"

    name = models.CharField(max_length=200)
    address = models.CharField(max_length=300, default="", db_default="", blank=True)
    game = models.CharField(max_length=80, default="", blank=True)
    total = models.PositiveIntegerField(default=0)
    report = models.JSONField(null=True, blank=True)
    found = models.JSONField(null=True, blank=True)
    refused = models.CharField(max_length=1000, default="", blank=True)
