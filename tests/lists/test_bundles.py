"""Old versions of a list are kept together, small; nobody who reads them notices."""

from datetime import timedelta
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from armybuilder.lists import compaction
from armybuilder.lists.compaction import MOST_BYTES, full, packed, text_of
from armybuilder.lists.models import ArmyList, Bundle, Version
from armybuilder.loading import armylist
from tests.building.documents import army, skirmish, value_of
from tests.conftest import Builder

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def bundling(monkeypatch: pytest.MonkeyPatch) -> None:
    """The release before is gone for good."""
    monkeypatch.setattr(compaction, "_known", [True])


def renamed(builder: Builder, times: int) -> list[dict[str, Any]]:
    """The documents after so many clicks, the first of all before them."""
    found = [builder.document]
    for number in range(times):
        builder.act("rename", name=f"Name {number}")
        found.append(builder.document)
    return found


def in_bundles(builder: Builder) -> set[int]:
    versions = builder.version.army_list.versions.exclude(bundle=None)
    return set(versions.values_list("number", flat=True))


def raw(version: Version) -> str:
    with connection.cursor() as cursor:
        cursor.execute("SELECT document FROM lists_version WHERE id = %s", [version.pk])
        return str(cursor.fetchone()[0])


def test_a_bundle_gives_out_what_was_put_in() -> None:
    texts = [text_of(one) for one in (army(), skirmish("sbh"), {"name": "Ä\n\u2028 “x”"})]
    assert Bundle(data=packed(texts)).texts == texts


def test_a_bundle_is_full_by_number_or_by_bytes() -> None:
    assert not full([b"x"] * 24)
    assert full([b"x"] * 25)
    assert full([b"x" * MOST_BYTES])


def test_of_a_long_history_old_versions_are_in_bundles_and_all_read_as_before(
    chainmail: Builder,
) -> None:
    documents = renamed(chainmail, 30)
    assert in_bundles(chainmail) == set(range(1, 25))
    versions = Version.objects.order_by("number")
    assert [version.document.to_dict() for version in versions] == documents
    assert raw(versions[3]) == "null"
    assert Bundle.objects.count() == 1


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


def test_bundled_versions_take_less_than_a_quarter(chainmail: Builder) -> None:
    document = army()
    chainmail.version.army_list.versions.update(document=value_of(document))
    renamed(chainmail, 25)
    loose = len(text_of(document))
    (bundle,) = Bundle.objects.all()
    assert len(bundle.data) < 24 * loose / 4


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


def test_saving_a_row_whose_document_is_in_a_bundle_leaves_it_there(chainmail: Builder) -> None:
    documents = renamed(chainmail, 25)
    version = Version.objects.get(number=3)
    version.label = "Kept"
    version.save()
    again = Version.objects.get(number=3)
    assert raw(again) == "null"
    assert again.document.to_dict() == documents[2]


def test_a_dump_brings_bundled_versions_back(chainmail: Builder, tmp_path: Any) -> None:
    documents = renamed(chainmail, 26)
    file = tmp_path / "dump.json"
    call_command("dumpdata", "lists", output=str(file))
    ArmyList.objects.all().delete()
    call_command("loaddata", str(file), verbosity=0)
    versions = Version.objects.order_by("number")
    assert [version.document.to_dict() for version in versions] == documents
