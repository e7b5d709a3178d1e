"""Head of a pasted list: its game, books and edition, the size of the game, and settings."""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import islice
from typing import NamedTuple

from rapidfuzz import fuzz, process

from armybuilder.engine.catalogue import Book, System
from armybuilder.engine.names import simple
from armybuilder.engine.roster import Roster
from armybuilder.engine.wording import say
from armybuilder.exchange.pasting import entries
from armybuilder.exchange.pasting.lines import PastedForm
from armybuilder.exchange.pasting.names import TAKEN, unsorted_names, without_aside
from armybuilder.exchange.pasting.parts import (
    HEAD_LINES,
    WORDS,
    meanings,
    number_in,
    pieces,
    shape,
    with_digits,
)
from armybuilder.loading.library import Library
from armybuilder.loading.own_systems import is_own_system

#: "Anna - WDG", "OK", "Anna (VS)".
_SHORT_NAME = re.compile(
    r"(?:^|[-–—:,(\[|/]\s*)([A-Z][A-Za-z]{1,4})[)\]]?(?:\s*\([Cc]\))?[.,:]?\s*$"
)
#: Lines that are no units and yet taken for a heading are at most so long.
_HEADING = 60
#: Headings above units of a kind, and words next to the units of a list.
SECTIONS = frozenset(WORDS["sections"])
#: Marks between the lists of two players.
VERSUS = shape(r"\W*<versus>\W*")
#: Numbers in a title that are years: "Autumn Cup 2031".
_YEARS = range(1990, 2100)
YEAR = re.compile(r"\b(?:19|20)\d\d\b")
#: Behind what begins so, the name of a game says more than players do.
_BEHIND_NAME = re.compile(r"\s*[:(\[,]|\s[-–—]\s")
#: Words that are written in several ways.
_SAME_WORDS = (
    (re.compile(r"\s*[&+]\s*|\s+n['’]?\s+"), " and "),
    (re.compile(r"\bdnd\b|\bdungeons and dragons\b", re.I), "d and d"),
    (re.compile(r"\bt9a\b", re.I), "ninth age"),
    (re.compile(r"\b9th\b", re.I), "ninth"),
    (re.compile(r"\bminis\b", re.I), "miniatures"),
)
#: Names of armies in other languages: "Hochgeborene Elfen" are Highborn Elves.
_ARMIES = {simple(name): simple(army) for name, army in meanings("armies").items()}
_ARMY = re.compile(
    rf"(?<= )(?:{'|'.join(map(re.escape, sorted(_ARMIES, key=len, reverse=True)))})(?= )"
)
#: Letters of a title that are looked at.
_TITLE_LETTERS = 160
#: A line that begins so names no army book.
_FACTION = re.compile(r"\W*(?:faction|alignment|band|warband)\s*[:=]", re.I)
#: "4000", "4.000 pts": a number in a title.
_NUMBER = shape(
    r"(?<![\d.,])((?:(?<=[-–—,;(\[:|] )|^)\d{1,2} \d{3}(?=\s*<points>)"
    r"|\d{1,2}[.,’'\xa0\u202f]\d{3}|\d{2,5})(?![\d%]|[.,/]\d)(?:\s*(?!p\b)(<points>))?"
)
#: "Point value: ": words that are only before such a number.
_LABELLED = shape(r"\W*(?:(?:game|army|agreed)\s)*(?:<points>|size|limit|value|\s)+\W*[:=]\W*")
#: "4k", "4.5k".
_THOUSANDS = re.compile(r"\b(\d)(?:[.,](\d))?\s?k\b", re.I)
#: Marks in a line that is no plain title, and those around a part of one.
_MARKS = re.compile(r"[,;(\[]")
_BEFORE, _BEHIND = ",;([:–—|-/", ",;)]:–—|-"
#: By how many times its largest usual size a number is no size of a game.
OUT_OF_REACH = 3
#: What the sizes of a game are multiples of, by the largest.
_ROUND = ((2_000, 50), (400, 10), (0, 5))
#: The same in a game of own models: others are what a warband costs, as players write it behind its
#: name.
_UNSUMMED = 25
#: What other sizes are multiples of, first the roundest.
ROUND_STEPS = (1000, 500)
_STEPS = (*ROUND_STEPS, 250, 100, 50, 10, 5, 1)
#: By what part of its size a list of a player's game is short of it, at most.
_NEARLY_FULL = 50
#: How much of a game's size a list has at most that is one of this size: one of a few points more
#: is over it, not half of the next. Where a list must fill the size it is over by less.
_OVERFILLED, OVERFULL = 1.01, 1.05
#: How much of a game's size a list has at least that is one of this size.
FILLED = 0.9
#: The part of what the best edition knows that others must know to be meant, and the part of the
#: lines with points that has those of an edition where it agrees with it.
NEARLY_ALL, _MOST_LINES = 0.8, 2 / 3
#: Units on a line with plus signs that are looked at for a text's game.
_SUMMANDS = 5
#: Letters of an army's name that may be written wrongly, and the rest of its line.
_MISSPELT = 8
_BEHIND_ARMY = re.compile(r"\d\S*|[–—:,(\[|].*")
#: Names of units written wrongly that are compared with all others, and how much alike they are.
_MOST_NEAR, _NEAR = 20, 85
#: Shorter names are abbreviations, such as SBH.
_SHORT = 6
#: A line that lists what a unit has, or counts models.
_LISTED = re.compile(r"^\W*\d|,")


