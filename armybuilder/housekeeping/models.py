"""What the database keeps of the site itself: who was here, how far work got, which key it has."""

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


class SecretMark(NamedTable):
    """What tells the secret key that the site was last started with, without being it."""

    mark = models.CharField(max_length=64)
