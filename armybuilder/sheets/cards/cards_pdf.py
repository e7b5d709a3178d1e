"""Printed cards as PDF: their fronts, backs and cut marks, edge to edge on pages.

Equal faces give equal bytes: ReportLab's `invariant` leaves out the time of day.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from io import BytesIO

from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Flowable

from armybuilder.loading.deadline import checked
from armybuilder.sheets.cards.card_blocks import (
    LETTERS,
    POKER,
    SIZES,
    SMALLEST,
    USUAL,
    CardFormat,
    CardGrid,
    CardSpot,
    grid_of,
)
from armybuilder.sheets.cards.card_layout import Laid, lay_out
from armybuilder.sheets.content.cards import Face, list_faces
from armybuilder.sheets.content.make import Material
from armybuilder.sheets.content.setup import CARD_PAPERS, PageRoom, Setup
from armybuilder.sheets.drawing.pages import EDGE, SheetCanvas
from armybuilder.sheets.drawing.tagged import TaggedCanvas, content
from armybuilder.sheets.drawing.typeface import (
    BLACK,
    BOLD,
    DRAWING,
    GREY,
    REGULAR,
    WHITE,
    Ink,
    load_fonts,
    round_box,
    rule,
    stroke,
    tones_of,
    width_of,
    write_centred,
)
from armybuilder.sheets.drawing.words import PageBlock, WordRun, break_lines, broken, fit

#: A back's frame stands this much further off the edge than a front's, in points: the two sides
#: of a sheet never meet exactly.
SHIFT = 1.2 * mm
#: Height of the bands with the names of game and list, and of lines in parts of their letters.
BAND, LEADING = 19.0, 1.25
#: Sizes of the card's name with the lines it may take; what is longer is cut.
NAMES = ((17, 2), (14, 3), (11, 4), (9, 5))
MOST_MARKS = 3


def _draw_back(canvas: Canvas, card: Laid, game: str, army_list: str) -> None:
    """Draw a card's back from its lower left corner, with the names of the game and the list."""
    size = card.size
    edge = size.INSET + SHIFT
    wide, tall = size.frame_width - 2 * SHIFT, size.frame_height - 2 * SHIFT
    dark = tones_of(canvas).title
    round_box(canvas, (edge, edge, wide, tall), 4, dark, 0.8)
    middle, room = edge + wide / 2, wide - 2 * size.PADDING
    bare = card.band.bare
    ink = Ink(BOLD, 7.5, BLACK if bare else WHITE)
    for text, low in ((game, edge + tall - BAND), (army_list, edge)):
        round_box(canvas, (edge, low, wide, BAND), 4, dark, 0.8, None if bare else dark)
        write_centred(canvas, middle, low + 6.7, fit(text, ink, room), ink)
    # Name, roles and number of the card in the middle.
    text = card.face.unit.title
    for letters, most in NAMES:
        ink = Ink(BOLD, letters)
        whole = all(width_of(word, BOLD, letters) <= room for word in text.split())
        if whole and len(break_lines([WordRun(text, ink)], room)) <= most:
            break
    lines = [(line, ink) for line in _broken(text, ink, room, most)]
    marks = Ink(REGULAR, 8.5, BLACK)
    labels = " · ".join(card.face.labels)
    lines += [(line, marks) for line in _broken(labels, marks, room, MOST_MARKS)]
    if card.number:
        lines.append((card.number, Ink(REGULAR, 7, GREY)))
    y = edge + tall / 2 + sum(ink.size for _, ink in lines) * LEADING / 2
    for line, ink in lines:
        y -= ink.size * LEADING
        write_centred(canvas, middle, y + ink.size * (LEADING - 0.95), line, ink)


def _broken(text: str, ink: Ink, room: float, most: int) -> list[str]:
    """Return the text in lines of at most `room` points, cut after `most` of them."""
    lines = broken(text, ink, room)
    if len(lines) > most:
        lines = [*lines[: most - 1], fit(" ".join(lines[most - 1 :]), ink, room)]
    return lines


#: Cut marks: how far they stand off the cards and how long they are, in points.
MARK_GAP, MARK_LENGTH = 1.2 * mm, 3.3 * mm
#: A line of text in a margin needs so much of it beyond the marks, in points.
LINE_ROOM = 6.5 * mm


def draw_fronts(canvas: Canvas, grid: CardGrid, cards: Sequence[Laid]) -> None:
    """Draw at most a page of cards, each at its place."""
    _draw_each(canvas, grid, zip(grid.fronts(), cards, strict=False), _draw_card)


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
    """Draw short lines around the cards, at the ends of every cut; none below `floor` points."""
    stroke(canvas, BLACK, 0.4)
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


def write_beside(canvas: Canvas, grid: CardGrid, text: str) -> None:
    """Write a line beyond the marks above the cards, or along their left if there is more room."""
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
    with content(canvas):
        write_centred(canvas, middle, y, text, Ink(REGULAR, SMALLEST, GREY))


def _draw_card(canvas: Canvas, card: Laid) -> None:
    size = card.size
    inset, padding = size.INSET, size.PADDING
    stroke(canvas, BLACK, 0.8)
    if not card.face.unit.known:
        canvas.setDash(4, 2.5)
    canvas.roundRect(inset, inset, size.frame_width, size.frame_height, 4, stroke=1, fill=0)
    canvas.setDash()
    top = size.tall - inset - card.band.height
    card.band.drawOn(canvas, inset, top)
    left, base = inset + padding, inset + padding * 0.7
    up = top - padding
    for block in card.blocks:
        up -= block.height
        block.drawOn(canvas, left, up)
        up -= card.gap
    card.foot.drawOn(canvas, left, base)
    if card.foot.lines:
        rule(canvas, left, base + card.foot.height + 1, left + size.text_width, 0.4)


