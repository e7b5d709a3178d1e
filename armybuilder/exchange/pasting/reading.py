"""Reading a pasted list: every line with the outcome of it, and the document it makes."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from armybuilder.engine.catalogue import Catalogue
from armybuilder.engine.roster import SettingValue
from armybuilder.engine.wording import quote, say
from armybuilder.exchange.pasting.blocks import Block, UnitRead
from armybuilder.exchange.pasting.editions import edition_meant
from armybuilder.exchange.pasting.entries import points_lead, read_entry
from armybuilder.exchange.pasting.game import game_of, unit_names
from armybuilder.exchange.pasting.head import (
    HeadChoice,
    OtherBook,
    counts_units,
    is_heading,
    read_setting,
    size_in,
)
from armybuilder.exchange.pasting.items import PastedForm, is_full, read_form, size_of, total_of
from armybuilder.exchange.pasting.own_models import tells_rules
from armybuilder.exchange.pasting.results import PastedLine, PastedList
from armybuilder.exchange.pasting.rows import PastedItem, PastedRow, read_rows
from armybuilder.exchange.pasting.splitting import TextPart
from armybuilder.exchange.pasting.units import PastedUnitReader
from armybuilder.loading.armylist import ArmyList, ListBook, ListUnit, with_settings
from armybuilder.loading.deadline import check
from armybuilder.loading.documents import judge_by
from armybuilder.loading.library import Library
from armybuilder.loading.limits import MAX_LIMIT, MAX_NAME, MAX_NOTES, MAX_UNITS
from armybuilder.loading.naming import named_after
from armybuilder.loading.problems import Refusal

#: What stands below a unit and belongs to it.
_BELOW = ("detail", "unit note", "taken")
#: How much of a game's size a list has at least that is one of this size, and at most: one of a few
#: points more is over it, not half of the next.
_FILLED, _OVERFULL = 0.9, 1.05


def read_text(
    text: str,
    library: Library,
    system_id: str | None = None,
    book_ids: Sequence[str] = (),
    more_books: Sequence[OtherBook] = (),
    choices: Mapping[str, str] | None = None,
    about: TextPart | None = None,
) -> PastedList:
    """Read the list in a text, by the chosen game and books, else by those found in it.
    `more_books` may be meant too. `choices` are the player's for this text: "unit-12" (a ref),
    "piece-12-0" (an option's address); "-" leaves out. `about`: what is known of it as one of
    several. Raises Refusal where the text is too long, has too many units, or the game is not here.
    """
    rows = read_rows(text)
    if not any(row.text for row in rows):
        raise Refusal(say("Paste a list first."))
    form = read_form(rows, library)
    chosen = game_of(form, library, system_id, book_ids, more_books)
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
    part: TextPart,
    library: Library,
    system_id: str | None = None,
    book_ids: Sequence[str] = (),
    more_books: Sequence[OtherBook] = (),
) -> PastedList:
    """Read one of the lists in a text, by the chosen game and books, else by those that it, or a
    heading above it, names. Raises Refusal as `read_text` does.
    """
    if not book_ids and part.chosen.books and system_id in (None, part.chosen.system):
        chosen = part.chosen if system_id else game_of_part(part, library)
        system_id, book_ids = chosen.system, chosen.books
    return read_text(part.text, library, system_id, book_ids, more_books, about=part)


def game_of_part(part: TextPart, library: Library) -> HeadChoice:
    """Return the game and books that one of the lists in a text, or a heading above it, names: of
    several games with the book the one that is meant.
    """
    form = read_form(read_rows(part.text), library)
    return _edition(part.chosen, part.text, form, library, part.heading)


def game_in(
    text: str,
    library: Library,
    system_id: str | None = None,
    book_ids: Sequence[str] = (),
    more_books: Sequence[OtherBook] = (),
) -> HeadChoice:
    """Return the game and books that `read_text` would read the same text by."""
    form = read_form(read_rows(text), library)
    chosen = game_of(form, library, system_id, book_ids, more_books)
    return chosen if system_id else _edition(chosen, text, form, library)


def _edition(
    chosen: HeadChoice, text: str, form: PastedForm, library: Library, heading: str = ""
) -> HeadChoice:
    """Return the game that is meant of several that have the book."""
    told = [heading, *(item.text for item in form.items if item.text)]
    return edition_meant(
        chosen,
        told,
        unit_names(form),
        library,
        lambda one: read_text(text, library, one.system, one.books),
    )


class _Text:
    """One text on its way to a list."""

    def __init__(
        self,
        rows: Sequence[PastedRow],
        form: PastedForm,
        catalogue: Catalogue,
        chosen: HeadChoice,
        choices: Mapping[str, str],
        about: TextPart | None,
    ) -> None:
        self.rows = rows
        self.form = form
        self.catalogue = catalogue
        self.chosen = chosen
        self.settings: dict[str, SettingValue] = {}
        self.ours = form.numbers is not None
        self.full = self.ours and is_full(rows)
        self.rules_told = tells_rules(item.text for item in form.items if item.kind == "detail")
        self.heads = {
            item.numbers[0]: self._head(item)
            for item in form.items
            if item.kind in ("head", "maybe")
        }
        told = self._told_size()
        self.tells_size = bool(told)
        self.limit = told or self._usual(self._printed() or 0)
        self.reader = PastedUnitReader(catalogue, self.limit, self.settings, choices)
        self.notes: list[str] = []
        self.name = about.name if about else ""
        self.preface = about.preface if about else 0

    def _head(self, item: PastedItem) -> PastedLine | None:
        """Return the line of a game or setting; None where it is neither."""
        raw = self.rows[item.numbers[0] - 1].raw
        system = self.catalogue.system
        book = next((one for one in self.catalogue.books if one.name == item.text), None)
        if book is not None and not self.ours:
            return PastedLine(item.numbers[0], raw, "game", name=book.name)
        rest = item.text.removeprefix(system.name)
        if rest != item.text and rest[:1] in ("", ":", ","):
            if self.ours and self.chosen.missing:
                missing = ", ".join(map(quote, self.chosen.missing))
                return PastedLine(item.numbers[0], raw, "books", name=missing, value=None)
            return PastedLine(item.numbers[0], raw, "game", name=system.name)
        setting = read_setting(item.text, self.catalogue)
        if setting is None:
            return None
        what, value = setting
        if value is None and self.full:
            return None  # what the rules count goes by the same name there
        if value is not None and value != what.default:
            self.settings[what.id] = value
        said = None if value is None else item.text.partition(":")[2].strip()
        return PastedLine(item.numbers[0], raw, "setting", name=what.name, value=said)

    def _told_size(self) -> int:
        """Return the size of the game as the text tells it, alone or in its first lines, or 0."""
        if (count := self.form.numbers) is not None:
            return max(1, min(count.limit, MAX_LIMIT))
        system = self.catalogue.system
        first = [item.text for item in self.form.items if item.kind not in ("empty", "total")][:2]
        sizes = (size_of(item.text) for item in self.form.items if item.kind == "total")
        told = next((size for size in sizes if size), 0)
        return min(told, MAX_LIMIT) or size_in(
            [text for text in first if not counts_units(text)], system
        )

    def _usual(self, total: int) -> int:
        """Return the usual size that the points of a list fill, or go beyond by a little."""
        system = self.catalogue.system
        fitting = [size for size in sorted(system.sizes) if total and size * _OVERFULL >= total]
        return fitting[0] if fitting else max(total, system.default_size)

    def _size_of_units(self, units: Sequence[ListUnit]) -> int:
        """Return the size of a list of which the text tells neither size nor total: the one that
        its units nearly fill, else the usual one.
        """
        spent = judge_by(self._document(units), self.catalogue).report.spent
        size = self._usual(spent)
        return size if spent >= _FILLED * size else self.limit

    def _printed(self) -> int | None:
        """Return the points of the whole list in the text."""
        if self.form.numbers is not None:
            return self.form.numbers.spent
        if self.form.total is not None:
            return self.form.total
        totals = [total_of(item.text) for item in self.form.items if item.kind == "total"]
        return next((total for total in reversed(totals) if total), None)

    def reading(self) -> PastedList:
        """Return the text as it was read."""
        lines = {line.number: line for line in self._lines()}
        for item in self.form.items:
            for number in item.numbers[1:]:
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
        if units and not self.tells_size and not self._printed():
            self.limit = self._size_of_units(units)
        document = self._document(units)
        reading = PastedList(
            lines=tuple(ordered),
            system=self.catalogue.system.id,
            books=tuple(book.id for book in self.catalogue.books),
            told=self.chosen.told,
            document=document,
            catalogue=self.catalogue,
            printed=self._printed(),
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
        items = self.form.items
        place = 0
        while place < len(items):
            item = items[place]
            number, raw = item.numbers[0], self.rows[item.numbers[0] - 1].raw
            place += 1
            check()
            head = self.heads.get(number)
            if head is not None and self._is_head(head, item):
                yield head
            elif item.kind == "unit":
                end = self._end(place)
                yield PastedLine(number, raw, "unit", self._unit(item, items[place:end]))
                yield from self._below(items[place:end])
                place = end
            elif item.kind == "maybe":
                line = self._maybe(item)
                if line.unit is not None and line.unit.entry is not None:
                    below = self._set_in(item, line.unit, place)
                    if below:
                        line = replace(line, unit=self._unit(item, (), below))
                    yield line
                    yield from self._below(below)
                    place += len(below)
                else:
                    yield line
            else:
                yield self._other(item, raw)

    def _is_head(self, head: PastedLine, item: PastedItem) -> bool:
        """Return whether a line is what it may be above the units, and not a unit of that name."""
        return (
            item.kind == "head"
            or head.kind in ("game", "books")
            or not self.reader.knows(item.text)
        )

    def _end(self, place: int) -> int:
        """Where the details of a unit end."""
        items = self.form.items
        while place < len(items) and items[place].kind in _BELOW:
            place += 1
        return place

    def _below(self, items: Sequence[PastedItem]) -> Iterator[PastedLine]:
        for item in items:
            kind = "taken" if item.kind == "maybe" else item.kind
            yield PastedLine(item.numbers[0], self.rows[item.numbers[0] - 1].raw, kind)

    def _unit(
        self, item: PastedItem, below: Sequence[PastedItem], taken: Sequence[PastedItem] = ()
    ) -> UnitRead:
        details = tuple(one.text for one in below if one.kind == "detail")
        notes = tuple(one.text for one in below if one.kind == "unit note")
        more = tuple(one.text for one in (*below, *taken) if one.kind in ("taken", "maybe"))
        block = Block(
            number=item.numbers[0],
            text=item.text,
            details=details,
            notes=notes,
            more=more,
            ours=self.ours,
            full=self.full,
            rules_told=self.rules_told,
        )
        read = self.reader.read(block)
        if read.entry is None:
            self.notes.append(item.text)
        return read

    def _set_in(self, item: PastedItem, unit: UnitRead, place: int) -> list[PastedItem]:
        """Return the lines below a unit, set in deeper, that name what it takes."""
        found = []
        for one in self.form.items[place:]:
            fits = one.kind == "maybe" and one.level > item.level
            if not fits or not self.reader.options_in(unit, one.text):
                break
            found.append(one)
        return found

    def _maybe(self, item: PastedItem) -> PastedLine:
        """Return a line of a text that is no form of ours."""
        number, raw = item.numbers[0], self.rows[item.numbers[0] - 1].raw
        text = " ".join(item.text.split())
        if self.reader.knows(text):
            return PastedLine(number, raw, "unit", self._unit(item, ()))
        if number <= self.preface:
            return PastedLine(number, raw, "heading")
        entry = read_entry(text)
        counted = entry.models > 0 and (entry.points is not None or "," in text)
        counted |= points_lead(text)
        if not self.name and not counted and self._first(item):
            self.name = text
            return PastedLine(number, raw, "title", name=text)
        if is_heading(text, self.catalogue.books):
            return PastedLine(number, raw, "heading")
        if entry.points is not None or entry.models:
            return PastedLine(number, raw, "unit", self._unit(item, ()))
        self.notes.append(item.text)
        return PastedLine(number, raw, "unread")

    def _first(self, item: PastedItem) -> bool:
        """Return whether nothing but empty lines stands above."""
        return all(one.kind == "empty" for one in self.form.items if one.numbers < item.numbers)

    def _other(self, item: PastedItem, raw: str) -> PastedLine:
        number = item.numbers[0]
        if item.kind == "title":
            self.name = (not self.ours and self.name) or " ".join(item.text.split())
            return PastedLine(number, raw, "title", name=self.name)
        if item.kind == "list note":
            self.notes.append(item.text)
        titled = item.kind == "heading" and not self.ours and not self.name and self._first(item)
        if titled and not is_heading(item.text, self.catalogue.books):
            self.name = " ".join(item.text.split())
            return PastedLine(number, raw, "title", name=self.name)
        if item.kind == "head":
            return PastedLine(number, raw, "finding" if ": " in item.text else "told")
        return PastedLine(number, raw, item.kind)


def _priced(reading: PastedList) -> Iterator[PastedLine]:
    """Yield the lines with the points that their units have in the whole list."""
    report = reading.report
    points = {} if report is None else {
        line.pick.id: line.points for line in report.full.lines if line.unit.price.start is not None
    }  # fmt: skip
    number = 0
    for line in reading.lines:
        if line.unit is None or line.unit.entry is None:
            yield line
            continue
        number += line.unit.times
        yield replace(line, unit=replace(line.unit, computed=points.get(f"u{number}")))
