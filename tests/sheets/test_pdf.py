"""The PDF of a list and of an army of units, read back as a reader would."""

import dataclasses
import re

import pytest

from armybuilder.sheets.content.structure import Division
from armybuilder.sheets.content.unit_view import StatCell, StatColumn, StatRow, UnitView
from armybuilder.sheets.drawing.army_pdf import Columns
from armybuilder.sheets.drawing.pages import SIDE
from armybuilder.sheets.drawing.typeface import STRONG, load_fonts, width_of
from armybuilder.sheets.printing.printouts import draw_pdf
from armybuilder.sheets.texts.lines import WIDTH, draw_text
from tests.building.towers import (
    army_document,
    army_sheet_of,
    illegal_army,
    legal_army,
    option,
    unit,
)
from tests.pdfs import bookmarks, pages_of
from tests.sheets.papers import (
    HOSTILE,
    document,
    illegal_list,
    legal_list,
    own_model,
    page_texts,
    practice,
    printed,
    printed_text,
    sbh_list,
    sheet,
)

pytestmark = pytest.mark.long


def test_a_list_is_on_the_paper_and_the_file_says_what_it_is():
    # Every card and its notes are on the paper.
    text = printed_text(legal_list())
    for card in sheet(legal_list()).cards:
        assert card.title in text
    assert "Number 3 has the broken spear." in text
    # An empty list prints why it is not legal.
    assert "The list has no models yet." in page_texts(document())[0]
    # The reference tables of the game stand in its quick reference, with scenarios above ground.
    text = printed_text(legal_list(), kinds="quick")
    assert "Round by round" in text
    assert "Breakthrough" in text
    assert "Cave of Pain" not in text
    # The verdict travels in the files own description.
    about = printed(illegal_list()).metadata
    assert about.title == "Test list"
    assert about.subject.endswith("Not legal: 2 errors.")
    # Bookmarks lead to the sections pages.
    read, told = printed(legal_list()), page_texts(legal_list())
    for mark in bookmarks(read.outline):
        assert mark.title in told[read.get_destination_page_number(mark)]
    assert [mark.title for mark in read.outline if not isinstance(mark, list)][:4] == [
        "Units",
        "Special rules (Comprehensive Rules)",
        "Spells (Comprehensive Rules 702.7)",
        "Battlefield and terrain",
    ]


def assert_whole_cards(told, count):
    """Each card's name and the last line of its notes are on one page, the notes once."""
    for n in range(count):
        (card,) = (text for text in told if f"Lastline{n:02}" in text)
        assert f"Firstline{n:02}" in card


@pytest.mark.slow
def test_a_block_taller_than_a_page_continues_on_the_next():
    # No card of a long list is split over two pages.
    names = ["sunhill-chaplain", "cavern-boltthrower", "millbrook-spearhand", "ninefold-enchanter"]
    units = [
        practice(names[n % 4], 1 + n % 5, name=f"Firstline{n:02}", notes=f"Lastline{n:02}")
        for n in range(40)
    ]
    told = page_texts(document(*units, limit=9999))
    assert len(told) > 4
    assert_whole_cards(told, 40)
    # Findings that fill more than a page are all told.
    units = [practice(f"gone-{n}") for n in range(80)]
    text = printed_text(document(*units))
    for n in range(80):
        assert f"no unit “practice/gone-{n}”" in text


@pytest.mark.one_in(6)
@pytest.mark.parametrize("lines", range(1, 40, 3))
def test_no_card_is_split_wherever_the_first_page_ends(lines):
    # Spearhands are no commanders, so no other part of the sheet names them.
    tall = [
        practice(
            "millbrook-spearhand", name=f"Firstline{n:02}", notes=f"{'high ' * 99}Lastline{n:02}"
        )
        for n in range(6)
    ]
    told = page_texts(document(*tall, notes="low\n" * lines))
    assert len(told) > 1
    assert_whole_cards(told, 6)


def test_any_text_can_be_printed():
    # Any own model prints.
    for name in HOSTILE:
        lethal = {"ability": "lethal", "target": name[:60]}
        told = printed_text(sbh_list(own_model(name, "leader", lethal)))
        assert "Legal: 76 of 300 points." in told
    # Markup in a name is just text.
    listed = document(practice("bannerlady-oresta", name="<b>&amp;</b>"))
    assert "<b>&amp;</b>" in page_texts(listed)[0]
    # Greek and cyrillic can be searched for.
    names = ["Θεμιστοκλής", "Владислав Ґалаґан"]
    units = [practice("millbrook-spearhand", name=name) for name in names]
    text = printed_text(document(*units))
    assert all(name in text for name in names)


