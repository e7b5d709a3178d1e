"""The PDF and the text of an army of units, read back."""

import dataclasses
import io
import re

import pytest
from pypdf import PdfReader

from armybuilder.sheets.content.structure import Division, StatColumn, StatRow, UnitBlock
from armybuilder.sheets.drawing.army_pdf import VALUE, Columns
from armybuilder.sheets.drawing.pages import SIDE
from armybuilder.sheets.drawing.typeface import load_fonts, width_of
from armybuilder.sheets.printing.printouts import draw_pdf
from armybuilder.sheets.texts.full import WIDTH, draw_text
from tests.building.towers import (
    army_document,
    army_sheet_of,
    illegal_army,
    legal_army,
    option,
    unit,
)
from tests.pdfs import pages_of

WIZARD = unit("champion", options=[option("wizard-master"), option("alchemy"), option("dragon")])


def drawn(document, kind="full", paper="A4"):
    return draw_pdf(army_sheet_of(document, kind), paper)


def read(document, kind="full", paper="A4"):
    return PdfReader(io.BytesIO(drawn(document, kind, paper)))


def pages(document, kind="full"):
    return pages_of(drawn(document, kind))


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
    text = " ".join(pages(legal_army()))
    for told in army_sheet_of(legal_army()).army.units:
        assert told.title in text
        assert told.price in text
        assert told.condition in text
        for taken in (*told.chosen, *told.items):
            assert taken.name in text
    # Categories stat lines and wizards are on paper.
    text = " ".join(pages(army_document(WIZARD)))
    assert "Characters 470 31.3 at most 40 % (600)" in text
    assert re.search(r"Adv HP Res Agi Champion 5\" 3 3 5", text)
    assert "Wizard Master, Alchemy, 4 spells:" in text
    # The word scoring stands beside the pennant.
    assert "Scoring" in pages(army_document(unit("guard", 10)))[0]
    # An illegal army tells why on its first page.
    first = pages(illegal_army())[0]
    for finding in army_sheet_of(illegal_army()).findings:
        assert finding.sentence in first
        assert finding.citation in first
    # An army of nothing prints.
    assert "0 of 1500 points" in pages(army_document())[0]
    assert draw_text(army_sheet_of(army_document()))


def test_an_open_list_says_what_it_is_and_names_no_item():
    text = " ".join(pages(legal_army(), "open"))
    assert "Open list (Rulebook 8.E.a)" in text
    assert "Test army (open list)" in text
    assert "Crown" not in text
    assert "Items" not in text


def test_no_unit_is_split_and_none_loses_anything():
    # No unit is split over two pages.
    told = pages(long_army())
    for n in range(30):
        (page,) = (text for text in told if f"Lastline{n:02}" in text)
        assert f"Firstline{n:02} ·" in page
    # A unit taller than a page loses nothing.
    notes = "\n".join(f"line {n:03}" for n in range(200))
    text = " ".join(pages(army_document(unit("guard", 10, notes=notes))))
    assert all(text.count(f"line {n:03}") == 1 for n in range(200))


def test_the_same_army_has_the_same_bytes():
    drawn = [draw_pdf(army_sheet_of(illegal_army(), kind)) for kind in ("full", "full", "open")]
    assert drawn[0] == drawn[1] != drawn[2]


def test_stat_columns_leave_room_for_names():
    # Stat columns leave room for names.
    load_fonts()
    told = army_sheet_of(army_document(WIZARD, unit("guard", 10))).army
    columns = Columns(told)
    assert len(columns.widths) == len(told.columns)
    assert columns.total <= Columns.ROOM
    assert SIDE < Columns.ROOM
    # Columns of long texts give way to names.
    load_fonts()
    long = 'Ground 14", Fly 18"'
    values = (long, long, "8", "3", "4", "4", "C+2", "2", "4", "4", "1", "5")
    block = UnitBlock("u1", "Flyer", 1, stats=(StatRow("Flyer", values),))
    told = dataclasses.replace(
        army_sheet_of(legal_army()).army,
        columns=tuple(StatColumn(f"s{n}", f"S{n}", f"Statistic {n}") for n in range(12)),
        divisions=(Division("Core", (block,)),),
    )
    assert Columns(told).total <= Columns.ROOM
    full = sum(width_of(value, *VALUE[:2]) + Columns.GAP for value in values)
    assert full > Columns.ROOM


def test_text_of_an_army():
    # Text names a unit and its options in one line.
    lines = draw_text(army_sheet_of(legal_army())).splitlines()
    assert "17 Guard, Standard Bearer (500)" in lines
    assert "  Items: Red Banner" in lines
    assert "  Scoring; 17 Health Points, shattered at 4" in lines
    assert "Champion, General (260)" in lines
    # Text tells categories with their bounds.
    lines = draw_text(army_sheet_of(legal_army())).splitlines()
    assert "Characters: 260, 17.3 %, at most 40 % (600): ok" in lines
    assert "Left: 20" in lines


@pytest.mark.parametrize("kind", ["full", "open"])
def test_no_line_of_text_is_wider_than_eighty_columns(kind):
    text = draw_text(army_sheet_of(long_army(), kind))
    assert max(len(line) for line in text.splitlines()) <= WIDTH
