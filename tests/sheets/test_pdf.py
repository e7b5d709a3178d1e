"""The PDF, read back as a reader would."""

import re

import pytest

from armybuilder.loading.library import shipped_library
from armybuilder.sheets.content.make import sheet_of
from armybuilder.sheets.content.setup import CARD_PAPERS
from armybuilder.sheets.drawing.pages import SIDE
from armybuilder.sheets.drawing.typeface import BOLD, REGULAR, width_of
from armybuilder.sheets.printing.printouts import draw_pdf
from tests.building.documents import value_of
from tests.pdfs import bookmarks
from tests.sheets.papers import (
    DAY,
    document,
    illegal_list,
    legal_list,
    own_model,
    pages,
    pdf,
    practice,
    reader,
    sbh_list,
    sheet,
)

pytestmark = pytest.mark.long

HOSTILE = {
    "emoji": "👨‍👩‍👧 ❤️ 🇩🇪",
    "right to left": "שלום \u202e مرحبا",
    "one long word": "W" * 120,
    "markup": "<b>&amp;</para><font size=900>",
    "controls": "a\x00b\x1b[31mc",
    "accents without end": "Z" + "\u0301" * 100,
    "nothing to see": "\u200b\u200d\ufe0f",
    "no characters": "\uffff\U0010ffff",
    "half a character": "x\ud800",
    "empty boxes of placeholders": "中" * 120,
}


def test_a_list_is_on_the_paper_with_its_rules_tables_and_findings():
    # Every card and its notes are on the paper.
    text = " ".join(pages(legal_list()))
    for card in sheet(legal_list()).cards:
        assert card.title in text
    assert "Number 3 has the broken spear." in text
    # An illegal list tells why on its first page.
    first = pages(illegal_list())[0]
    for finding in sheet(illegal_list()).findings:
        assert finding.sentence in first
        assert finding.citation in first
        assert finding.reading in first
    # An empty list prints why it is not legal.
    assert "The list has no models yet." in pages(document())[0]
    # The reference tables of the game are printed.
    text = " ".join(pages(legal_list()))
    assert "Scenarios" in text
    assert "Cave of Pain" in text
    # Every special rule is explained once.
    listed = document(*(practice("sunhill-chaplain", name=f"Ann {n}") for n in range(9)))
    text = " ".join(pages(listed))
    for entry in sheet(listed).glossary:
        assert text.count(entry.summary) == 1


@pytest.mark.parametrize(
    ("listed", "verdict"),
    [(legal_list(), "Legal: 87 of 100 points."), (illegal_list(), "Not legal: 2 errors.")],
    ids=["legal", "illegal"],
)
def test_every_page_has_name_number_and_verdict(listed, verdict):
    told = pages(listed)
    assert len(told) > 1
    for number, text in enumerate(told, 1):
        assert text.count("Test list") >= 1
        assert text.count(verdict) >= 2
        assert f"page {number} of {len(told)}" in text


def test_the_file_says_what_it_is():
    # The verdict travels in the files own description.
    about = reader(illegal_list()).metadata
    assert about.title == "Test list"
    assert about.subject.endswith("Not legal: 2 errors.")
    # The file names its language.
    assert reader(legal_list()).trailer["/Root"]["/Lang"] == "en"
    # Bookmarks lead to the sections pages.
    read, told = reader(legal_list()), pages(legal_list())
    for mark in bookmarks(read.outline):
        assert mark.title in told[read.get_destination_page_number(mark)]
    assert [mark.title for mark in read.outline if not isinstance(mark, list)][:4] == [
        "Units",
        "Special rules",
        "Spells",
        "Battlefield and terrain",
    ]
    # The same list has the same bytes.
    again = sheet_of(value_of(illegal_list()), shipped_library(), DAY)
    assert draw_pdf(again) == pdf(illegal_list())


@pytest.mark.parametrize("paper", list(CARD_PAPERS))
def test_the_page_has_the_size_of_the_paper(paper):
    millimetres = {"A4": (210, 297), "letter": (215.9, 279.4)}[paper]
    for page in reader(legal_list(), paper).pages:
        sides = (float(page.mediabox.width), float(page.mediabox.height))
        assert [side / 72 * 25.4 for side in sides] == pytest.approx(millimetres, abs=0.1)


def assert_whole_cards(told, count):
    """Each card's name and the last line of its notes are on one page, the notes once."""
    for n in range(count):
        (card,) = (text for text in told if f"Lastline{n:02}" in text)
        assert f"Firstline{n:02}" in card


def test_what_is_taller_than_a_page_goes_on():
    # No card of a long list is split over two pages.
    names = ["sunhill-chaplain", "cavern-boltthrower", "millbrook-spearhand", "ninefold-enchanter"]
    units = [
        practice(names[n % 4], 1 + n % 5, name=f"Firstline{n:02}", notes=f"Lastline{n:02}")
        for n in range(40)
    ]
    told = pages(document(*units, limit=9999))
    assert len(told) > 4
    assert_whole_cards(told, 40)
    # A card taller than a page goes on over the next.
    notes = "\n".join(f"line{n}" for n in range(250))
    told = pages(document(practice("sunhill-chaplain", notes=notes)))
    written = re.findall(r"\bline\d+", " ".join(told))
    assert written == [f"line{n}" for n in range(250)]
    # Findings that fill more than a page are all told.
    units = [practice(f"gone-{n}") for n in range(80)]
    text = " ".join(pages(document(*units)))
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
    told = pages(document(*tall, notes="low\n" * lines))
    assert len(told) > 1
    assert_whole_cards(told, 6)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", HOSTILE.values(), ids=HOSTILE.keys())
def test_any_name_prints(name):
    listed = document(
        practice("bannerlady-oresta", name=name, notes=name * 5), name=name, notes=name
    )
    told = pages(listed)
    assert all("Not legal" in text or "Legal:" in text for text in told)


def test_any_words_print():
    # Any own model prints.
    for name in HOSTILE.values():
        lethal = {"ability": "lethal", "target": name[:60]}
        told = " ".join(pages(sbh_list(own_model(name, "leader", lethal))))
        assert "Legal: 76 of 300 points." in told
    # Markup in a name is just text.
    listed = document(practice("bannerlady-oresta", name="<b>&amp;</b>"))
    assert "<b>&amp;</b>" in pages(listed)[0]
    # Greek and cyrillic can be searched for.
    names = ["Θεμιστοκλής", "Владислав Ґалаґан"]
    units = [practice("millbrook-spearhand", name=name) for name in names]
    text = " ".join(pages(document(*units)))
    assert all(name in text for name in names)
    # Nothing reaches beyond the margins.
    listed = document(practice("bannerlady-oresta", name="W" * 120), name="W" * 120)
    ends = []

    def visit(text, page_matrix, text_matrix, font, size):
        start = page_matrix[4] + text_matrix[4]
        name = BOLD if font and BOLD in font["/BaseFont"] else REGULAR
        ends.extend((start, start + width_of(line, name, size)) for line in text.split("\n"))

    for page in reader(listed).pages:
        page.extract_text(visitor_text=visit)
    drawn = [(start, end) for start, end in ends if end > start]
    assert min(start for start, _ in drawn) >= SIDE - 0.1
    assert max(end for _, end in drawn) <= CARD_PAPERS["A4"][0] - SIDE + 0.1
