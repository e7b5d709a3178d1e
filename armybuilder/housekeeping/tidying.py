"""What may be removed: what nobody can need any more of lists, books, prints and sessions."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import chain

from django.contrib.sessions.models import Session
from django.db import transaction
from django_tasks_db.models import DBTaskResult

from armybuilder.accounts.signing import forget_sign_ins
from armybuilder.books import pinning as books
from armybuilder.lists.models import ArmyList, Version
from armybuilder.lists.pruning import EACH, thin
from armybuilder.printing import jobs
from armybuilder.sharing.models import Frozen


def pinned_books() -> set[tuple[str, str]]:
    """The id and revision of every book that any version or frozen copy of any list names."""
    named = (
        table.objects.values_list("document__books", flat=True).iterator()
        for table in (Version, Frozen)
    )
    return {(book["id"], book.get("revision", "")) for some in chain(*named) for book in some or ()}


#: How long a deleted list can be restored.
RESTORED_FOR = timedelta(days=90)


@dataclass(frozen=True, slots=True)
class Gone:
    """How many of each there were to remove."""

    lists: int
    versions: int
    books: int
    contents: int
    sessions: int
    prints: int


def tidy(now: datetime, remove: bool) -> Gone:
    """Remove it all, or only find out how many there are."""
    with transaction.atomic():  # SQLite: no list takes a book between the look and the removal
        lists = _remove_lists(now)
        versions = _thin_histories(now)
        own = books.long_deleted(now)
        contents = books.unnamed(pinned_books(), own)
        number = own.count()
        own.delete()
        books.forget(contents)
        expired = Session.objects.filter(expire_date__lt=now)
        prints = jobs.long_ago(now)
        gone = Gone(lists, versions, number, len(contents), expired.count(), prints.count())
        expired.delete()
        if remove:
            _remove_prints(now)
            forget_sign_ins(now)
        else:
            # What of one kind could go depends on what of another went: so it is tried out.
            transaction.set_rollback(True)
    return gone


def _remove_prints(now: datetime) -> None:
    """Files of printed lists, and what the queue remembers of making them."""
    jobs.remove(jobs.long_ago(now))
    jobs.remove_strays(now)
    # Also those of workers that died; a job that waits for so long is found without.
    DBTaskResult.objects.filter(enqueued_at__lt=now - jobs.KEPT_FOR).delete()


def _remove_lists(now: datetime) -> int:
    old = ArmyList.objects.filter(deleted__lt=now - RESTORED_FOR)
    number = old.count()
    old.delete()
    return number


def _thin_histories(now: datetime) -> int:
    long = ArmyList.objects.select_for_update().filter(number__gt=EACH)
    return sum(thin(army_list, now) for army_list in list(long))
