"""The parts of a PDF that an army has: categories, units, stat lines, and fields for a pen."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from reportlab.platypus import Flowable

from armybuilder.engine.verdict import Outcome
from armybuilder.engine.vocabulary import Table
from armybuilder.engine.wording import label
from armybuilder.sheets.content.setup import PageRoom
from armybuilder.sheets.content.structure import CategoryShare, Sheet, SheetArmy
from armybuilder.sheets.content.unit_view import StatRow, TakenLine, UnitView
from armybuilder.sheets.drawing.blocks import (
    COLUMN_GAP,
    Across,
    FullWidth,
    PdfSection,
    Stack,
    draw_sign,
)
from armybuilder.sheets.drawing.blocks import shares as shares_of
from armybuilder.sheets.drawing.tagged import Tag, content, element
from armybuilder.sheets.drawing.typeface import (
    BLACK,
    BOLD,
    GREY,
    LINE,
    Ink,
    printable,
    rule,
    stroke,
    tones_of,
    width_of,
    write,
    write_centred,
)
from armybuilder.sheets.drawing.words import Measured, PageBlock, WordRun, Words, broken, fit, small

#: The smallest letters, in points of a sheet: at its smallest scale they are 6 points on paper.
LEAST = 6.6
HEAD = Ink(size=LEAST, colour=GREY)
VALUE = Ink(BOLD, 7.4)
#: A field for a pen: its height in points, and what is known of it.
FIELD, FIELD_VALUE = 15, Ink(BOLD, 8.5)
NAME = Ink(size=7.4)


class Columns:
    """Widths in points of the statistics' columns, the same in every unit of an army.

    A column is as wide as its widest text; if that is more than `room` together, the widest give
    way.
    """

    GAP = 5.0
    ROOM = 205.0
    #: Widths of a text that columns keep to where room is short, the first that is enough.
    CAPS = (60, 50, 40, 36, 32, 30, 28, 26, 24, 22, 20)

    def __init__(self, army: SheetArmy, room: float = ROOM) -> None:
        self.stats = army.columns
        self.heads = [printable(column.short) for column in army.columns]
        rows = [row.values(army.columns) for unit in army.units for row in unit.rows]
        needs = [
            max((width_of(printable(row[number]), *VALUE[:2]) for row in rows), default=0)
            for number in range(len(self.heads))
        ]
        for cap in self.CAPS:
            self.widths = [
                self.GAP + max(width_of(head, *HEAD[:2]), min(need, cap))
                for head, need in zip(self.heads, needs, strict=True)
            ]
            self.total = sum(self.widths)
            if self.total <= room:
                break


def shrunk(text: str, ink: Ink, room: float) -> float:
    """Return the size at which printable text fits into `room` points, or the smallest."""
    wide = width_of(text, ink.font, ink.size)
    return ink.size if wide <= room else max(LEAST, ink.size * room / wide)


def in_lines(text: str, ink: Ink, room: float) -> tuple[str, ...]:
    """Return a value in one line, or in two where it fits in none: "8\" (10\")", "4, 5"."""
    if width_of(text, ink.font, LEAST) <= room:
        return (text,)
    start, mark, end = text.partition(", ") if ", " in text else text.partition(" (")
    first, second = (start + ",", end) if mark == ", " else (start, f"({end}")
    return (first, second) if mark else (fit(text, ink._replace(size=LEAST), room),)


@dataclass(eq=False)
class StatGrid(PageBlock):
    """A unit's stat lines below each other on a band, names at the left."""

    rows: Sequence[StatRow]
    columns: Columns

    LABELS = 9.4
    #: Height of a row, and of each further line of a name or a value in it.
    ROW, LINE = 10.0, 6.8

    def wrap(self, width: float, _height: float) -> tuple[float, float]:
        self.width = width
        self.names = [self._name(row.name) for row in self.rows]
        self.cells = [
            [
                in_lines(printable(value), VALUE, wide - 1) if value else ()
                for value, wide in zip(values, self.columns.widths, strict=True)
            ]
            for values in (row.values(self.columns.stats) for row in self.rows)
        ]
        self.lines = [
            max(map(len, (name, *cells)))
            for name, cells in zip(self.names, self.cells, strict=True)
        ]
        more = self.LINE * (sum(self.lines) - len(self.lines))
        self.height = self.LABELS + self.ROW * len(self.rows) + more + 1.5
        return width, self.height

    def _name(self, name: str) -> tuple[str, ...]:
        """Return a name in one line, set smaller where that is enough, or in two."""
        room = self.width - self.columns.total - 6
        if width_of(printable(name), NAME.font, LEAST) <= room:
            return (printable(name),)
        small = NAME._replace(size=LEAST)
        first, *rest = broken(name, small, room)
        return (first, fit(" ".join(rest), small, room))

    def draw(self) -> None:
        canvas = self.canv
        canvas.setFillColor(tones_of(canvas).band)
        canvas.roundRect(0, 0, self.width, self.height, 2, stroke=0, fill=1)
        y = self.height - self.LABELS + 3
        room = self.width - self.columns.total - 6
        with element(canvas, "Table"):
            with element(canvas, "TR"):
                with element(canvas, "TD"):
                    pass  # above the names
                heads = [(head,) for head in self.columns.heads]
                self._draw_cells(heads, self.height - 7, HEAD, "TH")
            for name, cells, lines in zip(self.names, self.cells, self.lines, strict=True):
                y -= self.ROW
                with element(canvas, "TR"):
                    with content(canvas, "TH", "Row"):
                        for number, line in enumerate(name):
                            size = shrunk(line, NAME, room - 0.1) if len(name) == 1 else LEAST
                            low = y - number * self.LINE
                            write(canvas, 4, low, line, NAME._replace(size=size))
                    self._draw_cells(cells, y, VALUE, "TD")
                if not any(cells):  # a line to write on
                    rule(canvas, 4, y - 1, self.width - 4, 0.6, BLACK)
                y -= self.LINE * (lines - 1)

    def _draw_cells(self, cells: Sequence[tuple[str, ...]], y: float, ink: Ink, tag: Tag) -> None:
        x = self.width - self.columns.total
        for lines, width in zip(cells, self.columns.widths, strict=True):
            with content(self.canv, tag, "Column" if tag == "TH" else ""):
                for number, line in enumerate(lines):
                    size = shrunk(line, ink, width - 1) if len(lines) == 1 else LEAST
                    at = y - number * self.LINE
                    write_centred(self.canv, x + width / 2, at, line, ink._replace(size=size))
            x += width


