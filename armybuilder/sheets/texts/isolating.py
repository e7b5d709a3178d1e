"""Words that run from right to left in a text: kept from turning the numbers beside them."""

import re

#: Letters of Hebrew, Arabic and other scripts that run from right to left.
_LEFT = "\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff"
_WORDS = re.compile(f"[{_LEFT}]+(?: [{_LEFT}]+)*")
#: First-strong isolate, and its end (Unicode Annex 9).
_START, _END = "\u2068", "\u2069"


def isolated(text: str) -> str:
    """Return the text with such words between marks that are not seen."""
    if text.isascii():
        return text
    return _WORDS.sub(lambda words: f"{_START}{words[0]}{_END}", text)
