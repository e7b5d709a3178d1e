"""Army categories of a player's own book: the edits, and their page."""

import copy
from typing import Any

import pytest
from django.test import Client

from armybuilder.authoring import edits
from armybuilder.authoring.checking import find_part, mark_of
from armybuilder.authoring.edits import move_category, put_category, remove_category
from armybuilder.loading.library import book_problems, shipped_library
from armybuilder.loading.problems import Refusal
from tests.books.shelf import Shelf
from tests.markup import lacking

T9A = shipped_library().systems["t9a-2023"]
CHAINMAIL = shipped_library().systems["chainmail-2002"]
OWN = "own-0123456789abcdef"


@pytest.fixture
def book() -> dict[str, Any]:
    """Characters to 40%, Core from 25%, Special, Army-specific to 30%; an Orc in Core."""
    orc = {"id": "orc", "name": "Orc", "points": 100, "categories": ["core"]}
    return {**edits.new_book(T9A, OWN, "Mine"), "units": [orc]}


def names(book: dict[str, Any]) -> list[str]:
    return [category["name"] for category in book["categories"]]


def test_a_category_is_added_and_changed_keeping_id_and_place(book: dict[str, Any]) -> None:
    texts = {"name": "Wings", "min": "", "max": "30", "min_units": "1", "max_units": "4"}
    after, made = put_category(book, T9A, texts)
    wanted = {"id": "wings", "name": "Wings", "max": "30%", "min_units": 1, "max_units": 4}
    assert after["categories"][-1] == wanted
    assert made == "wings"
    assert book_problems(after, T9A, "book") == []
    after, _ = put_category(book, T9A, {"name": "Core", "min": ""}, "core")
    assert find_part(after, "categories", "core") == {"id": "core", "name": "Core"}
    texts = {"name": "Wings", "min": "5", "max": "30", "min_units": "", "max_units": "4"}
    after, made = put_category(book, T9A, texts)
    assert edits.texts_of(find_part(after, "categories", made) or {}) == texts
    when = [{"if": {"limit": {"at_least": 5000}}, "set": {"max": 50}}]
    book["categories"][0]["when"] = when
    before = copy.deepcopy(book)
    after, made = put_category(book, T9A, {"name": "Heroes", "max": "35 %"}, "characters")
    assert made == "characters"
    assert after["categories"][0] == {
        "id": "characters",
        "name": "Heroes",
        "max": "35%",
        "when": when,
    }
    assert names(after) == ["Heroes", "Core", "Special", "Army-specific"]
    assert book == before


def test_what_is_no_category_or_still_named_is_refused(book: dict[str, Any]) -> None:
    # What is no category is refused in a sentence.
    for texts, told in (
        ({"name": " "}, "The name is empty."),
        ({"name": "core"}, "There is another category called core."),
        ({"name": "Wings", "max": "130"}, "Max %: “130” is out of range."),
        ({"name": "Wings", "min": "many"}, "Min %: “many” is not a number."),
        (
            {"name": "Wings", "min": "40", "max": "30"},
            "The minimum, 40%, is above the maximum, 30%.",
        ),
        ({"name": "Wings", "min_units": "3", "max_units": "2"}, "The minimum, 3, is above"),
        ({"name": "x" * 81}, "81 characters; the maximum"),
    ):
        with pytest.raises(Refusal, match=r"\.$") as refusal:
            put_category(book, T9A, texts)
        assert told in refusal.value.sentence
    # A category that units or options name is not removed.
    with pytest.raises(Refusal) as refusal:
        remove_category(book, T9A, "core")
    assert refusal.value.sentence == "Core still has “Orc”: move it first."
    book["units"] = [{**book["units"][0], "id": f"u{n}", "name": f"Unit {n}"} for n in range(8)]
    with pytest.raises(Refusal, match="“Unit 4” and 3 more"):
        remove_category(book, T9A, "core")
    mount = {"id": "heron", "name": "Heron", "points": 50, "categories": ["special"]}
    book["options"] = [mount]
    with pytest.raises(Refusal, match="“Heron”"):
        remove_category(book, T9A, "special")