class EditionFit(NamedTuple):
    """Fit of an edition, called `name`, to texts.

    Number of known units, and of lines `agreeing` with it in their points among those `priced`.
    """

    system: str
    books: tuple[str, ...]
    name: str
    known: int
    agreeing: int
    priced: int


def best_first(fits: Iterable[EditionFit], library: Library) -> list[EditionFit]:
    """Return how editions fit, the best first: it knows the units, then the points, or is new."""
    every = list(fits)
    enough = NEARLY_ALL * max((fit.known for fit in every), default=0)

    def rank(fit: EditionFit) -> tuple[bool, int, bool, int, str]:
        own = fit.books[0].startswith("own-")
        year = year_of(library.system(fit.system))
        return fit.known >= enough, fit.agreeing, own, fit.known, year

    return sorted(every, key=rank, reverse=True)


def fits_summed(fits: Iterable[EditionFit]) -> list[EditionFit]:
    """Return how editions fit several texts together."""
    sums: dict[str, EditionFit] = {}
    for fit in fits:
        before = sums.get(fit.name, fit._replace(known=0, agreeing=0, priced=0))
        counts = {key: getattr(before, key) + getattr(fit, key) for key in fit._fields[3:]}
        sums[fit.name] = before._replace(**counts)
    return list(sums.values())


def disagreement(fits: Sequence[EditionFit]) -> str:
    """Return the sentence that no edition has the points of a text; "" where one has most."""
    if len(fits) < 2 or not is_poor(fits):
        return ""
    first, *others = sorted(fits, key=lambda fit: fit.name)
    texts = [say("{agreeing} of {priced} lines with {name}", **first._asdict())]
    texts += [say("{agreeing} of {priced} with {name}", **fit._asdict()) for fit in others]
    return say("The points match no edition here: {editions}.", editions=", ".join(texts))


def is_poor(fits: Iterable[EditionFit]) -> bool:
    """Return whether in all editions many lines, of several with points, have others."""
    return all(fit.priced > 1 and fit.agreeing < _MOST_LINES * fit.priced for fit in fits)


@dataclass(frozen=True, slots=True)
class HeadChoice:
    """A game and its books, named by the text with the edition (`told`) or found.

    `named`: the text names the game or the army. `missing` are names of books that we don't have;
    `fits` say how editions with the book were compared; `others` know as many of its units.
    """

    system: str = ""
    books: tuple[str, ...] = ()
    told: bool = False
    missing: tuple[str, ...] = ()
    fits: tuple[EditionFit, ...] = ()
    named: bool = False
    others: tuple["HeadChoice", ...] = ()


