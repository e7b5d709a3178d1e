"""A page of cards: fronts or backs in their places, and the marks to cut along."""

from collections.abc import Callable, Iterable, Sequence

from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from armybuilder.loading.deadline import checked
from armybuilder.sheets.cards.card_back import Owner, draw_back
from armybuilder.sheets.cards.card_blocks import SMALLEST
from armybuilder.sheets.cards.card_grid import CardGrid, CardSpot
from armybuilder.sheets.cards.card_layout import Laid
from armybuilder.sheets.drawing.typeface import BLACK, GREY, LINE, REGULAR, width_of

#: Cut marks: how far they stand off the cards and how long they are, in points.
MARK_GAP, MARK_LENGTH = 1.2 * mm, 3.6 * mm
#: A line of text in a margin needs so much of it beyond the marks, in points.
LINE_ROOM = 6.2 * mm


def draw_fronts(canvas: Canvas, grid: CardGrid, cards: Sequence[Laid]) -> None:
    """At most a page of cards, each at its place."""
    _draw_each(canvas, grid, zip(grid.fronts(), cards, strict=False), _draw_card)


def draw_backs(canvas: Canvas, grid: CardGrid, cards: Sequence[Laid], owner: Owner) -> None:
    """Their backs, for the other side of the same sheet."""
    places = zip(grid.backs(), cards, strict=False)
    _draw_each(canvas, grid, places, lambda canvas, card: draw_back(canvas, card, owner))


def _draw_each(
    canvas: Canvas,
    grid: CardGrid,
    places: Iterable[tuple[CardSpot, Laid]],
    draw: Callable[[Canvas, Laid], None],
) -> None:
    """Draw each card with the origin at its lower left corner, in its own points."""
    for spot, card in checked(places):
        canvas.saveState()
        x, y, turn = spot
        canvas.translate(
            x + (grid.wide if turn in (90, 180) else 0),
            y + (grid.tall if turn in (-90, 180) else 0),
        )
        if turn:
            canvas.rotate(turn)
        if card.size.zoom != 1:
            canvas.scale(card.size.zoom, card.size.zoom)
        draw(canvas, card)
        canvas.restoreState()


def draw_marks(canvas: Canvas, grid: CardGrid, floor: float = 0) -> None:
    """Short lines around the cards, at the ends of every cut; none lower than `floor` points."""
    canvas.setStrokeColor(BLACK)
    canvas.setLineWidth(0.4)
    columns, rows = grid.columns(), grid.rows()
    low, high, left, right = rows[0], rows[-1], columns[0], columns[-1]
    end = max(floor, low - MARK_GAP - MARK_LENGTH)
    start = low - MARK_GAP if low - end > 2 * MARK_GAP else low
    for x in columns:
        canvas.line(x, high + MARK_GAP, x, high + MARK_GAP + MARK_LENGTH)
        canvas.line(x, start, x, end)
    for y in rows:
        canvas.line(left - MARK_GAP, y, left - MARK_GAP - MARK_LENGTH, y)
        canvas.line(right + MARK_GAP, y, right + MARK_GAP + MARK_LENGTH, y)


def write_below(canvas: Canvas, grid: CardGrid, text: str) -> None:
    """A line in the middle below the marks."""
    low = grid.low - MARK_GAP - MARK_LENGTH
    _write(canvas, text, grid.page[0] / 2, low)


def write_beside(canvas: Canvas, grid: CardGrid, text: str) -> None:
    """A line beyond the marks above the cards, or up along their left where that has more room."""
    beyond = MARK_GAP + MARK_LENGTH + 0.8 * mm
    above, beside = grid.page[1] - grid.rows()[-1], grid.left
    if above >= MARK_GAP + MARK_LENGTH + LINE_ROOM or above >= beside:
        _write(canvas, text, grid.page[0] / 2, grid.rows()[-1] + beyond)
        return
    canvas.saveState()
    canvas.translate(grid.left - beyond, grid.page[1] / 2)
    canvas.rotate(90)
    _write(canvas, text, 0, 0)
    canvas.restoreState()


def _write(canvas: Canvas, text: str, middle: float, y: float) -> None:
    canvas.setFillColor(GREY)
    canvas.setFont(REGULAR, SMALLEST)
    canvas.drawString(middle - width_of(text, REGULAR, SMALLEST) / 2, y, text)


def _draw_card(canvas: Canvas, card: Laid) -> None:
    """One card with its lower left corner at the origin."""
    size = card.size
    inset, padding = size.INSET, size.PADDING
    _draw_frame(canvas, card)
    top = size.tall - inset - card.band.height
    card.band.drawOn(canvas, inset, top)
    left, base = inset + padding, inset + padding * 0.7
    card.foot.drawOn(canvas, left, base)
    if card.foot.lines:
        canvas.setStrokeColor(LINE)
        canvas.setLineWidth(0.4)
        rule = base + card.foot.height + 1
        canvas.line(left, rule, left + size.text_width, rule)
    up = top - padding
    for block in card.blocks:
        up -= block.height
        block.drawOn(canvas, left, up)
        up -= card.gap


def _draw_frame(canvas: Canvas, card: Laid) -> None:
    """The line around a card; broken where the books do not have the unit."""
    size = card.size
    canvas.setStrokeColor(BLACK)
    canvas.setLineWidth(0.8)
    if not card.face.known:
        canvas.setDash(4, 2.5)
    canvas.roundRect(
        size.INSET, size.INSET, size.frame_width, size.frame_height, 4, stroke=1, fill=0
    )
    canvas.setDash()
