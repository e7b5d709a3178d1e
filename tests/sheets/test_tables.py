"""Reference tables tell what each of their columns holds, in every form that a sheet has."""

from html import unescape
from itertools import pairwise, product

import pytest
from django.template.loader import render_to_string
from django.utils.html import strip_tags
from hypothesis import given
from hypothesis import strategies as some

from armybuilder.engine.citations import Citation
from armybuilder.engine.vocabulary import Table
from armybuilder.sheets.content.setup import PAPERS, SCALES, PageRoom
from armybuilder.sheets.drawing import army_pdf
from armybuilder.sheets.drawing.typeface import load_fonts
from armybuilder.sheets.drawing.words import Words
from armybuilder.sheets.kinds import parts
from armybuilder.sheets.texts.lines import draw_text
from tests.sheets.papers import GAMES, example, material, printed_text

pytestmark = pytest.mark.long

#: Games with tables; sheets that show them.
WITH_TABLES = [game for game in GAMES if material(example(GAMES[game])).sheet.tables]
SHOWING = ("quick",)


def assert_told(text, tables, where):
    """Behind the name of each table, up to the next one's, stand the headings of its columns."""
    text = " ".join(text.split()).casefold()
    places, left = {}, text
    # One name may begin with another's: the longest is found first.
    for name in sorted((table.name for table in tables), key=len, reverse=True):
        places[name] = left.rfind(name.casefold())
        left = left.replace(name.casefold(), "\0" * len(name))
    order = sorted((place, name) for name, place in places.items() if place >= 0)
    ends = {name: end for (_, name), (end, _) in pairwise([*order, (len(text), "")])}
    for table in tables:
        if table.name not in ends:
            continue
        below = text[places[table.name] : ends[table.name]]
        for number, column in enumerate(table.columns):
            # Of columns that are empty on this sheet nothing need be told.
            if not number or any(row[number] for row in table.rows):
                assert column.casefold() in below, (where, table.name, column)
    return set(ends)


@pytest.mark.parametrize("game", WITH_TABLES)
def test_texts_and_pages_tell_the_heading_of_each_column(game):
    sheet = material(example(GAMES[game])).sheet
    names = {table.name for table in sheet.tables}
    assert names
    assert assert_told(draw_text(sheet), sheet.tables, "text") == names
    page = unescape(strip_tags(render_to_string("sheets/_sheet.html", {"sheet": sheet})))
    assert assert_told(page, sheet.tables, "page") == names


@pytest.mark.one_in(8)
@pytest.mark.parametrize("game", WITH_TABLES)
def test_printed_sheets_tell_the_heading_of_each_column(game):
    listed = example(GAMES[game])
    tables = material(listed).sheet.tables
    shown = set()
    for paper, size, kind in product(PAPERS, SCALES, SHOWING):
        text = printed_text(listed, paper=paper, size=size, kinds=kind)
        shown |= assert_told(text, tables, (paper, size, kind))
    assert shown == {table.name for table in tables}


def test_victory_points_name_their_unit():
    """Rulebook 18.C: they are compared in per cent of the Army Points."""
    sheet = material(example(GAMES["t9a-2023"])).sheet
    below = draw_text(sheet).partition("BATTLE POINTS BY DIFFERENCE IN VICTORY POINTS")[2]
    assert "per cent of Army Points" in " ".join(below.split()).partition("up to 5")[0]


def words_in(part):
    """All words that a block of a page holds."""
    if isinstance(part, Words):
        return [run.text for run in part.runs]
    inner = part if isinstance(part, list | tuple) else list(getattr(part, "__dict__", {}).values())
    return [
        word for one in inner if not isinstance(one, str | int | float) for word in words_in(one)
    ]


cells = some.text("abc ", min_size=1, max_size=20).map(str.strip).filter(bool)


@pytest.mark.slow
@given(some.data(), some.integers(1, 6), some.integers(120, 700))
def test_tables_of_any_width_keep_their_first_heading(data, columns, width):
    load_fonts()
    heads = ["Unit of measure", *(f"Column {number}" for number in range(1, columns))]
    row = some.lists(cells, min_size=columns, max_size=columns).map(tuple)
    rows = data.draw(some.lists(row, min_size=1, max_size=4))
    table = Table("Reach", tuple(heads), tuple(rows), Citation("Book", "1"))
    drawn = [parts.table(table, PageRoom(width, 500)), army_pdf.table(table, width)]
    for block in drawn:
        words = " ".join(words_in(block)).casefold()
        assert all(head.casefold() in words for head in heads)
