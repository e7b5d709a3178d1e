"""Pages of cards read back from the finished PDF: what stands where, also on turned cards."""

import re
from math import hypot
from typing import NamedTuple

MM = 72 / 25.4
CARD = (63 * MM, 88 * MM)
#: The smallest letters a card may have, in points.
READABLE = 5.5
#: Twice the space around a card's frame, in points, less a hair.
FRAME = 2 * 1.9 * MM - 0.1


class Box(NamedTuple):
    """A rectangle in points, from its lower left to its upper right corner."""

    left: float
    low: float
    right: float
    high: float
    text: str = ""
    size: float = 0
    own: bool = True

    def within(self, other, slack=0.1):
        return (
            self.left >= other.left - slack
            and self.low >= other.low - slack
            and self.right <= other.right + slack
            and self.high <= other.high + slack
        )

    def overlaps(self, other, slack=0.15):
        across = min(self.right, other.right) - max(self.left, other.left)
        upright = min(self.high, other.high) - max(self.low, other.low)
        return across > slack and upright > slack and self.own and other.own


class Font:
    """An embedded font as the PDF holds it: widths and letters of its codes."""

    def __init__(self, held):
        assert held["/FontDescriptor"]["/FontFile2"]
        # Letters of other scripts stand on each other where they join: test_letters.py.
        self.own = held["/BaseFont"].endswith(("NotoSans-Regular", "NotoSans-Bold"))
        self.first, self.widths = held["/FirstChar"], held["/Widths"]
        table = held["/ToUnicode"].get_data().decode("latin-1")
        pairs = re.findall(r"<(\w\w)> <(\w{4,})>", table)
        self.letters = {
            int(code, 16): bytes.fromhex(letter).decode("utf-16-be") for code, letter in pairs
        }

    def read(self, raw):
        """The text of a string in this font, and its width at one point."""
        wide = sum(float(self.widths[code - self.first]) for code in raw) / 1000
        return "".join(self.letters[code] for code in raw), wide


class Page:
    """What a page draws: texts and the small boxes to cross off, and its straight lines."""

    def __init__(self, page):
        self.texts, self.boxes, self.lines = [], [], []
        self.size = (float(page.mediabox.width), float(page.mediabox.height))
        held = page["/Resources"]["/Font"]
        self.fonts = {name: Font(font) for name, font in held.items()}
        self.start = self.at = (0.0, 0.0)
        page.extract_text(visitor_operand_before=self._operand)

    def _operand(self, operator, arguments, page_matrix, _text_matrix):
        self.matrix = page_matrix
        if operator == b"Tf":
            self.font, self.letter = self.fonts[arguments[0]], float(arguments[1])
        elif operator == b"Tm":
            self.at = (float(arguments[4]), float(arguments[5]))
        elif operator == b"Tj":
            self._text(arguments[0])
        elif operator in (b"m", b"l"):
            point = self._on_page(float(arguments[0]), float(arguments[1]))
            if operator == b"l":
                self.lines.append((*self.start, *point))
            self.start = point
        elif operator == b"re" and float(arguments[2]) < 20:
            x, y, wide, high = map(float, arguments)
            self.boxes.append(self._box(x, y, x + wide, y + high))

    def _on_page(self, x, y):
        """A point of what is drawn now, as a point of the page."""
        a, b, c, d, e, f = self.matrix
        return a * x + c * y + e, b * x + d * y + f

    def _box(self, left, low, right, high, text="", size=0.0, own=True):
        (x1, y1), (x2, y2) = self._on_page(left, low), self._on_page(right, high)
        return Box(min(x1, x2), min(y1, y2), max(x1, x2), max(y1, y2), text, size, own)

    def _text(self, written):
        raw = written if isinstance(written, bytes) else written.original_bytes
        said, wide = self.font.read(raw)
        (x, y), size = self.at, self.letter
        self.at = (x + wide * size, y)
        if said.strip():
            ends = (y - 0.12 * size, x + wide * size, y + 0.72 * size)
            grown = hypot(*self.matrix[:2])
            self.texts.append(self._box(x, *ends, said, size * grown, self.font.own))

    @property
    def cards(self):
        """The nine cards' places, by columns and rows of the middle of the page."""
        left, low = (self.size[0] - 3 * CARD[0]) / 2, (self.size[1] - 3 * CARD[1]) / 2
        return [
            Box(x, y, x + CARD[0], y + CARD[1])
            for y in (low + 2 * CARD[1], low + CARD[1], low)
            for x in (left, left + CARD[0], left + 2 * CARD[0])
        ]

    def on(self, card):
        """Texts that stand on a card, its frame left free."""
        inner = Box(
            card.left + FRAME / 2, card.low + FRAME / 2, card.right - FRAME / 2, card.high - 5
        )
        return [box for box in self.texts if box.within(inner)]
