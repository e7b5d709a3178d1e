"""What the database keeps of an upload until its player keeps what was found, or throws it away."""

from django.db import models

from armybuilder.jobs.models import BackgroundJob


class Upload(BackgroundJob):
    """Files that were uploaded, called `name`.

    `game` is the system that they are to be books of, "" for the one that they name, `OWN_GAME` for
    a game of the player's own.

    `report` and `found` are as `tasks` makes them: what is told, and what may be kept. `refused` is
    why nothing was found.
    """

    #: Stands for a game of the player's own, made of the files.
    OWN_GAME = "own"

    name = models.CharField(max_length=200)
    game = models.CharField(max_length=80, default="", blank=True)
    total = models.PositiveIntegerField(default=0)
    report = models.JSONField(null=True, blank=True)
    found = models.JSONField(null=True, blank=True)
    refused = models.CharField(max_length=1000, default="", blank=True)
