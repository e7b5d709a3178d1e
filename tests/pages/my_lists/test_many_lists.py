"""A text with many lists: a table, nothing stored by looking; all, some or one of them are kept."""

import html

import pytest
from django.test import Client

from armybuilder.lists.models import ArmyList
from tests.exchange import packs

pytestmark = pytest.mark.django_db

ADDRESS = "/lists/paste/"
PACK = packs.pack(["comma", "short"], 3) + "\nZoe, Beast Herds\n200 - 5 Blorb Riders\n4500\n"


def post(client: Client, text: str = PACK, **fields: object) -> str:
    answer = client.post(ADDRESS, {"text": text, **fields}, follow=True)
    return html.unescape(answer.content.decode())


def names() -> list[str]:
    return sorted(ArmyList.objects.values_list("name", flat=True))


def test_a_table_shows_each_list_and_nothing_is_stored(client: Client) -> None:
    page = post(client, go="look")
    assert "This text holds 4 lists" in page
    for said in ("Anna “Crow” Bold", "Béla Kis", "Ogre Khans", "4471, as in the text", "Zoe"):
        assert said in page
    assert "3 were read without a doubt." in page
    assert "No unit was found in 1." in page
    assert "200 - 5 Blorb Riders" in page
    assert not ArmyList.objects.exists()


def test_those_that_are_selected_are_kept(client: Client) -> None:
    page = post(client, go="keep", part=["1", "17"])
    assert "Imported 2 lists." in page
    assert names() == ["Anna “Crow” Bold", "Béla Kis"]


def test_all_are_kept_and_what_has_no_unit_is_told(client: Client) -> None:
    page = post(client, go="keep-all")
    assert "Imported 3 lists." in page
    assert "No unit was found in the text" in page
    assert names() == ["Anna “Crow” Bold", "Béla Kis", "יוסי כהן"]


def test_nothing_is_kept_where_nothing_is_selected(client: Client) -> None:
    assert "Select a list first." in post(client, go="keep")
    assert not ArmyList.objects.exists()


def test_one_of_them_is_looked_at_line_by_line_and_made_with_its_name(client: Client) -> None:
    page = post(client, only="17")
    assert "Preview of the import" in page
    assert 'name="one" value="1"' in page
    assert "4500 of 4500" in page
    part = packs.short("Béla Kis", packs.ARMIES[1])
    post(client, text=part, one="1", name="Béla Kis", preface="1", go="make")
    assert names() == ["Béla Kis"]


def test_a_text_may_be_taken_for_one_list(client: Client) -> None:
    assert "Preview of the import" in post(client, one="1")


@pytest.mark.parametrize("fields", [{"only": "x"}, {"part": "999", "go": "keep"}])
def test_what_is_not_there_shows_the_table(client: Client, fields: dict[str, str]) -> None:
    assert "This text holds 4 lists" in post(client, **fields)


@pytest.mark.parametrize("preface", ["x", "-1", "9" * 20, "٣"])
def test_strange_numbers_break_nothing(client: Client, preface: str) -> None:
    assert "Preview" in post(client, text="Béla\n100 - Giant Eagle", one="1", preface=preface)
