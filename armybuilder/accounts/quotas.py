"""Storage limits of one holder, and the sentences for those who reach them.

The numbers are settings (`QUOTAS`), for browsers without an account and for accounts. They are too
large to hinder players; they keep one visitor from filling the disk.
"""

from typing import NamedTuple

from django.conf import settings
from django.utils.translation import gettext as _

from armybuilder.accounts.models import User
from armybuilder.loading.problems import Refusal


class Quota(NamedTuple):
    """Storage limits: lists, their versions and bytes; bytes of custom books."""

    lists: int
    versions: int
    size: int
    books: int


class NoRoom(Refusal):
    """Something was not stored because the holder has as much as one may have."""


def anonymous_quota() -> Quota:
    """Return the quota of a browser without an account."""
    return Quota(**settings.QUOTAS["anonymous"])


def quota_of(holder: str) -> Quota:
    """Return the quota of a holder. A query; `anonymous_quota` needs none."""
    return Quota(**settings.QUOTAS["user"]) if is_user(holder) else anonymous_quota()


def is_user(holder: str) -> bool:
    """Return whether an account holds under this name."""
    return User.objects.filter(holder=holder).exists()


def no_room(sentence: str, holder: str) -> NoRoom:
    """Return the refusal; for a browser without an account with advice."""
    if is_user(holder):
        return NoRoom(sentence)
    return NoRoom(f"{sentence} {_('With an account you have more room.')}")
