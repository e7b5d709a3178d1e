"""Pasted texts of games and books that earlier releases made of files: found by name, and by
nobody else.
"""

import html
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from armybuilder.accounts.models import User
from armybuilder.accounts.tokens import make_token
from armybuilder.books.models import OwnBook
from armybuilder.lists.models import Version
from armybuilder.loading.library import shipped_library
from tests.building.converted import keep_book, keep_game
from tests.building.zips import packed
from tests.effort import scaled

pytestmark = [pytest.mark.django_db, pytest.mark.long]

GAME = "War of the Otters (Public Test – Hotfix 2)"


@pytest.fixture
def mine(client: Client) -> Client:
    """A browser with a book that is called as a shipped one, but for its brackets."""
    keep_book(client, "Beast Herds (Public Test – Hotfix 2)", keep_game(name=GAME))
    return client


def look(client: Client, text: str, **fields: str) -> str:
    answer = client.post("/lists/paste/", {"text": text, "go": "look", **fields})
    return html.unescape(answer.text)


def made(client: Client, text: str, **fields: str) -> Version:
    answer = client.post("/lists/paste/", {"text": text, "go": "make", **fields})
    assert answer.status_code == 302, html.unescape(answer.text)
    return Version.objects.get(army_list_id=str(answer["Location"]).strip("/").split("/")[-1])


@pytest.mark.slow
def test_a_list_of_ones_own_game_comes_back_from_its_text(mine: Client) -> None:
    book = OwnBook.objects.get()
    fields = {"name": "Otters", "limit": 1000, "books": [book.pk]}
    url = str(mine.post(f"/new/{book.system}/", fields)["Location"])
    for name in ("spears", "mongrel-raft"):
        version = Version.objects.latest("pk")
        act = {"act": "add", "ref": f"{book.pk}/{name}", "version": version.pk}
        mine.post(f"{url}act/", act)
    kept = Version.objects.latest("pk").document
    for form in ("compact", "full", "lines")[: scaled(1, 3, 3)]:
        text = mine.get(f"{url}text/?form={form}").text
        document = made(mine, html.unescape(text)).document
        assert (document.system, document.books) == (kept.system, kept.books), form
        assert [one.ref for one in document.units] == [one.ref for one in kept.units], form
    assert "1 Mongrel Raft (as written)" not in look(Client(), text), "never another's"


@pytest.mark.slow
def test_a_custom_game_is_recognised_by_its_name_without_brackets(mine: Client) -> None:
    book = OwnBook.objects.get()
    assert GAME in html.unescape(mine.get("/lists/import/").text)
    assert GAME not in html.unescape(Client().get("/lists/import/").text)
    units = "70 - 10 Spears, Banner\n45 - Mongrel Raft\n"
    for title in (
        "War of the Otters - Beast Herds",
        "Beast Herds (War of the Otters)",
        "Beast Herds",
    ):
        document = made(mine, f"{title}\n{units}").document
        assert (document.system, document.books[0].id) == (book.system, book.pk), title
    herds = "Beast Herds\n170 - 20 Mongrel Herd\n150 - 16 Mongrel Raiders\n"
    assert made(mine, herds).document.system.startswith("t9a-"), "it has those units"
    assert made(mine, units, system=book.system).document.system == book.system
    assert "There is no such game." in look(Client(), units, system=book.system)
    several = f"Anna, Beast Herds\n{units}115\n\nBéla, Beast Herds\n{units}115\n"
    page = look(mine, several)
    assert "This text holds 2 lists" in page
    assert "War of the Otters" in page
    assert "Béla" in page


@pytest.mark.slow
def test_a_file_with_such_a_text_is_opened_and_keeps_what_its_book_says(mine: Client) -> None:
    book = OwnBook.objects.get()
    text = b"War of the Otters 1000 points\nBeast Herds\n70 - 10 Spears, Banner\n"
    files = {"a.zip": packed({"one.txt": text}), "b.zip": packed({"two.txt": text})}
    chosen = [SimpleUploadedFile(name, content) for name, content in files.items()]
    mine.post("/lists/open/", {"file": chosen})
    lists = [version.document for version in Version.objects.all()]
    assert [one.system for one in lists] == [book.system] * 2
    OwnBook.objects.all().delete()
    shipped_library()._pinned.clear()
    for version in Version.objects.all():
        assert "Spears" in mine.get(f"/lists/{version.army_list_id}/").text


