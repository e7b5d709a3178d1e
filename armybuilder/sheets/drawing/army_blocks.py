"""What the PDF of an army is laid out of: stat lines, signs, units, and fields for a pen."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from reportlab.platypus import Flowable

from armybuilder.engine.verdict import Outcome
from armybuilder.sheets.content.army import SheetArmy, StatRow
from armybuilder.sheets.drawing.blocks import Stack, draw_sign
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
)
from armybuilder.sheets.drawing.words import Measured, broken, fit

HEAD = Ink(size=5.8, colour=GREY)
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
    """Return the size at which printable text fits into `room` points, at most that of the ink."""
    wide = width_of(text, ink.font, ink.size)
    return ink.size if wide <= room else ink.size * room / wide


class StatGrid(Flowable):
    """A unit's stat lines below each other on a band, names at the left."""

    LABELS = 8.6
    ROW = 10.0
    #: A text is set smaller to fit, but a name not below this size.
    SMALLEST = 4.8

    def __init__(self, rows: Sequence[StatRow], columns: Columns) -> None:
        super().__init__()
        self.rows = rows
        self.columns = columns

    def wrap(self, width: float, _height: float) -> tuple[float, float]:
        self.width = width
        self.height = self.LABELS + self.ROW * len(self.rows) + 1.5
        return width, self.height

    def draw(self) -> None:
        canvas = self.canv
        canvas.setFillColor(tones_of(canvas).band)
        canvas.roundRect(0, 0, self.width, self.height, 2, stroke=0, fill=1)
        self._draw_cells(self.columns.heads, self.height - 7, HEAD)
        for number, row in enumerate(self.rows):
            y = self.height - self.LABELS - self.ROW * (number + 1) + 3
            self._draw_name(row.name, y)
            self._draw_cells(row.values, y, VALUE)

    def _draw_name(self, name: str, y: float) -> None:
        """The name, set smaller to fit, or in two lines where that is not enough."""
        ink, room = NAME, self.width - self.columns.total - 6
        size = shrunk(printable(name), ink, room - 0.1)
        if size >= self.SMALLEST:
            write(self.canv, 4, y, printable(name), ink._replace(size=size))
            return
        small = ink._replace(size=self.SMALLEST)
        first, *rest = broken(name, small, room)
        write(self.canv, 4, y + 2.2, first, small)
        write(self.canv, 4, y - 2.6, fit(" ".join(rest), small, room), small)

    def _draw_cells(self, texts: Sequence[str], y: float, ink: Ink) -> None:
        self.canv.setFillColor(ink.colour)
        x = self.width - self.columns.total
        for raw, width in zip(texts, self.columns.widths, strict=True):
            if raw:
                self._draw_cell(printable(raw), x + width / 2, y, width - 1, ink)
            x += width

    def _draw_cell(self, text: str, middle: float, y: float, room: float, ink: Ink) -> None:
        """One text; of two halves ("Ground 8, Fly 6") one above the other where it is too long."""
        size = shrunk(text, ink, room)
        first, comma, second = text.partition(", ")
        if size >= self.SMALLEST or not comma:
            self.canv.setFont(ink.font, size)
            self.canv.drawCentredString(middle, y, text)
            return
        for half, up in ((first + ",", 3.4), (second, -1.4)):
            self.canv.setFont(ink.font, shrunk(half, ink._replace(size=5), room))
            self.canv.drawCentredString(middle, y + up, half)


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
        canvas.setFont(*self.INK[:2])
        canvas.drawString(self.SIGN, 3.4, self.word)


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


PEN_NAME = Ink(size=6.4, colour=GREY)
#: Height in points of a line's name.
BELOW = 9.0


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
        size = shrunk(self.name, PEN_NAME, self.width)
        write(canvas, 0, 1.6, self.name, PEN_NAME._replace(size=size))


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
            name = printable(box.name)
            size = shrunk(name, PEN_NAME, width - 3)
            write(canvas, x + 1.5, self.height - 7, name, PEN_NAME._replace(size=size))
            x += width
