"""Layout of the PDF: stacks and rows of blocks, the verdict, sections in columns."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from math import inf
from typing import Literal

from django.utils.translation import gettext as _
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Flowable

from armybuilder.engine.verdict import Outcome
from armybuilder.loading.deadline import checked
from armybuilder.sheets.content.unit_view import StatCell
from armybuilder.sheets.drawing.tagged import Row, Tag, TaggedCanvas, content, element, in_row
from armybuilder.sheets.drawing.typeface import (
    BLACK,
    BOLD,
    GREY,
    LABEL_SIZE,
    LINE,
    WHITE,
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
from armybuilder.sheets.drawing.words import LEADING, Measured, PageBlock, WordRun, Words, broken


class FullWidth(PageBlock):
    """A block as wide as it may be, of a height that it knows."""

    def wrap(self, width: float, _height: float) -> tuple[float, float]:
        self.width = width
        return width, self.height


Frame = Literal["", "box", "bar", "band"]

#: Space in points: between the children of a stack, inside a frame, between blocks,
#: between ruled rows, between columns.
CHILD_GAP = 2.4
PADDING = 6
BLOCK_GAP = 6
ROW_GAP = 2.6
COLUMN_GAP = 10


_PADS: dict[Frame, tuple[float, float]] = {
    "": (0, 0),
    "box": (2 * PADDING, 2 * PADDING - 2),
    "bar": (PADDING + 2, 0),
    "band": (PADDING, PADDING / 2),
}


class Stack(Flowable):
    """Blocks below each other; `frame`: a box around, a bar at their left, a band behind."""

    def __init__(
        self, *children: Flowable, frame: Frame = "", gap: float = CHILD_GAP, tag: Tag | None = None
    ) -> None:
        super().__init__()
        self.tag = tag
        self.children = children
        self.frame = frame
        self.gap = gap
        self.wrapped_at: float | None = None
        #: Padding in points at the sides together, and above and below together.
        self.across, self.upright = _PADS[frame]

    def wrap(self, width: float, height: float) -> tuple[float, float]:
        if self.wrapped_at != width:
            heights = [child.wrap(width - self.across, height)[1] for child in self.children]
            self.wrapped_at = self.width = width
            self.height = sum(heights) + self.gap * (len(heights) - 1) + self.upright
        return width, self.height

    def split(self, width: float, height: float) -> list[Flowable]:
        """Return two stacks, the first of at most `height` points; none where nothing fits."""
        room = height - self.upright
        for number, child in enumerate(self.children):
            tall = child.wrap(width - self.across, room)[1]
            if tall > room:
                parts = child.split(width - self.across, room)
                first = [*self.children[:number], *parts[:1]]
                rest = [*(parts[1:] if parts else [child]), *self.children[number + 1 :]]
                if not first:
                    return []
                return [
                    type(self)(*part, frame=self.frame, gap=self.gap, tag=self.tag)
                    for part in (first, rest)
                ]
            room -= tall + self.gap
        return []

    def draw(self) -> None:
        canvas = self.canv
        whole = (0, 0, self.width, self.height)
        if self.frame == "box":
            round_box(canvas, whole, 3, LINE, 0.7)
        elif self.frame == "bar":
            canvas.setFillColor(tones_of(canvas).bad)
            canvas.rect(0, 0, 2.2, self.height, stroke=0, fill=1)
        elif self.frame == "band":
            round_box(canvas, whole, 2, fill=tones_of(canvas).band)
        y = self.height - self.upright / 2
        x = self.across if self.frame == "bar" else self.across / 2
        with element(canvas, self.tag):
            for child in self.children:
                y -= child.height
                child.drawOn(canvas, x, y)
                y -= self.gap


@dataclass(eq=False)
class Across(PageBlock):
    """Blocks side by side by `shares` of the width (None: as a text needs), `gap` apart."""

    cells: Sequence[Flowable]
    shares: Sequence[float | None]
    ruled: bool = False
    row: Row = ""
    gap: float = COLUMN_GAP

    def wrap(self, width: float, height: float) -> tuple[float, float]:
        room = width - self.gap * (len(self.cells) - 1)
        fixed = [
            _needed(cell, room / 2) if share is None else 0
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

    def split(self, width: float, height: float) -> list[Flowable]:
        """Return two rows, cells of the first at most `height` points; none where nothing fits."""
        self.wrap(width, height)
        above: list[Flowable | None] = []
        below: list[Flowable | None] = []
        for cell, wide in zip(self.cells, self.widths, strict=True):
            fits = cell.height <= height
            parts = [] if fits else cell.split(wide, height)
            first, rest = (parts[0], parts[1]) if parts else (cell, None) if fits else (None, cell)
            above.append(first)
            below.append(rest)
        # An empty cell fits anywhere: that alone would part the row for ever.
        pairs = zip(above, below, strict=True)
        if not any(first and (rest or first.height) for first, rest in pairs):
            return []
        rows = ([cell or Words() for cell in cells] for cells in (above, below))
        return [replace(self, cells=cells) for cells in rows]

    def draw(self) -> None:
        x = 0.0
        with element(self.canv, "TR" if self.row else None):
            for number, (cell, width) in enumerate(zip(self.cells, self.widths, strict=True)):
                with in_row(self.canv, self.row, number):
                    cell.drawOn(self.canv, x, self.height - cell.height)
                x += width + self.gap
        if self.ruled:
            rule(self.canv, 0, -ROW_GAP / 2, self.width, 0.4)


def _needed(cell: Flowable, most: float) -> float:
    """Return the width in points that a cell needs, limited for a paragraph."""
    if isinstance(cell, Words):
        return min(cell.natural_width, most)
    return cell.natural_width if isinstance(cell, Measured) else most


@dataclass(eq=False)
class Stats(PageBlock):
    """A stat line: small labels over values, on a band, in several rows where it is too long."""

    cells: Sequence[StatCell]

    LABEL = Ink(size=LABEL_SIZE, colour=GREY)
    VALUE = Ink(BOLD, 9)
    ROW = 21.0
    GAP = 7.0
    #: Points by which columns may stand further apart where there is room.
    STRETCH = 8.0

    def wrap(self, width: float, _height: float) -> tuple[float, float]:
        boxes = []
        for cell in self.cells:
            label, value = printable(cell.label), printable(cell.value)
            wide = max(width_of(label, *self.LABEL[:2]), width_of(value, *self.VALUE[:2]))
            boxes.append((label, value, wide))
        room = width - self.GAP
        for number in range(1, len(boxes) + 1):
            columns = -(-len(boxes) // number)
            self.rows = [boxes[start : start + columns] for start in range(0, len(boxes), columns)]
            self.widths = [max(wide for *_, wide in boxes[at::columns]) for at in range(columns)]
            taken = sum(self.widths) + self.GAP * columns
            if taken <= room:
                break
        self.gap = self.GAP + max(0, min(self.STRETCH, (room - taken) / columns))
        self.width, self.height = width, self.ROW * len(self.rows)
        return width, self.height

    def draw(self) -> None:
        canvas = self.canv
        band = min(self.width, sum(self.widths) + self.gap * len(self.widths) + self.GAP)
        round_box(canvas, (0, 0, band, self.height), 2, fill=tones_of(canvas).band)
        y = self.height
        with element(canvas, "Table"):
            for row in self.rows:
                y -= self.ROW
                labels, values, _wides = zip(*row, strict=True)
                places = (self.GAP, y + 13.4), (self.GAP, y + 4)
                draw_cells(canvas, "TH", labels, places[0], self.widths, self.gap, self.LABEL)
                draw_cells(canvas, "TD", values, places[1], self.widths, self.gap, self.VALUE)


def draw_cells(
    canvas: Canvas,
    tag: Tag,
    texts: Sequence[str],
    start: tuple[float, float],
    widths: Sequence[float],
    gap: float,
    ink: Ink,
) -> None:
    """Write a row of a table from a point on, each text in the middle of its width."""
    x, y = start
    with element(canvas, "TR"):
        for text, width in zip(texts, widths, strict=False):
            with content(canvas, tag):
                write_centred(canvas, x + width / 2, y, text, ink)
            x += width + gap


#: The strokes of a sign in a square of 1: a tick, an exclamation mark, a cross.
_STROKES = {
    Outcome.LEGAL: ((0.24, 0.5, 0.43, 0.29), (0.43, 0.29, 0.77, 0.73)),
    Outcome.UNCHECKED: ((0.5, 0.78, 0.5, 0.46), (0.5, 0.24, 0.5, 0.22)),
    Outcome.ILLEGAL: ((0.28, 0.28, 0.72, 0.72), (0.28, 0.72, 0.72, 0.28)),
}


def draw_sign(canvas: Canvas, x: float, y: float, side: float, outcome: Outcome) -> None:
    """Draw a tick or exclamation mark, or a cross on black: distinct without colour."""
    _verdict_box(canvas, (x, y, side, side), side / 6, side / 9, outcome)
    fine = outcome is not Outcome.ILLEGAL
    stroke(canvas, tones_of(canvas).good if fine else WHITE, side / 6.5)
    canvas.setLineCap(1)
    for x1, y1, x2, y2 in _STROKES[outcome]:
        canvas.line(x + x1 * side, y + y1 * side, x + x2 * side, y + y2 * side)
    canvas.setLineCap(0)


def _verdict_box(
    canvas: Canvas,
    place: tuple[float, float, float, float],
    radius: float,
    width: float,
    outcome: Outcome,
) -> None:
    """Draw the box of a verdict or of its sign: filled where the list is not legal."""
    tones, fine = tones_of(canvas), outcome is not Outcome.ILLEGAL
    line, fill = (tones.good, WHITE) if fine else (tones.bad, tones.bad)
    round_box(canvas, place, radius, line, width, fill)


class Badge(Flowable):
    """The verdict with its sign, in a box: black where the list is not legal."""

    SIGN = 15.0

    def __init__(self, verdict: str, outcome: Outcome) -> None:
        super().__init__()
        self.outcome = outcome
        colour = WHITE if outcome is Outcome.ILLEGAL else BLACK
        self.words = Words(WordRun(verdict, Ink(BOLD, 11, colour)))

    def wrap(self, width: float, height: float) -> tuple[float, float]:
        _, tall = self.words.wrap(width - self.SIGN - 3 * PADDING, height)
        self.width, self.height = width, max(tall, self.SIGN) + 2 * PADDING
        return width, self.height

    def draw(self) -> None:
        canvas, middle = self.canv, self.height / 2
        _verdict_box(canvas, (0, 0, self.width, self.height), 3, 1.2, self.outcome)
        draw_sign(canvas, PADDING, middle - self.SIGN / 2, self.SIGN, self.outcome)
        self.words.drawOn(canvas, 2 * PADDING + self.SIGN, middle - self.words.height / 2)


#: Points beyond which a text does not make its column wider at the cost of others.
LONGEST = 170.0


def natural_width(rows: Sequence[Sequence[str]], ink: Ink) -> float:
    """Return the width in points of a table no text of which is broken, but the longest."""
    widest = (
        max(width_of(text, *ink[:2]) for text in column) for column in zip(*rows, strict=True)
    )
    return sum(min(LONGEST, wide) + COLUMN_GAP for wide in widest)


def shares(
    rows: Sequence[Sequence[str]], width: float, ink: Ink, gap: float = COLUMN_GAP
) -> list[float] | None:
    """Return the shares of the width in points of columns `gap` apart, texts set in `ink`.

    None if their longest words don't fit side by side.
    """

    def wide(text: str) -> float:
        return width_of(text, *ink[:2]) + 0.1

    room = width - gap * (len(rows[0]) - 1)
    columns = [[printable(text) for text in column] for column in zip(*rows, strict=True)]
    least = [
        max(max(map(wide, text.split()), default=0.1) for text in column) for column in columns
    ]
    rest = room - sum(least)
    if rest < 0:
        return None
    wanted = [
        max(low, min(LONGEST, max(map(wide, column))))
        for low, column in zip(least, columns, strict=True)
    ]
    more, total = sum(wanted) - sum(least), sum(wanted)
    if more > rest:
        return [
            (low + rest * (want - low) / more) / room
            for low, want in zip(least, wanted, strict=True)
        ]
    # Every column has what it wants, and of the rest a part by that.
    return [want / total for want in wanted] if total else [1 / len(wanted)] * len(wanted)


@dataclass(eq=False)
class Scaled(PageBlock):
    """A flowable at `scale` times its size; it is laid out for the room that it then has."""

    inner: Flowable
    scale: float

    def getSpaceBefore(self) -> float:  # noqa: N802  ReportLab's name
        return float(self.inner.getSpaceBefore()) * self.scale

    def wrap(self, width: float, height: float) -> tuple[float, float]:
        _, tall = self.inner.wrap(width / self.scale, height / self.scale)
        self.width, self.height = width, tall * self.scale
        return width, self.height

    def split(self, width: float, height: float) -> list[Flowable]:
        parts = self.inner.split(width / self.scale, height / self.scale)
        return [Scaled(part, self.scale) for part in parts]

    def draw(self) -> None:
        self.canv.scale(self.scale, self.scale)
        self.inner.drawOn(self.canv, 0, 0)


def height_of(parts: Iterable[Flowable], width: float) -> float:
    """Return the height in points of parts below each other, the space between them too."""
    height = 0.0
    for number, part in enumerate(parts):
        height += part.wrap(width, inf)[1] + (part.getSpaceBefore() if number else 0)
    return height


#: Points by which blocks may stand over the end of their column.
TOLERANCE = 0.001
#: Points within which the least height is tried in steps from block to block.
NEAR = 4.0


@dataclass(eq=False)
class PdfSection(PageBlock):
    """A titled run of blocks in columns, filled downwards and evened out at its end.

    A block stays undivided unless it alone is taller than `page` points; `header` is above on every
    page, `more`: it began on an earlier one.
    """

    title: str
    blocks: Sequence[Flowable]
    page: float
    columns: int = 1
    header: Flowable | None = None
    more: bool = False
    gap: float = BLOCK_GAP
    wrapped_in: tuple[float, float] | None = field(default=None, init=False)
    canv: TaggedCanvas = field(init=False, repr=False)

    TITLE = Ink(BOLD, 11)
    AFTER = Ink(size=8, colour=GREY)
    LINE = TITLE.size * LEADING
    TITLE_HEIGHT = LINE + 5
    SPACE_ABOVE = 13.0
    #: A block taller than a page starts on this page only where this many points are left.
    START_ROOM = 120.0

    @property
    def after(self) -> str:
        """Words after the title if the section began on an earlier page."""
        return _("continued") if self.more else ""

    def getSpaceBefore(self) -> float:  # noqa: N802  ReportLab's name
        return self.SPACE_ABOVE

    def wrap(self, width: float, height: float) -> tuple[float, float]:
        """Return width and height, measuring no blocks beyond `height`: each on one page only."""
        if self.wrapped_in == (width, height):
            return self.width, self.height
        self.wrapped_in = width, height
        taken = width_of(self.after, *self.AFTER[:2]) + 4
        self.lines = broken(self.title, self.TITLE, width - taken) or [""]
        self.title_height = self.TITLE_HEIGHT + (len(self.lines) - 1) * self.LINE
        self.column = (width - COLUMN_GAP * (self.columns - 1)) / self.columns
        self.top = self.title_height
        if self.header is not None:
            self.top += self.header.wrap(self.column, height)[1] + BLOCK_GAP / 2
        heights: list[float] = []

        def measured() -> Iterator[float]:
            for block in checked(self.blocks):
                heights.append(block.wrap(self.column, height)[1])
                yield heights[-1]

        counts, __ = fill_columns(measured(), self.columns, height - self.top, self.gap)
        self.fitting = sum(counts)
        self.width, self.height = width, self.top + height
        if self.fitting == len(self.blocks):
            room, self.fill = even_fill(heights, self.columns, self.gap)
            self.height = min(self.top + room, height)
        return width, self.height

    def split(self, width: float, height: float) -> list[Flowable]:
        self.wrap(width, height)
        room = height - self.top
        here, there = self.blocks[: self.fitting], self.blocks[self.fitting :]
        if not here and self.blocks[0].height > self.page - self.top and room > self.START_ROOM:
            parts = self.blocks[0].split(self.column, room)
            here, there = parts[:1], [*parts[1:], *self.blocks[1:]]
        if self.header is not None and there:  # no row of a table stands alone on a page
            if len(here) == 1 and height < self.page / 2:
                return []
            if len(there) == 1 and len(here) > 2:
                here, there = here[:-1], [*here[-1:], *there]
        return [replace(self, blocks=here), replace(self, blocks=there, more=True)] if here else []

    def draw(self) -> None:
        canvas, ink = self.canv, self.TITLE
        tone = tones_of(canvas).title
        base = self.height - ink.size
        # Where a section goes on, its title is told for the eye alone.
        with nullcontext() if self.more else content(canvas, "H2"):
            for number, line in enumerate(self.lines):
                write(canvas, 0, base - number * self.LINE, line, ink._replace(colour=tone))
        base -= (len(self.lines) - 1) * self.LINE
        if self.more:
            write(canvas, width_of(self.lines[-1], *ink[:2]) + 4, base, self.after, self.AFTER)
        else:
            canvas.bookmark(self.title, self.height)
        rule(canvas, 0, base - 3.6, self.width, 0.8, tone)
        top, start = self.height - self.title_height, 0
        with element(canvas, "Table" if self.header else None):
            if self.header is not None:
                self.header.drawOn(canvas, 0, top - self.header.height)
                top = self.height - self.top
            for number, count in enumerate(self.fill):
                y = top
                for block in checked(self.blocks[start : start + count]):
                    y -= block.height
                    block.drawOn(canvas, number * (self.column + COLUMN_GAP), y)
                    y -= self.gap
                start += count


def fill_columns(
    heights: Iterable[float], columns: int, room: float, gap: float = BLOCK_GAP
) -> tuple[list[int], float]:
    """Return how many blocks each column takes, and the least room that takes one more."""
    counts = [0] * columns
    wider = float("inf")
    used = 0.0
    column = 0
    for height in heights:
        need = used + gap + height if counts[column] else height
        while need > room + TOLERANCE:
            wider = min(wider, need)
            column += 1
            if column == columns:
                return counts, wider
            need = height
        counts[column] += 1
        used = need
    return counts, wider


def even_fill(
    heights: Sequence[float], columns: int, gap: float = BLOCK_GAP
) -> tuple[float, list[int]]:
    """Return the least height in points for all blocks, and the number in each column."""
    tallest = max(heights, default=0)
    # No column can be lower than the mean of all.
    mean = (sum(heights) + gap * (len(heights) - columns)) / columns
    low, high = max(tallest, mean), max(tallest, mean) + tallest + gap
    while high - low > NEAR:
        middle = (low + high) / 2
        if sum(fill_columns(heights, columns, middle, gap)[0]) == len(heights):
            high = middle
        else:
            low = middle
    # What stands in a room stands in one that is by a tolerance less, too: from a room a little
    # less than enough for all the next rooms are tried one by one.
    room = max(tallest, low - 2 * TOLERANCE)
    while True:
        counts, wider = fill_columns(heights, columns, room, gap)
        if sum(counts) == len(heights):
            return room, counts
        room = wider
