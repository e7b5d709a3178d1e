"""Reading a pasted list: every line with the outcome of it, and the document it makes."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import takewhile

from armybuilder.engine.catalogue import Book, Catalogue
from armybuilder.engine.names import simple
from armybuilder.engine.roster import SettingValue
from armybuilder.engine.wording import quote, say
from armybuilder.exchange.pasting import head
from armybuilder.exchange.pasting.entries import (
    points_lead,
    read_entry,
    without_mark,
    without_state,
)
from armybuilder.exchange.pasting.head import EditionFit, HeadChoice
from armybuilder.exchange.pasting.lines import HEAD_LINES, PastedForm, is_full, read_form, total_in
from armybuilder.exchange.pasting.names import without_aside
from armybuilder.exchange.pasting.own_models import tells_rules
from armybuilder.exchange.pasting.parts import shape
from armybuilder.exchange.pasting.profiles import game_of_profiles
from armybuilder.exchange.pasting.results import PastedLine, PastedList, UnitRead
from armybuilder.exchange.pasting.rows import PastedRow, read_rows
from armybuilder.exchange.pasting.splitting import PastedPart
from armybuilder.exchange.pasting.units import Block, PastedUnitReader, unit_priced
from armybuilder.loading.armylist import ArmyList, ListBook, ListUnit, with_settings
from armybuilder.loading.deadline import check, checked
from armybuilder.loading.documents import judge_by, named_after
from armybuilder.loading.library import Library
from armybuilder.loading.limits import MAX_LIMIT, MAX_NAME, MAX_NOTES, MAX_UNITS
from armybuilder.loading.own_systems import is_own_system
from armybuilder.loading.problems import Refusal

#: What stands below a unit and belongs to it.
_BELOW = ("detail", "unit note", "taken")
#: What tells no size of a game, though it stands above the units.
_UNTITLED = ("empty", "count", "verdict", "list note", "unit note", "told")
#: Lines of a list whose points are compared with those of other editions.
_LONGEST = 300
#: "Warband: Iron Ravens"
_CALLED = shape(r"^(?:warband|army|list|team|roster|band|name)(?:\s+name)?\s*[:=]\s*")
#: Lines below a heading that are looked through for its units.
_SECTION = 40
#: Lines that may tell a game's size.
_TITLES = 3
_DIGITS = re.compile(r"\d+")
#: A line of the game's size alone.
_SIZE = shape(r"\W*\d[\d., ]*\s*<points>?\W*(?:<each>|(?:per|a|each) (?:side|player))?\W*")


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
    "-" leaves out. `about`: what is known of it as one of several. Raises Refusal where the text is
    too long, has too many units, or the game is not here.
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


def game_in(
    form: PastedForm, library: Library, system_id: str | None = None, book_ids: Sequence[str] = ()
) -> HeadChoice:
    """Return the game and books of a text, of which the edition may be another."""
    chosen = head.game_of(form, library, system_id, book_ids)
    return chosen if book_ids else game_of_profiles(chosen, form, library, system_id)


def read_part(
    part: PastedPart,
    library: Library,
    system_id: str | None = None,
    book_ids: Sequence[str] = (),
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
    """Return the game that is meant of several that have the book.

    It is the one named in the first lines, by the year behind the book's name too; else the one
    that knows the units, and of these the one by which most points are as they are printed; else
    the newest.
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
    """Return the game that the first lines tell, and those that may be meant where they do not."""
    games = [] if chosen.told else editions_of(chosen, library)
    for other in chosen.others:
        games += editions_of(other, library) or [other]
    if chosen.others and not editions_of(chosen, library):
        games.insert(0, chosen)
    if len(games) < 2:
        return chosen, []
    top = [heading, *(row.text for row in form.rows if row.text)][:HEAD_LINES]
    systems = {game.system: library.system(game.system) for game in games}
    named = next(filter(None, (head.games_in(line, systems.values()) for line in top)), [])
    games = [game for game in games if not named or systems[game.system] in named]
    army = head.title_words(without_aside(_book(games[0], library).name))
    lines = [line for line in top if army in head.title_words(line)]
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
    return _Text(rows, form, catalogue, chosen, choices or {}, about).reading()


