"""The form of a card: typing many quickly, mistakes at their fields, and clashing changes."""

import json

import pytest
from django.test import Client

from armybuilder.loading.library import shipped_library
from tests.books.shelf import ORC, Shelf
from tests.effort import tries
from tests.markup import flat, lacking

pytestmark = pytest.mark.django_db


def test_enter_saves_a_card_and_opens_the_next_one(shelf: Shelf) -> None:
    response = shelf.add(name="Goblin")
    assert response["Location"] == f"{shelf.url}units/new/?after=goblin"
    page = flat(shelf.client.get(response["Location"]).text)
    assert lacking(page, "Saved", "“Goblin”", "2 cards in this book") == []
    assert 'name="name" autocomplete="off" value=""' in page
    # Saving a card of the book leads to the one after it.
    response = shelf.change("orc-berserker", points="8")
    assert response["Location"] == f"{shelf.url}units/goblin/?saved=orc-berserker"
    response = shelf.change("goblin", name="Goblin King")
    assert response["Location"] == f"{shelf.url}units/new/?after=goblin"
    assert shelf.names == ["Orc Berserker", "Goblin King"]


@pytest.mark.slow
def test_an_empty_form_has_focus_first_button_and_words_of_other_cards(shelf: Shelf) -> None:
    form = shelf.text("units/new/").split('id="card-form"')[1].split("</form>")[0]
    buttons = [part.split(">")[0] for part in form.split("<button")[1:]]
    assert 'value="next"' in next(b for b in buttons if 'type="button"' not in b)
    page = shelf.text("units/new/")
    assert page.count("autofocus") == 1
    assert "autofocus" in page.split('id="field-name"')[1].split(">")[0]
    page = shelf.text("units/new/", after="orc-berserker")
    for kept in ('value="naresh" selected', 'value="evil" selected', 'value="Soldiers"'):
        assert kept in page
    assert 'value="Set 1">' in page
    assert 'value="7"' not in page
    assert "selected" not in shelf.text("units/new/", after="no-such")
    page = shelf.text("units/new/")
    for ability in shipped_library().system("chainmail-2002").abilities.values():
        assert f"<dt>{ability.name}" in page
    page = flat(shelf.text("units/new/"))
    assert '<datalist id="offered-set"><option value="Set 1">' in page


def test_cards_are_saved_under_any_name_but_not_empty(shelf: Shelf) -> None:
    # An empty card is not saved and one that is not there not found.
    response = shelf.client.post(f"{shelf.url}units/new/", {})
    assert response.status_code == 422
    assert shelf.names == ["Orc Berserker"]
    assert shelf.client.get(f"{shelf.url}units/no-such/").status_code == 404
    assert shelf.client.get(f"{shelf.url}units/no-such/json/").status_code == 404
    # Cards are saved under any name with ways on.
    response = shelf.add(name="Goblin", go="book")
    assert response["Location"] == f"{shelf.url}?saved=goblin#unit-goblin"
    # A card called new has an address of its own.
    response = shelf.add(name="New", go="book")
    assert response.status_code == 302
    assert f'href="{shelf.url}units/new_/"' in shelf.page
    assert 'value="New"' in shelf.text("units/new_/")
    # Characters no database takes are left out.
    shelf.add(name="Go\0blin")
    assert shelf.names[-1] == "Goblin"


def test_mistakes_stand_at_their_fields_and_nothing_typed_is_lost(shelf: Shelf) -> None:
    for unit in ("", "orc-berserker"):
        before = shelf.data
        wrong = {"points": "many", "stat-armor": "thick", "note": "keep <this>"}
        if unit:
            response = shelf.change(unit, **wrong)
        else:
            response = shelf.client.post(f"{shelf.url}units/new/", {**ORC, **wrong})
        page = response.text
        assert response.status_code == 422, unit
        assert '<a href="#field-points">' in page, unit
        assert '<a href="#field-stat-armor">' in page, unit
        field = page.split('id="field-points"')[1].split(">")[0]
        assert 'aria-invalid="true"' in field, unit
        assert "wrong-points" in field, unit
        assert "autofocus" in field, unit
        assert page.count("autofocus") == 1, unit
        for typed in (
            'value="many"',
            'value="thick"',
            "keep &lt;this&gt;",
            'value="naresh" selected',
        ):
            assert typed in page, unit
        assert shelf.data == before, unit


def test_a_card_changed_elsewhere_is_a_conflict_that_keeps_what_was_typed(shelf: Shelf) -> None:
    old = shelf.mark("orc-berserker")
    shelf.change("orc-berserker", points="9")
    response = shelf.change("orc-berserker", mark=old, points="8", note="mine")
    page = flat(response.text)
    assert response.status_code == 409
    assert lacking(page, "<td>8</td><td>9</td>", 'value="8"') == []
    assert shelf.data["units"][0]["points"] == 9
    # The page that tells of it carries the mark of now: saving again overwrites knowingly.
    now = page.split('name="mark" value="')[1].split('"')[0]
    assert shelf.change("orc-berserker", mark=now, points="8").status_code == 302
    assert shelf.data["units"][0]["points"] == 8
    # One that was removed elsewhere can be added again.
    old = shelf.mark("orc-berserker")
    shelf.act("remove:orc-berserker")
    response = shelf.change("orc-berserker", mark=old)
    page = response.text
    assert response.status_code == 409
    assert lacking(page, "removed elsewhere", f'action="{shelf.url}units/new/"') == []
    assert 'value="Orc Berserker"' in page
    assert shelf.names == []


