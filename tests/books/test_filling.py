"""What fills a book: pasted tables, copies from other books, converted creatures; and the
abilities that come with them.
"""

import json
import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from armybuilder.books.models import OwnBook
from armybuilder.loading.library import shipped_library
from tests.books.shelf import Shelf
from tests.markup import flat

pytestmark = pytest.mark.django_db

GOOD = "Name\tPoints\tFaction\nGnoll\t8\tNaresh\nHyena\t3\tNaresh\n"
BAD = "Name\tPoints\tFaction\nGnoll\t8\tNaresh\nHyena\tmany\tNaresh\nMaw\t3\tNowhere\n"


def test_a_table_is_shown_before_anything_is_saved(shelf: Shelf) -> None:
    response = shelf.paste(GOOD)
    page = response.content.decode()
    assert response.status_code == 200
    assert "2 cards" in page
    assert "Save 2 cards" in page
    assert '<option value="points" selected>' in page
    assert shelf.names == ["Orc Berserker"]
    assert shelf.paste(GOOD, "save").status_code == 302
    assert shelf.names == ["Orc Berserker", "Gnoll", "Hyena"]


def test_rows_with_mistakes_are_told_at_their_cells_and_saved_without_them(
    shelf: Shelf,
) -> None:
    page = shelf.paste("Name;Points\n<b>Gnoll</b>;8\n").content.decode()
    assert "&#10;Name;Points\n&lt;b&gt;Gnoll&lt;/b&gt;;8\n</textarea>" in page
    page = flat(shelf.paste(BAD).content.decode())
    assert "2 rows with errors" in page
    assert '<a href="#row-3">Row 3</a>: Points' in page
    assert '<a href="#row-4">Row 4</a>: Faction' in page
    assert page.count('<span class="amiss">') == 2
    assert 'value="save"' not in page
    assert "leave out the 2 rows" in page
    response = shelf.paste("Name,Points\nGnoll,many\n", "good")
    assert response.status_code == 422
    assert shelf.names == ["Orc Berserker"]
    assert shelf.paste(BAD, "save").status_code == 422
    assert shelf.names == ["Orc Berserker"]
    assert shelf.paste(BAD, "good").status_code == 302
    assert shelf.names == ["Orc Berserker", "Gnoll"]


def test_a_column_is_matched_by_hand_unless_its_heading_was_mended_since(shelf: Shelf) -> None:
    table = "Name;Worth\nGnoll;8\n"
    page = shelf.paste(table).content.decode()
    assert '<input type="hidden" name="heading-1" value="Worth">' in page
    chosen = {"column-0": "name", "heading-0": "Name", "column-1": "points", "heading-1": "Worth"}
    assert shelf.paste(table, "save", **chosen).status_code == 302
    assert shelf.data["units"][1]["points"] == 8
    chosen = {"column-0": "name", "heading-0": "Name", "column-1": "", "heading-1": "Cots"}
    shelf.paste("Name;Cost\nHyena;3\n", "save", **chosen)
    assert shelf.data["units"][2]["points"] == 3


def test_cards_are_replaced_only_when_asked_in_the_book_as_it_was_seen(shelf: Shelf) -> None:
    table = "Name,Points\nOrc Berserker,12\n"
    assert shelf.paste(table, "save").status_code == 422
    assert shelf.paste(table, "save", replace="on").status_code == 302
    assert shelf.names == ["Orc Berserker"]
    assert shelf.data["units"][0]["points"] == 12
    assert shelf.data["units"][0]["attributes"]["faction"] == "naresh"
    old = shelf.book.revision
    shelf.change("orc-berserker", points="9")
    table = "Name,Points\nOrc Berserker,12\n"
    response = shelf.paste(table, "save", replace="on", revision=old)
    assert response.status_code == 422
    assert "check it again" in response.content.decode()
    assert shelf.data["units"][0]["points"] == 9


