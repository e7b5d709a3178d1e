"""The letters of the PDF: its two fonts, those of other scripts, and the widths of words."""

import threading
import unicodedata
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import NamedTuple

from reportlab.lib.colors import Color, HexColor
from reportlab.pdfgen.canvas import Canvas

from armybuilder.sheets.drawing.other_scripts import (
    JOINERS,
    Glyph,
    Span,
    fallback_of,
    font_named,
    spans_of,
)

REGULAR = "NotoSans-Regular"
BOLD = "NotoSans-Bold"

#: ReportLab reads a font's file from one shared position: one drawing at a time.
DRAWING = threading.Lock()

#: Letters of a word whose width is remembered.
_WORD = 40
#: Width of the outline that makes letters of other scripts bold, in parts of their size.
_STROKE = 0.02

#: Stands for a character that no font has. Both have it: a diamond with a question mark.
PLACEHOLDER = "\ufffd"

BLACK = HexColor("#15181c")
GREY = HexColor("#5c646e")
WHITE = HexColor("#ffffff")
LINE = HexColor("#aab1b9")
BAND = HexColor("#edf0f3")


@dataclass(frozen=True, slots=True)
class Tones:
    """What lines and areas are drawn in: headings (`title`), behind figures (`band`), rules kept
    and broken (`good`, `bad`). All but `band` can be read in black and white.
    """

    title: Color = BLACK
    band: Color = BAND
    good: Color = BLACK
    bad: Color = BLACK


PLAIN = Tones()
COLOURED = Tones(
    title=HexColor("#7d2f1f"),
    band=HexColor("#f3ece0"),
    good=HexColor("#1d6238"),
    bad=HexColor("#a01c1c"),
)


def tones_of(canvas: object) -> Tones:
    """Return the tones of a page: plain ones unless its canvas has others."""
    return getattr(canvas, "tones", PLAIN)


class Ink(NamedTuple):
    """How a run of text looks; `size` in points (1/72 inch)."""

    font: str = REGULAR
    size: float = 8
    colour: Color = BLACK


@cache
def load_fonts() -> frozenset[int]:
    """Register the sheets' own fonts with ReportLab; the characters both of them have."""
    maps = [font_named(name).face.charToGlyph for name in (REGULAR, BOLD)]
    # Glyph 0 is the font's own "not there".
    return frozenset(code for code in maps[0] if all(glyphs.get(code) for glyphs in maps))


def printable(text: str) -> str:
    """Return the text with a placeholder for what no font has, without what is never seen."""
    load_fonts()
    if text.isascii() and text.isprintable():
        return text
    seen = (letter for letter in unicodedata.normalize("NFC", text) if not _unseen(letter))
    return "".join(letter if _has(letter) else PLACEHOLDER for letter in seen)


def unprintable(text: str) -> str:
    """Return the letters of a text that no font has, each once."""
    seen = (letter for letter in unicodedata.normalize("NFC", text) if not _unseen(letter))
    return "".join(dict.fromkeys(letter for letter in seen if not _has(letter)))


@lru_cache(maxsize=4_000)
def _has(letter: str) -> bool:
    return ord(letter) in load_fonts() or letter in JOINERS or bool(fallback_of(letter))


@lru_cache(maxsize=4_000)
def _unseen(letter: str) -> bool:
    variant = "\ufe00" <= letter <= "\ufe0f" or "\U000e0100" <= letter <= "\U000e01ef"
    return variant or (unicodedata.category(letter) in ("Cc", "Cf") and letter not in JOINERS)


def write(canvas: Canvas, x: float, y: float, text: str, ink: Ink) -> None:
    """Write printable text from a point on, in points."""
    canvas.setFillColor(ink.colour)
    if is_own(text):
        canvas.setFont(ink.font, ink.size)
        canvas.drawString(x, y, text)
        return
    for span in _spans(text):
        _draw_span(canvas, x, y, span, ink)
        x += _wide(span, ink.font) * ink.size / 1000


def write_centred(canvas: Canvas, middle: float, y: float, text: str, ink: Ink) -> None:
    """Write printable text around a point, in points."""
    write(canvas, middle - width_of(text, ink.font, ink.size) / 2, y, text, ink)


def _draw_span(canvas: Canvas, x: float, y: float, span: Span, ink: Ink) -> None:
    """Draw letters of one font; those that join carry what they say, for search and for copying."""
    text = canvas.beginText(x, y)
    text.setFont(span.font or ink.font, ink.size)
    outlined = bool(span.font) and ink.font == BOLD
    if outlined:
        canvas.setStrokeColor(ink.colour)
        canvas.setLineWidth(ink.size * _STROKE)
        text.setTextRenderMode(2)
    for letter, right, up in span.glyphs or (Glyph(span.text, 0, 0),):
        text.setTextOrigin(x + right * ink.size / 1000, y + up * ink.size / 1000)
        text.textOut(letter)
    if outlined:
        text.setTextRenderMode(0)
    if span.glyphs:
        said = span.text.encode("utf-16-be").hex().upper()
        canvas.addLiteral(f"/Span <</ActualText <FEFF{said}>>> BDC")
    canvas.drawText(text)
    if span.glyphs:
        canvas.addLiteral("EMC")


def is_own(text: str) -> bool:
    """Tell whether the sheets' own fonts have all of a printable text."""
    return text.isascii() or load_fonts().issuperset(map(ord, text))


def width_of(text: str, font: str, size: float) -> float:
    """Width in points of printable text; `load_fonts` must have run."""
    measured = _measured if len(text) <= _WORD else _measured.__wrapped__
    return measured(text, font) * size / 1000


@lru_cache(maxsize=20_000)
def _measured(text: str, font: str) -> float:
    """Return the width in thousandths of the size, remembered while a fitting size is sought."""
    if is_own(text):
        return _own_width(text, font)
    return sum(_wide(span, font) for span in _spans(text))


@lru_cache(maxsize=2_000)
def _spans(text: str) -> tuple[Span, ...]:
    return tuple(spans_of(text, load_fonts()))


def _wide(span: Span, font: str) -> float:
    """Return the width of a span in thousandths of the size; `font` is the sheet's own."""
    return _own_width(span.text, font) if span.width is None else span.width


def _own_width(text: str, font: str) -> float:
    face = font_named(font).face
    return float(sum(face.charWidths.get(ord(letter), face.defaultWidth) for letter in text))
