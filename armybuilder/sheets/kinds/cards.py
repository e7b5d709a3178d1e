"""Cards as a chapter of a printout: whole pages of them in true size, with or without backs.

Backs are on the other side of their fronts' sheet, so fronts begin on a page of an odd number.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from django.utils.translation import gettext as _
from reportlab.platypus import Flowable

from armybuilder.sheets.cards.card_layout import Laid
from armybuilder.sheets.cards.card_size import LETTERS, SIZES, CardFormat, CardGrid, grid_of
from armybuilder.sheets.cards.cards_pdf import (
    ADVICE,
    NO_CARDS,
    Owner,
    draw_backs,
    draw_fronts,
    draw_marks,
    in_pages,
    laid_cards,
    write_beside,
)
from armybuilder.sheets.content.card_face import Face
from armybuilder.sheets.content.cards import list_faces
from armybuilder.sheets.content.material import Material
from armybuilder.sheets.content.setup import PageRoom, Setup
from armybuilder.sheets.drawing.furniture import EDGE, SheetCanvas

#: No cut mark is lower on a page than this, in points: there stands its foot.
FLOOR = EDGE + 6.5


def story(material: Material, setup: Setup, room: PageRoom) -> Iterator[Flowable]:
    """Return the pages of the list's cards; `room` is a whole page."""
    size = SIZES[setup.cards]
    grid = grid_of((room.width, room.height), size)
    form = CardFormat(size, LETTERS[setup.size], setup.portraits, setup.outlined)
    pages = in_pages(laid_cards(_faces(material, setup), form), grid.count)
    owner = Owner(material.system.name, material.sheet.title)
    if setup.backs:
        yield _Empty(grid)
    for cards in pages or [()]:
        yield _Fronts(grid, cards, setup.backs)
        if setup.backs and cards:
            yield _Backs(grid, cards, owner)


def _faces(material: Material, setup: Setup) -> list[Face]:
    """Return the faces of the list with what the set-up wants on them."""
    faces = material.faces
    if not setup.prices:
        parts = (material.catalogue, material.roster, material.report)
        faces = tuple(list_faces(*parts, prices=False))
    return [face if setup.notes else replace(face, notes="") for face in faces]


class _Page(Flowable):
    """A page filled with cards to its edges."""

    def __init__(self, grid: CardGrid, cards: Sequence[Laid] = ()) -> None:
        super().__init__()
        self.grid = grid
        self.cards = cards

    def wrap(self, _width: float, _height: float) -> tuple[float, float]:
        return self.grid.page


class _Empty(_Page):
    """An empty page where the next one would have an even number; nothing elsewhere."""

    def wrap(self, width: float, height: float) -> tuple[float, float]:
        odd = self.canv.getPageNumber() % 2
        return (0, 0) if odd else super().wrap(width, height)

    def draw(self) -> None:
        if not self.canv.getPageNumber() % 2:
            told = _("This page is left empty so that cards and backs share a sheet of paper.")
            write_beside(self.canv, self.grid, told)


class _Fronts(_Page):
    """Fronts with their cut marks; `both`: their backs follow."""

    canv: SheetCanvas

    def __init__(self, grid: CardGrid, cards: Sequence[Laid], both: bool) -> None:
        super().__init__(grid, cards)
        self.both = both

    def draw(self) -> None:
        # A viewer that scales pages to the printer's margins would make smaller cards.
        self.canv.setViewerPreference("PrintScaling", "None")
        draw_marks(self.canv, self.grid, FLOOR)
        advice = ADVICE if self.cards else NO_CARDS
        told = [str(advice)]
        if self.both and self.cards:
            told.append(_("Print on both sides, flipped on the long edge."))
        write_beside(self.canv, self.grid, " ".join(told))
        draw_fronts(self.canv, self.grid, self.cards)


class _Backs(_Page):
    """The backs of the cards on the page before; they are cut from the front."""

    def __init__(self, grid: CardGrid, cards: Sequence[Laid], owner: Owner) -> None:
        super().__init__(grid, cards)
        self.owner = owner

    def draw(self) -> None:
        # Where printouts become one file, its pages have other numbers.
        told = _("Backs of the cards on the page before: print them on its other side.")
        write_beside(self.canv, self.grid, told)
        draw_backs(self.canv, self.grid, self.cards, self.owner)
