"""QR codes: the pattern of an address, as a drawing for pages and as a block of a printout."""

from collections.abc import Iterator
from functools import lru_cache
from itertools import groupby

from reportlab.graphics.barcode.qrencoder import QRCode, QRErrorCorrectLevel
from reportlab.lib.units import mm

from armybuilder.sheets.drawing.tagged import PRINTED, content
from armybuilder.sheets.drawing.typeface import BLACK, Ink, printable, write_centred
from armybuilder.sheets.drawing.words import Measured

#: Modules of white that readers want around the pattern.
QUIET = 4
#: The side of a printed pattern on paper, in points: a hair more than 20 mm, without the white.
SIDE = 20.4 * mm
#: The side of a module of a dense pattern, in points: what phones still tell apart on paper.
MODULE = 0.47 * mm
#: Bytes that one code holds at its least correction (ISO 18004, version 40).
MOST_IN_CODE = 2_900

Pattern = tuple[tuple[bool, ...], ...]


@lru_cache(maxsize=64)
def pattern_of(text: str, dense: bool = False) -> Pattern:
    """Return the code's rows, dark modules True; `dense`: for long texts, less corrected."""
    code = QRCode(None, QRErrorCorrectLevel.L if dense else QRErrorCorrectLevel.M)
    code.addData(text)
    code.make()
    return tuple(tuple(map(bool, row)) for row in code.modules)


def bars_of(pattern: Pattern) -> Iterator[tuple[int, int, int]]:
    """Yield the dark modules, adjacent ones as one: column, row and length."""
    for row, modules in enumerate(pattern):
        column = 0
        for dark, run in groupby(modules):
            length = len(list(run))
            if dark:
                yield column, row, length
            column += length


def drawing_of(text: str, dense: bool = False) -> str:
    """Return the code as an SVG file, black on white on any page."""
    pattern = pattern_of(text, dense)
    side = len(pattern) + 2 * QUIET
    bars = "".join(
        f"M{column + QUIET} {row + QUIET}h{length}v1h-{length}z"
        for column, row, length in bars_of(pattern)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {side} {side}" '
        f'shape-rendering="crispEdges"><path fill="#fff" d="M0 0h{side}v{side}h-{side}z"/>'
        f'<path d="{bars}"/></svg>'
    )


class QrCode(Measured):
    """An address as a code, as large on paper at any `scale`; `dense`: as its modules need."""

    LETTERS = 6.6

    def __init__(self, address: str, below: str, scale: float, dense: bool = False) -> None:
        super().__init__()
        self.address = address
        self.below = printable(below)
        self.pattern = pattern_of(address, dense)
        self.letters = self.LETTERS / scale
        self.module = (MODULE if dense else SIDE / len(self.pattern)) / scale

    @property
    def natural_width(self) -> float:
        return self.module * (len(self.pattern) + 2 * QUIET)

    def wrap(self, _width: float, _height: float) -> tuple[float, float]:
        self.width = self.natural_width
        self.height = self.width + self.letters
        return self.width, self.height

    def draw(self) -> None:
        canvas, module = self.canv, self.module
        canvas.setFillColor(BLACK)
        path = canvas.beginPath()
        top = self.height - module * (QUIET + 1)
        for column, row, length in bars_of(self.pattern):
            path.rect((QUIET + column) * module, top - row * module, length * module, module)
        with content(canvas, "Figure", self.address):
            canvas.drawPath(path, stroke=0, fill=1)
        below = Ink(size=self.letters)
        with content(canvas):
            write_centred(canvas, self.width / 2, self.letters * 0.6, self.below, below)
        canvas.linkURL(self.address, (0, 0, self.width, self.height), relative=1, F=PRINTED)
