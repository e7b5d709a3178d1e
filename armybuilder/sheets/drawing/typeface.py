"""Letters of the PDF: the sheets' fonts, those of other scripts, and the widths of words.

Names and notes may be of any script. HarfBuzz joins the letters of scripts that need it, and
python-bidi puts words that run from right to left in order.
"""

import re
import threading
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

import uharfbuzz
from bidi import algorithm as bidi
from bidi.mirror import MIRRORED
from reportlab.lib.colors import Color, HexColor
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

from armybuilder.sheets.content.printable import LEFTWARD

FONT_DIR = Path(__file__).parents[1] / "fonts"
#: Fonts whose letters join or move, the first that has a letter is taken; then those of single
#: letters.
JOINED = (
    "NotoSansHebrew-Regular",
    "NotoSansArabic-Regular",
    "NotoSansDevanagari-Regular",
    "NotoSansThai-Regular",
    "NotoEmoji-Regular",
    "NotoSansSymbols-Regular",
    "NotoSansSymbols2-Regular",
)
SINGLE = ("DroidSansFallback", "NanumGothic-Regular")
#: Characters that join others or keep them apart, and are never seen themselves.
JOINERS = "\u200c\u200d"
#: Where glyphs that are no letter of their own stand in a font: its private letters.
_PRIVATE = 0xE000
#: What sheets put between a name and what stands beside it.
_BESIDE = re.compile("( · |: | × |, )")
#: Words that run from right to left, with what may stand among them but never around them:
#: the brackets and numbers of a line that runs to the right are its own.
_LEFTWARD = re.compile(f"[{LEFTWARD}](?:[{LEFTWARD}\\d .;!?'’/-]*[{LEFTWARD}])?")


class Glyph(NamedTuple):
    """A sign of a font: its letter, its place from the span's start, in thousandths of the size."""

    letter: str
    x: float
    y: float


class Span(NamedTuple):
    """Adjacent letters of one font in their order on paper, from left to right.

    `font` is empty for the sheet's own. `glyphs` are drawn instead of `text` if letters join;
    `text` is then in reading order. `width`: thousandths of the size; None for the sheet's own
    font.
    """

    font: str
    text: str
    glyphs: tuple[Glyph, ...] = ()
    width: float | None = None


@cache
def font_named(name: str) -> TTFont:
    """Return a font of the folder, registered with ReportLab once per process."""
    font = TTFont(name, FONT_DIR / f"{name}.ttf")
    pdfmetrics.registerFont(font)
    return font


@lru_cache(maxsize=4_000)
def fallback_of(letter: str) -> str:
    """Return the name of the first font that has a letter, empty where none has it."""
    if unicodedata.category(letter) == "Co":
        return ""
    has = (
        name for name in (*JOINED, *SINGLE) if font_named(name).face.charToGlyph.get(ord(letter))
    )
    return next(has, "")


def levels_of(text: str) -> list[int]:
    """Return the embedding level of each letter (Unicode Annex 9): odd ones run to the left.

    A text that begins from right to left and has nothing else runs so as a whole. Any other runs
    from left to right, like the sheet around it, with each run of such words isolated in it: a name
    and its neighbours don't reorder each other.
    """
    if text.isascii() or not _LEFTWARD.search(text):
        return [0] * len(text)
    parts = [text] if _is_leftward(text) else _BESIDE.split(text)
    return [level for part in parts for level in _part_levels(part)]


def _is_leftward(text: str) -> bool:
    """Return whether a text begins from right to left and has no letter that runs to the right."""
    rightward = any(unicodedata.bidirectional(letter) == "L" for letter in text)
    return _LEFTWARD.match(text) is not None and not rightward


def _part_levels(text: str) -> list[int]:
    if _is_leftward(text):
        return _levels(text)
    levels = [0] * len(text)
    for run in _LEFTWARD.finditer(text):
        levels[run.start() : run.end()] = _levels(run[0])
    return levels


