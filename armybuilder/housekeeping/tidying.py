"""Removal of lists, books, prints and sessions that nobody can need any more.

Everything goes in small steps (`Pace`), each complete: if this is ended half-way, the next run goes
on. Counting changes nothing.

Each version of a list is read once in its life, in the order in which versions were stored, and the
books that it names are kept with its list (`PinnedBook`). Those of a frozen copy are kept with the
list when a link to it is made.

Each is in a short transaction, with a pause after it: SQLite allows one write at a time.
"""

import json
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from django.contrib.sessions.models import Session
from django.db import transaction
from django.db.models import Exists, Max, OuterRef, Q, QuerySet
from django.utils import timezone
from django_tasks_db.models import DBTaskResult

from armybuilder.accounts.holders import leaving, move_along, moved
from armybuilder.accounts.signing import forget_attempts, over_sign_ins
from armybuilder.books import pinning
from armybuilder.books.models import Kept, OwnBook
from armybuilder.collection.models import OwnedUnit
from armybuilder.collection.services import move_units
from armybuilder.events.exporting import remove_drawn
from armybuilder.events.judging import take_due_books
from armybuilder.events.leaving import forget_addresses, forget_holder, unowned_long_over
from armybuilder.events.models import Entry, EventBook, Staff, Submission, SubmissionBook, Waiting
from armybuilder.events.reminding import send_due
from armybuilder.games import services as games
from armybuilder.games.models import Game, Holding
from armybuilder.housekeeping import visits
from armybuilder.housekeeping.models import Progress
from armybuilder.lists.compaction import EACH, bundle_some, loose_lists, may_bundle, spare_of, thin
from armybuilder.lists.models import ArmyList, Bundle, PinnedBook, Version
from armybuilder.loading.library import shipped_library
from armybuilder.packs.models import OwnPack
from armybuilder.playing.keeping import move_games
from armybuilder.playing.models import KeptGame, Match
from armybuilder.printing import jobs as print_jobs
from armybuilder.printing.jobs import prints
from armybuilder.printing.models import PrintJob, PrintSetup
from armybuilder.printing.setups import move_setups
from armybuilder.sharing.models import Frozen, LinkPicture
from armybuilder.uploads import jobs as upload_jobs
from armybuilder.uploads.jobs import uploads
from armybuilder.uploads.models import Upload

#: Seconds that a step should take: from here on the next is smaller, or below a quarter larger.
STEP = 0.02
#: Rows of the first step, and at most.
FIRST, MOST = 20, 1_000
#: After a step, other work gets this multiple of its time.
PAUSE = 1.0
#: Who tidies says so at least this often; else somebody else may.
LEASE = timedelta(minutes=5)


class Busy(Exception):
    """Somebody else is at it."""


