"""Writes about lists as a whole: pins, tags, the archive, deleting, restoring and removing.

Each returns the ids that it changed, of those that the holder has; `updated` stays.
"""

from collections.abc import Callable, Iterable, Sequence
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from armybuilder.lists.models import ArmyList, Bundle, Version
from armybuilder.lists.quotas import check_room, overfull

#: The longest tag, and how many one list may have.
MAX_TAG, MOST_TAGS = 30, 12
#: Versions that one transaction removes: with documents of the largest size some 50 ms.
AT_ONCE = 50

Ids = Sequence[UUID]


def read_tags(text: str) -> list[str]:
    """Return the tags in a text, separated by commas, each once and cut to length."""
    words = (" ".join(part.split())[:MAX_TAG].rstrip() for part in text[:2_000].split(","))
    return _in_order(word for word in words if word.isprintable())


def _in_order(tags: Iterable[str]) -> list[str]:
    """Return tags in the order of the alphabet, each once; the case of letters is ignored."""
    once: dict[str, str] = {}
    for tag in filter(None, tags):
        once.setdefault(tag.casefold(), tag)
    return [once[key] for key in sorted(once)][:MOST_TAGS]


def with_tags(tags: list[str], more: Iterable[str]) -> list[str]:
    """Return the tags and some more; existing ones stay if there is no room for all."""
    known = {tag.casefold() for tag in tags}
    fresh = [tag for tag in more if tag.casefold() not in known]
    return _in_order([*tags, *fresh[: max(0, MOST_TAGS - len(tags))]])


def _without_tags(tags: Iterable[str], fewer: Iterable[str]) -> list[str]:
    gone = {tag.casefold() for tag in fewer}
    return [tag for tag in tags if tag.casefold() not in gone]


def _held(holder: str, ids: Ids) -> QuerySet[ArmyList]:
    return ArmyList.objects.filter(pk__in=ids, holder=holder).exclude(holder="")


def _change(lists: QuerySet[ArmyList], **values: object) -> list[UUID]:
    """Give these lists values; return their ids, in no order that matters."""
    with transaction.atomic():
        changed = list(lists.select_for_update().values_list("pk", flat=True))
        ArmyList.objects.filter(pk__in=changed).update(**values)
    return changed


def pin(holder: str, ids: Ids) -> list[UUID]:
    return _change(_held(holder, ids).filter(pinned=False), pinned=True)


def unpin(holder: str, ids: Ids) -> list[UUID]:
    return _change(_held(holder, ids).filter(pinned=True), pinned=False)


def archive(holder: str, ids: Ids) -> list[UUID]:
    """Put lists out of the way."""
    lists = _held(holder, ids).filter(archived__isnull=True, deleted__isnull=True)
    return _change(lists, archived=timezone.now())


def unarchive(holder: str, ids: Ids) -> list[UUID]:
    return _change(_held(holder, ids).filter(archived__isnull=False), archived=None)


def delete(holder: str, ids: Ids) -> list[UUID]:
    """Delete lists, which can be restored for a while if not too many others are deleted later."""
    changed = _change(_held(holder, ids).filter(deleted__isnull=True), deleted=timezone.now())
    for key in overfull(holder):
        remove_list(key)
    return changed


def restore(holder: str, ids: Ids) -> list[UUID]:
    """Bring deleted lists back to where they were. Raises NoRoom if they do not fit."""
    with transaction.atomic():
        changed = _change(_held(holder, ids).filter(deleted__isnull=False), deleted=None)
        check_room(holder)
    return changed


def tag(holder: str, ids: Ids, tags: list[str]) -> list[UUID]:
    """Add tags to lists, as far as there is room for them."""
    return _retag(_held(holder, ids), lambda existing: with_tags(existing, tags))


def untag(holder: str, ids: Ids, tags: list[str]) -> list[UUID]:
    return _retag(_held(holder, ids), lambda existing: _without_tags(existing, tags))


def set_tags(holder: str, ids: Ids, tags: list[str]) -> list[UUID]:
    return _retag(_held(holder, ids), lambda existing: tags)


def rename_tag(holder: str, old: str, new: Sequence[str]) -> list[UUID]:
    """Rename a tag on all lists of the holder, or take it from them if nothing is new."""

    def renamed(existing: list[str]) -> list[str]:
        left = _without_tags(existing, [old])
        return with_tags(left, new) if left != existing else existing

    return _retag(ArmyList.objects.filter(holder=holder).exclude(holder=""), renamed)


def _retag(lists: QuerySet[ArmyList], change: Callable[[list[str]], list[str]]) -> list[UUID]:
    with transaction.atomic():
        changed = []
        for army_list in lists.select_for_update():
            tags = change(army_list.tags)
            if tags != army_list.tags:
                army_list.tags = tags
                changed.append(army_list)
        ArmyList.objects.bulk_update(changed, ["tags"], batch_size=200)
    return [army_list.pk for army_list in changed]


def remove_list(list_id: UUID) -> None:
    """Remove a list permanently, hidden from the first moment on, in short transactions."""
    ArmyList.objects.filter(pk=list_id).update(holder="")
    while remove_some(list_id, AT_ONCE):
        pass
    ArmyList.objects.filter(pk=list_id).delete()


def remove_some(list_id: UUID, most: int) -> bool:
    """Remove up to this many versions, or bundles, of a hidden list; return whether any were."""
    for table in (Version, Bundle):
        keys = list(table.objects.filter(army_list_id=list_id).values_list("pk", flat=True)[:most])
        if keys:
            with transaction.atomic():
                table.objects.filter(pk__in=keys).delete()
            return True
    return False
