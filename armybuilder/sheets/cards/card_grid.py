"""Where cards stand on a page: as many as fit, and where their backs lie on the other side."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from reportlab.lib.units import mm

from armybuilder.sheets.cards.card_size import CardSize

#: The least margin around all cards of a page, in points: cut marks and a line of text need it.
MARGIN = 6.5 * mm


class CardSpot(NamedTuple):
    """A card's place: its lower left corner on the page in points, and by how many degrees the
    card is turned against the clock.
    """

    x: float
    y: float
    turn: int


@dataclass(frozen=True, slots=True)
class CardGrid:
    """Cards in rows and columns in the middle of a page; `wide` and `tall` are the sides of a
    place in points, `turned`: cards lie on their left side.
    """

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
        """Where a cut runs from top to bottom, in points from the left edge of the page."""
        return [self.left + number * self.wide for number in range(self.across + 1)]

    def rows(self) -> list[float]:
        """Where a cut runs from side to side, in points from the lower edge of the page."""
        return [self.low + number * self.tall for number in range(self.down + 1)]

    def fronts(self) -> Iterator[CardSpot]:
        """The places in their order, row by row from the top."""
        for row in reversed(self.rows()[:-1]):
            for column in self.columns()[:-1]:
                yield CardSpot(column, row, 90 if self.turned else 0)

    def backs(self) -> Iterator[CardSpot]:
        """The places of the backs in the order of their fronts, on the other side of a sheet that
        is turned on its long edge. A back is upright for who turns the card on its own long edge.
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
