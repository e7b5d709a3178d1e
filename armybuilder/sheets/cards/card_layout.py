"""How the face of a card becomes one card, or several where it holds more than fits.

Text shrinks in steps; what abilities do is printed where it fits. The rest goes on to further
cards, in letters as large as their number allows.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from django.utils.translation import gettext as _
from reportlab.platypus import Flowable

from armybuilder.sheets.cards.card_band import Band
from armybuilder.sheets.cards.card_blocks import SMALLEST, TIGHT, Style, Whole
from armybuilder.sheets.cards.card_body import body
from armybuilder.sheets.cards.card_pen import CardRoom, Portrait
from armybuilder.sheets.cards.card_size import USUAL, CardFormat, CardSize
from armybuilder.sheets.content.card_face import Face
from armybuilder.sheets.drawing.typeface import GREY, Ink, load_fonts
from armybuilder.sheets.drawing.words import Run, Words, fit

#: Space between two blocks of a card, at scale 1.
GAP = 3.4
#: Lines of small print at the foot; a longer one stands with the text.
MOST_FOOT = 3
#: Between the text and the small print, with a thin line in it.
FOOT_GAP = 4.0
#: Stands for the number of a card and of all cards: as wide as they may be.
WIDEST_NUMBER = 888

_SMALL_PRINT = Ink(size=SMALLEST, colour=GREY)


@dataclass(frozen=True, slots=True)
class Laid:
    """One card: head, blocks from the top down, small print. `number` is which of its face's cards
    it is ("" for a single one); its face begins on the `first`.
    """

    face: Face
    size: CardSize
    number: str
    first: bool
    band: Band
    blocks: Sequence[Flowable]
    gap: float
    foot: Words


def lay_out(face: Face, form: CardFormat = USUAL) -> list[Laid]:
    """The cards of a face, one or more."""
    load_fonts()
    fill, scales = partial(_Filling, face, form), form.scales
    explainable = any(power.summary for power in (*face.abilities, *face.spells))
    for explained in (True, False) if explainable else (False,):
        found = _largest(scales, lambda scale: fill(Style(scale, explained), 1))  # noqa: B023
        if found is not None:
            return found.laid()
    fewest = len(fill(Style(scales[-1])).cards)
    found = _largest(scales, lambda scale: fill(Style(scale), fewest, several=True))
    return (found or fill(Style(scales[-1]), several=True)).laid()


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

    def __init__(
        self, face: Face, form: CardFormat, style: Style, most: int = 0, several: bool = False
    ) -> None:
        self.face = face
        self.form = form
        self.size = form.size
        self.wide = form.size.text_width
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
        picture = [Portrait(self.size.tall)] if self.form.portrait else []
        waiting = [*picture, *body(self.face, self.style, self.bands[0].title.whole), *told]
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
        tall = block.wrap(self.wide, self.room)[1]
        if tall <= self.room + 0.001:
            here.append(block)
            self.room -= tall + self.gap
            return []
        parts = [] if here and isinstance(block, Whole) else block.split(self.wide, self.room)
        if not parts and here:
            return [block]
        first = parts[0] if parts else block
        first.wrap(self.wide, self.room)
        here.append(first)
        return parts[1:]

    def _foot(self) -> tuple[float, list[Flowable]]:
        """The height of the small print, and a block of it where it is too long to stand there."""
        words = self._small_print(self.face.source, self._widest)
        if len(words.lines) <= MOST_FOOT:
            return words.height, []
        self.short = fit(self.face.source, _SMALL_PRINT, self.wide / 2)
        words = self._small_print(self.short, self._widest)
        return words.height, [Words(Run(self.face.source, _SMALL_PRINT), leading=TIGHT)]

    @property
    def _widest(self) -> str:
        """The longest that the number of a card can be; "" where there is one card only."""
        return _number(WIDEST_NUMBER, WIDEST_NUMBER) if self.several else ""

    def _small_print(self, source: str, number: str) -> Words:
        said = " · ".join(filter(None, (number, source)))
        words = Words(Run(said, _SMALL_PRINT), leading=TIGHT)
        words.wrap(self.wide, self.size.tall)
        return words

    def _next_card(self) -> None:
        face, number = self.face, len(self.cards) + 1
        caption = face.price_note if number == 1 and (face.price or face.blank) else ""
        price = face.price if caption else ""
        ending = f" ({number})" if number > 1 else ""
        band = Band(face.heading, price, caption, self.size.frame_width, ending, face.blank)
        self.bands.append(band)
        self.cards.append([])
        self.room = self.size.frame_height - band.height - 2 * self.size.PADDING
        self.room -= self.foot + FOOT_GAP

    def _spread(self) -> None:
        """Give the room that is left on the last card to what is to be drawn or written."""
        names = iter(() if self.face.blank else self.face.write)
        while self.room >= CardRoom.LINE and (name := next(names, "")):
            self._place(CardRoom(name))
        rooms = [block for block in self.cards[-1] if isinstance(block, CardRoom)]
        rooms = [block for block in rooms if block.name in self.face.write]
        spare = int((self.room + self.gap) / CardRoom.LINE) if rooms else 0
        for number, block in enumerate(rooms):
            block.lines += spare // len(rooms) + (number < spare % len(rooms))
            block.wrap(self.wide, self.size.tall)
        first = self.cards[-1][0] if self.cards[-1] else None
        if isinstance(first, Portrait) and not rooms:
            first.grow(self.room)

    def laid(self) -> list[Laid]:
        """The cards as they are drawn."""
        count = len(self.cards)
        numbers = [_number(place, count) if count > 1 else "" for place in range(1, count + 1)]
        return [
            Laid(
                self.face,
                self.size,
                told,
                band is self.bands[0],
                band,
                blocks,
                self.gap,
                self._small_print(self.short, told),
            )
            for band, blocks, told in zip(self.bands, self.cards, numbers, strict=True)
        ]


def _number(place: int, count: int) -> str:
    """Which of the cards of a face one is."""
    return _("card {number} of {count}").format(number=place, count=count)
