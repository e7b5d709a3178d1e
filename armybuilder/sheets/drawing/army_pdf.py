"""The parts of a PDF that an army has: categories, units, stat lines, and fields for a pen."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from typing import NamedTuple

from django.utils.translation import gettext as _
from reportlab.platypus import Flowable

from armybuilder.engine.verdict import Outcome
from armybuilder.engine.vocabulary import Table
from armybuilder.engine.wording import label
from armybuilder.sheets.content.setup import PageRoom
from armybuilder.sheets.content.structure import CategoryShare, SheetArmy
from armybuilder.sheets.content.unit_view import StatRow, TakenLine, UnitView, Wizard
from armybuilder.sheets.drawing.blocks import (
    BLOCK_GAP,
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
    FAINT,
    GREY,
    LABEL,
    LINE,
    SMALL,
    STRONG,
    Ink,
    printable,
    round_box,
    rule,
    stroke,
    tones_of,
    width_of,
    write,
    write_centred,
)
from armybuilder.sheets.drawing.words import (
    GROUP,
    LEADING,
    Measured,
    PageBlock,
    WordRun,
    Words,
    broken,
    fit,
    small,
)

#: A field for a pen: its height in points, and what is known of it.
FIELD, FIELD_VALUE = 15, Ink(BOLD, 8.5)


class Columns:
    """Widths in points of the statistics' columns, the same in every unit of an army.

    A column is as wide as its widest text; if that is more than `room` together, the widest give
    way.
    """

    GAP = 5.0
    ROOM = 205.0
    #: Widths of a text that columns keep to where room is short, the first that is enough.
    CAPS = (60, 50, 40, 36, 32, 30, 28, 26, 24, 22, 20)

    def __init__(self, army: SheetArmy, room: float = ROOM, gap: float = GAP) -> None:
        self.stats = army.columns
        self.heads = [printable(column.short) for column in army.columns]
        rows = [row.values(army.columns) for unit in army.units for row in unit.rows]
        needs = [
            max((width_of(printable(row[number]), *STRONG[:2]) for row in rows), default=0)
            for number in range(len(self.heads))
        ]
        for cap in self.CAPS:
            self.widths = [
                gap + max(width_of(head, *LABEL[:2]), min(need, cap))
                for head, need in zip(self.heads, needs, strict=True)
            ]
            self.total = sum(self.widths)
            if self.total <= room:
                break


def in_lines(text: str, ink: Ink, room: float) -> tuple[str, ...]:
    """Return a value in one line, or in two where it fits in none: "8\" (10\")", "4, 5"."""
    if width_of(text, *ink[:2]) <= room:
        return (text,)
    start, mark, end = text.partition(", ") if ", " in text else text.partition(" (")
    first, second = (start + ",", end) if mark == ", " else (start, f"({end}")
    return (first, second) if mark else (fit(text, ink, room),)


@dataclass(eq=False)
class StatGrid(PageBlock):
    """A unit's stat lines below each other on a band, names at the left."""

    rows: Sequence[StatRow]
    columns: Columns
    #: Height of a row in points.
    row: float

    LABELS = 9.4
    #: Height of each further line of a name or a value in a row.
    LINE = 7.8

    def wrap(self, width: float, _height: float) -> tuple[float, float]:
        self.width = width
        self.names = [self._name(row.name) for row in self.rows]
        self.cells = [
            [
                in_lines(printable(value), STRONG, wide - 1) if value else ()
                for value, wide in zip(values, self.columns.widths, strict=True)
            ]
            for values in (row.values(self.columns.stats) for row in self.rows)
        ]
        self.lines = [
            max(map(len, (name, *cells)))
            for name, cells in zip(self.names, self.cells, strict=True)
        ]
        more = self.LINE * (sum(self.lines) - len(self.lines))
        self.height = self.LABELS + self.row * len(self.rows) + more + 1.5
        return width, self.height

    def _name(self, name: str) -> tuple[str, ...]:
        """Return a name in one line, or in two."""
        room = self.width - self.columns.total - 6
        if width_of(printable(name), *SMALL[:2]) <= room:
            return (printable(name),)
        first, *rest = broken(name, SMALL, room)
        return (first, fit(" ".join(rest), SMALL, room))

    def draw(self) -> None:
        canvas = self.canv
        round_box(canvas, (0, 0, self.width, self.height), 2, fill=tones_of(canvas).band)
        y = self.height - self.LABELS + 3
        with element(canvas, "Table"):
            with element(canvas, "TR"):
                with element(canvas, "TD"):
                    pass  # above the names
                heads = [(head,) for head in self.columns.heads]
                self._draw_cells(heads, self.height - 7, LABEL, "TH")
            for name, cells, lines in zip(self.names, self.cells, self.lines, strict=True):
                y -= self.row
                with element(canvas, "TR"):
                    with content(canvas, "TH", "Row"):
                        for number, line in enumerate(name):
                            write(canvas, 4, y - number * self.LINE, line, SMALL)
                    self._draw_cells(cells, y, STRONG, "TD")
                if not any(cells):  # a line to write on
                    rule(canvas, 4, y - 1, self.width - 4, 0.6, BLACK)
                y -= self.LINE * (lines - 1)

    def _draw_cells(self, cells: Sequence[tuple[str, ...]], y: float, ink: Ink, tag: Tag) -> None:
        x = self.width - self.columns.total
        for lines, width in zip(cells, self.columns.widths, strict=True):
            with content(self.canv, tag, "Column" if tag == "TH" else ""):
                for number, line in enumerate(lines):
                    at = y - number * self.LINE
                    write_centred(self.canv, x + width / 2, at, line, ink)
            x += width


