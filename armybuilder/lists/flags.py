"""Writes about lists as a whole: pins, tags, the archive, deleting and restoring.

Each takes ids, leaves out what is not the holder's or is like that already, and returns the ids it
changed. None counts as a change of a list: `updated` stays.
"""

from collections.abc import Callable, Iterable, Sequence
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from armybuilder.lists.models import ArmyList
from armybuilder.lists.quotas import check_room, overfull
from armybuilder.lists.removing import remove_list

#: The longest tag, and how many one list may have.
MAX_TAG = 30
MOST_TAGS = 12


def read_tags(text: str) -> list[str]:
    """The tags that somebody typed, with commas between them, each once and cut to length."""
    words = (" ".join(part.split())[:MAX_TAG].rstrip() for part in text[:2_000].split(","))
    return in_order(word for word in words if word.isprintable())


def in_order(tags: Iterable[str]) -> list[str]:
    """Tags in the order of the alphabet, each once; big and small letters are the same."""
    once: dict[str, str] = {}
    for tag in filter(None, tags):
        once.setdefault(tag.casefold(), tag)
    return [once[key] for key in sorted(once)][:MOST_TAGS]


def with_tags(tags: Iterable[str], more: Iterable[str]) -> list[str]:
    """Return the tags and some more; those that were there stay when there is no room for all."""
    had = list(tags)
    known = {tag.casefold() for tag in had}
    fresh = [tag for tag in more if tag.casefold() not in known]
    return in_order([*had, *fresh[: max(0, MOST_TAGS - len(had))]])


def without_tags(tags: Iterable[str], fewer: Iterable[str]) -> list[str]:
    """Return the tags but for some."""
    gone = {tag.casefold() for tag in fewer}
    return [tag for tag in tags if tag.casefold() not in gone]


Ids = Sequence[UUID]


def _held(holder: str, ids: Ids) -> QuerySet[ArmyList]:
    return ArmyList.objects.filter(pk__in=ids, holder=holder).exclude(holder="")


def _change(lists: QuerySet[ArmyList], **values: object) -> list[UUID]:
    """Give these lists values; the ids of the lists, in no order that matters."""
    with transaction.atomic():
        changed = list(lists.select_for_update().values_list("pk", flat=True))
        ArmyList.objects.filter(pk__in=changed).update(**values)
    return changed


def pin(holder: str, ids: Ids) -> list[UUID]:
    """Keep lists at the top."""
    return _change(_held(holder, ids).filter(pinned=False), pinned=True)


def unpin(holder: str, ids: Ids) -> list[UUID]:
    """Let lists stand where their order puts them."""
    return _change(_held(holder, ids).filter(pinned=True), pinned=False)


def archive(holder: str, ids: Ids) -> list[UUID]:
    """Put lists out of the way."""
    lists = _held(holder, ids).filter(archived__isnull=True, deleted__isnull=True)
    return _change(lists, archived=timezone.now())


def unarchive(holder: str, ids: Ids) -> list[UUID]:
    """Bring archived lists back."""
    return _change(_held(holder, ids).filter(archived__isnull=False), archived=None)


def delete(holder: str, ids: Ids) -> list[UUID]:
    """Put lists away; they can be restored for a while, as long as not too many others were put
    away after them.
    """
    changed = _change(_held(holder, ids).filter(deleted__isnull=True), deleted=timezone.now())
    for key in overfull(holder):
        remove_list(key)
    return changed


def restore(holder: str, ids: Ids) -> list[UUID]:
    """Bring deleted lists back to where they were. Raises NoRoom where they do not fit."""
    with transaction.atomic():
        changed = _change(_held(holder, ids).filter(deleted__isnull=False), deleted=None)
        check_room(holder)
    return changed


def tag(holder: str, ids: Ids, tags: Iterable[str]) -> list[UUID]:
    """Give lists some tags more, as far as there is room for them."""
    more = list(tags)
    return _retag(_held(holder, ids), lambda had: with_tags(had, more))


def untag(holder: str, ids: Ids, tags: Iterable[str]) -> list[UUID]:
    """Take some tags from lists."""
    fewer = list(tags)
    return _retag(_held(holder, ids), lambda had: without_tags(had, fewer))


def set_tags(holder: str, ids: Ids, tags: Iterable[str]) -> list[UUID]:
    """Give lists exactly these tags."""
    wanted = list(tags)
    return _retag(_held(holder, ids), lambda had: wanted)


def rename_tag(holder: str, old: str, new: Sequence[str]) -> list[UUID]:
    """Call a tag otherwise on all lists of the holder, or with nothing new take it from them."""
    lists = ArmyList.objects.filter(holder=holder).exclude(holder="")

    def renamed(had: list[str]) -> list[str]:
        left = without_tags(had, [old])
        return with_tags(left, new) if left != had else had

    return _retag(lists, renamed)


def _retag(lists: QuerySet[ArmyList], change: Callable[[list[str]], list[str]]) -> list[UUID]:
    with transaction.atomic():
        changed = []
        for one in lists.select_for_update():
            tags = change(one.tags)
            if tags != one.tags:
                one.tags = tags
                changed.append(one)
        ArmyList.objects.bulk_update(changed, ["tags"], batch_size=200)
    return [one.pk for one in changed]
