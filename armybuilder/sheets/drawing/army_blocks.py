"""What the PDF of an army is laid out of: stat lines, signs, units, and fields for a pen."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from reportlab.platypus import Flowable

from armybuilder.engine.verdict import Outcome
from armybuilder.sheets.content.army import SheetArmy, StatRow
from armybuilder.sheets.drawing.blocks import Stack, draw_sign
from armybuilder.sheets.drawing.tagged import Tag, content, element
from armybuilder.sheets.drawing.typeface import (
    BLACK,
    BOLD,
    GREY,
    LINE,
    Ink,
    printable,
    tones_of,
    width_of,
    write,
    write_centred,
)
from armybuilder.sheets.drawing.words import Measured, broken, fit

#: The smallest letters, in points of a sheet: at its smallest scale they are 6 points on paper.
LEAST = 6.6
HEAD = Ink(size=LEAST, colour=GREY)
VALUE = Ink(BOLD, 7.4)
#: A field for a pen: its height in points, and what is known of it.
FIELD, FIELD_VALUE = 15, Ink(BOLD, 8.5)
NAME = Ink(size=7.4)


class Columns:
    """Widths in points of the statistics' columns, the same in every unit of an army.

    A column is as wide as its widest text; where that is more than `room` together, the widest give
    way.
    """

    GAP = 5.0
    ROOM = 205.0
    #: Widths of a text that columns keep to where room is short, the first that is enough.
    CAPS = (60, 50, 40, 36, 32, 30, 28, 26, 24, 22, 20)

    def __init__(self, army: SheetArmy, room: float = ROOM) -> None:
        self.heads = [printable(column.short) for column in army.columns]
        rows = [row for unit in army.units for row in unit.stats]
        needs = [
            max(width_of(printable(row.values[number]), *VALUE[:2]) for row in rows)
            for number in range(len(self.heads))
        ]
        for cap in self.CAPS:
            self.widths = [
                self._width(head, need, cap) for head, need in zip(self.heads, needs, strict=True)
            ]
            if self.total <= room:
                break

    def _width(self, head: str, need: float, cap: float) -> float:
        return self.GAP + max(width_of(head, *HEAD[:2]), min(need, cap))

    @property
    def total(self) -> float:
        """Width of all of them."""
        return sum(self.widths)


def shrunk(text: str, ink: Ink, room: float) -> float:
    """Return the size at which printable text fits into `room` points, at most that of the ink; the
    smallest where it fits at none.
    """
    wide = width_of(text, ink.font, ink.size)
    return ink.size if wide <= room else max(LEAST, ink.size * room / wide)


def in_lines(text: str, ink: Ink, room: float) -> tuple[str, ...]:
    """Return a value in one line, or in two where it fits in none: "8\" (10\")", "4, 5"."""
    if width_of(text, ink.font, LEAST) <= room:
        return (text,)
    start, mark, end = text.partition(", ") if ", " in text else text.partition(" (")
    first, second = (start + ",", end) if mark == ", " else (start, f"({end}")
    return (first, second) if mark else (fit(text, ink._replace(size=LEAST), room),)


class StatGrid(Flowable):
    """A unit's stat lines below each other on a band, names at the left."""

    LABELS = 9.4
    #: Height of a row, and of each further line of a name or a value in it.
    ROW, LINE = 10.0, 6.8

    def __init__(self, rows: Sequence[StatRow], columns: Columns) -> None:
        super().__init__()
        self.rows = rows
        self.columns = columns

    def wrap(self, width: float, _height: float) -> tuple[float, float]:
        self.width = width
        self.names = [self._name(row.name) for row in self.rows]
        self.cells = [self._cells(row.values) for row in self.rows]
        self.lines = [
            max(len(name), *map(len, cells))
            for name, cells in zip(self.names, self.cells, strict=True)
        ]
        more = self.LINE * (sum(self.lines) - len(self.lines))
        self.height = self.LABELS + self.ROW * len(self.rows) + more + 1.5
        return width, self.height

    def draw(self) -> None:
        canvas = self.canv
        canvas.setFillColor(tones_of(canvas).band)
        canvas.roundRect(0, 0, self.width, self.height, 2, stroke=0, fill=1)
        with element(canvas, "Table"):
            self._draw_rows()

    def _draw_rows(self) -> None:
        with element(self.canv, "TR"):
            with element(self.canv, "TD"):
                pass  # above the names
            y = self.height - 7
            self._draw_cells([(head,) for head in self.columns.heads], y, HEAD, "TH")
        y = self.height - self.LABELS + 3
        for name, cells, lines in zip(self.names, self.cells, self.lines, strict=True):
            y -= self.ROW
            with element(self.canv, "TR"):
                self._draw_name(name, y)
                self._draw_cells(cells, y, VALUE, "TD")
            y -= self.LINE * (lines - 1)

    def _name(self, name: str) -> tuple[str, ...]:
        """Return a name in one line, set smaller where that is enough, or in two."""
        room = self.width - self.columns.total - 6
        if width_of(printable(name), NAME.font, LEAST) <= room:
            return (printable(name),)
        small = NAME._replace(size=LEAST)
        first, *rest = broken(name, small, room)
        return (first, fit(" ".join(rest), small, room))

    def _cells(self, values: Sequence[str]) -> list[tuple[str, ...]]:
        """Return the lines of each value."""
        return [
            in_lines(printable(value), VALUE, width - 1) if value else ()
            for value, width in zip(values, self.columns.widths, strict=True)
        ]

    def _draw_name(self, lines: tuple[str, ...], y: float) -> None:
        room = self.width - self.columns.total - 6
        with content(self.canv, "TH", "Row"):
            for number, line in enumerate(lines):
                size = shrunk(line, NAME, room - 0.1) if len(lines) == 1 else LEAST
                write(self.canv, 4, y - number * self.LINE, line, NAME._replace(size=size))

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

    def wrap(self, _width: float, _height: float) -> tuple[float, float]:
        return self.width, self.height

    def draw(self) -> None:
        canvas = self.canv
        canvas.setFillColor(BLACK)
        canvas.setStrokeColor(BLACK)
        canvas.setLineWidth(0.8)
        canvas.line(0.5, 2, 0.5, 10)
        path = canvas.beginPath()
        path.moveTo(0.5, 10)
        path.lineTo(7, 7.8)
        path.lineTo(0.5, 5.6)
        path.close()
        canvas.drawPath(path, stroke=0, fill=1)
        with content(canvas):
            write(canvas, self.SIGN, 3.4, self.word, self.INK)


