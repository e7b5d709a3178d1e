"""What may be removed: books deleted long ago, and kept contents that nothing names."""

from collections.abc import Collection
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


def unnamed(named: Collection[tuple[str, str]], going: QuerySet[OwnBook]) -> list[int]:
    """Return primary keys of kept contents that no (id, revision) of lists names, nor a player's
    book that is not `going` has now.
    """
    having = OwnBook.objects.exclude(pk__in=going.values("pk"))
    wanted = {*named, *having.values_list("pk", "revision")}
    kept = Kept.objects.values_list("pk", "book_id", "revision")
    return [key for key, *name in kept.iterator() if tuple(name) not in wanted]


def forget(keys: list[int]) -> None:
    """Remove kept contents permanently."""
    for start in range(0, len(keys), _AT_ONCE):
        Kept.objects.filter(pk__in=keys[start : start + _AT_ONCE]).delete()
