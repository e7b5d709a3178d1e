"""Pasting lists: paste, look, make, also of many; nothing is stored before."""

import html
import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from armybuilder.lists.models import ArmyList, Version
from armybuilder.loading.documents import judge
from armybuilder.loading.library import shipped_library
from armybuilder.pages.my_lists.paste import MOST_DOUBTS
from armybuilder.sheets.texts.forms import forms_of
from tests.books.shelf import Shelf
from tests.exchange import packs
from tests.exchange.pasted import text_of
from tests.markup import found_in, lacking
from tests.queries import queries_of
from tests.sheets.papers import EXAMPLES, example, long_army

pytestmark = [pytest.mark.django_db, pytest.mark.long]

ADDRESS = "/lists/paste/"
POSTED = "Highborn Elves 4500\n20 Swordmaster, Musitian, 400\n5 Blorb Riders, 300\nHave fun!"


def look(client: Client, text: str, **fields: object) -> str:
    answer = client.post(ADDRESS, {"text": text, "go": "look", **fields})
    assert answer.status_code == 200
    return html.unescape(answer.text)


def make(client: Client, text: str, **fields: object) -> Version:
    answer = client.post(ADDRESS, {"text": text, "go": "make", **fields})
    assert answer.status_code == 302, html.unescape(answer.text)
    list_id = str(answer["Location"]).strip("/").split("/")[-1]
    return Version.objects.get(army_list_id=list_id)


def test_every_line_is_shown_with_what_became_of_it(client: Client) -> None:
    page = look(client, POSTED)
    for line in POSTED.split("\n"):
        assert line in page
    assert "20 Sword Masters (a guess)" in page
    assert lacking(page, "“Musitian” read as Musician (a guess)", "Not a unit of these books") == []
    assert "kept in the list’s notes" in page
    assert not ArmyList.objects.exists()
    # Choices that lead nowhere change nothing.
    fields = {"unit-2": "no/where", "piece-2-0": "no/where", "piece-9-9": "x", "unit-x": "y"}
    assert "20 Sword Masters (a guess)" in look(client, POSTED, **fields)
    # The examples on the page are read together without a doubt.
    page = html.unescape(client.get("/lists/import/").text)
    lines = re.findall("“([^”]*)”", page[page.index("A line for each unit") :])[:2]
    assert len(lines) == 2
    shown = look(client, "\n".join(lines))
    assert found_in(shown, 'class="paste-doubt"', 'class="paste-lost"') == []


def test_nothing_is_stored_by_looking_and_the_list_is_made_of_what_was_chosen(
    client: Client,
) -> None:
    version = make(
        client,
        POSTED,
        **{"unit-2": "highborn-elves/sea-guard", "piece-2-0": "champion", "unit-3": "-"},
    )
    (unit,) = version.document.to_dict()["units"]
    assert (unit["unit"], unit["options"]) == ("highborn-elves/sea-guard", [{"id": "champion"}])
    assert version.document.to_dict()["notes"] == "5 Blorb Riders, 300\nHave fun!"
    assert version.document.to_dict()["books"][0]["revision"]
    assert client.get(f"/lists/{version.army_list_id}/").status_code == 200


@pytest.mark.slow
def test_a_text_of_our_own_is_in_no_doubt_and_makes_the_list_again(client: Client) -> None:
    # Nothing is in doubt in a text of our own.
    for name in (name for name in EXAMPLES if name.startswith("t9a")):
        page = look(client, text_of(example(name), "compact"))
        assert 'class="paste-doubt"' not in page, name
        assert found_in(page, 'class="paste-lost"', '<select id="unit-') == []
    # A text saved from here makes the list again.
    listed = example("chainmail-2002/bones-under-the-hill")
    units = [unit["unit"] for unit in listed["units"]]
    for form in forms_of(False):
        document = make(client, text_of(listed, form)).document
        assert [unit.ref for unit in document.units] == units, form


