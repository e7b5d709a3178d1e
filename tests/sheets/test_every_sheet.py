"""Every sheet of every example and of eighteen hard lists, drawn once, on any paper in any size.

Nothing stands beyond the paper's edge, no letter is below 6 points or a placeholder, the file tells
its structure and may be archived, and no table is empty.
"""

from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

import pypdfium2
import pypdfium2.raw as pdfium
import pytest

from armybuilder.loading.library import shipped_library
from armybuilder.sheets.content.setup import KINDS, PAPERS, SCALES
from armybuilder.sheets.drawing.typeface import PLACEHOLDER
from tests.sheets.archive_rules import broken_rules
from tests.sheets.papers import (
    EXAMPLES,
    GAMES,
    document,
    example,
    illegal_list,
    legal_list,
    long_army,
    material,
    own_model,
    pdf,
    practice,
    sbh_list,
)
from tests.sheets.test_letters import OTHER
from tests.sheets.test_tagged import assert_well_structured

pytestmark = pytest.mark.long

Data = dict[str, Any]

#: Points of paper that printers leave white.
EDGE = 8
#: The least size of letters in points, rounded as fonts are.
LEAST = 5.95
WORDS = "a word that is long enough to be read and then some more of the same kind "
ARMY = "t9a-2023/the-princes-dragon"
SIXTY = [practice("gatehouse-recruit", name=f"Unit {one}") for one in range(60)]


def _everywhere(name: str, text: str) -> Data:
    """An example whose list, units and notes are called so."""
    whole = example(name)
    units = [unit | {"name": text, "notes": f"{text}\n{text}"} for unit in whole["units"]]
    return whole | {"units": units, "name": text, "notes": text}


def _large(name: str, models: int) -> Data:
    whole = example(name)
    return whole | {"units": [unit | {"models": models} for unit in whole["units"]]}


def _made() -> Iterator[tuple[str, Callable[[], Data]]]:
    yield "an army too dear", long_army
    yield "an army of wide names", lambda: _everywhere(ARMY, "W" * 120)
    yield "an army of narrow names", lambda: _everywhere(ARMY, "i" * 120)
    yield "an army of sentences", lambda: _everywhere(ARMY, (WORDS * 2)[:120])
    yield "an army in Hebrew", lambda: _everywhere(ARMY, OTHER["Hebrew"])
    yield "an army in Chinese", lambda: _everywhere(ARMY, OTHER["Chinese"] * 4)
    yield "an army of one model a unit", lambda: _large(ARMY, 1)
    yield "an army of regiments", lambda: _large(ARMY, 60)
    yield "an army of nothing", lambda: example(ARMY) | {"units": []}
    yield "a warband", legal_list
    yield "a warband against the rules", illegal_list
    yield "a warband of nobody", document
    yield "a warband of sixty", lambda: document(*SIXTY, limit=9999)
    yield "a warband in Arabic", lambda: _everywhere(_first("chainmail-2002"), OTHER["Arabic"])
    yield "a warband of emoji", lambda: _everywhere(_first("sbh"), OTHER["emoji"])
    yield "creatures of wide names", lambda: _everywhere(_first("ddm-2008"), "W" * 120)
    yield "hordes", lambda: _large(_first("sbh"), 40)
    yield "a model of one's own", lambda: sbh_list(own_model(WORDS[:60], "leader", "lethal"))


def _first(game: str) -> str:
    return next(name for name in EXAMPLES if name.startswith(game))


HARD = dict(_made())
LISTS = {**{name: lambda name=name: example(name) for name in EXAMPLES}, **HARD}
LOOKS = list(product(PAPERS, SCALES))
#: Each list with each kind, each of these on each paper and in each size, and these two together.
CASES = [
    (name, kind, *LOOKS[(at + 2 * of) % len(LOOKS)])
    for at, name in enumerate(LISTS)
    for of, kind in enumerate(KINDS)
]


def spoilt(page: pypdfium2.PdfPage) -> Iterator[tuple[str, str]]:
    """The letters of a page that are too small, or stand over its edge."""
    width, height = page.get_size()
    text = page.get_textpage()
    for place in range(text.count_chars()):
        letter = chr(pdfium.FPDFText_GetUnicode(text.raw, place))
        if letter.isspace():
            continue
        left, low, right, high = text.get_charbox(place)
        if not (left >= EDGE and low >= EDGE and right <= width - EDGE and high <= height - EDGE):
            yield letter, "beyond the edge"
        matrix = pdfium.FS_MATRIX()
        pdfium.FPDFText_GetMatrix(text.raw, place, matrix)
        scale = max(abs(matrix.d), abs(matrix.b))
        size = pdfium.FPDFText_GetFontSize(text.raw, place) * scale
        if letter.isprintable() and size < LEAST:
            yield letter, f"{size:.2f} points"


def test_there_are_45_lists_and_every_pair_of_them_and_looks_is_tried():
    assert set(GAMES) == set(shipped_library().systems)
    assert (len(EXAMPLES), len(HARD)) == (27, 18)
    assert {(kind, paper, size) for _name, kind, paper, size in CASES} == set(
        product(KINDS, PAPERS, SCALES)
    )
    for row in (2, 3):
        pairs = {(case[0], case[row]) for case in CASES}
        assert pairs == set(product(LISTS, (PAPERS, SCALES)[row - 2]))


# A little less than three lists, so that each game is among them, with all kinds in turn.
@pytest.mark.one_in(46)
@pytest.mark.parametrize(("name", "kind", "paper", "size"), CASES)
def test_a_sheet_can_be_read_on_its_paper_and_by_programs(name, kind, paper, size):
    listed = LISTS[name]()
    content = pdf(listed, kinds=kind, paper=paper, size=size, backs="1")
    opened = pypdfium2.PdfDocument(content)
    assert [letter for page in opened for letter in spoilt(page)][:20] == []
    assert not any(PLACEHOLDER in page.get_textpage().get_text_range() for page in opened)
    opened.close()
    assert_well_structured(content)
    assert broken_rules(content) == []
    sheet = material(listed).sheet
    assert all(table.rows for table in sheet.tables)
    for unit in sheet.army.units if sheet.army else ():
        assert all(row.cells for row in unit.rows)
