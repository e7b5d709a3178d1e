"""The record sheet: an empty list of the game on one page, which says nothing of any list."""

import pytest

from tests.sheets.papers import illegal_list
from tests.sheets.printed import EXAMPLES, ends, example, material, printed, told

pytestmark = pytest.mark.long

GAMES = {name.split("/")[0]: name for name in EXAMPLES}


@pytest.mark.one_in(31)
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("paper", ["A4", "letter", "A5"])
@pytest.mark.parametrize("size", ["small", "normal", "large"])
@pytest.mark.parametrize("landscape", ["0", "1"])
def test_it_is_one_page_with_room_for_units(game, paper, size, landscape):
    document = example(GAMES[game])
    fields = {"kinds": "blank", "paper": paper, "size": size, "landscape": landscape}
    read = printed(document, **fields)
    (page,) = read.pages
    (text,) = told(document, **fields)
    one = material(document)
    units = text.count("Special rules")
    assert units >= 2
    for stat in one.system.stats.values():
        assert text.split().count(stat.short) == units or " " in stat.short
    assert max(end for _start, end in ends(read)) < float(page.mediabox.width) - 20


def test_a_record_sheet_says_nothing_of_a_list():
    # It says nothing of the list that it is printed with.
    document = illegal_list(name="Another list")
    (page,) = told(document, kinds="blank")
    sheet = material(document).sheet
    for said in (sheet.title, sheet.verdict, sheet.hash, "Oresta"):
        assert said not in page
    assert "Chainmail 2002 · Record sheet" in page
    assert printed(document, kinds="blank").metadata.title == "Chainmail 2002"
    # Beside other sheets they keep their own margins.
    first, *_rest, last = told(illegal_list(name="Another list"), kinds="full,blank")
    assert "Another list" in first
    assert "Another list" not in last
    assert "Not legal" not in last
    # Larger letters leave room for fewer units.
    document = example(GAMES["sbh"])
    small, large = (
        told(document, kinds="blank", size=size)[0].count("Special rules")
        for size in ("small", "large")
    )
    assert small > large
