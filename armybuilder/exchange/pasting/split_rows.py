"""What kinds of lines a text with many lists has, as far as they tell where one begins and ends."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from armybuilder.exchange.pasting.entries import read_entry
from armybuilder.exchange.pasting.head import NO_GAME, HeadChoice, initials, named_game, sized_books
from armybuilder.exchange.pasting.lines import is_foot, is_rule, total_in
from armybuilder.exchange.pasting.names import simple
from armybuilder.exchange.pasting.rows import PastedRow
from armybuilder.loading.deadline import checked
from armybuilder.loading.library import Library

#: No unit has so many points.
MOST_OF_A_UNIT = 1_500
#: Letters of a line that may be a head, and names parted by commas that it may have.
_HEAD, _PARTS = 120, 3
#: Points that a list of a size may have, of it.
_LEAST, _MOST = 0.95, 1.01
_PARTED = re.compile(r"\s*[–—:,()\[\]|]\s*|\s+[-/]\s*|-\s+|\s{2,}|(?<=\w\w\w)[.;](?:\s|$)|\.$")
_YEAR = re.compile(r"\W*\b(?:19|20)\d\d\b.*")
_POINTS = re.compile(
    r"[\d.,'’%/()\[\]+=#*\s-]+|(?<![^\W\d])(?:pts?|points?|punkte|max|min|of|von)\b", re.I
)
#: "4471 pts", alone or behind a name.
_PRICE = re.compile(r"\s*\[?\b\d[\d.,]{2,6}\s?(?:pts?|points|punkte)\b\]?", re.I)
_MARK = re.compile(r"\s*\((?:c|cap|captain|kapitän|capitaine|capitán)\)", re.I)
#: "(c)", "(Captain)": what is no part of a name.
_CAPTAIN = re.compile(r"(?:c|cap|captain|kapitän|capitaine|capitán)\W*", re.I)
_NUMBERED = re.compile(
    r"(?:list|army|player|liste|armee|armée|spieler|joueur)\W*(\d{1,3})\b.*", re.I
)


@dataclass(frozen=True, slots=True)
class SplitRow:
    """A row by its `place` from 0.

    `kind`: "empty", "unit", "total", "category", "foot" (of another builder), "head" (names a book
    or numbers a list), "other". Of a unit `points` of each of `times`; of a head the game and book,
    and the `rest` of it.
    """

    place: int
    kind: str
    text: str
    points: int = 0
    times: int = 1
    total: int = 0
    sized: bool = False
    chosen: HeadChoice = NO_GAME
    rest: str = ""


class RowNames:
    """The names of books and categories that tell lines apart; of one game where one is chosen."""

    def __init__(self, library: Library, system_id: str | None = None) -> None:
        self.library = library
        self.system = system_id
        systems = [one for one in library.systems.values() if system_id in (None, one.id)]
        self.systems = tuple(one.name for one in systems)
        self.books = [book for _system, book in sized_books(systems, library)]
        self.large = {size for one in systems if one.sized for size in one.sizes}
        self.sizes = self.large or {size for one in systems for size in one.sizes}

    @cached_property
    def games(self) -> frozenset[str]:
        """The names of games, also without their year, as they are compared."""
        names = (name for one in self.systems for name in (one, _YEAR.sub("", one)))
        return frozenset(map(simple, names))

    @cached_property
    def categories(self) -> frozenset[str]:
        """The names of categories of all books, as they are compared."""
        names = {name for book in self.books for name in book.categories.values()}
        return frozenset(map(_without_points, names))

    @cached_property
    def named(self) -> re.Pattern[str]:
        """Finds the name of a book among words that are compared."""
        names = sorted({simple(book.name) for book in self.books}, key=len, reverse=True)
        return re.compile(" (?:" + "|".join(map(re.escape, names)) + ") " if names else r"(?!)")

    @cached_property
    def short(self) -> frozenset[str]:
        """What books are called for short: "WDG"."""
        return frozenset(one for book in self.books for one in initials(book.name))

    @cached_property
    def units(self) -> frozenset[str]:
        """The names of units that hold the name of a book."""
        names = (simple(name) for book in self.books for name in book.names.values())
        return frozenset(name for name in names if self.named.search(f" {name} "))

    def is_option(self, text: str, chosen: HeadChoice) -> bool:
        """Return whether a line is the name of an option in the books of a list.

        It may hold the name of another book: "Cult of Errahman and Bloodpox Blades".
        """
        if not chosen.system or not chosen.books:
            return False
        catalogue = self.library.catalogue(chosen.system, chosen.books)
        said = simple(text)
        offers = (unit.offer for unit in catalogue.units.values())
        return any(simple(one.name) == said for offer in offers for one in offer.options())


def read_split_rows(rows: Sequence[PastedRow], names: RowNames) -> list[SplitRow]:
    """Return each line with its kind."""
    return [_read(place, row, names) for place, row in enumerate(checked(rows))]


def _read(place: int, row: PastedRow, names: RowNames) -> SplitRow:
    text = row.words.strip("+=*#~ ")
    if not text or is_rule(row.text):
        return SplitRow(place, "empty", "")
    if is_foot(row.words):
        return SplitRow(place, "foot", text)
    total, size = total_in(text)
    if total is not None:
        sized = bool(size) or any(_LEAST * one <= total <= _MOST * one for one in names.large)
        return SplitRow(place, "total", text, total=total, sized=sized)
    if _without_points(text) in names.categories:
        return SplitRow(place, "category", text)
    entry = read_entry(text)
    points = max(entry.points or 0, 0)
    like_unit = (entry.points is not None and points < MOST_OF_A_UNIT) or entry.models > 0
    if len(text) <= _HEAD and text.count(",") < _PARTS:
        rest = _rest_of_head(text, names, like_unit, entry.words)
        if rest is not None:
            chosen = named_game([text], names.library, system_id=names.system)
            return SplitRow(place, "head", text, chosen=chosen, rest=rest)
        if not like_unit and _NUMBERED.fullmatch(text):
            return SplitRow(place, "head", text, rest=text)
    if like_unit and any(letter.isalpha() for letter in entry.words):
        times = entry.times if entry.points is not None else 1
        return SplitRow(place, "unit", text, points, times)
    return SplitRow(place, "other", text)


def _rest_of_head(text: str, names: RowNames, like_unit: bool, words: str) -> str | None:
    """Return what a line says beside the book or game that it names; None where it names none."""
    game = any(text.startswith(name) for name in names.systems)
    book = names.named.search(f" {simple(text)} ")
    if book and not _is_unit(words, like_unit, names):
        return "" if game else _without(text, simple(book[0]), names)
    if like_unit:
        return None
    if game:
        return ""
    parts = [part for part in _PARTED.split(text) if part]
    short = next((part for part in (parts[-1:] + parts[:1]) if part in names.short), "")
    if short and len(parts) <= _PARTS + 1:
        return _beside(part for part in parts if part != short)
    return None


def _is_unit(words: str, like_unit: bool, names: RowNames) -> bool:
    """Return whether a line that names a book is a unit of such a name: "3 Makhar Lancers, 200"."""
    said = simple(words)
    unit = any(said == name or said.startswith(f"{name} ") for name in names.units)
    return (like_unit and (unit or "," in words)) or (said in names.units and " " in said)


def _without(text: str, book: str, names: RowNames) -> str:
    """Return what a line says beside the name of a book, and of its game."""
    parts = [part for part in _PARTED.split(text) if part and simple(part) not in names.games]
    others = [part for part in parts if book not in simple(part)]
    if others:
        return _beside(others)
    return _beside([re.sub(re.escape(book), " ", simple(parts[0]))]) if len(parts) == 1 else ""


def _without_points(text: str) -> str:
    """Return a heading as names of categories are compared, without what it says of points."""
    return simple(_POINTS.sub(" ", text))


def as_name(text: str) -> str:
    """Return a line that names somebody, without points and the captain's mark."""
    return _MARK.sub("", _PRICE.sub("", text)).strip(" #*_")


def _beside(parts: Iterable[str]) -> str:
    """Return the parts of a line that may be a name, without numbers and the captain's mark."""
    said = (part for part in parts if any(letter.isalpha() for letter in _POINTS.sub(" ", part)))
    words = (_PRICE.sub("", part) for part in said if not _CAPTAIN.fullmatch(part))
    return " - ".join(part.strip() for part in words if part.strip(" +"))
