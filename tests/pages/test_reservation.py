"""Where the game's own rulebook is not here, that stands beside every verdict."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from armybuilder.books.models import OwnBook
from armybuilder.loading.library import shipped_library
from armybuilder.loading.likeness import differences
from armybuilder.sheets.content.setup import KINDS
from armybuilder.sheets.texts.forms import FORMS
from tests.building.converted import keep_book
from tests.conftest import Builder
from tests.markup import flat
from tests.sharing.links import make_link, path_of
from tests.sheets.papers import example, material, page_texts

pytestmark = [pytest.mark.django_db, pytest.mark.long]

YEAR, NONE = "hecked by the rulebook of 2023", "o rulebook available"
#: An example of each, and what stands beside the verdict on it.
LISTS = {
    "t9a-2024/harbour-of-white-sails": YEAR,
    "essence-of-war/sand-over-stone": NONE,
    "t9a-2023/the-princes-dragon": "",
    "sbh/gruks-green-flood": "",
}
SAID = re.compile('<span class="reservation">([^<]+)</span>')


def reservations_in(text: str) -> set[str]:
    return {words for words in (YEAR, NONE) if words in " ".join(text.split())}


def said_on(page: str) -> set[str]:
    """What a page says beside verdicts; what it says of games is something else."""
    return reservations_in(" ".join(SAID.findall(flat(page))))


@pytest.fixture(params=LISTS)
def listed(request: pytest.FixtureRequest, client: Client) -> tuple[Builder, set[str]]:
    system, _, name = request.param.partition("/")
    words = LISTS[request.param]
    return Builder(client, f"{system}/example/{name}"), {words} if words else set()


@pytest.mark.one_in(4)
def test_the_builder_shows_the_reservation(listed: tuple[Builder, set[str]]) -> None:
    builder, words = listed
    assert reservations_in(builder.page) == words
    # In the bar, and over the errors; also in what a click exchanges.
    assert len(SAID.findall(builder.page)) == 2 * len(words)
    answer = builder.act("rename", htmx=True, name="Other")
    assert reservations_in(answer.text) == words


@pytest.mark.one_in(4)
@pytest.mark.parametrize("part", ["sheet/", "charts/"])
def test_other_pages_of_a_list_show_the_reservation(
    listed: tuple[Builder, set[str]], part: str
) -> None:
    builder, words = listed
    assert said_on(builder.client.get(f"{builder.url}{part}").text) == words


@pytest.mark.one_in(4)
def test_pages_of_several_lists_show_the_reservation(listed: tuple[Builder, set[str]]) -> None:
    builder, words = listed
    lists = reverse("my-lists")
    beside = f"{reverse('side-by-side')}?a={builder.version.army_list_id}"
    for page in (reverse("home"), lists, beside):
        assert said_on(builder.client.get(page).text) == words, page


@pytest.mark.one_in(8)
@pytest.mark.parametrize("view", ["full", "open"])
def test_a_shared_list_shows_the_reservation(listed: tuple[Builder, set[str]], view: str) -> None:
    builder, words = listed
    for what in ("current", "frozen"):
        link = path_of(make_link(builder, what=what, view=view))
        page = Client().get(link).text
        assert said_on(page) == words
        assert len(SAID.findall(page)) >= 2 * len(words)
        assert reservations_in(Client().get(f"{link}list.txt").text) == words


@pytest.mark.one_in(4)
@pytest.mark.parametrize("name", LISTS)
def test_every_printed_verdict_has_the_reservation(name: str) -> None:
    for kind in KINDS:
        text = " ".join(page_texts(example(name), kinds=kind))
        expected = {LISTS[name]} - {""} if kind != "blank" else set()
        assert reservations_in(text) == expected, kind


@pytest.mark.parametrize("name", LISTS)
def test_every_verdict_in_a_text_has_the_reservation(name: str) -> None:
    made = material(example(name))
    for key, form in FORMS.items():
        if form.armies and made.sheet.army is None:
            continue
        text = form.draw(made.open_sheet if form.hides else made.sheet)
        # What tournaments take has no verdict.
        expected = {LISTS[name]} - {""} if key != "t9a" else set()
        assert reservations_in(text.replace("\\", "")) == expected, key


@pytest.mark.parametrize("name", LISTS)
def test_api_and_commands_give_the_reservation(
    name: str, client: Client, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    document, words = example(name), LISTS[name]
    system = document["system"]

    def post(address: str, body: object) -> Any:
        made = client.post(f"/api/v1{address}", json.dumps(body), content_type="application/json")
        answer: Any = made.json()
        return answer

    report = post("/validate/", document)
    (line,) = post("/batch/", {"documents": [document]})
    game = client.get(f"/api/v1/systems/{system}/").json()
    said = {report["reservation"], line["reservation"], game["reservation"]}
    assert len(said) == 1
    assert said == {words and ("c" if words == YEAR else "n") + words}
    file = tmp_path / "list.json"
    file.write_text(json.dumps(document))
    call_command("validate_list", str(file))
    assert reservations_in(capsys.readouterr().out) == ({words} if words else set())


def test_a_game_made_of_files_says_that_it_has_no_rulebook(client: Client) -> None:
    book = keep_book(client)
    game = book.system
    assert str(shipped_library().system(game).reservation) == "no rulebook available"
    fields = {"name": "Otters", "limit": 1000, "books": [book.pk]}
    made = client.post(f"/new/{game}/", fields)
    assert reservations_in(client.get(made["Location"]).text) == {NONE}


@pytest.mark.slow
def test_a_copy_of_a_shipped_book_is_a_custom_one_wherever_it_is_judged_by(client: Client) -> None:
    data = {**(shipped_library().shipped_data("sbh", "profiles") or {}), "kind": "own"}
    file = SimpleUploadedFile("profiles.json", json.dumps(data).encode())
    client.post("/books/import/", {"file": file})
    own = OwnBook.objects.get()
    builder = Builder(client, "sbh", limit=300, books=[own.pk])
    builder.act("add", ref=f"{own.pk}/troll")
    custom = "ustom book"
    link = path_of(make_link(builder, what="current", view="full"))
    certificate = builder.client.get(f"{builder.url}certificate/").text
    pages = {
        "builder": builder.page,
        "My lists": client.get(reverse("my-lists")).text,
        "shared": Client().get(link).text,
        "text": Client().get(f"{link}list.txt").text,
        "certificate": certificate,
    }
    assert [name for name, page in pages.items() if custom not in page] == []
    document = builder.document
    for kind in KINDS:
        text = " ".join(page_texts(document, kinds=kind))
        assert (custom in text) == (kind != "blank"), kind
    # The certificate names each book by its id and revision, not by the name that it was given.
    revision = builder.version.document.books[0].revision or own_revision(own)
    assert f"{own.pk} {revision}" in flat(certificate)
    assert custom not in Builder(client, "sbh", limit=300, books=["profiles"]).page


MAMMOTH = "Differs from Ogre Khans: Frost Mammoth 160 instead of 380 points"


def cheap_khans(client: Client, name: str = "") -> OwnBook:
    """A custom copy of the shipped Ogre Khans with a cheap mammoth."""
    data = dict(shipped_library().shipped_data("t9a-2023", "ogre-khans") or {})
    units = json.loads(json.dumps(data["units"]))
    next(unit for unit in units if unit["id"] == "frost-mammoth")["points"] -= 220
    data |= {"kind": "own", "units": units, "name": name or data["name"]}
    for left in ("audit", "gaps"):
        data.pop(left, None)
    file = SimpleUploadedFile("khans.json", json.dumps(data).encode())
    client.post("/books/import/", {"file": file})
    return OwnBook.objects.latest("created")


@pytest.mark.one_in(4)
@pytest.mark.parametrize(
    ("name", "taken"),
    [
        ("", True),
        ("Оgre  Кhans", True),  # with letters of another alphabet
        ("OGRE KHANS 2023 Beta 2", True),
        ("My Ogres", False),
    ],
)
def test_a_changed_copy_says_what_it_changes_and_whose_name_it_took(
    client: Client, name: str, taken: bool
) -> None:
    own = cheap_khans(client, name)
    builder = Builder(client, "t9a-2023", limit=4500, books=[own.pk])
    builder.act("add", ref=f"{own.pk}/frost-mammoth")
    mark = "not the shipped Ogre Khans"
    link = path_of(make_link(builder, what="current", view="full"))
    pages = {
        "builder": builder.page,
        "My lists": client.get(reverse("my-lists")).text,
        "shared": Client().get(link).text,
        "text": Client().get(f"{link}list.txt").text,
        "sheet": " ".join(page_texts(builder.document, kinds="compact")),
    }
    assert {where: mark in page for where, page in pages.items()} == dict.fromkeys(pages, taken)
    certificate = client.get(f"{builder.url}certificate/").text
    for page in (pages["builder"], pages["shared"], certificate):
        assert MAMMOTH in flat(page)
        assert "more" not in flat(page).partition(MAMMOTH)[2][:8]
    (word,) = re.findall(r"/verify/#([\w.-]+)", certificate)[:1]
    assert MAMMOTH in Client().post("/verify/", {"certificate": word}).text


def test_an_equal_copy_and_a_book_of_other_units_differ_from_nothing() -> None:
    library, named = (
        shipped_library(),
        {"kind": "own", "id": "own-0123456789abcdef", "name": "Mine"},
    )
    khans = {**(library.shipped_data("t9a-2023", "ogre-khans") or {}), **named}
    profiles = {**(library.shipped_data("sbh", "profiles") or {}), **named}
    renamed = [
        {**unit, "id": f"x-{n}", "name": f"X {n}"} for n, unit in enumerate(profiles["units"])
    ]
    for content in (khans, profiles, {**profiles, "units": renamed}):
        made = library.asking(lambda _id, _revision, content=content: content)
        catalogue = made.catalogue(content["system"], [named["id"]], {named["id"]: "any"})
        assert len(catalogue.units) == len(content["units"])
        assert differences(catalogue) == ()


def own_revision(own: OwnBook) -> str:
    """The revision of an own book as it is now."""
    return shipped_library().book("sbh", str(own.pk)).revision
