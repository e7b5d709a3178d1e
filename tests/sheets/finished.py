"""Finished PDFs read back: where each text stands, and what must not be there."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from io import BytesIO
from itertools import pairwise, product, takewhile
from math import hypot
from typing import Any, NamedTuple

from pypdf import PdfReader

from armybuilder.sheets.cards.card_blocks import CardGrid, CardSpot
from armybuilder.sheets.drawing.pages import EDGE, SIDE
from armybuilder.sheets.drawing.typeface import JOINERS, is_own, printable
from tests.sheets.contents import letters_of, operations, string_of

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


class Shape(NamedTuple):
    """A part of a path: a "line", a "rect" or a "curve"; `fill` is its tone, None for none."""

    kind: str
    box: Box
    fill: float | None


class Page:
    """A page as it is printed."""

    def __init__(self, page: Any) -> None:
        self.width, self.height = map(float, page.mediabox[2:])
        drawn = _Drawn(page)
        self.texts = [_text(row) for row in _rows(drawn.letters) if _words(row).strip()]
        shapes = [shape for shape in drawn.shapes if shape.kind != "line"]
        self.frames = [shape.box for shape in shapes]
        #: Whether what is filled is dark.
        self.filled = [(shape.box, shape.fill < 0.4) for shape in shapes if shape.fill is not None]
        #: Small boxes to cross off.
        self.boxes = [
            shape.box
            for shape in shapes
            if shape.kind == "rect" and shape.box.right - shape.box.left < 20
        ]
        self.rules = [shape.box for shape in drawn.shapes if shape.kind == "line"]
        self.squeezed = squeezed("".join(letter.text for letter in drawn.letters))


def read(pdf: bytes, numbers: Sequence[int] | None = None) -> list[Page]:
    """The pages of a file, or those with these numbers, counted from 1."""
    pages = PdfReader(BytesIO(pdf)).pages
    return [Page(pages[number - 1]) for number in numbers or range(1, len(pages) + 1)]


#: How lengths and places grow, turn and move: a, b, c, d, e, f (ISO 32000-1, 8.3.3).
Matrix = tuple[float, ...]
UNMOVED: Matrix = (1, 0, 0, 1, 0, 0)
#: What ends a path, and whether it fills it.
PAINTS = {b"S": False, b"s": False, **dict.fromkeys(b"f f* B B* b b*".split(), True)}
#: What changes nothing of where something stands, or only how lines look.
PASSED = {*b"n ET w J j M d i ri gs RG G Tr W W* BDC BMC EMC".split()}


def _by(first: Matrix, then: Matrix) -> Matrix:
    a, b, c, d, e, f = first
    p, q, r, s, t, u = then
    return (
        a * p + b * r, a * q + b * s, c * p + d * r, c * q + d * s,
        e * p + f * r + t, e * q + f * s + u,
    )  # fmt: skip


@dataclass
class _Subpath:
    """The operators of a part of a path, and where each of them ends."""

    parts: bytes
    places: list[tuple[float, float]]


class _Drawn:
    """What the content of a page draws: letters of the sheets' own fonts, and shapes.

    Letters of other scripts stand on each other where they join: test_letters.py.
    """

    def __init__(self, page: Any) -> None:
        fonts = page["/Resources"].get("/Font", {})
        self.fonts = {name.encode(): fonts[name] for name in fonts}
        self.known: dict[bytes, tuple[str, dict[int, str], dict[int, float]]] = {}
        self.letters: list[Letter] = []
        self.shapes: list[Shape] = []
        self.path: list[_Subpath] = []
        #: What is kept and brought back: the matrix, the tone of fills, font, size and leading.
        self.state: tuple[Matrix, float, bytes, float, float] = (UNMOVED, 0, b"", 0, 0)
        self.kept: list[tuple[Matrix, float, bytes, float, float]] = []
        self.line = self.at = UNMOVED
        for operator, operands in operations(page.get_contents().get_data()):
            if operator not in PASSED and not self._set(operator, operands):
                self._draw(operator, operands)

    def _set(self, operator: bytes, operands: list[bytes]) -> bool:
        """Change how and where is drawn, if the operator does that."""
        matrix, tone, font, size, leading = self.state
        match operator:
            case b"q":
                self.kept.append(self.state)
            case b"Q":
                self.state = self.kept.pop()
            case b"cm":
                self.state = (_by(_numbers(operands), matrix), tone, font, size, leading)
            case b"rg" | b"g":
                tones = _numbers(operands)
                self.state = (matrix, sum(tones) / len(tones), font, size, leading)
            case b"Tf":
                self.state = (matrix, tone, operands[0], float(operands[1]), leading)
            case b"TL":
                self.state = (matrix, tone, font, size, float(operands[0]))
            case b"BT":
                self.line = self.at = UNMOVED
            case b"Tm":
                self.line = self.at = _numbers(operands)
            case b"Td" | b"T*":
                x, y = _numbers(operands) or (0, -leading)
                self.line = self.at = _by((1, 0, 0, 1, x, y), self.line)
            case _:
                return False
        return True

    def _write(self, codes: bytes) -> None:
        matrix, _tone, name, size, _leading = self.state
        if name not in self.known:
            font = self.fonts[name]
            widths = dict(enumerate(map(float, font["/Widths"]), int(font["/FirstChar"])))
            self.known[name] = (font["/BaseFont"], letters_of(font), widths)
        face, letters, widths = self.known[name]
        for code in codes:
            wide = widths[code] * size / 1000
            if OWN.search(face):
                a, b, c, d, x, y = _by(self.at, matrix)
                grown = hypot(a, b)
                self.letters.append(
                    Letter(
                        letters[code], x, y, (a / grown, b / grown),
                        wide * grown, size * hypot(c, d), face,
                    )
                )  # fmt: skip
            self.at = _by((1, 0, 0, 1, wide, 0), self.at)

    def _draw(self, operator: bytes, operands: list[bytes]) -> None:
        """Write, go on with the path, or paint it. Raises KeyError for an operator of others."""
        if operator == b"Tj":
            self._write(string_of(operands[0]))
        elif operator == b"re":
            x, y, wide, tall = _numbers(operands)
            corners = ((x, y), (x + wide, y), (x + wide, y + tall), (x, y + tall))
            self.path.append(_Subpath(b"mlllh", [*map(self._seen, corners)]))
        elif operator == b"m":
            self.path.append(_Subpath(b"m", [self._seen(_numbers(operands))]))
        elif operator == b"h":
            self.path[-1].parts += b"h"
        elif operator in (b"l", b"c", b"v", b"y"):
            self.path[-1].parts += operator
            self.path[-1].places.append(self._seen(_numbers(operands[-2:])))
        else:
            self._paint(self.state[1] if PAINTS[operator] else None)

    def _seen(self, place: Sequence[float]) -> tuple[float, float]:
        *_turned, x, y = _by((1, 0, 0, 1, *place), self.state[0])
        return x, y

    def _paint(self, tone: float | None) -> None:
        for parts, places in ((one.parts, one.places) for one in self.path):
            xs, ys = zip(*places, strict=True)
            box = Box(min(xs), min(ys), max(xs), max(ys))
            square = parts == b"mlllh" and all(
                (x - u) * (y - v) == 0 for (x, y), (u, v) in pairwise([*places, places[0]])
            )
            kind = "line" if parts in (b"ml", b"mlh") else "rect" if square else "curve"
            self.shapes.append(Shape(kind, box, tone))
        self.path = []


def _numbers(operands: Sequence[bytes]) -> tuple[float, ...]:
    return tuple(map(float, operands))


def squeezed(*parts: object) -> str:
    """What the sheets' own fonts print of these words, without any space: lines break anywhere."""
    said = printable(" ".join(map(str, parts)))
    return "".join(
        letter for letter in said if is_own(letter) and not (letter.isspace() or letter in JOINERS)
    )


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