#: The result for a text that names no game.
NO_GAME = HeadChoice()


@lru_cache(maxsize=20_000)
def title_words(text: str) -> str:
    """Return a title as names of games and books are compared, between spaces."""
    text = text[:_TITLE_LETTERS]
    for written, meant in _SAME_WORDS:
        text = written.sub(meant, text)
    return _ARMY.sub(lambda name: _ARMIES[name[0]], f" {simple(text)} ")


@lru_cache(maxsize=500)
def _called(system: System) -> tuple[tuple[str, ...], frozenset[str], tuple[str, ...]]:
    """Return what players call a game, longest first, its initials, and words of its edition."""
    words = title_words(system.name)
    year = year_of(system)
    before = title_words(_BEHIND_NAME.split(system.name)[0]).partition(year or "\n")[0]
    family = title_words(system.family) if system.family else ""
    name = words.partition(year)[0] if year else family or words
    edition = words.partition(year or family.strip() or before.strip())[2]
    parts = {part.strip().removeprefix("the ") for part in (name, before, name.split(" and ")[0])}
    called = {part for part in parts if len(part) > _SHORT}
    short = {"".join(word[0] for word in part.split()) for part in called}
    code = system.id.partition("-")[0]
    called |= {code} if len(code) < _SHORT and not is_own_system(system.id) else set()
    told = (year, *(word for word in edition.split() if word != "rules"))
    longest = tuple(sorted(called, key=len, reverse=True))
    return longest, frozenset(one for one in short if len(one) > 2), tuple(filter(None, told))


def without_game(words: str, system: System) -> str:
    """Return a title, as `title_words` has it, without the name of a game and of its edition."""
    names, short, edition = _called(system)
    for name in (*names, *sorted(short), *edition):
        words = words.replace(f" {name} ", " ")
    return words


def games_in(text: str, systems: Iterable[System]) -> list[System]:
    """Return the games that a title may mean: editions of the one that it names."""
    words = title_words(text)
    text = text[:_TITLE_LETTERS]
    capitals = {word.casefold() for word in re.findall(r"\w+", text) if not word[1:].islower()}
    years = set(YEAR.findall(words))
    meant: list[tuple[tuple[int, int], System]] = []
    for system in systems:
        names, short, edition = _called(system)
        name = next((name for name in names if f" {name} " in words), "")
        name = name or next(iter(short & capitals), "")
        told = sum(f" {word} " in words for word in edition)
        in_year = year_of(system) in years
        # One word alone may be a thing, such as armour, unless it begins a title.
        sure = " " in name or len(name) < _SHORT or in_year
        if name and (sure or (words.startswith(f" {name} ") and not _LISTED.search(text))):
            meant.append(((len(name), told - (bool(years) and not in_year)), system))
    best = max((score for score, _system in meant), default=(0, 0))
    return [system for score, system in meant if score == best]


def named_game(texts: Iterable[str], library: Library, system_id: str | None = None) -> HeadChoice:
    """Return the game and books that one of the first lines names, or as much as it names.

    With a system only its books are looked at.
    """
    lines = [text for text in texts if text][:HEAD_LINES]
    systems = [one for one in library.systems.values() if system_id in (None, one.id)]
    for text in lines:
        for system in sorted(systems, key=lambda one: (-len(one.name), not is_own_system(one.id))):
            rest = text.removeprefix(system.name)
            if rest != text and rest[:1] in ("", ":", ","):
                named = list(_books(rest[1:], library.books[system.id].values()))
                books = tuple(book for book, _name in named if book)
                missing = tuple(name for book, name in named if not book)
                if books or rest[:1] == ":":
                    return HeadChoice(system.id, books, True, missing, named=True)
    games: list[System] = next(filter(None, (games_in(text, systems) for text in lines)), [])
    for find in (_book_in, _short_book_in):
        for text in lines:
            book = find(text, library, games or systems)
            if book:
                return replace(book, told=book.told or len(games) == 1)
    told = len(games) == 1
    return HeadChoice(newest(games).id, (), told, named=True) if games else NO_GAME