class CategoryState(Measured):
    """The state of a category, within its bounds or not: the sign, and the word."""

    INK = SMALL
    SIGN = 7.5

    def __init__(self, word: str, ok: bool) -> None:
        super().__init__()
        self.word = printable(word)
        self.ok = ok
        self.width = self.SIGN + 3 + width_of(self.word, *self.INK[:2])
        self.height = 10.0

    def draw(self) -> None:
        outcome = Outcome.LEGAL if self.ok else Outcome.ILLEGAL
        # On the base line of a name beside it.
        draw_sign(self.canv, 0, -0.4, self.SIGN, outcome)
        with content(self.canv):
            write(self.canv, self.SIGN + 3, 0.4, self.word, self.INK)


class Ruled(Stack):
    """Blocks below each other, and a thin line under the last."""

    def draw(self) -> None:
        super().draw()
        rule(self.canv, 0, -3, self.width)


class Lowest(Flowable):
    """The lowest of several layouts of the same contents."""

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


#: Height in points of a line's name.
BELOW = 9.0
#: What a box is wider than its name, in points.
PAD = 3.0


class PenBlank(FullWidth):
    """A line to write on; `room` points above it, its name below."""

    def __init__(self, name: str, room: float = 16) -> None:
        super().__init__()
        self.name = printable(name)
        self.height = room + BELOW

    def draw(self) -> None:
        canvas = self.canv
        rule(canvas, 0, BELOW, self.width, 0.6, BLACK)
        with content(canvas):
            write(canvas, 0, 1.6, fit(self.name, LABEL, self.width), LABEL)


class PenField(FullWidth):
    """A name and its value on a line; an empty line to write on without a value."""

    def __init__(self, name: str, value: str) -> None:
        super().__init__()
        self.name, self.value = printable(name), printable(value)
        self.height = FIELD

    def draw(self) -> None:
        canvas = self.canv
        start = width_of(self.name, *LABEL[:2]) + 4
        with content(canvas):
            write(canvas, 0, 3, self.name, LABEL)
            write(canvas, start, 3, fit(self.value, FIELD_VALUE, self.width - start), FIELD_VALUE)
        rule(canvas, start, 1, self.width, colour=LINE if self.value else BLACK)


@dataclass(frozen=True, slots=True)
class Box:
    """A box to write in: its name, and its width in parts of what its row has."""

    name: str
    share: float = 1.0

    @property
    def natural_width(self) -> float:
        return width_of(printable(self.name), LABEL.font, LABEL.size) + PAD


@dataclass(eq=False)
class PenBoxes(FullWidth):
    """Boxes side by side, filling the width; each with its name at its top."""

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
            name = fit(printable(box.name), LABEL, width - PAD)
            if name:
                with content(canvas):
                    write(canvas, x + PAD / 2, self.height - 7, name, LABEL)
            x += width


UNIT_NAME, TITLE = Ink(BOLD, 8.8), Ink(BOLD, 9.6)
BOXES = Ink(size=7.2)
#: Least width in points of a column of units.
UNIT = 245
#: Share of a unit's width that its statistics take at most; the rest is for the names of its lines.
NAMED = 0.72


class UnitStyle(NamedTuple):
    """The look of units: `boxed` for a pen; `run_on`: lines that become one paragraph.

    These are weapons, and names (1); armour and weapons, and names (2); all of them (3). With any,
    equal stats of units that follow each other are given once. In points the `gap` between units,
    the space between `columns` of statistics and the height of a `row`; in letter sizes the height
    of a line of text.
    """

    boxed: bool = True
    run_on: int = 0
    gap: float = BLOCK_GAP
    columns: float = 5.0
    row: float = 10.0
    leading: float = LEADING


