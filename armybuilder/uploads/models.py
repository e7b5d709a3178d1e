"""Database models of an upload until its player keeps the result, or discards it."""

from django.db import models

from armybuilder.jobs.models import BackgroundJob


class Upload(BackgroundJob):
    """Files of games that were uploaded, called `name`, or are to be fetched from an `address`.

    `report` says which games are in them, as `tasks` makes it. `refused` is why there are none.
    """

    name = models.CharField(max_length=200)
    address = models.CharField(max_length=300, default="", db_default="", blank=True)
    total = models.PositiveIntegerField(default=0)
    report = models.JSONField(null=True, blank=True)
    refused = models.CharField(max_length=1000, default="", blank=True)