class Pace:
    """Does work in steps until a time is over. `longest` is the longest step, in seconds."""

    def __init__(self, seconds: float | None = None) -> None:
        self._end = None if seconds is None else time.perf_counter() + seconds
        self.longest = 0.0
        self._leased = time.perf_counter()

    @property
    def over(self) -> bool:
        return self._end is not None and time.perf_counter() > self._end

    def steps(
        self, some: Callable[[int], Sequence[Any]], work: Callable[[Sequence[Any]], object]
    ) -> int:
        """Do work on everything that `some` finds; return the number.

        `some` is called with a maximum, and must not find finished items again.
        """
        size, number = FIRST, 0
        while not self.over and (rows := some(size)):
            taken = self.step(partial(work, rows))
            number += len(rows)
            if taken > STEP:
                size = max(1, size // 2)
            elif taken < STEP / 4:
                size = min(MOST, size * 2)
        return number

    def step(self, work: Callable[[], object]) -> float:
        """Do one step; the seconds that it took."""
        begun = time.perf_counter()
        with transaction.atomic():
            begun = time.perf_counter()  # SQLite: now that others are done
            work()
        taken = time.perf_counter() - begun
        self.longest = max(self.longest, taken)
        if time.perf_counter() - self._leased > LEASE.total_seconds() / 5:
            self._leased = time.perf_counter()
            Progress.objects.filter(pk=_TIDY).update(until=timezone.now() + LEASE)
        time.sleep(PAUSE * taken)
        return taken


_TIDY = "tidy"


@contextmanager
def alone(now: datetime) -> Iterator[None]:
    """Be the only one who tidies, over all processes and hosts. Raises Busy where another is."""
    Progress.objects.get_or_create(pk=_TIDY)
    free = Progress.objects.filter(Q(until=None) | Q(until__lt=now), pk=_TIDY)
    if not free.update(until=now + LEASE):
        raise Busy
    try:
        yield
    finally:
        Progress.objects.filter(pk=_TIDY).update(until=None)


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
    # Custom games are kept as long as their players have a book of them.
    games = OwnBook.objects.filter(system=OuterRef("book_id"))
    loose = loose.exclude(Exists(games.exclude(pk__in=going.values("pk"))))
    reached = Progress.objects.filter(pk=_PINS).aggregate(all=Max("reached"))["all"] or 0
    unlooked = Version.objects.filter(pk__gt=reached - _AGAIN)
    late = {pin[1:] for pin in pins_of(unlooked.exclude(army_list__in=lists.values("pk")))}
    rows = loose.values_list("pk", "book_id", "revision")
    return {key for key, *name in rows if tuple(name) not in late}


#: How long a deleted list can be restored.
RESTORED_FOR = timedelta(days=90)
#: Pictures of links go after so long; who opens such a link has another made.
PICTURES_FOR = timedelta(days=30)
#: After so long a list that is nobody's is no import under way.
NOBODYS = timedelta(hours=1)
#: Versions are put into bundles when they are so old.
BUNDLED_AFTER = timedelta(days=1)


@dataclass(slots=True)
class Gone:
    """Numbers removed of each kind; `bundled` versions were only compressed."""

    abandoned: int = 0
    lists: int = 0
    versions: int = 0
    books: int = 0
    contents: int = 0
    sessions: int = 0
    prints: int = 0
    bundled: int = 0


def count(now: datetime) -> Gone:
    """Count the rows to remove.

    Histories are those of lists that stay; the lists of abandoned browsers are left out.
    """
    lists, going = _deleted_lists(now), pinning.long_deleted(now)
    return Gone(
        abandoned=visits.abandoned(now.date()).count(),
        lists=lists.count(),
        versions=sum(len(spare_of(army_list, now)) for army_list in _long_histories().iterator()),
        books=going.count(),
        contents=len(unnamed(Kept.objects.all(), going, lists)),
        sessions=_over_sessions(now).count(),
        prints=prints.long_ago(now).count(),
    )


def tidy(now: datetime, pace: Pace | None = None) -> Gone:
    """Remove it all. Raises Busy where another does so at this moment."""
    pace = pace or Pace()
    gone = Gone()
    with alone(now):
        _tidy_holders(now, pace, gone)
        gone.lists = _hide(pace, _deleted_lists(now))
        _remove_hidden(now, pace)
        gone.versions = _thin_histories(now, pace)
        gone.books = _remove(pace, pinning.long_deleted(now))
        look_at_versions(pace)
        if not pace.over:
            gone.contents = _remove_contents(now, pace)
        gone.sessions = _remove(pace, _over_sessions(now))
        _remove(pace, over_sign_ins(now))
        forget_attempts(now)
        take_due_books(now, shipped_library())
        send_due(now)
        forget_addresses(now)
        remove_drawn(now)
        _remove(pace, unowned_long_over(now))
        gone.prints = pace.steps(_some(prints.long_ago(now)), prints.remove)
        print_jobs.remove_strays(now)
        _remove(pace, LinkPicture.objects.filter(asked__lt=now - PICTURES_FOR))
        pace.steps(_some(uploads.long_ago(now)), uploads.remove)
        upload_jobs.remove_strays(now)
        for game in unnamed_games(games.unheld(now)):
            pace.step(partial(games.remove, [game]))
        # Also tasks of workers that died; a job that waits for so long is found without its own.
        _remove(pace, DBTaskResult.objects.filter(enqueued_at__lt=now - prints.kept_for))
        gone.bundled = _bundle(now, pace)
    return gone


def _some(rows: QuerySet[Any]) -> Callable[[int], list[Any]]:
    return lambda size: list(rows[:size])


def _remove(pace: Pace, rows: QuerySet[Any]) -> int:
    """Remove rows, and only those that the database removes with them."""
    table = rows.model._default_manager
    keys = rows.order_by().values_list("pk", flat=True)
    return pace.steps(_some(keys), lambda some: table.filter(pk__in=some).delete())


def _over_sessions(now: datetime) -> QuerySet[Session]:
    return Session.objects.filter(expire_date__lt=now)


# Holders that never come back.


def _tidy_holders(now: datetime, pace: Pace, gone: Gone) -> None:
    """Remove the data of browsers that stayed away for too long, and visits without data."""
    today = now.date()
    pace.steps(visits.unnoted, lambda names: visits.note(list(names), today))
    while not pace.over and (visit := visits.abandoned(today).first()):
        holder = visit.name
        _hide(pace, ArmyList.objects.filter(holder=holder))
        pace.steps(_some(prints.of(holder)), prints.remove)
        pace.steps(_some(uploads.of(holder)), uploads.remove)
        for table in (OwnBook, OwnPack, PrintSetup, Holding, Match, KeptGame, OwnedUnit):
            _remove(pace, table._default_manager.filter(holder=holder))
        if not pace.over:
            visits.forget_visits(holder)
        gone.abandoned += 1


# Lists and their versions.


def _deleted_lists(now: datetime) -> QuerySet[ArmyList]:
    return ArmyList.objects.filter(deleted__lt=now - RESTORED_FOR).exclude(holder="")


def _hide(pace: Pace, lists: QuerySet[ArmyList]) -> int:
    """Detach lists from their holder: `_remove_hidden` removes them with their versions."""
    # As if made long ago: nothing that is going is taken for an import under way.
    values = {"holder": "", "created": datetime.fromtimestamp(0).astimezone()}
    keys = lists.order_by("pk").values_list("pk", flat=True)
    return pace.steps(
        _some(keys), lambda some: ArmyList.objects.filter(pk__in=some).update(**values)
    )


def _remove_hidden(now: datetime, pace: Pace) -> None:
    hidden = ArmyList.objects.filter(holder="", created__lt=now - NOBODYS)
    for table in (Version, Bundle):
        _remove(pace, table._default_manager.filter(army_list__in=hidden))
    if not pace.over:
        _remove(pace, hidden)


def _long_histories() -> QuerySet[ArmyList]:
    return ArmyList.objects.filter(number__gt=EACH).exclude(holder="").order_by("pk")


def _thin_histories(now: datetime, pace: Pace) -> int:
    went = [0]
    for army_list in list(_long_histories()):

        def thin_once(army_list: ArmyList = army_list) -> None:
            held = ArmyList.objects.select_for_update().filter(pk=army_list.pk).first()
            went.append(0 if held is None else thin(held, now))
            if held is not None:
                army_list.number, army_list.latest = held.number, held.latest

        # Looked at first: mostly nothing goes, and nobody waits for that.
        while not pace.over and spare_of(army_list, now):
            pace.step(thin_once)
            if not went[-1]:
                break
    return sum(went)


def _bundle(now: datetime, pace: Pace) -> int:
    if not may_bundle():
        return 0
    progress, _made = Progress.objects.get_or_create(pk="bundles")
    number = 0
    while not pace.over:
        lists, reached = loose_lists(progress.reached, now - BUNDLED_AFTER)
        if reached == progress.reached:
            break
        for list_id in lists:
            while some := bundle_some(list_id, pace.step):
                number += some
        progress.reached = reached
        progress.save(update_fields=["reached"])
    return number


# Contents of books.


def _remove_contents(now: datetime, pace: Pace) -> int:
    none: QuerySet[Any] = ArmyList.objects.none()
    keys = sorted(unnamed(Kept.objects.all(), OwnBook.objects.none(), none))

    def some(size: int) -> Sequence[int]:
        return [keys.pop() for _each in range(min(size, len(keys)))]

    def work(rows: Sequence[int]) -> None:
        # Asked again where no list can take a book meanwhile.
        kept = Kept.objects.filter(pk__in=rows)
        still = unnamed(kept, OwnBook.objects.none(), none)
        Kept.objects.filter(pk__in=still).delete()

    return pace.steps(some, work)


# What belongs to a holder, on its way to an account, or out with it permanently. Set-ups know
# nothing of accounts, nor books of lists: so it is here. Books go after lists.


def connect() -> None:
    """Let lists, prints, uploads, books, packs and entries move and go with their holder."""
    for model in (ArmyList, PrintJob, Upload, OwnBook, OwnPack, Match, Entry, Staff):
        move_along(model)
    moved.connect(_move_setups, dispatch_uid="lists.setups")
    moved.connect(games.move_holdings, dispatch_uid="lists.games")
    moved.connect(_move_waiting, dispatch_uid="events.waiting")
    moved.connect(move_games, dispatch_uid="lists.play")
    moved.connect(move_units, dispatch_uid="lists.collection")
    leaving.connect(_go, dispatch_uid="lists.all")


def _move_waiting(old: str, new: str, **_signal: Any) -> int:
    """Let the account wait where the browser did, once at each event."""
    both = Waiting.objects.filter(holder=new).values_list("event", flat=True)
    Waiting.objects.filter(holder=old, event__in=list(both)).delete()
    return Waiting.objects.filter(holder=old).update(holder=new)


def _move_setups(old: str, new: str, **_signal: Any) -> int:
    visits.forget_visits(old)
    return move_setups(old, new)


def _go(holder: str, **_signal: Any) -> None:
    prints.forget(holder)
    uploads.forget(holder)
    visits.forget_visits(holder)
    forget_holder(holder, timezone.now())
    for table in (PrintSetup, Match, KeptGame, OwnedUnit):
        table._default_manager.filter(holder=holder).delete()
    OwnPack.objects.filter(holder=holder).delete()
    Holding.objects.filter(holder=holder).delete()
    ArmyList.objects.filter(holder=holder).delete()
    own = OwnBook.objects.filter(holder=holder)
    ids = {name for row in own.values_list("pk", "system") for name in row}
    own.delete()
    # Of contents and games, what nobody else's list draws from.
    kept = Kept.objects.filter(book_id__in=ids)
    if kept.exists():
        none = OwnBook.objects.none(), ArmyList.objects.none()
        pinning.forget(sorted(unnamed(kept, *none)))
