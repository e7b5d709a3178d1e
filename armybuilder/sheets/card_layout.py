"""How the face of a card becomes one card, or several where it holds more than fits.

Text shrinks in steps. What abilities do is printed only where it fits beside everything else.
What does not fit in the smallest letters goes on to further cards, in letters as large as that
number of cards allows.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from reportlab.lib.units import mm
from reportlab.platypus import Flowable

from armybuilder.sheets.card_band import Band
from armybuilder.sheets.card_blocks import SMALLEST, TIGHT, Style, Whole
from armybuilder.sheets.card_body import body
from armybuilder.sheets.card_face import Face
from armybuilder.sheets.card_pen import Room
from armybuilder.sheets.typeface import GREY, Ink, load_fonts
from armybuilder.sheets.words import Run, Words, fit

#: Sides of a card in points, and how far its frame and the text inside that stand off.
WIDTH, HEIGHT = 63 * mm, 88 * mm
INSET = 1.9 * mm
PADDING = 4.5
FRAME_WIDTH = WIDTH - 2 * INSET
TEXT_WIDTH = FRAME_WIDTH - 2 * PADDING

#: Sizes of the text, the largest first; in the last one nothing is above the smallest letters.
SCALES = (1.25, 1.17, 1.09, 1.0, 0.93, 0.86, 0.79, 0.764)
#: Space between two blocks of a card, at scale 1.
GAP = 3.4
#: Lines of small print at the foot; a longer one stands with the text.
MOST_FOOT = 3
#: Between the text and the small print, with a thin line in it.
FOOT_GAP = 4.0
#: Stands for the numbers of a card, as wide as they may be.
WIDEST_NUMBERS = "888 of 888"

_SMALL_PRINT = Ink(size=SMALLEST, colour=GREY)


class Laid(NamedTuple):
    """One card: its head, blocks from the top downwards and small print at its foot."""

    band: Band
    blocks: Sequence[Flowable]
    gap: float
    foot: Words
    known: bool


def lay_out(face: Face) -> list[Laid]:
    """The cards of a face, one or more."""
    load_fonts()
    explainable = any(power.summary for power in (*face.abilities, *face.spells))
    for explained in (True, False) if explainable else (False,):
        found = _largest(SCALES, lambda scale: _Filling(face, Style(scale, explained), 1))  # noqa: B023
        if found is not None:
            return found.laid()
    fewest = len(_Filling(face, Style(SCALES[-1])).cards)
    found = _largest(SCALES, lambda scale: _Filling(face, Style(scale), fewest, several=True))
    return (found or _Filling(face, Style(SCALES[-1]), several=True)).laid()


def _largest(scales: Sequence[float], fill: Callable[[float], "_Filling"]) -> "_Filling | None":
    """The filling in the largest letters that fits; None where none does."""
    found = None
    low, high = 0, len(scales)
    while low < high:
        middle = (low + high) // 2
        filling = fill(scales[middle])
        if filling.fits:
            found, high = filling, middle
        else:
            low = middle + 1
    return found


class _Filling:
    """A face's blocks filled into cards, at most so many where `most` says."""

    def __init__(self, face: Face, style: Style, most: int = 0, several: bool = False) -> None:
        self.face = face
        self.style = style
        self.gap = GAP * style.scale
        self.several = several
        self.short = face.source
        self.bands: list[Band] = []
        self.cards: list[list[Flowable]] = []
        self.fits = self._fill(most)

    def _fill(self, most: int) -> bool:
        """Whether all blocks found room."""
        self.foot, told = self._foot()
        self._next_card()
        waiting = [*body(self.face, self.style, self.bands[0].title.whole), *told]
        while waiting:
            rest = self._place(waiting.pop(0))
            if rest and len(self.cards) == most:
                return False
            if rest:
                self._next_card()
                waiting[:0] = rest
        self._spread()
        return True

    def _place(self, block: Flowable) -> list[Flowable]:
        """Put as much of a block on the card as has room; what goes to the next one."""
        here = self.cards[-1]
        tall = block.wrap(TEXT_WIDTH, self.room)[1]
        if tall <= self.room + 0.001:
            here.append(block)
            self.room -= tall + self.gap
            return []
        parts = [] if here and isinstance(block, Whole) else block.split(TEXT_WIDTH, self.room)
        if not parts and here:
            return [block]
        first = parts[0] if parts else block
        first.wrap(TEXT_WIDTH, self.room)
        here.append(first)
        return parts[1:]

    def _foot(self) -> tuple[float, list[Flowable]]:
        """The height of the small print, and a block of it where it is too long to stand there."""
        words = self._small_print(self.face.source, WIDEST_NUMBERS if self.several else "")
        if len(words.lines) <= MOST_FOOT:
            return words.height, []
        self.short = fit(self.face.source, _SMALL_PRINT, TEXT_WIDTH / 2)
        words = self._small_print(self.short, WIDEST_NUMBERS if self.several else "")
        return words.height, [Words(Run(self.face.source, _SMALL_PRINT), leading=TIGHT)]

    def _small_print(self, source: str, numbers: str) -> Words:
        said = " · ".join(filter(None, (f"card {numbers}" if numbers else "", source)))
        words = Words(Run(said, _SMALL_PRINT), leading=TIGHT)
        words.wrap(TEXT_WIDTH, HEIGHT)
        return words

    def _next_card(self) -> None:
        face, number = self.face, len(self.cards) + 1
        caption = face.price_note if number == 1 and (face.price or face.blank) else ""
        price = face.price if caption else ""
        ending = f" ({number})" if number > 1 else ""
        band = Band(face.heading, price, caption, FRAME_WIDTH, ending, face.blank)
        self.bands.append(band)
        self.cards.append([])
        self.room = HEIGHT - 2 * INSET - band.height - 2 * PADDING - self.foot - FOOT_GAP

    def _spread(self) -> None:
        """Give parts to write in all the room that is left on the last card."""
        names = iter(() if self.face.blank else self.face.write)
        while self.room >= Room.LINE and (name := next(names, "")):
            self._place(Room(name))
        rooms = [block for block in self.cards[-1] if isinstance(block, Room)]
        rooms = [block for block in rooms if block.name in self.face.write]
        spare = int((self.room + self.gap) / Room.LINE) if rooms else 0
        for number, block in enumerate(rooms):
            block.lines += spare // len(rooms) + (number < spare % len(rooms))
            block.wrap(TEXT_WIDTH, HEIGHT)

    def laid(self) -> list[Laid]:
        """The cards as they are drawn."""
        count = len(self.cards)
        numbers = [f"{number} of {count}" if count > 1 else "" for number in range(1, count + 1)]
        return [
            Laid(band, blocks, self.gap, self._small_print(self.short, told), self.face.known)
            for band, blocks, told in zip(self.bands, self.cards, numbers, strict=True)
        ]
