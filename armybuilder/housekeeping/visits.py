"""Visits, so that lists of browsers that never return need not stay forever.

A browser's day is noted once a day, on its first page. Accounts need no such note.
"""

from datetime import date, timedelta
from typing import Any

from django.conf import settings
from django.db.models import Exists, OuterRef, QuerySet
from django.http import HttpRequest
from django.utils import timezone

from armybuilder.accounts.holders import holder_of
from armybuilder.accounts.models import User
from armybuilder.books.models import OwnBook
from armybuilder.events.models import Entry, Staff, Waiting
from armybuilder.games.models import Holding
from armybuilder.housekeeping.models import Visit
from armybuilder.lists.models import ArmyList
from armybuilder.packs.models import OwnPack
from armybuilder.writable import where_possible

#: Browsers that were here last before this day have read of the longer time only.
SOONER_SINCE = date(2026, 12, 1)
#: Where the session keeps the day that was noted, and whose.
_NOTED = "seen"


def note_visit(request: HttpRequest) -> None:
    """Note that a browser without an account is here today, unless that is noted already."""
    holder, today = holder_of(request), timezone.localdate().isoformat()
    if not holder or "user_name" in request.session:
        return
    if request.session.get(_NOTED) == [holder, today]:
        return
    if where_possible("a visit", lambda: note([holder], timezone.localdate())):
        request.session[_NOTED] = [holder, today]


def note(holders: list[str], day: date) -> None:
    Visit.objects.bulk_create(
        [Visit(name=holder, seen=day) for holder in holders],
        update_conflicts=True,
        unique_fields=["name"],
        update_fields=["seen"],
    )


def forget_visits(*holders: str) -> None:
    Visit.objects.filter(name__in=holders).delete()


def unnoted(most: int) -> list[str]:
    """Return some browsers that hold something without a visit.

    They are older than visits, and count from the day of the first call.
    """
    holders: set[str] = set()
    for table in (ArmyList, OwnBook, OwnPack, Holding):
        rows: QuerySet[Any] = table._default_manager.exclude(holder="")
        rows = rows.exclude(Exists(Visit.objects.filter(name=OuterRef("holder"))))
        rows = rows.exclude(Exists(User.objects.filter(holder=OuterRef("holder"))))
        holders.update(rows.order_by().values_list("holder", flat=True).distinct()[:most])
    return sorted(holders)[:most]


def abandoned(today: date) -> QuerySet[Visit]:
    """Return the browsers without an account whose last visit was too long ago.

    That is sooner where they were here on one day alone, and have shared and submitted nothing.
    """
    days = timedelta(days=settings.ABANDONED_DAYS), timedelta(days=settings.ONE_DAY_DAYS)
    old, for_a_day = (Visit.objects.filter(seen__lt=today - limit) for limit in days)
    for_a_day = for_a_day.filter(seen__gte=SOONER_SINCE)
    mine, came_back = {"holder": OuterRef("name")}, {"created__date__lt": OuterRef("seen")}
    for table, shared in ((ArmyList, {"shares__isnull": False}), (OwnBook, {"shared": True})):
        rows = table._default_manager.filter(**mine)
        for_a_day = for_a_day.exclude(Exists(rows.filter(**came_back)))
        for_a_day = for_a_day.exclude(Exists(rows.filter(**shared)))
    for people in (Entry, Staff, Waiting):
        for_a_day = for_a_day.exclude(Exists(people._default_manager.filter(**mine)))
    accounts = User.objects.filter(holder=OuterRef("name"))
    return (old | for_a_day).exclude(Exists(accounts))
