"""What a sheet explains and works out: rules, tables, armour in all, boxes, full pages."""

import re

import pypdfium2
import pytest

from armybuilder.engine.options import slug
from armybuilder.loading.library import shipped_library
from armybuilder.sheets.content.unit_words import boxed
from armybuilder.sheets.drawing.words import Run, break_lines
from tests.sheets.printed import EXAMPLES, example, long_army, material, pdf, told

pytestmark = pytest.mark.long


SYSTEM = shipped_library().systems["t9a-2023"]
ARMIES = [name for name in EXAMPLES if name.startswith("t9a")]


def units(name: str):
    return {unit.name: unit for unit in material(example(name)).sheet.army.units}


def test_every_entry_of_the_glossary_is_brief_and_says_where_it_stands():
    assert len(SYSTEM.glossary) > 110
    for entry in SYSTEM.glossary:
        assert len(entry.summary) <= 200, entry.name
        assert re.fullmatch(r"Rulebook 21\.[A-H]\.[a-c](\.\d+)?", str(entry.citation)), entry.name


@pytest.mark.parametrize("name", ARMIES)
def test_a_list_explains_what_its_units_name_and_nothing_else(name):
    sheet = material(example(name)).sheet
    named = {slug(rule) for unit in sheet.army.units for rule in unit.rules}
    explained = {slug(entry.label) for entry in sheet.glossary}
    assert named & {slug(entry.name) for entry in SYSTEM.glossary} <= explained
    options = {slug(one.plain) for unit in sheet.army.units for one in unit.chosen}
    marks = {slug(mark) for unit in sheet.army.units for mark in unit.marks}
    wizards = {slug(unit.wizard.kind) for unit in sheet.army.units if unit.wizard}
    assert explained <= named | options | marks | wizards | {"scoring"}


def test_an_open_list_explains_no_item():
    shown = material(long_army()).open_sheet
    hidden = {item.plain for unit in material(long_army()).sheet.army.units for item in unit.items}
    assert hidden
    assert not hidden & {entry.label for entry in shown.glossary}


@pytest.mark.parametrize(
    ("army", "unit", "armour"),
    [
        ("the-long-table", "Great Khan", "Armour 2 (5+) without special items: Heavy Armour"),
        ("the-long-table", "Khan", "Armour 2 (5+): Heavy Armour"),
        ("the-long-table", "Mercenary Veterans", "Armour 3 (4+): Plate Armour"),
        ("the-long-table", "Tusker Cavalry", "Armour 4 (3+): Heavy Armour"),
        ("the-long-table", "Yetis", ""),
        ("the-princes-dragon", "Commander", "Armour 3 (4+): Heavy Armour, Shield"),
        ("the-princes-dragon", "High Prince", "Armour 4 (3+) without special items: Dragon"),
        ("the-princes-dragon", "Knights of Ryma", ""),
        (
            "throne-under-the-mountain",
            "King",
            "Armour 6 (2+) without special items: Plate Armour, Shield",
        ),
        ("throne-under-the-mountain", "Clan Warriors", "Armour 3 (4+): Heavy Armour, Shield"),
    ],
)
def test_armour_is_worked_out_where_its_pieces_are_known(army, unit, armour):
    """Rulebook 21.E, 7.G; "C+2" of a mount: 5.B.b; of a Gigantic one: 21.A.b.23."""
    assert units(f"t9a-2023/{army}")[unit].armour == armour


def test_a_suit_that_was_chosen_takes_the_place_of_the_models_own():
    khan = units("t9a-2023/the-long-table")["Great Khan"]
    assert "Heavy Armour" in [one.plain for one in khan.chosen]
    assert "Light Armour" not in khan.rules


