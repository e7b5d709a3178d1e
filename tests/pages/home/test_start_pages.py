"""Starting well in a browser: examples, random lists, and how lists without a name are called."""

import re
from collections.abc import Callable

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils.html import escape
from django.utils.translation import override

from armybuilder.battlescribe.rosters import write_ros
from armybuilder.lists.models import ArmyList, Version
from armybuilder.lists.selectors import free_name
from armybuilder.loading.examples import shipped_examples
from armybuilder.loading.library import shipped_library
from armybuilder.loading.limits import MAX_NAME
from armybuilder.pages.home.views import showcase
from tests.conftest import Builder
from tests.markup import lacking, refused

pytestmark = pytest.mark.django_db


ALL = [
    (system, example)
    for system, examples in shipped_examples().by_system.items()
    for example in examples
]
BEGIN = "Random warband"


@pytest.mark.slow
def test_the_page_of_a_new_list_offers_every_example(client: Client) -> None:
    for system, example in ALL:
        address = f"/new/{system}/example/{example.id}/"
        page = client.get(f"/new/{system}/").text
        assert address in page
        assert escape(example.name) in page
        assert escape(example.about) in page


def test_the_first_page_shows_a_list_of_which_the_engine_says_why_it_is_not_legal(
    client: Client,
) -> None:
    shown = showcase()
    assert shown is not None
    assert [line.goes for line in shown.lines].count(True) == 1
    assert (shown.wrong.legal, shown.right.legal) == (False, True)
    for language in ("en", "de"):
        page = client.get("/", headers={"accept-language": language}).text
        with override(language):
            told = [shown.name, shown.sentence, shown.culprit, str(shown.right.verdict)]
        assert lacking(page, *map(escape, told)) == []
    # Who has lists sees those.
    client.post("/new/sbh/example/gruks-green-flood/")
    assert "showcase" not in client.get("/").text


def test_the_largest_game_and_what_was_worked_on_come_first(client: Client) -> None:
    page = client.get("/").text
    games = re.findall(r'class="button"\s+href="/new/([\w-]+)/"', page)
    editions = ["chainmail-2002", "chainmail-2001-advanced", "chainmail-2001-basic"]
    assert games == [
        *("t9a-2023", "t9a-2024", "t9a-3rd", "essence-of-war", "sbh", "ddm-2008"),
        *editions,
    ]
    assert lacking(page, "<h3>Chainmail</h3>", "<h3>The Ninth Age</h3>") == []
    # What was worked on comes before the games.
    assert "Import your New Recruit or BattleScribe lists" in client.get("/").text
    client.post("/new/sbh/example/gruks-green-flood/")
    page = client.get("/").text
    assert (
        page.index(">Continue<") < page.index("Gruk’s Green Flood</a>") < page.index('id="games"')
    )


@pytest.mark.one_in(6)
@pytest.mark.parametrize(("system", "example"), ALL, ids=lambda value: getattr(value, "id", value))
def test_an_example_opens_as_a_legal_list_of_this_browser(
    client: Client, system: str, example: object
) -> None:
    response = client.post(f"/new/{system}/example/{example.id}/", follow=True)  # type: ignore[attr-defined]
    page = response.text
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
    assert escape(notes) in client.get("/new/sbh/", headers=german).text


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
    page = client.get(f"/new/{system}/").text
    assert f'formaction="/new/{system}/random/"' in page
    fields = {"name": "Surprise", "limit": limit, "books": [book]}
    response = client.post(f"/new/{system}/random/", fields, follow=True)
    document = Version.objects.latest("number").document.to_dict()
    assert document["name"] == "Surprise"
    assert document["limit"] == limit
    assert document["units"]
    assert f"Spent {limit} of {limit} points." in response.text


def test_what_cannot_be_started_says_so(client: Client) -> None:
    response = client.post("/new/ddm-2008/random/", {"name": "", "limit": 0, "books": []})
    page = response.text
    assert response.status_code == 422
    assert "at least one book" in page
    assert 'action="/new/ddm-2008/"' in page  # so that “Create list” still starts an empty list
    assert not ArmyList.objects.exists()
    # What is not there is not found and only a press makes a list.
    missing = ("sbh/example/none", "none/example/gruks-green-flood", "none/random")
    for address in missing:
        assert client.post(f"/new/{address}/").status_code == 404, address
    for address in ("sbh/example/gruks-green-flood", "sbh/random"):
        assert client.get(f"/new/{address}/").status_code == 405, address
    assert not ArmyList.objects.exists()


@pytest.mark.slow
def test_an_empty_list_offers_something_to_begin_with(
    build: Callable[..., Builder], chainmail: Builder
) -> None:
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
    # A random start over a change made elsewhere asks first.
    seen = chainmail.version.pk
    chainmail.act("add", ref="practice/gatehouse-recruit")
    response = chainmail.act("fill", htmx=True, version=seen)
    assert response.status_code == 409
    assert len(chainmail.document["units"]) == 1


