"""Lines of a pasted PDF or Word file whose ends were lost, or that were broken where full.

"Champion 305 - 10x Lion Guard" is the end of a unit and another unit; "Paired Weap-" goes on below.
"""

import re
from collections.abc import Iterator, Sequence

#: Points before a unit, at the start of a line.
_FIRST = re.compile(r"\W{0,3}\d{2,4}\s*[-–]\s*\S")
#: The same inside a line, behind words: what stands before is another unit, or a head.
_INNER = re.compile(
    r"(?<=[^\W\d])[.,;]?\s+(?=\d{2,4}\s*[-–]\s+(?:\d{1,3}\s?[x×]?\s?)?[^\W\d]{3})"
    r"|(?<=[)\]])[.,;]?\s+(?=\d{2,4}\s*[-–]\s+(?:\d{1,3}\s?[x×]?\s?)?[^\W\d]{3})"
)
#: A total behind the last unit of a line with several.
_TOTAL = re.compile(
    r"\s+(?=(?:total|sum|gesamt)\W{0,3}\d{3,5}\W*$|\d{4}(?:\s?(?:pts|points))?\W*$)", re.I
)
#: A word that was broken: "Paired Weap- ons".
_HYPHEN = re.compile(r"(?<=[^\W\d_])-\s+(?!(?:und|oder|and|or|et|ou)\b)(?=[a-zà-ÿ])")
#: Letters of a line that are looked at.
_LONG = 5_000


def whole_lines(lines: Sequence[str]) -> Iterator[str]:
    """Yield the lines, those apart that hold several units because line ends were lost."""
    for line in lines:
        inner = len(line) <= _LONG and "-" in line.replace("–", "-") and _INNER.split(line)
        if inner and (len(inner) > 2 or (len(inner) == 2 and _FIRST.match(line))):
            yield from inner[:-1]
            yield from _TOTAL.split(inner[-1], 1)
        else:
            yield line


def unhyphenated(text: str) -> str:
    """Return a unit's line with broken words whole."""
    return _HYPHEN.sub("", text) if _FIRST.match(text) else text


def goes_on(unit: str, text: str) -> bool:
    """Return whether a line goes on with the unit in the one above, which says it is not whole."""
    if not _FIRST.match(unit) or not text[:1].isalpha():
        return False
    opened = unit.count("(") > unit.count(")")
    return unit.endswith((",", "-", "(", "/", "&")) or opened or text[:1].islower()
