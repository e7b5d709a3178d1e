"""Sections of a page: titled runs of blocks in columns, which pages and columns never split."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import nullcontext

from django.utils.translation import gettext as _
from reportlab.platypus import Flowable

from armybuilder.loading.deadline import checked
from armybuilder.sheets.drawing.blocks import BLOCK_GAP, COLUMN_GAP
from armybuilder.sheets.drawing.furniture import SheetCanvas
from armybuilder.sheets.drawing.tagged import content, element
from armybuilder.sheets.drawing.typeface import BOLD, GREY, Ink, tones_of, width_of, write
from armybuilder.sheets.drawing.words import LEADING, broken

#: Points by which blocks may stand over the end of their column.
TOLERANCE = 0.001


class PdfSection(Flowable):
    """A titled run of blocks in columns, filled downwards and evened out at its end.

    A block stays whole unless it alone is taller than `page` points; `header` stands above on every
    page.
    """

    canv: SheetCanvas

    TITLE = Ink(BOLD, 11)
    AFTER = Ink(size=8, colour=GREY)
    LINE = TITLE.size * LEADING
    TITLE_HEIGHT = LINE + 5
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
        gap: float = BLOCK_GAP,
    ) -> None:
        super().__init__()
        self.title = title
        self.blocks = blocks
        self.page = page
        self.columns = columns
        self.header = header
        self.more = more
        self.gap = gap

    def getSpaceBefore(self) -> float:  # noqa: N802  ReportLab's name
        return self.SPACE_ABOVE

    def wrap(self, width: float, height: float) -> tuple[float, float]:
        """Return width and height. Of a section that does not stand in `height` points only the
        blocks that do are measured: so a long one is measured once and not on each of its pages.
        """
        taken = width_of(self._after, *self.AFTER[:2]) + 4
        self.lines = broken(self.title, self.TITLE, width - taken) or [""]
        self.title_height = self.TITLE_HEIGHT + (len(self.lines) - 1) * self.LINE
        self.column = (width - COLUMN_GAP * (self.columns - 1)) / self.columns
        self.top = self.title_height
        if self.header is not None:
            self.top += self.header.wrap(self.column, height)[1] + BLOCK_GAP / 2
        heights: list[float] = []
        room = height - self.top
        counts, __ = fill_columns(self._measured(height, heights), self.columns, room, self.gap)
        self.fitting = sum(counts)
        self.width, self.height = width, self.top + height
        if self.fitting == len(self.blocks):
            room, self.fill = even_fill(heights, self.columns, self.gap)
            self.height = min(self.top + room, height)
        return width, self.height

    def _measured(self, height: float, heights: list[float]) -> Iterator[float]:
        """Yield the height of each block, one after the other, which is added to those known."""
        for block in checked(self.blocks):
            heights.append(block.wrap(self.column, height)[1])
            yield heights[-1]

    def split(self, width: float, height: float) -> list[Flowable]:
        self.wrap(width, height)
        room = height - self.top
        if self.fitting:
            return self._cut(self.blocks[: self.fitting], self.blocks[self.fitting :])
        if self.blocks[0].height > self.page - self.top and room > self.START_ROOM:
            parts = self.blocks[0].split(self.column, room)
            if parts:
                return self._cut(parts[:1], [*parts[1:], *self.blocks[1:]])
        return []

    def _cut(self, here: Sequence[Flowable], there: Sequence[Flowable]) -> list[Flowable]:
        common = (self.page, self.columns, self.header)
        return [
            type(self)(self.title, here, *common, self.more, self.gap),
            type(self)(self.title, there, *common, True, self.gap),
        ]

    def draw(self) -> None:
        self._draw_title()
        top = self.height - self.title_height
        with element(self.canv, "Table" if self.header else None):
            self._draw_blocks(top)

    def _draw_blocks(self, top: float) -> None:
        """Header and blocks, from a height in points down."""
        if self.header is not None:
            self.header.drawOn(self.canv, 0, top - self.header.height)
            top = self.height - self.top
        start = 0
        for number, count in enumerate(self.fill):
            y = top
            for block in checked(self.blocks[start : start + count]):
                y -= block.height
                block.drawOn(self.canv, number * (self.column + COLUMN_GAP), y)
                y -= self.gap
            start += count

    @property
    def _after(self) -> str:
        """What stands behind the title where the section began on an earlier page."""
        return _("continued") if self.more else ""

    def _draw_title(self) -> None:
        canvas, ink = self.canv, self.TITLE
        tone = tones_of(canvas).title
        base = self.height - ink.size
        # Where a section goes on, its title is told for the eye alone.
        with nullcontext() if self.more else content(canvas, "H2"):
            for number, line in enumerate(self.lines):
                write(canvas, 0, base - number * self.LINE, line, ink._replace(colour=tone))
        base -= (len(self.lines) - 1) * self.LINE
        if self.more:
            after = width_of(self.lines[-1], *ink[:2]) + 4
            write(canvas, after, base, self._after, self.AFTER)
        else:
            canvas.bookmark(self.title, self.height)
        canvas.setStrokeColor(tone)
        canvas.setLineWidth(0.8)
        canvas.line(0, base - 3.6, self.width, base - 3.6)


def fill_columns(
    heights: Iterable[float], columns: int, room: float, gap: float = BLOCK_GAP
) -> tuple[list[int], float]:
    """Return how many blocks each column of `room` points takes, `gap` points between them, and the
    least room in which some column would take one more.
    """
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
    """Return the least room in points in which all blocks stand, and how many each column takes."""
    room = _little_less(heights, columns, gap)
    while True:
        counts, wider = fill_columns(heights, columns, room, gap)
        if sum(counts) == len(heights):
            return room, counts
        room = wider


def _little_less(heights: Sequence[float], columns: int, gap: float) -> float:
    """Return a room in points that is enough for the tallest block, and at most by a few tolerances
    less than enough for all: from there the next rooms are tried one by one.
    """
    tallest = max(heights, default=0)
    low, high = tallest, tallest + sum(heights) + gap * len(heights)
    while high - low > TOLERANCE:
        middle = (low + high) / 2
        if sum(fill_columns(heights, columns, middle, gap)[0]) == len(heights):
            high = middle
        else:
            low = middle
    # What stands in a room stands in one that is by a tolerance less, too.
    return max(tallest, low - 2 * TOLERANCE)
