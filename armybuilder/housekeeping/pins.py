"""Contents of books that any list or submission still needs.

Each version is read once in its life, in the order in which versions were stored, and the books
that it names are kept with its list (`PinnedBook`). Those of a frozen copy are kept with the list
when a link to it is made.
"""

import json
from collections.abc import Sequence
from typing import Any

from django.db.models import Exists, Max, OuterRef, QuerySet

from armybuilder.books import pinning
from armybuilder.books.models import Kept, OwnBook
from armybuilder.events.models import EventBook, Submission, SubmissionBook
from armybuilder.games.models import Game
from armybuilder.housekeeping.models import Progress
from armybuilder.housekeeping.pace import Pace
from armybuilder.lists.models import ArmyList, Bundle, PinnedBook, Version
from armybuilder.sharing.models import Frozen

_PINS = "pins"
#: On PostgreSQL a version may be seen later than one stored after it: the last are looked at again.
_AGAIN = 1_000

#: A list's id, a book's id and its revision.
Pin = tuple[Any, str, str]


def pins_of(versions: QuerySet[Version]) -> set[Pin]:
    columns = ("army_list_id", "document__books", "document__system", "bundle_id", "place")
    rows = list(versions.values_list(*columns))
    bundles = Bundle.objects.in_bulk({row[3] for row in rows if row[3] is not None})
    pins: set[Pin] = set()
    for list_id, books, system, bundle, place in rows:
        if bundle in bundles and place is not None:
            document = json.loads(bundles[bundle].texts[place])
            books, system = document.get("books"), document.get("system")
        named = ((book["id"], book.get("revision", "")) for book in books or ())
        pins.update((list_id, *pin) for pin in pinning.pins_of(str(system or ""), named))
    return pins


def unnamed_games(games: QuerySet[Game]) -> list[Game]:
    """Return those of the games that no list names, no frozen copy and no submission."""
    gone = {game.pk: game for game in games.defer("report")}
    for table in (Version, Frozen, Submission) if gone else ():
        named = table._default_manager.filter(document__game__key__in=list(gone))
        for key in named.values_list("document__game__key", flat=True).distinct():
            gone.pop(key, None)
    return list(gone.values())


def look_at_versions(pace: Pace) -> None:
    """Keep the books that the versions since the last time name."""
    progress, _made = Progress.objects.get_or_create(pk=_PINS)
    progress.reached = max(0, progress.reached - _AGAIN)

    pins: set[Pin] = set()
    known: set[Pin] = set()

    def some(size: int) -> Sequence[int]:
        later = Version.objects.filter(pk__gt=progress.reached).order_by("pk")
        keys = list(later.values_list("pk", flat=True)[:size])
        pins.clear()  # read before the step, in which nobody else can write
        if keys:
            pins.update(pins_of(Version.objects.filter(pk__range=(keys[0], keys[-1]))))
        return keys

    def work(keys: Sequence[int]) -> None:
        new = pins - known
        lists = ArmyList.objects.filter(pk__in={pin[0] for pin in new})
        there = set(lists.values_list("pk", flat=True))
        rows = [
            PinnedBook(army_list_id=list_id, book_id=book, revision=revision)
            for list_id, book, revision in new
            if list_id in there
        ]
        PinnedBook.objects.bulk_create(rows, ignore_conflicts=True)
        known.clear()
        known.update(pins)
        progress.reached = keys[-1]
        progress.save(update_fields=["reached"])

    pace.steps(some, work)


def unnamed(kept: QuerySet[Kept], going: QuerySet[OwnBook], lists: QuerySet[ArmyList]) -> set[int]:
    """Return the primary keys of the contents that nothing needs any more.

    No list names them, nor an event or a submission to one, nor are they a custom book's current
    content; own books that are `going`, and `lists` that are, do not count.
    """
    same = {"book_id": OuterRef("book_id"), "revision": OuterRef("revision")}
    having = OwnBook.objects.filter(pk=OuterRef("book_id"), revision=OuterRef("revision"))
    staying = PinnedBook.objects.filter(**same).exclude(army_list__in=lists.values("pk"))
    loose = kept.exclude(Exists(staying))
    for table in (SubmissionBook, EventBook):
        loose = loose.exclude(Exists(table._default_manager.filter(**same)))
    loose = loose.exclude(Exists(having.exclude(pk__in=going.values("pk"))))
    # Games of players are kept beside, for as long as they have a book of it.
    games = OwnBook.objects.filter(system=OuterRef("book_id"))
    loose = loose.exclude(Exists(games.exclude(pk__in=going.values("pk"))))
    reached = Progress.objects.filter(pk=_PINS).aggregate(all=Max("reached"))["all"] or 0
    unlooked = Version.objects.filter(pk__gt=reached - _AGAIN)
    late = {pin[1:] for pin in pins_of(unlooked.exclude(army_list__in=lists.values("pk")))}
    rows = loose.values_list("pk", "book_id", "revision")
    return {key for key, *name in rows if tuple(name) not in late}