class Pennant(Measured):
    """The sign of a scoring unit, and the word."""

    INK = Ink(BOLD, 7.4)
    SIGN = 9.0

    def __init__(self) -> None:
        super().__init__()
        self.word = _("Scoring")
        self.width = self.SIGN + width_of(self.word, *self.INK[:2])
        self.height = 13.0

    def draw(self) -> None:
        canvas = self.canv
        canvas.setFillColor(BLACK)
        stroke(canvas, BLACK, 0.8)
        canvas.line(0.5, 2, 0.5, 10)
        path = canvas.beginPath()
        path.moveTo(0.5, 10)
        path.lineTo(7, 7.8)
        path.lineTo(0.5, 5.6)
        path.close()
        canvas.drawPath(path, stroke=0, fill=1)
        with content(canvas):
            write(canvas, self.SIGN, 3.4, self.word, self.INK)


class CategoryState(Measured):
    """Whether a category keeps to its bounds: the sign, and the word."""

    INK = Ink(size=7.4)
    SIGN = 7.5

    def __init__(self, word: str, ok: bool) -> None:
        super().__init__()
        self.word = printable(word)
        self.ok = ok
        self.width = self.SIGN + 3 + width_of(self.word, *self.INK[:2])
        self.height = 10.0

    def draw(self) -> None:
        outcome = Outcome.LEGAL if self.ok else Outcome.ILLEGAL
        draw_sign(self.canv, 0, 1.2, self.SIGN, outcome)
        with content(self.canv):
            write(self.canv, self.SIGN + 3, 2, self.word, self.INK)


