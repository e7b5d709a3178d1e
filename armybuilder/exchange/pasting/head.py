"""Head of a pasted list: its game, books and edition, the size of the game, and settings."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from armybuilder.engine.catalogue import Book, Catalogue, System
from armybuilder.engine.roster import SettingValue
from armybuilder.engine.vocabulary import Setting
from armybuilder.exchange.pasting.entries import (
    cuts,
    number_behind,
    pieces,
    read_entry,
    without_mark,
)
from armybuilder.exchange.pasting.lines import HEAD_LINES, PastedForm
from armybuilder.exchange.pasting.names import ALIKE, EXACT, ReadNames, simple
from armybuilder.languages import in_every_language
from armybuilder.loading.library import Library
from armybuilder.loading.limits import MAX_PIECES

_TIMES = re.compile(r"(.*\S) ×(\d{1,3})")
#: "Anna - WDG", "OK", "Anna (VS)".
_SHORT_NAME = re.compile(
    r"(?:^|[-–—:,(\[|/]\s*)([A-Z][A-Za-z]{1,4})[)\]]?(?:\s*\([Cc]\))?[.,:]?\s*$"
)
#: Lines that are no units and yet taken for a heading are at most so long.
_HEADING = 60
#: The least number in a title that is taken for a game size.
_LEAST_SIZE = 40
#: Numbers in a title that are years: "Autumn Cup 2031".
_YEARS = range(1990, 2100)


@dataclass(frozen=True, slots=True)
class OtherBook:
    """A book that is not shipped and may be meant: a player's own, kept in this revision."""

    id: str
    revision: str
    name: str
    system: str


@dataclass(frozen=True, slots=True)
class HeadChoice:
    """A game and its books: `told` by the text, or found by its units.

    `missing` are names of books that are not here.
    """

    system: str = ""
    books: tuple[str, ...] = ()
    told: bool = False
    missing: tuple[str, ...] = ()


#: What a text tells that names no game.
NO_GAME = HeadChoice()


def named_game(
    texts: Iterable[str],
    library: Library,
    others: Sequence[OtherBook] = (),
    system_id: str | None = None,
) -> HeadChoice:
    """Return the game and books that one of the first lines names, or as much as it names.

    With a system only its books are looked at.
    """
    lines = [text for text in texts if text][:HEAD_LINES]
    systems = [one for one in library.systems.values() if system_id in (None, one.id)]
    for text in lines:
        for system in sorted(systems, key=lambda one: -len(one.name)):
            rest = text.removeprefix(system.name)
            if rest != text and rest[:1] in ("", ":", ","):
                named = list(_books(rest[1:], system, library, others))
                books = tuple(book for book, _name in named if book)
                missing = tuple(name for book, name in named if not book)
                return HeadChoice(system.id, books, True, missing)
    for find in (_book_in, _short_book_in):
        for text in lines:
            book = find(text, library, systems)
            if book:
                return book
    return NO_GAME


def _books(
    text: str, system: System, library: Library, others: Sequence[OtherBook]
) -> Iterator[tuple[str, str]]:
    """Yield the id and name of each book named; the id is "" where it is not here.

    Names may hold commas and semicolons.
    """
    editions = {system.id, *(edition.id for edition in library.editions(system))}
    titles = [(book.name, book.id) for book in library.books[system.id].values()]
    titles += [(book.name, book.id) for book in others if book.system in editions]
    ids = {" ".join(title.split()): book_id for title, book_id in reversed(titles)}
    rest, lost = text.strip(), ""
    while rest:
        fitting = [
            title
            for title in ids
            if title
            and rest.startswith(title)
            and rest[len(title) : len(title) + 1] in ("", ";", ",")
        ]
        if fitting:
            longest = max(fitting, key=len)
            if lost:
                yield "", lost.rstrip("; ,")
                lost = ""
            yield ids[longest], longest
            rest = rest[len(longest) :].lstrip(";, ")
        else:
            name, mark, rest = rest.partition("; " if ";" in rest else ", ")
            lost += name + mark
            rest = rest.strip()
    if lost:
        yield "", lost


def sized_books(systems: Iterable[System], library: Library) -> Iterator[tuple[str, Book]]:
    """Yield the books of games of one book a list, each with the id of its game."""
    for system in systems:
        if system.sized:
            yield from ((system.id, book) for book in library.books[system.id].values())


def _book_in(text: str, library: Library, systems: Sequence[System]) -> HeadChoice | None:
    words = f" {simple(text)} "
    fitting = [
        (len(book.name), system, book.id)
        for system, book in sized_books(systems, library)
        if f" {simple(book.name)} " in words
    ]
    return HeadChoice(max(fitting)[1], (max(fitting)[2],), True) if fitting else None


def _short_book_in(text: str, library: Library, systems: Sequence[System]) -> HeadChoice | None:
    """Return the book that is named for short at the end of a line: "Anna - WDG"."""
    short = _SHORT_NAME.search(text)
    if short is None or text.count(",") > 1:
        return None
    fitting = [
        (system, book.id)
        for system, book in sized_books(systems, library)
        if short[1] in initials(book.name)
    ]
    return HeadChoice(max(fitting)[0], (max(fitting)[1],), True) if fitting else None


@cache
def initials(name: str) -> frozenset[str]:
    """Return what a book is called for short: "Warriors of the Dark Gods" is WDG, WotDG, WOTDG."""
    words = name.split()
    whole = "".join(word[0] for word in words)
    if len(words) < 2:
        return frozenset()
    large = "".join(letter for letter in whole if letter.isupper())
    return frozenset({whole, whole.upper(), large} - {""} if len(large) > 1 else {whole.upper()})


