"""One text on its way to a list: each of its lines, and the document that they make."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import takewhile

from armybuilder.engine.catalogue import Catalogue
from armybuilder.engine.roster import SettingValue
from armybuilder.engine.units import Unit
from armybuilder.engine.wording import quote, say
from armybuilder.exchange.pasting import entries, head
from armybuilder.exchange.pasting.chosen_settings import read_setting, read_traits
from armybuilder.exchange.pasting.head import HeadChoice
from armybuilder.exchange.pasting.lines import PastedForm, total_in
from armybuilder.exchange.pasting.names import without_aside
from armybuilder.exchange.pasting.own_forms import is_full
from armybuilder.exchange.pasting.own_models import tells_rules
from armybuilder.exchange.pasting.parts import number_in, pieces, shape, with_digits
from armybuilder.exchange.pasting.results import PastedLine, PastedList, UnitRead
from armybuilder.exchange.pasting.rows import PastedRow
from armybuilder.exchange.pasting.splitting import PastedPart
from armybuilder.exchange.pasting.units import Block, PastedUnitReader, unit_priced
from armybuilder.loading.armylist import ArmyList, ListBook, ListUnit, with_settings
from armybuilder.loading.deadline import check, checked
from armybuilder.loading.documents import judge_by, named_after
from armybuilder.loading.limits import MAX_LIMIT, MAX_NAME, MAX_NOTES, MAX_UNITS
from armybuilder.loading.problems import Refusal

#: Kinds of lines below a unit that belong to it, and those the unit has.
_BELOW = ("detail", "unit note", "taken")
_TAKEN = ("maybe", "price")
#: Words above the units that are not a game size.
_UNTITLED = ("empty", "count", "verdict", "list note", "unit note", "repeated")
#: "Warband: Iron Ravens"
_CALLED = shape(r"^(?:warband|army|list|team|roster|band|name)(?:\s+name)?\s*[:=]\s*")
#: "Game: Song of Blades and Heroes"
_GAME = re.compile(r"^(?:game(?:\s*system)?|system|rules(?:et)?)\s*:\s*", re.I)
_PLAYER = shape(r"(?:<player>|faction|race|alignment|theme)\s*:")
#: Lines below a heading that are looked through for its units.
_SECTION = 40
#: Kinds of lines that may have the game size.
_TITLES = 3
#: The same with a word before it, above the units: "Points: 60".
_LABELLED_SIZE = shape(
    r"(?:game\s)?(?:<points>|size|limit)(?:\s(?:limit|value))?\W*[:=]\W*<large>\W*"
)
#: "100pt warband": a title that begins with the size of the game.
_SIZED_TITLE = shape(r"\d{2,5}\s?-?<points>\s+(?:<list>|game)\b")
_SIZED = shape(r"(\d{2,5})\s?-?<points>\s+")
_SIZES = shape(r"(?<!\w)(?P<number><number>)\s?<points>?")
#: What parts settings on one line: "Faction: Thalos | Points: 75".
_BETWEEN_SETTINGS = re.compile(r"\s*[|;]\s*|[,.]\s+(?=\w[\w ]{1,20}\s?[:=])")
#: Unknown lines in a row below a unit, at most; and a line there that has its points alone.
_UNKNOWN_BELOW = 5
_POINTS_BELOW = shape(r"\W*(?:<label>)?(?P<points>\d{1,4})\s*<points>?\W*")
#: A line of the game's size alone.
_SIZE = shape(r"\W*\d[\d., ]*\s*<points>?\W*(?:<each>|(?:per|a|each) (?:side|player))?\W*")


class PastedText:
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
        self.notes: list[str] = []
        self.reader = PastedUnitReader(catalogue, 0, self.settings, choices)
        if catalogue.system.own_models and form.numbers is None:
            form = replace(form, rows=tuple(self.reader.profiles.rows(form.rows)))
            self.reader.profiles.weigh(form.rows)
        self.form = form = replace(form, rows=tuple(self._with_headings(form.rows)))
        self.ours = form.numbers is not None
        if not (self.ours or catalogue.system.sized):
            self.reader.weigh(row.words for row in form.rows if row.kind == "maybe")
        self.full = self.ours and is_full(rows)
        self.rules_told = tells_rules(row.text for row in form.rows if row.kind == "detail")
        self.above = self._titles()
        self.heads = {
            row.number: self._head(row, row in self.above)
            for row in form.rows
            if row.kind in ("head", "maybe")
        }
        totals = [row for row in form.rows if row.kind == "total" and row not in self.above]
        sums = [total for row in totals if (total := total_in(row.words))]
        printed = self._grand_total([one.spent for one in sums if one.spent]) or form.total
        titles = head.points_in((row.text for row in self.above), catalogue.system, printed or 0)
        if not printed and self._is_size(titles.spent):
            titles = head.TitledPoints(titles.spent, True)
        self.printed = printed or titles.spent or None
        most = head.OUT_OF_REACH * max(catalogue.system.sizes)
        sizes = (total.size for total in sums if (total.size or 0) <= most)
        size = _first(sizes) or titles.size or (about.size if about else 0)
        left = _first(total.left for total in sums)
        if left and self.printed and not size:
            size = self.printed + left
        #: Whether the size may be a number that means something else.
        self.doubts_size = 0 < size == titles.size and not titles.sure
        if form.numbers is not None:
            self.printed, size = form.numbers.spent, max(1, form.numbers.limit)
        self.tells_size = bool(size)
        system, spent = catalogue.system, self.printed or 0
        usual = head.fitting_size(spent, system) or max(spent, system.default_size)
        self.limit = min(size, MAX_LIMIT) or usual
        self.reader.priced.limit = self.limit
        self.name = about.name if about else ""
        self.preface = about.preface if about else 0

    def _head(self, row: PastedRow, titled: bool) -> PastedLine | None:
        system = self.catalogue.system
        for book in self.catalogue.books if not self.ours else ():
            if row.text in (book.name, without_aside(book.name)):
                return _line(row, "game", name=book.name)
        if titled and not self.ours and self._is_army(row) and self.reader.knows(row.words):
            return _line(row, "game", name=row.words)
        text = _GAME.sub("", row.text)
        rest = text.removeprefix(system.name)
        if rest != text and rest[:1] in ("", ":", ","):
            if self.ours and self.chosen.missing:
                missing = ", ".join(map(quote, self.chosen.missing))
                return _line(row, "books", name=missing, value=None)
            return _line(row, "game", name=system.name)
        setting = read_setting(row.text, self.catalogue)
        if setting is None or setting[1] is None:
            labelled = titled or setting is not None
            if labelled and (traits := read_traits(row.text, self.catalogue)):
                self.settings |= {one.id: value for one, value in traits if one}
                return _line(row, "count")
        if titled and self._settings_in(row.text):
            return _line(row, "count")
        if setting is None:
            return None
        what, value = setting
        if value is None and self.full:
            return None  # what the rules count goes by the same name there
        if value is not None and value != what.default:
            self.settings[what.id] = value
        said = None if value is None else row.text.partition(":")[2].strip()
        return _line(row, "setting", name=what.name, value=said)

    def _settings_in(self, text: str) -> bool:
        """Return whether a line has settings beside something else; all of it is kept."""
        parts = _BETWEEN_SETTINGS.split(text)
        settings: dict[str, SettingValue] = {}
        rest: list[str] = []
        for part in parts if parts[1:] else ():
            setting, traits = read_setting(part, self.catalogue), read_traits(part, self.catalogue)
            bare = head.title_words(_SIZES.sub(" ", part))
            if setting and setting[1] is not None:
                settings[setting[0].id] = setting[1]
            elif traits:
                settings |= {one.id: value for one, value in traits if one}
            elif head.without_game(bare, self.catalogue.system).strip():
                rest.append(part)
        self.settings |= settings
        self.notes += rest if settings else ()
        return bool(settings)

    def _titles(self) -> list[PastedRow]:
        """Return the lines above the first unit that may give the size of the game."""
        titles: list[PastedRow] = []
        for row in self.form.rows:
            number = _LABELLED_SIZE.fullmatch(row.words) is not None or (
                row.words[:1].isdigit()
                and (
                    _SIZE.fullmatch(row.words) is not None
                    or bool(read_traits(row.words, self.catalogue))
                )
            )
            if row.kind in _UNTITLED or (row.kind == "total" and not number):
                continue
            sized = self._is_sized_title(row)
            named = number or sized or self._is_army(row)
            if len(titles) == _TITLES or (not named and self._is_unit(row)):
                break
            if not (head.is_category(row.text, self.catalogue.books) or head.is_section(row.words)):
                titles.append(row)
        return titles

    def _is_sized_title(self, row: PastedRow) -> bool:
        """Return whether a line begins with the game's size: "100pt warband", "300 pts Orcs"."""
        size = _SIZED.match(row.words)
        usual = size is not None and int(size[1]) in self.catalogue.system.sizes
        named = usual and self._is_first(row) and not self.reader.knows(row.words)
        return named or _SIZED_TITLE.match(row.words) is not None

    def _is_unit(self, row: PastedRow) -> bool:
        certain = row.kind in ("unit", "profile")
        # Units begin with a number, titles seldom.
        counted = row.text[:1].isdigit() and not row.text.strip().isdigit()
        counted |= certain or entries.points_lead(row.words)
        unmarked = (rest for _mark, rest in entries.without_mark(row.words))
        return counted or any(map(self.reader.knows, (row.words, *unmarked)))

    def _is_army(self, row: PastedRow) -> bool:
        """Return whether a line has the name of the army alone, or with a game's size."""
        system, text = self.catalogue.system, row.words[:MAX_NAME]
        numbers = (number_in(size["number"]) for size in _SIZES.finditer(text))
        sized = all(3 * number >= min(system.sizes) for number in numbers)
        bare = head.without_game(head.title_words(_SIZES.sub(" ", text)), system)
        books = self.catalogue.books
        return sized and bare in {head.title_words(without_aside(book.name)) for book in books}

    def _with_headings(self, rows: Sequence[PastedRow]) -> list[PastedRow]:
        """Return the rows, those above units of a kind as headings: "Troops", "Archers (120)".

        A heading that names a unit is one; lines right below a unit with its options belong to it
        as if they were set in.
        """
        found: list[PastedRow] = []
        prices: list[int] = []
        unit: Unit | None = None
        level = bare = priced = 0
        for place, row in enumerate(checked(rows)):
            named = self.reader.unit_named(row.words) if row.kind in ("maybe", "heading") else None
            if row.kind == "maybe" and place and self._heads_units(rows, place):
                row, unit = replace(row, kind="heading"), None
            elif named and not head.is_section(row.words):
                entry, below = self.reader.entry_of(row.words), row.level + row.bullet > level
                if unit is named and below and entry.models and entry.points is None and priced:
                    row = replace(row, level=level + 1)  # "Spears [420 pts]:", "• 30x Spear"
                else:
                    row, unit, level = replace(row, kind="maybe"), named, row.level + row.bullet
                    priced = entry.points is not None and not entry.models
                    bare += entry.points is None
            elif unit and row.kind in ("total", "maybe") and _POINTS_BELOW.fullmatch(row.words):
                prices.append(place)
                unit = None
            elif unit and row.kind == "maybe" and self._is_of(unit, row):
                row = replace(row, level=max(row.level, level + 1))
            elif row.kind != "maybe" or row.level <= level:
                unit = None
            found.append(row)
        if 1 < len(prices) == bare:
            for place in prices:
                found[place] = replace(found[place], kind="price")
        return found

    def _is_of(self, unit: Unit, row: PastedRow) -> bool:
        if any(self.reader.knows(rest) for _mark, rest in entries.without_mark(row.words)):
            return False
        entry = entries.read_entry(row.words)
        alone = entry.points is None and not entry.models
        taken = alone and self.reader.options_in(unit, next(iter(pieces(row.text)), ""))
        return taken or entries.models_in(row.words) > 0

    def _heads_units(self, rows: Sequence[PastedRow], place: int) -> bool:
        """Return whether a line names a kind of units, or has the points of several units below."""
        entry = entries.read_entry(rows[place].words)
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
        """Return the total points from the totals of a text: the last, the first, or their sum.

        It is the last unless the others match the units' printed points.
        """
        stated = sum(map(self._stated, self.form.rows)) if len(totals) > 1 else 0
        grand = next((one for one in (sum(totals), totals[0]) if one == stated), 0) if stated else 0
        return grand or next(reversed(totals), None)

    def _stated(self, row: PastedRow) -> int:
        """Return the points that a row says of a unit, 0 of none."""
        if row.kind == "profile" and (written := self.reader.profiles.read(row.text)):
            return written.prices.meant(None)[1] or 0
        texts = (row.words, *(rest for _mark, rest in entries.without_mark(row.words)))
        for text in texts if row.kind in ("unit", "maybe") else ():
            if self.reader.knows(text):
                entry = self.reader.entry_of(text)
                return (entry.printed or 0) * entry.times
        return 0

    def _is_size(self, points: int) -> bool:
        """Return whether points in a title are the game's: the units have nearly as many."""
        system = self.catalogue.system
        if system.own_models or head.least_points(system, system.default_size) or not points:
            return False
        return points > sum(map(self._stated, self.form.rows)) >= head.FILLED * points

    def _size_spent(self, units: Sequence[ListUnit], lines: Sequence[PastedLine]) -> int:
        """Return the size of a game that the text lacks, by the units' points."""
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
            raise Refusal(
                say("The text has too many units; the maximum is {most}.", most=MAX_UNITS)
            )
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
                yield _line(detail, "taken" if detail.kind in _TAKEN else detail.kind)
            place += len(below)

    def _unit(self, row: PastedRow, below: Sequence[PastedRow] = ()) -> PastedLine:
        def texts(*kinds: str) -> tuple[str, ...]:
            return tuple(line.text for line in below if line.kind in kinds)

        price = next((below.words for below in below if below.kind == "price"), "")
        points = _POINTS_BELOW.fullmatch(price)
        block = Block(
            number=row.number,
            text=f"{row.text}, {points['points']} pts" if points else row.text,
            details=texts("detail"),
            notes=texts("unit note"),
            more=texts("taken", "maybe"),
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
        """Return the lines below a unit, set in deeper: its options, and notes on it.

        Unknown lines among them are kept with them.
        """

        def is_taken(below: PastedRow) -> bool:
            known = self.catalogue.units.get(unit.chosen)
            return entries.models_in(below.words) > 0 or (
                known is not None and self.reader.options_in(known, below.text)
            )

        found: list[PastedRow] = []
        unknown: list[PastedRow] = []
        for below in self.form.rows[place:]:
            deeper = below.kind == "maybe" and below.level > row.level
            if below.kind in ("unit note", "price") or (deeper and is_taken(below)):
                found, unknown = [*found, *unknown, below], []
            elif deeper and len(unknown) < _UNKNOWN_BELOW and not self.reader.knows(below.words):
                unknown.append(below)
            else:
                break
        return found

    def _maybe(self, row: PastedRow, below: Sequence[PastedRow] = ()) -> PastedLine:
        rest, state = entries.without_state(row.text)
        if state and (row.kind == "profile" or self.reader.knows(rest)):
            note = replace(row, kind="unit note", text=state)
            return self._unit(replace(row, text=rest), [note, *below])
        text = row.words
        if row.kind == "profile" or self.reader.knows(text):
            return self._unit(row, below)
        entry = entries.read_entry(text if self._is_first(row) else with_digits(text))
        titled = bool(entry.points) and entry.points in (self.limit, self.printed)
        titled &= row in self.above
        army = self._is_army(row)
        if titled and not (self._is_first(row) or army):
            self.name = entry.words
            return _line(row, "title", name=self.name)
        for mark, rest in () if titled or army else entries.without_mark(text):
            if self.reader.knows(rest) or (mark.isupper() and entries.points_lead(rest)):
                kind = "taken" if self.reader.roles.known(mark).values else "unit note"
                headed = head.is_heading(mark, self.catalogue.books)
                kept = [] if headed else [replace(row, kind=kind, text=mark)]
                return self._unit(replace(row, text=rest), [*kept, *below])
        counted = entry.models > 0 and (entry.points is not None or "," in text)
        counted |= entries.points_lead(text)
        if row.number <= self.preface and not counted:
            return _line(row, "heading")
        behind = any(entries.number_behind(name)[1] for name, _rest in entries.cuts(entry.words, 0))
        counted |= behind and self.reader.may_mean(entry.words)
        counted &= not (self._is_first(row) and self._is_sized_title(row))
        stated = entry.points not in (None, self.limit, self.printed) and not army
        counted |= stated and self.reader.may_mean(entry.words)
        if row in self.above and _CALLED.match(text):
            self.name = _CALLED.sub("", text)
            return _line(row, "title", name=self.name)
        if not self.name and not counted and self._is_first(row):
            total = self.catalogue.system.own_models and entry.points == self.printed
            self.name = _CALLED.sub("", entry.words if total and entry.words else text) or text
            return _line(row, "title", name=self.name)
        if head.is_heading(text, self.catalogue.books) or army:
            return _line(row, "heading")
        if re.sub(r"\D", "", text) == str(self.limit) and _SIZE.fullmatch(text):
            return _line(row, "count")
        if entry.points is not None or entry.models or counted:
            return self._unit(row, below)
        self.notes.append(row.text)
        return _line(row, "list note" if _PLAYER.match(text) else "unread")

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
            return _line(row, "finding" if ": " in row.text else "repeated")
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
