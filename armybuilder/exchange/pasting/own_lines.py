"""Lines of units in our own forms, taken apart by their grammar (see `sheets.texts`), and those of
the full form with what stands below them.
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any

from armybuilder.exchange.pasting.entries import NamedEntry, cuts
from armybuilder.exchange.pasting.languages import is_word
from armybuilder.exchange.pasting.names import ReadNames

_OURS = re.compile(r"(?P<models>\d{1,3}) (?P<words>.+)")
_OWN = re.compile(r" “(?P<own>[^“”]*)”(?P<letter> [\[(][A-Z]{1,3}[\])])?(?=,|$)")
_LETTER = re.compile(r" [\[(][A-Z]{1,3}[\])](?=,|$)")
_PRICE = re.compile(r"(?:, (\d{1,6}|\?)| \((\d{1,6}|\?)\))$")
_BARE_LETTER = re.compile(r" [A-Z]{1,2}$")


def read_own_line(text: str) -> NamedEntry:
    """A line such as "17 Guard “The Old Guard” [B], Standard Bearer, 500" taken apart."""
    price = _PRICE.search(text)
    said = (price[1] or price[2]) if price else ""
    rest = text[: price.start()] if price else text
    found = _OURS.fullmatch(rest)
    models, words = (int(found["models"]), found["words"]) if found else (1, rest)
    own = _OWN.search(words)
    name = own["own"] if own else ""
    words = words[: own.start()] + words[own.end() :] if own else _LETTER.sub("", words, count=1)
    points = (-1 if said == "?" else int(said)) if said else None
    return NamedEntry(models, words, points, name)


def with_details(
    entry: NamedEntry, details: Sequence[str], names: ReadNames[Any], roles: Collection[str]
) -> NamedEntry:
    """The entry of a line of the full form, with what stands below it: the name that the book has
    for it, items, path of magic, roles. `names` are those of the books' units.
    """
    about = details[0].split("; ") if details else []
    own, entry = _with_book_name(entry, about, names)
    more = [part for part in about if part in roles]
    for line in details:
        name, colon, rest = line.partition(": ")
        if colon and (is_word("Items", name) or is_word("Options", name)):
            more.append(rest)
        elif colon and set(rest) <= {"_", " "} and name.count(", ") >= 2:
            more += name.split(", ")[1:-1]
    return replace(entry, words=", ".join([entry.words, *more]), own=own)


def _with_book_name(
    entry: NamedEntry, about: Sequence[str], names: ReadNames[Any]
) -> tuple[str, NamedEntry]:
    """The player's name for a unit, "" where the line has the book's; the entry has that."""
    words = entry.words
    for cut in cuts(words, names.most_commas):
        for name in (cut.name, _BARE_LETTER.sub("", cut.name)):
            if name in names.written:
                return "", replace(entry, words=", ".join(filter(None, (name, cut.rest))))
    known = next((part for part in about if part in names.written), "")
    head, comma, rest = words.partition(", ")
    bare = _BARE_LETTER.sub("", head)
    if not known:
        return "", replace(entry, words=bare + comma + rest)
    return bare, replace(entry, words=f"{known}{comma}{rest}")
