"""Opening saved lists: several files, zips of them, and what is refused by name."""

import html
import json
import re
import zipfile

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.test import Client

from armybuilder.exchange import files as opening
from armybuilder.lists.models import ArmyList, Version
from armybuilder.loading.jsontext import MAX_BYTES
from tests.building.documents import list_of
from tests.building.zips import packed

pytestmark = pytest.mark.django_db


def document(name: str, system: str = "sbh") -> bytes:
    return json.dumps(list_of(system, [], [], limit=300, name=name)).encode()


def open_files(client: Client, *files: tuple[str, bytes]) -> HttpResponse:
    uploads = [SimpleUploadedFile(name, content) for name, content in files]
    return client.post("/lists/open/", {"file": uploads})


def names() -> list[str]:
    """What the stored lists are called, the latest first."""
    versions = Version.objects.order_by("-army_list__created")
    return [version.document.to_dict()["name"] for version in versions]


def test_several_files_become_lists_in_their_order(client: Client) -> None:
    answer = open_files(client, ("a.json", document("A")), ("b.json", document("B")))
    assert answer["Location"] == "/lists/"
    assert "Imported 2 lists." in client.get("/lists/").content.decode()
    assert names() == ["A", "B"]


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


def test_opening_several_can_be_undone(client: Client) -> None:
    open_files(client, ("a.json", document("A")), ("b.json", document("B")))
    done = client.get("/lists/").context["done"]
    client.post("/lists/chosen/", {"do": done["undo"], "list": done["lists"]})
    assert not ArmyList.objects.filter(deleted__isnull=True).exists()


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


def test_what_is_refused_alone_is_refused_as_before(client: Client) -> None:
    answer = open_files(client, ("lists.zip", b"PK\x03\x04 and no more"))
    assert answer.status_code == 422
    page = answer.content.decode()
    assert "not a complete zip" in page
    assert 'id="id_file"' in page  # another can be chosen at once
    assert client.post("/lists/open/", {}).status_code == 422


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


@pytest.mark.parametrize(
    ("limit", "value", "said"),
    [
        ("MOST_OPENED", 1, "At most 1 lists can be imported at once."),
        ("MAX_TOTAL", 10, "Import the lists in smaller batches."),
    ],
)
def test_too_many_or_too_much_is_refused_before_anything_is_stored(
    client: Client, monkeypatch: pytest.MonkeyPatch, limit: str, value: int, said: str
) -> None:
    monkeypatch.setattr(opening, limit, value)
    answer = open_files(client, ("a.json", document("A")), ("b.json", document("B")))
    assert answer.status_code == 422
    assert said in answer.content.decode()
    assert not ArmyList.objects.exists()


def test_a_packed_roster_in_a_zip_counts_for_what_is_in_it(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opening, "MAX_TOTAL", 10_000)
    one = packed({"a.ros": b"<roster>" + b" " * 9_000 + b"</roster>"})
    answer = open_files(client, ("lists.zip", packed({"a.rosz": one, "b.rosz": one})))
    assert "Import the lists in smaller batches." in answer.content.decode()


def test_a_zip_that_is_too_long_is_not_looked_into(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opening, "MAX_ZIP", 10)
    answer = open_files(client, ("lists.zip", packed({"a.json": document("A")})))
    assert answer.status_code == 422
    assert "A zip file may have at most" in answer.content.decode()


@pytest.mark.parametrize("address", ["/lists/open/", "/lists/paste/?system=sbh"])
def test_old_addresses_lead_to_the_page_where_lists_are_imported(
    client: Client, address: str
) -> None:
    answer = client.get(address)
    assert answer.status_code == 302
    assert answer["Location"].startswith("/lists/import/")


def test_the_page_takes_files_and_text_without_script(client: Client) -> None:
    page = client.get("/lists/import/?system=sbh").content.decode()
    assert re.search(r'<input id="id_file" type="file" name="file" multiple', page)
    assert "<textarea" in page
    assert 'value="sbh" selected' in page


def test_a_text_alone_is_shown_line_by_line_before_anything_is_saved(client: Client) -> None:
    answer = open_files(client, ("army.txt", b"Highborn Elves 4500\n25 Citizen Spears\n"))
    assert answer.status_code == 200
    assert "25 Citizen Spears" in answer.content.decode()
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
    page = client.get("/lists/").content.decode()
    assert "2 files were not imported" in page
    assert "c.txt" in page
    assert "d.txt" in page


def test_several_texts_with_a_line_that_is_not_clear_are_shown_before_they_are_kept(
    client: Client,
) -> None:
    doubtful = b"Elves 300\n2 Elf Archer, 70\nBlorb 20\n"
    clear = b"Highborn Elves 4500\n25 Citizen Spears\n"
    answer = open_files(
        client, ("a.json", document("A")), ("b.txt", doubtful), ("c.txt", clear), ("d.txt", b"x")
    )
    page = html.unescape(answer.content.decode())
    assert names() == ["A"]  # it is as its file has it
    for said in ("The texts hold 3 lists", "b.txt", "2 Elf Archer, 70", "Blorb 20", "d.txt"):
        assert said in page
    fields = {"file": ["b.txt", "c.txt"], "text": [doubtful.decode(), clear.decode()]}
    look = client.post("/lists/paste/", {**fields, "only": "1-1"}).content.decode()
    assert "Preview of the import" in look
    assert 'name="file"' not in look
    client.post("/lists/paste/", {**fields, "go": "keep", "part": ["2-1"]})
    assert sorted(names()) == ["A", "Highborn Elves 4500"]


def test_several_texts_that_do_not_say_the_size_are_shown_with_what_is_assumed(
    client: Client,
) -> None:
    one = b"25 Citizen Spears, Champion, Musician, 320\n"
    page = open_files(client, ("a.txt", one), ("b.txt", one)).content.decode()
    assert page.count("The text does not say the size of the game") == 2
    assert page.count('<span class="muted">The Ninth Age 2024</span>') == 2
    assert not ArmyList.objects.exists()


def test_several_texts_whose_game_is_guessed_are_shown_with_it(client: Client) -> None:
    one = b"My orcs, 300 points\n\n5 Orc Boss\n"
    page = open_files(client, ("a.txt", one), ("b.txt", one)).content.decode()
    assert page.count('<span class="muted">Song of Blades and Heroes</span>') == 2
    assert not ArmyList.objects.exists()
