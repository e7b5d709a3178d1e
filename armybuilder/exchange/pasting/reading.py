"""Reading a pasted list: every line with the outcome of it, and the document it makes."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import takewhile

from armybuilder.engine.catalogue import Catalogue
from armybuilder.engine.roster import SettingValue
from armybuilder.engine.wording import quote, say
from armybuilder.exchange.pasting import head
from armybuilder.exchange.pasting.entries import (
    points_lead,
    read_entry,
    without_mark,
    without_state,
)
from armybuilder.exchange.pasting.head import HeadChoice, OtherBook
from armybuilder.exchange.pasting.lines import HEAD_LINES, PastedForm, is_full, read_form, total_in
from armybuilder.exchange.pasting.names import simple
from armybuilder.exchange.pasting.own_models import tells_rules
from armybuilder.exchange.pasting.profiles import ProfileReader
from armybuilder.exchange.pasting.results import PastedLine, PastedList, UnitRead
from armybuilder.exchange.pasting.rows import PastedRow, read_rows
from armybuilder.exchange.pasting.splitting import PastedPart
from armybuilder.exchange.pasting.units import Block, PastedUnitReader, unit_priced
from armybuilder.loading.armylist import ArmyList, ListBook, ListUnit, with_settings
from armybuilder.loading.deadline import check
from armybuilder.loading.documents import judge_by, named_after
from armybuilder.loading.library import Library
from armybuilder.loading.limits import MAX_LIMIT, MAX_NAME, MAX_NOTES, MAX_UNITS
from armybuilder.loading.problems import Refusal

#: What stands below a unit and belongs to it.
_BELOW = ("detail", "unit note", "taken")
#: How much of a game's size a list has at least that is one of this size, and at most: one of a few
#: points more is over it, not half of the next.
_FILLED, _OVERFULL = 0.9, 1.05
#: A line of the game's size alone.
_SIZE = re.compile(r"\W*\d[\d., ]*\s*(?:pts?|points|punkte)?\W*", re.I)
#: Points of unusual games are such numbers.
_ROUND = 25
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")


def read_text(
    text: str,
    library: Library,
    system_id: str | None = None,
    book_ids: Sequence[str] = (),
    more_books: Sequence[OtherBook] = (),
    choices: Mapping[str, str] | None = None,
    about: PastedPart | None = None,
) -> PastedList:
    """Return the list in a text, by the chosen game and books, else by those found in it.

    `more_books` may be meant too. `choices` are the player's for this text: "unit-12" (a ref),
    "piece-12-0" (an option's address); "-" leaves out. `about`: what is known of it as one of
    several. Raises Refusal where the text is too long, has too many units, or the game is not here.
    """
    rows = read_rows(text)
    if not any(row.text for row in rows):
        raise Refusal(say("Paste a list first."))
    form = read_form(rows, library)
    chosen = _game_of(form, library, system_id, book_ids, more_books)
    if system_id is None:
        chosen = _edition(chosen, text, form, library)
    if not chosen.system:
        kinds = ((row, "unread" if row.text else "empty") for row in rows)
        return PastedList(tuple(PastedLine(row.number, row.raw, kind) for row, kind in kinds))
    revisions = {book.id: book.revision for book in more_books}
    catalogue = library.catalogue(
        chosen.system, chosen.books, {book: revisions.get(book, "") for book in chosen.books}
    )
    return _Text(rows, form, catalogue, chosen, choices or {}, about).reading()


def read_part(
    part: PastedPart,
    library: Library,
    system_id: str | None = None,
    book_ids: Sequence[str] = (),
    more_books: Sequence[OtherBook] = (),
) -> PastedList:
    """Return one of the lists in a text, as `read_text` does.

    Without chosen books it is read by those that it, or a heading above it, names.
    """
    if not book_ids and part.chosen.books and system_id in (None, part.chosen.system):
        chosen = part.chosen if system_id else game_of_part(part, library)
        system_id, book_ids = chosen.system, chosen.books
    return read_text(part.text, library, system_id, book_ids, more_books, about=part)


def game_of_part(part: PastedPart, library: Library) -> HeadChoice:
    """Return the game and books that one of the lists in a text, or a heading above it, names."""
    form = read_form(read_rows(part.text), library)
    chosen = _of_profiles(part.chosen, form, library, None)
    return _edition(chosen, part.text, form, library, part.heading)


def game_in(
    text: str,
    library: Library,
    system_id: str | None = None,
    book_ids: Sequence[str] = (),
    more_books: Sequence[OtherBook] = (),
) -> HeadChoice:
    """Return the game and books that `read_text` would read the same text by."""
    form = read_form(read_rows(text), library)
    chosen = _game_of(form, library, system_id, book_ids, more_books)
    return chosen if system_id else _edition(chosen, text, form, library)


def _game_of(
    form: PastedForm,
    library: Library,
    system_id: str | None,
    book_ids: Sequence[str],
    more_books: Sequence[OtherBook],
) -> HeadChoice:
    chosen = head.game_of(form, library, system_id, book_ids, more_books)
    return chosen if book_ids else _of_profiles(chosen, form, library, system_id)


def _of_profiles(
    chosen: HeadChoice, form: PastedForm, library: Library, system_id: str | None
) -> HeadChoice:
    """Return the game whose profiles most lines of a text are, unless another one is named.

    Its books are those that have one of the models.
    """
    top = [row.text for row in form.rows if row.text][:HEAD_LINES]
    if form.numbers is not None:
        return chosen
    for system in library.systems.values():
        named = any(
            text.startswith(library.system(chosen.system).name) for text in top if chosen.system
        )
        wanted = system_id or (chosen.system if named else system.id)
        if not system.own_models or system.id != wanted:
            continue
        reader = ProfileReader(system)
        if not any(reader.tells_stats(row.text) for row in form.rows if row.kind == "maybe"):
            continue
        rows = list(reader.rows(form.rows))
        counted = [row for row in rows if row.kind == "maybe" and re.search(r"\d", row.text)]
        profiles = [row for row in rows if row.kind == "profile"]
        if not profiles or (not system_id and len(profiles) < len(counted)):
            continue
        names = [written.name for row in profiles if (written := reader.read(row.text))]
        names += [name.removesuffix("s") for name in names]
        models = head.game_of_units([*names, *head.unit_names(form)], library, system.id)
        if chosen.system == system.id:
            return replace(chosen, books=tuple(dict.fromkeys((*chosen.books, *models.books))))
        return HeadChoice(system.id, models.books)
    return chosen


def _edition(
    chosen: HeadChoice, text: str, form: PastedForm, library: Library, heading: str = ""
) -> HeadChoice:
    """Return the game that is meant of several that have the book.

    It is the one named in the first lines, by the year behind the book's name too; else the one
    that knows most of the units, and of these the one by which most points are as they are printed;
    else the newest.
    """
    books = [library.books[chosen.system].get(id_) for id_ in chosen.books] if chosen.system else []
    if len(books) != 1 or books[0] is None:
        return chosen  # several, or a player's own
    games = [
        HeadChoice(system, (book.id,), chosen.told)
        for system, book in head.sized_books(library.systems.values(), library)
        if book.name == books[0].name
    ]
    top = [heading, *(row.text for row in form.rows if row.text)][:HEAD_LINES]
    if len(games) < 2 or any(text.startswith(library.system(chosen.system).name) for text in top):
        return chosen
    book_name = f" {simple(books[0].name)} "
    lines = [line for line in top if book_name in f" {simple(line)} "]
    years = {year for line in lines for year in _YEAR.findall(line)}
    by_year = [game for game in games if years & set(_years(game, library))]
    if len(by_year) == 1:
        return by_year[0]
    names = [simple(name) for name in head.unit_names(form)]
    known = {}
    for game in games:
        of_book = library.books[game.system][game.books[0]].names.values()
        units = {simple(name) for name in of_book}
        known[game] = sum(name in units for name in names)
    best = [game for game in games if known[game] == max(known.values())]
    if len(best) == 1:
        return best[0]

    def agreement(game: HeadChoice) -> tuple[int, list[str]]:
        reading = read_text(text, library, game.system, game.books)
        agreeing = sum(line.unit.agrees is True for line in reading.units if line.unit)
        return agreeing, _years(game, library)

    return max(best, key=agreement)


def _years(game: HeadChoice, library: Library) -> list[str]:
    return _YEAR.findall(library.system(game.system).name)


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
        system = catalogue.system
        self.reader = PastedUnitReader(catalogue, system.default_size, self.settings, choices)
        if system.own_models and form.numbers is None:
            form = replace(form, rows=tuple(self.reader.profiles.rows(form.rows)))
        self.form = form
        self.ours = form.numbers is not None
        self.full = self.ours and is_full(rows)
        self.rules_told = tells_rules(row.text for row in form.rows if row.kind == "detail")
        self.heads = {
            row.number: self._head(row) for row in form.rows if row.kind in ("head", "maybe")
        }
        totals = [total_in(row.text) for row in form.rows if row.kind == "total"]
        self.printed = _first(points for points, _size in reversed(totals))
        if form.numbers is not None:
            self.printed = form.numbers.spent
        elif form.total is not None:
            self.printed = form.total
        size = self._printed_size(_first(size for _points, size in totals) or 0)
        self.tells_size = bool(size)
        self.limit = size or self._usual_size(self.printed or 0)
        self.reader.priced.limit = self.limit
        self.notes: list[str] = []
        self.name = about.name if about else ""
        self.preface = about.preface if about else 0

    def _head(self, row: PastedRow) -> PastedLine | None:
        system = self.catalogue.system
        book = next((book for book in self.catalogue.books if book.name == row.text), None)
        if book is not None and not self.ours:
            return _line(row, "game", name=book.name)
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

    def _printed_size(self, beside_total: int) -> int:
        if (count := self.form.numbers) is not None:
            return max(1, min(count.limit, MAX_LIMIT))
        if beside_total:
            return min(beside_total, MAX_LIMIT)
        system = self.catalogue.system
        first = [row for row in self.form.rows if row.kind not in ("empty", "total")][:2]
        titles = [
            row.text
            for row in first
            if row.kind != "profile" and not head.counts_units(row.text)
            if not any(
                map(self.reader.knows, (row.text, *(rest for _, rest in without_mark(row.text))))
            )
        ]
        size = head.size_in(titles, system)
        if system.own_models and size not in system.sizes and size % _ROUND:
            # What the models cost together, as players write it behind a warband's name.
            self.printed, size = self.printed or size or None, 0
        return size

    def _usual_size(self, total: int) -> int:
        """Return the usual size that the points of a list fill, or go beyond by a little."""
        system = self.catalogue.system
        fitting = [size for size in sorted(system.sizes) if total and size * _OVERFULL >= total]
        return fitting[0] if fitting else max(total, system.default_size)

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
        if units and not self.tells_size and not self.printed:
            # The size that the units nearly fill, else the usual one.
            spent = judge_by(self._document(units), self.catalogue).report.spent
            size = self._usual_size(spent)
            self.limit = size if spent >= _FILLED * size else self.limit
        reading = PastedList(
            lines=tuple(ordered),
            system=self.catalogue.system.id,
            books=tuple(book.id for book in self.catalogue.books),
            told=self.chosen.told,
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
            self.name = entry.words if total and entry.words else text
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
            self.name = (not self.ours and self.name) or row.words
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
