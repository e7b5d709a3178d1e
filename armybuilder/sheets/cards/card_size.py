"""How large printed cards are, and what else holds for all cards of one printout."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from reportlab.lib.units import mm

#: Sizes of a card's text, the largest first; in the last one nothing is above the smallest letters.
SCALES = (1.25, 1.17, 1.09, 1.0, 0.93, 0.86, 0.79, 0.764)
#: Those of a printout in small or large letters: room to write, or more cards instead.
LETTERS: Mapping[str, tuple[float, ...]] = {
    "small": tuple(scale for scale in SCALES if scale <= 1),
    "normal": SCALES,
    "large": tuple(scale for scale in SCALES if scale >= 1),
}


@dataclass(frozen=True, slots=True)
class CardSize:
    """A size of cards: `width` and `height` on paper in points, and by how much all on a card is
    larger than on the smallest ones. What is on a card is measured in the card's own points,
    which are `zoom` points of the paper.
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
SIZES: Mapping[str, CardSize] = {"poker": POKER, "A6": CardSize(105 * mm, 148 * mm, 1.3)}


@dataclass(frozen=True, slots=True)
class CardFormat:
    """How all cards of a printout are laid out: `scales` are the sizes their text may have, the
    largest first; `portrait`: they leave room for a picture.
    """

    size: CardSize = POKER
    scales: tuple[float, ...] = SCALES
    portrait: bool = False


USUAL = CardFormat()
