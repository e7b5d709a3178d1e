"""What stands on a card, before anybody draws it."""

import json
from dataclasses import replace

from armybuilder.engine import validate
from armybuilder.engine.vocabulary import TextPart
from armybuilder.loading.documents import make_roster
from armybuilder.loading.library import CATALOGUE_DIR, make_catalogue, shipped_library
from armybuilder.sheets.content.cards import (
    blank_faces,
    faces_of_book,
    faces_of_list,
    faces_of_units,
    list_faces,
)
from armybuilder.sheets.content.unit_view import UNKNOWN_UNIT, Lines
from armybuilder.sheets.content.unit_words import KINDS
from tests.building.documents import value_of
from tests.building.towers import GENERAL, army_document, catalogue, option, unit
from tests.sheets.papers import document, legal_list, own_model, practice, sbh_list

LIBRARY = shipped_library()
CHAINMAIL = LIBRARY.systems["chainmail-2002"]
PRACTICE = LIBRARY.books["chainmail-2002"]["practice"]
CHAPLAIN = PRACTICE.units["practice/sunhill-chaplain"]


def face(of=CHAPLAIN, system=CHAINMAIL, **changes):
    kept = make_catalogue(system, [replace(PRACTICE, kind="invented")])
    return faces_of_units([replace(of, **changes)], kept)[0]


def listed(*entries, **more):
    return faces_of_list(value_of(document(*entries, **more)), LIBRARY)


def army_faces(*entries):
    books = catalogue()
    roster = make_roster(value_of(army_document(*entries)), books)
    return list(list_faces(validate(roster, books)))


def cells(told):
    return {cell.label: cell.value for cell in told}


def test_a_card_shows_everything_of_its_unit():
    # Every unit of a book has a card in the books order.
    told = faces_of_book(PRACTICE, CHAINMAIL)
    assert [face.unit.name for face in told] == [unit.name for unit in PRACTICE.units.values()]
    # A card tells name price attributes and statistics.
    told = face()
    assert (told.unit.name, told.price, told.price_note) == ("Sunhill Chaplain", "24", "points")
    assert told.about == "Thalos · Good · Humanoid (Human)"
    assert cells(told.stats)["Save"] == "+5"
    assert cells(told.stats)["Spd"] == "6″"
    # Abilities and spells come with their boxes and what they do.
    assert [power.label for power in told.unit.abilities][:2] == ["Commander 3", "Turn Undead +4"]
    assert [(power.label, power.boxes) for power in told.unit.spells] == [
        ("bless +1", 1),
        ("cure wounds 1", 2),
        ("daylight", 1),
    ]
    assert all(power.summary for power in (*told.unit.abilities, *told.unit.spells))
    # A suggested price says so.
    assert face(suggested=True).price_note == "suggested"
    # A complete card has no empty boxes.
    assert all(cell.value for cell in face().stats)
    # Kind to the army, and under which name it is unique.
    assert face(unique="Pat").labels == ("Unique: Pat (Sunhill Chaplain)", "Gives 3 command")
    assert face().labels == ("Gives 3 command",)
    # Typed text is made safe and kept on one line.
    told = face(name="Ann\r\nBob\x00", remark="x\u202ey\nz").unit
    assert (told.name, told.remark) == ("Ann Bob", "xy z")
    assert face(name="\u200b").unit.name == "Unnamed"
    # A price that is not known is a question mark with a line to write it.
    cards = LIBRARY.books["chainmail-2002"]["known-cards"]
    told = face(cards.units["known-cards/human-templar"])
    assert told.price == "?"
    assert tuple(told.fields) == ("Points", "Alignment")
    # A card that is not complete has empty boxes for what is missing.
    told = cells(face(cards.units["known-cards/human-templar"]).stats)
    assert len(told) == len(CHAINMAIL.stats)
    assert (told["Hlth"], told["Arm"]) == ("6", "")


def test_free_lines_and_small_print_follow_the_stats():
    # Free lines stand under the systems names in its order.
    parts = {"attacks": TextPart("attacks", "Attacks"), "powers": TextPart("powers", "Powers")}
    system = replace(CHAINMAIL, texts=parts)
    told = face(system=system, texts={"powers": ("Rally",), "attacks": ("Axe: +9", " \u200b")})
    assert told.unit.texts == (Lines("Attacks", ("Axe: +9",)), Lines("Powers", ("Rally",)))
    # The small print names number set book kind and game.
    assert face(number="1/60", origin="Set 3").unit.source == (
        "1/60 · Set 3 · Practice models (invented) · Chainmail 2002"
    )
    # Every kind of book has its words.
    schema = json.loads((CATALOGUE_DIR / "schema/book.schema.json").read_text("utf-8"))
    assert set(schema["properties"]["kind"]["enum"]) == set(KINDS)
    # A game of few statistics has their whole names.
    profiles = LIBRARY.books["sbh"]["profiles"]
    told = faces_of_book(profiles, LIBRARY.systems["sbh"])[0]
    assert cells(told.stats) == {"Quality": "3+", "Combat": "3"}


