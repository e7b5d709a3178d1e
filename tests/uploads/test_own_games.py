"""Games of the player's own, made of uploaded files: everywhere a game goes."""

import json
import re
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone

from armybuilder.books.models import Kept, OwnBook
from armybuilder.housekeeping.tidying import tidy
from armybuilder.lists.models import ArmyList, Version
from armybuilder.loading.library import shipped_library
from armybuilder.loading.own_systems import as_own_system, is_own_system, own_system, revision_in
from armybuilder.loading.problems import Refusal
from tests.accounts.test_leaving import ANYBODYS
from tests.addresses import addresses
from tests.building.battlescribe import SYSTEM_ID
from tests.markup import lacking
from tests.uploads.files import OWN_NAME as NAME
from tests.uploads.files import Uploading, a_game, own_files, text_of

pytestmark = pytest.mark.django_db
#: Pages of a list that are always there.
PAGES = """
history/ print/ print.pdf sheet/ sheet.pdf sheet.txt export/ text/ list.json list.csv share/
charts/ fill/ ways/ questions/
"""


@pytest.fixture
def mine(client: Client) -> Uploading:
    """A browser that has uploaded and kept the game."""
    mine = Uploading(client)
    mine.send(own_files(), game="own")
    return mine


def game_of(mine: Uploading) -> str:
    """Keep what was uploaded: the game's id."""
    mine.keep()
    return str(OwnBook.objects.latest("created").system)


def a_list(mine: Uploading, game: str) -> str:
    """A list of the game with a unit, by its address."""
    book = OwnBook.objects.get(system=game).pk
    made = mine.client.post(f"/new/{game}/", {"name": "Otters", "limit": 1000, "books": [book]})
    assert made.status_code == 302, made.text
    url = str(made["Location"])
    act(mine.client, url, act="add", ref=f"{book}/spears")
    return url


def version_of(url: str) -> Version:
    army_list = ArmyList.objects.get(pk=url.strip("/").split("/")[-1])
    return Version.objects.get(army_list=army_list, number=army_list.number)


def act(client: Client, url: str, **fields: Any) -> None:
    """Press a button of the builder."""
    answer = client.post(f"{url}act/", {"version": version_of(url).pk, **fields})
    assert answer.status_code == 302, answer.text


def test_files_of_a_game_that_is_not_here_become_a_game_of_ones_own(mine: Uploading) -> None:
    page = text_of(mine.page)
    assert lacking(page, NAME, "This becomes a custom game") == []
    assert Kept.objects.count() == 0, "nothing is saved until you confirm"
    game = game_of(mine)
    assert is_own_system(game)
    shelf = text_of(mine.client.get("/books/").text)
    assert lacking(shelf, NAME, "River Folk") == []
    assert f"New list: {NAME}" in text_of(mine.client.get("/").text)


def test_its_lists_are_judged(mine: Uploading) -> None:
    url = a_list(mine, game_of(mine))
    page = text_of(mine.client.get(url).text)
    assert "Spears" in page
    document = version_of(url).document
    assert document.units[0].models == 10
    mine.client.post(f"{url}act/", {"version": version_of(url).pk, "act": "limit", "limit": "10"})
    answer = mine.client.post("/api/v1/validate/", document.to_dict(), "application/json")
    report = answer.json()
    assert answer.status_code == 200, report
    assert report["spent"] == 50
    # Every page of them answers.
    parts = {**ANYBODYS, "list_id": url.strip("/").split("/")[-1], "number": 1}
    of_lists = [route for route, *_more in addresses() if "<uuid:list_id>" in route]
    paths = ["/" + re.sub(r"<([^>]+)>", partial(_part, parts), route) for route in of_lists]
    status = {address: mine.client.get(address).status_code for address in paths}
    assert {address for address in status if status[address] >= 500} == set()
    for page in ("", *PAGES.split()):
        assert mine.client.get(f"{url}{page}").status_code == 200, page


def _part(parts: dict[str, Any], found: re.Match[str]) -> str:
    kind, _colon, name = found[1].rpartition(":")
    if kind == "uuid" and name not in parts:
        return "00000000-0000-0000-0000-000000000000"
    return str(parts[name])


def test_a_link_shows_the_list_to_others_and_nothing_else_is_theirs(mine: Uploading) -> None:
    game = game_of(mine)
    url = a_list(mine, game)
    mine.client.post(f"{url}share/make/", {"what": "frozen", "view": "full", "name": ""})
    shared = mine.client.get(f"{url}share/").text
    address = next(iter(re.findall(r'value="http://testserver(/s[^"]+)"', shared)), "")
    other = Client()
    answer = other.get(address)
    assert answer.status_code == 200, address
    assert "Spears" in answer.text
    for hidden in (f"/new/{game}/", f"/books/new/{game}/"):
        assert other.get(hidden).status_code == 404
    for page in ("/", "/books/"):
        assert NAME not in other.get(page).text


