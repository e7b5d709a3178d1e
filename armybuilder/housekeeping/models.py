"""What the database keeps for housekeeping itself: who was here when, and how far it got."""

from django.db import models

from armybuilder.tables import NamedTable


class Visit(NamedTable):
    """The day on which a browser without an account was here last, by its holder name."""

    name = models.CharField(primary_key=True, max_length=64)
    seen = models.DateField(db_index=True)


class Progress(NamedTable):
    """How far work in many steps got: `reached` is the last primary key that was looked at.

    Until `until`, somebody is at it.
    """

    name = models.CharField(primary_key=True, max_length=20)
    reached = models.BigIntegerField(default=0)
    until = models.DateTimeField(null=True, blank=True)