class State(Measured):
    """Whether a category keeps to its bounds: the sign, and the word."""

    INK = Ink(size=7.4)
    SIGN = 7.5

    def __init__(self, word: str, ok: bool) -> None:
        super().__init__()
        self.word = printable(word)
        self.ok = ok
        self.width = self.SIGN + 3 + width_of(self.word, *self.INK[:2])
        self.height = 10.0

    def wrap(self, _width: float, _height: float) -> tuple[float, float]:
        return self.width, self.height

    def draw(self) -> None:
        outcome = Outcome.LEGAL if self.ok else Outcome.ILLEGAL
        draw_sign(self.canv, 0, 1.2, self.SIGN, outcome)
        with content(self.canv):
            write(self.canv, self.SIGN + 3, 2, self.word, self.INK)


class Ruled(Stack):
    """Blocks below each other, and a thin line under the last."""

    def draw(self) -> None:
        super().draw()
        self.canv.setStrokeColor(LINE)
        self.canv.setLineWidth(0.5)
        self.canv.line(0, -3, self.width, -3)


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
        """Return the parts of the lowest layout, as a stack splits."""
        self.wrap(width, height)
        return self.best.split(width, height)

    def draw(self) -> None:
        self.best.drawOn(self.canv, 0, 0)


PEN_NAME = Ink(size=LEAST, colour=GREY)
#: Height in points of a line's name.
BELOW = 9.0
#: What a box is wider than its name, in points.
PAD = 3.0


class PenBlank(Flowable):
    """A line to write on; `room` points stand above it, its name below."""

    def __init__(self, name: str, room: float = 16) -> None:
        super().__init__()
        self.name = printable(name)
        self.room = room

    def wrap(self, width: float, _height: float) -> tuple[float, float]:
        self.width, self.height = width, self.room + BELOW
        return width, self.height

    def draw(self) -> None:
        canvas = self.canv
        canvas.setStrokeColor(BLACK)
        canvas.setLineWidth(0.6)
        canvas.line(0, BELOW, self.width, BELOW)
        with content(canvas):
            write(canvas, 0, 1.6, fit(self.name, PEN_NAME, self.width), PEN_NAME)


class PenField(Flowable):
    """A name and what is known by it, on a line; an empty line to write on where nothing is."""

    def __init__(self, name: str, value: str) -> None:
        super().__init__()
        self.name, self.value = printable(name), printable(value)

    def wrap(self, width: float, _height: float) -> tuple[float, float]:
        self.width, self.height = width, FIELD
        return width, self.height

    def draw(self) -> None:
        canvas = self.canv
        start = width_of(self.name, *PEN_NAME[:2]) + 4
        with content(canvas):
            write(canvas, 0, 3, self.name, PEN_NAME)
            write(canvas, start, 3, fit(self.value, FIELD_VALUE, self.width - start), FIELD_VALUE)
        canvas.setStrokeColor(LINE if self.value else BLACK)
        canvas.setLineWidth(0.5)
        canvas.line(start, 1, self.width, 1)


@dataclass(frozen=True, slots=True)
class Box:
    """A box to write in: its name, and its width in parts of what its row has."""

    name: str
    share: float = 1.0

    @property
    def natural_width(self) -> float:
        """The width in points at which its name is not cut."""
        return width_of(printable(self.name), PEN_NAME.font, PEN_NAME.size) + PAD


class PenBoxes(Flowable):
    """Boxes beside each other, filling the width; each has its name at its top."""

    def __init__(self, boxes: Sequence[Box], height: float = 24) -> None:
        super().__init__()
        self.boxes = boxes
        self.height = height

    def wrap(self, width: float, _height: float) -> tuple[float, float]:
        self.width = width
        return width, self.height

    def draw(self) -> None:
        canvas = self.canv
        unit = self.width / sum(box.share for box in self.boxes)
        canvas.setStrokeColor(LINE)
        canvas.setLineWidth(0.6)
        x = 0.0
        for box in self.boxes:
            width = box.share * unit
            canvas.rect(x, 0, width, self.height)
            name = fit(printable(box.name), PEN_NAME, width - PAD)
            if name:
                with content(canvas):
                    write(canvas, x + PAD / 2, self.height - 7, name, PEN_NAME)
            x += width
