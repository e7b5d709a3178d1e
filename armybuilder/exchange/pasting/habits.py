"""Habits of chats and pages in lines, and other separators between options."""

import html
import re
from typing import Final

from armybuilder.exchange.pasting.parts import shape

#: "[12:31, 3.4.2024] Tom: ", "03/04/2024, 12:31 - Tom: ": who wrote a line in a chat, and when.
_SENDER: Final = re.compile(
    r"(?:\[(?=[^\]\n]*\d{1,2}[:.]\d\d)(?=[^\]\n]*\d[./-]\d)[\d:./, -]{9,24}(?:[AaPp][Mm])?\]\s*"
    r"|\d{1,2}[./-]\d{1,2}[./-]\d{2,4},?\s+\d{1,2}:\d\d(?:\s?[AaPp][Mm])?\s+-\s+)[^:\n]{1,30}:\s+"
)
_TAG: Final = re.compile(
    r"</?(?:a|b|br|div|em|font|h[1-6]|i|li|ol|p|s|span|strong|table|t[dhr]|tbody|u|ul)\b[^<>\n]{0,200}>",
    re.I,
)
_CELL_END: Final = re.compile(r"</t[dh]>\s*(?=.*\S.*</t[dh]>)", re.I)
#: "2 units of 20 Archers".
_UNITS_OF: Final = shape(
    r"(^|[-–:]\s)(\d{1,2})\s+(?:units?|regiments?|blocks?)\s+of\s+(\d{1,3})\s+(?=<letter>)"
)
_DIGIT: Final = re.compile(r"\d")
#: Marks that part what a unit takes where no comma does.
_MARKS: Final = (" / ", " + ")
#: What lines have of which anything here is true: few are looked at more closely.
ODD: Final = re.compile(r"^[\[\d].{9,60}:|[<&]| [/+] .* [/+] |s? of \d", re.I)


def plain_line(line: str) -> str:
    """Return a line without its sender and the tags of a page, with commas between names."""
    text = _SENDER.sub("", line, count=1) if line[:1] in "[0123456789" else line
    if "<" in text and ">" in text:
        text = _TAG.sub(" ", _CELL_END.sub(" | ", text)).rstrip() if _TAG.search(text) else text
    if "&" in text and ";" in text:
        text = html.unescape(text)
    text = _UNITS_OF.sub(r"\1\2x\3 ", text)
    for mark in _MARKS:
        text = _with_commas(text, mark)
    return text


def _with_commas(text: str, mark: str) -> str:
    """Return a line with commas for the marks between a unit and two things of it at least."""
    first, *rest = text.split(mark)
    *names, last = rest or [""]
    words = [*names, last] if not last.strip().isdigit() else names
    only_names = len(words) > 1 and not _DIGIT.search("".join(words))
    return ", ".join([first, *rest]) if only_names and "," not in text else text