#: Of who owns the list, the second where that saves a page; of opponents, likewise.
OWNERS = (UnitStyle(), UnitStyle(run_on=1, gap=4.6, leading=1.25))
OPPONENTS = (
    UnitStyle(False, 2, gap=4.6, columns=4.2, leading=1.25),
    UnitStyle(False, 3, gap=2.4, columns=3.0, row=8.4, leading=1.08),
)


def units(army: SheetArmy, room: PageRoom, style: UnitStyle = OWNERS[0]) -> list[PdfSection]:
    """Return the army's units by category in columns, each whole; none without any."""
    number = max(1, int((room.width + COLUMN_GAP) / (UNIT + COLUMN_GAP)))
    width = (room.width + COLUMN_GAP) / number - COLUMN_GAP
    columns = Columns(army, width * NAMED, style.columns)
    shares = {share.name: share for share in army.shares}
    blocks: list[Flowable] = []
    for division in army.divisions:
        share = shares.get(division.title)
        head = [WordRun(division.title, TITLE), *(share_words(share) if share else ())]
        pairs = pairwise((None, *division.units))
        first, *rest = [_unit(unit, before, columns, style) for before, unit in pairs if unit]
        blocks += [Stack(Words(*head, tag="H3"), first, gap=2), *rest]
    blocks += _remarks(army, style.boxed)
    return [PdfSection(_("Units"), blocks, room.height, number, gap=style.gap)] if blocks else []


def _remarks(army: SheetArmy, boxed: bool) -> Iterator[Flowable]:
    """Yield each remark on units of the books once, behind their names."""
    names: dict[str, dict[str, None]] = {}
    for unit in army.units:
        lacking = _("no stat line in the file") if unit.lacks_stats and not boxed else ""
        for remark in filter(None, (unit.remark if unit.known else "", lacking)):
            names.setdefault(remark, {})[unit.name] = None
    for remark, those in names.items():
        yield Words(WordRun(label(", ".join(those)), LABEL), WordRun(remark, FAINT))


def share_words(share: CategoryShare) -> Iterator[WordRun]:
    """Yield a category's points, and its bounds; what does not keep to them in words."""
    yield WordRun(f"{share.points} ({share.per_cent} %)", STRONG)
    wrong = "" if share.ok else f", {share.state_word}"
    yield WordRun(f"{share.bound}{wrong}", FAINT if share.ok else STRONG)


def priced(head: Flowable, price: str, ink: Ink = STRONG) -> Flowable:
    """Return a heading with its points at the right, if there are any."""
    if not price:
        return head
    return Across((head, Words(WordRun(price, ink), right=True)), (1, None))


def _unit(unit: UnitView, before: UnitView | None, columns: Columns, style: UnitStyle) -> Flowable:
    marks = [*unit.marks, *([_("Scoring")] if unit.scoring else [])]
    about = [WordRun(f"· {mark}", STRONG) for mark in marks]
    about += [WordRun(f"· {text}", FAINT) for text in (unit.unit_name, unit.about) if text]
    head = priced(Words(WordRun(unit.title, UNIT_NAME), *about, tag="H4"), unit.price)
    repeated = style.run_on and before and unit.rows and unit.rows == before.rows
    stats = () if repeated else _stat_lines(unit, columns, style)
    defence, weapons, names = [*_defence(unit, style.boxed)], [*_weapons(unit)], [*_names(unit)]
    if repeated:
        defence[:1] = [joined([[WordRun(_("Stats as before"), FAINT)], *defence[:1]])]
    spells = [*_spells(unit.wizard, style.boxed)] if unit.wizard else []
    lines = {
        1: [*defence, joined(weapons), joined(names), *spells],
        2: [joined(defence + weapons), joined(names + spells)],
        3: [joined(defence + weapons + names + spells)],
    }.get(style.run_on, defence + weapons + names + spells)
    told = [Words(*line, leading=style.leading) for line in lines if line]
    remark = "" if unit.known else unit.remark
    below = (Words(WordRun(line, SMALL)) for line in (*unit.notes.split("\n"), remark) if line)
    return Ruled(head, *stats, *told, *below, gap=1)


def joined(lines: Iterable[list[WordRun]]) -> list[WordRun]:
    """Return the lines as one, a dot between them."""
    first, *others = [line for line in lines if line] or [[]]
    return [*first, *chain.from_iterable((WordRun("·", FAINT), *line) for line in others)]


