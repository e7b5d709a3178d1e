"""What the PDF is laid out of: stacks, rows and sections of blocks that a page never splits."""

from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple, Self

from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Flowable

from armybuilder.sheets.structure import StatCell
from armybuilder.sheets.typeface import (
    BAND,
    BLACK,
    BOLD,
    GREY,
    LINE,
    WHITE,
    Ink,
    printable,
    width_of,
)
from armybuilder.sheets.words import LEADING, Run, Words

Frame = Literal["", "box", "bar"]

#: Space in points: between the children of a stack, inside a frame, between blocks.
CHILD_GAP = 2.4
PADDING = 6
BLOCK_GAP = 6
COLUMN_GAP = 10


_PADS: dict[Frame, tuple[float, float]] = {
    "": (0, 0),
    "box": (2 * PADDING, 2 * PADDING - 2),
    "bar": (PADDING + 2, 0),
}


class Stack(Flowable):
    """Blocks below each other; `frame` draws a box around them or a bar at their left."""

    def __init__(self, *children: Flowable, frame: Frame = "", gap: float = CHILD_GAP) -> None:
        super().__init__()
        self.children = children
        self.frame = frame
        self.gap = gap
        self.wrapped_at: float | None = None

    @property
    def pads(self) -> tuple[float, float]:
        """Padding in points at the sides together, and above and below together."""
        return _PADS[self.frame]

    def wrap(self, width: float, height: float) -> tuple[float, float]:
        if self.wrapped_at != width:
            across, upright = self.pads
            heights = [child.wrap(width - across, height)[1] for child in self.children]
            self.wrapped_at = self.width = width
            self.height = sum(heights) + self.gap * (len(heights) - 1) + upright
        return width, self.height

    def split(self, width: float, height: float) -> list[Self]:
        """Two stacks, the first of at most `height` points; none where nothing fits.

        Only sections ask for it, and only where a stack is taller than a whole page.
        """
        across, upright = self.pads
        room = height - upright
        for number, child in enumerate(self.children):
            tall = child.wrap(width - across, room)[1]
            if tall > room:
                parts = child.split(width - across, room) or [None, child]
                first = [*self.children[:number], *filter(None, parts[:1])]
                rest = [*parts[1:], *self.children[number + 1 :]]
                return [self._with(first), self._with(rest)] if first else []
            room -= tall + self.gap
        return []

    def _with(self, children: Sequence[Flowable]) -> Self:
        return type(self)(*children, frame=self.frame, gap=self.gap)

    def draw(self) -> None:
        across, upright = self.pads
        self._draw_frame()
        y = self.height - upright / 2
        x = across / 2 if self.frame == "box" else across
        for child in self.children:
            y -= child.height
            child.drawOn(self.canv, x, y)
            y -= self.gap

    def _draw_frame(self) -> None:
        canvas = self.canv
        if self.frame == "box":
            canvas.setStrokeColor(LINE)
            canvas.setLineWidth(0.7)
            canvas.roundRect(0, 0, self.width, self.height, 3)
        elif self.frame == "bar":
            canvas.setFillColor(BLACK)
            canvas.rect(0, 0, 2.2, self.height, stroke=0, fill=1)


class Across(Flowable):
    """Blocks beside each other, tops level. `shares` of the width; None takes what a text needs.

    `ruled` draws a line below, between this row of a table and the next.
    """

    def __init__(
        self, cells: Sequence[Flowable], shares: Sequence[float | None], ruled: bool = False
    ) -> None:
        super().__init__()
        self.ruled = ruled
        self.cells = cells
        self.shares = shares

    def wrap(self, width: float, height: float) -> tuple[float, float]:
        room = width - COLUMN_GAP * (len(self.cells) - 1)
        fixed = [
            min(cell.natural_width, room / 2) if share is None else 0
            for cell, share in zip(self.cells, self.shares, strict=True)
        ]
        rest = room - sum(fixed)
        self.widths = [
            fixed[number] if share is None else rest * share
            for number, share in enumerate(self.shares)
        ]
        self.width = width
        self.height = max(
            cell.wrap(wide, height)[1] for cell, wide in zip(self.cells, self.widths, strict=True)
        )
        return width, self.height

    def draw(self) -> None:
        x = 0.0
        for cell, width in zip(self.cells, self.widths, strict=True):
            cell.drawOn(self.canv, x, self.height - cell.height)
            x += width + COLUMN_GAP
        if self.ruled:
            self.canv.setStrokeColor(LINE)
            self.canv.setLineWidth(0.4)
            self.canv.line(0, -BLOCK_GAP / 2, self.width, -BLOCK_GAP / 2)