def _levels(text: str) -> list[int]:
    """Return the levels of a text that runs to the left as a whole."""
    storage = bidi.get_empty_storage()
    storage |= {"base_level": 1, "base_dir": "R"}
    bidi.get_embedding_levels(text, storage)
    for place, letter in enumerate(storage["chars"]):
        # Unicode gives letters that it does not know yet the direction of Latin ones.
        letter |= {"place": place, "type": letter["type"] or "L", "orig": letter["orig"] or "L"}
    for step in (
        bidi.explicit_embed_and_overrides,
        bidi.resolve_weak_types,
        bidi.resolve_neutral_types,
        bidi.resolve_implicit_levels,
    ):
        step(storage, False)
    levels = [1] * len(text)
    for letter in storage["chars"]:
        levels[letter["place"]] = letter["level"]
    return levels


def in_order(levels: Sequence[int]) -> list[int]:
    """Return the indices of these levels in order from left to right (rule L2)."""
    order = list(range(len(levels)))
    for level in range(max(levels, default=0), 0, -1):
        turned = [(levels[place] >= level, place) for place in order]
        order = []
        for there, group in groupby(turned, lambda one: one[0]):
            places = [place for _there, place in group]
            order += reversed(places) if there else places
    return order


def spans_of(text: str, own: frozenset[int]) -> Iterator[Span]:
    """Return printable text in spans from left to right; `own`: in the sheet's own fonts."""
    fonts: list[str] = []
    for letter in text:  # what joins letters has the font of the letter before
        if letter in JOINERS or (fonts and fonts[-1] and unicodedata.combining(letter)):
            fonts.append(fonts[-1] if fonts else "")
        else:
            fonts.append("" if ord(letter) in own else fallback_of(letter))
    levels = levels_of(text)
    runs = [
        list(group) for _key, group in groupby(range(len(text)), lambda at: (fonts[at], levels[at]))
    ]
    for number in in_order([levels[run[0]] for run in runs]):
        run = runs[number]
        part, font, left = text[run[0] : run[-1] + 1], fonts[run[0]], levels[run[0]] % 2 == 1
        if not font:
            # Among letters that run to the left it is seen as its mirror: "(" for ")".
            seen = ((MIRRORED.get(letter, letter), letter) for letter in reversed(part))
            turned = "".join(other if ord(other) in own else letter for other, letter in seen)
            yield Span("", turned if left else part)
        elif font in SINGLE:
            yield Span(font, part, width=_own_width(part, font))
        else:
            yield _joined(font, part, left)


def _own_width(text: str, font: str) -> float:
    face = font_named(font).face
    return float(sum(face.charWidths.get(ord(letter), face.defaultWidth) for letter in text))


@cache
def _shaper(name: str) -> uharfbuzz.Font:
    return uharfbuzz.Font(uharfbuzz.Face(uharfbuzz.Blob.from_file_path(FONT_DIR / f"{name}.ttf")))


def _joined(font: str, text: str, left: bool) -> Span:
    buffer = uharfbuzz.Buffer()
    buffer.add_str(text)
    buffer.guess_segment_properties()
    buffer.direction = "rtl" if left else "ltr"
    shaper = _shaper(font)
    uharfbuzz.shape(shaper, buffer)
    part = 1000 / shaper.face.upem
    glyphs, x = [], 0.0
    for sign, place in zip(buffer.glyph_infos, buffer.glyph_positions, strict=True):
        letter = _letter(font, text[sign.cluster], sign.codepoint)
        glyphs.append(Glyph(letter, x + place.x_offset * part, place.y_offset * part))
        x += place.x_advance * part
    return Span(font, text, tuple(glyphs), x)


def _letter(font: str, said: str, glyph: int) -> str:
    """Return the letter that draws a glyph: its own, or a private one, the same each time."""
    face, code = font_named(font).face, _PRIVATE + glyph
    # ReportLab tells a file's reader no letters beyond the first 65,536.
    if face.charToGlyph.get(ord(said)) == glyph and said <= "\uffff":
        return said
    if face.charToGlyph.get(code) != glyph:
        face.charToGlyph[code] = glyph
        face.charWidths[code] = face.hmetrics[glyph][0] * 1000 / face.unitsPerEm
    return chr(code)


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
    """Colours of headings (`title`), areas (`band`), and rules kept and broken."""

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