class _Text:
    """One text on its way to a list."""

    def __init__(
        self,
        rows: Sequence[PastedRow],
        form: PastedForm,
        catalogue: Catalogue,
        chosen: HeadChoice,
        choices: Mapping[str, str],
        about: PastedPart | None,
    ) -> None:
        self.rows = rows
        self.catalogue = catalogue
        self.chosen = chosen
        self.settings: dict[str, SettingValue] = {}
        self.reader = PastedUnitReader(catalogue, 0, self.settings, choices)
        if catalogue.system.own_models and form.numbers is None:
            form = replace(form, rows=tuple(self.reader.profiles.rows(form.rows)))
            self.reader.profiles.weigh(form.rows)
        self.form = replace(form, rows=tuple(self._with_headings(form.rows)))
        form = self.form
        self.ours = form.numbers is not None
        self.full = self.ours and is_full(rows)
        self.rules_told = tells_rules(row.text for row in form.rows if row.kind == "detail")
        above = self._titles()
        self.heads = {
            row.number: self._head(row, row in above)
            for row in form.rows
            if row.kind in ("head", "maybe")
        }
        totals = [row for row in form.rows if row.kind == "total" and row not in above]
        sums = [total for row in totals if (total := total_in(row.text))]
        spent = [total.spent for total in sums if total.spent]
        printed = self._grand_total(spent) or form.total
        titles = head.points_in((row.text for row in above), catalogue.system, printed or 0)
        self.printed = printed or titles.spent or None
        left = _first(total.left for total in sums)
        size = _first(total.size for total in sums) or titles.size or (about.size if about else 0)
        if left and self.printed and not size:
            size = self.printed + left
        #: Whether the size may be a number that means something else.
        self.doubts_size = 0 < size == titles.size and not titles.sure
        if form.numbers is not None:
            self.printed, size = form.numbers.spent, max(1, form.numbers.limit)
        self.tells_size = bool(size)
        self.limit = min(size, MAX_LIMIT) or self._size_for(self.printed or 0)
        self.reader.priced.limit = self.limit
        self.notes: list[str] = []
        self.name = about.name if about else ""
        self.preface = about.preface if about else 0

    def _head(self, row: PastedRow, titled: bool) -> PastedLine | None:
        system = self.catalogue.system
        for book in self.catalogue.books if not self.ours else ():
            if row.text in (book.name, without_aside(book.name)):
                return _line(row, "game", name=book.name)
        if titled and not self.ours and self._is_army(row) and self.reader.knows(row.words):
            return _line(row, "game", name=row.words)
        rest = row.text.removeprefix(system.name)
        if rest != row.text and rest[:1] in ("", ":", ","):
            if self.ours and self.chosen.missing:
                missing = ", ".join(map(quote, self.chosen.missing))
                return _line(row, "books", name=missing, value=None)
            return _line(row, "game", name=system.name)
        setting = head.read_setting(row.text, self.catalogue)
        if setting is None:
            return None
        what, value = setting
        if value is None and self.full:
            return None  # what the rules count goes by the same name there
        if value is not None and value != what.default:
            self.settings[what.id] = value
        said = None if value is None else row.text.partition(":")[2].strip()
        return _line(row, "setting", name=what.name, value=said)

    def _titles(self) -> list[PastedRow]:
        """Return the lines above the first unit that may tell the size of the game."""
        titles: list[PastedRow] = []
        for row in self.form.rows:
            number = row.words[:1].isdigit() and _SIZE.fullmatch(row.words) is not None
            if row.kind in _UNTITLED or (row.kind == "total" and not number):
                continue
            named = number or self._is_army(row)
            if len(titles) == _TITLES or (not named and self._is_unit(row)):
                break
            if not (head.is_category(row.text, self.catalogue.books) or head.is_section(row.words)):
                titles.append(row)
        return titles

    def _is_unit(self, row: PastedRow) -> bool:
        certain = row.kind in ("unit", "profile")
        counted = certain or head.counts_units(row.text) or points_lead(row.words)
        unmarked = (rest for _mark, rest in without_mark(row.words))
        return counted or any(map(self.reader.knows, (row.words, *unmarked)))

    def _is_army(self, row: PastedRow) -> bool:
        """Return whether a line has the name of the army alone, or with a game's size."""
        numbers = map(int, _DIGITS.findall(row.words[:MAX_NAME]))
        sized = all(3 * number >= min(self.catalogue.system.sizes) for number in numbers)
        bare = simple(_DIGITS.sub(" ", row.words))
        return (
            sized
            and bool(bare)
            and bare in {simple(without_aside(book.name)) for book in self.catalogue.books}
        )

    def _with_headings(self, rows: Sequence[PastedRow]) -> Iterator[PastedRow]:
        """Yield the rows, those above units of a kind as headings: "Troops", "Archers (120)"."""
        for place, row in enumerate(checked(rows)):
            heads = row.kind == "maybe" and place and self._heads_units(rows, place)
            yield replace(row, kind="heading") if heads else row

    def _heads_units(self, rows: Sequence[PastedRow], place: int) -> bool:
        """Return whether a line names a kind of units, or has the points of several units below."""
        entry = read_entry(rows[place].words)
        section = head.is_section(rows[place].words)
        begins = entry.points and rows[place - 1].kind in ("empty", "heading", "total")
        if entry.models or not (section or begins) or self.reader.knows(rows[place].words):
            return False
        stated = number = 0
        for row in rows[place + 1 : place + _SECTION]:
            points = self._stated(row)
            stated, number = stated + points, number + (points > 0)
            if section or stated >= (entry.points or 0):
                break
        return section or (number > 1 and stated == entry.points)

    def _grand_total(self, totals: Sequence[int]) -> int | None:
        """Return the points of all in the totals of a text: the last, the first, or their sum.

        It is the last unless the others are what the units cost, as they are written.
        """
        stated = sum(map(self._stated, self.form.rows)) if len(totals) > 1 else 0
        grand = next((one for one in (sum(totals), totals[0]) if one == stated), 0) if stated else 0
        return grand or next(reversed(totals), None)

    def _stated(self, row: PastedRow) -> int:
        """Return the points that a row says of a unit, 0 of none."""
        if row.kind == "profile" and (written := self.reader.profiles.read(row.text)):
            return written.prices.meant(None)[1] or 0
        if row.kind not in ("unit", "maybe") or not self.reader.knows(row.words):
            return 0
        entry = self.reader.entry_of(row.words)
        return (entry.printed or 0) * entry.times

    def _size_for(self, total: int) -> int:
        system = self.catalogue.system
        return head.fitting_size(total, system) or max(total, system.default_size)

    def _size_spent(self, units: Sequence[ListUnit], lines: Sequence[PastedLine]) -> int:
        """Return the size of a game that the text does not tell, by what the units cost."""
        system = self.catalogue.system
        reads = [line.unit for line in lines if line.unit]
        spent = judge_by(self._document(units), self.catalogue).report.spent
        if all(read.printed is not None for read in reads):
            spent = sum((read.printed or 0) * read.times for read in reads)
        # A number behind a warband's name may count its models or companies.
        least = head.FILLED * self.limit if system.own_models else 0
        if self.doubts_size and least <= spent <= self.limit:
            return self.limit
        must_fill = head.least_points(system, system.default_size) > 0
        if must_fill and (size := head.fitting_size(spent, system, head.ROUND_STEPS)):
            return size
        filled = (size for size in sorted(system.sizes) if spent <= head.OVERFULL * size)
        size = next(filled, spent)
        return size if spent >= head.FILLED * size else system.default_size

    def reading(self) -> PastedList:
        """Return the text as it was read."""
        lines = {line.number: line for line in self._lines()}
        for row in self.form.rows:
            for number in row.joined:
                lines[number] = PastedLine(number, self.rows[number - 1].raw, "more")
        ordered = [lines[number] for number in sorted(lines)]
        units = [
            line.unit.entry
            for line in ordered
            if line.unit and line.unit.entry
            for _time in range(line.unit.times)
        ]
        if len(units) > MAX_UNITS:
            raise Refusal(say("The text has too many units: at most {most}.", most=MAX_UNITS))
        if units and not self.printed and (self.doubts_size or not self.tells_size):
            size = self._size_spent(units, ordered)
            self.tells_size &= size == self.limit
            self.limit = size
        reading = PastedList(
            lines=tuple(ordered),
            system=self.catalogue.system.id,
            books=tuple(book.id for book in self.catalogue.books),
            told=self.chosen.told,
            named=self.chosen.named,
            document=self._document(units),
            catalogue=self.catalogue,
            printed=self.printed,
            tells_size=self.tells_size,
        )
        return replace(reading, lines=tuple(_priced(reading)))

    def _document(self, units: Sequence[ListUnit]) -> ArmyList:
        document = ArmyList(
            system=self.catalogue.system.id,
            books=tuple(ListBook(book.id, book.revision) for book in self.catalogue.books),
            name=self.name[:MAX_NAME],
            limit=self.limit,
            notes="\n".join(self.notes)[:MAX_NOTES].strip(),
            units=tuple(replace(unit, id=f"u{number}") for number, unit in enumerate(units, 1)),
        )
        document = with_settings(document, self.settings)
        if document.name:
            return document
        return replace(document, name=named_after(document, self.catalogue))

    def _lines(self) -> Iterator[PastedLine]:
        rows = self.form.rows
        place = 0
        while place < len(rows):
            row = rows[place]
            place += 1
            check()
            known = self.heads.get(row.number)
            below: Sequence[PastedRow] = ()
            # A head is certain, or may be a unit of that name.
            certain = row.kind == "head" or (known and known.kind in ("game", "books"))
            if known is not None and (certain or not self.reader.knows(row.text)):
                yield known
            elif row.kind == "unit":
                below = list(takewhile(lambda below: below.kind in _BELOW, rows[place:]))
                yield self._unit(row, below)
            elif row.kind in ("maybe", "profile"):
                line = self._maybe(row)
                if line.unit is not None and line.unit.entry is not None:
                    below = self._set_in(row, line.unit, place)
                yield self._maybe(row, below) if below else line
            else:
                yield self._other(row)
            for detail in below:
                yield _line(detail, "taken" if detail.kind == "maybe" else detail.kind)
            place += len(below)

    def _unit(self, row: PastedRow, below: Sequence[PastedRow] = (), mark: str = "") -> PastedLine:
        block = Block(
            number=row.number,
            text=row.text,
            details=tuple(one.text for one in below if one.kind == "detail"),
            notes=(
                *filter(None, [mark]),
                *(one.text for one in below if one.kind == "unit note"),
            ),
            more=tuple(one.text for one in below if one.kind in ("taken", "maybe")),
            ours=self.ours,
            full=self.full,
            rules_told=self.rules_told,
            profile=row.kind == "profile",
        )
        read = self.reader.read(block)
        if read.entry is None:
            self.notes.append(row.text)
        return replace(_line(row, "unit"), unit=read)

    def _set_in(self, row: PastedRow, unit: UnitRead, place: int) -> list[PastedRow]:
        """Return the lines below a unit, set in deeper: what it takes, and notes on it."""

        def is_taken(below: PastedRow) -> bool:
            deeper = below.kind == "maybe" and below.level > row.level
            taken = deeper and self.reader.options_in(unit, below.text)
            return taken or below.kind == "unit note"

        return list(takewhile(is_taken, self.form.rows[place:]))

    def _maybe(self, row: PastedRow, below: Sequence[PastedRow] = ()) -> PastedLine:
        rest, state = without_state(row.text)
        if state and (row.kind == "profile" or self.reader.knows(rest)):
            return self._unit(replace(row, text=rest), below, state)
        text = row.words
        if row.kind == "profile" or self.reader.knows(text):
            return self._unit(row, below)
        for mark, rest in without_mark(text):
            if self.reader.knows(rest) or (mark.isupper() and points_lead(rest)):
                kept = "" if head.is_heading(mark, self.catalogue.books) else mark
                return self._unit(replace(row, text=rest), below, kept)
        if row.number <= self.preface:
            return _line(row, "heading")
        entry = read_entry(text)
        counted = entry.models > 0 and (entry.points is not None or "," in text)
        counted |= points_lead(text)
        if not self.name and not counted and self._is_first(row):
            total = self.catalogue.system.own_models and entry.points == self.printed
            self.name = _CALLED.sub("", entry.words if total and entry.words else text) or text
            return _line(row, "title", name=self.name)
        if head.is_heading(text, self.catalogue.books):
            return _line(row, "heading")
        if re.sub(r"\D", "", text) == str(self.limit) and _SIZE.fullmatch(text):
            return _line(row, "count")
        if entry.points is not None or entry.models:
            return self._unit(row, below)
        self.notes.append(row.text)
        return _line(row, "unread")

    def _is_first(self, row: PastedRow) -> bool:
        return all(one.kind == "empty" for one in self.form.rows if one.number < row.number)

    def _other(self, row: PastedRow) -> PastedLine:
        titled = row.kind == "heading" and not self.ours and not self.name and self._is_first(row)
        if row.kind == "title" or (titled and not head.is_heading(row.text, self.catalogue.books)):
            name = row.words if self.ours else _CALLED.sub("", row.words) or row.words
            self.name = (not self.ours and self.name) or name
            return _line(row, "title", name=self.name)
        if row.kind in ("list note", "unit note"):
            self.notes.append(row.text)
        if row.kind == "head":
            return _line(row, "finding" if ": " in row.text else "told")
        return _line(row, row.kind)


def _line(row: PastedRow, kind: str, name: str = "", value: str | None = "") -> PastedLine:
    return PastedLine(row.number, row.raw, kind, name=name, value=value)


def _first(numbers: Iterable[int | None]) -> int | None:
    return next(filter(None, numbers), None)


def _priced(reading: PastedList) -> Iterator[PastedLine]:
    """Yield the lines with the points that their units have in the whole list."""
    lines = reading.report.full.lines if reading.report else ()
    points = {line.pick.id: line.points for line in lines if unit_priced(line)}
    number = 0
    for line in reading.lines:
        if line.unit is not None and line.unit.entry is not None:
            number += line.unit.times
            line = replace(line, unit=replace(line.unit, computed=points.get(f"u{number}")))
        yield line
