"""Parts of a printed card: its size, boxes, headings, and lines for a pen."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, NamedTuple, TypeVar

from reportlab.lib.units import mm
from reportlab.platypus import Flowable

from armybuilder.sheets.content.unit_view import StatCell
from armybuilder.sheets.drawing.blocks import FullWidth, Stack, draw_cells
from armybuilder.sheets.drawing.tagged import Tag, content, element
from armybuilder.sheets.drawing.typeface import (
    BLACK,
    BOLD,
    GREY,
    LINE,
    REGULAR,
    Ink,
    printable,
    round_box,
    rule,
    stroke,
    width_of,
    write,
    write_centred,
)
from armybuilder.sheets.drawing.words import PageBlock, WordRun, Words, fit

#: Sizes of a card's text, the largest first, few so that a page has few; in the last one nothing is
#: above the smallest letters.
SCALES = (1.2, 1.1, 1.0)
#: Those of a printout in small or large letters: room to write, or more cards instead.
LETTERS: Mapping[str, tuple[float, ...]] = {
    "small": tuple(scale for scale in SCALES if scale <= 1),
    "normal": SCALES,
    "large": tuple(scale for scale in SCALES if scale > 1),
}


@dataclass(frozen=True, slots=True)
class CardSize:
    """A size of cards in points of paper; contents are in points of their own (`zoom`)."""

    width: float
    height: float
    zoom: float = 1.0

    #: How far a card's frame stands off its edge, and the text off the frame, in its own points.
    INSET: ClassVar[float] = 1.9 * mm
    PADDING: ClassVar[float] = 4.5

    @property
    def tall(self) -> float:
        return self.height / self.zoom

    @property
    def frame_width(self) -> float:
        return self.width / self.zoom - 2 * self.INSET

    @property
    def frame_height(self) -> float:
        return self.tall - 2 * self.INSET

    @property
    def text_width(self) -> float:
        return self.frame_width - 2 * self.PADDING


POKER = CardSize(63 * mm, 88 * mm)
#: The sizes by the names that a set-up knows them by.
#: The large one goes into a sleeve of A6, and four of them are on a page.
SIZES: Mapping[str, CardSize] = {"poker": POKER, "A6": CardSize(94 * mm, 132 * mm, 1.35)}


@dataclass(frozen=True, slots=True)
class CardFormat:
    """Layout of all cards: `scales` of text, the largest first; heads dark or outlined."""

    size: CardSize = POKER
    scales: tuple[float, ...] = SCALES
    portrait: bool = False
    outlined: bool = False


USUAL = CardFormat()


#: The least margin around all cards of a page, in points: cut marks and a line of text need it.
MARGIN = 6.5 * mm


class CardSpot(NamedTuple):
    """A card's lower left corner on the page in points, its turn against the clock in degrees."""

    x: float
    y: float
    turn: int


@dataclass(frozen=True, slots=True)
class CardGrid:
    """Cards in rows and columns in the middle of a page, in points; `turned`: on their side."""

    page: tuple[float, float]
    wide: float
    tall: float
    across: int
    down: int
    turned: bool

    @property
    def count(self) -> int:
        return self.across * self.down

    @property
    def left(self) -> float:
        """The left edge of the first column, in points from the page's."""
        return (self.page[0] - self.across * self.wide) / 2

    @property
    def low(self) -> float:
        """The lower edge of the last row, in points from the page's."""
        return (self.page[1] - self.down * self.tall) / 2

    def columns(self) -> list[float]:
        """Return where a cut runs from top to bottom, in points from the left edge of the page."""
        return [self.left + number * self.wide for number in range(self.across + 1)]

    def rows(self) -> list[float]:
        """Return where a cut runs from side to side, in points from the lower edge of the page."""
        return [self.low + number * self.tall for number in range(self.down + 1)]

    def fronts(self) -> Iterator[CardSpot]:
        """Return the places in their order, row by row from the top."""
        for row in reversed(self.rows()[:-1]):
            for column in self.columns()[:-1]:
                yield CardSpot(column, row, 90 if self.turned else 0)

    def backs(self) -> Iterator[CardSpot]:
        """Yield the places of the backs in the order of their fronts, turned on the long edge."""
        wide, high = self.page
        for x, y, turn in self.fronts():
            if wide > high:
                yield CardSpot(x, high - y - self.tall, 180 - turn)
            else:
                yield CardSpot(wide - x - self.wide, y, -turn)


