"""The column of a list: JSON in the database, the same value again out of it."""

from io import StringIO

import pytest
from django.core.management import call_command
from django.db import connection

from armybuilder.lists.models import ArmyList, Version
from armybuilder.loading.armylist import ArmyList as Value
from armybuilder.loading.documents import check_document, hash_of
from tests.building.documents import army, skirmish

pytestmark = pytest.mark.django_db

DOCUMENT = {**skirmish("chainmail-2002"), "notes": ""}


def stored(document: Value) -> Version:
    made = ArmyList.objects.create(holder="ann")
    return Version.objects.create(army_list=made, number=1, document=document, act="Started.")


@pytest.mark.parametrize("data", [DOCUMENT, army()], ids=["skirmish", "army"])
def test_a_list_comes_out_of_the_database_as_it_went_in(data: dict[str, object]) -> None:
    document = check_document(data)
    found = Version.objects.get(pk=stored(document).pk).document
    assert found == document
    assert hash_of(found) == hash_of(document)
    assert found.to_dict() == data


def test_what_was_stored_as_json_before_is_read_alike() -> None:
    version = stored(check_document(DOCUMENT))
    text = (
        '{"units": [], "system": "sbh", "name": "Old", "limit": 5, "books": [],'
        ' "format": "armylist/1"}'
    )
    with connection.cursor() as cursor:
        cursor.execute("UPDATE lists_version SET document = %s WHERE id = %s", [text, version.pk])
    assert Version.objects.get().document == Value("sbh", (), "Old", 5)


def test_queries_look_into_it() -> None:
    stored(check_document(DOCUMENT))
    lists = Version.objects.filter(document__system="chainmail-2002")
    assert lists.get().document.name == "Fifteen models"
    (found,) = lists.values_list("document__name", "document__limit", "document__books")
    assert found == ("Fifteen models", 140, [{"id": "practice"}])


def test_a_dump_of_the_database_brings_it_back() -> None:
    before = stored(check_document(DOCUMENT)).document
    dump = StringIO()
    call_command("dumpdata", "lists", stdout=dump)
    Version.objects.all().delete()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.stdin", StringIO(dump.getvalue()))
        call_command("loaddata", "-", format="json", stdout=StringIO())
    assert Version.objects.get().document == before
