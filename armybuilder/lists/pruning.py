"""Prune the history of a list: what is long ago need not be kept click by click.

The last 200 versions up to the current one stay, and what can be redone; before those the last of
each hour, after 30 days of each day; the first and labelled ones always. The rest is numbered anew
without a gap, so that undo leads from each to the one before.
"""

from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta

from django.db.models import F, QuerySet

from armybuilder.lists.bundles import forget_bundles, put_size
from armybuilder.lists.models import ArmyList, Version

#: So many versions are kept one by one.
EACH = 200
#: Older ones are kept by the hour until they are so old, and then by the day.
HOURLY = timedelta(days=30)
#: A list is thinned each time its number of versions passes a multiple of this.
EVERY = 100
#: Rows that one statement removes; and more than any list has versions.
_AT_ONCE = 500
_BEYOND = 1_000_000_000


def spare(versions: Iterable[tuple[int, datetime]], now: datetime) -> Iterator[int]:
    """Of old versions, as (number, when) from the first on, the numbers of those that can go."""
    before: tuple[int, str] | None = None
    for number, when in versions:
        span = when.strftime("%Y-%m-%d %H" if now - when < HOURLY else "%Y-%m-%d")
        if before is not None and before[1] == span and before[0] != 1:
            yield before[0]
        before = (number, span)


def thin(army_list: ArmyList, now: datetime) -> int:
    """Prune a list and number the rest anew, also in `army_list`; return how many versions went.
    Call it in a transaction that holds the list.
    """
    going = spare_of(army_list, now)
    if going:
        _remove(army_list, sorted(going))
        last = army_list.number - EACH
        _renumber(army_list, [one for one in range(1, last + 1) if one not in going], last)
        forget_bundles(army_list.pk)
        put_size(army_list)
    return len(going)


def spare_of(army_list: ArmyList, now: datetime) -> set[int]:
    """The numbers of a list's versions that can go."""
    if army_list.number <= EACH:
        return set()
    old = _versions(army_list).filter(number__lte=army_list.number - EACH).order_by("number")
    times = old.values_list("number", "created")
    return set(spare(times, now)) - set(old.exclude(label="").values_list("number", flat=True))


def _versions(army_list: ArmyList) -> QuerySet[Version]:
    return Version.objects.filter(army_list_id=army_list.pk)


def _remove(army_list: ArmyList, numbers: list[int]) -> None:
    for start in range(0, len(numbers), _AT_ONCE):
        _versions(army_list).filter(number__in=numbers[start : start + _AT_ONCE]).delete()


def _renumber(army_list: ArmyList, staying: list[int], last: int) -> None:
    """Number the old versions that stay from 1 on, and those behind `last` after them."""
    for number, was in enumerate(staying, 1):
        if number != was:
            _versions(army_list).filter(number=was).update(number=number)
    shift = last - len(staying)
    # In two steps, so that no number is there twice on the way.
    _versions(army_list).filter(number__gt=last).update(number=F("number") + _BEYOND)
    moved = _versions(army_list).filter(number__gt=_BEYOND)
    moved.update(number=F("number") - (_BEYOND + shift))
    army_list.number -= shift
    army_list.latest -= shift
    army_list.save(update_fields=["number", "latest"])
