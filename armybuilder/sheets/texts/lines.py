"""A list as lines of units, which forms put their marks on, and the whole sheet as plain text."""

import textwrap
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from itertools import chain, groupby

from django.utils.translation import gettext as _

from armybuilder.engine import Severity
from armybuilder.engine.verdict import Counts, verdict_words
from armybuilder.engine.vocabulary import Table
from armybuilder.loading.deadline import checked
from armybuilder.sheets.content.structure import UNCHECKED, Division, Sheet, SheetEntry
from armybuilder.sheets.content.unit_view import StatRow, UnitView, Uses

#: What a form may say beside units, options and points: statistics, special rules, where these
#: stand in the books, notes.
PARTS = ("stats", "rules", "pages", "notes")
ALL = frozenset(PARTS)
_NO_QUOTES = str.maketrans("“”", '""')


def quoted(own: str) -> str:
    """Return the player's name for a unit in quotation marks, which it has none of itself."""
    return f"“{own.translate(_NO_QUOTES)}”"


@dataclass(frozen=True, slots=True)
class Detail:
    """A detail of a unit, and its part; `name` "" if it needs none."""

    name: str
    text: str
    part: str = "rules"

    @property
    def said(self) -> str:
        """Such as "Special rules: Leader, Tough"."""
        return ": ".join(filter(None, (self.name, self.text)))


@dataclass(frozen=True, slots=True)
class UnitLine:
    """A unit; `own` is the player's name, `items` what open lists leave out."""

    number: int
    name: str
    own: str
    letter: str
    taken: tuple[str, ...]
    items: tuple[str, ...]
    points: str
    details: tuple[Detail, ...]
    notes: str

    @property
    def head(self) -> str:
        """Number and name: "17 Guard"."""
        return f"{self.number} {self.name}"

    @property
    def known_as(self) -> str:
        """Return the text after the name up to the first comma: " “The Old Guard” [B]", or ""."""
        own = f" {quoted(self.own)}" if self.own else ""
        return own + (f" [{self.letter}]" if self.letter else "")

    def said(self, points: bool = True) -> str:
        """Return the whole line: "17 Guard, Standard Bearer, Red Banner, 500"."""
        cost = (self.points,) if points else ()
        return ", ".join((self.head + self.known_as, *self.taken, *self.items, *cost))


def notes(text: str) -> Iterator[str]:
    """Yield the lines of notes, each with a word before it by which a reader knows it."""
    return (f"{_('Notes')}: {line}" for line in text.split("\n") if line.strip())


def groups(
    sheet: Sheet, parts: AbstractSet[str] = ALL - {"pages"}
) -> Iterator[tuple[str, list[UnitLine]]]:
    """Yield the units of each category, with those `parts`, under its title ("" without any)."""
    made = _Lines(sheet, parts)
    parts_of_list = sheet.army.divisions if sheet.army else (Division("", sheet.cards),)
    for division in parts_of_list:
        units = checked(division.units)
        yield division.title, [made.unit(unit, sheet.kind == "open") for unit in units]


def head(sheet: Sheet, points: bool = True) -> Iterator[str]:
    """Yield the lines that identify the list and give its verdict."""
    yield sheet.title
    # The verdict without points, which stand on a line of their own; then an event's.
    text = sheet.verdict
    if sheet.legal and sheet.kind != "open":
        numbers = Counter(finding.severity for finding in sheet.findings)
        counts = Counts(0, 0, numbers[Severity.WARNING], numbers[UNCHECKED])
        text = f"{verdict_words(counts)}."
    event = sheet.at_event.said if sheet.at_event else ""
    yield " · ".join(filter(None, (text.removesuffix("."), event, sheet.reservation))) + "."
    price = sheet.price if points else _("Game of {limit} points").format(limit=sheet.limit)
    yield f"{price}, {sheet.models}, #{sheet.hash}"
    yield f"{sheet.system}: {'; '.join(sheet.books)}"


def settings(sheet: Sheet) -> Iterator[str]:
    return (f"{setting.name}: {setting.text}" for setting in sheet.settings)


def findings(sheet: Sheet) -> Iterator[str]:
    """Return a line for each finding, gravest first."""
    for found in sheet.findings:
        yield f"{found.word.upper()}: {found.sentence} [{found.citation}]"


def _stats(row: StatRow) -> str:
    return "  ".join(f"{cell.label} {cell.value}" for cell in row.cells)