def test_boxes_are_marked():
    # Boxes stand in fives with a heavy line where a mark is.
    ((placed,),) = break_lines([Run("", boxes=12, mark=9)], 500)
    five, six = (replace_boxes(placed.piece, number).width for number in (5, 6))
    four = replace_boxes(placed.piece, 4).width
    assert six - five > five - four
    first, second = break_lines([Run("", boxes=12, mark=9)], 90)
    assert [line[0].piece.boxes for line in (first, second)] == [10, 2]
    assert [line[0].piece.mark for line in (first, second)] == [9, 0]
    # Half of a creatures hit points is marked.
    listed = material(example("ddm-2008/down-the-ninth-stair")).sheet
    for card in listed.cards:
        left = card.health // 2 // card.health_box
        assert card.tracks[0].mark == card.boxes - left


def replace_boxes(piece, number):
    return piece._replace(boxes=number)


def filled(page) -> float:
    """The part of a page's height, margins aside, above its lowest text that is no foot."""
    text = page.get_textpage()
    boxes = (text.get_rect(number) for number in range(text.count_rects()))
    low = min(bottom for _left, bottom, _right, _top in boxes if bottom > 62)
    return 1 - (low - 60) / (page.get_height() - 120)


@pytest.mark.one_in(7)
@pytest.mark.parametrize("paper", ["A4", "letter"])
@pytest.mark.parametrize("name", EXAMPLES)
def test_the_last_page_of_a_full_sheet_is_never_almost_empty(name, paper):
    document = pypdfium2.PdfDocument(pdf(example(name), kinds="full", paper=paper))
    last = document[len(document) - 1]
    assert len(document) == 1 or filled(last) >= 0.25
    document.close()


@pytest.mark.one_in(2)
@pytest.mark.parametrize("name", ARMIES)
def test_units_begin_near_the_top_of_an_army(name):
    document = pypdfium2.PdfDocument(pdf(example(name), kinds="full"))
    text = document[0].get_textpage()
    start, _count = text.search("Characters", match_case=True).get_next()
    assert document[0].get_height() - text.get_charbox(start)[3] < 150, "points below the edge"
    document.close()


NINTH = "ddm-2008/down-the-ninth-stair"


def rows(document: dict, table: str) -> list[str]:
    found = [one for one in material(document).sheet.tables if one.name == table]
    return [row[0] for one in found for row in one.rows]


def test_tables_have_the_rows_that_speak_of_the_list():
    # Of the scenarios only the chosen one is told.
    document = example(NINTH)
    assert rows(document, "Scenarios") == ["Assault"]
    other = {**document, "settings": {**document["settings"], "scenario": "bounty"}}
    assert rows(other, "Scenarios") == ["Bounty"]
    # A scenario that no table has tells all.
    document = example(NINTH)
    other = {**document, "settings": {**document["settings"], "scenario": "other"}}
    assert len(rows(other, "Scenarios")) == 7
    # Of the conditions those are told that stand on cards.
    document = example(NINTH)
    cards = " ".join(told(document, kinds="cards")).casefold()
    found = rows(document, "Conditions")
    assert "Dazed" in found
    assert "Confused" not in found
    assert all(name.split()[0].casefold() in cards for name in found)
    # Sheets tell no words for boxes that they draw.
    for kind in ("full", "compact"):
        text = " ".join(told(example("ddm-2008/wardens-of-the-river-gate"), kinds=kind))
        assert "1 box" not in text


@pytest.mark.parametrize(
    ("line", "text", "boxes"),
    [
        ("Steady (1 box): she is not", "Steady: she is not", 1),
        ("Sparks (range 5; 2 boxes): +8", "Sparks (range 5): +8", 2),
        ("Breath: 20 fire damage; recharges", "Breath: 20 fire damage; recharges", 1),
        ("Claws: +4 vs AC; 5 damage", "Claws: +4 vs AC; 5 damage", 0),
        ("Endless (999 boxes): many", "Endless: many", 10),
    ],
)
def test_boxes_that_a_line_speaks_of_are_drawn(line, text, boxes):
    assert boxed(line) == (text, boxes)
