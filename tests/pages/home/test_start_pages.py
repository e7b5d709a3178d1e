"""Starting well in a browser: examples, and something random to begin with."""

import re
from collections.abc import Callable

import pytest
from django.test import Client
from django.utils.html import escape

from armybuilder.lists.models import ArmyList, Version
from armybuilder.loading.examples import shipped_examples
from armybuilder.loading.library import shipped_library
from tests.conftest import Builder

pytestmark = pytest.mark.django_db

ALL = [
    (system, example)
    for system, examples in shipped_examples().by_system.items()
    for example in examples
]
BEGIN = "Random warband"


@pytest.mark.slow
def test_home_and_the_page_of_a_new_list_offer_every_example(client: Client) -> None:
    home = client.get("/").content.decode()
    for system, example in ALL:
        address = f"/new/{system}/example/{example.id}/"
        page = client.get(f"/new/{system}/").content.decode()
        assert address in home
        assert escape(example.name) in home
        assert address in page
        assert escape(example.about) in page


def test_the_largest_game_comes_first_and_editions_stand_together(client: Client) -> None:
    page = client.get("/").content.decode()
    games = re.findall(r'class="button primary"\s+href="/new/([\w-]+)/"', page)
    editions = ["chainmail-2002", "chainmail-2001-advanced", "chainmail-2001-basic"]
    assert games == ["t9a-2023", "t9a-2024", "essence-of-war", "sbh", "ddm-2008", *editions]
    assert "<h3>Chainmail</h3>" in page
    assert "<h3>The Ninth Age</h3>" in page


def test_what_was_worked_on_comes_before_the_games(client: Client) -> None:
    assert "Bring your New Recruit or BattleScribe lists" in client.get("/").content.decode()
    client.post("/new/sbh/example/gruks-green-flood/")
    page = client.get("/").content.decode()
    assert (
        page.index(">Continue<") < page.index("Gruk’s Green Flood</a>") < page.index('id="games"')
    )


@pytest.mark.one_in(6)
@pytest.mark.parametrize(("system", "example"), ALL, ids=lambda value: getattr(value, "id", value))
def test_an_example_opens_as_a_legal_list_of_this_browser(
    client: Client, system: str, example: object
) -> None:
    response = client.post(f"/new/{system}/example/{example.id}/", follow=True)  # type: ignore[attr-defined]
    page = response.content.decode()
    assert "Legal" in page
    assert "Not legal" not in page
    assert escape(example.name) in page  # type: ignore[attr-defined]


def test_an_opened_example_pins_its_books_and_can_be_changed(client: Client) -> None:
    client.post("/new/sbh/example/gruks-green-flood/")
    document = Version.objects.get().document.to_dict()
    now = shipped_library().books["sbh"]["profiles"].revision
    assert document["books"] == [{"id": "profiles", "revision": now}]
    url = f"/lists/{ArmyList.objects.get().pk}/"
    fields = {"version": Version.objects.get().pk, "act": "remove", "unit": "u1"}
    assert client.post(f"{url}act/", fields).status_code == 302
    assert document["name"] == "Gruk’s Green Flood"
    # It says what it is about as the page did.
    german = {"accept-language": "de"}
    client.post("/new/sbh/example/gruks-green-flood/", headers=german)
    notes = Version.objects.latest("pk").document.notes
    assert escape(notes) in client.get("/new/sbh/", headers=german).content.decode()


@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    ("system", "book", "limit"),
    [
        ("sbh", "profiles", 300),
        ("chainmail-2002", "practice", 100),
        ("ddm-2008", "practice", 200),
        ("t9a-2023", "highborn-elves", 4500),
    ],
)
def test_the_page_of_a_new_list_makes_a_random_one_of_the_books_and_size(
    client: Client, system: str, book: str, limit: int
) -> None:
    page = client.get(f"/new/{system}/").content.decode()
    assert f'formaction="/new/{system}/random/"' in page
    fields = {"name": "Surprise", "limit": limit, "books": [book]}
    response = client.post(f"/new/{system}/random/", fields, follow=True)
    document = Version.objects.latest("number").document.to_dict()
    assert document["name"] == "Surprise"
    assert document["limit"] == limit
    assert document["units"]
    assert f"Filled the list: {limit} of {limit} points." in response.content.decode()


def test_what_cannot_be_started_says_so(client: Client) -> None:
    response = client.post("/new/sbh/random/", {"name": "", "limit": 0, "books": []})
    page = response.content.decode()
    assert response.status_code == 422
    assert "at least one book" in page
    assert 'action="/new/sbh/"' in page  # so that “Create list” still starts an empty list
    assert not ArmyList.objects.exists()
    # What is not there is not found and only a press makes a list.
    missing = ("sbh/example/none", "none/example/gruks-green-flood", "none/random")
    for address in missing:
        assert client.post(f"/new/{address}/").status_code == 404, address
    for address in ("sbh/example/gruks-green-flood", "sbh/random"):
        assert client.get(f"/new/{address}/").status_code == 405, address
    assert not ArmyList.objects.exists()


def test_an_empty_list_offers_something_to_begin_with(build: Callable[..., Builder]) -> None:
    games = {"chainmail-2002": (100, "practice", BEGIN)}
    games["t9a-2023"] = (4500, "highborn-elves", "Random army")
    for system, (limit, book, offer) in games.items():
        builder = build(system, limit=limit, books=[book])
        assert offer in builder.page
        builder.act("fill")
        assert builder.document["units"]
        assert offer not in builder.page
        builder.act("undo")
        assert offer in builder.page


def test_books_in_which_nothing_goes_together_say_so(build: Callable[..., Builder]) -> None:
    builder = build("chainmail-2001-basic", limit=50, books=["converted"])
    response = builder.act("fill", htmx=True)
    assert response.status_code == 422
    assert "No legal list was found" in response.content.decode()
    fields = {"name": "x", "limit": 50, "books": ["converted"]}
    page = builder.client.post("/new/chainmail-2001-basic/random/", fields, follow=True)
    assert "No legal list was found" in page.content.decode()


def test_a_random_start_over_a_change_made_elsewhere_asks_first(chainmail: Builder) -> None:
    seen = chainmail.version.pk
    chainmail.act("add", ref="practice/gatehouse-recruit")
    response = chainmail.act("fill", htmx=True, version=seen)
    assert response.status_code == 409
    assert len(chainmail.document["units"]) == 1
