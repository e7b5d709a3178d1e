"""What may be removed: books deleted long ago."""

from datetime import datetime, timedelta

from django.db.models import QuerySet

from armybuilder.books.models import Kept, OwnBook

#: How long a deleted book can be restored.
RESTORED_FOR = timedelta(days=90)
#: Rows that one statement removes.
_AT_ONCE = 500


def long_deleted(now: datetime) -> QuerySet[OwnBook]:
    """The books that were deleted so long ago that they can go."""
    return OwnBook.objects.filter(deleted__lt=now - RESTORED_FOR)


def forget(keys: list[int]) -> None:
    """Remove kept contents permanently."""
    for start in range(0, len(keys), _AT_ONCE):
        Kept.objects.filter(pk__in=keys[start : start + _AT_ONCE]).delete()
