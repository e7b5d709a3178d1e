"""Names of an own book that state a restriction: a hint where they are edited, never a guess."""

import json
from html import unescape
from typing import Any

import pytest
from django.test import Client

from armybuilder.authoring.checking import CONDITIONS, MOST_HINTS, hints_of
from armybuilder.books.models import OwnBook
from armybuilder.loading.books import build_book
from armybuilder.loading.library import shipped_library
from armybuilder.loading.schemas import schema_problems
from tests.books.shelf import Shelf, upload
from tests.building.tiny import book_data

pytestmark = pytest.mark.django_db

SYSTEM = "t9a-2023"
ASKS = "“Ring (only on foot)” states a restriction: only on foot."


@pytest.fixture
def lords(client: Client) -> Shelf:
    """An own book of The Ninth Age without cards."""
    return Shelf(client, SYSTEM)


def typed(shelf: Shelf, options: str, **more: str) -> Any:
    fields = {"name": "Lord", "points": "100", "size": "1", "options": options, **more}
    return shelf.client.post(f"{shelf.url}units/new/", fields, headers={"HX-Request": "true"})


def seen(response: Any) -> str:
    return unescape(response.content.decode())


def text(shelf: Shelf, path: str = "") -> str:
    return unescape(shelf.text(path))


def test_a_name_that_is_typed_gets_a_hint_and_is_saved_as_typed(lords: Shelf) -> None:
    html = seen(typed(lords, "Ring (only on foot), 20", preview="1"))
    assert ASKS in html
    assert "Should it be a condition?" in html
    assert "Save the card" in html
    assert ASKS not in seen(typed(lords, "Throwing Weapons (4+), 20", preview="1"))
    typed(lords, "Ring (only on foot), 20")
    (unit,) = lords.data["units"]
    (ring,) = unit["options"]
    assert ring["name"] == "Ring (only on foot)"
    assert not ring.keys() & {"needs", "not_with"}


def test_a_saved_card_its_text_and_the_book_have_the_hint_with_the_way_to_a_condition(
    lords: Shelf,
) -> None:
    typed(lords, "Ring (only on foot), 20")
    address = f"{lords.url}units/lord/json/#conditions"
    for page in (text(lords, "units/lord/"), text(lords)):
        assert ASKS in page
        assert f'href="{address}"' in page
    html = text(lords, "units/lord/json/")
    assert ASKS in html
    assert '<details id="conditions" open>' in html


def test_a_condition_ends_the_hints(lords: Shelf) -> None:
    typed(lords, "Ring (only on foot), 20\nHorse, 30")
    (unit,) = lords.data["units"]
    unit["options"][0]["not_with"] = ["horse"]
    fields = {"json": json.dumps(unit), "mark": lords.mark("lord")}
    assert lords.client.post(f"{lords.url}units/lord/json/", fields).status_code == 302
    for path in ("", "units/lord/", "units/lord/json/"):
        assert ASKS not in text(lords, path)
    assert 'id="conditions" open' not in text(lords, "units/lord/json/")


def brought(client: Client) -> str:
    """The page that follows the opening of a book's file, with a sword and a ring to share."""
    ring = {"id": "ring", "name": "Ring (only on foot)", "points": 20}
    sword = {"id": "sword", "name": "Sword - Cannot be taken by Gigantic", "points": 20}
    lord = {"id": "lord", "name": "Lord", "points": 9, "options": [sword, {"use": "ring"}]}
    data = book_data(lord, options=[ring])
    data |= {"system": SYSTEM, "id": "lords", "kind": "house"}
    response = upload(client, json.dumps(data).encode())
    assert response.status_code == 302, response.content.decode()
    return unescape(client.get(response["Location"]).content.decode())


def test_importing_a_book_file_lists_names_that_state_restrictions(
    client: Client,
) -> None:
    html = brought(client)
    assert "2 names state restrictions, which are not checked." in html
    assert ASKS in html
    assert "Several cards share this option; it is in the book’s file" in html
    assert "“Sword - Cannot be taken by Gigantic” states a restriction" in html
    assert "needs" not in json.dumps(OwnBook.objects.get().data)


def test_only_the_first_of_many_names_are_listed_and_conditions_can_be_written(
    shelf: Shelf,
) -> None:
    options = [{"id": f"o{n}", "name": f"Sword {n} (only on foot)"} for n in range(MOST_HINTS + 5)]
    hints, count = hints_of({"units": [{"id": "lord", "name": "Lord", "options": options}]})
    assert (len(hints), count) == (MOST_HINTS, MOST_HINTS + 5)
    for written in [written for written, _says in CONDITIONS]:
        ring = json.loads(f'{{"id": "ring", "name": "Ring", {written}}}')
        others = [{"id": key, "name": key} for key in ("horse", "wolf", "dragon")]
        lord = {"id": "lord", "name": "Lord", "points": 9, "options": [ring, *others]}
        king = {"id": "king", "name": "King", "points": 9}
        data = book_data(lord, king) | {"system": SYSTEM, "kind": "house"}
        assert schema_problems("book", data, "x") == [], written
        book, problems = build_book(data, shipped_library().systems[SYSTEM], "x")
        assert book is not None, problems
        (option, *_rest) = book.units[f"{data['id']}/lord"].offer.nodes
        assert option.needs is not None or option.cap is not None, written
    assert 'id="hints"' not in shelf.page