class Ruled(Stack):
    """Blocks below each other, and a thin line under the last."""

    def draw(self) -> None:
        super().draw()
        rule(self.canv, 0, -3, self.width)


class Lowest(Flowable):
    """Of several layouts of the same things, the one that is lowest where it stands."""

    def __init__(self, *layouts: Stack) -> None:
        super().__init__()
        self.layouts = layouts

    def wrap(self, width: float, height: float) -> tuple[float, float]:
        tall = [layout.wrap(width, height)[1] for layout in self.layouts]
        self.best = self.layouts[tall.index(min(tall))]
        self.width, self.height = width, min(tall)
        return width, self.height

    def split(self, width: float, height: float) -> list[Flowable]:
        self.wrap(width, height)
        return self.best.split(width, height)

    def draw(self) -> None:
        self.best.drawOn(self.canv, 0, 0)


PEN_NAME = Ink(size=LEAST, colour=GREY)
#: Height in points of a line's name.
BELOW = 9.0
#: What a box is wider than its name, in points.
PAD = 3.0


class PenBlank(FullWidth):
    """A line to write on; `room` points stand above it, its name below."""

    def __init__(self, name: str, room: float = 16) -> None:
        super().__init__()
        self.name = printable(name)
        self.height = room + BELOW

    def draw(self) -> None:
        canvas = self.canv
        rule(canvas, 0, BELOW, self.width, 0.6, BLACK)
        with content(canvas):
            write(canvas, 0, 1.6, fit(self.name, PEN_NAME, self.width), PEN_NAME)


class PenField(FullWidth):
    """A name and what is known by it, on a line; an empty line to write on where nothing is."""

    def __init__(self, name: str, value: str) -> None:
        super().__init__()
        self.name, self.value = printable(name), printable(value)
        self.height = FIELD

    def draw(self) -> None:
        canvas = self.canv
        start = width_of(self.name, *PEN_NAME[:2]) + 4
        with content(canvas):
            write(canvas, 0, 3, self.name, PEN_NAME)
            write(canvas, start, 3, fit(self.value, FIELD_VALUE, self.width - start), FIELD_VALUE)
        rule(canvas, start, 1, self.width, colour=LINE if self.value else BLACK)


@dataclass(frozen=True, slots=True)
class Box:
    """A box to write in: its name, and its width in parts of what its row has."""

    name: str
    share: float = 1.0

    @property
    def natural_width(self) -> float:
        return width_of(printable(self.name), PEN_NAME.font, PEN_NAME.size) + PAD


@dataclass(eq=False)
class PenBoxes(FullWidth):
    """Boxes beside each other, filling the width; each has its name at its top."""

    boxes: Sequence[Box]
    tall: float

    def __post_init__(self) -> None:
        super().__post_init__()
        self.height = self.tall

    def draw(self) -> None:
        canvas = self.canv
        unit = self.width / sum(box.share for box in self.boxes)
        stroke(canvas, LINE, 0.6)
        x = 0.0
        for box in self.boxes:
            width = box.share * unit
            canvas.rect(x, 0, width, self.height)
            name = fit(printable(box.name), PEN_NAME, width - PAD)
            if name:
                with content(canvas):
                    write(canvas, x + PAD / 2, self.height - 7, name, PEN_NAME)
            x += width


SMALL = Ink(size=7.4)
FAINT = Ink(size=7, colour=GREY)
LABEL = Ink(size=6.6, colour=GREY)
STRONG = Ink(BOLD, 7.6)
TITLE = Ink(BOLD, 10)
#: Shares of the width: stat lines, and what was chosen beside them.
HALVES = (0.57, 0.43)
#: Least width in points in which these stand beside each other, and least width of a unit.
BESIDE, UNIT = 400, 340
SHARES = (0.27, 0.12, 0.12, 0.32, 0.17)
#: Share of a unit's width that its statistics take at most; the rest is for the names of its lines.
NAMED = 0.72


