"""Games out of uploaded files: upload, report, keep; and who may see what."""

from collections.abc import Iterator
from html import unescape
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.test import Client
from django.utils import timezone

from armybuilder.books.models import OwnBook
from armybuilder.games.models import Game, Holding
from armybuilder.games.opening import forget_opened, open_book
from armybuilder.jobs import queue
from armybuilder.uploads import jobs, tasks
from armybuilder.uploads.jobs import uploads
from armybuilder.uploads.models import Upload
from armybuilder.uploads.tasks import read_upload, work
from tests.building.zips import packed
from tests.kept_games.files import T9A, catalogue, json_catalogue, otters, system, unit, zipped
from tests.markup import lacking
from tests.uploads.files import Uploading, text_of

pytestmark = pytest.mark.django_db

COMMIT = "801555b" + "0" * 33


@pytest.fixture(autouse=True)
def folder(settings: Any, tmp_path: Path) -> Iterator[Path]:
    """Where uploads wait; files of games lie beside it."""
    backend = "django.core.files.storage.FileSystemStorage"
    for name in ("uploads", "games"):
        (tmp_path / name).mkdir()
        options = {"location": tmp_path / name, "allow_overwrite": True}
        storage = {"BACKEND": backend, "OPTIONS": options}
        settings.STORAGES = {**settings.STORAGES, name: storage}
    forget_opened()
    yield tmp_path / "uploads"
    forget_opened()


@pytest.fixture
def mine(client: Client) -> Uploading:
    return Uploading(client)


def moles() -> dict[str, bytes]:
    """Another game."""
    return {
        "Moles.gst": system("Moles", "sys-moles"),
        "Hill.cat": catalogue("Hill", unit("m", "Mole"), of="sys-moles"),
    }


def test_a_zip_of_a_repository_is_reported_first_and_kept_on_request(
    mine: Uploading, folder: Path
) -> None:
    files = {
        **otters(),
        "Lake.json": json_catalogue("Lake"),
        "Old.cat": catalogue("Old", version="2.01"),
        "README.md": b"# Otters",
    }
    mine.send({"otters-main.zip": zipped(files, comment=COMMIT)})
    assert list(folder.iterdir()) == []
    page = text_of(mine.page)
    said = ("The file was written by BattleScribe 2.01", "Other files in the zip were ignored")
    facts = ("War of the Otters", "3 catalogues", "4 units", "River", "Lake", "Pool", "README.md")
    assert lacking(page, *facts, *said, "Nothing is saved yet.") == []
    assert "We already have army books for this game" not in page
    assert Holding.objects.count() == 0
    (key,) = mine.keys
    assert mine.client.get(f"/games/{key}/").status_code == 404
    answer = mine.client.post(f"{mine.url}keep/", {"game": key}, follow=True)
    shown = text_of(answer.text)
    kept = ("Saved War of the Otters.", "otters-main.zip, 801555b")
    assert lacking(shown, *kept, "Every construct in these files is understood.") == []
    assert (Upload.objects.count(), OwnBook.objects.count()) == (0, 0)
    assert "War of the Otters" in mine.client.get("/books/").text
    assert [root.name for root in open_book(key, "river").roots] == ["Otter", "Newt"]


def test_nobody_else_sees_a_game_or_what_was_found_in_it(mine: Uploading) -> None:
    mine.send(otters())
    (key,) = mine.keys
    mine.keep(key)
    stranger = Client()
    assert stranger.get(f"/games/{key}/").status_code == 404
    assert stranger.post(f"/games/{key}/forget/").status_code == 404
    assert stranger.post(f"/games/{key}/name/", {"name": "x"}).status_code == 404
    assert "Otters" not in stranger.get("/books/").text
    other = Uploading(stranger)
    other.send(otters())
    page = other.keep("0" * 40)
    assert page.status_code == 422
    assert "Choose at least one game." in page.text
    assert Holding.objects.count() == 1
    assert mine.client.get(other.url).status_code == 404
    assert mine.client.post(f"{other.url}keep/", {"game": key}).status_code == 404


