"""Games from files out of uploads: report, keep; and who may see what."""

from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from armybuilder.books.models import OwnBook
from armybuilder.games.models import Game, Holding
from armybuilder.games.opening import forget_opened, open_book
from armybuilder.uploads import games as whole_games
from armybuilder.uploads.models import Upload
from tests.kept_games.files import catalogue, json_catalogue, otters, system, unit, zipped
from tests.uploads.files import Uploading, both, text_of

pytestmark = pytest.mark.django_db

COMMIT = "801555b" + "0" * 33


@pytest.fixture(autouse=True)
def folders(settings: Any, tmp_path: Path) -> Iterator[None]:
    """Where uploads wait, and files of games lie."""
    backend = "django.core.files.storage.FileSystemStorage"
    for name in ("uploads", "games"):
        options = {"location": tmp_path / name, "allow_overwrite": True}
        storage = {"BACKEND": backend, "OPTIONS": options}
        settings.STORAGES = {**settings.STORAGES, name: storage}
    forget_opened()
    yield
    forget_opened()


@pytest.fixture
def mine(client: Client) -> Uploading:
    return Uploading(client)


def test_a_zip_of_a_repository_is_told_first_and_kept_when_asked(mine: Uploading) -> None:
    files = {
        **otters(),
        "Lake.json": json_catalogue("Lake"),
        "Old.cat": catalogue("Old", version="2.01"),
    }
    mine.send({"otters-main.zip": zipped(files, comment=COMMIT)})
    page = text_of(mine.page)
    for words in ("War of the Otters", "3 catalogues", "4 units", "River", "Lake", "Pool"):
        assert words in page
    assert "The file was written by BattleScribe 2.01" in page
    assert "Nothing is saved yet." in page
    assert Holding.objects.count() == 0
    assert mine.client.get(f"/games/{Game.objects.get().pk}/").status_code == 404
    answer = mine.client.post(f"{mine.url}keep/", {"game": Game.objects.get().pk}, follow=True)
    assert "Saved War of the Otters." in answer.text
    shown = text_of(answer.text)
    assert "otters-main.zip, 801555b" in shown
    assert "Every construct in these files is understood." in shown
    assert (Upload.objects.count(), OwnBook.objects.count()) == (0, 0)
    assert "War of the Otters" in mine.client.get("/books/").text
    assert [root.name for root in open_book(Game.objects.get().pk, "river").roots] == [
        *("Otter", "Newt"),
    ]


def test_nobody_else_sees_a_game_or_what_was_found_in_it(mine: Uploading) -> None:
    mine.send(otters())
    key = Game.objects.get().pk
    mine.client.post(f"{mine.url}keep/", {"game": key})
    stranger = Client()
    assert stranger.get(f"/games/{key}/").status_code == 404
    assert stranger.post(f"/games/{key}/forget/").status_code == 404
    assert stranger.post(f"/games/{key}/name/", {"name": "x"}).status_code == 404
    assert "Otters" not in stranger.get("/books/").text
    other = Uploading(stranger)
    other.send(otters())
    page = stranger.post(f"{other.url}keep/", {"game": "0" * 40})
    assert page.status_code == 422
    assert "Choose at least one game." in page.text
    assert Holding.objects.count() == 1


def test_a_game_is_renamed_and_deleted(mine: Uploading) -> None:
    mine.send(otters())
    key = Game.objects.get().pk
    mine.client.post(f"{mine.url}keep/", {"game": key})
    mine.client.post(f"/games/{key}/name/", {"name": "Otters!"})
    assert '<h1 dir="auto">Otters!</h1>' in mine.client.get(f"/games/{key}/").text
    assert "Otters! was deleted." in mine.client.post(f"/games/{key}/forget/", follow=True).text
    assert mine.client.get(f"/games/{key}/").status_code == 404


def test_of_two_games_in_a_zip_the_ticked_one_is_kept(mine: Uploading) -> None:
    moles = {
        "Moles.gst": system("Moles", "sys-moles"),
        "Hill.cat": catalogue("Hill", unit("m", "Mole"), of="sys-moles"),
    }
    mine.send({"all.zip": zipped({**otters(), **moles})})
    assert "Save this game" in mine.page
    key = Game.objects.get(name="Moles").pk
    mine.client.post(f"{mine.url}keep/", {"game": key})
    assert [holding.game_id for holding in Holding.objects.all()] == [key]


def test_the_same_files_brought_again_are_surveyed_and_stored_once(
    mine: Uploading, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine.send(otters())
    monkeypatch.setattr(whole_games.GameSurvey, "each", lambda self: pytest.fail("again"))
    other = Uploading(Client())
    other.send({"a.zip": zipped(otters())})
    assert "War of the Otters" in text_of(other.page)
    assert Game.objects.count() == 1


def test_files_of_a_game_that_is_here_become_books_unless_asked_otherwise(mine: Uploading) -> None:
    mine.send(both())
    assert "Save selected books" in mine.page
    mine.send(both(), game="files")
    assert "The 9th Age" in mine.page
    assert len((mine.upload.report or {})["whole"]) == 1


def test_a_set_without_its_system_or_in_a_form_of_old_is_refused_in_a_sentence(
    mine: Uploading,
) -> None:
    mine.send({"River.cat": otters()["River.cat"]}, game="files")
    assert "The game system is missing" in unescape(mine.page)
    mine.send({"a.zip": zipped({"Old.cat": catalogue("Old", version="1.15")})})
    assert "BattleScribe 1.15, which we can’t read" in unescape(mine.page)


def test_a_survey_that_takes_too_long_is_told(mine: Uploading, settings: Any) -> None:
    settings.UPLOAD_SECONDS = {**settings.UPLOAD_SECONDS, "all": -1.0}
    mine.send(otters())
    assert "It takes too long to read." in mine.page
    assert Game.objects.count() == 0
