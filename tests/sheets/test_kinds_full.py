"""The full sheet as a set-up wants it."""

import pytest

from armybuilder.sheets.drawing.pages import SIDE, Chapter, room_of
from armybuilder.sheets.kinds import parts
from tests.sheets.papers import document, illegal_list, legal_list
from tests.sheets.printed import colours, ends, example, long_army, material, printed, setup, told

pytestmark = pytest.mark.long

PAPERS = [
    {"paper": "A4"},
    {"paper": "A5"},
    {"paper": "A5", "size": "large"},
    {"paper": "A5", "size": "small", "landscape": "1"},
    {"paper": "letter", "size": "large", "landscape": "1"},
]
KINDS = ("full", "compact", "quick")


def room(**fields):
    return room_of(Chapter(lambda _room: []), setup(**fields))


@pytest.mark.parametrize(
    ("fields", "number"),
    [({}, 2), ({"paper": "A5"}, 1), ({"landscape": "1"}, 3), ({"size": "large"}, 2)],
    ids=["A4", "A5", "landscape", "large"],
)
def test_a_wide_page_has_more_columns_than_a_narrow_one(fields, number):
    assert parts.columns(room(**fields), parts.RULES) == number


def test_without_prices_and_notes():
    # Without prices no unit tells its points but the list its total.
    with_prices, without = (" ".join(told(legal_list(), prices=switch)) for switch in ("1", "0"))
    assert "24 points (6 each)" in with_prices
    assert "24 points" not in without
    assert "points of single units are left out" in without
    assert "points of single units are left out" not in with_prices
    assert "87 of 100 points" in without
    # Without prices no unit or option of an army tells its points.
    army = material(long_army()).sheet.army
    prince = army.units[0]
    with_prices, without = (" ".join(told(long_army(), prices=switch)) for switch in ("1", "0"))
    assert f"{prince.items[0].name} {prince.items[0].points}" in with_prices
    for unit in army.units:
        for taken in unit.items:
            assert f"{taken.name} {taken.points}" not in without
    assert f" {prince.price} " not in without
    # Without notes nothing that the player wrote is printed.
    listed = legal_list(notes="Lend Ann the dice.")
    with_notes, without = (" ".join(told(listed, notes=switch)) for switch in ("1", "0"))
    for note in ("broken spear", "Lend Ann"):
        assert note in with_notes
        assert note not in without


def test_colour_is_there_only_where_it_is_wanted():
    # Colour is there only where it is wanted.
    def strongest(**fields):
        return max(max(rgb) - min(rgb) for rgb in colours(printed(illegal_list(), **fields)))

    assert strongest() < 0.1
    assert strongest(colour="1") > 0.3
    # A sheet in colour says the same.
    assert told(illegal_list(), colour="1") == told(illegal_list())


@pytest.mark.parametrize("kind", KINDS)
def test_an_illegal_list_says_why_on_the_first_page_of_every_kind(kind):
    first = told(illegal_list(), kinds=kind, paper="A5")[0]
    for finding in material(illegal_list()).sheet.findings:
        assert finding.sentence in first
        assert finding.citation in first


def test_what_a_full_sheet_says_on_its_pages():
    # An unfinished list says what it lacks and of no error.
    first = told(document(limit=100))[0]
    assert "Not legal yet: 1 to do." in first
    assert "What this list still lacks" in first
    assert "To do: " in first
    assert "rror" not in first
    # Figures taller than a page go on over the next.
    listed = long_army()
    for unit in listed["units"]:
        unit["name"] = "W" * 200
    pages = told(listed, paper="letter", size="large", landscape="1")
    assert sum(text.count("Scoring units") for text in pages) == 1
    assert "Naval Ordnance" in " ".join(pages)
    # A narrow page tells a tables rows in sentences.
    text = " ".join(told(legal_list(), paper="A5"))
    assert "Cave of Pain Deployment: Standard You win by: Destroy or rout every enemy" in text


@pytest.mark.parametrize("kind", KINDS)
def test_every_narrow_page_has_name_verdict_hash_and_number(kind):
    listed = illegal_list(name="A name that is rather long for so narrow a page, and goes on")
    pages = told(listed, kinds=kind, paper="A5", size="large")
    for number, text in enumerate(pages, 1):
        assert f"page {number} of {len(pages)}" in text
        assert "Not legal: 2 errors." in text
        assert "A name that is" in text
        assert material(listed).sheet.hash in text


@pytest.mark.one_in(5)
@pytest.mark.parametrize("fields", PAPERS, ids=lambda fields: "-".join(fields.values()))
@pytest.mark.parametrize("name", ["sbh/gruks-green-flood", "chainmail-2001-basic/drums-in-the-fog"])
def test_no_text_reaches_beyond_the_margins_of_any_paper(fields, name):
    listed = example(name) | {"name": "W" * 200}
    for unit in listed["units"]:
        unit["name"] = "W" * 120
    read = printed(listed, kinds=",".join(KINDS), **fields)
    scale = setup(**fields).scale
    width = float(read.pages[0].mediabox.width)
    drawn = list(ends(read))
    assert min(start for start, _end in drawn) >= SIDE * scale - 0.1
    assert max(end for _start, end in drawn) <= width - SIDE * scale + 0.1
