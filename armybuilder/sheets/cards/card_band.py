"""The head of a card: the name on a dark band, the price in its corner."""

from dataclasses import dataclass

from django.utils.translation import gettext as _
from reportlab.platypus import Flowable

from armybuilder.sheets.cards.card_blocks import SMALLEST, TIGHT
from armybuilder.sheets.drawing.typeface import (
    BOLD,
    GREY,
    WHITE,
    Ink,
    printable,
    tones_of,
    width_of,
    write,
)
from armybuilder.sheets.drawing.words import Run, Words


@dataclass(frozen=True, slots=True)
class Title:
    """A name broken into lines; `whole` false where its end is cut off."""

    words: Words
    whole: bool


@dataclass(frozen=True, slots=True)
class Sizes:
    """Sizes of a name in points, and how many lines it may take in each; the first that fits."""

    steps: tuple[tuple[float, int], ...]


#: Of a card's first name, and of the name on a card that goes on.
FIRST = Sizes(((11, 1), (10, 1), (9, 2), (8, 2), (7, 3), (6, 12)))
LATER = Sizes(((9, 1), (8, 1), (7, 2), (6, 3)))


#: Lines of a name that is cut: the whole of it stands below.
MOST_CUT = 4


def fit_title(name: str, ending: str, room: float, sizes: Sizes = FIRST) -> Title:
    """Return name and ending ("(2)") within `room` points, as large as may be; a long name ends in
    an ellipsis.
    """
    text = f"{printable(name)}{ending}"
    for size, lines in sizes.steps:
        words = _words(text, size, room)
        ink = words.runs[0].ink
        last = (size, lines) == sizes.steps[-1]
        longest = max((width_of(word, *ink[:2]) for word in text.split()), default=0)
        if len(words.lines) <= lines and (last or longest <= room):
            return Title(words, True)
    size, lines = sizes.steps[-1][0], min(sizes.steps[-1][1], MOST_CUT)
    kept, beyond = 0, len(name)
    while beyond - kept > 1:
        middle = (kept + beyond) // 2
        tried = _words(f"{printable(name[:middle])}…{ending}", size, room)
        kept, beyond = (middle, beyond) if len(tried.lines) <= lines else (kept, middle)
    return Title(_words(f"{printable(name[:kept]).rstrip()}…{ending}", size, room), False)


def _words(text: str, size: float, room: float) -> Words:
    words = Words(Run(text, Ink(BOLD, size, WHITE)), leading=TIGHT)
    words.wrap(room, 1000)
    return words


class Band(Flowable):
    """The head of a card, `width` points wide; without a `caption` it has no corner for a price."""

    LEAST = 25.0
    PAD = 4.5
    FIGURE = 14.0
    CORNER = 25.0
    CAPTION = Ink(size=SMALLEST)

    def __init__(
        self,
        name: str,
        price: str,
        caption: str,
        width: float,
        ending: str = "",
        blank: bool = False,
    ) -> None:
        super().__init__()
        self.price = printable(price)
        self.caption = caption
        self.blank = blank
        self.width = width
        self.title = fit_title(name, ending, self.name_room, LATER if ending else FIRST)
        self.height = max(self.LEAST, self.title.words.height + 2 * self.PAD - 2)

    @property
    def corner(self) -> float:
        """Width in points of the box for the price; 0 where there is none."""
        if not self.caption:
            return 0
        figure = width_of(self.price, BOLD, self.FIGURE)
        return max(self.CORNER, 5 + max(figure, width_of(self.caption, *self.CAPTION[:2])))

    @property
    def name_room(self) -> float:
        """Width in points that the name has."""
        return self.width - 2 * self.PAD - self.corner

    def wrap(self, _width: float, _height: float) -> tuple[float, float]:
        return self.width, self.height

    def draw(self) -> None:
        canvas = self.canv
        canvas.setLineWidth(0.8)
        dark = tones_of(canvas).title
        canvas.setStrokeColor(dark)
        canvas.setFillColor(WHITE if self.blank else dark)
        canvas.roundRect(0, 0, self.width, self.height, 4, stroke=1, fill=1)
        if self.blank:
            ink = Ink(size=SMALLEST, colour=GREY)
            write(canvas, self.PAD, self.height - 7, printable(_("Name")), ink)
        else:
            words = self.title.words
            words.drawOn(canvas, self.PAD, (self.height - words.height) / 2)
        if self.caption:
            self._draw_price()

    def _draw_price(self) -> None:
        canvas, wide = self.canv, self.corner
        x, tall = self.width - wide - 1.8, self.LEAST - 3.6
        y = self.height - tall - 1.8
        canvas.setFillColor(WHITE)
        canvas.roundRect(x, y, wide, tall, 3, stroke=1, fill=1)
        for text, ink, base in (
            (self.price, Ink(BOLD, self.FIGURE), y + 8.6),
            (self.caption, self.CAPTION, y + 2.4),
        ):
            if text:
                write(canvas, x + (wide - width_of(text, *ink[:2])) / 2, base, text, ink)
