"""What a card has for a pen: boxes to cross off, lines to write on, room for a picture."""

from collections.abc import Sequence
from dataclasses import dataclass

from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Flowable

from armybuilder.sheets.cards.card_blocks import SMALLEST, even_rows
from armybuilder.sheets.drawing.tagged import content
from armybuilder.sheets.drawing.typeface import (
    BLACK,
    BOLD,
    GREY,
    LINE,
    Ink,
    printable,
    width_of,
    write,
)
from armybuilder.sheets.drawing.words import fit

#: Boxes counted at a glance.
GROUP = 5


@dataclass(frozen=True, slots=True)
class BoxRow:
    """One model's boxes; its number, "" where there is only one."""

    number: str
    boxes: int


class HealthBoxes(Flowable):
    """Rows of boxes in columns beside their label; long rows stand below it, and go on below."""

    LABEL = Ink(BOLD, 6.6)
    NUMBER = Ink(size=SMALLEST + 0.5)
    SIDE = 6.6
    STEP = SIDE + 1.4
    #: Further apart between two groups, and between two columns.
    SPACE = 2.2
    COLUMN = 7.0
    LINE = SIDE + 3.0

    def __init__(self, name: str, rows: tuple[BoxRow, ...]) -> None:
        super().__init__()
        self.name = printable(name)
        self.rows = rows

    def _long(self, boxes: int) -> float:
        """Width in points of so many boxes."""
        return boxes * self.STEP + (boxes - 1) // GROUP * self.SPACE - (self.STEP - self.SIDE)

    def wrap(self, width: float, _height: float) -> tuple[float, float]:
        self.width = width
        self.lead = max(width_of(row.number, *self.NUMBER[:2]) for row in self.rows)
        self.lead += 2.5 if self.lead else 0
        most = max(row.boxes for row in self.rows)
        self.indent = width_of(self.name, *self.LABEL[:2]) + 5
        if self.indent + self.lead + self._long(most) > width:
            self.indent = 0
        self.top = 0 if self.indent else self.LINE
        room = width - self.indent - self.lead
        per_line = next(count for count in range(most, 0, -1) if self._long(count) <= room)
        self.per_line = per_line if per_line == most else per_line - per_line % GROUP
        self.lines = -(-most // self.per_line)
        self.column = self.lead + self._long(self.per_line) + self.COLUMN
        self.columns = max(1, int((width - self.indent + self.COLUMN) / self.column))
        self.height = self.top + -(-len(self.rows) // self.columns) * self.lines * self.LINE
        return width, self.height

    def split(self, width: float, height: float) -> list[Flowable]:
        """Two blocks, the first of at most `height` points; none where no row fits."""
        self.wrap(width, height)
        count = int((height - self.top) / (self.lines * self.LINE)) * self.columns
        if not 0 < count < len(self.rows):
            return []
        return [type(self)(self.name, self.rows[:count]), type(self)(self.name, self.rows[count:])]

    def draw(self) -> None:
        canvas = self.canv
        canvas.setStrokeColor(BLACK)
        canvas.setLineWidth(0.6)
        with content(canvas):
            self._draw_rows()

    def _draw_rows(self) -> None:
        canvas = self.canv
        if self.name:
            write(canvas, 0, self.height - self.LINE + 2.4, self.name, self.LABEL)
        for place, row in enumerate(self.rows):
            down, across = divmod(place, self.columns)
            y = self.height - self.top - (down * self.lines + 1) * self.LINE
            x = self.indent + across * self.column
            if row.number:
                write(canvas, x, y + 2.4, row.number, self.NUMBER)
            for box in range(row.boxes):
                below, number = divmod(box, self.per_line)
                left = x + self.lead + number * self.STEP + number // GROUP * self.SPACE
                canvas.rect(left, y + 1.5 - below * self.LINE, self.SIDE, self.SIDE)


class Fields(Flowable):
    """Names, each with a line beside it to write on; every name must have room (`has_room`)."""

    ROW = 12.5
    GAP = 6.0
    #: The least a line is long, in points.
    LEAST = 38.0
    INK = Ink(size=SMALLEST, colour=GREY)
    #: The most points a name may take.
    LONGEST = 100.0

    @classmethod
    def has_room(cls, name: str) -> bool:
        """Return whether a name is short enough to leave room for a line beside it."""
        return width_of(printable(name), *cls.INK[:2]) <= cls.LONGEST

    def __init__(self, names: Sequence[str]) -> None:
        super().__init__()
        self.names = [printable(name) for name in names]

    def wrap(self, width: float, _height: float) -> tuple[float, float]:
        widths = [width_of(name, *self.INK[:2]) + self.LEAST for name in self.names]
        self.width = width
        self.rows = even_rows(widths, width, self.GAP)
        self.height = self.ROW * len(self.rows)
        return width, self.height

    def split(self, width: float, height: float) -> list[Flowable]:
        """Two runs of lines, the first of at most `height` points; none where no row fits."""
        self.wrap(width, height)
        rows = int(height / self.ROW)
        if not 0 < rows < len(self.rows):
            return []
        count = sum(self.rows[:rows])
        return [type(self)(self.names[:count]), type(self)(self.names[count:])]

    def draw(self) -> None:
        y, start = self.height, 0
        for count in self.rows:
            y -= self.ROW
            wide = (self.width - self.GAP * (count - 1)) / count
            for number, name in enumerate(self.names[start : start + count]):
                self._draw_field(name, number * (wide + self.GAP), y + 2, wide)
            start += count

    def _draw_field(self, name: str, x: float, y: float, wide: float) -> None:
        canvas, ink = self.canv, self.INK
        with content(canvas):
            write(canvas, x, y + 0.6, name, ink)
        draw_line(canvas, x + width_of(name, *ink[:2]) + 2.5, y, x + wide)


class CardRoom(Flowable):
    """A name over lines to write on; as many lines as its height has room for."""

    LINE = 12.5
    INK = Ink(BOLD, SMALLEST)

    def __init__(self, name: str, lines: int = 1) -> None:
        super().__init__()
        self.name = fit(name, self.INK, 100)
        self.lines = lines

    def wrap(self, width: float, _height: float) -> tuple[float, float]:
        self.width, self.height = width, self.LINE * self.lines
        return width, self.height

    def draw(self) -> None:
        canvas, ink = self.canv, self.INK
        with content(canvas):
            write(canvas, 0, self.height - self.LINE + 3, self.name, ink)
        start = width_of(self.name, *ink[:2]) + 2.5
        for number in range(self.lines):
            y = self.height - self.LINE * (number + 1) + 2
            draw_line(canvas, 0 if number else start, y, self.width)


class Portrait(Flowable):
    """An empty frame for a picture, on a card `tall` points high; it grows with the room."""

    #: The least and the most of a card's height that it takes.
    LEAST, MOST = 0.24, 0.48

    def __init__(self, tall: float) -> None:
        super().__init__()
        self.most = tall * self.MOST
        self.height = tall * self.LEAST

    def wrap(self, width: float, _height: float) -> tuple[float, float]:
        self.width = width
        return width, self.height

    def grow(self, room: float) -> None:
        """Take so many points more, as far as a picture needs them."""
        self.height = min(self.most, self.height + room)

    def draw(self) -> None:
        self.canv.setStrokeColor(LINE)
        self.canv.setLineWidth(0.5)
        self.canv.roundRect(0, 0, self.width, self.height, 2)


def draw_line(canvas: Canvas, x: float, y: float, end: float) -> None:
    """A thin line to write on."""
    canvas.setStrokeColor(LINE)
    canvas.setLineWidth(0.5)
    canvas.line(x, y, end, y)
