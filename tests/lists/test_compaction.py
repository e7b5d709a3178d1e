"""Documents in the database, old versions kept small, and histories that get thinner."""

import json
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import pytest
from django.contrib.sessions.models import Session
from django.core.management import call_command
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from armybuilder.acts.about import Rename
from armybuilder.lists import compaction, services
from armybuilder.lists.compaction import EACH, MOST_BYTES, full, packed, spare, text_of, thin
from armybuilder.lists.models import ArmyList, Bundle, Version
from armybuilder.loading import armylist
from armybuilder.loading.armylist import ArmyList as Value
from armybuilder.loading.documents import check_document, hash_of
from armybuilder.loading.library import shipped_library
from tests.building.documents import army, skirmish, value_of
from tests.conftest import Builder

pytestmark = pytest.mark.django_db

DOCUMENT = {**skirmish("chainmail-2002"), "notes": ""}


def stored(document: Value) -> Version:
    made = ArmyList.objects.create(holder="ann")
    return Version.objects.create(army_list=made, number=1, document=document, act="Started.")


def test_a_list_comes_out_of_the_database_as_it_went_in() -> None:
    for data in (DOCUMENT, army()):
        document = check_document(data)
        found = Version.objects.get(pk=stored(document).pk).document
        assert found == document
        assert hash_of(found) == hash_of(document)
        assert found.to_dict() == data


def test_what_was_stored_as_json_before_is_read_alike_and_queries_look_into_it() -> None:
    version = stored(check_document(DOCUMENT))
    lists = Version.objects.filter(document__system="chainmail-2002")
    assert lists.get().document.name == "Fifteen models"
    (found,) = lists.values_list("document__name", "document__limit", "document__books")
    assert found == ("Fifteen models", 140, [{"id": "practice"}])
    empty = {"units": [], "system": "sbh", "name": "Old", "limit": 5, "books": []}
    text = json.dumps({**empty, "format": "armylist/1"})
    with connection.cursor() as cursor:
        cursor.execute("UPDATE lists_version SET document = %s WHERE id = %s", [text, version.pk])
    assert Version.objects.get().document == Value("sbh", (), "Old", 5)


@pytest.fixture(autouse=True)
def bundling(monkeypatch: pytest.MonkeyPatch) -> None:
    """The release before is gone for good."""
    monkeypatch.setattr(compaction, "_known", [True])


def renamed(builder: Builder, times: int) -> list[dict[str, Any]]:
    """The documents after so many acts, the first of all before them."""
    found, version, library = [builder.document], builder.version, shipped_library()
    for number in range(times):
        holder, list_id = version.army_list.holder, version.army_list_id
        act = Rename(f"Name {number}")
        version = services.perform(holder, list_id, version.pk, act, library).version
        found.append(version.document.to_dict())
    return found


def in_bundles(builder: Builder) -> set[int]:
    versions = builder.version.army_list.versions.exclude(bundle=None)
    return set(versions.values_list("number", flat=True))


def raw(version: Version) -> str:
    with connection.cursor() as cursor:
        cursor.execute("SELECT document FROM lists_version WHERE id = %s", [version.pk])
        return str(cursor.fetchone()[0])


def test_a_bundle_gives_out_what_was_put_in_and_is_full_by_number_or_by_bytes() -> None:
    texts = [text_of(one) for one in (army(), skirmish("sbh"), {"name": "Ä\n\u2028 “x”"})]
    assert Bundle(data=packed(texts)).texts == texts
    assert not full([b"x"] * 24)
    assert full([b"x"] * 25)
    assert full([b"x" * MOST_BYTES])


def test_of_a_long_history_old_versions_are_in_bundles_and_all_read_as_before(
    chainmail: Builder, tmp_path: Any
) -> None:
    documents = renamed(chainmail, 30)
    assert in_bundles(chainmail) == set(range(1, 25))
    versions = Version.objects.order_by("number")
    assert [version.document.to_dict() for version in versions] == documents
    assert raw(versions[3]) == "null"
    assert Bundle.objects.count() == 1
    # Saving a row leaves its document there, and a dump brings it back.
    Version.objects.get(number=3).save()
    again = Version.objects.get(number=3)
    assert raw(again) == "null"
    assert again.document.to_dict() == documents[2]
    file = tmp_path / "dump.json"
    call_command("dumpdata", "lists", output=str(file))
    ArmyList.objects.all().delete()
    call_command("loaddata", str(file), verbosity=0)
    assert [version.document.to_dict() for version in versions.all()] == documents


def test_undo_leads_through_bundles_and_a_click_goes_on_from_there(chainmail: Builder) -> None:
    documents = renamed(chainmail, 26)
    for number in reversed(range(20, 26)):
        chainmail.act("undo")
        assert chainmail.document == documents[number]
    chainmail.act("redo")
    assert chainmail.document == documents[21]
    chainmail.act("rename", name="Another way")
    assert chainmail.document["name"] == "Another way"
    assert chainmail.version.number == chainmail.version.army_list.latest == 23


