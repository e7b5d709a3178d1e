"""Histories kept small: old versions are pruned, and others compressed together.

The last 200 versions up to the current one stay, and those that can be redone; before those the
last of each hour, after 30 days of each day; the first and labelled ones always. The rest is
numbered anew without a gap, so that undo leads from each to the one before. In a bundle a version
takes some 50 to 100 bytes instead of a thousand; the current one stays as it was written.
"""

import json
import zlib
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.db.models import F, Sum, TextField
from django.db.models.functions import Cast, Length
from django.utils import timezone

from armybuilder.lists.models import ArmyList, Bundle, Version

#: So many versions are kept one by one.
EACH = 200
#: Older ones are kept by the hour until they are so old, and then by the day.
HOURLY = timedelta(days=30)
#: A list is pruned, or bundles are made, each time its number of versions passes a multiple.
PRUNED_EVERY, BUNDLED_EVERY = 100, 25
#: Documents in one bundle, and their bytes together: reading one unpacks all.
MOST_TOGETHER, MOST_BYTES = 25, 256 * 1024
#: Nothing is bundled so long after the tables for it were made: a process of the release before,
#: which could not read it, may still answer.
SIDE_BY_SIDE = timedelta(hours=1)
#: Versions that are looked at together, or that one statement removes.
_AT_ONCE = 500
#: More than any list has versions.
_BEYOND = 1_000_000_000
#: Puts a version's document elsewhere (see `ELSEWHERE`).
_MOVED = f"UPDATE {Version._meta.db_table} SET document = 'null', bundle_id = %s, place = %s"  # noqa: S608
_MOVED += " WHERE id = %s"


def packed(texts: Iterable[bytes]) -> bytes:
    """Return documents as JSON, in one bundle."""
    return zlib.compress(b"\n".join(texts), 9)


def text_of(document: object) -> bytes:
    """Return a document as stored in a bundle: JSON in one line, keys in order."""
    return json.dumps(document, separators=(",", ":")).encode()


def full(texts: list[bytes]) -> bool:
    """Return whether nothing more should go into a bundle of these."""
    return len(texts) >= MOST_TOGETHER or sum(map(len, texts)) >= MOST_BYTES


def may_bundle() -> bool:
    """Return whether all who read versions know of bundles."""
    if not _known:
        made = MigrationRecorder.Migration.objects.filter(app="lists", name="0006_growth")
        if made.filter(applied__lt=timezone.now() - SIDE_BY_SIDE).exists():
            _known.append(True)
    return bool(_known)


_known: list[bool] = []


def bundle_list(army_list: ArmyList) -> None:
    """Bundle all versions before the current one, in a transaction that holds the list."""
    for keys, texts in _batches(army_list):
        _store(army_list, keys, packed(texts))
    put_size(army_list)


def bundle_some(list_id: UUID, step: Callable[[Callable[[], object]], object]) -> int:
    """Bundle as many versions as fit into one; `step` writes. Return their number."""
    army_list = ArmyList.objects.filter(pk=list_id).first()
    if army_list is None:
        return 0
    keys, texts = next(_batches(army_list), ([], []))
    if len(keys) < 2:
        return 0
    data = packed(texts)

    def work() -> None:
        # Some may be gone by now: the rest still finds its place.
        if ArmyList.objects.select_for_update().filter(pk=list_id).exists():
            _store(army_list, keys, data)
            put_size(army_list)

    step(work)
    return len(keys)


def _batches(army_list: ArmyList) -> Iterator[tuple[list[int], list[bytes]]]:
    keys: list[int] = []
    texts: list[bytes] = []
    loose = army_list.versions.filter(bundle=None, number__lt=army_list.number).order_by("number")
    rows: Iterator[tuple[int, Any]] = loose.values_list("pk", "document").iterator(BUNDLED_EVERY)
    for key, unread in rows:
        keys.append(key)
        texts.append(unread.text)
        if full(texts):
            yield keys, texts
            keys, texts = [], []
    if len(texts) > 1:
        yield keys, texts


def _store(army_list: ArmyList, keys: list[int], data: bytes) -> None:
    bundle = Bundle.objects.create(army_list=army_list, data=data)
    with connection.cursor() as cursor:
        # One by one by a query set, they took ten times as long: too long for the click that waits.
        cursor.executemany(_MOVED, [(bundle.pk, place, key) for place, key in enumerate(keys)])


def forget_bundles(list_id: UUID) -> None:
    """Remove the bundles of a list that no version needs any more."""
    needed = Version.objects.filter(army_list_id=list_id).exclude(bundle=None).values("bundle")
    Bundle.objects.filter(army_list_id=list_id).exclude(pk__in=needed).delete()


def put_size(army_list: ArmyList) -> None:
    """Let a list and its row say how many bytes the documents of its versions take."""
    text = Length(Cast("document", TextField()))
    loose = army_list.versions.filter(bundle=None).aggregate(all=Sum(text))["all"]
    bundles = Bundle.objects.filter(army_list=army_list)
    army_list.size = (loose or 0) + (bundles.aggregate(all=Sum(Length("data")))["all"] or 0)
    ArmyList.objects.filter(pk=army_list.pk).update(size=army_list.size)


def loose_lists(after: int, before: datetime) -> tuple[list[UUID], int]:
    """Return lists with versions to be bundled, `after` a key, and the last key looked at."""
    rows = Version.objects.filter(pk__gt=after).order_by("pk")
    lists: dict[UUID, None] = {}
    columns = rows.values_list("pk", "army_list_id", "bundle_id", "created")[:_AT_ONCE]
    for key, list_id, bundle, created in columns:
        if bundle is None and created > before:
            break
        after = key
        if bundle is None:
            lists[list_id] = None
    return list(lists), after


def spare(versions: Iterable[tuple[int, datetime]], now: datetime) -> Iterator[int]:
    """Yield the numbers that can go of old versions, given as (number, when) from the first on."""
    before: tuple[int, str] | None = None
    for number, when in versions:
        span = when.strftime("%Y-%m-%d %H" if now - when < HOURLY else "%Y-%m-%d")
        if before is not None and before[1] == span and before[0] != 1:
            yield before[0]
        before = (number, span)


def spare_of(army_list: ArmyList, now: datetime) -> set[int]:
    """Return the numbers of a list's versions that can go."""
    if army_list.number <= EACH:
        return set()
    old = army_list.versions.filter(number__lte=army_list.number - EACH).order_by("number")
    times = old.values_list("number", "created")
    return set(spare(times, now)) - set(old.exclude(label="").values_list("number", flat=True))


def thin(army_list: ArmyList, now: datetime) -> int:
    """Prune a list held by the transaction and number the rest anew; return how many went."""
    going = sorted(spare_of(army_list, now))
    if not going:
        return 0
    versions, last = army_list.versions, army_list.number - EACH
    for start in range(0, len(going), _AT_ONCE):
        versions.filter(number__in=going[start : start + _AT_ONCE]).delete()
    staying = sorted(set(range(1, last + 1)) - set(going))
    for number, was in enumerate(staying, 1):
        if number != was:
            versions.filter(number=was).update(number=number)
    shift = last - len(staying)
    # In two steps, so that no number is there twice on the way.
    versions.filter(number__gt=last).update(number=F("number") + _BEYOND)
    versions.filter(number__gt=_BEYOND).update(number=F("number") - (_BEYOND + shift))
    army_list.number -= shift
    army_list.latest -= shift
    army_list.save(update_fields=["number", "latest"])
    forget_bundles(army_list.pk)
    put_size(army_list)
    return len(going)
