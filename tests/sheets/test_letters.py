"""Text that people typed, made safe to print."""

import pytest

from armybuilder.sheets.content.printable import one_line, tidy
from armybuilder.sheets.drawing.typeface import PLACEHOLDER, load_fonts, printable, unprintable


@pytest.mark.parametrize(
    ("typed", "tidied"),
    [
        ("a\x00b\x1b[31mc\x7f", "ab[31mc"),
        ("pay \u202eevil\u202c", "pay evil"),
        ("one\r\ntwo\rthree\u2028four", "one\ntwo\nthree\nfour"),
        ("one\n\n\n\n\ntwo", "one\n\ntwo"),
        ("  much \t space  ", "much space"),
        ("half \ud800", "half \ufffd"),
        ("👨‍👩‍👧", "👨‍👩‍👧"),
    ],
)
def test_what_cannot_be_seen_is_removed(typed, tidied):
    assert tidy(typed) == tidied


def test_names_are_one_line_and_the_fonts_have_the_placeholder():
    # A name is one line.
    assert one_line("one\ntwo\u2029three") == "one two three"
    # The fonts have the placeholder.
    assert ord(PLACEHOLDER) in load_fonts()


@pytest.mark.parametrize("typed", ["", "\u200b\u200d\ufe0f", "\u0301\u0301", "\x00"])
def test_a_name_without_anything_to_see_is_empty(typed):
    assert one_line(typed) == ""


@pytest.mark.parametrize("text", ["Thráin Œuvre ß", "Ελληνικά ώ", "Кириллица Ґ", "6″ × 2 – “x” …"])
def test_latin_greek_and_cyrillic_print_as_they_are(text):
    assert printable(text) == text


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


@pytest.mark.parametrize("text", OTHER.values(), ids=OTHER)
def test_other_scripts_print_as_they_are(text):
    assert printable(text) == text
    assert unprintable(text) == ""


@pytest.mark.parametrize(
    ("text", "printed", "lost"),
    [
        ("𐎀 ok", f"{PLACEHOLDER} ok", "𐎀"),
        ("\uffff\U0010ffff\uffff", PLACEHOLDER * 3, "\uffff\U0010ffff"),
        ("\ue001", PLACEHOLDER, "\ue001"),
        ("❤\ufe0f", "❤", ""),
        ("a\xad\u200bb", "ab", ""),
        ("e\u0301", "é", ""),
    ],
)
def test_what_no_font_has_becomes_a_visible_placeholder(text, printed, lost):
    assert printable(text) == printed
    assert unprintable(text) == lost
