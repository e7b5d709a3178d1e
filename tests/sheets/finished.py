"""Finished PDFs read back with pdfplumber: where each text stands, and what must not be there."""

import re
from collections.abc import Iterable, Iterator, Sequence
from io import BytesIO
from itertools import product, takewhile
from math import hypot
from typing import Any, NamedTuple

import pdfplumber

from armybuilder.sheets.cards.card_blocks import CardGrid, CardSpot
from armybuilder.sheets.drawing.pages import EDGE, SIDE
from armybuilder.sheets.drawing.typeface import JOINERS, is_own, printable

#: How far letters reach below and above their base line, in parts of their size.
BELOW, ABOVE = 0.16, 0.72
#: The sheets' own fonts.
OWN = re.compile(r"NotoSans-(Regular|Bold)$")
#: What may overlap without being seen, in points.
HAIR = 0.6
MM = 72 / 25.4
#: How far the text of a card begins from its edge, in points, less a hair.
INSET = 1.9 * MM - 0.1


class Box(NamedTuple):
    """A rectangle of a page in points, from its lower left to its upper right corner."""

    left: float
    low: float
    right: float
    high: float

    def meets(self, other: "Box", hair: float = HAIR) -> bool:
        across = min(self.right, other.right) - max(self.left, other.left)
        upright = min(self.high, other.high) - max(self.low, other.low)
        return across > hair and upright > hair

    def within(self, other: "Box", hair: float = HAIR) -> bool:
        return (
            self.left >= other.left - hair
            and self.low >= other.low - hair
            and self.right <= other.right + hair
            and self.high <= other.high + hair
        )


class Letter(NamedTuple):
    """A letter, where its base line begins, the direction of writing, its width and size."""

    text: str
    x: float
    y: float
    along: tuple[float, float]
    width: float
    size: float
    font: str


class Text(NamedTuple):
    """Letters of one look in a row."""

    box: Box
    words: str
    size: float


class Page:
    """A page as it is printed."""

    def __init__(self, page: Any) -> None:
        self.width, self.height = float(page.width), float(page.height)
        # Letters of other scripts stand on each other where they join: test_letters.py.
        letters = [_letter(char) for char in page.chars if OWN.search(char["fontname"])]
        self.texts = [_text(row) for row in _rows(letters) if _words(row).strip()]
        shapes = [*page.rects, *page.curves]
        self.frames = [_box(shape) for shape in shapes]
        tones = [(shape, shape["non_stroking_color"]) for shape in shapes if shape["fill"]]
        #: Whether what is filled is dark.
        self.filled = [(_box(shape), sum(tone) / len(tone) < 0.4) for shape, tone in tones]
        #: Small boxes to cross off.
        self.boxes = [box for box in map(_box, page.rects) if box.right - box.left < 20]
        self.rules = [_box(line) for line in page.lines]
        self.squeezed = squeezed("".join(letter.text for letter in letters))


def read(pdf: bytes, numbers: Sequence[int] | None = None) -> list[Page]:
    """The pages of a file, or those with these numbers, counted from 1."""
    with pdfplumber.open(BytesIO(pdf), pages=numbers) as opened:
        return [Page(page) for page in opened.pages]


def squeezed(*parts: object) -> str:
    """What the sheets' own fonts print of these words, without any space: lines break anywhere."""
    said = printable(" ".join(map(str, parts)))
    return "".join(
        letter for letter in said if is_own(letter) and not (letter.isspace() or letter in JOINERS)
    )


def _letter(char: dict[str, Any]) -> Letter:
    a, b, _, _, x, y = char["matrix"]
    grown = hypot(a, b)
    wide, tall = char["x1"] - char["x0"], char["y1"] - char["y0"]
    if abs(b) > abs(a):
        wide, tall = tall, wide
    return Letter(char["text"], x, y, (a / grown, b / grown), wide, tall, char["fontname"])


def _rows(letters: Iterable[Letter]) -> Iterator[list[Letter]]:
    """Letters that follow each other on one base line in one look."""
    row: list[Letter] = []
    for letter in letters:
        if row and not _follows(row[-1], letter):
            yield row
            row = []
        row.append(letter)
    if row:
        yield row


def _follows(before: Letter, letter: Letter) -> bool:
    if (before.font, before.along) != (letter.font, letter.along):
        return False
    right, up = before.along
    x, y = letter.x - before.x, letter.y - before.y
    gap, off = x * right + y * up - before.width, abs(y * right - x * up)
    size = before.size
    return off < size / 20 and abs(gap) < size / 5 and abs(letter.size - size) < size / 20


def _text(row: list[Letter]) -> Text:
    first, last = row[0], row[-1]
    right, up = first.along
    corners = [
        (at.x + right * far - up * rise, at.y + up * far + right * rise)
        for at, far in ((first, 0.0), (last, last.width))
        for rise in (-BELOW * first.size, ABOVE * first.size)
    ]
    xs, ys = zip(*corners, strict=True)
    return Text(Box(min(xs), min(ys), max(xs), max(ys)), _words(row), first.size)


def _words(row: list[Letter]) -> str:
    return "".join(letter.text for letter in row)


def _box(shape: dict[str, Any]) -> Box:
    return Box(*(float(shape[key]) for key in ("x0", "y0", "x1", "y1")))


def flaws(page: Page, room: Box) -> list[str]:
    """What is wrong with where the texts of a page stand: outside of `room`, over each other, or
    across a frame or a line.
    """
    wrong = [f"“{text.words}” leaves the page" for text in page.texts if not text.box.within(room)]
    wrong += [
        f"“{one.words}” stands over “{other.words}”"
        for one, other in _near(page.texts)
        if one.box.meets(other.box)
    ]
    wrong += [
        f"“{text.words}” crosses a frame"
        for text, frame in product(page.texts, page.frames)
        if text.box.meets(frame) and not text.box.within(frame) and not frame.within(text.box, 0)
    ]
    wrong += [
        f"“{text.words}” is struck through"
        for text, rule in product(page.texts, page.rules)
        if _strikes(rule, text.box)
    ]
    return wrong


def _near(texts: list[Text]) -> Iterator[tuple[Text, Text]]:
    """Pairs whose heights overlap, the lower one first."""
    rising = sorted(texts, key=lambda text: text.box.low)
    for number, one in enumerate(rising, 1):
        for other in takewhile(
            lambda other, one=one: other.box.low < one.box.high, rising[number:]
        ):
            yield one, other


def _strikes(rule: Box, box: Box) -> bool:
    """Whether a straight line goes through the middle of a text."""
    inner = Box(box.left + HAIR, box.low + HAIR, box.right - HAIR, box.high - HAIR)
    return (
        max(rule.left, inner.left) <= min(rule.right, inner.right)
        and max(rule.low, inner.low) <= min(rule.high, inner.high)
    )  # fmt: skip


def margins(page: Page, scale: float, bare: bool) -> Box:
    """Where texts may stand: within the margins, and on pages filled to their edges within what
    most printers reach.
    """
    side, low = (EDGE - 1.4, EDGE - 1.4) if bare else (SIDE * scale, EDGE * scale)
    return Box(side, low, page.width - side, page.height - low)


def places(grid: CardGrid, spots: Iterable[CardSpot], zoom: float = 1) -> list[Box]:
    """The places of a page's cards, within their frames."""
    inset = INSET * zoom
    return [
        Box(x + inset, y + inset, x + grid.wide - inset, y + grid.tall - inset)
        for x, y, _turn in spots
    ]


def words_on(page: Page, place: Box) -> str:
    return " ".join(text.words for text in page.texts if text.box.within(place))
