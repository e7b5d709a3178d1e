"""Text that people typed, made safe to print, and scripts with letters joined and in order."""

import re
from io import BytesIO

import pypdfium2
import pytest
from pypdf import PdfReader

from armybuilder.exchange.pasting.reading import read_text
from armybuilder.loading.library import shipped_library
from armybuilder.sheets.content.printable import one_line, tidy
from armybuilder.sheets.drawing.typeface import (
    BOLD,
    PLACEHOLDER,
    Ink,
    in_order,
    levels_of,
    load_fonts,
    printable,
    spans_of,
    unprintable,
    width_of,
)
from armybuilder.sheets.drawing.words import WordRun, break_lines
from armybuilder.sheets.printing.printouts import print_list
from armybuilder.sheets.texts.forms import forms_of, isolated
from tests.sheets.papers import document, example, fresh, material, pdf, practice, setup


def test_text_that_was_typed_is_made_safe():
    for typed, tidied in (
        ("a\x00b\x1b[31mc\x7f", "ab[31mc"),
        ("pay \u202eevil\u202c", "pay evil"),
        ("one\r\ntwo\rthree\u2028four", "one\ntwo\nthree\nfour"),
        ("one\n\n\n\n\ntwo", "one\n\ntwo"),
        ("  much \t space  ", "much space"),
        ("half \ud800", "half \ufffd"),
        ("👨‍👩‍👧", "👨‍👩‍👧"),
    ):
        assert tidy(typed) == tidied
    # A name is one line, and empty without anything to see.
    assert one_line("one\ntwo\u2029three") == "one two three"
    for typed in ("", "\u200b\u200d\ufe0f", "\u0301\u0301", "\x00"):
        assert one_line(typed) == ""


OTHER = {
    "Hebrew": "שומרי החומה",
    "Arabic": "حرس البوابة",
    "Chinese": "中国龙骑兵 中國龍騎兵",
    "Japanese": "赤い竜の騎士 ドラゴン",
    "Korean": "용의 기사단",
    "Thai": "อัศวินมังกร",
    "Hindi": "सिंह के योद्धा",
    "emoji": "🐉 ⚔ 😀 ☠",
    "signs": "→ ★ ✓ ♥ ①",
}


def test_every_script_prints_as_it_is_and_what_no_font_has_as_a_visible_placeholder():
    for text in OTHER.values():
        assert (printable(text), unprintable(text)) == (text, "")
        runs = [WordRun(f"Name {text} {text} and more words behind it", Ink(BOLD, 9))]
        for line in break_lines(runs, 90):
            assert all(placed.piece.width <= 90 for placed in line), text
        assert width_of(printable(text), BOLD, 10) > 10, text
    for text in ("Thráin Œuvre ß", "Ελληνικά ώ", "Кириллица Ґ", "6″ × 2 – “x” …"):
        assert printable(text) == text
    assert ord(PLACEHOLDER) in load_fonts()
    for text, printed, lost in (
        ("𐎀 ok", f"{PLACEHOLDER} ok", "𐎀"),
        ("\uffff\U0010ffff\uffff", PLACEHOLDER * 3, "\uffff\U0010ffff"),
        ("\ue001", PLACEHOLDER, "\ue001"),
        ("❤\ufe0f", "❤", ""),
        ("a\xad\u200bb", "ab", ""),
        ("e\u0301", "é", ""),
    ):
        assert (printable(text), unprintable(text)) == (printed, lost)


HEBREW, ARABIC = OTHER["Hebrew"], OTHER["Arabic"]