def grid_of(page: tuple[float, float], size: CardSize) -> CardGrid:
    """Return the grid of a page that holds most cards; upright ones if that makes no difference."""
    grids = [
        CardGrid(
            page,
            wide,
            tall,
            int((page[0] - 2 * MARGIN) / wide),
            int((page[1] - 2 * MARGIN) / tall),
            turned,
        )
        for wide, tall, turned in (
            (size.width, size.height, False),
            (size.height, size.width, True),
        )
    ]
    return max(grids, key=lambda grid: grid.count)


#: No letter on a card is smaller, in points, and none of what one reads.
SMALLEST, LEAST_TEXT = 6.0, 7.0
#: Height of a card's lines, in parts of the size of their letters.
TIGHT = 1.2


#: Letters of the labels in boxes, in points.
LABEL = 6.0
#: The least scale at which boxes have their usual size.
ROOMY = 0.86


@dataclass(frozen=True, slots=True)
class Style:
    """Text size of a card relative to the usual one; `explained`: abilities too.

    If it is `dense` stat lines are one table.
    """

    scale: float = 1.0
    explained: bool = False
    dense: bool = False

    def ink(self, size: float, bold: bool = False) -> Ink:
        """Ink of `size` points at the usual scale; never smaller than may be."""
        least = LEAST_TEXT if size > LABEL + 0.5 else SMALLEST
        return Ink(BOLD if bold else REGULAR, max(least, round(size * self.scale, 2)))


class Whole(Stack):
    """Blocks below each other that stay on one card, where they do not fill it alone."""


Part = TypeVar("Part")


def parted(
    whole: Sequence[Part], count: int, made: Callable[[Sequence[Part]], Flowable]
) -> list[Flowable]:
    """Return blocks made of the first `count` and of the others; none where either has none."""
    return [made(whole[:count]), made(whole[count:])] if 0 < count < len(whole) else []


class CardHeading(Flowable):
    """A name with a line behind it to the end of the row."""

    def __init__(self, name: str, style: Style) -> None:
        super().__init__()
        self.words = Words(WordRun(name, style.ink(6.2, bold=True)), leading=TIGHT)

    def wrap(self, width: float, height: float) -> tuple[float, float]:
        self.width = width
        _, self.height = self.words.wrap(width, height)
        return width, self.height

    def draw(self) -> None:
        self.words.drawOn(self.canv, 0, 0)
        start = self.words.natural_width + 3
        if self.words.count == 1 and start < self.width:
            rule(self.canv, start, self.height * 0.42, self.width, 0.4, GREY)


@dataclass(frozen=True, slots=True)
class CardCell:
    """A statistic made printable, and the width in points that it needs."""

    label: str
    value: str
    width: float


@dataclass(eq=False)
class Cells(PageBlock):
    """Statistics in boxes, a label over its value (empty: room to write), in even rows."""

    cells: Sequence[CardCell]
    style: Style
    writing: bool = False
    large: bool = False

    GAP = 2.0
    PAD = 6.0

    #: Points by which a box may be wider than it needs, unless it is large.
    STRETCH = 20.0

    def __post_init__(self) -> None:
        super().__post_init__()
        self.label, self.value = cell_inks(self.style, self.large)
        self.row = self.label.size + (13 if self.writing else self.value.size) + 3.6

    def wrap(self, width: float, _height: float) -> tuple[float, float]:
        self.width = width
        self.rows = even_rows([cell.width for cell in self.cells], width, self.GAP)
        self.height = len(self.rows) * (self.row + self.GAP) - self.GAP
        return width, self.height

    def split(self, width: float, height: float) -> list[Flowable]:
        """Return two runs of boxes, the first of at most `height` points; none if no row fits."""
        self.wrap(width, height)
        rows = max(0, int((height + self.GAP) / (self.row + self.GAP)))
        count = sum(self.rows[:rows])
        return parted(self.cells, count, lambda part: replace(self, cells=part))

    def draw(self) -> None:
        canvas, y, start = self.canv, self.height, 0
        for count in self.rows:
            y -= self.row
            cells = self.cells[start : start + count]
            spare = self.width - self.GAP * (count - 1) - sum(cell.width for cell in cells)
            more = spare / count if self.large else min(self.STRETCH, spare / count)
            wides = [cell.width + more for cell in cells]
            top = y + self.row - self.label.size * 0.95 - 0.6
            low = y + self.value.size * 0.22 + 0.8
            with element(canvas, "Table"):
                x = 0.0
                for wide in wides:
                    round_box(canvas, (x, y, wide, self.row), 1.6, GREY)
                    x += wide + self.GAP
                labels, values = [cell.label for cell in cells], [cell.value for cell in cells]
                draw_cells(canvas, "TH", labels, (0.0, top), wides, self.GAP, self.label)
                draw_cells(canvas, "TD", values, (0.0, low), wides, self.GAP, self.value)
            y -= self.GAP
            start += count