def test_a_list_has_a_card_for_each_unit():
    # A list has one card for each entry with a row of health for each model.
    told = listed(practice("millbrook-spearhand", 4), practice("sunhill-chaplain"))
    assert [face.unit.title for face in told] == ["4 × Millbrook Spearhand", "Sunhill Chaplain"]
    # The price of several models is that of each.
    (told,) = listed(practice("millbrook-spearhand", 4))
    assert (told.price, told.price_note) == ("6", "points each")
    # A part played on the list and what it costs there are marked.
    told = faces_of_list(value_of(legal_list()), LIBRARY)[3]
    assert (told.price, told.labels) == ("2", ("Reserve", "1 point on this list"))
    # A custom name stands before the units own.
    told = faces_of_list(value_of(legal_list()), LIBRARY)[0]
    assert told.unit.title == "Oresta the Unbowed"
    assert told.about.startswith("Bannerlady Oresta · Thalos")
    # Notes of the player keep their lines.
    (told,) = listed(practice("sunhill-chaplain", notes="one\ntwo"))
    assert told.unit.notes == "one\ntwo"
    # A unit that no book has says so.
    (told,) = listed(practice("gone", 2, name="Bob"))
    assert (told.unit.known, told.unit.title, told.price) == (False, "2 × Bob", "")
    assert told.about == f"practice/gone · {UNKNOWN_UNIT}"
    # An own model has a card.
    (told,) = faces_of_list(value_of(sbh_list(own_model("Hero", "leader"))), LIBRARY)
    assert (told.unit.title, told.price) == ("Hero", "70")
    assert told.unit.source == "custom model · Song of Blades and Heroes"


def test_an_army_book_has_a_card_for_each_unit():
    # A unit of an army book tells size price of more and stat lines.
    books = catalogue()
    told = face(books.units["towers/guard"], books.system)
    assert (told.price, told.about, told.unit.title) == ("300", "Core", "Guard")
    more = "+20 points for each additional model"
    assert told.labels == ("Scoring", "10 to 40 models", more)
    assert [cells(row.cells) for row in told.rows] == [{"HP": "1", "Res": "3"}]
    assert told.unit.rules == ("Scoring", "Longbow (3+)")
    # Kind stands at the top.
    champion = face(books.units["towers/champion"], books.system)
    assert champion.about == "Characters · Standard Infantry, 20×20 mm"
    assert not cells(champion.rows[0].cells).keys() & {"Height", "Type", "Base"}
    # Options are named by group and the given ones apart.
    told = dict(face(books.units["towers/champion"], books.system).lists)
    assert told["Comes with"] == "Sword"
    assert told["Options"] == "Tall +5, Battle Standard Bearer +50"
    assert told["Mount"] == "Dragon +100, Horse +100, Boar +100, Cloud +100"
    # A group of many options is only counted.
    books = LIBRARY.books["t9a-2023"]["empire-of-sonnstahl"]
    (told, *_) = faces_of_book(books, LIBRARY.systems["t9a-2023"])
    said = dict(told.lists)["Special Equipment"]
    assert said.endswith("to choose from, up to 200 points")


def test_an_army_list_has_a_card_for_each_unit():
    # A unit of an army list tells what was taken and its health.
    general, guard = army_faces(
        {**GENERAL, "name": "Ann"}, unit("guard", 17, options=[option("standard", "red-banner")])
    )
    assert general.unit.title == "Ann"
    assert general.about == "Champion · Standard Infantry, 20×20 mm"
    assert general.labels == ("General",)
    items = {name: [use.label for use in uses] for name, uses in general.powers}["Items"]
    assert items == ["Crown 60"]
    assert (guard.unit.title, guard.price) == ("17 Guard", "500")
    assert guard.unit.condition == "17 Health Points, shattered at 4"
    # A wizard of an army has lines for path and spells.
    (told,) = army_faces(unit("champion", options=[option("wizard-master")]))
    assert tuple(told.fields) == ("Path", "Spell 1", "Spell 2", "Spell 3", "Spell 4")
    # A unit that no army book has says so.
    (told,) = army_faces(unit("gone", 5))
    assert (told.unit.known, told.unit.remark) == (False, UNKNOWN_UNIT)


def test_a_blank_card_has_room_for_all_that_a_card_of_the_game_says():
    for system in LIBRARY.systems.values():
        faces = blank_faces(system)
        assert len(faces) == 9
        (card,) = set(faces)
        assert card.blank
        assert [cell.value for cell in card.stats] == [""] * len(system.stats), system.id
        assert {attribute.name for attribute in system.attributes.values()} <= {*card.fields}
        assert {part.name for part in system.texts.values()} <= set(card.write)
    # Chainmail rulebook of 2001, p. 66: the blank model record sheet.
    told = blank_faces(CHAINMAIL, 1)[0]
    named = {cell.label for cell in told.stats} | {*told.fields, *told.write}
    assert {"Faction", "Type", "Level", "Speed", "Armor", "Health", "Save"} <= named
    assert {"Melee attack", "Melee damage", "Ranged attack", "Ranged damage"} <= named