def test_adding_to_a_book_that_changed_since_keeps_both(shelf: Shelf) -> None:
    old = shelf.book.revision
    shelf.add(name="Goblin")
    assert shelf.paste(GOOD, "save", revision=old).status_code == 302
    assert shelf.names == ["Orc Berserker", "Goblin", "Gnoll", "Hyena"]


def test_a_table_can_be_uploaded_in_the_usual_encodings(shelf: Shelf) -> None:
    for encoding in ("utf-8", "utf-8-sig", "utf-16", "cp1252"):
        file = SimpleUploadedFile("cards.csv", "Name;Points\nÖrk;8\n".encode(encoding))
        page = shelf.client.post(f"{shelf.url}paste/", {"file": file}).content.decode()
        assert "Save 1 card" in page, encoding
        assert "&#10;Name;Points\nÖrk;8" in page, encoding


BAD_TABLES = {
    "nothing": b"",
    "too large": b"Name;Points\n" + b"Gnoll;8\n" * 140_000,
    "10,000 rows": b"Name;Points\n" + b"Gnoll;8\n" * 10_000,
    "a workbook": b"PK\x03\x04" + b"x" * 100,
    "no text": bytes(range(256)) * 10,
    "one word": b"hello",
    "headings only": b"Name;Points",
}


def test_what_is_no_table_is_refused(shelf: Shelf) -> None:
    for raw in BAD_TABLES.values():
        file = SimpleUploadedFile("cards.csv", raw)
        response = shelf.client.post(f"{shelf.url}paste/", {"file": file, "go": "save"})
        assert response.status_code == 422, raw
        assert shelf.names == ["Orc Berserker"], raw


def test_pasting_too_many_cards_for_one_book_is_refused(shelf: Shelf) -> None:
    shelf.fill(999)
    response = shelf.paste(GOOD, "save")
    assert response.status_code == 422
    assert "1,000" in response.content.decode()
    assert shelf.book.unit_count == 999


def test_units_are_copied_from_a_shipped_book(shelf: Shelf) -> None:
    address = f"{shelf.url}copy/"
    page = shelf.client.get(address, {"from": "practice", "q": "oresta"}).content.decode()
    assert "Bannerlady Oresta" in page
    assert "1 of" in page
    assert "Sunhill Chaplain" not in page
    fields = {"from": "practice", "units": ["bannerlady-oresta", "sunhill-chaplain"]}
    fields["go"] = "copy"
    assert shelf.client.post(address, fields).status_code == 302
    assert shelf.names == ["Orc Berserker", "Bannerlady Oresta", "Sunhill Chaplain"]


def test_units_are_copied_from_an_own_book_of_any_edition_with_abilities(
    shelf: Shelf,
) -> None:
    other = Shelf(shelf.client, name="Other")
    address = f"{other.url}copy/"
    assert "Mine (1)" in other.text("copy/")
    fields = {"from": shelf.id, "units": ["orc-berserker"], "go": "copy"}
    assert other.client.post(address, fields).status_code == 302
    assert other.names == ["Orc Berserker"]
    assert [ability["name"] for ability in other.data["abilities"]] == ["Rage"]
    other = Shelf(shelf.client, "chainmail-2001-basic")
    fields = {"from": shelf.id, "units": ["orc-berserker"], "go": "copy"}
    assert other.client.post(f"{other.url}copy/", fields).status_code == 302
    assert other.names == ["Orc Berserker"]


def test_what_cannot_be_copied_copies_nothing(shelf: Shelf) -> None:
    for fields in (
        {"from": "practice"},
        {"from": "practice", "units": ["bannerlady-oresta", "no-such"]},
        {"from": "no-such", "units": ["bannerlady-oresta"]},
        {"units": ["bannerlady-oresta"]},
    ):
        fields = {"go": "copy", **fields}
        assert shelf.client.post(f"{shelf.url}copy/", fields).status_code == 422, fields
        assert shelf.names == ["Orc Berserker"], fields


