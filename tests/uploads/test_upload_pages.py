"""Books out of uploaded files: upload, report, keep; and who may see what."""

from html import unescape
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from armybuilder.battlescribe.books import read_sources
from armybuilder.battlescribe.books import uploads as reading
from armybuilder.battlescribe.games import make_game
from armybuilder.books.models import OwnBook
from armybuilder.jobs import queue
from armybuilder.uploads import jobs
from armybuilder.uploads.jobs import uploads
from armybuilder.uploads.models import Upload
from armybuilder.uploads.tasks import read_upload, work
from tests.building.battlescribe import SYSTEM_ID, models, unit
from tests.building.zips import packed
from tests.markup import lacking
from tests.uploads.files import Uploading, a_book, a_game, both, spears, text_of

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def folder(settings: Any, tmp_path: Path) -> Path:
    """Where uploads wait."""
    backend = "django.core.files.storage.FileSystemStorage"
    options = {"location": tmp_path, "allow_overwrite": True}
    storage = {"BACKEND": backend, "OPTIONS": options}
    settings.STORAGES = {**settings.STORAGES, "uploads": storage}
    return tmp_path


@pytest.fixture
def mine(client: Client) -> Uploading:
    return Uploading(client)


def test_what_is_kept_is_an_own_book_of_the_game_and_lists_are_built_of_it(
    mine: Uploading, folder: Path
) -> None:
    mine.send(both())
    assert list(folder.iterdir()) == []
    page = text_of(mine.page)
    for words in ("The Ninth Age 2023", "Öre Folk", "1 unit · 1 option"):
        assert words in page
    report = (mine.upload.report or {})["games"][0]["books"][0]
    assert report["judged"] > 0
    assert OwnBook.objects.count() == 0, "nothing is saved until you confirm"
    answer = mine.client.post(f"{mine.url}keep/", {"book": mine.book_ids}, follow=True)
    assert "Saved 1 book." in answer.text
    book = OwnBook.objects.get()
    assert (book.system, book.name, book.unit_count) == ("t9a-2023", "Öre Folk", 1)
    assert book.data["kind"] == "own"
    assert Upload.objects.count() == 0
    fields = {"name": "Mine", "limit": 2000, "books": [book.pk]}
    url = mine.client.post("/new/t9a-2023/", fields)["Location"]
    assert "Spears" in text_of(mine.client.get(url).text)


def test_books_of_a_zip_are_read_and_only_the_ticked_ones_kept(mine: Uploading) -> None:
    # Of a zip bombs are refused and other files are passed over.
    files = {f"The-9th-Age-main/{name}": raw for name, raw in both().items()}
    files["The-9th-Age-main/README.md"] = b"# Books"
    files["bomb.cat"] = b"<catalogue>" + b" " * (7 << 20) + b"</catalogue>"
    mine.zipped(files)
    assert "bomb.cat is too large when unzipped." in unescape(mine.page)
    assert "The-9th-Age-main/README.md" in mine.page
    assert len(mine.book_ids) == 1
    # Only the ticked books are kept and none is told.
    files = both() | {"wood.cat": a_book(name="Wood Folk", id_="bbbb-0000-0000-0002")}
    mine.zipped(files)
    assert len(mine.book_ids) == 2
    answer = mine.client.post(f"{mine.url}keep/")
    assert answer.status_code == 422
    assert "Choose at least one book." in answer.text
    assert "Öre Folk" in mine.page
    mine.keep(mine.book_ids[1])
    assert [book.name for book in OwnBook.objects.all()] == ["Wood Folk"]


def test_thrown_away_nothing_stays(mine: Uploading) -> None:
    mine.send(both())
    answer = mine.client.post(f"{mine.url}away/", follow=True)
    assert "Nothing was saved." in answer.text
    assert (Upload.objects.count(), OwnBook.objects.count()) == (0, 0)
    assert mine.client.get(mine.url).status_code == 404
    # Of many uploads the latest stay.
    for _each in range(jobs.MAX_KEPT + 2):
        mine.send(both())
    assert Upload.objects.count() == jobs.MAX_KEPT
    assert mine.client.get("/books/upload/").text.count("read, not saved yet") == 3