def year_of(system: System) -> str:
    """Return the year of an edition, "" for a game without."""
    return next(iter(YEAR.findall(system.name)), "")


def newest(systems: Iterable[System]) -> System:
    """Return the newest of several games; a player's own is newer than any."""
    return max(systems, key=lambda one: (is_own_system(one.id), year_of(one)))


def _books(text: str, books: Iterable[Book]) -> Iterator[tuple[str, str]]:
    """Yield the id and name of each book named; the id is "" where it is not here.

    Names may hold commas and semicolons.
    """
    ids = {
        " ".join(title.split()): book.id
        for book in sorted(books, key=lambda book: book.kind != "own", reverse=True)
        for title in (without_aside(book.name), book.name)
    }
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
    """Yield the books of games of one book a list, each with the id of its game.

    A player's own book is one of the edition it was made for.
    """
    for system in systems:
        if system.sized:
            yield from (
                (system.id, book)
                for book in library.books[system.id].values()
                if book.kind != "own" or book.system == system.id
            )


def _book_in(text: str, library: Library, systems: Sequence[System]) -> HeadChoice | None:
    words = title_words(text)
    fitting = [
        (len(name), book.kind == "own", system, book.id)
        for system, book in sized_books(systems, library)
        for name in (title_words(book.name), title_words(without_aside(book.name)))
        if name.strip() and name in words
    ]
    longest = max(fitting, default=None)
    if longest is None:
        return None
    games = {system for length, _own, system, _book in fitting if length == longest[0]}
    _own, _length, system, book_id = longest
    army = title_words(library.books[system][book_id].name)
    rivals = tuple(
        HeadChoice(system, (other.id,))
        for game, other in sized_books(systems, library)
        if game == system and (name := title_words(without_aside(other.name))) in words
        if name not in army
    )
    return HeadChoice(system, (book_id,), len(games) == 1, named=True, others=rivals)


def _short_book_in(text: str, library: Library, systems: Sequence[System]) -> HeadChoice | None:
    """Return the book that is named for short at the end of a line: "Anna - WDG"."""
    short = _SHORT_NAME.search(text)
    if short is None or text.count(",") > 1 or VERSUS.fullmatch(text) or _FACTION.match(text):
        return None
    fitting = [
        (system, book.id)
        for system, book in sized_books(systems, library)
        if short[1] in initials(without_aside(book.name))
    ]
    if not fitting:
        return None
    return HeadChoice(max(fitting)[0], (max(fitting)[1],), len(fitting) == 1, named=True)


def _misspelt_book_in(
    texts: Iterable[str], systems: Iterable[System], library: Library
) -> HeadChoice:
    """Return the book that one of the first lines nearly names, but for numbers."""
    books = {
        (system, book.id): simple(without_aside(book.name))
        for system, book in sized_books(systems, library)
    }
    for text in islice(filter(None, texts), HEAD_LINES):
        words = simple(_BEHIND_ARMY.sub(" ", text))
        best = process.extractOne(words, books, scorer=fuzz.ratio, score_cutoff=TAKEN)
        if best and len(words) >= _MISSPELT:
            return HeadChoice(best[2][0], (best[2][1],), named=True)
    return NO_GAME


@cache
def initials(name: str) -> frozenset[str]:
    """Return abbreviations of a book: "Warriors of the Dark Gods" is WDG, WotDG, WOTDG."""
    words = name.split()
    whole = "".join(word[0] for word in words)
    if len(words) < 2:
        return frozenset()
    large = "".join(letter for letter in whole if letter.isupper())
    return frozenset({whole, whole.upper(), large} - {""} if len(large) > 1 else {whole.upper()})


def _of_rivals(named: HeadChoice, form: PastedForm, library: Library) -> HeadChoice:
    """Return the book that knows most units, of several that one line names."""
    if not named.others:
        return named
    names = [simple(name) for name in unit_names(form)]

    def known(choice: HeadChoice) -> int:
        units = names_of(library.books[choice.system][choice.books[0]])
        return sum(name in units for name in names)

    best = max(named, *named.others, key=known)
    return replace(named, books=best.books, others=())