def test_ticks_are_kept_while_looking_and_set_for_all_that_are_found(shelf: Shelf) -> None:
    fields = {"from": "practice", "units": ["bannerlady-oresta"], "q": "chaplain", "go": "find"}
    page = shelf.client.post(f"{shelf.url}copy/", fields).content.decode()
    assert '<input type="hidden" name="units" value="bannerlady-oresta">' in page
    assert "Sunhill Chaplain" in page
    fields["q"] = ""
    page = flat(shelf.client.post(f"{shelf.url}copy/", fields).content.decode())
    assert 'value="bannerlady-oresta" checked' in page
    assert shelf.names == ["Orc Berserker"]
    address = f"{shelf.url}copy/"
    fields: dict[str, object] = {"from": "practice", "units": ["sunhill-chaplain"]}
    found = shelf.client.post(address, {**fields, "q": "oresta", "go": "all"})
    page = flat(found.content.decode())
    assert 'value="bannerlady-oresta" checked' in page
    assert '<input type="hidden" name="units" value="sunhill-chaplain">' in page
    page = shelf.client.post(address, {**fields, "go": "all"}).content.decode()
    assert ticks(page) == units_of("practice")
    page = shelf.client.post(address, {**fields, "q": "chaplain", "go": "none"}).content.decode()
    assert 'value="sunhill-chaplain">' in page
    assert ticks(page) == 0


def ability(shelf: Shelf, **changes: str) -> dict[str, str]:
    page = shelf.text("abilities/")
    mark = page.split('name="mark" value="')[1].split('"')[0]
    return {"id": "rage", "name": "Rage", "rating": "plus", "mark": mark, **changes}


def test_an_own_ability_is_described_and_what_was_typed_is_kept_in_a_conflict(shelf: Shelf) -> None:
    address = f"{shelf.url}abilities/"
    mine = ability(shelf, summary="Mine.")
    shelf.client.post(address, ability(shelf, summary="Theirs."))
    response = shelf.client.post(address, mine)
    page = response.content.decode()
    assert response.status_code == 409
    assert 'value="Mine."' in page
    assert shelf.data["abilities"][0]["summary"] == "Theirs."
    again = {**mine, "mark": page.split('name="mark" value="')[1].split('"')[0]}
    assert shelf.client.post(address, again).status_code == 302
    assert shelf.data["abilities"][0]["summary"] == "Mine."
    fields = ability(shelf, name="Fury", summary="Hits harder once wounded.")
    assert shelf.client.post(f"{shelf.url}abilities/", fields).status_code == 302
    assert shelf.data["abilities"][0]["summary"] == "Hits harder once wounded."
    assert "Fury +2" in shelf.page


def test_a_wrong_ability_is_refused(shelf: Shelf) -> None:
    for changes in (
        {"name": ""},
        {"rating": "loud"},
        {"name": "Cleave"},
        {"id": "none", "mark": ""},
    ):
        before = shelf.data
        fields = ability(shelf, **changes)
        assert shelf.client.post(f"{shelf.url}abilities/", fields).status_code == 422, changes
        assert shelf.data == before, changes


def test_points_of_an_ability_count_where_the_game_works_prices_out(client: Client) -> None:
    shelf = Shelf(client, "sbh")
    fields = {"name": "Jumper", "stat-quality": "3", "stat-combat": "3", "abilities": "Springs"}
    assert client.post(f"{shelf.url}units/new/", fields).status_code == 302
    before = shelf.page
    mark = shelf.text("abilities/").split('name="mark" value="')[1].split('"')[0]
    fields = {"id": "springs", "name": "Springs", "rating": "none", "points": "10", "mark": mark}
    assert client.post(f"{shelf.url}abilities/", fields).status_code == 302
    assert shelf.data["abilities"][0]["points"] == 10
    assert shelf.page != before
    wrong = client.post(f"{shelf.url}abilities/", {**fields, "points": "lots"})
    assert wrong.status_code in (409, 422)


