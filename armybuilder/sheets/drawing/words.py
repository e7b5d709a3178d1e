"""Text in a PDF: runs of words broken into lines, with boxes to cross off among them.

Unlike ReportLab's `Paragraph` it knows no markup that somebody could type, and cuts words that are
too long.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import accumulate, groupby
from operator import itemgetter
from typing import NamedTuple, Self

from reportlab.pdfgen.canvas import Canvas
from reportlab.pdfgen.textobject import PDFTextObject
from reportlab.platypus import Flowable

from armybuilder.sheets.drawing.tagged import HEADINGS, Tag, TaggedCanvas, content
from armybuilder.sheets.drawing.typeface import (
    BLACK,
    LABEL,
    Ink,
    in_order,
    is_own,
    levels_of,
    printable,
    stroke,
    width_of,
    write,
)

#: Sides of a box and the gap after it, in parts of the size of the letters beside it; and the gap
#: after each `GROUP` boxes beyond that, so that they are counted at a glance.
BOX = 0.86
GAP = 0.2
GROUP, WIDE = 5, 0.4
#: What a line is not broken in: spaces that hold words together are parts of them.
_WORD = re.compile("(?:\\S|[\u00a0\u202f])+")
#: Height of a line, in parts of the size of its letters.
LEADING = 1.32


class WordRun(NamedTuple):
    """Words of one look with `boxes` after them; `close` keeps a figure with its name.

    Lines are broken between its pieces, a word each: `run` is the number of their run.
    """

    text: str
    ink: Ink = Ink()
    boxes: int = 0
    close: bool = False
    mark: int = 0
    run: int = 0

    @property
    def text_width(self) -> float:
        ink = self.ink
        return width_of(self.text, ink.font, ink.size)

    @property
    def width(self) -> float:
        """Width in points, without the gap behind the last box."""
        if not self.boxes:
            return self.text_width
        lead = GAP * self.ink.size if self.text else 0
        return self.text_width + lead + _start_of(self.boxes - 1, self.ink) + BOX * self.ink.size

    def cut(self, width: float) -> tuple["WordRun", "WordRun"]:
        """Return as much as fits into `width`, at least one letter or box, and the rest."""
        if self.text_width > width:
            fitting = max(1, _letters_within(self.text, self.ink, width))
            head = WordRun(self.text[:fitting], self.ink, run=self.run)
            return head, self._replace(text=self.text[fitting:])
        if self.text:
            return self._replace(boxes=0), self._replace(text="")
        count = 1
        while _start_of(count, self.ink) + BOX * self.ink.size <= width:
            count += 1
        count -= count % GROUP if count > GROUP else 0
        here, there = min(self.mark, count), max(0, self.mark - count)
        return self._replace(boxes=count, mark=here if not there else 0), self._replace(
            boxes=self.boxes - count, mark=there
        )


class PlacedPiece(NamedTuple):
    """A piece at its distance from the left end of its line, in points."""

    x: float
    piece: WordRun


Line = list[PlacedPiece]


def _letters_within(text: str, ink: Ink, width: float) -> int:
    ends = accumulate(width_of(letter, ink.font, ink.size) for letter in text)
    return next((number for number, end in enumerate(ends) if end > width), len(text))


def _pieces(runs: Iterable[WordRun]) -> Iterator[WordRun]:
    for number, run in enumerate(runs):
        words, ink, close = _words_of(run.text), run.ink, run.close
        for word in words[:-1]:
            yield WordRun(word, ink, 0, close, 0, number)
            close = False
        if words or run.boxes:
            yield WordRun(words[-1] if words else "", ink, run.boxes, close, run.mark, number)


@lru_cache(maxsize=4_000)
def _words_of(text: str) -> tuple[str, ...]:
    """Return the words of a text, remembered while a fitting size is sought."""
    return tuple(_WORD.findall(printable(text).strip()))


def break_lines(runs: Iterable[WordRun], width: float) -> list[Line]:
    """Return the runs in lines of at most `width` points, one space between two pieces."""
    lines: list[Line] = []
    line: Line = []
    end = 0.0
    for whole in _pieces(runs):
        piece, wide = whole, whole.width
        start = end + _space(line[-1].piece, piece) if line else 0.0
        if line and start + wide > width:
            carried = _carried(line, piece, width)
            lines.append(line[: len(line) - len(carried)])
            line = carried
            start = line[0].piece.width + _space(line[0].piece, piece) if line else 0.0
        while wide > width and (piece.boxes + len(piece.text)) > 1:
            head, piece = piece.cut(width)
            lines.append([PlacedPiece(0.0, head)])
            wide = piece.width
        line.append(PlacedPiece(start, piece))
        end = start + wide
    return [*lines, line] if line else lines


def _carried(line: Line, piece: WordRun, width: float) -> Line:
    """Return what goes to the next line with a piece that stays close, set to its beginning."""
    if not piece.close or len(line) < 2:
        return []
    last = line[-1].piece
    fits = last.width + _space(last, piece) + piece.width <= width
    return [PlacedPiece(0.0, last)] if fits else []


def _space(before: WordRun, after: WordRun) -> float:
    """Return the gap between two pieces, in points: wide behind boxes, which belong to one side."""
    ink = after.ink
    return width_of(" ", ink.font, ink.size) + (0.6 * before.ink.size if before.boxes else 0)


class PageBlock(Flowable):
    """Block of a page's layout; most are dataclasses of their contents."""

    def __post_init__(self) -> None:
        super().__init__()


