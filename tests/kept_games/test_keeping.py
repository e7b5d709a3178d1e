"""Kept games: stored once, held by who brought them, read into memory once and let go of."""

import threading
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.files.storage import storages
from django.utils import timezone

from armybuilder.accounts.quotas import NoRoom
from armybuilder.battlescribe.files import game as reader
from armybuilder.games import opening, services
from armybuilder.games.models import Game, Holding
from armybuilder.games.opening import forget_opened, open_book, open_game
from armybuilder.housekeeping.tidying import tidy
from armybuilder.loading.problems import Refusal
from tests.kept_games.files import catalogue, otters, stored, unit

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def folder(settings: Any, tmp_path: Path) -> Iterator[Path]:
    """Where files of games lie."""
    backend = "django.core.files.storage.FileSystemStorage"
    options = {"location": tmp_path, "allow_overwrite": True}
    storage = {"BACKEND": backend, "OPTIONS": options}
    settings.STORAGES = {**settings.STORAGES, "games": storage}
    forget_opened()
    yield tmp_path
    forget_opened()


def test_files_of_two_revisions_are_stored_once_where_they_are_equal(folder: Path) -> None:
    first = stored()
    newer = stored({**otters(), "River.cat": catalogue("River", unit("otter", "Otter", 12))})
    assert first.pk != newer.pk
    assert stored().pk == first.pk, "the key is the hash of the files"
    assert len(list(folder.iterdir())) == 5
    assert first.report["catalogues"][0] == {
        "id": "river",
        "name": "River",
        "revision": "1",
        "units": 2,
        "missing": [],
    }
    assert first.report["libraries"] == ["Pool"]


def test_a_game_is_seen_by_who_brought_it_and_by_nobody_else() -> None:
    game = stored()
    services.keep("anna", game.pk, "Otters", "otters.zip")
    assert [(one.name, one.source) for one in services.games_of("anna")] == [
        ("Otters", "otters.zip")
    ]
    assert services.may_see("anna", game.pk)
    assert not services.may_see("bob", game.pk)
    assert not services.games_of("")
    services.lend("bob", game.pk)
    assert services.may_see("bob", game.pk)
    services.forget("anna", game.pk)
    assert not services.may_see("anna", game.pk)


def test_who_signs_in_takes_games_along_also_one_that_is_there_already() -> None:
    one, other = stored(), stored({**otters(), "Sea.cat": catalogue("Sea", unit("orca", "Orca"))})
    services.keep("browser", one.pk)
    services.keep("browser", other.pk)
    services.keep("account", one.pk)
    services.move_holdings("browser", "account")
    assert services.games_of("account").count() == 2
    assert Holding.objects.count() == 2


def test_too_many_games_and_bytes_are_refused(
    settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = stored()
    settings.QUOTAS = {**settings.QUOTAS, "anonymous": {**settings.QUOTAS["anonymous"], "books": 9}}
    with pytest.raises(NoRoom, match="Your games fill all"):
        services.keep("anna", game.pk)
    monkeypatch.setattr(services, "MAX_GAMES", 0)
    with pytest.raises(NoRoom, match="the maximum"):
        services.keep("anna", game.pk)


def test_files_go_with_the_last_game_that_has_them(folder: Path) -> None:
    first = stored()
    newer = stored({**otters(), "River.cat": catalogue("River", unit("otter", "Otter", 12))})
    services.keep("anna", newer.pk)
    long_after = timezone.now() + services.UNHELD_FOR + timedelta(days=1)
    tidy(long_after)
    assert [game.pk for game in Game.objects.all()] == [newer.pk]
    assert not Game.objects.filter(pk=first.pk).exists()
    digests = {digest for _name, digest, _head in newer.files}
    assert {file.name for file in folder.iterdir()} == digests


def test_a_kept_game_opens_as_its_files_do_and_is_read_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = stored()
    reads: list[str] = []
    read = reader.GameFiles._read
    monkeypatch.setattr(
        reader.GameFiles, "_read", lambda self, id: reads.append(id) or read(self, id)
    )
    books: list[object] = []
    threads = [
        threading.Thread(target=lambda: books.append(open_book(game.pk, "river")))
        for _each in range(10)
    ]
    forget_opened()
    open_game(game.pk)  # the table is asked in this thread, where the test's transaction is
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(map(id, books))) == 1
    assert sorted(reads) == ["pool", "river", "sys-otters"], "each once, and not the other book"
    names = sorted(root.name for root in open_book(game.pk, "river").roots)
    assert names == ["Newt", "Otter"]


def test_the_catalogue_used_longest_ago_is_let_go_of(settings: Any) -> None:
    game = stored()
    files = open_game(game.pk)
    open_book(game.pk, "river")
    size = sum(files.sizes.values()) * opening._MEMORY
    settings.GAMES_MB = (size + 10) / 1_000_000
    sea = open_book(game.pk, "sea")
    assert sorted(files.sizes) == ["pool", "sea", "sys-otters"]
    assert open_book(game.pk, "sea") is sea
    assert [root.name for root in open_book(game.pk, "river").roots] == ["Otter", "Newt"]
    assert sorted(root.name for root in sea.roots) == ["Newt", "Seal"], "who has it goes on"


def test_a_game_whose_files_are_gone_is_refused_in_a_sentence() -> None:
    game = stored()
    for _name, digest, _head in game.files:
        storages["games"].delete(digest)
    with pytest.raises(Refusal, match="no longer here"):
        open_game(game.pk)
    with pytest.raises(Refusal, match="no longer here"):
        open_book("0" * 40, "river")