OGRE = {
    "name": "Ogre", "size": "large", "type": "giant", "alignment": "evil", "hit_dice": "4d8+8",
    "hit_points": "26", "speed": "30", "fly": "0", "burrow": "0", "armor_class": "16",
    "melee_attack": "8", "melee_damage": "2d8+7", "fortitude": "6", "reflex": "0", "will": "1",
    "faction": "none",
}  # fmt: skip


def test_a_creature_is_converted_step_by_step_mistakes_told_into_a_new_book(client: Client) -> None:
    response = client.post("/books/convert/", {**OGRE, "go": "show"})
    page = response.content.decode()
    assert response.status_code == 200
    for text in ("Step by step", "p. 71", "We suggest", "Human Glaiver", "hit points"):
        assert text in page, text
    assert 'value="2d8+7"' in page
    assert not OwnBook.objects.exists()
    response = client.post("/books/convert/", {**OGRE, "hit_dice": "some", "will": ""})
    page = response.content.decode()
    assert response.status_code == 422
    assert '<a href="#field-hit_dice">' in page
    assert '<a href="#field-will">' in page
    assert 'value="some"' in page
    part = client.post("/books/convert/", {"preview": "1"}, headers={"HX-Request": "true"})
    assert part.status_code == 200
    assert "Still to fill in: Name, Type, Alignment," in part.content.decode()
    fields = {**OGRE, "go": "put", "into": "new:chainmail-2002"}
    assert client.post("/books/convert/", fields).status_code == 302
    assert OwnBook.objects.get().data["units"][0]["name"] == "Ogre"


def test_a_converted_creature_goes_into_a_book_with_a_suggested_price(
    shelf: Shelf,
) -> None:
    response = shelf.client.post("/books/convert/", {**OGRE, "go": "put", "into": shelf.id})
    assert response["Location"] == f"{shelf.url}units/ogre/"
    unit = shelf.data["units"][1]
    assert unit["suggested"] is True
    assert unit["points"] > 0
    assert "suggested" in shelf.page
    saved = json.loads(shelf.client.get(f"{shelf.url}book.json").content)
    assert [unit["name"] for unit in saved["units"]] == ["Orc Berserker", "Ogre"]


def test_a_creature_goes_into_no_other_book(shelf: Shelf) -> None:
    for into in ("", "new:sbh", "new:none", "own-0123456789abcdef"):
        fields = {**OGRE, "go": "put", "into": into}
        assert Client().post("/books/convert/", {**fields, "into": shelf.id}).status_code == 422, (
            into
        )
        assert shelf.client.post("/books/convert/", fields).status_code == 422, into
        assert OwnBook.objects.count() == 1, into
        assert shelf.names == ["Orc Berserker"], into


def test_the_price_can_be_measured_against_a_card_of_the_book(shelf: Shelf) -> None:
    numbers = {"stat-health": "5", "stat-melee_attack": "6", "stat-melee_damage": "3"}
    shelf.change("orc-berserker", **numbers)
    fields = {**OGRE, "into": shelf.id, "against": "own/orc-berserker"}
    page = shelf.client.post("/books/convert/", fields).content.decode()
    assert "compared with Orc Berserker (7 points)" in page


def ticks(page: str) -> int:
    """How many cards are ticked on a page."""
    return len(re.findall(r'name="units" [^>]* checked>', flat(page)))


def units_of(book: str) -> int:
    """How many units a shipped Chainmail book has."""
    return len(shipped_library().books["chainmail-2002"][book].units)


def test_a_whole_book_of_a_thousand_cards_is_ticked_and_copied(shelf: Shelf) -> None:
    shelf.fill(1000)
    other = Shelf(shelf.client, name="Other")
    address = f"{other.url}copy/"
    page = other.client.post(address, {"from": shelf.id, "go": "all"}).content.decode()
    ticked = [f"unit-{number}" for number in range(1000)]
    assert page.count('type="hidden" name="units"') + ticks(page) == 1000
    fields = {"from": shelf.id, "units": ticked, "go": "copy"}
    assert other.client.post(address, fields).status_code == 302
    assert other.book.unit_count == 1000
