"""Reading a pasted list: every line with the outcome of it, and the document it makes."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice

from armybuilder.engine.catalogue import Book
from armybuilder.engine.names import simple
from armybuilder.engine.wording import say
from armybuilder.exchange.pasting import head
from armybuilder.exchange.pasting.entries import number_behind, read_entry
from armybuilder.exchange.pasting.head import EditionFit, HeadChoice
from armybuilder.exchange.pasting.lines import PastedForm, read_form
from armybuilder.exchange.pasting.names import without_aside
from armybuilder.exchange.pasting.parts import HEAD_LINES, pieces, shape, with_digits
from armybuilder.exchange.pasting.pasted_text import PastedText
from armybuilder.exchange.pasting.profiles import ProfileReader, game_of_profiles
from armybuilder.exchange.pasting.results import PastedLine, PastedList
from armybuilder.exchange.pasting.rows import PastedRow, read_rows
from armybuilder.exchange.pasting.splitting import PastedPart
from armybuilder.loading.deadline import checked
from armybuilder.loading.library import Library
from armybuilder.loading.own_systems import is_own_system
from armybuilder.loading.problems import Refusal

#: Lines of a list whose points are compared with those of other editions.
_LONGEST = 300
#: What parts units on a line, but in brackets; and the points of all of them.
_BEHIND_BRACKET = r"(?<=[)\]])\s+(?=\d{1,2}\s?<x>\s)"
_UNITS = shape(
    rf"{_BEHIND_BRACKET}|(?<=pts)\.\s+|(?<=points)\.\s+|\s*[;+&|]\s*|\s/\s|,\s*(?:and\s+)?(?![^(\[]*[)\]])|\s+and\s+"
)
#: The same in games in which units take something.
_STRONG = shape(rf"{_BEHIND_BRACKET}|\s*[;|]\s*|\s/\s")
#: "My warband consists of": words before units in a sentence.
_SENTENCE = shape(r".{0,60}?\b(?:consists?|is made|made up|composed)\s+of\b:?\s+")
_EDITION = re.compile(r"\b(?:edition|version|rules|ausgabe|édition|edición)\b", re.I)
#: Pieces of a line that may be the title of the units behind them.
_TITLE_PIECES = 4
#: "(98/100)": what a row of units has of the points that it may have.
_SUBTOTAL = re.compile(r"\s*\(\d{2,5}\s?/\s?\d{2,5}\)$")
_PRICE_ALONE = shape(r"\s*<price>\W*")
_SUMMED = shape(r"\s=\s*\d{1,5}\s*<points>?\s*$")


def read_text(
    text: str,
    library: Library,
    system_id: str | None = None,
    book_ids: Sequence[str] = (),
    choices: Mapping[str, str] | None = None,
    about: PastedPart | None = None,
) -> PastedList:
    """Return the list in a text, by the chosen game and books, else by those found in it.

    `choices` are the player's for this text: "unit-12" (a ref), "piece-12-0" (an option's address);
    "-" leaves out. `about`: its place among several lists. Raises Refusal if the text is too long,
    has too many units, or the game is not here.
    """
    rows = read_rows(text)
    if not any(row.text for row in rows):
        raise Refusal(say("Paste a list first."))
    form = read_form(rows, library)
    if about is not None and about.settled and system_id is None and not book_ids:
        chosen = about.chosen
    else:
        chosen = game_in(form, library, system_id, book_ids)
        if system_id is None:
            chosen = _edition(chosen, rows, form, library)
    if not chosen.system:
        kinds = ((row, "unread" if row.text else "empty") for row in rows)
        return PastedList(tuple(PastedLine(row.number, row.raw, kind) for row, kind in kinds))
    if not form.numbers and (parted := _UnitsOnALine(library, chosen).parted(rows)):
        return read_text(parted, library, system_id, book_ids, choices, about)
    reading = _read(rows, form, library, chosen, choices, about)
    fits = chosen.fits
    if not fits and len(form.rows) <= _LONGEST and (games := editions_of(chosen, library)):
        fits = (_fit(chosen, reading, library),)
        others = [game for game in games if game.system != chosen.system]
        fits += _fits(others, rows, form, library) if head.is_poor(fits) else ()
    # Games of one name of an army that are no editions of each other are not compared.
    system = library.system(chosen.system)
    same = [one.id for one in (system, *library.editions(system)) if system.sized]
    fits = tuple(fit for fit in fits if fit.system in same or is_own_system(fit.system))
    return replace(reading, fits=fits)


class _UnitsOnALine:
    """Parts lines with several units: "Orc Boss (60), Orc Warrior x4 + 2 Orc Archers".

    Where units take something they have points of their own, and other marks than commas between
    them: "Cyclops, 330; Gargoyles, 8, 166".
    """

    def __init__(self, library: Library, chosen: HeadChoice) -> None:
        system = library.system(chosen.system)
        self.sized = system.sized
        self.marks = _STRONG if system.sized else _UNITS
        self.names = set[str]().union(*map(head.names_of, library.books[system.id].values()))
        self.profiles = ProfileReader(system) if system.own_models else None

    def parted(self, rows: Sequence[PastedRow]) -> str:
        """Return a text with each unit on a line, "" where no line has several."""
        lines = [(row.raw, self._units(row)) for row in rows]
        parted = (line for raw, units in lines for line in units or [raw])
        return "\n".join(parted) if any(units for _raw, units in lines) else ""

    def _is_unit(self, piece: str) -> bool:
        entry = read_entry(piece)
        words = next(iter(pieces(entry.words)), "") if self.sized else entry.words
        name = simple(number_behind(words)[0])
        name = name if name in self.names else simple(without_aside(words))
        stated = entry.printed is not None or not self.sized
        return stated and (name in self.names or name.removesuffix("s") in self.names)

    def _pieces(self, text: str) -> Iterator[str]:
        """Yield the pieces between marks, of names with commas the whole, with their points."""
        texts = self.marks.split(text)
        place = 0
        while place < len(texts):
            pair = ", ".join(texts[place : place + 2])
            priced = texts[place + 1 :] and _PRICE_ALONE.fullmatch(texts[place + 1])
            whole = priced or (not self._is_unit(texts[place]) and self._is_unit(pair))
            yield with_digits(pair if whole else texts[place])
            place += 2 if whole else 1

    def _units(self, row: PastedRow) -> list[str]:
        """Return the lines of a row that has several units, with its title and total."""
        models = row.text.split("; ")
        if self.profiles and len(models) > 1 and all(map(self.profiles.read, models)):
            return models
        text, total = row.text, ""
        if _SUMMED.search(text) and text.count("=") == 1:
            text, _equals, total = text.partition(" = ")
        text = _SUBTOTAL.sub("", _SENTENCE.sub("", text).rstrip("."))
        if not self.marks.search(text) or (self._is_unit(row.text) and not self.sized):
            return []
        for title, mark, rest in (text.partition(": "), text.partition(" - "), ("", "-", text)):
            parts = filter(str.strip, self._pieces(rest) if mark else ())
            units = [*islice(parts, _TITLE_PIECES)]
            units += parts if any(map(self._is_unit, units)) else ()
            known = [self._is_unit(piece) for piece in units]
            first = known.index(True) if True in known else 0
            some = all(known[first:]) or (not self.sized and 2 * sum(known) > len(known))
            if sum(known) > 1 and some and not (title and (first or self._is_unit(title))):
                return [*filter(None, [title or ", ".join(units[:first]), *units[first:], total])]
        return []


def game_in(
    form: PastedForm, library: Library, system_id: str | None = None, book_ids: Sequence[str] = ()
) -> HeadChoice:
    """Return the game and books of a text, of which the edition may be another."""
    chosen = head.game_of(form, library, system_id, book_ids)
    return chosen if book_ids else game_of_profiles(chosen, form, library, system_id)


def read_part(
    part: PastedPart, library: Library, system_id: str | None = None, book_ids: Sequence[str] = ()
) -> PastedList:
    """Return one of the lists in a text, as `read_text` does.

    Without chosen books it is read by those that it, or a heading above it, names.
    """
    if not book_ids and part.chosen.books and system_id == part.chosen.system:
        book_ids = part.chosen.books
    elif not book_ids and part.chosen.books and system_id is None and not part.settled:
        (part,) = in_one_edition([part], library)
    return read_text(part.text, library, system_id, book_ids, about=part)


def in_one_edition(
    parts: Sequence[PastedPart], library: Library, wished: str = ""
) -> list[PastedPart]:
    """Return the lists of a text, those that name no edition in one: the wished, else the best."""
    settled: list[PastedPart] = []
    fits: list[tuple[EditionFit, ...]] = []
    for part in checked(parts):
        if part.settled:
            settled.append(part)
            fits.append(())
            continue
        chosen = part.chosen
        of_part: tuple[EditionFit, ...] = ()
        try:
            rows = read_rows(part.text)
            form = read_form(rows, library)
            chosen = chosen if chosen.books else head.game_of(form, library, None, ())
            chosen = game_of_profiles(chosen, form, library)
            chosen, games = _told_edition(chosen, form, library, part.heading)
            wish = [game for game in games if game.system == wished]
            chosen = wish[0] if wish else chosen
            of_part = () if wish or len(games) < 2 else _fits(games, rows, form, library)
        except Refusal:  # told where it is read
            chosen = part.chosen
        settled.append(replace(part, chosen=chosen, settled=bool(chosen.books)))
        fits.append(of_part)
    every = head.fits_summed(fit for of_part in fits for fit in of_part)
    ranks = [fit.name for fit in head.best_first(every, library)]
    for place, of_part in enumerate(fits):
        if of_part:
            best = min(of_part, key=lambda fit: ranks.index(fit.name))
            chosen = replace(settled[place].chosen, system=best.system, books=best.books)
            settled[place] = replace(settled[place], chosen=replace(chosen, fits=of_part))
    return settled


def _edition(
    chosen: HeadChoice, rows: Sequence[PastedRow], form: PastedForm, library: Library
) -> HeadChoice:
    """Return the likeliest of several games that have the book.

    It is the one named in the first lines, also by the year after the book's name; otherwise the
    one that knows the units, and of these the one with most printed points; otherwise the newest.
    """
    chosen, games = _told_edition(chosen, form, library)
    if len(games) < 2:
        return chosen
    fits = _fits(games, rows, form, library)
    best = head.best_first(fits, library)[0]
    return replace(chosen, system=best.system, books=best.books, fits=fits)


def _told_edition(
    chosen: HeadChoice, form: PastedForm, library: Library, heading: str = ""
) -> tuple[HeadChoice, list[HeadChoice]]:
    """Return the game named in the first lines, or the possible ones if they name none."""
    games = [] if chosen.told else editions_of(chosen, library)
    for other in chosen.others:
        games += editions_of(other, library) or [other]
    if chosen.others and not editions_of(chosen, library):
        games.insert(0, chosen)
    games = list({(game.system, game.books): game for game in reversed(games)}.values())[::-1]
    if len(games) < 2:
        return chosen, []
    top = [heading, *(row.text for row in form.rows if row.text)][:HEAD_LINES]
    systems = {game.system: library.system(game.system) for game in games}
    named = next(filter(None, (head.games_in(line, systems.values()) for line in top)), [])
    games = [game for game in games if not named or systems[game.system] in named]
    army = head.title_words(without_aside(_book(games[0], library).name))
    lines = [line for line in top if army in head.title_words(line) or _EDITION.search(line)]
    years = {year for line in lines for year in head.YEAR.findall(line)}
    dated = [game for game in games if head.year_of(systems[game.system]) in years]
    told = dated if len(dated) == 1 else games
    return (replace(told[0], told=True), []) if len(told) == 1 else (chosen, games)


def editions_of(chosen: HeadChoice, library: Library) -> list[HeadChoice]:
    """Return the games that have the book; several books are of one game."""
    if len(chosen.books) != 1 or chosen.books[0] not in library.books[chosen.system]:
        return []
    name = without_aside(_book(chosen, library).name)
    return [
        replace(chosen, system=system, books=(book.id,), told=False)
        for system, book in head.sized_books(library.systems.values(), library)
        if without_aside(book.name) == name
    ]


def _book(game: HeadChoice, library: Library) -> Book:
    return library.books[game.system][game.books[0]]


def _fits(
    games: Sequence[HeadChoice], rows: Sequence[PastedRow], form: PastedForm, library: Library
) -> tuple[EditionFit, ...]:
    """Return how well those of several games fit a text that know its units."""
    names = [simple(name) for name in head.unit_names(form)]
    known = []
    for game in games:
        books = library.books[game.system]
        units = set[str]().union(*(head.names_of(books[book]) for book in game.books))
        known.append(sum(name in units for name in names))
    return tuple(
        _fit(game, _read(rows, form, library, game), library, units)
        for game, units in zip(games, known, strict=True)
        if units >= head.NEARLY_ALL * max(known)
    )


def _fit(game: HeadChoice, reading: PastedList, library: Library, known: int = 0) -> EditionFit:
    system, book = library.system(game.system), _book(game, library)
    own = book.kind == "own" and not is_own_system(system.id)
    edition = head.year_of(system) or system.name.removeprefix(system.family).strip()
    name = book.name if own else edition
    units = [line.unit for line in reading.units if line.unit and line.unit.printed is not None]
    agreeing = sum(unit.agrees is True for unit in units)
    return EditionFit(system.id, game.books, name, known, agreeing, len(units))


def _read(
    rows: Sequence[PastedRow],
    form: PastedForm,
    library: Library,
    chosen: HeadChoice,
    choices: Mapping[str, str] | None = None,
    about: PastedPart | None = None,
) -> PastedList:
    catalogue = library.catalogue(chosen.system, chosen.books)
    return PastedText(rows, form, catalogue, chosen, choices or {}, about).reading()