def game_of(
    form: PastedForm,
    library: Library,
    system_id: str | None,
    book_ids: Sequence[str],
    others: Sequence[OtherBook],
) -> HeadChoice:
    """Return the game and books: those chosen, those the text names, those that have its units."""
    named = named_game((row.text for row in form.rows), library, others)
    if system_id:
        same = named.system == library.system(system_id).id
        books = tuple(book_ids) or (named.books if same else ())
        if not books:
            books = game_of_units(unit_names(form), library, system_id).books
        return HeadChoice(system_id, books, same, named.missing if same else ())
    if named.system and named.books:
        return named
    names = unit_names(form)
    guessed = game_of_units(names, library)
    if named.system and guessed.system != named.system:
        return named
    return HeadChoice(guessed.system, guessed.books, bool(named.system), named.missing)


def unit_names(form: PastedForm) -> list[str]:
    """Return what may be names of units, for a look at which books have them."""
    names = []
    for row in form.rows:
        if row.kind in ("unit", "maybe"):
            for text in (row.words, *(rest for _mark, rest in without_mark(row.words))):
                words = read_entry(text).words
                names += [number_behind(name)[0] for name, _rest in cuts(words, 1)][:5]
    return names


def game_of_units(
    names: Sequence[str], library: Library, system_id: str | None = None
) -> HeadChoice:
    """Return the game and the books that have most of the named units; nothing where none has."""
    wanted = [simple(name) for name in names]
    best, most = HeadChoice(), 0
    for system in library.systems.values():
        if system_id not in (None, system.id):
            continue
        has = {
            book.id: {simple(name) for name in book.names.values()}
            for book in library.books[system.id].values()
        }
        scores = {book: sum(name in units for name in wanted) for book, units in has.items()}
        if system.sized:
            book = max(scores, key=lambda one: scores[one], default="")
            score = scores.get(book, 0)
            books: tuple[str, ...] = (book,)
        else:
            books = tuple(book for book, score in scores.items() if score)
            score = sum(any(name in has[book] for book in books) for name in wanted)
        if score > most:
            best, most = HeadChoice(system.id, books), score
    return best


def size_in(texts: Iterable[str], system: System) -> int:
    """Return a game size in the first lines, or 0: an unusual one in plain words only."""
    unusual = 0
    for text in texts:
        numbers = [int(one) for one in re.findall(r"(?<![\d.])\d{2,5}(?![\d.%])", text)]
        usual = next((number for number in numbers if number in system.sizes), 0)
        if usual:
            return usual
        plain = not any(mark in text for mark in ",;([")
        fitting = (n for n in numbers if plain and n >= _LEAST_SIZE and n not in _YEARS)
        unusual = unusual or next(fitting, 0)
    return unusual


def counts_units(text: str) -> bool:
    """Return whether a line begins with a number, as units do and titles seldom."""
    return text[:1].isdigit() and not text.strip().isdigit()


def is_heading(text: str, books: Sequence[Book]) -> bool:
    """Whether a line is a category's name, perhaps with its points, or ends as headings do."""
    names = {name for book in books for name in book.categories.values()}
    bare = "".join(letter for letter in text if letter.isalpha() or letter == " ").casefold()
    categories = any(bare.split()[: len(one.split())] == one.casefold().split() for one in names)
    titled = text.endswith(":") and len(text) <= _HEADING
    called = {book.name.casefold() for book in books}
    named = any(book in text.casefold() for book in called) and len(text) <= 2 * _HEADING
    return categories or titled or named


def read_setting(text: str, catalogue: Catalogue) -> tuple[Setting, SettingValue] | None:
    """Return a line's setting and value; None where it is none. An unknown value is None."""
    name, colon, value = text.partition(":")
    settings = catalogue.system.settings.values() if colon else ()
    setting = next((one for one in settings if name.strip() in in_every_language(one.name)), None)
    if setting is None:
        # "Map" of "Battle map".
        short = [one for one in settings if simple(name) in (one.id, simple(one.name).split()[-1])]
        setting = short[0] if len(short) == 1 else None
    return (setting, _value(setting, value.strip(), catalogue)) if setting else None


def _value(setting: Setting, text: str, catalogue: Catalogue) -> SettingValue:
    if setting.kind == "number":
        number = re.match(r"\d{1,4}", text)
        return int(number[0]) if number else None
    if setting.kind == "attribute":
        names = catalogue.system.attributes[setting.attribute].values
        return _one(ReadNames((name, key) for key, name in names.items()), text)
    if setting.kind == "pool":
        known = ReadNames((unit.name, unit.ref) for unit in catalogue.units.values())
    else:
        known = ReadNames(
            (said, piece.id)
            for piece in setting.values.values()
            for said in in_every_language(piece.name)
        )
    return _one(known, text) if setting.kind == "choice" else _several(known, text)


def _one(names: ReadNames[str], text: str) -> str | None:
    match = names.known(text)
    return match.values[0] if match.sure in (EXACT, ALIKE) else None


def _several(names: ReadNames[str], text: str) -> tuple[str, ...] | None:
    """Several values, each as often as it is there: "Hill ×2, Woods"."""
    values: list[str] = []
    parts = pieces(text)
    place = 0
    while place < len(parts):
        for end in range(min(place + 1 + names.most_commas, len(parts)), place, -1):
            said = ", ".join(parts[place:end])
            times = _TIMES.fullmatch(said)
            value = _one(names, times[1] if times else said)
            if value:
                values += [value] * (min(int(times[2]), MAX_PIECES) if times else 1)
                place = end
                break
        else:
            return None
    return tuple(values[:MAX_PIECES])
