"""Reads the module patterns of QR codes off printed pages."""

from collections.abc import Iterator
from io import BytesIO
from typing import NamedTuple

from PIL import Image
from pypdf import PdfReader
from pypdfium2 import PdfDocument

from armybuilder.sheets.drawing.qr import Pattern

#: Pixels to a point at which pages are looked at.
FINE = 10


class Printed(NamedTuple):
    """A code on a page: where it leads, its pattern, and the side of that in points."""

    address: str
    pattern: Pattern
    side: float


def codes_on(pdf: bytes) -> Iterator[tuple[int, Printed]]:
    """Yield the codes of a file with the numbers of their pages, from 1: they are at links."""
    for number, page in enumerate(PdfReader(BytesIO(pdf)).pages, 1):
        for note in page.get("/Annots", ()):
            said = note.get_object()
            box = [float(part) for part in said["/Rect"]]
            yield number, _seen(pdf, number, box, said["/A"]["/URI"])


def _seen(pdf: bytes, number: int, box: list[float], address: str) -> Printed:
    page = PdfDocument(pdf)[number - 1]
    picture = page.render(scale=FINE, grayscale=True).to_pil()
    left, low, right, high = (part * FINE for part in box)
    height = picture.height
    area = tuple(map(round, (left, height - high, right, height - low)))
    return Printed(address, *_pattern(picture.crop(area)))


def _pattern(picture: Image.Image) -> tuple[Pattern, float]:
    """Return the modules in a picture with nothing else but text below, and their side."""
    dark = picture.point(lambda tone: 255 if tone < 128 else 0)
    left, top, right, _low = dark.getbbox() or (0, 0, 0, 0)
    side = right - left
    corner = next(x for x in range(left, right) if not dark.getpixel((x, top + 1))) - left
    count = 17 + 4 * round((side / (corner / 7) - 17) / 4)
    module = side / count
    places = [left + module * (at + 0.5) for at in range(count)]
    rows = tuple(
        tuple(bool(dark.getpixel((int(x), int(top + module * (row + 0.5))))) for x in places)
        for row in range(count)
    )
    return rows, side / FINE