def test_words_stand_as_they_are_read_letters_join_and_brackets_turn():
    for text, shown in (
        ("Guard 15", "Guard 15"),
        ("אבג", "גבא"),
        ("אבג דה 15", "15 הד גבא"),
        ("15 אבג", "15 גבא"),
        ("אבג: Orc", "גבא: Orc"),
        ("אבג 15: Orc", "15 גבא: Orc"),
        ("4 × אבג", "4 × גבא"),
        ("Guard (אבג) 12", "Guard (גבא) 12"),
        ("Units 5: 2 × אבג, 3 × Guard", "Units 5: 2 × גבא, 3 × Guard"),
        ("Orc אבג, דה", "Orc גבא, הד"),
        ("אב · גד", "דג · בא"),
        ("the אב גד end", "the דג בא end"),
        ("אבג.", ".גבא"),
        ("אבג\U000119d8", "\U000119d8גבא"),  # a letter that Unicode did not know in 2021
    ):
        # As letters stand from left to right.
        assert "".join(text[place] for place in in_order(levels_of(text))) == shown
    # Letters of arabic join.
    (span,) = spans_of("حرس", load_fonts())
    assert len(span.glyphs) >= 3
    alone = [next(spans_of(letter, load_fonts())) for letter in "حرس"]
    assert {glyph.letter for glyph in span.glyphs}.isdisjoint(
        {glyph.letter for one in alone[:1] for glyph in one.glyphs}
    )
    assert span.width < sum(one.width or 0 for one in alone)
    # Brackets are mirrored among words that run left.
    shown = "".join(span.text for span in spans_of("א (ב", load_fonts()) if not span.font)
    assert "(" not in shown
    assert ")" in shown


def named(text: str) -> dict:
    document = example("chainmail-2002/bones-under-the-hill")
    units = [unit | {"name": text, "notes": f"Note {text}."} for unit in document["units"]]
    return document | {"name": text, "notes": text, "units": units}


@pytest.mark.long
@pytest.mark.one_in(3)
@pytest.mark.parametrize("kind", ["full", "compact", "cards", "judge", "opponent"])
def test_every_script_is_searchable_on_every_sheet(kind):
    units = [practice("sunhill-chaplain", name=text) for text in OTHER.values()]
    content = pdf(document(*units), kinds=kind)
    pages = pypdfium2.PdfDocument(content)
    told = "".join(page.get_textpage().get_text_bounded() for page in pages)
    assert "\ufffd" not in told
    # PDFium, that reads it here, tells no letters beyond the first 65,536.
    for word in (word for word in " ".join(OTHER.values()).split() if max(word) < "\uffff"):
        assert word in told or word[::-1] in told, word


@pytest.mark.slow
def test_the_same_bytes_whatever_was_drawn_before():
    first = pdf(named(ARABIC), kinds="full")
    for script in OTHER.values():
        pdf(named(script), kinds="full")
    assert print_list(fresh(named(ARABIC)), setup(kinds="full")) == first


@pytest.mark.long
def test_fonts_are_in_the_file_only_where_they_are_needed():
    def fonts(text: str) -> set[str]:
        pages = PdfReader(BytesIO(pdf(named(text), kinds="full"))).pages
        names = (
            font.get_object()["/BaseFont"]
            for page in pages
            for font in page["/Resources"]["/Font"].values()
        )
        return {re.sub(r"^/[A-Z]+\+", "", name).split("-")[0] for name in names}

    assert fonts("Guard") == {"NotoSans"}
    assert fonts(HEBREW) == {"NotoSans", "NotoSansHebrew"}


@pytest.mark.long
@pytest.mark.parametrize("form", forms_of(False))
@pytest.mark.parametrize("name", [HEBREW, ARABIC])
def test_texts_keep_such_names_from_turning_numbers_beside_them(form, name):
    document = named(name)
    one = material(document)
    drawn = forms_of(False)[form]
    text = drawn.draw(one.open_sheet if drawn.hides else one.sheet)
    assert text.count("\u2068") == text.count("\u2069") > 0
    assert f"\u2068{name}\u2069" in text


def test_texts_keep_such_names_and_are_read_back():
    # Texts without them are as they were.
    assert isolated("Guard 15 · ∞") == "Guard 15 · ∞"
    # Such texts are read back.
    document = named(HEBREW)
    text = forms_of(False)["compact"].draw(material(document).sheet)
    read = read_text(text, shipped_library()).document
    assert read.name == HEBREW
    assert {unit.name for unit in read.units} == {HEBREW}
