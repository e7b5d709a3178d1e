"""Versions whose documents are put together into bundles, and what a list takes in the database.

The latest versions of a list stay as they were written: the current one is read at each click.
"""

from collections.abc import Callable
from datetime import datetime, timedelta
from uuid import UUID

from django.db.migrations.recorder import MigrationRecorder
from django.db.models import QuerySet, Sum, TextField
from django.db.models.functions import Cast, Length
from django.utils import timezone

from armybuilder.lists.bundling import full, packed, text_of
from armybuilder.lists.fields import ELSEWHERE
from armybuilder.lists.models import ArmyList, Bundle, Version

#: Bundles are made each time a list's number of versions passes a multiple of this.
EVERY = 25
#: Nothing is bundled so long after the tables for it were made: a process of the release before,
#: which could not read it, may still answer.
SIDE_BY_SIDE = timedelta(hours=1)
_MIGRATION = ("lists", "0006_growth")
#: Versions that are looked at together.
_LOOKED_AT = 500


def may_bundle() -> bool:
    """Whether all who read versions know of bundles."""
    if not _known:
        made = MigrationRecorder.Migration.objects.filter(app=_MIGRATION[0], name=_MIGRATION[1])
        if made.filter(applied__lt=timezone.now() - SIDE_BY_SIDE).exists():
            _known.append(True)
    return bool(_known)


_known: list[bool] = []


def bundle_list(army_list: ArmyList) -> int:
    """Put the documents of all versions before the current one into bundles, but for those that are
    in one; how many there were. `army_list` and its row then say what all of it takes. To be called
    in a transaction that holds the list.
    """
    keys: list[int] = []
    texts: list[bytes] = []
    number = 0
    for version in _loose(army_list).iterator(EVERY):
        keys.append(version.pk)
        texts.append(text_of(version.document.to_dict()))
        number += 1
        if full(texts):
            _store(army_list, keys, packed(texts))
            keys, texts = [], []
    if len(texts) > 1:
        _store(army_list, keys, packed(texts))
    put_size(army_list)
    return number


def _store(army_list: ArmyList, keys: list[int], data: bytes) -> None:
    bundle = Bundle.objects.create(army_list=army_list, data=data)
    for place, key in enumerate(keys):
        Version.objects.filter(pk=key).update(document=ELSEWHERE, bundle=bundle, place=place)


def forget_bundles(list_id: UUID) -> None:
    """Remove the bundles of a list that no version needs any more."""
    needed = _versions(list_id).exclude(bundle=None).values("bundle")
    Bundle.objects.filter(army_list_id=list_id).exclude(pk__in=needed).delete()


def put_size(army_list: ArmyList) -> None:
    """Let a list and its row say how many bytes the documents of its versions take."""
    text = Length(Cast("document", TextField()))
    loose = _versions(army_list.pk).filter(bundle=None).aggregate(all=Sum(text))["all"]
    bundles = Bundle.objects.filter(army_list=army_list)
    army_list.size = (loose or 0) + (bundles.aggregate(all=Sum(Length("data")))["all"] or 0)
    ArmyList.objects.filter(pk=army_list.pk).update(size=army_list.size)


def loose_lists(after: int, before: datetime) -> tuple[list[UUID], int]:
    """Lists with versions that could go into bundles, of some versions whose primary keys come
    `after` one and that were stored `before` a time; and the key up to which was looked.
    """
    rows = Version.objects.filter(pk__gt=after).order_by("pk")
    found: dict[UUID, None] = {}
    columns = rows.values_list("pk", "army_list_id", "bundle_id", "created")[:_LOOKED_AT]
    for key, list_id, bundle, created in columns:
        if bundle is None and created > before:
            break
        after = key
        if bundle is None:
            found[list_id] = None
    return list(found), after


def bundle_some(list_id: UUID, step: Callable[[Callable[[], object]], object]) -> int:
    """Put so many of a list's versions into a bundle as fit into one; how many there were. They are
    read and packed first: `step` does what is left in a short transaction.
    """
    army_list = ArmyList.objects.filter(pk=list_id).first()
    if army_list is None:
        return 0
    keys, texts = [], []
    for version in _loose(army_list).iterator(EVERY):
        keys.append(version.pk)
        texts.append(text_of(version.document.to_dict()))
        if full(texts):
            break
    if len(keys) < 2:
        return 0
    data = packed(texts)

    def work() -> None:
        # Some may have gone meanwhile: what is left of them finds its place all the same.
        if ArmyList.objects.select_for_update().filter(pk=list_id).exists():
            _store(army_list, keys, data)
            put_size(army_list)

    step(work)
    return len(keys)


def _loose(army_list: ArmyList) -> QuerySet[Version]:
    """The versions before the current one that are in no bundle, the first before all others."""
    loose = _versions(army_list.pk).filter(bundle=None, number__lt=army_list.number)
    return loose.order_by("number")


def _versions(list_id: UUID) -> QuerySet[Version]:
    return Version.objects.filter(army_list_id=list_id)