#: The smallest sizes on a sheet in points, before it shrinks to fit: of what one reads, which is 7
#: points on paper then, and of labels and citations, which are 6.
TEXT_SIZE, LABEL_SIZE = 7.62, 6.6


class Ink(NamedTuple):
    """Look of a run of text; `size` in points (1/72 inch)."""

    font: str = REGULAR
    size: float = 8
    colour: Color = BLACK


#: Looks of what one reads, of what matters less or more, and of labels.
SMALL, FAINT = Ink(size=TEXT_SIZE), Ink(size=TEXT_SIZE, colour=GREY)
STRONG, LABEL = Ink(BOLD, TEXT_SIZE), Ink(size=LABEL_SIZE, colour=GREY)


@cache
def load_fonts() -> frozenset[int]:
    """Register the sheets' own fonts with ReportLab; return the characters both have."""
    maps = [font_named(name).face.charToGlyph for name in (REGULAR, BOLD)]
    # Glyph 0 is the font's own "not there".
    return frozenset(code for code in maps[0] if all(glyphs.get(code) for glyphs in maps))


def printable(text: str) -> str:
    """Return the text with a placeholder for letters of no font, without invisible ones."""
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


def stroke(canvas: Canvas, colour: Color, width: float) -> None:
    """Set what lines and frames are drawn with from now on, in points."""
    canvas.setStrokeColor(colour)
    canvas.setLineWidth(width)


def round_box(
    canvas: Canvas,
    place: tuple[float, float, float, float],
    radius: float,
    line: Color | None = None,
    width: float = 0.5,
    fill: Color | None = None,
) -> None:
    """Draw a box with round corners at x and y, of width and height: lined, filled, or both."""
    if line:
        stroke(canvas, line, width)
    if fill:
        canvas.setFillColor(fill)
    canvas.roundRect(*place, radius, stroke=int(line is not None), fill=int(fill is not None))


def rule(
    canvas: Canvas, x: float, y: float, end: float, width: float = 0.5, colour: Color = LINE
) -> None:
    """Draw a line from side to side."""
    stroke(canvas, colour, width)
    canvas.line(x, y, end, y)


def write(canvas: Canvas, x: float, y: float, text: str, ink: Ink) -> None:
    """Write printable text from a point on, in points; an empty one leaves nothing in the file."""
    if not text:
        return
    canvas.setFillColor(ink.colour)
    if is_own(text):
        canvas.setFont(ink.font, ink.size)
        canvas.drawString(x, y, text)
        return
    for span in _spans(text):
        drawn = canvas.beginText(x, y)
        drawn.setFont(span.font or ink.font, ink.size)
        outlined = bool(span.font) and ink.font == BOLD
        if outlined:
            stroke(canvas, ink.colour, ink.size * _STROKE)
            drawn.setTextRenderMode(2)
        for letter, right, up in span.glyphs or (Glyph(span.text, 0, 0),):
            drawn.setTextOrigin(x + right * ink.size / 1000, y + up * ink.size / 1000)
            drawn.textOut(letter)
        if outlined:
            drawn.setTextRenderMode(0)
        if span.glyphs:  # letters that join carry what they say, for search and for copying
            actual = span.text.encode("utf-16-be").hex().upper()
            canvas.addLiteral(f"/Span <</ActualText <FEFF{actual}>>> BDC")
        canvas.drawText(drawn)
        if span.glyphs:
            canvas.addLiteral("EMC")
        x += _wide(span, ink.font) * ink.size / 1000


def write_centred(canvas: Canvas, middle: float, y: float, text: str, ink: Ink) -> None:
    """Write printable text around a point, in points."""
    write(canvas, middle - width_of(text, ink.font, ink.size) / 2, y, text, ink)


def is_own(text: str) -> bool:
    """Tell whether the sheets' own fonts have all of a printable text."""
    return text.isascii() or load_fonts().issuperset(map(ord, text))


def width_of(text: str, font: str, size: float) -> float:
    """Return the width in points of printable text; `load_fonts` must have run."""
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
