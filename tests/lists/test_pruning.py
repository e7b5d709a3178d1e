"""The history of a list gets thinner the longer ago it is, and nothing of the present is lost."""

from datetime import datetime, timedelta
from uuid import UUID

from django.contrib.sessions.models import Session
from django.core.management import call_command
from django.utils import timezone

from armybuilder.acts.about import Rename
from armybuilder.lists import services
from armybuilder.lists.compaction import EACH, spare, thin
from armybuilder.lists.models import ArmyList, Version
from armybuilder.loading.library import shipped_library
from tests.building.documents import value_of
from tests.conftest import Builder

NOW = datetime(2026, 6, 30, 12, 30, tzinfo=timezone.get_default_timezone())


def times(*hours_ago: float) -> list[tuple[int, datetime]]:
    return [(number, NOW - timedelta(hours=ago)) for number, ago in enumerate(hours_ago, 1)]


def test_of_each_hour_the_last_version_stays_and_the_first_of_all() -> None:
    assert list(spare(times(9.9, 9.8, 9.7, 5.2, 5.1, 0.4), NOW)) == [2, 4]


def test_after_30_days_one_of_each_day_stays() -> None:
    long_ago = 31 * 24
    going = spare(times(long_ago + 9, long_ago + 5, long_ago + 4, long_ago, 5, 4), NOW)
    assert list(going) == [2, 3]


def test_nothing_old_means_nothing_goes() -> None:
    assert list(spare([], NOW)) == []
    assert list(spare(times(8), NOW)) == []


def history(builder: Builder, length: int, minutes: float, number: int | None = None) -> ArmyList:
    """A list with so many versions, so many minutes apart, the last of them now; its version
    `number` is the current one.
    """
    first = builder.version
    rows = [
        Version(
            army_list=first.army_list,
            number=one,
            document=value_of({**first.document.to_dict(), "name": f"Name {one}"}),
            act=f"Act {one}.",
        )
        for one in range(2, length + 1)
    ]
    Version.objects.bulk_create(rows)
    army_list = first.army_list
    army_list.number, army_list.latest = number or length, length
    army_list.save()
    now = timezone.now()
    versions = list(army_list.versions.all())
    for version in versions:
        version.created = now - timedelta(minutes=minutes * (length - version.number))
    Version.objects.bulk_update(versions, ["created"])
    return army_list


def numbers(army_list: ArmyList) -> list[int]:
    return sorted(army_list.versions.values_list("number", flat=True))


def test_thinning_keeps_the_last_ones_and_leaves_no_gap(chainmail: Builder) -> None:
    army_list = history(chainmail, EACH + 120, minutes=1)
    kept = set(army_list.versions.order_by("-number").values_list("pk", flat=True)[:EACH])
    gone = thin(army_list, timezone.now())
    assert 115 <= gone <= 118  # two hours and a bit: two or three versions stay, and the first
    assert numbers(army_list) == list(range(1, EACH + 120 - gone + 1))
    assert kept <= set(army_list.versions.values_list("pk", flat=True))
    army_list.refresh_from_db()
    assert army_list.number == army_list.latest == EACH + 120 - gone
    assert chainmail.document["name"] == f"Name {EACH + 120}"
    assert army_list.versions.get(number=1).act == "Started the list."


def test_what_can_be_undone_and_redone_from_a_point_long_ago_stays(chainmail: Builder) -> None:
    army_list = history(chainmail, EACH + 100, minutes=1, number=EACH)
    assert thin(army_list, timezone.now()) == 0
    assert numbers(army_list) == list(range(1, EACH + 101))


def test_a_short_history_stays_whole(chainmail: Builder) -> None:
    army_list = history(chainmail, EACH, minutes=1)
    assert thin(army_list, timezone.now()) == 0


def test_acts_thin_a_long_history_on_the_way(chainmail: Builder) -> None:
    army_list = history(chainmail, 399, minutes=1)
    seen = chainmail.version.pk
    holder, list_id = army_list.holder, UUID(str(army_list.pk))
    saved = services.perform(holder, list_id, seen, Rename("After so many"), shipped_library())
    left = numbers(army_list)
    assert len(left) < 210
    assert left == list(range(1, len(left) + 1))
    assert saved.version.number == len(left)
    assert chainmail.document["name"] == "After so many"
    chainmail.act("undo")
    assert chainmail.document["name"] == "Name 399"
    chainmail.act("redo")
    assert chainmail.document["name"] == "After so many"
    assert chainmail.client.get(f"{chainmail.url}history/").status_code == 200


def test_tidying_thins_every_long_history(chainmail: Builder) -> None:
    army_list = history(chainmail, EACH + 60, minutes=0.5)
    call_command("tidy", verbosity=0)
    assert len(numbers(army_list)) == EACH + 60
    call_command("tidy", "--remove", verbosity=0)
    assert EACH <= len(numbers(army_list)) <= EACH + 3


def test_lists_deleted_long_ago_go_with_all_their_versions(chainmail: Builder) -> None:
    army_list = chainmail.version.army_list
    for days, left in ((89, 1), (91, 0)):
        ArmyList.objects.update(deleted=timezone.now() - timedelta(days=days))
        call_command("tidy", "--remove", verbosity=0)
        assert ArmyList.objects.count() == left
    assert not Version.objects.filter(army_list_id=army_list.pk).exists()


def test_expired_sessions_go_and_others_stay(chainmail: Builder) -> None:
    Session.objects.create(session_key="old", expire_date=timezone.now() - timedelta(days=1))
    call_command("tidy", verbosity=0)
    assert Session.objects.count() == 2
    call_command("tidy", "--remove", verbosity=0)
    assert [one.session_key for one in Session.objects.all()] == [
        chainmail.client.session.session_key
    ]