@pytest.mark.slow
def test_a_bundle_that_no_version_needs_goes(chainmail: Builder) -> None:
    renamed(chainmail, 26)
    for _each in range(26):
        chainmail.act("undo")
    chainmail.act("rename", name="From the start")
    assert Bundle.objects.count() == 1  # the first version is still in it
    army_list = chainmail.version.army_list
    army_list.versions.exclude(bundle=None).delete()
    compaction.forget_bundles(army_list.pk)
    assert not Bundle.objects.exists()


@pytest.mark.slow
def test_a_list_says_what_its_documents_take(chainmail: Builder) -> None:
    def counted() -> int:
        rows = Version.objects.filter(bundle=None)
        loose = sum(len(text_of(version.document.to_dict())) for version in rows)
        return loose + sum(len(bundle.data) for bundle in Bundle.objects.all())

    for times in (3, 30):
        renamed(chainmail, times)
        assert chainmail.version.army_list.size == pytest.approx(counted(), rel=0.1)
    army_list = chainmail.version.army_list
    compaction.put_size(army_list)
    assert army_list.size == pytest.approx(counted(), rel=0.1)


@pytest.mark.slow
def test_bundled_versions_take_less_than_a_quarter(chainmail: Builder) -> None:
    chainmail.version.army_list.versions.update(document=value_of(army()))
    renamed(chainmail, 25)
    assert len(Bundle.objects.get().data) < 24 * len(text_of(army())) / 4


@pytest.mark.slow
def test_nothing_is_bundled_while_the_release_before_may_answer(
    chainmail: Builder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compaction, "_known", [])
    row = MigrationRecorder.Migration.objects.filter(app="lists", name="0006_growth")
    row.update(applied=timezone.now() - timedelta(minutes=50))
    renamed(chainmail, 26)
    assert in_bundles(chainmail) == set()
    row.update(applied=timezone.now() - timedelta(minutes=61))
    renamed(chainmail, 25)
    assert in_bundles(chainmail) == set(range(1, 50))


@pytest.mark.slow
def test_a_page_of_the_history_reads_each_bundle_once(chainmail: Builder) -> None:
    renamed(chainmail, 60)
    for page, most in ((1, 5), (2, 5)):
        with CaptureQueriesContext(connection) as queries:
            answer = chainmail.client.get(f"{chainmail.url}history/{page}/")
        assert answer.status_code == 200
        assert len(queries) <= most, [query["sql"] for query in queries]


def test_a_query_of_many_rows_parses_only_what_is_read(
    chainmail: Builder, monkeypatch: pytest.MonkeyPatch
) -> None:
    renamed(chainmail, 5)
    parsed = []
    whole = armylist.ArmyList.from_dict
    monkeypatch.setattr(
        armylist.ArmyList, "from_dict", lambda data: parsed.append(1) or whole(data)
    )
    versions = list(Version.objects.all())
    assert parsed == []
    assert versions[0].document is versions[0].document
    assert parsed == [1]


NOW = datetime(2026, 6, 30, 12, 30, tzinfo=timezone.get_default_timezone())


def times(*hours_ago: float) -> list[tuple[int, datetime]]:
    return [(number, NOW - timedelta(hours=ago)) for number, ago in enumerate(hours_ago, 1)]


def test_of_each_hour_the_last_version_stays_and_the_first_of_all() -> None:
    assert list(spare(times(9.9, 9.8, 9.7, 5.2, 5.1, 0.4), NOW)) == [2, 4]
    # After 30 days one of each day stays.
    long_ago = 31 * 24
    going = spare(times(long_ago + 9, long_ago + 5, long_ago + 4, long_ago, 5, 4), NOW)
    assert list(going) == [2, 3]
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


def test_thinning_keeps_the_last_and_labelled_ones_and_leaves_no_gap(chainmail: Builder) -> None:
    army_list = history(chainmail, EACH + 120, minutes=1)
    kept = set(army_list.versions.order_by("-number").values_list("pk", flat=True)[:EACH])
    labelled = army_list.versions.filter(number__in=(7, 50))
    kept.update(labelled.values_list("pk", flat=True))
    labelled.update(label="Club night")
    gone = thin(army_list, timezone.now())
    # Two hours and a bit: two or three versions stay, the first, and those with a label.
    assert 113 <= gone <= 116
    assert numbers(army_list) == list(range(1, EACH + 120 - gone + 1))
    assert kept <= set(army_list.versions.values_list("pk", flat=True))
    army_list.refresh_from_db()
    assert army_list.number == army_list.latest == EACH + 120 - gone
    assert chainmail.document["name"] == f"Name {EACH + 120}"
    assert army_list.versions.get(number=1).act == "Started the list."


@pytest.mark.slow
def test_what_can_be_undone_and_redone_from_a_point_long_ago_stays(chainmail: Builder) -> None:
    army_list = history(chainmail, EACH + 100, minutes=1, number=EACH)
    assert thin(army_list, timezone.now()) == 0  # nor of a history no longer than that
    assert numbers(army_list) == list(range(1, EACH + 101))


@pytest.mark.slow
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


@pytest.mark.slow
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
    # Expired sessions go, and others stay.
    Session.objects.create(session_key="old", expire_date=timezone.now() - timedelta(days=1))
    call_command("tidy", verbosity=0)
    assert Session.objects.count() == 2
    call_command("tidy", "--remove", verbosity=0)
    assert Session.objects.get().session_key == chainmail.client.session.session_key
