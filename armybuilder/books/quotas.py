"""Whether a holder's own books have room, with the contents that lists pin, and their games."""

import json
from collections.abc import Mapping

from django.db.models import Q, Sum
from django.utils.translation import gettext as _

from armybuilder.accounts.quotas import anonymous_quota, no_room, quota_of
from armybuilder.books.models import Kept, OwnBook


def size_of(document: Mapping[str, object]) -> int:
    """Return the number of bytes that a book's document takes."""
    return len(json.dumps(document))


def check_size(holder: str) -> None:
    """Raise NoRoom if the holder's books, also deleted ones, are more than they may be.

    Call it behind a write, in its transaction, which is then rolled back.
    """
    mine = OwnBook.objects.filter(holder=holder)
    names = Q(book_id__in=mine.values("pk")) | Q(book_id__in=mine.values("system"))
    kept = Kept.objects.filter(names)
    size = sum(rows.aggregate(all=Sum("size"))["all"] or 0 for rows in (mine, kept))
    if size <= anonymous_quota().books or size <= (most := quota_of(holder).books):
        return
    told = _(
        "Your books fill all {most} MB available. Delete some you no longer need, then try again."
    )
    raise no_room(told.format(most=most // 1_000_000), holder)