def game_of(
    form: PastedForm, library: Library, system_id: str | None, book_ids: Sequence[str]
) -> HeadChoice:
    """Return the game and books: those chosen, those the text names, those that have its units."""
    texts = [row.text for row in form.rows]
    named = _of_rivals(named_game(texts, library), form, library)
    if system_id:
        told = named.told and named.system == system_id
        named = _of_rivals(named_game(texts, library, system_id), form, library)
        books = tuple(book_ids) or named.books
        if not books:
            books = game_of_units(unit_names(form), [library.system(system_id)], library).books
        return replace(named, system=system_id, books=books, told=told)
    if named.system and named.books:
        return named
    systems: Collection[System] = library.systems.values()
    if named.system:
        first = next(filter(None, (games_in(text, systems) for text in texts if text)), [])
        systems = [library.system(named.system)] if named.told else first
    guessed = game_of_units(unit_names(form), systems, library)
    if not guessed.system and not named.told:
        guessed = game_of_units(unit_names(form), library.systems.values(), library)
    if not guessed.system:
        return named if named.system else _misspelt_book_in(texts, systems, library)
    if guessed.system == named.system:
        return replace(named, books=guessed.books)
    return replace(named, system=guessed.system, books=guessed.books, others=guessed.others)


def unit_names(form: PastedForm) -> list[str]:
    """Return possible names of units, for a look at which books have them."""
    names = []
    for row in form.rows:
        if row.kind in ("unit", "maybe"):
            marked = (rest for _mark, rest in entries.without_mark(row.words))
            for text in (
                row.words,
                with_digits(row.words),
                *marked,
                *row.words.split(" + ")[:_SUMMANDS],
            ):
                words = entries.read_entry(text).words
                words = (entries.bare_number(words) or (words,))[0]  # "Orc Raider x2 16"
                for name, rest in islice(entries.cuts(words, 1), 5):
                    # "Grom (Orc Boss)": a player's own name may be above.
                    names += [entries.number_behind(one)[0] for one in (name, *pieces(rest)[:1])]
    return names


def names_of(book: Book) -> set[str]:
    """Return the names of a book's units, also without what only sorts them, as compared."""
    names = book.names.values()
    return {simple(one) for name in names for one in unsorted_names(name)}


def game_of_units(names: Sequence[str], systems: Iterable[System], library: Library) -> HeadChoice:
    """Return the game and books that have most of the named units; the newest of equal ones.

    `others` of it are as good, of other games. Where none has any, names may be written wrongly.
    """
    systems = list(systems)
    wanted = [simple(name) for name in names]
    has = {
        system.id: {book.id: names_of(book) for book in library.books[system.id].values()}
        for system in systems
    }
    if not any(
        name in units for books in has.values() for units in books.values() for name in wanted
    ):
        every = {name for books in has.values() for units in books.values() for name in units}
        near = (
            process.extractOne(name, every, scorer=fuzz.ratio, score_cutoff=_NEAR)
            for name in wanted[:_MOST_NEAR]
            if len(name) >= _MISSPELT
        )
        wanted = [found[0] for found in near if found]
    choices: list[tuple[tuple[int, bool, str], str, HeadChoice]] = []
    for system in systems:
        books_of = has[system.id]
        scores = {book: sum(name in units for name in wanted) for book, units in books_of.items()}
        if system.sized:
            book = max(scores, key=lambda one: scores[one], default="")
            score = scores.get(book, 0)
            books: tuple[str, ...] = (book,)
        else:
            books = tuple(book for book, score in scores.items() if score)
            score = sum(any(name in books_of[book] for book in books) for name in wanted)
        fit = (score, is_own_system(system.id), year_of(system))
        if score:
            choices.append((fit, system.family or system.id, HeadChoice(system.id, books)))
    choices.sort(key=lambda choice: choice[0], reverse=True)
    best: dict[str, HeadChoice] = {}
    for (score, *_new), family, choice in choices:
        if score == choices[0][0][0]:
            best.setdefault(family, choice)
    first, *others = best.values() or [NO_GAME]
    return replace(first, others=tuple(others))


