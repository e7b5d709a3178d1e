"""Pages around the builder: choosing a game, my lists, files, and lists of other browsers."""

import json
import re
from collections.abc import Callable, Iterator
from functools import partial

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils.html import escape

from armybuilder.engine.catalogue import Book, Contents
from armybuilder.lists.models import ArmyList
from armybuilder.loading.library import shipped_library
from armybuilder.pages.home.views import families
from tests.building.documents import list_of
from tests.building.tiny import take
from tests.conftest import Builder
from tests.markup import lacking

pytestmark = pytest.mark.django_db


def test_visits_without_a_list_see_every_system_and_make_no_session(client: Client) -> None:
    page = client.get("/").text
    words = " ".join(re.sub(r"<[^>]*>", "", page).split())
    for system in shipped_library().systems.values():
        # Before the name of an edition its family's stands for who hears the page.
        assert escape(system.name) in words
    for _name, editions in families(shipped_library().systems.values()):
        assert escape(editions[0].about) in page
    # A visit without a list makes no session.
    client.get("/")
    client.get("/lists/")
    assert "sessionid" not in client.cookies
    # Pages forbid foreign and inline script.
    response = client.get("/")
    policy = response["Content-Security-Policy"]
    assert "default-src 'self'" in policy
    assert "unsafe" not in policy
    assert "style=" not in response.text


def test_a_new_list_keeps_name_size_and_books(build: Callable[..., Builder]) -> None:
    builder = build("sbh", name="Ælfwine’s men", limit=250, books=["profiles", "gargantuan-nine"])
    assert builder.document["name"] == "Ælfwine’s men"
    assert builder.document["limit"] == 250
    assert [book["id"] for book in builder.document["books"]] == ["profiles", "gargantuan-nine"]


def test_my_lists_show_and_copy_lists(chainmail: Builder) -> None:
    page = chainmail.client.get("/lists/").text
    assert lacking(page, "Test list", "0 / 100", "Not legal") == []
    # Copy is a list of its own.
    chainmail.client.post(f"{chainmail.url}copy/")
    names = sorted(
        version.document.to_dict()["name"]
        for army_list in ArmyList.objects.all()
        for version in army_list.versions.all()
    )
    assert names == ["Test list", "Test list (copy)"]


def test_a_new_list_names_its_errors_and_their_places(client: Client) -> None:
    # A new list says what is wrong and keeps what was typed.
    for fields, said in (
        ({"name": "x" * 10_000, "limit": 100, "books": ["practice"]}, "at most 120"),
        ({"name": "x", "limit": 0, "books": ["practice"]}, "whole number from 1 to 99999"),
        ({"name": "x", "limit": "many", "books": ["practice"]}, "whole number from 1 to 99999"),
        ({"name": "x", "limit": 100, "books": []}, "at least one book"),
        ({"name": "x", "limit": 100, "books": ["none-such"]}, "no longer exists"),
    ):
        response = client.post("/new/chainmail-2002/", fields)
        assert response.status_code == 422, fields
        assert said in response.text
        assert not ArmyList.objects.exists(), fields
    # Without an army book the menu is named marked and focused.
    for path in ("/new/t9a-2023/", "/new/t9a-2023/random/"):
        page = client.post(path, {"name": "x", "limit": 4500, "books": ""}).text
        assert "Army book: Choose a book." in page, path
        (menu,) = re.findall(r'<select id="id_books"[^>]*>', page)
        assert 'aria-invalid="true"' in menu, path
        assert "autofocus" in menu, path
        assert page.count(" autofocus") == 1, path


def test_a_list_saved_as_a_file_opens_as_the_same_list(chainmail: Builder) -> None:
    chainmail.act("add", ref="practice/bannerlady-oresta")
    saved = chainmail.client.get(f"{chainmail.url}list.json")
    assert saved["Content-Disposition"] == 'attachment; filename="Test-list.json"'
    upload = SimpleUploadedFile("list.json", saved.content)
    response = chainmail.client.post("/lists/open/", {"file": upload})
    again = chainmail.client.get(f"{response['Location']}list.json")
    assert json.loads(again.content) == chainmail.document