def test_books_in_which_nothing_goes_together_say_so(build: Callable[..., Builder]) -> None:
    builder = build("chainmail-2001-basic", limit=50, books=["converted"])
    assert "We found no legal list" in refused(builder.act("fill", htmx=True))
    fields = {"name": "x", "limit": 50, "books": ["converted"]}
    page = builder.client.post("/new/chainmail-2001-basic/random/", fields, follow=True)
    assert "We found no legal list" in page.text


ELVES = {"limit": 4500, "books": ["highborn-elves"]}


def latest_name() -> str:
    return Version.objects.latest("pk").document.name


@pytest.mark.parametrize("how", ["", "random/"])
def test_a_new_list_is_called_after_its_book_and_size(how: str) -> None:
    for system, fields, name in (
        ("t9a-2023", ELVES, "Highborn Elves 4500"),
        ("sbh", {"limit": 300, "books": ["profiles"]}, "Warband 300"),
        ("chainmail-2002", {"limit": 100, "books": ["practice"]}, "Warband 100"),
    ):
        Client().post(f"/new/{system}/{how}", {**fields, "name": ""})
        assert latest_name() == name


def test_a_name_is_numbered_where_the_holder_has_it_already(client: Client) -> None:
    for _ in range(3):
        client.post("/new/t9a-2023/", ELVES)
    names = set(ArmyList.objects.values_list("name", flat=True))
    assert names == {"Highborn Elves 4500", "Highborn Elves 4500 (2)", "Highborn Elves 4500 (3)"}
    Client().post("/new/t9a-2023/", ELVES)
    assert latest_name() == "Highborn Elves 4500"
    # A deleted list takes no name.
    gone = ArmyList.objects.get(name="Highborn Elves 4500 (2)").pk
    client.post(f"/lists/{gone}/delete/")
    client.post("/new/t9a-2023/", ELVES)
    assert latest_name() == "Highborn Elves 4500 (2)"
    # An example opened twice is numbered.
    for name in ("Gruk’s Green Flood", "Gruk’s Green Flood (2)"):
        client.post("/new/sbh/example/gruks-green-flood/")
        assert latest_name() == name
    # A name that was written stays as it is.
    for _ in range(2):
        client.post("/new/t9a-2023/", {**ELVES, "name": "My elves"})
        assert latest_name() == "My elves"


def test_the_name_of_a_list_follows_its_size_until_somebody_names_it(client: Client) -> None:
    for _ in range(2):
        client.post("/new/t9a-2023/", ELVES)
    army = f"/lists/{Version.objects.latest('pk').army_list_id}/"

    def act(act: str, **fields: object) -> str:
        seen = {"version": Version.objects.latest("pk").pk, "act": act}
        headers = {"HX-Request": "true"}
        answer = client.post(f"{army}act/", {**seen, **fields}, headers=headers)
        assert latest_name() in answer.text
        return latest_name()

    assert act("limit", limit=1500) == "Highborn Elves 1500 (2)"
    assert act("rename", name="Elves of 1500") == "Elves of 1500"
    assert act("limit", limit=4500) == "Elves of 1500"
    # That of a warband, whatever its faction is by then.
    client.post("/new/chainmail-2002/", {"limit": 100, "books": ["practice"]})
    for change in ({"act": "setting", "setting": "faction", "value": "thalos"}, {"limit": 140}):
        version = Version.objects.latest("pk")
        fields = {"version": version.pk, "act": "limit", **change}
        assert client.post(f"/lists/{version.army_list_id}/act/", fields).status_code == 302
    assert latest_name() == "Warband 140"


def test_a_text_without_a_name_is_called_after_its_book_and_size(client: Client) -> None:
    fields = {"text": "25 Citizen Spears\n", "system": "t9a-2023", "book": "highborn-elves"}
    for name in ("Highborn Elves 4500", "Highborn Elves 4500 (2)"):
        client.post("/lists/paste/", {**fields, "shown_system": "t9a-2023", "go": "make"})
        assert latest_name() == name
    # So is a roster.
    example = shipped_examples().find("t9a-2023", "the-princes-dragon")
    assert example is not None
    raw = write_ros(example.document, shipped_library()).replace(
        "The Prince’s Dragon".encode(), b""
    )
    for name in ("Highborn Elves 4500 (3)", "Highborn Elves 4500 (4)"):
        client.post("/lists/open/", {"file": SimpleUploadedFile("army.ros", raw)})
        assert latest_name() == name


def test_a_numbered_name_is_no_longer_than_names_may_be(client: Client) -> None:
    for length in (MAX_NAME, MAX_NAME - 1, MAX_NAME - 4):
        client.post("/new/sbh/", {"limit": 300, "books": ["profiles"], "name": "x" * length})
        name = free_name(ArmyList.objects.latest("created").holder, "x" * length)
        assert name != "x" * length
        assert len(name) <= MAX_NAME