def test_game_and_book_can_be_chosen_where_the_text_names_neither(client: Client) -> None:
    page = look(client, "hello\nworld")
    assert "No game, book or unit was recognised" in page
    page = look(client, "hello\n10 Peasants, 100", system="t9a-2023", shown_system="")
    assert '<select id="book"' in page
    fields = {"system": "t9a-2023", "shown_system": "t9a-2023", "book": "highborn-elves"}
    page = look(client, "hello\n2 Giant Eagles, 130", **fields)
    assert lacking(page, "2 Giant Eagles (as written)", "130 points, as in the text") == []
    # Books chosen for one game are not taken to another.
    fields = {"system": "sbh", "shown_system": "t9a-2023", "book": "highborn-elves"}
    page = look(client, "1 Orc Boss, 60", **fields)
    assert "1 Orc Boss (as written)" not in page or "highborn-elves" not in page


def test_a_list_of_an_own_book_is_read_back_and_draws_from_it(client: Client) -> None:
    shelf = Shelf(client, name="Marsh; and, mill")
    shelf.add()
    listed = {
        **example("chainmail-2002/bones-under-the-hill"),
        "books": [{"id": shelf.id, "revision": shelf.book.revision}],
        "units": [{"id": "u1", "unit": f"{shelf.id}/orc-berserker", "models": 2}],
    }
    text = (
        f"X\nLegal.\n14 of 140 points, 2 models, #0123456789\nChainmail 2002: {shelf.book.name}\n\n"
        "2 Orc Berserker, 14\n"
    )
    version = make(client, text)
    assert version.document.to_dict()["books"] == listed["books"]
    assert version.document.to_dict()["units"] == listed["units"]
    other = look(Client(), text)
    assert "2 Orc Berserker (as written)" not in other
    assert "there is no book called “Marsh; and, mill” here" in other
    assert "there is no book called" not in look(client, text)


