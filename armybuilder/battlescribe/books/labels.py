"""What players read of the names in a source file, without what its authors wrote there for
themselves: whom an option is for, the initials of the book, marks of kinds.
"""

import re
from typing import Final

from armybuilder.battlescribe.books.names import book_title, clean, split
from armybuilder.battlescribe.books.restrictions import is_unit_name
from armybuilder.battlescribe.books.survey import Survey

_KINDS: Final = re.compile(r"^(?:Character|Unit|Guiding|Mount)\s*(?:-|:)\s*", re.I)
_MARKS: Final = re.compile(r"\s*\((?:F|2nd|BSB|Mount|and lose [^()]+)\)|^2nd\s+-?\s*", re.I)
_LOSES: Final = re.compile(r"\((?:and )?loses? ([^()]+)\)", re.I)
_BRACKETS: Final = re.compile(r"\s*\(([^()]+)\)")
#: Items of the book itself, marked by its initials: "HE Artefacts".
_INITIALS: Final = re.compile(
    r"^(?!Runic\b)\S{2,4} ((?:(?:Weapon|Armour|Shield|Banner) Enchantments?|Artefacts?)\b.*)$"
)
#: Slips of spelling, where another place of the files has it right.
_SPELLING: Final = {
    "Chiling": "Chilling",
    "Sorceror": "Sorcerer",
}


def option_label(name: str, survey: Survey) -> str:
    """The name of an option or unit as players read it."""
    said = _KINDS.sub("", split(name).name)
    said = _MARKS.sub("", said)
    for match in list(_BRACKETS.finditer(said)):
        words = re.split(r"\s*,\s*|\s+and\s+", match[1])
        if all(is_unit_name(word, survey) for word in words):
            said = said.replace(match[0], "")
    return _spelled(said) or clean(name)


def group_label(name: str, survey: Survey) -> str:
    """The name of a group as players read it."""
    said = clean(_BRACKETS.sub("", clean(name)))
    if own := _INITIALS.match(said):
        said = f"{book_title(survey.book.name)} {own[1]}"
    return _spelled(said) or clean(name)


def what_it_loses(name: str) -> str:
    """A special rule that the unit loses with the option, as its name says; "" if none."""
    match = _LOSES.search(clean(name))
    return match[1] if match else ""


def _spelled(name: str) -> str:
    for wrong, right in _SPELLING.items():
        name = re.sub(rf"\b{wrong}\b", right, name)
    return clean(name)