WIZARD = unit("champion", options=[option("wizard-master"), option("alchemy"), option("dragon")])


def army_pages(document, kind="full"):
    return pages_of(draw_pdf(army_sheet_of(document, kind)))


def long_army(number=30):
    """Units whose first and last words are known: a name, and the end of their notes."""
    kinds = (WIZARD, unit("guard", 12), unit("trolls", 2), unit("peasants", 20))
    units = [
        kinds[n % 4] | {"name": f"Firstline{n:02}", "notes": f"{'high ' * (n * 7)}Lastline{n:02}"}
        for n in range(number)
    ]
    return army_document(*units)


def test_units_categories_and_wizards_are_on_paper():
    # Every unit has its points health and options on paper.
    text = " ".join(army_pages(legal_army()))
    for told in army_sheet_of(legal_army()).army.units:
        assert told.title in text
        assert told.price in text
        assert told.condition in text
        for taken in (*told.options, *told.items):
            assert taken.name in text
    # Categories stat lines and wizards are on paper.
    text = " ".join(army_pages(army_document(WIZARD)))
    assert "Characters 470 (31.3 %) at most 40 % (600)" in text
    assert re.search(r"Adv HP Res Agi Champion 5\" 3 3 5", text)
    assert "Wizard Master, Alchemy, 4 spells:" in text
    assert "Scoring" in army_pages(army_document(unit("guard", 10)))[0]
    # An illegal army tells why on its first page.
    first = army_pages(illegal_army())[0]
    for finding in army_sheet_of(illegal_army()).findings:
        assert finding.sentence in first
        assert finding.citation in first
    # An army of nothing prints.
    assert "0 of 1500 points" in army_pages(army_document())[0]
    assert draw_text(army_sheet_of(army_document()))
    text = " ".join(army_pages(legal_army(), "open"))
    assert "Open list (Rulebook 8.E.a)" in text
    assert "Test army (open list)" in text
    assert "Crown" not in text
    assert "Items" not in text


def test_stat_columns_leave_room_for_names():
    load_fonts()
    told = army_sheet_of(army_document(WIZARD, unit("guard", 10))).army
    columns = Columns(told)
    assert len(columns.widths) == len(told.columns)
    assert columns.total <= Columns.ROOM
    assert SIDE < Columns.ROOM
    # Columns of long texts give way to names.
    long = 'Ground 14", Fly 18"'
    values = (long, long, "8", "3", "4", "4", "C+2", "2", "4", "4", "1", "5")
    cells = tuple(StatCell(f"S{n}", value, "", f"s{n}") for n, value in enumerate(values))
    block = UnitView("u1", "Flyer", 1, sized=True, rows=(StatRow("Flyer", cells),))
    told = dataclasses.replace(
        army_sheet_of(legal_army()).army,
        columns=tuple(StatColumn(f"s{n}", f"S{n}", f"Statistic {n}") for n in range(12)),
        divisions=(Division("Core", (block,)),),
    )
    assert Columns(told).total <= Columns.ROOM
    full = sum(width_of(value, *STRONG[:2]) + Columns.GAP for value in values)
    assert full > Columns.ROOM


def test_no_unit_is_split_and_the_text_of_an_army_is_there():
    # No unit is split over two pages.
    told = army_pages(long_army())
    for n in range(30):
        (page,) = (text for text in told if f"Lastline{n:02}" in text)
        assert f"Firstline{n:02} ·" in page
    # A unit taller than a page loses nothing.
    notes = "\n".join(f"line {n:03}" for n in range(200))
    text = " ".join(army_pages(army_document(unit("guard", 10, notes=notes))))
    assert all(text.count(f"line {n:03}") == 1 for n in range(200))
    # Text of an army.
    lines = draw_text(army_sheet_of(legal_army())).splitlines()
    assert "17 Guard, Standard Bearer (500)" in lines
    assert "  Items: Red Banner" in lines
    assert "  Scoring; 17 Health Points, shattered at 4" in lines
    assert "Champion, General (260)" in lines
    # Text tells categories with their bounds.
    assert "Characters: 260, 17.3 %, at most 40 % (600): ok" in lines
    assert "Left: 20" in lines


@pytest.mark.parametrize("kind", ["full", "open"])
def test_no_line_of_text_is_wider_than_eighty_columns(kind):
    text = draw_text(army_sheet_of(long_army(), kind))
    assert max(len(line) for line in text.splitlines()) <= WIDTH
