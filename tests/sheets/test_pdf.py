"""The PDF, read back as a reader would."""

import re

import pytest

from tests.pdfs import bookmarks
from tests.sheets.papers import (
    document,
    illegal_list,
    legal_list,
    own_model,
    pages,
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
    # An empty list prints why it is not legal.
    assert "The list has no models yet." in pages(document())[0]
    # The reference tables of the game are printed.
    text = " ".join(pages(legal_list()))
    assert "Scenarios" in text
    assert "Cave of Pain" in text


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
