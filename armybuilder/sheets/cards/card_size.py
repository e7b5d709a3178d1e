"""How large cards are, and where they stand on a page: as many as fit, and their backs."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from reportlab.lib.units import mm

#: Sizes of a card's text, the largest first, few so that a page has few; in the last one nothing is
#: above the smallest letters.
SCALES = (1.2, 1.0, 0.87, 0.764)
#: Those of a printout in small or large letters: room to write, or more cards instead.
LETTERS: Mapping[str, tuple[float, ...]] = {
    "small": tuple(scale for scale in SCALES if scale <= 1),
    "normal": SCALES,
    "large": tuple(scale for scale in SCALES if scale >= 1),
}


@dataclass(frozen=True, slots=True)
class CardSize:
    """A size of cards on paper in points; what is on a card is measured in its own points, of which
    one is `zoom` points of the paper.
    """

    width: float
    height: float
    zoom: float = 1.0

    #: How far a card's frame stands off its edge, and the text off the frame, in its own points.
    INSET: ClassVar[float] = 1.9 * mm
    PADDING: ClassVar[float] = 4.5

    @property
    def tall(self) -> float:
        """Height in the card's own points."""
        return self.height / self.zoom

    @property
    def frame_width(self) -> float:
        """Width of the frame in the card's own points."""
        return self.width / self.zoom - 2 * self.INSET

    @property
    def frame_height(self) -> float:
        """Height of the frame in the card's own points."""
        return self.tall - 2 * self.INSET

    @property
    def text_width(self) -> float:
        """Width of the text in the card's own points."""
        return self.frame_width - 2 * self.PADDING


POKER = CardSize(63 * mm, 88 * mm)
#: The sizes by the names that a set-up knows them by.
#: The large one goes into a sleeve of A6, and four of them are on a page.
SIZES: Mapping[str, CardSize] = {"poker": POKER, "A6": CardSize(94 * mm, 132 * mm, 1.35)}


@dataclass(frozen=True, slots=True)
class CardFormat:
    """How all cards are laid out: text sizes, the largest first, room for a portrait or not, heads
    dark or `outlined`.
    """

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
        """How many cards a page holds."""
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
        """Return the places of the backs in the order of their fronts, the sheet turned on its long
        edge; a back is upright when its card is turned on its own.
        """
        wide, high = self.page
        for x, y, turn in self.fronts():
            if wide > high:
                yield CardSpot(x, high - y - self.tall, 180 - turn)
            else:
                yield CardSpot(wide - x - self.wide, y, -turn)


def grid_of(page: tuple[float, float], size: CardSize) -> CardGrid:
    """The grid of a page that holds the most cards; upright ones where that makes no difference."""
    upright = _filled(page, size.width, size.height, turned=False)
    turned = _filled(page, size.height, size.width, turned=True)
    return turned if turned.count > upright.count else upright


def _filled(page: tuple[float, float], wide: float, tall: float, turned: bool) -> CardGrid:
    across, down = (
        int((room - 2 * MARGIN) / side) for room, side in zip(page, (wide, tall), strict=True)
    )
    return CardGrid(page, wide, tall, across, down, turned)
