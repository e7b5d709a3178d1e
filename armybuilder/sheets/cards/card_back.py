"""The back of a printed card: what lies face down, and to which list and game it belongs."""

from dataclasses import dataclass

from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from armybuilder.sheets.cards.card_layout import Laid
from armybuilder.sheets.drawing.typeface import (
    BLACK,
    BOLD,
    GREY,
    REGULAR,
    WHITE,
    Ink,
    tones_of,
    width_of,
)
from armybuilder.sheets.drawing.words import Run, break_lines, fit

#: A back's frame stands this much further off the edge than a front's, in points: the two sides
#: of a sheet never meet exactly.
SHIFT = 1.2 * mm
#: Height of the bands with the names of game and list, and of lines in parts of their letters.
BAND, LEADING = 19.0, 1.25
#: Sizes of the card's name with the lines it may take; what is longer is cut.
NAMES = ((17, 2), (14, 3), (11, 4), (9, 5))
MOST_MARKS = 3


@dataclass(frozen=True, slots=True)
class Owner:
    """To whom a card belongs: the names of the game and of the list."""

    game: str
    name: str


@dataclass(frozen=True, slots=True)
class _Column:
    """Where text stands in the middle of each other: the middle and the width in points."""

    canvas: Canvas
    middle: float
    room: float

    def write(self, text: str, ink: Ink, y: float) -> None:
        self.canvas.setFillColor(ink.colour)
        self.canvas.setFont(ink.font, ink.size)
        self.canvas.drawString(self.middle - width_of(text, *ink[:2]) / 2, y, text)


def draw_back(canvas: Canvas, card: Laid, owner: Owner) -> None:
    """The back of a card with its lower left corner at the origin, in the card's own points."""
    size = card.size
    edge = size.INSET + SHIFT
    wide, tall = size.frame_width - 2 * SHIFT, size.frame_height - 2 * SHIFT
    dark = tones_of(canvas).title
    canvas.setLineWidth(0.8)
    canvas.setStrokeColor(dark)
    canvas.roundRect(edge, edge, wide, tall, 4, stroke=1, fill=0)
    column = _Column(canvas, edge + wide / 2, wide - 2 * size.PADDING)
    for text, low in ((owner.game, edge + tall - BAND), (owner.name, edge)):
        canvas.setFillColor(dark)
        canvas.roundRect(edge, low, wide, BAND, 4, stroke=1, fill=1)
        ink = Ink(BOLD, 7.5, WHITE)
        column.write(fit(text, ink, column.room), ink, low + 6.7)
    _draw_name(column, card, edge + tall / 2)


def _draw_name(column: _Column, card: Laid, middle: float) -> None:
    """Name, roles and number of the card around the height of `middle`."""
    name, ink = _name(card.face.heading, column.room)
    lines = [(line, ink) for line in name]
    marks = Ink(REGULAR, 8.5, BLACK)
    told = _broken(" · ".join(card.face.labels), marks, column.room, MOST_MARKS)
    lines += [(line, marks) for line in told]
    if card.number:
        lines.append((card.number, Ink(REGULAR, 7, GREY)))
    y = middle + sum(ink.size for _, ink in lines) * LEADING / 2
    for line, ink in lines:
        y -= ink.size * LEADING
        column.write(line, ink, y + ink.size * (LEADING - 0.95))


def _name(text: str, room: float) -> tuple[list[str], Ink]:
    """The name in lines, as large as may be."""
    for size, most in NAMES:
        ink = Ink(BOLD, size)
        lines = break_lines([Run(text, ink)], room)
        whole = all(width_of(word, BOLD, size) <= room for word in text.split())
        if len(lines) <= most and whole:
            break
    return _broken(text, ink, room, most), ink


def _broken(text: str, ink: Ink, room: float, most: int) -> list[str]:
    """The text in lines of at most `room` points; what is beyond `most` of them is cut."""
    broken = break_lines([Run(text, ink)], room)
    lines = [" ".join(placed.piece.text for placed in line) for line in broken]
    if len(lines) > most:
        lines = [*lines[: most - 1], fit(" ".join(lines[most - 1 :]), ink, room)]
    return lines
