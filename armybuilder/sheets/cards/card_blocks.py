"""What a printed card is laid out of beside its head: boxes of statistics, headings."""

from collections.abc import Sequence
from dataclasses import dataclass

from reportlab.platypus import Flowable

from armybuilder.sheets.content.structure import StatCell
from armybuilder.sheets.drawing.blocks import Stack
from armybuilder.sheets.drawing.tagged import Tag, content, element
from armybuilder.sheets.drawing.typeface import (
    BOLD,
    GREY,
    REGULAR,
    WHITE,
    Ink,
    printable,
    width_of,
    write_centred,
)
from armybuilder.sheets.drawing.words import Run, Words

#: No letter on a card is smaller, in points.
SMALLEST = 6.0
#: Height of a card's lines, in parts of the size of their letters.
TIGHT = 1.2


#: Letters of the labels in boxes, in points.
LABEL = 6.0
#: The least scale at which boxes have their usual size.
ROOMY = 0.86


@dataclass(frozen=True, slots=True)
class Style:
    """How large a card's text is, in parts of its usual size; `explained`: abilities too."""

    scale: float = 1.0
    explained: bool = False

    def ink(self, size: float, bold: bool = False) -> Ink:
        """Ink of `size` points at the usual scale; never smaller than may be."""
        return Ink(BOLD if bold else REGULAR, max(SMALLEST, round(size * self.scale, 2)))


class Whole(Stack):
    """Blocks below each other that stay on one card, where they do not fill it alone."""


class CardHeading(Flowable):
    """A name with a line behind it to the end of the row."""

    def __init__(self, name: str, style: Style) -> None:
        super().__init__()
        self.words = Words(Run(name, style.ink(6.2, bold=True)), leading=TIGHT)

    def wrap(self, width: float, height: float) -> tuple[float, float]:
        self.width = width
        _, self.height = self.words.wrap(width, height)
        return width, self.height

    def draw(self) -> None:
        self.words.drawOn(self.canv, 0, 0)
        start = self.words.natural_width + 3
        if self.words.count == 1 and start < self.width:
            self.canv.setStrokeColor(GREY)
            self.canv.setLineWidth(0.4)
            middle = self.height * 0.42
            self.canv.line(start, middle, self.width, middle)


@dataclass(frozen=True, slots=True)
class CardCell:
    """A statistic made printable, and the width in points that it needs."""

    label: str
    value: str
    width: float


class Cells(Flowable):
    """Statistics in boxes, a label over its value (empty: room to write), in even rows."""

    GAP = 2.0
    PAD = 6.0

    #: Points by which a box may be wider than it needs, unless it is large.
    STRETCH = 20.0

    def __init__(
        self, cells: Sequence[CardCell], style: Style, writing: bool = False, large: bool = False
    ) -> None:
        super().__init__()
        self.cells = cells
        self.style = style
        self.writing = writing
        self.large = large
        self.label, self.value = cell_inks(style, large)
        self.row = self.label.size + (13 if writing else self.value.size) + 3.6

    def wrap(self, width: float, _height: float) -> tuple[float, float]:
        self.width = width
        self.rows = even_rows([cell.width for cell in self.cells], width, self.GAP)
        self.height = self._height_of(len(self.rows))
        return width, self.height

    def _height_of(self, rows: int) -> float:
        return rows * (self.row + self.GAP) - self.GAP

    def split(self, width: float, height: float) -> list[Flowable]:
        """Two runs of boxes, the first of at most `height` points; none where no row fits."""
        self.wrap(width, height)
        rows = int((height + self.GAP) / (self.row + self.GAP))
        if not 0 < rows < len(self.rows):
            return []
        count = sum(self.rows[:rows])
        parts = (self.cells[:count], self.cells[count:])
        return [type(self)(part, self.style, self.writing, self.large) for part in parts]

    def draw(self) -> None:
        y, start = self.height, 0
        for count in self.rows:
            y -= self.row
            with element(self.canv, "Table"):
                self._draw_row(self.cells[start : start + count], y)
            y -= self.GAP
            start += count

    def _draw_row(self, cells: Sequence[CardCell], y: float) -> None:
        spare = self.width - self.GAP * (len(cells) - 1) - sum(cell.width for cell in cells)
        more = spare / len(cells) if self.large else min(self.STRETCH, spare / len(cells))
        wides = [cell.width + more for cell in cells]
        self._draw_boxes(wides, y)
        top = y + self.row - self.label.size * 0.95 - 0.6
        self._draw_texts("TH", [cell.label for cell in cells], wides, top, self.label)
        low = y + self.value.size * 0.22 + 0.8
        self._draw_texts("TD", [cell.value for cell in cells], wides, low, self.value)

    def _draw_boxes(self, wides: Sequence[float], y: float) -> None:
        canvas = self.canv
        canvas.setLineWidth(0.5)
        canvas.setStrokeColor(GREY)
        canvas.setFillColor(WHITE)
        x = 0.0
        for wide in wides:
            canvas.roundRect(x, y, wide, self.row, 1.6, stroke=1, fill=0)
            x += wide + self.GAP

    def _draw_texts(
        self, tag: Tag, texts: Sequence[str], wides: Sequence[float], y: float, ink: Ink
    ) -> None:
        x = 0.0
        with element(self.canv, "TR"):
            for text, wide in zip(texts, wides, strict=True):
                with content(self.canv, tag):
                    write_centred(self.canv, x + wide / 2, y, text, ink)
                x += wide + self.GAP


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
