"""Reads QR codes back: the module pattern off a printed page, and the text out of a pattern.

Only as far as links need it: codes of the middle error level with 29 to 41 modules, undamaged.
"""

from collections.abc import Iterator
from io import BytesIO
from typing import NamedTuple

from PIL import Image
from pypdf import PdfReader
from pypdfium2 import PdfDocument

Pattern = list[list[bool]]

#: By version: how many blocks there are, and how many bytes of the text each has.
BLOCKS = {3: (1, 44), 4: (2, 32), 5: (2, 43), 6: (4, 27)}
MASKS = (
    lambda row, column: (row + column) % 2,
    lambda row, _column: row % 2,
    lambda _row, column: column % 3,
    lambda row, column: (row + column) % 3,
    lambda row, column: (row // 2 + column // 3) % 2,
    lambda row, column: row * column % 2 + row * column % 3,
    lambda row, column: (row * column % 2 + row * column % 3) % 2,
    lambda row, column: ((row + column) % 2 + row * column % 3) % 2,
)
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
    rows = [
        [bool(dark.getpixel((int(x), int(top + module * (row + 0.5))))) for x in places]
        for row in range(count)
    ]
    return rows, side / FINE


def text_of(pattern: Pattern) -> str:
    """Return the text of a code of bytes."""
    size = len(pattern)
    version = (size - 17) // 4
    mask = MASKS[_format(pattern) >> 10 & 7]
    bits = [
        pattern[row][column] ^ (mask(row, column) == 0)
        for row, column in _way(size)
        if not _furniture(row, column, size)
    ]
    words = [_number(bits[at : at + 8]) for at in range(0, len(bits) - 7, 8)]
    count, each = BLOCKS[version]
    data = bytes(words[at * count + block] for block in range(count) for at in range(each))
    stream = "".join(f"{byte:08b}" for byte in data)
    assert stream[:4] == "0100", "bytes"
    length = int(stream[4:12], 2)
    return bytes(int(stream[at : at + 8], 2) for at in range(12, 12 + 8 * length, 8)).decode()


def _format(pattern: Pattern) -> int:
    places = [
        *((8, at) for at in (0, 1, 2, 3, 4, 5, 7, 8)),
        *((at, 8) for at in (7, 5, 4, 3, 2, 1, 0)),
    ]
    return _number([pattern[row][column] for row, column in places]) ^ 0x5412


def _number(bits: list[bool]) -> int:
    return int("".join("1" if bit else "0" for bit in bits), 2)


def _way(size: int) -> Iterator[tuple[int, int]]:
    """All modules in the order of the bits: two columns at a time, up and down by turns."""
    up = True
    for right in (*range(size - 1, 6, -2), *range(5, 0, -2)):
        for row in range(size - 1, -1, -1) if up else range(size):
            yield from ((row, right), (row, right - 1))
        up = not up


def _furniture(row: int, column: int, size: int) -> bool:
    """Whether a module is part of what every code of its size has."""
    far = size - 7
    corners = (row < 9 and column < 9) or (row < 9 and column >= size - 8)
    aligned = far - 2 <= row <= far + 2 and far - 2 <= column <= far + 2
    return corners or (row >= size - 8 and column < 9) or 6 in (row, column) or aligned