#: The line at the foot of a page, between the cut marks.
ADVICE = gettext_lazy("Print at actual size (100%), then cut along the marks.")
NO_CARDS = gettext_lazy("There are no cards to print.")


def draw_cards(faces: Sequence[Face], paper: str = "A4", title: str = "") -> bytes:
    """Return the PDF of the faces' cards. Raises KeyError for papers that CARD_PAPERS lacks."""
    size = CARD_PAPERS[paper]
    with DRAWING:
        load_fonts()
    cards = laid_cards(faces)
    with DRAWING:
        buffer = BytesIO()
        canvas = TaggedCanvas(
            buffer, pagesize=size, invariant=1, lang=get_language() or "en", initialFontName=REGULAR
        )
        canvas.setTitle(title or _("Cards"))
        canvas.setSubject(_("Cards of 63 × 88 mm, nine to a page"))
        # A viewer that scales pages to the printer's margins would make smaller cards.
        canvas.setViewerPreference("PrintScaling", "None")
        grid = grid_of(size, POKER)
        pages = in_pages(cards, grid.count)
        for number, page in enumerate(pages or [()], 1):
            draw_marks(canvas, grid)
            place = _("Page {page} of {pages}.").format(page=number, pages=len(pages))
            foot = f"{ADVICE} {place}" if pages else str(NO_CARDS)
            _write(canvas, foot, grid.page[0] / 2, grid.low - MARK_GAP - MARK_LENGTH)
            draw_fronts(canvas, grid, page)
            canvas.showPage()
        canvas.save()
    return buffer.getvalue()


def laid_cards(faces: Iterable[Face], form: CardFormat = USUAL) -> list[Laid]:
    """Return all cards in order; equal faces are laid out once."""
    laid = {face: lay_out(face, form) for face in checked(dict.fromkeys(faces))}
    return [card for face in faces for card in laid[face]]


def in_pages(cards: Sequence[Laid], count: int) -> list[Sequence[Laid]]:
    return [cards[start : start + count] for start in range(0, len(cards), count)]


#: No cut mark is lower on a page than this, in points: there stands its foot.
FLOOR = EDGE + 6.5


def cards_story(material: Material, setup: Setup, room: PageRoom) -> Iterator[Flowable]:
    """Yield the pages of the list's cards; `room` is a whole page.

    Backs are on the other side of their fronts' sheet, so fronts begin on a page of odd number.
    """
    size = SIZES[setup.cards]
    grid = grid_of((room.width, room.height), size)
    form = CardFormat(size, LETTERS[setup.size], setup.portraits, setup.outlined)
    faces = material.faces
    if not setup.prices:
        faces = tuple(list_faces(material.report, prices=False))
    if not setup.notes:
        faces = tuple(replace(face, unit=replace(face.unit, notes="")) for face in faces)
    if setup.backs:
        yield _Empty(grid)
    for cards in in_pages(laid_cards(faces, form), grid.count) or [()]:
        yield _Fronts(grid, cards, setup.backs)
        if setup.backs and cards:
            yield _Backs(grid, cards, (material.system.name, material.sheet.title))


@dataclass(eq=False)
class _CardPage(PageBlock):
    grid: CardGrid
    cards: Sequence[Laid] = ()
    canv: SheetCanvas = field(init=False, repr=False)

    def wrap(self, _width: float, _height: float) -> tuple[float, float]:
        return self.grid.page


class _Empty(_CardPage):
    """An empty page where the next one would have an even number; nothing elsewhere."""

    def wrap(self, width: float, height: float) -> tuple[float, float]:
        odd = self.canv.getPageNumber() % 2
        return (0, 0) if odd else super().wrap(width, height)

    def draw(self) -> None:
        if not self.canv.getPageNumber() % 2:
            told = _("This page is left empty so that cards and backs share a sheet of paper.")
            write_beside(self.canv, self.grid, told)


@dataclass(eq=False)
class _Fronts(_CardPage):
    """Fronts with their cut marks; `both`: their backs follow."""

    both: bool = False

    def draw(self) -> None:
        # A viewer that scales pages to the printer's margins would make smaller cards.
        self.canv.setViewerPreference("PrintScaling", "None")
        draw_marks(self.canv, self.grid, FLOOR)
        advice = str(ADVICE if self.cards else NO_CARDS)
        if self.both and self.cards:
            advice += " " + _("Print on both sides, flipped on the long edge.")
        write_beside(self.canv, self.grid, advice)
        draw_fronts(self.canv, self.grid, self.cards)


@dataclass(eq=False)
class _Backs(_CardPage):
    """The backs of the cards on the page before; they are cut from the front."""

    names: tuple[str, str] = ("", "")

    def draw(self) -> None:
        # Where printouts become one file, its pages have other numbers.
        told = _("Backs of the cards on the page before: print them on its other side.")
        write_beside(self.canv, self.grid, told)
        places = zip(self.grid.backs(), self.cards, strict=False)
        _draw_each(self.canv, self.grid, places, lambda at, card: _draw_back(at, card, *self.names))