def test_what_no_file_can_be_is_told_with_its_name(
    mine: Uploading, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "MAX_ENTRIES", 300)
    monkeypatch.setattr(reading, "MAX_FILE_BYTES", 1 << 20)
    bomb = packed({"a.cat": b" " * (20 << 20)})

    def written_by(version: bytes) -> bytes:
        return a_book().replace(b"2.03", version)

    entity = b'<!DOCTYPE a [<!ENTITY x "y">]><catalogue>&x;</catalogue>'
    cases = [
        ("a.cat", b"no xml", "This is not a complete XML file."),
        ("a.cat", b"<catalogue>", "This is not a complete XML file."),
        ("a.cat", entity, "The file defines entities or a document type, which is not allowed."),
        ("a.txt", b"a list", "Choose a .cat, .catz, .gst, .gstz or .zip file."),
        ("a.zip", b"no zip", "This is not a complete zip file."),
        ("a.zip", b"", "This is not a complete zip file."),
        ("a.catz", b"no zip", "This is not a complete zip file."),
        ("a.cat", b"<roster/>", "This is an army list. Import it under “Import lists”."),
        ("a.cat", b"<html/>", "This is neither a BattleScribe game system nor a catalogue"),
        (
            "a.cat",
            written_by(b"2.01"),
            "The file was written by BattleScribe 2.01, which we can’t read",
        ),
        (
            "a.cat",
            written_by(b"new"),
            "The file doesn’t say which version of BattleScribe wrote it.",
        ),
        ("a.cat", b"<a>" * 200, "The file is nested too deeply."),
        ("a.cat", b"<a>" + b"<b/>" * 301 + b"</a>", "The file has more than 300 entries."),
        ("a.cat", b"<a>" + b'<b id="x"/>' * 600 + b"</a>", "The file has more than 300 entries."),
        ("a.cat", b"<a>" + b" " * (1 << 20) + b"</a>", "The file is larger than 1 MB."),
        ("a.catz", bomb, "a.cat is too large when unzipped."),
    ]
    for name, content, sentence in cases:
        assert mine.send({name: content}).status_code == 302
        page = unescape(mine.page)
        assert lacking(page, f"{name}: {sentence}", "Nothing was saved.") == []


def test_a_book_without_its_game_is_refused_and_says_which_is_missing(mine: Uploading) -> None:
    mine.send({"ore.cat": a_book()})
    page = unescape(mine.page)
    assert "Upload the .gst file of “The 9th Age: Fantasy Battles 2nd Edition 2023" in page
    assert mine.book_ids == []
    assert mine.keep("own-0000000000000000").status_code == 422
    # Those of another edition or game are taken where that is asked.
    mine.send({"ore.cat": a_book(), "t9a.gst": a_game(name="The 9th Age 2031", revision=99)})
    assert "revision 99; our rules are those of" in unescape(mine.page)
    assert len(mine.book_ids) == 1
    files = {"ore.cat": a_book(of=SYSTEM_ID), "own.gst": a_game(SYSTEM_ID, "Mine", 1)}
    mine.send(files, game="t9a-2023")
    assert len(mine.book_ids) == 1


def test_two_catalogues_to_which_their_author_gave_one_id_are_two_books(
    mine: Uploading, tmp_path: Path
) -> None:
    files = {
        "sand.cat": a_book(spears("Jackals"), name="Sand Folk (Test 2)", of=SYSTEM_ID),
        "silk.cat": a_book(spears("Moths"), name="Silk Folk (Test 2)", of=SYSTEM_ID),
        "war.gst": a_game(SYSTEM_ID, "War of Cloth", 1),
    }
    mine.zipped(files, game="own")
    report = (mine.upload.report or {})["games"][0]["books"]
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
    made = make_game(read_sources(tmp_path), 0, "cloth")
    assert [book["name"] for book in report] == [one.book["name"] for one in made.books]
    assert [book["name"] for book in report] == ["Sand Folk (Test 2)", "Silk Folk (Test 2)"]
    assert [one.book["units"][0]["name"] for one in made.books] == ["Jackals", "Moths"]
    assert made.refused == ()


def test_json_is_named_wherever_it_is(mine: Uploading) -> None:
    told = "JSON can only be read for games kept as their own files."
    for files in ({"moss.json": b"{}"}, {"all.zip": packed({"data/moss.json": b"{}"})}):
        mine.send(files)
        assert lacking(unescape(mine.page), f"moss.json: {told}") == []
    mine.zipped(both() | {"moss.json": b"{}"})
    assert told in unescape(mine.page)
    assert len(mine.book_ids) == 1


