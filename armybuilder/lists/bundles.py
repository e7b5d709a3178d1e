"""Versions whose documents are put together into bundles, and what a list takes in the database.

The latest versions of a list stay as they were written: the current one is read at each click.
"""

from datetime import timedelta
from uuid import UUID

from django.db import transaction
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
    loose = _versions(army_list.pk).filter(bundle=None, number__lt=army_list.number)
    keys: list[int] = []
    texts: list[bytes] = []
    number = 0
    for version in loose.order_by("number").iterator(EVERY):
        keys.append(version.pk)
        texts.append(text_of(version.document.to_dict()))
        number += 1
        if full(texts):
            _store(army_list, keys, texts)
            keys, texts = [], []
    if len(texts) > 1:
        _store(army_list, keys, texts)
    put_size(army_list)
    return number


def _store(army_list: ArmyList, keys: list[int], texts: list[bytes]) -> None:
    bundle = Bundle.objects.create(army_list=army_list, data=packed(texts))
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


def bundle_if_quiet(list_id: UUID) -> int:
    """Bundle a list that nobody holds now; how many versions were put into bundles."""
    with transaction.atomic():
        army_list = ArmyList.objects.select_for_update().filter(pk=list_id).first()
        return bundle_list(army_list) if army_list is not None else 0


def _versions(list_id: UUID) -> QuerySet[Version]:
    return Version.objects.filter(army_list_id=list_id)
