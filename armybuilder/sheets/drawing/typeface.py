"""The letters of the PDF: its two fonts, what they cannot print, and the widths of words."""

import threading
import unicodedata
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple

from reportlab.lib.colors import Color, HexColor
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

FONT_DIR = Path(__file__).parents[1] / "fonts"
REGULAR = "NotoSans-Regular"
BOLD = "NotoSans-Bold"

#: ReportLab reads a font's file from one shared position: one drawing at a time.
DRAWING = threading.Lock()

#: Letters of a word whose width is remembered.
_WORD = 40

#: Stands for a character the fonts do not have. Both have it: a diamond with a question mark.
PLACEHOLDER = "\ufffd"

BLACK = HexColor("#15181c")
GREY = HexColor("#5c646e")
WHITE = HexColor("#ffffff")
LINE = HexColor("#aab1b9")
BAND = HexColor("#edf0f3")


@dataclass(frozen=True, slots=True)
class Tones:
    """What lines and areas are drawn in: headings (`title`), behind figures (`band`), rules kept
    and broken (`good`, `bad`), pictures from light to dark (`fills`). All but `band` and light
    fills can be read in black and white.
    """

    title: Color = BLACK
    band: Color = BAND
    good: Color = BLACK
    bad: Color = BLACK
    fills: tuple[Color, ...] = (
        WHITE,
        HexColor("#dfe3e7"),
        HexColor("#a9b1ba"),
        HexColor("#3c434b"),
    )


PLAIN = Tones()
COLOURED = Tones(
    title=HexColor("#7d2f1f"),
    band=HexColor("#f3ece0"),
    good=HexColor("#1d6238"),
    bad=HexColor("#a01c1c"),
    fills=(WHITE, HexColor("#f0dfc0"), HexColor("#d09a76"), HexColor("#7d2f1f")),
)


def tones_of(canvas: object) -> Tones:
    """Return the tones of a page: plain ones unless its canvas has others."""
    return getattr(canvas, "tones", PLAIN)


class Ink(NamedTuple):
    """How a run of text looks; `size` in points (1/72 inch)."""

    font: str = REGULAR
    size: float = 8
    colour: Color = BLACK


def write(canvas: Canvas, x: float, y: float, text: str, ink: Ink) -> None:
    """Write printable text from a point on, in points."""
    canvas.setFillColor(ink.colour)
    canvas.setFont(ink.font, ink.size)
    canvas.drawString(x, y, text)


def write_centred(canvas: Canvas, middle: float, y: float, text: str, ink: Ink) -> None:
    """Write printable text around a point, in points."""
    canvas.setFillColor(ink.colour)
    canvas.setFont(ink.font, ink.size)
    canvas.drawCentredString(middle, y, text)


@cache
def _fonts() -> dict[str, TTFont]:
    """Return the fonts by name, registered with ReportLab once per process."""
    fonts = {name: TTFont(name, FONT_DIR / f"{name}.ttf") for name in (REGULAR, BOLD)}
    for font in fonts.values():
        pdfmetrics.registerFont(font)
    return fonts


@cache
def load_fonts() -> frozenset[int]:
    """Register the fonts with ReportLab; the characters both of them have."""
    maps = [font.face.charToGlyph for font in _fonts().values()]
    # Glyph 0 is the font's own "not there".
    return frozenset(code for code in maps[0] if all(glyphs.get(code) for glyphs in maps))


def printable(text: str) -> str:
    """Return the text with a placeholder for what the fonts lack, without what is never seen."""
    known = load_fonts()
    if text.isascii() and text.isprintable():
        return text
    seen = (letter for letter in unicodedata.normalize("NFC", text) if not _unseen(letter))
    return "".join(letter if ord(letter) in known else PLACEHOLDER for letter in seen)


@lru_cache(maxsize=4_000)
def _unseen(letter: str) -> bool:
    variant = "\ufe00" <= letter <= "\ufe0f" or "\U000e0100" <= letter <= "\U000e01ef"
    return variant or unicodedata.category(letter) in ("Cc", "Cf")


def width_of(text: str, font: str, size: float) -> float:
    """Width in points of printable text; `load_fonts` must have run."""
    measured = _measured if len(text) <= _WORD else _measured.__wrapped__
    return measured(text, font) * size / 1000


@lru_cache(maxsize=20_000)
def _measured(text: str, font: str) -> float:
    """Return the width in thousandths of the size, remembered while a fitting size is sought."""
    face = _fonts()[font].face
    widths, default = face.charWidths, face.defaultWidth
    return float(sum(widths.get(ord(letter), default) for letter in text))
