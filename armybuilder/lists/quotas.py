"""Room that a holder's lists still have, by numbers kept with each: no document is read."""

from uuid import UUID

from django.db import connection
from django.utils.translation import gettext as _

from armybuilder.accounts.quotas import Quota, anonymous_quota, no_room, quota_of
from armybuilder.lists.models import ArmyList

# Asked after every act: to make it of a query set takes Django ten times as long as the database
# takes to answer. Versions are numbered without a gap: the latest number is how many there are.
_USED, _USED_BY_DELETED = (
    f"SELECT COUNT(*), SUM(latest), SUM(size), SUM(frozen_size) FROM {ArmyList._meta.db_table}"  # noqa: S608
    f" WHERE holder = %s AND deleted IS {which}"
    for which in ("NULL", "NOT NULL")
)


def used(holder: str, deleted: bool = False) -> Quota:
    """Return the room that the holder's lists, or deleted ones, take; with frozen copies."""
    with connection.cursor() as cursor:
        cursor.execute(_USED_BY_DELETED if deleted else _USED, [holder])
        number, versions, size, frozen = cursor.fetchone()
    return Quota(number, int(versions or 0), int(size or 0) + int(frozen or 0), 0)


def check_room(holder: str, lists: int = 0, versions: int = 0, size: int = 0) -> None:
    """Raise NoRoom if the holder's lists, with these, are too many; called after a write."""
    now = used(holder)
    now = Quota(now.lists + lists, now.versions + versions, now.size + size, 0)
    if not holder or _fits(now, anonymous_quota()):
        return
    most = quota_of(holder)
    if _fits(now, most):
        return
    if now.lists > most.lists:
        sentence = _(
            "You have {number} lists, the maximum. Delete some you no longer need, then try again."
        ).format(number=most.lists)
    elif now.size > most.size:
        sentence = _(
            "Your lists fill all {most} MB available. Delete some you no longer need, "
            "then try again."
        ).format(most=most.size // 1_000_000)
    else:
        sentence = _(
            "Your lists have {number} versions in their histories, the maximum. Delete "
            "lists you no longer need, then try again."
        ).format(number=most.versions)
    raise no_room(sentence, holder)


def overfull(holder: str) -> list[UUID]:
    """Return the oldest deleted lists of a holder beyond the quota for those."""
    if not holder or _fits(used(holder, deleted=True), anonymous_quota()):
        return []
    most = quota_of(holder)
    away = ArmyList.objects.filter(holder=holder, deleted__isnull=False)
    lists = versions = size = 0
    going = []
    columns = ("pk", "latest", "size", "frozen_size")
    for key, latest, taken, frozen in away.order_by("-deleted", "id").values_list(*columns):
        lists, versions, size = lists + 1, versions + latest, size + (taken or 0) + (frozen or 0)
        if not _fits(Quota(lists, versions, size, 0), most):
            going.append(key)
    return going


def room_left(holder: str) -> Quota:
    """Return the room left; no number is below 0."""
    most, now = quota_of(holder), used(holder)
    return Quota(*(max(0, one - other) for one, other in zip(most, now, strict=True)))


def _fits(now: Quota, most: Quota) -> bool:
    return all(one <= other for one, other in zip(now, most, strict=True))
