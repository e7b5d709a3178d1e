"""Database models of the site itself: visits, progress of work, mark of the secret key."""

from django.db import models

from armybuilder.tables import NamedTable


class Visit(NamedTable):
    """The day on which a browser without an account was here last, by its holder name."""

    name = models.CharField(primary_key=True, max_length=64)
    seen = models.DateField(db_index=True)


class Progress(NamedTable):
    """Progress of work in many steps: `reached` is the last primary key done.

    Until `until`, a process is working on it.
    """

    name = models.CharField(primary_key=True, max_length=20)
    reached = models.BigIntegerField(default=0)
    until = models.DateTimeField(null=True, blank=True)


class SecretMark(NamedTable):
    """Mark of the secret key that the site was last started with, which doesn't reveal it."""

    mark = models.CharField(max_length=64)