@dataclass(eq=False)
class StatTable(PageBlock):
    """Stat lines below each other under one row of labels, each behind a line of words."""

    rows: Sequence[tuple[Words, Sequence[StatCell]]]
    wide: float

    LABEL, VALUE = Ink(size=LABEL, colour=GREY), Ink(BOLD, 7.4)
    #: Heights of the labels and of a row of values; the least between two columns.
    TOP, ROW, GAP = 7.4, 9.8, 1.6

    def __post_init__(self) -> None:
        super().__post_init__()
        cells = {cell.id: cell for _words, cells in self.rows for cell in cells}
        self.labels = [printable(cell.label) for cell in cells.values()]
        values = [{cell.id: printable(cell.value) for cell in cells} for _words, cells in self.rows]
        self.values = [[texts.get(key, "") for key in cells] for texts in values]
        needs = [
            max(
                width_of(label, *self.LABEL[:2]),
                *(width_of(texts[place], *self.VALUE[:2]) for texts in self.values),
            )
            for place, label in enumerate(self.labels)
        ]
        self.gap = (self.wide - sum(needs)) / max(1, len(needs))
        self.widths = [need + self.gap for need in needs]
        for words, _cells in self.rows:
            words.wrap(self.wide, 1000)
        self.height = self.TOP + sum(words.height + self.ROW for words, _cells in self.rows)

    @property
    def has_room(self) -> bool:
        """Return whether its columns are apart."""
        return self.gap >= self.GAP

    def wrap(self, width: float, _height: float) -> tuple[float, float]:
        self.width = width
        return width, self.height

    def draw(self) -> None:
        canvas, y = self.canv, self.height - self.TOP
        with element(canvas, "Table"):
            with element(canvas, "TR"):
                with element(canvas, "TD"):
                    pass  # above the names
                self._draw_cells("TH", self.labels, y + 1.6, self.LABEL)
            for (words, _cells), values in zip(self.rows, self.values, strict=True):
                y -= words.height
                with element(canvas, "TR"):
                    with element(canvas, "TH"):
                        words.drawOn(canvas, 0, y)
                    y -= self.ROW
                    self._draw_cells("TD", values, y + 2.6, self.VALUE)

    def _draw_cells(self, tag: Tag, texts: Sequence[str], y: float, ink: Ink) -> None:
        x = 0.0
        for text, width in zip(texts, self.widths, strict=True):
            with content(self.canv, tag):
                write_centred(self.canv, x + width / 2, y, text, ink)
            x += width


def cell_inks(style: Style, large: bool = False) -> tuple[Ink, Ink]:
    """Return the inks of a box's label and value: one size but on the fullest cards."""
    label = Ink(size=LABEL, colour=GREY)
    if large:
        return label, Ink(BOLD, 15)
    return label, Ink(BOLD, 9.6 if style.scale >= ROOMY else 8)


def measured(cells: Sequence[StatCell], style: Style, large: bool = False) -> list[CardCell]:
    """Return the statistics made printable, with the width their boxes need."""
    inks = cell_inks(style, large)
    found = []
    for cell in cells:
        texts = (printable(cell.label), printable(cell.value))
        wide = max(width_of(text, *ink[:2]) for text, ink in zip(texts, inks, strict=True))
        found.append(CardCell(*texts, wide + Cells.PAD))
    return found


