"""Breaking lines, and filling columns: the laws they keep."""

import pytest
from hypothesis import given
from hypothesis import strategies as some
from reportlab.platypus import Flowable

from armybuilder.sheets.content.setup import PageRoom, Setup
from armybuilder.sheets.drawing.blocks import (
    BLOCK_GAP,
    COLUMN_GAP,
    PdfSection,
    even_fill,
    fill_columns,
    height_of,
    shares,
)
from armybuilder.sheets.drawing.typeface import Ink, load_fonts, width_of
from armybuilder.sheets.drawing.words import WordRun, Words, break_lines, fit
from armybuilder.sheets.kinds.compact import SIZES
from armybuilder.sheets.kinds.parts import MOST_LAID_OUT, filled, pages_of

heights = some.lists(some.integers(1, 300).map(float), min_size=1, max_size=40)
uneven = some.lists(some.integers(100, 30_000).map(lambda height: height / 100), max_size=60)


@pytest.fixture(autouse=True)
def _fonts():
    load_fonts()


def column_heights(blocks, counts):
    for count in counts:
        column, blocks = blocks[:count], blocks[count:]
        yield sum(column) + BLOCK_GAP * max(0, len(column) - 1)


@given(heights, some.integers(1, 4), some.integers(1, 900))
def test_no_column_is_fuller_than_its_room(blocks, columns, room):
    counts, _ = fill_columns(blocks, columns, room)
    assert all(height <= room + 0.001 for height in column_heights(blocks, counts))


def even_fill_by_trying(blocks, columns):
    """The same, with every room tried."""
    room = max(blocks, default=0)
    while True:
        counts, wider = fill_columns(blocks, columns, room)
        if sum(counts) == len(blocks):
            return room, counts
        room = wider


@given(some.one_of(heights, uneven), some.integers(1, 4))
def test_even_columns_are_those_that_trying_every_room_finds_and_no_lower_ones(blocks, columns):
    room, counts = even_fill(blocks, columns)
    assert (room, counts) == even_fill_by_trying(blocks, columns)
    assert sum(counts) == len(blocks)
    if blocks:
        assert max(column_heights(blocks, counts)) == pytest.approx(room)
        assert sum(fill_columns(blocks, columns, room - 0.01)[0]) < len(blocks)


class Counted(Flowable):
    """A block that counts how often it is measured."""

    measured = 0

    def __init__(self, height):
        super().__init__()
        self.height = height

    def wrap(self, width, _height):
        Counted.measured += 1
        return width, self.height


@pytest.mark.parametrize("columns", [1, 2, 3])
def test_a_section_of_many_pages_measures_each_of_its_blocks_a_few_times(columns):
    Counted.measured = 0
    section = PdfSection("Units", [Counted(40) for _ in range(2_000)], 700, columns)
    pages = 0
    while True:
        parts = [] if section.wrap(500, 700)[1] <= 700 else section.split(500, 700)
        pages += 1
        if not parts:
            break
        here, section = parts
        assert here.wrap(500, 700)[1] <= 700
    assert pages == -(-2_000 // (columns * 14))
    assert Counted.measured < 4 * 2_000


@given(some.text(max_size=80) | some.text("ab ", max_size=120), some.integers(30, 300))
def test_no_line_is_wider_than_its_room_and_breaking_loses_no_letter(text, width):
    lines = break_lines([WordRun(text)], width)
    assert all(line[-1].x + line[-1].piece.width <= width for line in lines)
    if set(text) <= set("ab "):
        printed = "".join(placed.piece.text for line in lines for placed in line)
        assert printed == text.replace(" ", "")


def test_breaking_lines_and_a_section_without_a_bound():
    # Spaces that hold words together do.
    lines = break_lines([WordRun("Une ligne\u202f; deux\u00a0: trois")], 30)
    words = [placed.piece.text for line in lines for placed in line]
    assert words == ["Une", "ligne\u202f;", "deux\u00a0:", "trois"]
    # Boxes that do not fit go to the next line and none is lost.
    lines = break_lines([WordRun("Health"), WordRun("", Ink(), 60)], 100)
    assert len(lines) > 1
    assert sum(placed.piece.boxes for line in lines for placed in line) == 60
    # A paragraph splits between lines.
    words = Words(WordRun("word " * 100))
    words.wrap(100, 1000)
    upper, lower = words.split(100, words.height / 2)
    assert upper.lines + lower.lines == words.lines
    # A text cut to fit ends in an ellipsis.
    assert fit("short", Ink(), 100) == "short"
    cut = fit("W" * 50, Ink(), 100)
    assert cut.endswith("…")
    assert len(cut) < 50
    # A figure stays on the line of its name.
    runs = [WordRun("alpha beta"), WordRun("10", close=True)]
    width = Words(WordRun("alpha beta")).natural_width + 1
    lines = [[placed.piece.text for placed in line] for line in break_lines(runs, width)]
    assert lines == [["alpha"], ["beta", "10"]]
    # A figure stands alone where its name leaves no room.
    runs = [WordRun("a beta"), WordRun("10", close=True)]
    width = Words(WordRun("beta")).natural_width + 1
    lines = [[placed.piece.text for placed in line] for line in break_lines(runs, width)]
    assert lines[-1] == ["10"]
    section = PdfSection("Units", [Counted(40) for _ in range(2_000)], 700)
    assert height_of([section], 500) == pytest.approx(2_000 * (40 + BLOCK_GAP), abs=40)


tables = some.integers(1, 5).flatmap(
    lambda number: some.lists(
        some.lists(some.text("ab ", max_size=30), min_size=number, max_size=number), min_size=1
    )
)


@given(tables, some.integers(50, 700))
def test_a_tables_columns_hold_their_longest_words_within_the_width(rows, width):
    load_fonts()
    ink = Ink()
    found = shares(rows, width, ink)
    room = width - COLUMN_GAP * (len(rows[0]) - 1)
    if found is None:
        return
    assert sum(found) <= 1.0001
    for share, column in zip(found, zip(*rows, strict=True), strict=True):
        for word in " ".join(column).split():
            assert width_of(word, *ink[:2]) <= share * room + 0.001


@pytest.mark.one_in(3)
@pytest.mark.parametrize("number", [1, 7, 40, 200, 1000, 4000])
def test_the_best_size_is_searched_in_proportion_to_a_sheet(number):
    """What is laid out for a sheet is at most twice that and a constant, however long it is."""
    room, laid_out = PageRoom(500, 700), []

    def layout(scale, _room):
        paragraphs = [Words(WordRun("word " * 60, Ink(size=8 * scale))) for _one in range(number)]
        laid_out.append(scale)
        return paragraphs

    story = filled(layout, Setup(), room, SIZES)
    pages = pages_of(story, room)
    assert len(laid_out) * pages <= 2 * pages + 2 * MOST_LAID_OUT + len(SIZES)
    assert (len(laid_out) == 1) == (pages > MOST_LAID_OUT)