def listed(**changes: object) -> bytes:
    """A list without units as a file, but for the changes."""
    return json.dumps({**list_of("sbh", [], [], name="x", limit=1), **changes}).encode()


MODEL = {"id": "u1", "models": 1, "profile": {"name": "M", "stats": {}, "abilities": []}}
NO_COMBAT = {**MODEL, "profile": {"name": "M", "stats": {"quality": 3}, "abilities": []}}
BAD_FILES = {
    "not JSON": (b"{,", "not JSON"),
    "not an object": (b"[1, 2]", "must be an object"),
    "too deep": (b"[" * 200_000, "nested"),
    "too big": (b'"' + b"x" * 600_000 + b'"', "at most 512 KB"),
    "no UTF-8": (b"\xff\xfe\x00", "not UTF-8"),
    "another thing": (b'{"format": "something"}', "not an army list"),
    "a NUL in a name": (listed(name="a\0b"), "NUL"),
    "a unit of a book and a model": (listed(units=[{**MODEL, "unit": "a/b"}]), "not an army list"),
    "unknown system": (listed(system="no-such"), "no game system"),
    "below 0": (listed(units=[{"id": "u1", "unit": "a/b", "models": -1}]), "below 1"),
    "an own model without Combat": (listed(units=[NO_COMBAT]), "has no Combat"),
}


def test_a_bad_file_gets_a_clear_answer(client: Client) -> None:
    for name, (content, said) in BAD_FILES.items():
        upload = SimpleUploadedFile("list.json", content)
        response = client.post("/lists/open/", {"file": upload})
        assert response.status_code == 422, name
        assert said in response.text, name
    assert not ArmyList.objects.exists()


def test_a_file_with_unknown_units_and_books_opens_and_names_them(client: Client) -> None:
    about = {"name": "<b>Old</b> list", "limit": 100, "settings": {"weather": "rain"}}
    knights = take("gone/knight", 3, options=[{"id": "lance"}])
    document = list_of("chainmail-2002", ["gone"], [knights], **about)
    upload = SimpleUploadedFile("list.json", json.dumps(document).encode())
    page = client.post("/lists/open/", {"file": upload}, follow=True).text
    assert lacking(page, "no unit “gone/knight”", "no book “gone”", "has no choice “weather”") == []
    assert "&lt;b&gt;Old&lt;/b&gt; list" in page
    assert "<b>Old</b>" not in page


def upload(client: Client, document: dict[str, object]) -> str:
    file = SimpleUploadedFile("list.json", json.dumps(document).encode())
    response = client.post("/lists/open/", {"file": file})
    assert response.status_code == 302, response.text
    return str(response["Location"])


PLAIN = list_of("chainmail-2002", ["practice"], [], limit=100, name="Plain")


def test_files_with_strange_values_can_be_changed(client: Client) -> None:
    for terrain in (5, None, "hill"):
        address = upload(client, {**PLAIN, "settings": {"terrain": terrain}})
        fields = {"act": "add-piece", "setting": "terrain", "piece": "hut", "version": 0}
        assert client.post(f"{address}act/", fields).status_code == 302, terrain
        saved = json.loads(client.get(f"{address}list.json").content)["settings"]["terrain"]
        assert saved == (["hill", "hut"] if terrain == "hill" else ["hut"])
    # Ids stay unique at the top of their range.
    top = {"id": "u999999999", "unit": "practice/bannerlady-oresta", "models": 1, "name": "Top"}
    address = upload(client, {**PLAIN, "units": [top]})
    for unit in ("millbrook-spearhand", "anvil-gate-warden"):
        client.post(f"{address}act/", {"add": f"practice/{unit}", "version": 0})
    saved = json.loads(client.get(f"{address}list.json").content)
    assert [unit["id"] for unit in saved["units"]] == ["u999999999", "u1", "u2"]
    # Changing books keeps those the app does not know.
    address = upload(client, {**PLAIN, "books": [{"id": "practice"}, {"id": "gone"}]})
    client.post(f"{address}act/", {"act": "add-book", "book": "known-cards", "version": 0})
    saved = json.loads(client.get(f"{address}list.json").content)
    assert [book["id"] for book in saved["books"]] == ["practice", "gone", "known-cards"]


