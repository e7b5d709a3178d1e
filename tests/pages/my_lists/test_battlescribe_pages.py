"""Rosters of BattleScribe on the site: saving a list as one, opening one, what is told of it."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.http import HttpResponse
from django.test import Client
from django.urls import resolve

from armybuilder.battlescribe.rosters import write_ros, write_rosz
from armybuilder.exchange.csvs import write_csv
from armybuilder.lists.models import ArmyList, Version
from armybuilder.loading.documents import Document
from tests.building.documents import army, skirmish, value_of
from tests.building.zips import packed
from tests.exchange.t9a_lists import EXAMPLES, LIBRARY, without_revisions

pytestmark = pytest.mark.django_db

EXAMPLE = EXAMPLES["the-princes-dragon"]
RAW = write_ros(value_of(EXAMPLE), LIBRARY)
#: The same with a unit that nobody knows, at a price.
STRANGE = RAW.replace(b'name="Lion Chariot" entryId="', b'name="Tank" entryId="x')


def open_files(client: Client, *files: tuple[str, bytes]) -> HttpResponse:
    uploads = [SimpleUploadedFile(name, content) for name, content in files]
    return client.post("/lists/open/", {"file": uploads})


def upload(client: Client, document: Document) -> str:
    """Open a document; the address of the list."""
    answer = open_files(client, ("a.json", json.dumps(document).encode()))
    return str(answer["Location"])


def page(client: Client, address: str) -> str:
    return client.get(address).content.decode()


@pytest.mark.parametrize(
    ("name", "raw"), [("list.ros", RAW), ("list.rosz", write_rosz(value_of(EXAMPLE), LIBRARY))]
)
def test_a_roster_opens_as_a_list_and_a_page_tells_what_was_read(
    client: Client, name: str, raw: bytes
) -> None:
    answer = open_files(client, (name, raw))
    assert answer["Location"] == "/lists/read/"
    version = Version.objects.get()
    assert without_revisions(version.document) == EXAMPLE
    told = page(client, "/lists/read/")
    assert "Everything in the file was imported." in told
    assert f"/lists/{version.army_list_id}/" in told


def test_what_did_not_go_over_is_told_beside_points_and_verdict(client: Client) -> None:
    open_files(client, ("list.ros", STRANGE))
    told = page(client, "/lists/read/")
    assert "Left out: Tank" in told
    assert "points here" in told
    assert "<strong>4500 in the file</strong>" in told
    assert re.search(r"[0-9]+ errors?|[0-9]+ to do", told)
    ways = re.search(r'href="(/lists/[^"]+/ways/)"', told)
    assert ways
    assert "Ways to make it legal" in page(client, ways[1])


def test_the_text_of_a_saved_file_that_is_pasted_is_opened_as_that_file(client: Client) -> None:
    document = value_of(EXAMPLE)
    texts = {
        "builder": json.dumps(EXAMPLE, indent=2),
        "rosters-read": RAW.decode(),
        "": write_csv(document, LIBRARY),
    }
    for name, text in texts.items():
        answer = client.post("/lists/paste/", {"text": f"\n{text}", "go": "look"})
        assert answer.status_code == 302
        assert resolve(answer["Location"]).url_name == (name or "builder")
    made = [version.document for version in Version.objects.all()]
    assert [len(one.units) for one in made] == [len(document.units)] * 3
    refused = client.post("/lists/paste/", {"text": '{"roster": 1}', "go": "look"})
    assert refused.status_code == 422
    assert "{&quot;roster&quot;: 1}" in refused.content.decode()


def test_several_files_lead_to_my_lists_from_where_what_was_read_is_found(client: Client) -> None:
    document = json.dumps(skirmish("sbh")).encode()
    answer = open_files(client, ("a.ros", RAW), ("b.json", document), ("c.rosz", b"<roster/>"))
    assert answer["Location"] == "/lists/"
    told = page(client, "/lists/")
    assert "/lists/read/" in told
    assert "There is no army in the list." in told
    assert EXAMPLE["name"] in page(client, "/lists/read/")
    assert skirmish("sbh")["name"] not in page(client, "/lists/read/")


def test_a_zip_of_rosters_opens_with_all_of_them(client: Client) -> None:
    content = packed({"a.ros": RAW, "b.rosz": write_rosz(value_of(EXAMPLE), LIBRARY)})
    open_files(client, ("all.zip", content))
    assert ArmyList.objects.count() == 2


def test_a_roster_that_cannot_be_read_is_refused_in_a_sentence(client: Client) -> None:
    answer = open_files(client, ("list.ros", b'<!DOCTYPE a [<!ENTITY b "c">]><roster/>'))
    assert answer.status_code == 422
    assert "It defines entities or a document type" in answer.content.decode()
    assert not ArmyList.objects.exists()


def test_what_was_read_is_told_to_nobody_else_and_not_of_lists_that_are_gone(
    client: Client,
) -> None:
    open_files(client, ("list.ros", RAW))
    assert Client().get("/lists/read/")["Location"] == "/lists/"
    client.post(f"/lists/{ArmyList.objects.get().pk}/delete/")
    assert client.get("/lists/read/")["Location"] == "/lists/"


def test_telling_of_many_rosters_asks_no_more_of_the_database(
    client: Client, django_assert_max_num_queries: Any
) -> None:
    open_files(client, *[(f"{number}.ros", STRANGE) for number in range(8)])
    with django_assert_max_num_queries(4):
        told = page(client, "/lists/read/")
    assert told.count("Left out: Tank") == 8


def test_very_many_remarks_are_counted_and_the_session_stays_small(client: Client) -> None:
    lost = b"<selection name='Nothing %d' entryId='x' number='1' type='upgrade'/>"
    inner = b"".join(lost % number for number in range(399))
    raw = RAW.replace(b"<selections>", b"<selections>" + inner, 1)
    open_files(client, *[(f"{number}.ros", raw) for number in range(3)])
    told = page(client, "/lists/read/")
    assert told.count("And 299 more.") == 1
    assert told.count("And 399 more.") == 2
    assert len(json.dumps(client.session["rosters_read"])) < 20_000


def test_a_list_is_saved_as_a_roster_plain_and_zipped(client: Client) -> None:
    url = upload(client, EXAMPLE)
    document = Version.objects.get().document
    plain, zipped = client.get(f"{url}list.ros"), client.get(f"{url}list.rosz")
    assert plain.content == write_ros(value_of(document), LIBRARY)
    assert zipped.content == write_rosz(value_of(document), LIBRARY)
    assert plain["Content-Type"] == "application/xml; charset=utf-8"
    assert ".ros" in plain["Content-Disposition"]
    assert zipped["Content-Disposition"].startswith("attachment")
    assert Client().get(f"{url}list.ros").status_code == 404


def test_only_lists_that_battlescribe_can_have_are_offered_as_rosters(client: Client) -> None:
    army_url, other = upload(client, army(3)), upload(client, skirmish("sbh"))
    assert "list.rosz" in page(client, f"{army_url}export/")
    assert "list.ros" not in page(client, f"{other}text/")
    answer = client.get(f"{other}list.ros")
    assert answer.status_code == 422
    assert "BattleScribe has no data" in answer.content.decode()


def test_the_command_line_judges_rosters_too(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "list.ros"
    file.write_bytes(RAW)
    call_command("validate_list", str(file))
    assert "4500" in capsys.readouterr().out