def _stat_lines(unit: UnitView, columns: Columns, style: UnitStyle) -> Iterator[Flowable]:
    """Yield the stat lines, one to write in where the file has none, and what stays open."""
    if rows := unit.rows or ((StatRow("", ()),) if style.boxed and unit.lacks_stats else ()):
        yield StatGrid(rows, columns, style.row)
    notes = [f"{row.name}: {row.note}" for row in unit.rows if row.note]
    if notes:
        yield Words(WordRun("; ".join(notes), FAINT))


def _defence(unit: UnitView, boxed: bool) -> Iterator[list[WordRun]]:
    """Yield armour, and health with its boxes; without them what stat lines do not say."""
    condition, total = unit.condition, unit.total_health
    if total is None and condition:
        condition = f"{condition}\u2002__________" if boxed else ""
    elif not boxed and total == unit.health and not unit.shattered:
        condition = ""
    boxes = [WordRun("", BOXES, unit.boxes, mark=unit.mark)] if boxed else []
    if defence := " · ".join(filter(None, (unit.armour, condition))):
        is_short = unit.boxes <= 2 * GROUP
        yield [WordRun(defence, SMALL), *(boxes if is_short else ())]
        yield [] if is_short else boxes


def _weapons(unit: UnitView) -> Iterator[list[WordRun]]:
    for weapon in unit.weapons:
        yield [WordRun(label(weapon.label), STRONG), WordRun(weapon.figures, SMALL)]


def _names(unit: UnitView) -> Iterator[list[WordRun]]:
    """Yield its options, items and rules."""
    yield [*taken(unit.other_options, SMALL)]
    if unit.items:
        yield [WordRun(_("Items"), LABEL), *taken(unit.items, STRONG)]
    if unit.given:
        yield [WordRun(_("comes with {names}").format(names=", ".join(unit.given)), FAINT)]
    if unit.other_rules:
        yield [WordRun(_("Rules"), LABEL), WordRun(", ".join(unit.other_rules), SMALL)]


def _spells(wizard: Wizard, boxed: bool) -> Iterator[list[WordRun]]:
    """Yield a wizard's kind, and each spell of its path; `boxed`: with a box or a line."""
    blank = boxed and not wizard.choices
    open_path = _("{wizard}, path {line}").format(wizard=wizard.label, line="_" * 12)
    kind = open_path if blank and wizard.asks_path else wizard.label
    lines = [WordRun("_" * 20, SMALL) for _ in range(wizard.spells if blank else 0)]
    yield [WordRun(label(kind) if lines or wizard.choices else kind, STRONG), *lines]
    for spell in wizard.choices:
        name, told = WordRun(spell.name, STRONG, close=True), WordRun(spell.text, SMALL)
        yield [*([WordRun("", BOXES, 1)] if boxed else []), name, told]


def taken(options: Sequence[TakenLine], ink: Ink) -> Iterator[WordRun]:
    """Names with their points behind them in grey."""
    for number, option in enumerate(options, 1):
        comma = "" if number == len(options) or option.once else ","
        boxes = 1 if option.once else 0
        if not option.points:
            yield WordRun(option.title + comma, ink, boxes)
            continue
        yield WordRun(option.title, ink)
        grey = Ink(size=ink.size, colour=GREY)
        yield WordRun(f"{option.points}{comma}", grey, boxes, close=True)


def table(drawn: Table, width: float) -> Flowable:
    """Return a reference table under its name, on its side where lower in `width` points.

    Where neither has room it is a paragraph for each row.
    """
    title = Words(WordRun(drawn.name, STRONG), small(str(drawn.citation)))
    upright = [drawn.columns, *drawn.rows]
    laid = []
    for rows in (list(zip(*upright, strict=True)), upright):
        if shares := shares_of(rows, width, SMALL):
            lines = [
                Across(
                    [Words(WordRun(text, SMALL)) for text in row],
                    shares,
                    row="values" if at else "heads",
                )
                for at, row in enumerate(rows)
            ]
            laid.append(Stack(title, Stack(*lines, gap=1, tag="Table"), gap=1))
    if laid:
        return Lowest(*laid)
    return Stack(title, *in_sentences(drawn), gap=1)


def in_sentences(table: Table) -> Iterator[Words]:
    """Yield a paragraph for each row of a table, each cell behind its heading."""
    for row in table.rows:
        runs: list[WordRun] = []
        for name, text in zip(table.columns, row, strict=True):
            if text:
                runs += [WordRun(label(name), LABEL), WordRun(text, SMALL if runs else STRONG)]
        yield Words(*runs)