def test_a_list_that_cannot_be_shown_does_not_hide_the_others(chainmail: Builder) -> None:
    chainmail.client.post(f"{chainmail.url}copy/")
    version = chainmail.version
    version.document = {
        **version.document.to_dict(),
        "system": "sbh",
        "name": "Broken",
        "units": [
            {"id": "u1", "models": 1, "profile": {"name": "M", "stats": {}, "abilities": []}}
        ],
    }
    version.save()
    for address in ("/", "/lists/"):
        page = chainmail.client.get(address)
        assert page.status_code == 200
        assert "Test list (copy)" in page.text
    assert "can’t be shown" in page.text


def test_a_form_without_its_token_is_refused(chainmail: Builder) -> None:
    browser = Client(enforce_csrf_checks=True)
    browser.cookies = chainmail.client.cookies
    response = browser.post(f"{chainmail.url}act/", {"act": "rename", "name": "x"})
    assert response.status_code == 403
    assert "That page was out of date" in response.text


def test_library_pages_have_titles_and_unknown_ones_are_not_found(client: Client) -> None:
    # Library pages name rules sources and readings.
    page = client.get("/library/chainmail-2002/").text
    assert lacking(page, "Comprehensive Rules 103, 103.1", "Our reading") == []
    assert client.get("/library/").status_code == 200
    assert "Goblin Hero" in client.get("/library/sbh/profiles/").text
    # Unknown addresses are not found.
    for address in (
        "/library/none/",
        "/library/sbh/none/",
        "/new/none/",
        "/nothing",
        "/books/none/",
        "/books/own-0/",
        "/books/new/none/",
        "/books/own-0123456789abcdef/",
        "/lists/abc/",
    ):
        assert client.get(address).status_code == 404


# Pages make the books that they speak of, and no others: all of them would take a while.


Place = tuple[str, str]


@pytest.fixture
def asked() -> Iterator[set[Place]]:
    """The books whose contents somebody asks for, by game and id."""
    library, found = shipped_library(), set[Place]()
    there = [(game, one) for game, books in library.books.items() for one in books.values()]
    before = [book.contents for _game, book in there]

    def noted(game: str, book: Book, contents: partial[Contents]) -> Contents:
        found.add((game, book.id))
        return contents()

    for (game, book), contents in zip(there, before, strict=True):
        object.__setattr__(book, "contents", partial(noted, game, book, contents))
    library._catalogues.clear()
    yield found
    library._catalogues.clear()
    for (_game, book), contents in zip(there, before, strict=True):
        object.__setattr__(book, "contents", contents)


def test_pages_build_no_books_they_do_not_need(client: Client, asked: set[Place]) -> None:
    client.get("/")
    # The list that the first page shows is of one game, and is worked out once.
    assert len({game for game, _book in asked}) <= 1
    asked.clear()
    for address in (
        "/",
        "/library/",
        "/library/t9a-2023/",
        "/api/v1/systems/",
        "/packs/",
        "/lists/",
        "/books/",
    ):
        assert client.get(address).status_code == 200
        assert asked == set(), address
    # A page of one game makes no book of another.
    for address in ("/new/sbh/", "/library/sbh/profiles/", "/library/sbh/compare/"):
        assert client.get(address).status_code == 200
        assert {game for game, _book in asked} == {"sbh"}, address


def test_pages_and_the_builder_of_an_army_make_its_one_book(
    client: Client, asked: set[Place]
) -> None:
    assert client.get("/library/t9a-2023/highborn-elves/").status_code == 200
    assert asked == {("t9a-2023", "highborn-elves")}
    asked.clear()
    fields = {"name": "Army", "limit": "4500", "books": "ogre-khans"}
    assert client.post("/new/t9a-2023/", fields, follow=True).status_code == 200
    assert asked == {("t9a-2023", "ogre-khans")}


@pytest.mark.slow
def test_a_pasted_army_finds_its_book_by_the_names_of_units(
    client: Client, asked: set[Place]
) -> None:
    names = shipped_library().books["t9a-2023"]["ogre-khans"].names.values()
    assert client.post("/lists/paste/", {"text": "\n".join(names)}).status_code == 200
    # In each edition, as the text names none.
    assert asked == {(f"t9a-{edition}", "ogre-khans") for edition in ("2023", "2024", "3rd")}