class _StatBox(NamedTuple):
    label: str
    value: str
    width: float


class Stats(Flowable):
    """A stat line: small labels over values, on a band. One that is too long for a row stands
    in several, its columns in line.
    """

    LABEL = Ink(size=6, colour=GREY)
    VALUE = Ink(BOLD, 9)
    ROW = 21.0
    GAP = 7.0
    #: Points by which columns may stand further apart where there is room.
    STRETCH = 8.0

    def __init__(self, cells: Sequence[StatCell]) -> None:
        super().__init__()
        self.cells = cells

    def wrap(self, width: float, _height: float) -> tuple[float, float]:
        boxes = list(self._boxes())
        room = width - self.GAP
        for number in range(1, len(boxes) + 1):
            columns = -(-len(boxes) // number)
            self.rows = [boxes[start : start + columns] for start in range(0, len(boxes), columns)]
            self.widths = [max(box.width for box in boxes[at::columns]) for at in range(columns)]
            taken = sum(self.widths) + self.GAP * columns
            if taken <= room:
                break
        self.gap = self.GAP + max(0, min(self.STRETCH, (room - taken) / columns))
        self.width, self.height = width, self.ROW * len(self.rows)
        return width, self.height

    def _boxes(self) -> Iterator[_StatBox]:
        for cell in self.cells:
            label, value = printable(cell.label), printable(cell.value)
            wide = max(width_of(label, *self.LABEL[:2]), width_of(value, *self.VALUE[:2]))
            yield _StatBox(label, value, wide)

    def draw(self) -> None:
        canvas = self.canv
        canvas.setFillColor(BAND)
        band = sum(self.widths) + self.gap * len(self.widths) + self.GAP
        canvas.roundRect(0, 0, min(self.width, band), self.height, 2, stroke=0, fill=1)
        y = self.height
        for row in self.rows:
            y -= self.ROW
            x = self.GAP
            for box, width in zip(row, self.widths, strict=False):
                self._draw_box(box, x + width / 2, y)
                x += width + self.gap

    def _draw_box(self, box: _StatBox, middle: float, y: float) -> None:
        for text, ink, up in ((box.label, self.LABEL, 13.4), (box.value, self.VALUE, 4)):
            self.canv.setFillColor(ink.colour)
            self.canv.setFont(ink.font, ink.size)
            self.canv.drawCentredString(middle, y + up, text)


def draw_sign(canvas: Canvas, x: float, y: float, side: float, legal: bool) -> None:
    """A tick in an outline, or a white cross in a black square: told apart without colour."""
    canvas.setLineWidth(side / 9)
    canvas.setStrokeColor(BLACK)
    canvas.setFillColor(WHITE if legal else BLACK)
    canvas.roundRect(x, y, side, side, side / 6, stroke=1, fill=1)
    canvas.setStrokeColor(BLACK if legal else WHITE)
    canvas.setLineWidth(side / 6.5)
    canvas.setLineCap(1)
    if legal:
        strokes = [(0.24, 0.5, 0.43, 0.29), (0.43, 0.29, 0.77, 0.73)]
    else:
        strokes = [(0.28, 0.28, 0.72, 0.72), (0.28, 0.72, 0.72, 0.28)]
    for x1, y1, x2, y2 in strokes:
        canvas.line(x + x1 * side, y + y1 * side, x + x2 * side, y + y2 * side)
    canvas.setLineCap(0)


class Badge(Flowable):
    """The verdict with its sign, in a box: black where the list is not legal."""

    SIGN = 15.0

    def __init__(self, verdict: str, legal: bool) -> None:
        super().__init__()
        self.legal = legal
        self.words = Words(Run(verdict, Ink(BOLD, 11, BLACK if legal else WHITE)))

    def wrap(self, width: float, height: float) -> tuple[float, float]:
        _, tall = self.words.wrap(width - self.SIGN - 3 * PADDING, height)
        self.width, self.height = width, max(tall, self.SIGN) + 2 * PADDING
        return width, self.height

    def draw(self) -> None:
        canvas = self.canv
        canvas.setLineWidth(1.2)
        canvas.setStrokeColor(BLACK)
        canvas.setFillColor(WHITE if self.legal else BLACK)
        canvas.roundRect(0, 0, self.width, self.height, 3, stroke=1, fill=1)
        middle = self.height / 2
        draw_sign(canvas, PADDING, middle - self.SIGN / 2, self.SIGN, self.legal)
        self.words.drawOn(canvas, 2 * PADDING + self.SIGN, middle - self.words.height / 2)


class Section(Flowable):
    """A titled run of blocks in columns, filled downwards and evened out at its end.

    A block goes to the next column or page whole, unless it alone is taller than `page` points.
    `header` stands above the blocks on every page (column heads of a table).
    """

    TITLE = Ink(BOLD, 11)
    TITLE_HEIGHT = TITLE.size * LEADING + 5
    SPACE_ABOVE = 13.0
    #: A block taller than a page starts on this page only where this many points are left.
    START_ROOM = 120.0

    def __init__(
        self,
        title: str,
        blocks: Sequence[Flowable],
        page: float,
        columns: int = 1,
        header: Flowable | None = None,
        more: bool = False,
    ) -> None:
        super().__init__()
        self.title = title
        self.blocks = blocks
        self.page = page
        self.columns = columns
        self.header = header
        self.more = more

    def getSpaceBefore(self) -> float:  # noqa: N802  ReportLab's name
        return self.SPACE_ABOVE

    def wrap(self, width: float, height: float) -> tuple[float, float]:
        self.column = (width - COLUMN_GAP * (self.columns - 1)) / self.columns
        self.heights = [block.wrap(self.column, height)[1] for block in self.blocks]
        self.top = self.TITLE_HEIGHT
        if self.header is not None:
            self.top += self.header.wrap(self.column, height)[1] + BLOCK_GAP / 2
        room, self.fill = even_fill(self.heights, self.columns)
        self.width, self.height = width, self.top + room
        return width, self.height

    def split(self, width: float, height: float) -> list[Self]:
        self.wrap(width, height)
        room = height - self.top
        fitting = sum(fill_columns(self.heights, self.columns, room)[0])
        if fitting:
            return self._cut(self.blocks[:fitting], self.blocks[fitting:])
        if self.heights[0] > self.page - self.top and room > self.START_ROOM:
            parts = self.blocks[0].split(self.column, room)
            if parts:
                return self._cut(parts[:1], [*parts[1:], *self.blocks[1:]])
        return []

    def _cut(self, here: Sequence[Flowable], there: Sequence[Flowable]) -> list[Self]:
        common = (self.page, self.columns, self.header)
        return [
            type(self)(self.title, here, *common, self.more),
            type(self)(self.title, there, *common, True),
        ]

    def draw(self) -> None:
        self._draw_title()
        top = self.height - self.TITLE_HEIGHT
        if self.header is not None:
            self.header.drawOn(self.canv, 0, top - self.header.height)
            top = self.height - self.top
        start = 0
        for number, count in enumerate(self.fill):
            y = top
            for block in self.blocks[start : start + count]:
                y -= block.height
                block.drawOn(self.canv, number * (self.column + COLUMN_GAP), y)
                y -= BLOCK_GAP
            start += count

    def _draw_title(self) -> None:
        canvas, ink = self.canv, self.TITLE
        base = self.height - ink.size
        canvas.setFillColor(ink.colour)
        canvas.setFont(ink.font, ink.size)
        canvas.drawString(0, base, printable(self.title))
        if self.more:
            after = width_of(self.title, *ink[:2]) + 4
            canvas.setFillColor(GREY)
            canvas.setFont(Ink().font, 8)
            canvas.drawString(after, base, "continued")
        else:
            canvas.bookmark(self.title, self.height)
        canvas.setStrokeColor(BLACK)
        canvas.setLineWidth(0.8)
        canvas.line(0, base - 3.6, self.width, base - 3.6)


def fill_columns(heights: Sequence[float], columns: int, room: float) -> tuple[list[int], float]:
    """How many blocks each column of `room` points takes, in order; and the least room in which
    some column would take one block more than it does here.
    """
    counts = [0] * columns
    wider = float("inf")
    used = 0.0
    column = 0
    for height in heights:
        need = used + BLOCK_GAP + height if counts[column] else height
        while need > room + 0.001:
            wider = min(wider, need)
            column += 1
            if column == columns:
                return counts, wider
            need = height
        counts[column] += 1
        used = need
    return counts, wider


def even_fill(heights: Sequence[float], columns: int) -> tuple[float, list[int]]:
    """The least room in points in which all blocks stand, and how many each column takes."""
    room = max(heights, default=0)
    while True:
        counts, wider = fill_columns(heights, columns, room)
        if sum(counts) == len(heights):
            return room, counts
        room = wider