def test_a_game_is_renamed_and_deleted(mine: Uploading) -> None:
    mine.send(otters())
    (key,) = mine.keys
    mine.keep(key)
    mine.client.post(f"/games/{key}/name/", {"name": "Otters!"})
    assert '<h1 dir="auto">Otters!</h1>' in mine.client.get(f"/games/{key}/").text
    assert "Otters! was deleted." in mine.client.post(f"/games/{key}/forget/", follow=True).text
    assert mine.client.get(f"/games/{key}/").status_code == 404


def test_two_catalogues_of_one_id_are_both_kept(mine: Uploading) -> None:
    same = {**otters(), "Delta.cat": catalogue("Delta", unit("frog", "Frog"), id="river")}
    mine.zipped(same)
    assert "has the same id" not in text_of(mine.page)
    (key,) = mine.keys
    mine.keep(key)
    kept = text_of(mine.client.get(f"/games/{key}/").text)
    assert lacking(kept, "Delta", "River", "Sea") == []


def test_of_two_games_in_a_zip_the_ticked_one_is_kept(mine: Uploading) -> None:
    mine.zipped({**otters(), **moles()})
    assert "Save this game" in mine.page
    key = Game.objects.get(name="Moles").pk
    mine.keep(key)
    assert [holding.game_id for holding in Holding.objects.all()] == [key]


