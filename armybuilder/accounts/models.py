"""Database models of people with an account: users, their browsers, their tokens."""

from django.conf import settings
from django.contrib.auth.models import AbstractUser
from django.db import models
from django.utils import timezone

from armybuilder.accounts.holders import random_holder
from armybuilder.tables import NamedTable


class User(AbstractUser):
    """A person with an account. `holder` is the name under which lists and books are theirs."""

    holder = models.CharField(max_length=64, unique=True, default=random_holder, editable=False)


class SignIn(NamedTable):
    """A browser with a user signed in, by the key of its session."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="sign_ins"
    )
    session_key = models.CharField(max_length=40, unique=True)
    created = models.DateTimeField(auto_now_add=True)


class Token(NamedTable):
    """An API token of a user, kept as a hash; `used` is the last hour of use.

    `scope` is whether it may change anything. It opens nothing after `ends`; None: no end.
    """

    class Scope(models.TextChoices):
        READ = "read"
        WRITE = "write"

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="tokens"
    )
    name = models.CharField(max_length=60)
    scope = models.CharField(max_length=5, choices=Scope, db_default=Scope.WRITE)
    digest = models.CharField(max_length=64, unique=True)
    created = models.DateTimeField(default=timezone.now)
    used = models.DateTimeField(null=True, blank=True)
    ends = models.DateTimeField(null=True, blank=True)

    @property
    def over(self) -> bool:
        return self.ends is not None and self.ends <= timezone.now()

    @property
    def may_write(self) -> bool:
        return self.scope == self.Scope.WRITE
