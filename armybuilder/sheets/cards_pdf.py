"""Printed cards as PDF: nine of 63 × 88 mm on a page, edge to edge, with cut marks around them.

Equal faces give equal bytes: ReportLab's `invariant` leaves out the time of day.
"""

from collections.abc import Iterable, Sequence
from io import BytesIO

from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from armybuilder.sheets.card_blocks import SMALLEST
from armybuilder.sheets.card_face import Face
from armybuilder.sheets.card_layout import (
    FRAME_WIDTH,
    HEIGHT,
    INSET,
    PADDING,
    TEXT_WIDTH,
    WIDTH,
    Laid,
    lay_out,
)
from armybuilder.sheets.pdf import PAPERS, Paper
from armybuilder.sheets.typeface import BLACK, DRAWING, GREY, LINE, REGULAR, load_fonts, width_of

ACROSS, DOWN = 3, 3
PAGE = ACROSS * DOWN
#: Cut marks: how far they stand off the cards and how long they are, in points.
MARK_GAP, MARK_LENGTH = 1.2 * mm, 3.6 * mm
#: The line at the foot of a page, between the cut marks.
ADVICE = "Print at actual size (100 %), cut along the marks."
NO_CARDS = "There are no cards to print."


def draw_cards(faces: Sequence[Face], paper: Paper = "A4", title: str = "Cards") -> bytes:
    """The PDF file of the faces' cards; `title` is that of the file. Raises KeyError for a paper
    that is not in `PAPERS`.
    """
    size = PAPERS[paper]
    with DRAWING:
        load_fonts()
    cards = _cards(faces)
    with DRAWING:
        buffer = BytesIO()
        canvas = Canvas(buffer, pagesize=size, invariant=1, lang="en", initialFontName=REGULAR)
        canvas.setTitle(title)
        canvas.setAuthor("Army Builder")
        canvas.setSubject("Cards of 63 × 88 mm, nine to a page")
        # A viewer that scales pages to the printer's margins would make smaller cards.
        canvas.setViewerPreference("PrintScaling", "None")
        _draw_pages(canvas, cards)
        canvas.save()
    return buffer.getvalue()


def _cards(faces: Iterable[Face]) -> list[Laid]:
    """All cards in order; equal faces are laid out once."""
    laid = {face: lay_out(face) for face in dict.fromkeys(faces)}
    return [card for face in faces for card in laid[face]]


def _draw_pages(canvas: Canvas, cards: Sequence[Laid]) -> None:
    pages = [cards[start : start + PAGE] for start in range(0, len(cards), PAGE)]
    for number, page in enumerate(pages or [()], 1):
        left, bottom = corner_of(canvas._pagesize)
        _draw_marks(canvas, left, bottom)
        foot = f"{ADVICE} Page {number} of {len(pages)}." if pages else NO_CARDS
        _write(canvas, foot, left + WIDTH * ACROSS / 2, bottom - MARK_GAP - MARK_LENGTH)
        for place, card in enumerate(page):
            row, column = divmod(place, ACROSS)
            _draw_card(canvas, card, left + column * WIDTH, bottom + (DOWN - 1 - row) * HEIGHT)
        canvas.showPage()


def corner_of(size: tuple[float, float]) -> tuple[float, float]:
    """Where the lowest left card's corner lies on a page of that size, in points."""
    return (size[0] - ACROSS * WIDTH) / 2, (size[1] - DOWN * HEIGHT) / 2


def _draw_marks(canvas: Canvas, left: float, bottom: float) -> None:
    """Short lines around the block of cards, at the ends of every cut."""
    canvas.setStrokeColor(BLACK)
    canvas.setLineWidth(0.4)
    right, top = left + ACROSS * WIDTH, bottom + DOWN * HEIGHT
    for column in range(ACROSS + 1):
        x = left + column * WIDTH
        canvas.line(x, top + MARK_GAP, x, top + MARK_GAP + MARK_LENGTH)
        canvas.line(x, bottom - MARK_GAP, x, bottom - MARK_GAP - MARK_LENGTH)
    for row in range(DOWN + 1):
        y = bottom + row * HEIGHT
        canvas.line(left - MARK_GAP, y, left - MARK_GAP - MARK_LENGTH, y)
        canvas.line(right + MARK_GAP, y, right + MARK_GAP + MARK_LENGTH, y)


def _write(canvas: Canvas, text: str, middle: float, y: float) -> None:
    canvas.setFillColor(GREY)
    canvas.setFont(REGULAR, SMALLEST)
    canvas.drawString(middle - width_of(text, REGULAR, SMALLEST) / 2, y, text)


def _draw_card(canvas: Canvas, card: Laid, x: float, y: float) -> None:
    """One card with its lower left corner at (x, y)."""
    _draw_frame(canvas, card.known, x + INSET, y + INSET)
    top = y + HEIGHT - INSET - card.band.height
    card.band.drawOn(canvas, x + INSET, top)
    left = x + INSET + PADDING
    base = y + INSET + PADDING * 0.7
    card.foot.drawOn(canvas, left, base)
    if card.foot.lines:
        canvas.setStrokeColor(LINE)
        canvas.setLineWidth(0.4)
        rule = base + card.foot.height + 1
        canvas.line(left, rule, left + TEXT_WIDTH, rule)
    up = top - PADDING
    for block in card.blocks:
        up -= block.height
        block.drawOn(canvas, left, up)
        up -= card.gap


def _draw_frame(canvas: Canvas, known: bool, x: float, y: float) -> None:
    """The line around a card; broken where the books do not have the unit."""
    canvas.setStrokeColor(BLACK)
    canvas.setLineWidth(0.8)
    if not known:
        canvas.setDash(4, 2.5)
    canvas.roundRect(x, y, FRAME_WIDTH, HEIGHT - 2 * INSET, 4, stroke=1, fill=0)
    canvas.setDash()