def test_the_same_files_brought_again_are_surveyed_and_stored_once(
    mine: Uploading, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine.send(otters())
    monkeypatch.setattr(tasks.GameSurvey, "each", lambda self: pytest.fail("again"))
    other = Uploading(Client())
    other.send({"a.zip": zipped(otters())})
    assert "War of the Otters" in text_of(other.page)
    assert Game.objects.count() == 1


def test_files_of_a_game_with_shipped_books_are_kept_and_the_report_names_these(
    mine: Uploading,
) -> None:
    mine.send({"T9A.gst": system("The 9th Age", T9A, 55), "Ore.cat": catalogue("Öre Folk", of=T9A)})
    assert "We already have army books for this game" in text_of(mine.page)
    assert '<a href="/new/t9a-2023/">The Ninth Age 2023' in unescape(mine.page)
    mine.keep(*mine.keys)
    assert Holding.objects.get().name == "The 9th Age"


def test_a_discarded_upload_leaves_nothing(mine: Uploading) -> None:
    mine.send(otters())
    answer = mine.client.post(f"{mine.url}away/", follow=True)
    assert "Nothing was saved." in answer.text
    assert (Upload.objects.count(), Holding.objects.count()) == (0, 0)
    assert mine.client.get(mine.url).status_code == 404
    # Of many uploads the latest stay.
    for _each in range(jobs.MAX_KEPT + 2):
        mine.send(otters())
    assert Upload.objects.count() == jobs.MAX_KEPT
    assert mine.client.get("/books/upload/").text.count("read, not saved yet") == 3


def test_unreadable_files_are_refused_with_their_name(mine: Uploading) -> None:
    entity = b'<!DOCTYPE a [<!ENTITY x "y">]><catalogue>&x;</catalogue>'
    for name, content, sentence in [
        ("a.cat", b"no xml", "This is not a complete XML file."),
        ("a.cat", entity, "The file defines entities or a document type, which is not allowed."),
        ("a.zip", b"no zip", "This is not a complete zip file."),
        ("a.zip", b"", "This is not a complete zip file."),
        ("a.catz", packed({}), "This is not a complete zip file."),
        ("a.cat", b"<roster id='x'/>", "This is an army list. Import it under “Import lists”."),
        ("a.cat", b"<html/>", "This is neither a catalogue nor a game system."),
        ("a.cat", catalogue("Old", version="2.01"), "The file was written by BattleScribe 2.01"),
        ("River.cat", otters()["River.cat"], "The game system is missing. Add that file too."),
    ]:
        assert mine.send({name: content}).status_code == 302
        page = unescape(mine.page)
        assert lacking(page, f"{name}: {sentence}", "Nothing was saved.") == []
    mine.send({"a.txt": b"a list"})
    assert "The zip contains no game files (.cat, .gst, .json)." in mine.page


def test_uploads_that_cannot_work_are_refused_at_once(
    mine: Uploading, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs, "MAX_BYTES", 1 << 20)
    many = {f"{number}.cat": b"" for number in range(jobs.MAX_FILES + 1)}
    cases: list[tuple[dict[str, bytes], str]] = [
        ({}, "Choose a file first"),
        (many, "At most 100 files at once"),
        ({"a.cat": b" " * ((1 << 20) + 1)}, "at most 1 MB together"),
    ]
    for files, sentence in cases:
        answer = mine.send(files)
        assert answer.status_code == 422
        assert sentence in answer.text
    assert Upload.objects.count() == 0


def test_games_over_the_quota_are_not_saved(mine: Uploading, settings: Any) -> None:
    settings.QUOTAS = {**settings.QUOTAS, "anonymous": {**settings.QUOTAS["anonymous"], "books": 9}}
    mine.send(otters())
    answer = mine.keep(*mine.keys)
    assert answer.status_code == 422
    assert "Your games fill all" in answer.text
    assert Holding.objects.count() == 0
    assert len(mine.keys) == 1


def test_books_found_by_a_former_release_are_to_be_uploaded_again(mine: Uploading) -> None:
    mine.send(otters())
    other = Uploading(Client())
    other.send(otters())
    found = {"games": [{"name": "Otters"}], "refused": [], "others": []}
    Upload.objects.filter(pk=mine.upload.pk).update(report=found, language="de")
    before = MigrationExecutor(connection).loader.project_state([("uploads", "0004_address")])
    migration = import_module("armybuilder.uploads.migrations.0005_games_only")
    migration.end_reports_of_books(before.apps, SimpleNamespace(connection=connection))
    assert (mine.upload.state, mine.upload.report) == ("failed", None)
    assert "Lade sie noch einmal hoch." in mine.upload.refused
    assert len(other.keys) == 1


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
        mine.send(otters())
        assert "Uploads are paused on this server." in mine.page
        assert "Check progress" in mine.page
        upload = taken()
        Upload.objects.update(total=3, done=2)
        assert "2 of 3 catalogues read" in text_of(mine.page)
        work(upload)
        assert "War of the Otters" in mine.page

    def test_the_page_reloads_once_the_upload_is_read(self, mine: Uploading) -> None:
        mine.send(otters())
        asked = {"headers": {"HX-Request": "true"}}
        there = mine.client.get(f"{mine.url}?seen=waiting", **asked)
        assert "HX-Refresh" not in there.headers
        Upload.objects.update(state="done", report={"whole": [], "refused": [], "others": []})
        assert mine.client.get(f"{mine.url}?seen=waiting", **asked)["HX-Refresh"] == "true"

    def test_one_upload_is_read_at_a_time(self, mine: Uploading) -> None:
        mine.send(otters())
        answer = mine.send(otters())
        assert answer.status_code == 422
        assert "Your last upload is still being read." in answer.text

    def test_an_upload_fails_with_a_message_after_a_worker_died_several_times(
        self, mine: Uploading
    ) -> None:
        mine.send(otters())
        for _each in range(3):
            assert uploads.take("dead") is not None
            Upload.objects.update(moved=timezone.now() - uploads.kept_for)
            uploads.revive(timezone.now())
        assert "This was tried 3 times, and failed each time." in text_of(mine.page)

    def test_an_upload_discarded_meanwhile_is_stopped(self, mine: Uploading, folder: Path) -> None:
        mine.send(otters())
        upload = taken()
        mine.client.post(f"{mine.url}away/")
        work(upload)
        assert Upload.objects.count() == 0
        assert list(folder.iterdir()) == []
        # Files that are gone are told.
        mine.send(otters())
        upload = taken()
        uploads.files().delete(str(upload.pk))
        work(upload)
        assert "The files are no longer here. Upload them again." in mine.page

    def test_an_upload_that_takes_too_long_fails_with_a_message(
        self, mine: Uploading, settings: Any
    ) -> None:
        settings.UPLOAD_SECONDS = {**settings.UPLOAD_SECONDS, "all": -1.0}
        mine.send(otters())
        work(taken())
        assert "This file takes too long to read." in mine.page
        assert Game.objects.count() == 0