def test_links_in_a_circle_and_ids_used_twice_are_refused_by_themselves(mine: Uploading) -> None:
    circle = (
        '<entryLink id="1" name="Round" hidden="false" collective="false" import="true"'
        ' targetId="{}" type="selectionEntryGroup"/>'
    )
    groups = "".join(
        f'<selectionEntryGroup id="{one}" name="{one}" hidden="false" collective="false"'
        f' import="true"><entryLinks>{circle.format(two)}</entryLinks></selectionEntryGroup>'
        for one, two in (("g1", "g2"), ("g2", "g1"))
    )
    book = a_book(
        unit("Spears", models(10, 30, 5), circle.format("g1")),
        name="Round Folk",
        id_="bbbb-0000-0000-0002",
    ).replace(b"</catalogue>", f"<sharedSelectionEntryGroups>{groups}"
              "</sharedSelectionEntryGroups></catalogue>".encode())  # fmt: skip
    mine.send(both() | {"round.cat": book, "zwei.cat": a_book(spears("Pikes"))})
    page = unescape(mine.page)
    assert (
        lacking(page, "round.cat", "lead in a circle", "The file has the same id as ore.cat.") == []
    )
    assert len(mine.book_ids) == 1


def test_what_cannot_be_uploaded_is_told_at_once(
    mine: Uploading, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs, "MAX_BYTES", 1 << 20)
    many = {f"{number}.cat": b"" for number in range(jobs.MAX_FILES + 1)}
    cases: list[tuple[dict[str, bytes], dict[str, str], str]] = [
        ({}, {}, "Choose a file first"),
        (both(), {"game": "chess"}, "There is no such game."),
        (many, {}, "At most 100 files at once"),
        ({"a.cat": b" " * ((1 << 20) + 1)}, {}, "at most 1 MB together"),
    ]
    for files, fields, sentence in cases:
        answer = mine.send(files, **fields)
        assert answer.status_code == 422
        assert sentence in answer.text
    assert Upload.objects.count() == 0


def test_books_beyond_what_one_may_have_are_not_kept(mine: Uploading, settings: Any) -> None:
    settings.QUOTAS = {**settings.QUOTAS, "anonymous": {**settings.QUOTAS["anonymous"], "books": 9}}
    mine.send(both())
    answer = mine.keep()
    assert answer.status_code == 422
    assert "Your books fill all" in answer.text
    assert OwnBook.objects.count() == 0
    assert len(mine.book_ids) == 1


def taken() -> Upload:
    """The upload that is next, given to a worker."""
    upload = uploads.take("worker")
    assert upload is not None
    return upload


class TestByAWorker:
    """Uploads that wait for a worker, as on a server."""

    @pytest.fixture(autouse=True)
    def waiting(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(type(read_upload), "enqueue", lambda *_one, **_two: None)

    def test_the_page_shows_how_far_it_is_and_works_without_script(
        self, mine: Uploading, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(queue, "worker_is_there", lambda: False)
        mine.send(both())
        assert "Uploads are paused on this server." in mine.page
        assert "Check progress" in mine.page
        upload = taken()
        Upload.objects.update(total=3, done=2)
        assert "2 of 3 books read" in text_of(mine.page)
        work(upload)
        assert "Öre Folk" in mine.page

    def test_the_page_is_loaded_anew_when_it_is_read(self, mine: Uploading) -> None:
        mine.send(both())
        asked = {"headers": {"HX-Request": "true"}}
        there = mine.client.get(f"{mine.url}?seen=waiting", **asked)
        assert "HX-Refresh" not in there.headers
        Upload.objects.update(state="done", report={"games": [], "refused": [], "others": []})
        assert mine.client.get(f"{mine.url}?seen=waiting", **asked)["HX-Refresh"] == "true"

    def test_one_is_read_at_a_time(self, mine: Uploading) -> None:
        mine.send(both())
        answer = mine.send(both())
        assert answer.status_code == 422
        assert "Your last upload is still being read." in answer.text

    def test_a_worker_that_dies_again_and_again_is_told(self, mine: Uploading) -> None:
        mine.send(both())
        for _each in range(3):
            assert uploads.take("dead") is not None
            Upload.objects.update(moved=timezone.now() - uploads.kept_for)
            uploads.revive(timezone.now())
        assert "This was tried 3 times, and failed each time." in text_of(mine.page)

    def test_one_thrown_away_meanwhile_is_left_off(self, mine: Uploading, folder: Path) -> None:
        mine.send(both())
        upload = taken()
        mine.client.post(f"{mine.url}away/")
        work(upload)
        assert Upload.objects.count() == 0
        assert list(folder.iterdir()) == []
        # Files that are gone are told.
        mine.send(both())
        upload = taken()
        uploads.files().delete(str(upload.pk))
        work(upload)
        assert "The files are no longer here. Upload them again." in mine.page

    def test_what_takes_too_long_is_told(self, mine: Uploading, settings: Any) -> None:
        settings.UPLOAD_SECONDS = {**settings.UPLOAD_SECONDS, "all": -1.0}
        mine.send(both())
        work(taken())
        assert "The files before it used up the time." in mine.page