def test_changes_of_other_cards_meanwhile_are_both_kept(shelf: Shelf) -> None:
    shelf.add(name="Goblin")
    old = shelf.mark("orc-berserker")
    shelf.change("goblin", name="Goblin", points="2")
    assert shelf.change("orc-berserker", mark=old, points="8").status_code == 302
    assert [unit["points"] for unit in shelf.data["units"]] == [8, 2]


def test_the_preview_shows_what_was_understood_and_mistakes_of_filled_fields(shelf: Shelf) -> None:
    fields = {**ORC, "name": "", "abilities": "Commander 3, Fire Burst 2", "preview": "1"}
    response = shelf.client.post(f"{shelf.url}units/new/", fields, headers={"HX-Request": "true"})
    page = flat(response.text)
    assert response.status_code == 200
    assert page.startswith('<div id="preview"')
    assert lacking(page, "7 points", "<bdi>Commander 3</bdi>") == []
    assert '<span class="mark">your own</span> Fire Burst 2' in page
    assert "HX-Request" in response["Vary"]
    assert shelf.names == ["Orc Berserker"]
    fields = {"points": "many", "preview": "1"}
    response = shelf.client.post(f"{shelf.url}units/new/", fields, headers={"HX-Request": "true"})
    page = response.text
    assert "is not a number" in page
    assert "Name" not in page
    response = shelf.client.post(f"{shelf.url}units/new/", {**ORC, "preview": "1"})
    page = flat(response.text)
    assert response.status_code == 200
    assert lacking(page, "<html", "<bdi>Commander 3</bdi>", 'value="Orc Berserker"') == []


@pytest.mark.slow
def test_abilities_that_need_another_are_warned_of_in_the_form(shelf: Shelf) -> None:
    """Chainmail 2002, rule 701.2: all models with Rend have Extra Melee Attack, too."""
    for abilities, warned in (
        ("Rend +2", True),
        ("Rend +2, Extra Melee Attack", False),
        ("Set versus Charge +1", True),
        ("Set versus Charge +1, Reach 2", False),
    ):
        fields = {**ORC, "abilities": abilities, "preview": "1"}
        response = shelf.client.post(f"{shelf.url}units/new/", fields)
        page = flat(response.text)
        assert ("also have" in page) is warned, abilities
        assert ("<cite>Comprehensive Rules 701.2" in page) is warned
    # It is a warning: the card is saved, and no list is illegal for it.
    shelf.add(name="Ripper", abilities="Rend +2")
    assert "Ripper" in shelf.names


def test_words_complete_what_is_being_typed(shelf: Shelf) -> None:
    for typed, found, not_found in (
        ("comm", ["Commander"], ["Cleave"]),
        ("Cleave, comm", ["Commander"], ["Cleave"]),
        ("ra", ["Rage"], []),
        ("", [], ["<li>"]),
        ("Cleave, ", [], ["<li>"]),
        ("zzzz", [], ["<li>"]),
    ):
        page = shelf.text("suggest/", abilities=typed)
        for name in found:
            assert f"<strong>{name}</strong>" in page, typed
        for name in not_found:
            assert name not in page.replace("<strong>", ""), typed


@pytest.mark.slow
def test_the_card_as_text_can_say_what_the_form_does_not_show(shelf: Shelf) -> None:
    address = f"{shelf.url}units/orc-berserker/json/"
    assert "&quot;Orc Berserker&quot;" in shelf.text("units/orc-berserker/json/")
    unit = {**shelf.data["units"][0], "sources": ["my own card"]}
    mark = shelf.mark("orc-berserker")
    response = shelf.client.post(address, {"json": json.dumps(unit), "mark": mark})
    assert response.status_code == 302
    assert shelf.data["units"][0]["sources"] == ["my own card"]
    shelf.change("orc-berserker", points="8")
    assert shelf.data["units"][0]["sources"] == ["my own card"]
    # It is refused or a conflict, and kept.
    for text in ("{,", "[]", "", '{"id": "x", "hat": 1}', "[" * 90_000):
        before = shelf.data
        mark = shelf.mark("orc-berserker")
        response = shelf.client.post(address, {"json": text, "mark": mark})
        assert response.status_code == 422, text
        assert f"&#10;{text.replace(chr(34), '&quot;')}</textarea>" in response.text
        assert shelf.data == before, text
    # Text of a card changed elsewhere is a conflict.
    fields = {"json": '{"name": "Mine"}', "mark": shelf.mark("orc-berserker")}
    shelf.change("orc-berserker", points="9")
    response = shelf.client.post(address, fields)
    assert response.status_code == 409
    assert "Mine" in response.text
    shelf.act("remove:orc-berserker")
    response = shelf.client.post(address, fields)
    assert response.status_code == 409
    assert "removed elsewhere" in response.text


@pytest.mark.one_in(4)
@pytest.mark.long
@pytest.mark.parametrize("system", list(shipped_library().systems))
def test_every_shipped_unit_opens_in_the_form(client: Client, system: str) -> None:
    books = shipped_library().books[system].values()
    largest = max(books, key=lambda book: len(book.units))
    response = client.post(f"/books/new/{system}/", {"name": "x", "copy": largest.id})
    for ref in list(largest.units)[: tries(40)]:
        page = client.get(f"{response['Location']}units/{ref.partition('/')[2]}/")
        assert page.status_code == 200, ref
