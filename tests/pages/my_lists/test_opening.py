"""Opening saved lists, and rosters of BattleScribe: files, zips, and what is refused by name."""

import html
import json
import re
import zipfile
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.http import HttpResponse
from django.test import Client
from django.urls import resolve

from armybuilder.battlescribe.rosters import write_ros, write_rosz
from armybuilder.exchange import files as opening
from armybuilder.exchange.csvs import write_csv
from armybuilder.lists.models import ArmyList, Version
from armybuilder.loading.documents import Document
from armybuilder.loading.jsontext import MAX_BYTES
from tests.building.documents import army, list_of, skirmish, value_of
from tests.building.zips import packed
from tests.exchange.t9a_lists import EXAMPLES, LIBRARY, without_revisions
from tests.markup import lacking, refused

pytestmark = pytest.mark.django_db


def document(name: str, system: str = "sbh") -> bytes:
    return json.dumps(list_of(system, [], [], limit=300, name=name)).encode()


def open_files(client: Client, *files: tuple[str, bytes]) -> HttpResponse:
    uploads = [SimpleUploadedFile(name, content) for name, content in files]
    return client.post("/lists/open/", {"file": uploads})


def names() -> list[str]:
    versions = Version.objects.order_by("-army_list__created")
    return [version.document.to_dict()["name"] for version in versions]


def test_several_files_become_lists_in_their_order_which_can_be_undone(client: Client) -> None:
    answer = open_files(client, ("a.json", document("A")), ("b.json", document("B")))
    assert answer["Location"] == "/lists/"
    page = client.get("/lists/")
    assert "Imported 2 lists." in page.text
    assert names() == ["A", "B"]
    done = page.context["done"]
    client.post("/lists/chosen/", {"do": done["undo"], "list": done["lists"]})
    assert not ArmyList.objects.filter(deleted__isnull=True).exists()


def test_a_zip_opens_with_all_its_lists_and_without_what_systems_put_into_it(
    client: Client,
) -> None:
    content = packed(
        {
            "a.json": document("A"),
            "folder/b.json": document("B"),
            "__MACOSX/b.json": b"x",
            ".DS_Store": b"x",
        }
    )
    open_files(client, ("lists.zip", content), ("c.json", document("C")))
    assert names() == ["A", "B", "C"]


def test_a_zip_of_one_list_leads_to_it(client: Client) -> None:
    answer = open_files(client, ("lists.zip", packed({"a.json": document("A")})))
    assert answer["Location"] == f"/lists/{ArmyList.objects.get().pk}/"
    # One of rosters opens with all of them.
    content = packed({"a.ros": RAW, "b.rosz": write_rosz(value_of(EXAMPLE), LIBRARY)})
    open_files(client, ("all.zip", content))
    assert ArmyList.objects.count() == 3


def test_each_refused_file_is_named_with_its_reason_and_the_others_open(client: Client) -> None:
    content = packed(
        {
            "good.json": document("Good"),
            "game.json": document("Lost", system="no-such"),
            "picture.png": b"x",
            "long.json": b" " * (MAX_BYTES + 1),
        }
    )
    open_files(client, ("lists.zip", content), ("broken.json", b"{"), ("half.zip", b"PK\x03\x04"))
    done = client.get("/lists/").context["done"]
    assert names() == ["Good"]
    reasons = dict(done["refused"])
    assert set(reasons) == {"game.json", "picture.png", "long.json", "broken.json", "half.zip"}
    assert "no game system" in reasons["game.json"]
    assert "at most 512 KB" in reasons["long.json"]
    assert "not JSON" in reasons["broken.json"]
    assert "not a complete zip" in reasons["half.zip"]


