"""Every sheet of every example and of eighteen hard lists, on three papers: nothing beyond the
paper's edge, no letter below 6 points, no table without rows, no placeholder for a letter.
"""

import pypdfium2
import pypdfium2.raw as pdfium
import pytest

from armybuilder.sheets.content.setup import KINDS
from armybuilder.sheets.drawing.typeface import PLACEHOLDER
from tests.sheets.hard_lists import HARD
from tests.sheets.printed import EXAMPLES, example, material, pdf
from tests.sheets.test_letters_large_enough import too_small

pytestmark = pytest.mark.long

LISTS = {**{name: lambda name=name: example(name) for name in EXAMPLES}, **HARD}
#: Points of paper that printers leave white.
EDGE = 8


def beyond(page: pypdfium2.PdfPage) -> list[str]:
    """The letters of a page that stand over its edge."""
    width, height = page.get_size()
    text = page.get_textpage()
    found = []
    for place in range(text.count_chars()):
        letter = chr(pdfium.FPDFText_GetUnicode(text.raw, place))
        left, low, right, high = text.get_charbox(place)
        inside = left >= EDGE and low >= EDGE and right <= width - EDGE and high <= height - EDGE
        if not letter.isspace() and not inside:
            found.append(letter)
    return found


def test_there_are_42_lists():
    assert (len(EXAMPLES), len(HARD)) == (24, 18)


@pytest.mark.one_in(83)
@pytest.mark.parametrize("name", LISTS)
@pytest.mark.parametrize("paper", ["A4", "letter", "A5"])
@pytest.mark.parametrize("kind", KINDS)
def test_a_sheet_stands_on_its_paper(kind, paper, name):
    content = pdf(LISTS[name](), kinds=kind, paper=paper)
    document = pypdfium2.PdfDocument(content)
    assert [letter for page in document for letter in beyond(page)] == []
    assert not any(PLACEHOLDER in page.get_textpage().get_text_range() for page in document)
    document.close()
    assert list(too_small(content)) == []


@pytest.mark.parametrize("name", LISTS)
def test_no_table_is_empty(name):
    sheet = material(LISTS[name]()).sheet
    assert all(table.rows for table in sheet.tables)
    for unit in sheet.army.units if sheet.army else ():
        assert all(any(row.values) for row in unit.stats)
