"""Games that earlier releases made of uploaded files: everywhere a game goes."""

import json
import re
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone

from armybuilder.accounts.quotas import NoRoom
from armybuilder.books.models import Kept, OwnBook
from armybuilder.housekeeping.tidying import tidy
from armybuilder.lists.models import ArmyList, Version
from armybuilder.loading.library import shipped_library
from armybuilder.loading.own_systems import as_own_system, is_own_system, own_system, revision_in
from armybuilder.loading.problems import Refusal
from tests.accounts.test_leaving import ANYBODYS
from tests.addresses import addresses
from tests.building.converted import MADE, NAME, keep_book, keep_game
from tests.markup import lacking
from tests.uploads.files import text_of

pytestmark = [pytest.mark.django_db, pytest.mark.long]
#: Pages of a list that are always there.
PAGES = """
history/ print/ print.pdf sheet/ sheet.pdf sheet.txt export/ text/ list.json list.csv share/
charts/ fill/ ways/ questions/
"""


@pytest.fixture
def game(client: Client) -> str:
    """The id of a game of which the browser holds a book."""
    return str(keep_book(client).system)


def a_list(client: Client, game: str) -> str:
    """A list of the game with a unit, by its address."""
    book = OwnBook.objects.get(system=game).pk
    made = client.post(f"/new/{game}/", {"name": "Otters", "limit": 1000, "books": [book]})
    assert made.status_code == 302, made.text
    url = str(made["Location"])
    act(client, url, act="add", ref=f"{book}/spears")
    return url


def version_of(url: str) -> Version:
    army_list = ArmyList.objects.get(pk=url.strip("/").split("/")[-1])
    return Version.objects.get(army_list=army_list, number=army_list.number)


def act(client: Client, url: str, **fields: Any) -> None:
    """Press a button of the builder."""
    answer = client.post(f"{url}act/", {"version": version_of(url).pk, **fields})
    assert answer.status_code == 302, answer.text


def test_a_custom_game_is_listed_for_its_player(client: Client, game: str) -> None:
    assert is_own_system(game)
    shelf = text_of(client.get("/books/").text)
    assert lacking(shelf, NAME, "River Folk") == []
    assert f"New list: {NAME}" in text_of(client.get("/").text)


def test_lists_of_a_custom_game_are_checked(client: Client, game: str) -> None:
    url = a_list(client, game)
    page = text_of(client.get(url).text)
    assert "Spears" in page
    document = version_of(url).document
    assert document.units[0].models == 10
    client.post(f"{url}act/", {"version": version_of(url).pk, "act": "limit", "limit": "10"})
    answer = client.post("/api/v1/validate/", document.to_dict(), "application/json")
    report = answer.json()
    assert answer.status_code == 200, report
    assert report["spent"] == 50
    # Every page of them answers.
    parts = {**ANYBODYS, "list_id": url.strip("/").split("/")[-1], "number": 1}
    of_lists = [route for route, *_more in addresses() if "<uuid:list_id>" in route]
    paths = ["/" + re.sub(r"<([^>]+)>", partial(_part, parts), route) for route in of_lists]
    status = {address: client.get(address).status_code for address in paths}
    assert {address for address in status if status[address] >= 500} == set()
    for page in ("", *PAGES.split()):
        assert client.get(f"{url}{page}").status_code == 200, page


def _part(parts: dict[str, Any], found: re.Match[str]) -> str:
    kind, _colon, name = found[1].rpartition(":")
    if kind == "uuid" and name not in parts:
        return "00000000-0000-0000-0000-000000000000"
    return str(parts[name])


@pytest.mark.slow
def test_a_link_shows_the_list_to_others_and_nothing_else_is_theirs(
    client: Client, game: str
) -> None:
    url = a_list(client, game)
    client.post(f"{url}share/make/", {"what": "frozen", "view": "full", "name": ""})
    shared = client.get(f"{url}share/").text
    address = next(iter(re.findall(r'value="http://testserver(/s[^"]+)"', shared)), "")
    other = Client()
    answer = other.get(address)
    assert answer.status_code == 200, address
    assert "Spears" in answer.text
    for hidden in (f"/new/{game}/", f"/books/new/{game}/"):
        assert other.get(hidden).status_code == 404
    for page in ("/", "/books/"):
        assert NAME not in other.get(page).text


def test_a_shared_book_brings_its_game(client: Client, game: str) -> None:
    book = OwnBook.objects.get()
    client.post(f"/books/{book.pk}/act/", {"act": "share"})
    book.refresh_from_db()
    other = Client()
    address = f"/books/shared/{book.pk}/{book.share_token}/"
    assert other.get(address).status_code == 200
    assert other.get(f"/new/{game}/").status_code == 404
    assert other.post(f"{address}copy/").status_code == 302
    assert other.get(f"/new/{game}/").status_code == 200


@pytest.mark.slow
def test_a_game_stays_as_long_as_a_list_or_a_book_names_it(client: Client, game: str) -> None:
    url = a_list(client, game)
    assert keep_game() == game
    assert Kept.objects.filter(book_id=game).count() == 1
    assert keep_game(about="Made of newer files.") != game
    assert version_of(url).document.system == game
    much_later = timezone.now() + timedelta(days=100)
    tidy(much_later)
    assert Kept.objects.filter(book_id=game).exists()
    OwnBook.objects.all().delete()
    tidy(much_later)
    assert Kept.objects.filter(book_id=game).exists(), "the list names it"
    assert client.get(url).status_code == 200
    ArmyList.objects.all().delete()
    tidy(much_later)
    assert not Kept.objects.filter(book_id=game).exists()


@pytest.mark.slow
def test_all_my_data_takes_the_game_along(client: Client, game: str) -> None:
    url = a_list(client, game)
    data = client.get("/account/data/everything.zip").getvalue()
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


def test_a_game_counts_with_what_a_holder_may_keep(
    client: Client, game: str, settings: Any
) -> None:
    assert sum(kept.size for kept in Kept.objects.all()) > 1_000
    quota = {**settings.QUOTAS["anonymous"], "books": 1_000 + (OwnBook.objects.get().size or 0)}
    settings.QUOTAS = {**settings.QUOTAS, "anonymous": quota}
    with pytest.raises(NoRoom):
        keep_book(client, "Wood Folk")


class TestItsContent:
    """What a file of all data may claim to be a game."""

    @pytest.fixture
    def content(self) -> dict[str, Any]:
        return as_own_system(MADE["system"])

    def test_a_custom_game_is_named_by_its_hash_and_survives_json(
        self, content: dict[str, Any]
    ) -> None:
        assert own_system(content).id == content["id"]
        assert len(revision_in(content["id"])) == 16
        with pytest.raises(Refusal, match="does not match its id"):
            own_system({**content, "name": "Another"})
        assert as_own_system(json.loads(json.dumps(content))) == content

    def test_a_custom_game_can_hold_only_what_files_make(self, content: dict[str, Any]) -> None:
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