class Measured(PageBlock):
    """A block that knows how wide it is where it has all the room it wants."""

    @property
    def natural_width(self) -> float:
        return float(self.width)


class Words(Measured):
    """A paragraph or heading, flush `right` or left; `leading` is a line's height in letter sizes.

    Its lines are counted when it is measured, and not kept: a long list's sheet is laid out in
    several sizes, and their words would be most of the garbage collector's work.
    """

    def __init__(
        self, *runs: WordRun, right: bool = False, leading: float = LEADING, tag: Tag = "P"
    ) -> None:
        super().__init__()
        self.runs = runs
        self.tag = tag
        self.right = right
        self.leading = leading
        self.size = max((run.ink.size for run in runs), default=8)
        self.count = 0
        self.cut_lines: list[Line] | None = None
        self.broken_at: float | None = None

    @property
    def lines(self) -> list[Line]:
        """The lines at the width that it was wrapped at last; after a split, the parent's lines."""
        if self.broken_at is None:
            return []
        return self.cut_lines or break_lines(self.runs, self.broken_at)

    def wrap(self, width: float, _height: float) -> tuple[float, float]:
        if self.broken_at != width:
            self.cut_lines = None
            self.count = len(break_lines(self.runs, width))
            self.broken_at = self.width = width
            self.height = self.count * self.size * self.leading
        return width, self.height

    def split(self, width: float, height: float) -> list[Flowable]:
        """Return two paragraphs, the first of at most `height` points; none where no line fits."""
        self.wrap(width, height)
        fitting = int(height / (self.size * self.leading))
        if not 0 < fitting < self.count:
            return []
        lines = self.lines
        return [self._with(lines[:fitting]), self._with(lines[fitting:])]

    def _with(self, lines: list[Line]) -> Self:
        part = type(self)(right=self.right, leading=self.leading, tag=self.tag)
        part.cut_lines, part.count, part.size = lines, len(lines), self.size
        part.broken_at = part.width = self.width
        part.height = len(lines) * self.size * self.leading
        return part

    @property
    def natural_width(self) -> float:
        return max(map(_end, break_lines(self.runs, 10_000)), default=0) + 0.01

    def draw(self) -> None:
        canvas = self.canv
        if not self.count:
            return
        if self.tag in HEADINGS and self.runs and isinstance(canvas, TaggedCanvas):
            canvas.bookmark(self.runs[0].text, self.height, self.tag)
        with content(canvas, self.tag):
            text = self.canv.beginText()
            y = self.height + (self.leading - 1.05) * self.size / 2
            for line in self.lines:
                y -= self.size * self.leading
                shift = self.width - _end(line) if self.right else 0
                _draw_line(self.canv, text, line, shift, y)
            self.canv.drawText(text)


