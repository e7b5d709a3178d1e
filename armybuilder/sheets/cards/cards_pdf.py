"""Printed cards as PDF: nine of 63 × 88 mm on a page, edge to edge, with cut marks around them.

Equal faces give equal bytes: ReportLab's `invariant` leaves out the time of day.
"""

from collections.abc import Iterable, Sequence
from io import BytesIO

from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _
from reportlab.pdfgen.canvas import Canvas

from armybuilder.loading.deadline import checked
from armybuilder.sheets.cards.card_grid import grid_of
from armybuilder.sheets.cards.card_layout import Laid, lay_out
from armybuilder.sheets.cards.card_page import draw_fronts, draw_marks, write_below
from armybuilder.sheets.cards.card_size import POKER, USUAL, CardFormat
from armybuilder.sheets.content.card_face import Face
from armybuilder.sheets.content.setup import CARD_PAPERS
from armybuilder.sheets.drawing.typeface import DRAWING, REGULAR, load_fonts

#: The line at the foot of a page, between the cut marks.
ADVICE = gettext_lazy("Print at actual size (100 %), cut along the marks.")
NO_CARDS = gettext_lazy("There are no cards to print.")


def draw_cards(faces: Sequence[Face], paper: str = "A4", title: str = "") -> bytes:
    """The PDF file of the faces' cards; `title` is that of the file. Raises KeyError for a paper
    that is not in `CARD_PAPERS`.
    """
    size = CARD_PAPERS[paper]
    with DRAWING:
        load_fonts()
    cards = laid_cards(faces)
    with DRAWING:
        buffer = BytesIO()
        canvas = Canvas(
            buffer,
            pagesize=size,
            invariant=1,
            lang=get_language() or "en",
            initialFontName=REGULAR,  # type: ignore[arg-type]  # the stubs take names for numbers
        )
        canvas.setTitle(title or _("Cards"))
        canvas.setAuthor("Army Builder")
        canvas.setSubject(_("Cards of 63 × 88 mm, nine to a page"))
        # A viewer that scales pages to the printer's margins would make smaller cards.
        canvas.setViewerPreference("PrintScaling", "None")
        _draw_pages(canvas, size, cards)
        canvas.save()
    return buffer.getvalue()


def laid_cards(faces: Iterable[Face], form: CardFormat = USUAL) -> list[Laid]:
    """All cards in order; equal faces are laid out once."""
    laid = {face: lay_out(face, form) for face in checked(dict.fromkeys(faces))}
    return [card for face in faces for card in laid[face]]


def in_pages(cards: Sequence[Laid], count: int) -> list[Sequence[Laid]]:
    """The cards in runs of as many as a page holds."""
    return [cards[start : start + count] for start in range(0, len(cards), count)]


def _draw_pages(canvas: Canvas, size: tuple[float, float], cards: Sequence[Laid]) -> None:
    grid = grid_of(size, POKER)
    pages = in_pages(cards, grid.count)
    for number, page in enumerate(pages or [()], 1):
        draw_marks(canvas, grid)
        foot = str(NO_CARDS)
        if pages:
            place = _("Page {page} of {pages}.").format(page=number, pages=len(pages))
            foot = f"{ADVICE} {place}"
        write_below(canvas, grid, foot)
        draw_fronts(canvas, grid, page)
        canvas.showPage()