def test_the_api_reads_it_with_the_players_token_alone(mine: Client) -> None:
    book = OwnBook.objects.get()
    user = User.objects.create_user("otter@example.org")
    OwnBook.objects.update(holder=user.holder)
    token = {"Authorization": f"Bearer {make_token(user, 'x')[1]}"}
    body = {
        "text": "Beast Herds\n70 - 10 Spears, Banner\n45 - Mongrel Raft\n",
        "system": book.system,
    }

    def post(path: str, body: Any, **headers: str) -> Any:
        return Client().post(f"/api/v1/{path}/", body, "application/json", headers=headers)

    assert post("read", body).status_code == 422, "nobody's game"
    told = post("read", body, **token).json()
    assert (told["system"], told["books"]) == (book.system, [book.pk])
    assert [line["state"] for line in told["lines"]][1:3] == ["ok", "ok"]
    assert post("validate", told["document"], **token).json()["spent"] == 115
    assert post("lists", told["document"], **token).status_code == 201
    assert post("validate", told["document"]).json()["spent"] == 115, "a list keeps its content"
    (line,) = post("batch", {"texts": [body["text"]], "system": book.system}, **token).json()
    assert line["spent"] == 115
    guessed = post("read", {"text": body["text"]}).json()
    assert guessed["system"] != book.system


def test_a_book_of_ones_own_for_a_shipped_game_is_found_by_its_name(client: Client) -> None:
    book = keep_book(client, "Öre Folk", "t9a-2023")
    for title in ("Öre Folk", "Ore Folk (Beta 2), 4500", "Anna - ORE FOLK"):
        document = made(client, f"{title}\n10 Spears, Banner, 70\n").document
        assert [one.id for one in document.books] == [book.pk], title
        assert document.units[0].ref == f"{book.pk}/spears"
    assert str(book.pk) not in look(Client(), "Öre Folk\n10 Spears, Banner, 70\n")


SORTED = {
    "CG: Champion": 10, "CG: Musician": 10, "CG: Standard Bearer": 20,
    "Banner: Banner of Courage": 35, "Melee: Paired Weapons": 15, "Ranged: Hunting Spear (4+)": 12,
    "Artefact: Talisman of the Void": 50, "Path: Shamanism": 25, "Spell: (Sha6) Wild Shape": 5,
    "Mount: Razortusk Chariot": 80, "2) Torch": 3, "Melee: Net": 4, "Ranged: Net": 6,
}  # fmt: skip


@pytest.mark.slow
def test_names_are_known_without_what_only_sorts_them(client: Client) -> None:
    options = [
        {"id": f"o{number}", "name": name, "points": points}
        for number, (name, points) in enumerate(SORTED.items())
    ]
    raiders = {"id": "raiders", "name": "Core: Raiders", "categories": ["core"], "size": [5, 20]}
    raiders |= {"points": 50, "points_per_model": 10, "options": options}
    keep_book(client, "Öre Folk", units=[raiders])
    for text, points in {
        "Standard Bearer (Banner of Courage)": 55,
        "FCG": 40,
        "C S M, Paired Weapon": 55,
        "Hunting Spear, Shamanism, Wild Shape": 42,
        "Hunting Spear (4+), talisman of the void": 62,
        "Razortusk Chariot, Torch": 83,
        "CG: Standard Bearer, Path: Shamanism": 45,
    }.items():
        page = look(client, f"War of the Otters\n{50 + points} - 5 Raiders, {text}\n")
        assert f"{50 + points} points, as in the text" in page, text
        assert "paste-doubt" not in page, text
    assert "not found" in look(client, "War of the Otters\n56 - 5 Raiders, Sock, Net\n"), "of two"