def categories(army: SheetArmy) -> Flowable:
    """Return the table of categories, with the army as its last row and what is left below."""
    names = (_("Category"), _("Points"), _("Per cent"), _("Limit"), "")
    heads = [
        Words(WordRun(name, LABEL), right=number in (1, 2)) for number, name in enumerate(names)
    ]
    rows = [_share(share, Ink(size=8)) for share in army.shares]
    rows = [Across(heads, SHARES, row="heads"), *rows, _share(army.total, Ink(BOLD, 8))]
    left = []
    if army.left is not None:
        words = ngettext("{number} point left", "{number} points left", army.left)
        if army.left < 0:
            words = ngettext("{number} point over", "{number} points over", -army.left)
        left = [Words(WordRun(words.format(number=abs(army.left)), STRONG))]
    return Stack(Stack(*rows, gap=1.6, tag="Table"), *left, gap=1.6)


def numbers(sheet: Sheet) -> Iterator[Flowable]:
    """Gauges beside the categories, settings and game-day facts, a paragraph each."""
    for gauge in sheet.gauges:
        yield Words(WordRun(gauge.name, LABEL), WordRun(gauge.said, STRONG))
    for setting in sheet.settings:
        yield Words(WordRun(setting.name, LABEL), WordRun(setting.text, STRONG))
    for fact in sheet.facts:
        note = [WordRun(fact.note, Ink(size=7))] if fact.note else []
        yield Words(
            WordRun(fact.name, LABEL), WordRun(fact.text, STRONG), *note, small(fact.citation)
        )


def _share(share: CategoryShare, ink: Ink) -> Flowable:
    cells: list[Flowable] = [
        Words(WordRun(share.name, ink)),
        Words(WordRun(str(share.points), ink), right=True),
        Words(WordRun(share.per_cent, ink), right=True),
        Words(WordRun(share.bound, SMALL)),
        CategoryState(share.state_word, share.ok),
    ]
    return Across(cells, SHARES, row="values")


def units(army: SheetArmy, room: PageRoom) -> Iterator[Flowable]:
    """Yield a section per category, its units whole; on a wide page they stand in columns."""
    number = max(1, int(room.width / UNIT))
    width = (room.width - COLUMN_GAP * (number - 1)) / number
    columns = Columns(army, min(Columns.ROOM, width * NAMED))
    for division in army.divisions:
        blocks = [_unit(unit, columns, width >= BESIDE) for unit in division.units]
        yield PdfSection(division.title, blocks, room.height, number)


def _unit(unit: UnitView, columns: Columns, wide: bool) -> Flowable:
    """Return a unit; where it is wide, its rules are where they need less height."""
    if not wide:
        below = (*_stats(unit, columns), *_chosen(unit), *_rules(unit), *_foot(unit))
        return Ruled(_head(unit), *below, gap=2)
    layouts = []
    for beside in (True, False):
        left = list(_stats(unit, columns))
        right = [*_chosen(unit), *(_rules(unit) if beside else ())]
        body: list[Flowable] = right
        if right and left:
            body = [Across((Stack(*left, gap=2), Stack(*right, gap=1.2)), HALVES)]
        elif left:
            body = [Across((Stack(*left, gap=2),), HALVES[:1])]
        rules = () if beside else _rules(unit)
        layouts.append(Ruled(_head(unit), *body, *rules, *_foot(unit), gap=2))
    return Lowest(*layouts)


def _head(unit: UnitView) -> Flowable:
    marks = [WordRun("· " + " · ".join(unit.marks), STRONG)] if unit.marks else []
    about = [WordRun(f"· {text}", FAINT) for text in (unit.unit_name, unit.about) if text]
    cells: list[Flowable] = [Words(WordRun(unit.title, TITLE), *marks, *about, tag="H3")]
    cells += [Pennant()] if unit.scoring else []
    cells.append(Words(WordRun(unit.price, TITLE), right=True))
    return Across(cells, (1, *(None for _ in cells[1:])))