class _Lines:
    """The text of a sheet's units: those `parts` of it."""

    def __init__(self, sheet: Sheet, parts: AbstractSet[str]) -> None:
        self.parts = parts
        self.places = places(sheet) if "pages" in parts else {}

    def unit(self, unit: UnitView, letters: bool) -> UnitLine:
        rules = _("Rules") if unit.sized else _("Keywords")
        details = [
            *(Detail(row.name, _stats(row), "stats") for row in unit.rows),
            *(Detail(weapon.label, weapon.figures, "stats") for weapon in unit.weapons),
            Detail(rules, self._rules(unit.rules)),
            Detail(_("Special rules"), self._rules(use.label for use in unit.abilities)),
            Detail(_("Spells"), ", ".join(use.label for use in unit.spells)),
            *(Detail(part.name, line) for part in unit.texts for line in part.lines),
        ]
        marks = unit.marks if unit.sized else unit.roles
        taken = [option.name for option in unit.options if option.name not in marks]
        taken += [unit.wizard.path] if unit.wizard and unit.wizard.path else []
        if unit.own and "stats" not in self.parts:  # No book tells it again.
            taken += [f"{stat.label}{stat.value}" for stat in unit.stats]
            taken += [use.label for use in unit.abilities]
        return UnitLine(
            number=unit.models,
            name=f"{unit.unit_name or unit.name} ({unit.book})".removesuffix(" ()"),
            own=unit.name if unit.unit_name else "",
            letter=unit.letter if letters else "",
            taken=(*marks, *filter(None, taken)),
            items=tuple(option.name for option in unit.items if option.name),
            points=str(unit.points) if unit.priced and unit.points is not None else "?",
            details=self._told(details),
            notes=unit.notes if "notes" in self.parts else "",
        )

    def _told(self, details: Iterable[Detail]) -> tuple[Detail, ...]:
        return tuple(detail for detail in details if detail.text and detail.part in self.parts)

    def _rules(self, names: Iterable[str]) -> str:
        placed = []
        for name in names:
            # By the name of a rule, or the longest that it begins with.
            fitting = [known for known in self.places if f"{name} ".startswith(f"{known} ")]
            place = self.places[max(fitting, key=len)] if fitting else ""
            placed.append(f"{name} ({place})" if place else name)
        return ", ".join(placed)


def places(sheet: Sheet) -> Mapping[str, str]:
    """Return where special rules are in the books, unless just under their own names."""
    known = {entry.label: entry.citation for entry in sheet.glossary if entry.citation}
    return {name: place for name, place in known.items() if name not in place}


#: Columns of a line.
WIDTH = 80


def draw_text(sheet: Sheet) -> str:
    """Return the sheet in lines of at most 80 characters, each with a line end."""
    lines = [line.rstrip() for section in _sections(sheet) for line in (*section, "")]
    return "\n".join(lines[:-1]) + "\n"


def _sections(sheet: Sheet) -> Iterator[Iterable[str]]:
    """Yield the parts of the sheet that have something to say, in the order of the printed one."""
    yield _head(sheet)
    lines = []
    for line in sheet.findings:
        lines += _wrap(f"{line.sentence} [{line.citation}]", line.word.upper())
        lines += _wrap(line.reading, _("Our reading"), "  ") if line.reading else []
    yield from _titled(_("Findings"), lines)
    if army := sheet.army:
        shares = [
            _wrap(
                f"{share.points}, {share.per_cent} %, {share.bound}: {share.state_word}", share.name
            )
            for share in (*army.shares, army.total)
        ]
        left = _("Left: {points}").format(points=army.left)
        shares += [[left]] if army.left is not None else []
        yield from _titled(_("Categories"), chain(*shares))
    gauges = (
        _wrap(gauge.said, ", ".join(filter(None, (gauge.name, gauge.lineup))))
        for gauge in sheet.gauges
    )
    settings = (_wrap(setting.text, setting.name) for setting in sheet.settings)
    yield from _titled(_("Numbers"), chain(*gauges, *settings))
    lines = []
    for name, group in groupby(sheet.facts, lambda fact: fact.name):
        same = list(group)
        text = "; ".join(f"{fact.text} {fact.lineup}".strip() for fact in same)
        lines += _wrap(f"{text} [{same[0].citation}] {same[0].note}".strip(), name)
    yield from _titled(_("On game day"), lines)
    yield from _titled(_("Notes"), _notes(sheet.notes, "  "))
    if army is None:
        title = _("Units").upper()
        yield [title, "-" * len(title)]
    for card in checked(sheet.cards):
        yield _unit(card)
    for division in army.divisions if army else ():
        rows = [row for unit in checked(division.units) for row in _unit(unit)]
        yield from _titled(division.title, rows)
    for title, entries in (
        (_("Reminders"), sheet.remembered),
        (_("Special rules"), sheet.explained),
        (_("Spells"), sheet.spells),
        (_("Terrain and battlefield"), sheet.pieces),
    ):
        yield from _titled(title, chain.from_iterable(map(_entry, entries)))
    for table in sheet.tables:
        yield from _titled(table.name, _rows(table))


