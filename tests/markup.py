"""Pages as a browser reads them, for tests: however the templates are broken into lines."""

import re
from collections.abc import Container
from typing import Any

_BLOCKS = (
    "html|head|body|title|main|header|footer|nav|section|article|div|p|h[1-6]|ul|ol|li|dl|dt|dd"
    "|table|thead|tbody|tr|th|td|form|fieldset|legend|details|summary|option|datalist"
)
_BESIDE = re.compile(rf"\s*(</?(?:{_BLOCKS})\b[^<>]*>)\s*")
_WITHIN = re.compile(r"(<(?:button|select)\b[^<>]*>)\s+|\s+(</(?:button|select)>)")


def flat(page: str) -> str:
    """Return a page with one space where there are several, and none beside a block's tags."""
    return _WITHIN.sub(r"\1\2", _BESIDE.sub(r"\1", re.sub(r"\s+", " ", page)))


def lacking(page: Container[str], *words: str) -> list[str]:
    """Return what of the words a page does not say."""
    return [each for each in words if each not in page]


def found_in(page: Container[str], *words: str) -> list[str]:
    """Return what of the words a page says."""
    return [each for each in words if each in page]


def refused(answer: Any) -> str:
    """Return what a page says that refuses something."""
    assert answer.status_code == 422, answer.status_code
    text: str = answer.text
    return text