def test_what_cannot_be_done_is_reported_in_a_sentence(client: Client) -> None:
    for fields in (
        {"text": ""},
        {"text": "x" * 600_000},
        {"text": "1 Mage", "system": "no-game"},
        {"text": "hello", "go": "make"},
        {"text": "hello", "go": "make", "system": "sbh"},
    ):
        answer = client.post(ADDRESS, {"go": "look", **fields})
        assert answer.status_code == 422, fields["text"][:9]
        assert b'id="refused"' in answer.content
    assert not ArmyList.objects.exists()
    # Nor a megabyte of nothing.
    for nothing in (" ", "\n", "\r\n", "\t\n", "\u200b", "-\n"):
        text = nothing * ((1 << 20) // len(nothing.encode()))
        answer = client.post(ADDRESS, {"text": text, "go": "look"})
        said = html.unescape(answer.text)
        assert answer.status_code in (413, 422), answer.status_code
        assert "too long" in said or "Paste a list first" in said, nothing
        assert not ArmyList.objects.exists(), nothing


@pytest.mark.slow
def test_a_form_never_has_more_choices_than_a_form_may_hold(client: Client) -> None:
    page = look(client, "Highborn Elves\n" + "20 Swordmaster, 400\n" * 400)
    assert page.count('id="unit-') == MOST_DOUBTS


@pytest.mark.slow
def test_looking_costs_as_many_queries_for_a_long_list_as_for_a_short_one(client: Client) -> None:
    Shelf(client, name="One")
    texts = "Highborn Elves\n10 Sword Masters", text_of(long_army(), "lines")
    short, long = (len(queries_of(look, client, text)) for text in texts)
    assert long <= short <= 8


def test_pages_where_lists_begin_lead_here_perhaps_with_a_text(client: Client) -> None:
    for page in ("/", "/lists/", "/new/t9a-2023/"):
        assert 'href="/lists/import/' in client.get(page).text
    # The text may come with the address.
    address = f"{ADDRESS}?text=10%20Sword%20Masters&system=t9a-2023"
    page = client.get(address, follow=True).text
    assert "10 Sword Masters</textarea>" in page
    assert re.search(r'value="t9a-2023" selected', page)


OVER = "Song of Blades and Heroes 300\n8 Human Warrior, 240\n4 Human Archer, 176"


def packed_ways(page: str) -> list[str]:
    return re.findall(r'name="proposal" value="([\w=-]+)"', page)


def test_a_choice_made_for_another_text_creates_no_list(client: Client) -> None:
    way = packed_ways(look(client, OVER))[0]
    answer = client.post(ADDRESS, {"text": OVER.replace("8 Human", "9 Human"), "proposal": way})
    assert answer.status_code == 422
    page = answer.text
    assert "has changed since" in page
    assert packed_ways(page)
    assert not ArmyList.objects.exists()
    # Only what is not legal is made so by one click.
    assert not packed_ways(look(client, OVER.replace("8 Human", "2 Human")))
    assert "Suggested fixes" not in look(client, "Song of Blades and Heroes 300")
    # What is not legal is made so by one click.
    page = look(client, OVER)
    assert "Suggested fixes" in page
    way = packed_ways(page)[0]
    assert not ArmyList.objects.exists()
    answer = client.post(ADDRESS, {"text": OVER, "proposal": way})
    assert answer.status_code == 302
    (version,) = Version.objects.all()
    report = judge(version.document, shipped_library()).report
    assert report.legal
    assert 0 < report.spent <= 300


PACK = packs.pack(["comma", "short"], 3) + "\nZoe, Beast Herds\n200 - 5 Blorb Riders\n4500\n"


def post(client: Client, text: str = PACK, **fields: object) -> str:
    answer = client.post(ADDRESS, {"text": text, **fields}, follow=True)
    return html.unescape(answer.text)


def names() -> list[str]:
    return sorted(ArmyList.objects.values_list("name", flat=True))


@pytest.mark.slow
def test_a_table_shows_each_list_and_nothing_is_stored(client: Client) -> None:
    page = post(client, go="look")
    assert "This text holds 4 lists" in page
    for said in ("Anna “Crow” Bold", "Béla Kis", "Ogre Khans", "4471, as in the text", "Zoe"):
        assert said in page
    assert lacking(page, "3 are completely clear.", "No unit was found in 1.") == []
    assert "200 - 5 Blorb Riders" in page
    assert "Select a list first." in post(client, go="keep")
    assert not ArmyList.objects.exists()
    # Those that are selected are kept.
    page = post(client, go="keep", part=["1", "17"])
    assert "Imported 2 lists." in page
    assert names() == ["Anna “Crow” Bold", "Béla Kis"]


@pytest.mark.slow
def test_all_are_kept_and_what_has_no_unit_is_reported(client: Client) -> None:
    page = post(client, go="keep-all")
    assert lacking(page, "Imported 3 lists.", "No unit was found in the text") == []
    assert names() == ["Anna “Crow” Bold", "Béla Kis", "יוסי כהן"]


def test_one_list_of_a_text_is_looked_at_and_made(client: Client) -> None:
    # What is not there shows the table and strange numbers break nothing.
    for fields in ({"only": "x"}, {"part": "999", "go": "keep"}):
        assert "This text holds 4 lists" in post(client, **fields), fields
    for preface in ("x", "-1", "9" * 20, "٣"):
        page = post(client, text="Béla\n100 - Giant Eagle", one="1", preface=preface)
        assert "Preview" in page, preface
    # One of them is looked at line by line and made with its name.
    page = post(client, only="17")
    assert "Preview of the import" in page
    assert "Preview of the import" in post(client, one="1")  # all of it taken for one list
    assert lacking(page, 'name="one" value="1"', "4500 of 4500") == []
    part = packs.by_hand("short", "Béla Kis", packs.ARMIES[1])
    post(client, text=part, one="1", name="Béla Kis", preface="1", go="make")
    assert names() == ["Béla Kis"]


#: Lists of Highborn Elves whose points are those of 2023, or of no edition.
OLDER = "235 - High Prince, General\n150 - 10 Citizen Archers\n385\n\n"
DEAR = "999 - High Prince, General\n999 - 10 Citizen Archers\n1998\n\n"


@pytest.mark.slow
def test_lists_that_name_no_edition_are_of_one_which_the_page_changes_for_all(
    client: Client,
) -> None:
    text = "".join(f"{name}, Highborn Elves\n{OLDER}" for name in ("Anna", "Béla"))
    text += "Cem, Highborn Elves 2024\n220 - High Prince, General\n140 - 10 Citizen Archers\n360\n"
    page = post(client, text=text, go="look")
    assert lacking(page, 'id="edition" name="edition"', 'value="t9a-2023" selected') == []
    post(client, text=text, go="keep-all")
    assert systems() == ["t9a-2023", "t9a-2023", "t9a-2024"]
    ArmyList.objects.all().delete()
    assert 'value="t9a-2024" selected' in post(client, text=text, go="look", edition="t9a-2024")
    post(client, text=text, go="keep-all", edition="t9a-2024")
    assert systems() == ["t9a-2024"] * 3
    only = post(client, text=text, only="1", edition="t9a-2024")
    assert lacking(only, "Preview of the import", 'value="t9a-2024" selected') == []
    told = "".join(f"{name}, Highborn Elves 2024\n{OLDER}" for name in ("Anna", "Béla"))
    assert 'id="edition"' not in post(client, text=told, go="look")


def systems() -> list[str]:
    return sorted(ArmyList.objects.values_list("system", flat=True))


@pytest.mark.slow
def test_points_of_no_edition_are_reported_once_above_the_lines(client: Client) -> None:
    page = look(client, f"Highborn Elves\n{DEAR}")
    told = (
        "The points match no edition here: 0 of 2 lines with 2023, 0 of 2 with 2024, "
        "0 of 2 with 3rd edition."
    )
    assert page.count(told) == 1
    assert page.index(told) < page.index('class="pasted-lines"')
    assert "match no edition" not in look(client, f"Highborn Elves\n{OLDER}")
    page = look(client, f"Anna, Highborn Elves\n{DEAR}Béla, Highborn Elves\n{DEAR}")
    assert (
        page.count("no edition here: 0 of 4 lines with 2023, 0 of 4 with 2024, 0 of 4 with 3rd")
        == 1
    )


def test_options_that_come_with_others_are_named(client: Client) -> None:
    text = "Saurian Ancients 2024\n308 - 38 Skink Warriors, Spear and Shield"
    assert lacking(look(client, text), "“Shield” goes with Spear") == []


#: A text that may hold two warbands.
HALVES = "Doubles, 600 points\n\nAnna\nHuman Leader 60\n\nBob\nOrc Boss 60\n5 Orc Warriors 115\n"


@pytest.mark.slow
def test_a_text_that_may_hold_several_lists_is_one_until_they_are_asked_for(
    client: Client,
) -> None:
    page = look(client, HALVES)
    said = ("The text may contain 2 lists: Anna, Bob.", 'name="several" value="1"', "Show 2 lists")
    assert lacking(page, "Preview of the import", *said) == []
    assert make(client, HALVES).document.limit == 600
    ArmyList.objects.all().delete()
    page = look(client, HALVES, several="1", system="sbh")
    assert lacking(page, "This text holds 2 lists", 'name="several" value="1"') == []
    assert "The text may contain" not in look(client, HALVES, several="1", one="1")
    only = look(client, HALVES, several="1", only="6")
    assert lacking(only, 'name="one" value="1"', 'name="size" value="600"', "175 of 600") == []
    post(client, HALVES, several="1", go="keep-all")
    assert names() == ["Anna", "Bob"]
    # A word on a file stands in its row, and leads to both.
    file = SimpleUploadedFile("halves.txt", HALVES.encode())
    table = html.unescape(client.post("/lists/open/", {"file": [file]}).text)
    assert "The text may contain 2 lists: Anna, Bob." in table
    page = html.unescape(
        client.post(ADDRESS, {"file": "halves.txt", "text": HALVES, "only": "1-1"}).text
    )
    assert "Show 2 lists" in page
    assert 'name="one"' not in page