def test_categories_move_and_are_so_many_only(book: dict[str, Any]) -> None:
    # Categories move to the ends and empty ones are removed.
    assert names(move_category(book, T9A, "core", -1))[:2] == ["Core", "Characters"]
    assert names(move_category(book, T9A, "core", -99))[0] == "Core"
    assert names(move_category(book, T9A, "core", 99))[-1] == "Core"
    after = remove_category(book, T9A, "special")
    assert names(after) == ["Characters", "Core", "Army-specific"]
    again, made = put_category(after, T9A, {"name": "Special"})
    assert made == "special"
    assert names(again)[-1] == "Special"
    # A book holds so many categories only.
    most = edits.MAX_CATEGORIES
    book["categories"] = [{"id": f"c{n}", "name": f"C {n}"} for n in range(most)]
    book["units"] = []
    with pytest.raises(Refusal, match=f"at most {most} categories"):
        put_category(book, T9A, {"name": "One more"})
    changed, _ = put_category(book, T9A, {"name": "New name"}, "c0")
    assert names(changed)[0] == "New name"


def test_categories_are_of_army_books_which_need_those_of_their_game(
    client: Client, db: None
) -> None:
    flat = edits.new_book(CHAINMAIL, OWN, "Mine")
    with pytest.raises(Refusal, match="no army categories"):
        put_category(flat, CHAINMAIL, {"name": "Core"})
    assert edits.needed_categories(T9A) == {"characters", "core"}
    assert edits.needed_categories(CHAINMAIL) == set()
    # A game without categories has no such page.
    shelf = Shelf(client)
    assert "categories/" not in shelf.page
    assert client.get(f"{shelf.url}categories/").status_code == 404


@pytest.fixture
def army(client: Client, db: None) -> Shelf:
    """An own army book with one unit, an Orc in Core."""
    shelf = Shelf(client, "t9a-2023")
    shelf.client.post(
        f"{shelf.url}units/new/", {"name": "Orc", "points": "100", "categories": "core"}
    )
    assert shelf.names == ["Orc"]
    return shelf


def post(shelf: Shelf, act: str, category: str = "", **fields: str) -> Any:
    """Press a button of a category's form, loaded just before."""
    mark = mark_of(find_part(shelf.data, "categories", category)) if category else ""
    fields = {"act": act, "id": category, "mark": mark, **fields}
    return shelf.client.post(f"{shelf.url}categories/", fields)


def test_the_page_shows_categories_and_keeps_what_a_refused_change_typed(army: Shelf) -> None:
    assert f'href="{army.url}categories/"' in army.page
    page = army.text("categories/")
    for text in ('value="Characters"', 'value="40"', "1 unit<", "Min %"):
        assert text in page, text
    response = post(army, "save", "core", name="Core troops", min="a lot")
    page = response.text
    assert response.status_code == 422
    assert lacking(page, 'value="Core troops"', 'value="a lot"', "is not a number") == []
    assert post(army, "save", name="").status_code == 422
    assert "still has “Orc”" in post(army, "remove", "core").text
    assert names(army.data) == ["Characters", "Core", "Special", "Army-specific"]
    assert post(army, "up", "no-such").status_code == 422
    response = post(army, "save", "special", name="Special", mark="")
    assert response.status_code == 409
    post(army, "remove", "special")
    response = post(army, "save", "special", name="Special", mark="0123456789abcdef")
    assert response.status_code == 409
    assert "was removed elsewhere" in response.text


def test_buttons_add_change_move_and_remove(army: Shelf) -> None:
    assert post(army, "save", name="Wings", max="30", max_units="4").status_code == 302
    post(army, "save", "wings", name="Beasts", max="20")
    assert find_part(army.data, "categories", "wings") == {
        "id": "wings",
        "name": "Beasts",
        "max": "20%",
    }
    post(army, "up", "wings")
    assert names(army.data)[-2:] == ["Beasts", "Army-specific"]
    post(army, "down", "wings")
    post(army, "remove", "wings")
    assert names(army.data) == ["Characters", "Core", "Special", "Army-specific"]
    assert "Removed the category “Beasts”." in army.text("categories/")
    army.act("undo")
    assert names(army.data)[-1] == "Beasts"
    # Unknown buttons are refused.
    for act in ("", "explode", "up:core"):
        assert post(army, act, "core", name="Core").status_code == 422


def test_a_category_changed_elsewhere_is_asked_about_and_saved_on_a_second_press(
    army: Shelf,
) -> None:
    old = mark_of(find_part(army.data, "categories", "core"))
    post(army, "save", "core", name="Elsewhere", min="20")
    response = post(army, "save", "core", name="Mine", min="30", mark=old)
    page = response.text
    assert response.status_code == 409
    assert 'value="Mine"' in page
    assert f'value="{mark_of(find_part(army.data, "categories", "core"))}"' in page
    assert post(army, "save", "core", name="Mine", min="30").status_code == 302
    assert find_part(army.data, "categories", "core") == {
        "id": "core",
        "name": "Mine",
        "min": "30%",
    }