def _stats(unit: UnitView, columns: Columns) -> Iterator[Flowable]:
    yield from grid(unit, columns)
    notes = [f"{row.name}: {row.note}" for row in unit.rows if row.note]
    if notes:
        yield Words(WordRun("; ".join(notes), FAINT))
    if unit.armour:
        yield Words(WordRun(unit.armour, SMALL))
    for weapon in unit.weapons:
        yield Words(WordRun(label(weapon.label), SMALL), WordRun(weapon.figures, SMALL))
    if unit.condition:
        blank = "\u2002__________" if unit.total_health is None else ""
        yield Words(
            WordRun(unit.condition + blank, SMALL),
            WordRun("", Ink(size=8), unit.boxes, mark=unit.mark),
        )


def grid(unit: UnitView, columns: Columns) -> Iterator[Flowable]:
    """Yield the stat lines, an empty one where the file has none."""
    if rows := unit.rows or ((StatRow("", ()),) if unit.lacks_stats else ()):
        yield StatGrid(rows, columns)


def _chosen(unit: UnitView) -> Iterator[Flowable]:
    if unit.options:
        yield Words(*taken(unit.options, Ink(size=8)))
    if unit.items:
        yield Words(WordRun(_("Items"), LABEL), *taken(unit.items, Ink(BOLD, 8)))
    if unit.given:
        yield Words(WordRun(_("comes with {names}").format(names=", ".join(unit.given)), FAINT))


def taken(options: Sequence[TakenLine], ink: Ink) -> Iterator[WordRun]:
    """Names with their points behind them in grey."""
    for number, option in enumerate(options, 1):
        comma = "" if number == len(options) else ","
        yield WordRun(option.name + ("" if option.points else comma), ink)
        if option.points:
            yield WordRun(f"{option.points}{comma}", Ink(size=ink.size, colour=GREY), close=True)


def _rules(unit: UnitView) -> list[Flowable]:
    if not unit.rules:
        return []
    return [Words(WordRun(_("Rules"), LABEL), WordRun(", ".join(unit.rules), Ink(size=7)))]


def _foot(unit: UnitView) -> Iterator[Flowable]:
    if unit.wizard:
        wizard = unit.wizard
        open_path = _("{wizard}, path {line}").format(wizard=wizard.label, line="_" * 12)
        kind = open_path if wizard.asks_path else wizard.label
        lines = [WordRun("\u2002" + "_" * 18, Ink(size=8)) for _ in range(wizard.spells)]
        yield Words(WordRun(kind + ":", STRONG), *lines)
    for line in filter(None, unit.notes.split("\n")):
        yield Words(WordRun(line, SMALL))
    if unit.remark:
        yield Words(WordRun(unit.remark, FAINT if unit.known else Ink(size=7.4, colour=BLACK)))


def table(drawn: Table, width: float) -> Flowable:
    """Return a reference table under its name, on its side where lower in `width` points."""
    title = Words(WordRun(drawn.name, STRONG), small(str(drawn.citation)))
    upright = [drawn.columns, *drawn.rows]
    laid, whole = [], []
    for rows in (list(zip(*upright, strict=True)), upright):
        shares = shares_of(rows, width, SMALL)
        # Columns as wide as what they hold.
        parts = shares or [1 / len(rows[0])] * len(rows[0])
        lines = [
            Across(
                [Words(WordRun(text, SMALL)) for text in row],
                parts,
                row="values" if at else "heads",
            )
            for at, row in enumerate(rows)
        ]
        laid.append(Stack(title, Stack(*lines, gap=1, tag="Table"), gap=1))
        whole += [laid[-1]] if shares else []
    return Lowest(*(whole or laid))