def even_rows(widths: Sequence[float], room: float, gap: float) -> list[int]:
    """Return how many boxes each row of `room` points takes: few rows, evenly filled."""
    fewest = len(_fill(widths, room, gap, len(widths)))
    even = -(-len(widths) // fewest) if widths else 0
    for most in range(even, len(widths)):
        rows = _fill(widths, room, gap, most)
        if len(rows) == fewest:
            return rows
    return _fill(widths, room, gap, len(widths))


def _fill(widths: Sequence[float], room: float, gap: float, most: int) -> list[int]:
    rows: list[int] = []
    used = room
    for width in widths:
        if not rows or rows[-1] == most or used + gap + width > room + 0.001:
            rows.append(0)
            used = -gap
        rows[-1] += 1
        used += gap + width
    return rows


#: Boxes counted at a glance.
GROUP = 5


@dataclass(eq=False)
class HealthBoxes(PageBlock):
    """Rows of boxes in columns beside their label; long rows are below it, and wrap."""

    name: str
    numbers: Sequence[str]
    boxes: int
    #: After how many boxes a line marks the half, or what shatters it; 0 where none does.
    mark: int = 0

    LABEL = Ink(BOLD, 6.6)
    NUMBER = Ink(size=LEAST_TEXT)
    SIDE = 6.6
    STEP = SIDE + 1.4
    #: Further apart between two groups, and between two columns.
    SPACE = 2.2
    COLUMN = 7.0
    LINE = SIDE + 3.0

    def __post_init__(self) -> None:
        super().__post_init__()
        self.name = printable(self.name)

    def _long(self, boxes: int) -> float:
        return boxes * self.STEP + (boxes - 1) // GROUP * self.SPACE - (self.STEP - self.SIDE)

    def wrap(self, width: float, _height: float) -> tuple[float, float]:
        self.width = width
        self.lead = max(width_of(number, *self.NUMBER[:2]) for number in self.numbers)
        self.lead += 2.5 if self.lead else 0
        most = self.boxes
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
        self.height = self.top + -(-len(self.numbers) // self.columns) * self.lines * self.LINE
        return width, self.height

    def split(self, width: float, height: float) -> list[Flowable]:
        """Return two blocks, the first of at most `height` points; none if no row fits."""
        self.wrap(width, height)
        count = int((height - self.top) / (self.lines * self.LINE)) * self.columns
        return parted(self.numbers, count, lambda part: replace(self, numbers=part))

    def draw(self) -> None:
        canvas = self.canv
        stroke(canvas, BLACK, 0.6)
        with content(canvas):
            if self.name:
                write(canvas, 0, self.height - self.LINE + 2.4, self.name, self.LABEL)
            for place, number in enumerate(self.numbers):
                down, across = divmod(place, self.columns)
                y = self.height - self.top - (down * self.lines + 1) * self.LINE
                x = self.indent + across * self.column
                if number:
                    write(canvas, x, y + 2.4, number, self.NUMBER)
                for box in range(self.boxes):
                    below, at = divmod(box, self.per_line)
                    left = x + self.lead + at * self.STEP + at // GROUP * self.SPACE
                    low = y + 1.5 - below * self.LINE
                    canvas.rect(left, low, self.SIDE, self.SIDE)
                    if box + 1 == self.mark:
                        canvas.setLineWidth(1.5)
                        canvas.line(
                            left + self.SIDE + 0.7, low - 1, left + self.SIDE + 0.7, low + 7.6
                        )
                        canvas.setLineWidth(0.6)


class Fields(Flowable):
    """Names, each with a line to write on; every name must have room (`has_room`)."""

    ROW = 12.5
    GAP = 6.0
    #: The least a line is long, in points.
    LEAST = 38.0
    INK = Ink(size=SMALLEST, colour=GREY)
    #: The most points a name may take.
    LONGEST = 100.0

    @classmethod
    def has_room(cls, name: str) -> bool:
        """Return whether a name is short enough to leave room for a line."""
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
        """Return two runs of lines, the first of at most `height` points; none if no row fits."""
        self.wrap(width, height)
        return parted(self.names, sum(self.rows[: max(0, int(height / self.ROW))]), type(self))

    def draw(self) -> None:
        canvas, ink, y, start = self.canv, self.INK, self.height, 0
        for count in self.rows:
            y -= self.ROW
            wide = (self.width - self.GAP * (count - 1)) / count
            for number, name in enumerate(self.names[start : start + count]):
                x = number * (wide + self.GAP)
                with content(canvas):
                    write(canvas, x, y + 2.6, name, ink)
                rule(canvas, x + width_of(name, *ink[:2]) + 2.5, y + 2, x + wide)
            start += count


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
            rule(canvas, 0 if number else start, y, self.width)


class Portrait(FullWidth):
    """An empty frame for a picture, on a card `tall` points high; it grows with the room."""

    #: The least and the most of a card's height that it takes.
    LEAST, MOST = 0.24, 0.48

    def __init__(self, tall: float) -> None:
        super().__init__()
        self.most = tall * self.MOST
        self.height = tall * self.LEAST

    def grow(self, room: float) -> None:
        """Take more points of height, as far as a picture needs them."""
        self.height = min(self.most, self.height + room)

    def draw(self) -> None:
        round_box(self.canv, (0, 0, self.width, self.height), 2, LINE)