def _end(line: Sequence[PlacedPiece]) -> float:
    return line[-1].x + line[-1].piece.width


def _draw_line(canvas: Canvas, text: PDFTextObject, line: Line, shift: float, y: float) -> None:
    """Words of one look go out as one string, so that a reader's search finds them together."""
    if not all(is_own(placed.piece.text) for placed in line):
        for x, piece in _in_order(line):
            write(canvas, shift + x, y, piece.text, piece.ink)
            draw_boxes(canvas, shift + x, y, piece)
        return
    for ink, group in groupby(line, lambda placed: placed.piece.ink):
        same = list(group)
        text.setFont(ink.font, ink.size)
        text.setFillColor(ink.colour)
        start = 0
        for number, (x, piece) in enumerate(same):
            if piece.boxes or number == len(same) - 1:
                said = " ".join(placed.piece.text for placed in same[start : number + 1])
                if said:
                    text.setTextOrigin(shift + same[start].x, y)
                    text.textOut(said)
                start = number + 1
                draw_boxes(canvas, shift + x, y, piece)


def _in_order(line: Line) -> Line:
    """Return the parts of a line where words run from right to left, each run in its place."""
    placed: Line = []
    x = 0.0
    for _run, group in groupby((one.piece for one in line), lambda piece: piece.run):
        pieces = list(group)
        x += _space(placed[-1].piece, pieces[0]) if placed else 0.0
        text = " ".join(piece.text for piece in pieces)
        turns = [list(turn) for _level, turn in groupby(enumerate(levels_of(text)), itemgetter(1))]
        # The parts from left to right, each as it is read.
        for number in in_order([turn[0][1] for turn in turns]):
            part = text[turns[number][0][0] : turns[number][-1][0] + 1]
            wide = WordRun(part, pieces[0].ink)
            placed.append(PlacedPiece(x, wide))
            x += wide.width
        if pieces[-1].boxes:
            boxes = pieces[-1]._replace(text="")
            x += GAP * boxes.ink.size
            placed.append(PlacedPiece(x, boxes))
            x += boxes.width
    return placed


def draw_boxes(canvas: Canvas, x: float, y: float, piece: WordRun) -> None:
    """Draw the piece's boxes as outlines, for a pencil."""
    side = BOX * piece.ink.size
    x += piece.text_width + (GAP * piece.ink.size if piece.text else 0)
    if piece.boxes:
        stroke(canvas, BLACK, 0.6)
    for number in range(piece.boxes):
        canvas.rect(x + _start_of(number, piece.ink), y - 0.08 * side, side, side)
    if 0 < piece.mark <= piece.boxes:
        end = x + _start_of(piece.mark - 1, piece.ink) + side
        middle = end + (_start_of(piece.mark, piece.ink) + x - end) / 2
        canvas.setLineWidth(1.5)
        canvas.line(middle, y - 0.3 * side, middle, y + 1.15 * side)


def _start_of(number: int, ink: Ink) -> float:
    return (number * (BOX + GAP) + number // GROUP * WIDE) * ink.size


def broken(text: str, ink: Ink, width: float) -> list[str]:
    """Return the printable text in lines of at most `width` points."""
    lines = break_lines([WordRun(text, ink)], width)
    return [" ".join(placed.piece.text for placed in line) for line in lines]


def fit(text: str, ink: Ink, width: float) -> str:
    """Return the printable text, cut with an ellipsis where it is wider than `width` points."""
    text = printable(text)
    if width_of(text, ink.font, ink.size) <= width:
        return text
    room = width - width_of("…", ink.font, ink.size)
    return text[: _letters_within(text, ink, room)].rstrip() + "…"


def small(text: str) -> WordRun:
    """Return a run for citations and other things one may skip."""
    return WordRun(text, LABEL)