class TitledPoints(NamedTuple):
    """Points in a title: a game's `size`, or those `spent`.

    The size is `sure` where it is called points or is a usual one.
    """

    size: int = 0
    sure: bool = False
    spent: int = 0


def points_in(texts: Iterable[str], system: System, total: int) -> TitledPoints:
    """Return the points in titles: a usual size, otherwise a likely number, otherwise points.

    Numbers not called points aren't a size if the `total` of the list is larger.
    """
    low, high = min(system.sizes) // 3, OUT_OF_REACH * max(system.sizes)
    summed = system.own_models
    round_to = _UNSUMMED if summed else next(step for most, step in _ROUND if high >= most)
    points = TitledPoints()
    for text in texts:
        text = _THOUSANDS.sub(lambda said: f"{said[1]}{(said[2] or '0'):0<3}", text)
        plain = not _MARKS.search(text)
        for match in _NUMBER.finditer(text):
            number = number_in(match[1])
            called = match[2] is not None or _LABELLED.fullmatch(text, 0, match.start()) is not None
            if not called and total > OVERFULL * number:
                continue
            if number in system.sizes:
                return TitledPoints(number, True, points.spent)
            if summed and not called and 0 < total < FILLED * number:
                continue  # a number of models, or of a company
            before, behind = text[: match.start()].rstrip()[-1:], text[match.end() :].lstrip()[:1]
            alone = plain or called or (before in _BEFORE and behind in _BEHIND)
            year = number in _YEARS and number % 100 and not called
            if not (low <= number <= high and alone) or year:
                continue
            if number % round_to:
                last = called or summed or (before and before in _BEFORE and not behind)
                points = points._replace(spent=points.spent or (number if last else 0))
            elif not points.size:
                points = points._replace(size=number, sure=called)
    return points


def least_points(system: System, size: int) -> int:
    """Return how many points a list must have at least in a game of a size, by its rules.

    Usual sizes of a game that was made of files are a guess, which a list should nearly fill.
    """
    roster = Roster(size, ())
    least = max((rule.points_of_game(roster)[0] or 0 for rule in system.rules), default=0)
    return least or (size - size // _NEARLY_FULL if is_own_system(system.id) else 0)


def fitting_size(total: int, system: System, steps: Sequence[int] = _STEPS) -> int:
    """Return the size of game for a list of this many points: a usual or a round one.

    0 if the rules, which limit unspent points, allow none.
    """
    filled = least_points(system, system.default_size) > 0
    over = _OVERFILLED if filled else OVERFULL
    usual = (size for size in sorted(system.sizes) if total and size * over >= total)
    sizes = [*usual, *(-(-total // step) * step for step in steps if filled)]
    return next((size for size in sizes if least_points(system, size) <= total), 0)


def is_heading(text: str, books: Sequence[Book]) -> bool:
    """Return whether a line is a category's name, with or without points, or a heading."""
    titled = text.endswith(":") and len(text) <= _HEADING
    called = {without_aside(book.name).casefold() for book in books} - {""}
    named = any(book in text.casefold() for book in called) and len(text) <= 2 * _HEADING
    return is_category(text, books) or titled or named


def is_section(text: str) -> bool:
    """Return whether a line is a heading of units, possibly with points, or "vs"."""
    return simple(entries.read_entry(text).words) in SECTIONS or VERSUS.fullmatch(text) is not None


def is_category(text: str, books: Sequence[Book]) -> bool:
    """Return whether a line begins with the name of a category of units."""
    names = {name for book in books for name in book.categories.values()}
    bare = "".join(letter for letter in text if letter.isalpha() or letter == " ").casefold()
    return any(bare.split()[: len(one.split())] == one.casefold().split() for one in names)
