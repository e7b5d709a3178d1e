"""Text that people typed, made safe to print: what cannot be seen must not steer the page."""

import re
import unicodedata

#: Control characters but tab and line ends, and soft hyphens.
_CONTROLS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\xad]")
#: Marks that turn the writing direction of what follows, beyond the text that holds them.
_TURNS = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
#: Letters of Hebrew, Arabic and other scripts that run from right to left, within brackets of a
#: regular expression.
LEFTWARD = "\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff"
#: Halves of characters, which no encoding can write.
_HALVES = re.compile("[\ud800-\udfff]")
#: Unicode categories of what has no look of its own.
_UNSEEN = frozenset(("Cc", "Cf", "Mn", "Me", "Zs"))
_LINE_ENDS = re.compile("\r\n?|[\x85\u2028\u2029]")


def tidy(text: str) -> str:
    """Return the text without controls, soft hyphens and direction marks.

    Line ends are "\\n", one empty line at most between others, halves of characters U+FFFD.
    """
    text = _HALVES.sub("\ufffd", _LINE_ENDS.sub("\n", text))
    text = _TURNS.sub("", _CONTROLS.sub("", text))
    lines = "\n".join(" ".join(line.split()) for line in text.split("\n"))
    return re.sub("\n{3,}", "\n\n", lines).strip()


def one_line(text: str) -> str:
    """Return it on one line; "" where nothing would be seen (spaces, joiners, bare accents)."""
    line = " ".join(tidy(text).split())
    if all(unicodedata.category(letter) in _UNSEEN for letter in line):
        return ""
    return line