@pytest.mark.slow
def test_a_zip_that_lies_about_its_sizes_is_read_no_further_than_a_list_may_be_long(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[int] = []
    before = zipfile.ZipExtFile.read

    def count(stream: zipfile.ZipExtFile, n: int = -1) -> bytes:
        content = before(stream, n)
        read.append(len(content))
        return content

    monkeypatch.setattr(zipfile.ZipExtFile, "read", count)
    bomb = packed({"bomb.json": b"[" * 50_000_000, "good.json": document("Good")})
    open_files(client, ("bomb.zip", bomb))
    assert max(read) == MAX_BYTES + 1
    assert names() == ["Good"]


def test_too_many_or_too_much_is_refused_before_anything_is_stored(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    two = [("a.json", document("A")), ("b.json", document("B"))]
    # What is packed in a zip counts for what is in it.
    roster = packed({"a.ros": b"<roster>" + b" " * 9_000 + b"</roster>"})
    rosters = [("lists.zip", packed({"a.rosz": roster, "b.rosz": roster}))]
    for limit, value, files, said in (
        ("MOST_OPENED", 1, two, "At most 1 lists can be imported at once."),
        ("MAX_TOTAL", 10, two, "Import the lists in smaller batches."),
        ("MAX_TOTAL", 10_000, rosters, "Import the lists in smaller batches."),
        ("MAX_ZIP", 10, rosters, "A zip file may have at most"),
    ):
        with monkeypatch.context() as patch:
            patch.setattr(opening, limit, value)
            answer = open_files(client, *files)
        assert answer.status_code == 422, limit
        assert said in answer.text
        assert not ArmyList.objects.exists()


def test_the_page_of_imports_stores_nothing_that_is_refused_or_looked_at(client: Client) -> None:
    for address in ("/lists/open/", "/lists/paste/?system=sbh"):
        assert client.get(address)["Location"].startswith("/lists/import/")
    page = client.get("/lists/import/?system=sbh").text
    assert re.search(r'<input id="id_file" type="file" name="file" multiple', page)
    assert lacking(page, "<textarea", 'value="sbh" selected') == []
    # What is refused alone is refused as before.
    answer = open_files(client, ("lists.zip", b"PK\x03\x04 and no more"))
    assert answer.status_code == 422
    page = answer.text
    assert "not a complete zip" in page
    assert 'id="id_file"' in page  # another can be chosen at once
    assert client.post("/lists/open/", {}).status_code == 422
    # A text alone is shown line by line before anything is saved.
    answer = open_files(client, ("army.txt", b"Highborn Elves 4500\n25 Citizen Spears\n"))
    assert answer.status_code == 200
    assert "25 Citizen Spears" in answer.text
    assert not ArmyList.objects.exists()


def test_texts_among_several_files_become_lists_or_are_refused_by_name(client: Client) -> None:
    open_files(
        client,
        ("a.json", document("A")),
        ("b.txt", b"Highborn Elves 4500\n25 Citizen Spears\n"),
        ("c.txt", b"Nothing that anybody knows"),
        ("d.txt", bytes(range(256))),
    )
    assert sorted(names()) == ["A", "Highborn Elves 4500"]
    page = client.get("/lists/").text
    assert lacking(page, "2 files were not imported", "c.txt", "d.txt") == []


def test_several_texts_with_a_line_that_is_not_clear_are_shown_before_they_are_kept(
    client: Client,
) -> None:
    doubtful = b"Elves 300\n2 Elf Archer, 70\nBlorb 20\n"
    clear = b"Highborn Elves 4500\n25 Citizen Spears\n"
    answer = open_files(
        client, ("a.json", document("A")), ("b.txt", doubtful), ("c.txt", clear), ("d.txt", b"x")
    )
    page = html.unescape(answer.text)
    assert names() == ["A"]  # it is as its file has it
    for said in ("The texts hold 3 lists", "b.txt", "2 Elf Archer, 70", "Blorb 20", "d.txt"):
        assert said in page
    fields = {"file": ["b.txt", "c.txt"], "text": [doubtful.decode(), clear.decode()]}
    look = client.post("/lists/paste/", {**fields, "only": "1-1"}).text
    assert "Preview of the import" in look
    assert 'name="file"' not in look
    client.post("/lists/paste/", {**fields, "go": "keep", "part": ["2-1"]})
    assert sorted(names()) == ["A", "Highborn Elves 4500"]


def test_several_texts_that_do_not_say_size_or_game_are_shown_with_what_is_assumed(
    client: Client,
) -> None:
    one = b"25 Citizen Spears, Champion, Musician, 320\n"
    page = open_files(client, ("a.txt", one), ("b.txt", one)).text
    assert page.count("The text gives no game size") == 2
    assert page.count('<span class="muted">The Ninth Age 2024</span>') == 2
    one = b"My orcs, 300 points\n\n5 Orc Boss\n"
    page = open_files(client, ("a.txt", one), ("b.txt", one)).text
    assert page.count('<span class="muted">Song of Blades and Heroes</span>') == 2
    assert not ArmyList.objects.exists()


EXAMPLE = EXAMPLES["the-princes-dragon"]
RAW = write_ros(value_of(EXAMPLE), LIBRARY)
#: The same with a unit that nobody knows, at a price.
STRANGE = RAW.replace(b'name="Lion Chariot" entryId="', b'name="Tank" entryId="x')


def upload(client: Client, document: Document) -> str:
    answer = open_files(client, ("a.json", json.dumps(document).encode()))
    return str(answer["Location"])


def page(client: Client, address: str) -> str:
    return client.get(address).text


def test_a_roster_opens_as_a_list_and_a_page_tells_what_was_read(client: Client) -> None:
    zipped = write_rosz(value_of(EXAMPLE), LIBRARY)
    for file in (("list.ros", RAW), ("list.rosz", zipped)):
        answer = open_files(client, file)
        assert answer["Location"] == "/lists/read/", file[0]
        version = Version.objects.latest("pk")
        assert without_revisions(version.document) == EXAMPLE
        told = page(client, "/lists/read/")
        assert "Everything in the file was imported." in told
        assert f"/lists/{version.army_list_id}/" in told


@pytest.mark.slow
def test_what_an_import_left_out_is_shown_with_points_and_verdict(client: Client) -> None:
    open_files(client, ("list.ros", STRANGE))
    told = page(client, "/lists/read/")
    assert lacking(told, "Left out: Tank", "points here", "<strong>4500 in the file</strong>") == []
    assert re.search(r"[0-9]+ errors?|[0-9]+ to do", told)
    ways = re.search(r'href="(/lists/[^"]+/ways/)"', told)
    assert ways
    assert "Suggested fixes" in page(client, ways[1])


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
    answer = client.post("/lists/paste/", {"text": '{"roster": 1}', "go": "look"})
    assert "{&quot;roster&quot;: 1}" in refused(answer)


def test_several_files_lead_to_my_lists_from_where_what_was_read_is_found(client: Client) -> None:
    document = json.dumps(skirmish("sbh")).encode()
    answer = open_files(client, ("a.ros", RAW), ("b.json", document), ("c.rosz", b"<roster/>"))
    assert answer["Location"] == "/lists/"
    told = page(client, "/lists/")
    assert lacking(told, "/lists/read/", "There is no army in the list.") == []
    assert EXAMPLE["name"] in page(client, "/lists/read/")
    assert skirmish("sbh")["name"] not in page(client, "/lists/read/")


def test_import_reports_are_shown_only_to_their_reader(client: Client) -> None:
    # A roster that cannot be read is refused in a sentence.
    answer = open_files(client, ("list.ros", b'<!DOCTYPE a [<!ENTITY b "c">]><roster/>'))
    assert "The file defines entities or a document type" in refused(answer)
    assert not ArmyList.objects.exists()
    # What was read is told to nobody else and not of lists that are gone.
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
    # Only lists that BattleScribe can have are offered so.
    army_url, other = upload(client, army(3)), upload(client, skirmish("sbh"))
    assert "list.rosz" in page(client, f"{army_url}export/")
    assert "list.ros" not in page(client, f"{other}text/")
    assert "BattleScribe has no data" in refused(client.get(f"{other}list.ros"))


def test_the_command_line_judges_rosters_too(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "list.ros"
    file.write_bytes(RAW)
    call_command("validate_list", str(file))
    assert "4500" in capsys.readouterr().out
