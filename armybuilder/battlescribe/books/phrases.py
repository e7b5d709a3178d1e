"""Names taken apart into the name itself and the phrases in it that restrict what it names, and the
sentences of texts that do.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from armybuilder.battlescribe.books.names import clean

#: What a phrase of a name must look like to be one that restricts.
_RESTRICTS: Final = re.compile(r"^(?:only|not|cannot)\b|\bonly\.?$", re.I)
#: What a sentence of an item's text must look like.
_SENTENCE: Final = re.compile(
    r"^(?!one use\b)(?:.+ only|cannot be taken by .+|the bearer cannot take .+)$", re.I
)
_BRACKETS: Final = re.compile(r"\s*\(([^()]+)\)")
_DASH: Final = re.compile(r"\s+-\s+")


@dataclass(frozen=True, slots=True)
class Parts:
    """A name without the phrases that restrict it, these phrases, and whether it says Dominant."""

    name: str
    phrases: tuple[str, ...]
    dominant: bool


def split(name: str) -> Parts:
    """Take the name of an option apart."""
    phrases: list[str] = []
    said = clean(name)
    for match in list(_BRACKETS.finditer(said)):
        if _RESTRICTS.search(match[1]):
            phrases.append(match[1])
            said = said.replace(match[0], "")
    first, *rest = _DASH.split(said)
    kept = [first]
    dominant = False
    for part in rest:
        if part.casefold() == "dominant":
            dominant = True
        elif _RESTRICTS.search(part):
            phrases.append(part)
        else:
            kept.append(part)
    return Parts(clean(" - ".join(kept)), tuple(phrases), dominant)


def restricting(text: str) -> Iterator[str]:
    """The sentences of an item's text that restrict who may have it, without their full stops."""
    for part in re.split(r"(?<=\.)\s|\n", text):
        sentence = clean(part).strip(" .")
        if _SENTENCE.match(sentence):
            yield sentence