def test_a_shared_book_brings_its_game(mine: Uploading) -> None:
    game = game_of(mine)
    book = OwnBook.objects.get()
    mine.client.post(f"/books/{book.pk}/act/", {"act": "share"})
    book.refresh_from_db()
    other = Client()
    address = f"/books/shared/{book.pk}/{book.share_token}/"
    assert other.get(address).status_code == 200
    assert other.get(f"/new/{game}/").status_code == 404
    assert other.post(f"{address}copy/").status_code == 302
    assert other.get(f"/new/{game}/").status_code == 200


def test_the_same_upload_is_the_same_game_and_a_newer_one_another(mine: Uploading) -> None:
    game = game_of(mine)
    url = a_list(mine, game)
    mine.send(own_files(), game="own")
    assert game_of(mine) == game
    assert Kept.objects.filter(book_id=game).count() == 1
    mine.send({**own_files(), "war.gst": a_game(SYSTEM_ID, NAME, 4)}, game="own")
    assert game_of(mine) != game
    assert version_of(url).document.system == game
    assert mine.client.get(url).status_code == 200
    # Tidying keeps a game as long as a list or a book names it.
    much_later = timezone.now() + timedelta(days=100)
    tidy(much_later)
    assert Kept.objects.filter(book_id=game).exists()
    OwnBook.objects.all().delete()
    tidy(much_later)
    assert Kept.objects.filter(book_id=game).exists(), "the list names it"
    assert mine.client.get(url).status_code == 200
    ArmyList.objects.all().delete()
    tidy(much_later)
    assert not Kept.objects.filter(book_id=game).exists()


def test_all_my_data_takes_the_game_along(mine: Uploading) -> None:
    game = game_of(mine)
    url = a_list(mine, game)
    data = mine.client.get("/account/data/everything.zip").getvalue()
    list_id = url.strip("/").split("/")[-1]
    ArmyList.objects.all().delete()
    OwnBook.objects.all().delete()
    Kept.objects.all().delete()
    shipped_library()._own_systems.clear()
    shipped_library()._pinned.clear()
    other = Client()
    file = SimpleUploadedFile("all.zip", data)
    answer = other.post("/account/data/open/", {"file": file}, follow=True)
    said = text_of(answer.text)
    assert lacking(said, "1 new list.", "1 new custom game.") == []
    assert "Spears" in other.get(f"/lists/{list_id}/").text
    assert other.get(f"/new/{game}/").status_code == 200


def test_a_game_counts_with_what_a_holder_may_keep(mine: Uploading, settings: Any) -> None:
    mine.keep()
    assert sum(kept.size for kept in Kept.objects.all()) > 1_000
    quota = {**settings.QUOTAS["anonymous"], "books": 1_000 + (OwnBook.objects.get().size or 0)}
    settings.QUOTAS = {**settings.QUOTAS, "anonymous": quota}
    mine.send(own_files(), game="own")
    assert mine.keep().status_code == 422


class TestItsContent:
    """What a file of all data may claim to be a game."""

    @pytest.fixture
    def content(self, mine: Uploading) -> dict[str, Any]:
        data: dict[str, Any] = (mine.upload.found or {})["systems"][0]
        return data

    def test_is_known_by_its_hash_and_survives_json(self, content: dict[str, Any]) -> None:
        assert own_system(content).id == content["id"]
        assert len(revision_in(content["id"])) == 16
        with pytest.raises(Refusal, match="does not match its id"):
            own_system({**content, "name": "Another"})
        assert as_own_system(json.loads(json.dumps(content))) == content

    def test_may_be_no_more_than_files_make(self, content: dict[str, Any]) -> None:
        cases: list[tuple[dict[str, Any], str]] = [
            ({"extends": "t9a-2023"}, "can’t have “extends”"),
            ({"abilities": [{"id": "x"}]}, "can’t have “abilities”"),
            ({"about": "x" * 600_000}, "more than 512 KB"),
            ({"rules": [{}] * 101}, "more than 100 of “rules”"),
            ({"points": 3}, "object"),
            ({"sentences": dict.fromkeys(content["sentences"], "{rule.__class__}")}, " "),
        ]
        for more, sentence in cases:
            with pytest.raises(Refusal, match=re.escape(sentence)):
                own_system(as_own_system({**content, **more}))