def _rows(table: Table) -> Iterator[str]:
    """Yield the headings of a table, then its rows; of several columns each cell has its own."""
    yield from _wrap("; ".join(table.columns[1:]), table.columns[0])
    for name, *cells in table.rows:
        pairs = [pair for pair in zip(table.columns[1:], cells, strict=True) if pair[1]]
        several = len(table.columns) > 2
        texts = (f"{column}: {cell}" if several else cell for column, cell in pairs)
        yield from _wrap("; ".join(texts), name)


def _titled(title: str, lines: Iterable[str]) -> Iterator[list[str]]:
    if below := list(lines):
        yield [title.upper(), "-" * len(title), *below]


def _wrap(text: str, name: str = "", indent: str = "") -> list[str]:
    """Return a paragraph "name: text", its further lines set in."""
    return textwrap.wrap(
        ": ".join(filter(None, (name, text))),
        WIDTH,
        initial_indent=indent,
        subsequent_indent=indent + "  ",
        break_on_hyphens=False,
    )


def _head(sheet: Sheet) -> Iterator[str]:
    yield from _wrap(sheet.title)
    yield "=" * min(len(sheet.title), WIDTH)
    yield from _wrap(", ".join((sheet.system, *sheet.books)))
    price = sheet.price
    if sheet.kind == "full":
        price = _("{number} of {most}").format(number=sheet.spent, most=sheet.limit)
    yield from _wrap(f"{sheet.points_name}: {price}, {sheet.models}, #{sheet.hash}")
    yield from _wrap(f"{sheet.reserved} {_('Checked on {day}.').format(day=sheet.day)}")
    if sheet.army:
        yield from _wrap(sheet.army.hint)


def _unit(unit: UnitView) -> Iterator[str]:
    """Yield such as "25 Citizen Spears, Standard Bearer, Musician (320)", and more set in."""
    title = (replace(unit, name=quoted(unit.name)) if unit.unit_name else unit).title
    about, options = (
        [unit.unit_name, unit.book, unit.about],
        [option.name for option in unit.options],
    )
    if unit.sized:
        taken = [name for name in options if name not in unit.marks]
        price = f" ({unit.price})" if unit.price else ""
        yield from _wrap(", ".join((title, *unit.marks, *taken)) + price)
        about = [_("Scoring") if unit.scoring else "", unit.condition, unit.armour, *about]
        options = []
    else:
        yield from _wrap(f"{title} — {unit.price}")
        about += unit.marks
    yield from _wrap("; ".join(filter(None, about)), "", "  ")
    for row in unit.rows:
        yield from _wrap(f"{_stats(row)} {row.note}".strip(), row.name, "  ")
    for weapon in unit.weapons:
        yield from _wrap(weapon.figures, weapon.label, "  ")
    for name, texts in (
        (_("Options"), options),
        (_("Items"), [option.name for option in unit.items]),
        (_("Comes with"), unit.given),
        (_("Rules") if unit.sized else _("Keywords"), unit.rules),
        (_("Special rules"), map(_with_boxes, unit.abilities)),
        (_("Spells"), map(_with_boxes, unit.spells)),
        *((part.name, [line]) for part in unit.texts for line in part.lines),
    ):
        if text := ", ".join(texts):
            yield from _wrap(text, name, "  ")
    # A row of boxes per model; one row stands for all where they would be many.
    for track in unit.tracks:
        boxes, name = "□" * track.boxes, track.label
        text = "  ".join(f"{number} {boxes}" for number in unit.boxed)
        if unit.models == 1:
            text = boxes
        elif len(boxes) > WIDTH // 2 or unit.unboxed:
            text, name = _("{number} each").format(number=track.each), track.name
        yield from _wrap(text, name, "  ")
    if unit.wizard:
        yield from _wrap("____  " * unit.wizard.spells, unit.wizard.label, "  ")
    yield from _wrap("  ".join(f"{name}: ____" for name in unit.blanks), "", "  ")
    yield from _notes(unit.notes, "  ", _("Notes"))
    yield from _wrap(unit.remark, "", "  ")


def _with_boxes(use: Uses) -> str:
    return f"{use.label} {'□' * min(use.boxes, 20)}".strip()


def _notes(notes: str, indent: str, name: str = "") -> Iterator[str]:
    for line in notes.splitlines():
        yield from _wrap(line, name, indent)


def _entry(entry: SheetEntry) -> list[str]:
    citation = f"[{entry.citation}]" if entry.citation else ""
    return _wrap(" ".join(filter(None, (entry.summary, entry.note, citation))), entry.label)
