"""Pictures on a sheet: bars in parts, told apart by patterns, named below; colour only helps."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from reportlab.graphics import renderPDF
from reportlab.graphics.shapes import Drawing, Group, Line, Rect
from reportlab.lib.colors import Color
from reportlab.platypus import Flowable

from armybuilder.sheets.content.structure import Command, Portion, Sheet
from armybuilder.sheets.drawing.blocks import Stack
from armybuilder.sheets.drawing.typeface import (
    BLACK,
    BOLD,
    GREY,
    REGULAR,
    Ink,
    printable,
    tones_of,
    width_of,
    write,
)
from armybuilder.sheets.drawing.words import Run, Words, fit

#: Height of a bar and of a line of names, side of a pattern's sample, in points.
BAR, LINE, SAMPLE = 12.0, 10.5, 7.0
#: Parts that are drawn each by itself; the rest are drawn together.
MOST = 9
#: Distance in points between the lines of a hatching.
HATCH = 3.2

_NAME = Ink(size=7)
_SMALL = Ink(size=6.6, colour=GREY)


@dataclass(frozen=True, slots=True)
class Pattern:
    """Which of the fills a part has, and how it is hatched: "/", "\\" or "-"; "" is not."""

    fill: int
    hatch: str = ""


PATTERNS = (
    Pattern(3),
    Pattern(1),
    Pattern(0, "/"),
    Pattern(2),
    Pattern(0, "\\"),
    Pattern(1, "-"),
    Pattern(2, "/"),
    Pattern(0, "-"),
    Pattern(1, "\\"),
)


class PictureBar(Flowable):
    """A bar with its names below; the whole width stands for `full`, a line across for `mark`."""

    def __init__(self, portions: Sequence[Portion], full: int, mark: int | None = None) -> None:
        super().__init__()
        self.portions = few(portions)
        self.full = max(full, 1)
        self.mark = mark

    def wrap(self, width: float, _height: float) -> tuple[float, float]:
        self.width = width
        self.names = list(self._names(width))
        rows = self.names[-1][1] + 1 if self.names else 0
        self.height = BAR + 4 + rows * LINE
        return width, self.height

    def _names(self, width: float) -> Iterator[tuple[float, int, str]]:
        """Where the name of each part stands: its distance from the left, its row, its text."""
        x, row = 0.0, 0
        for portion in self.portions:
            text = fit(f"{portion.name} {portion.points}", _NAME, width - SAMPLE - 3)
            wide = SAMPLE + 3 + width_of(text, *_NAME[:2])
            if x and x + wide > width:
                x, row = 0.0, row + 1
            yield x, row, text
            x += wide + 9

    def draw(self) -> None:
        fills = tones_of(self.canv).fills
        # Its usual font is one of those that a PDF does not hold.
        drawing = Drawing(self.width, self.height, initialFontName=REGULAR)
        x, base = 0.0, self.height - BAR - 1
        left = _box(0, base, self.width, BAR, fills[0], 0.5)
        left.strokeColor, left.strokeDashArray = GREY, [2, 2]
        drawing.add(left)
        for portion, pattern in zip(self.portions, PATTERNS, strict=False):
            wide = self.width * portion.points / self.full
            drawing.add(_filled(x, base, wide, BAR, pattern, fills))
            x += wide
        if self.mark is not None and self.mark < self.full:
            at = self.width * self.mark / self.full
            drawing.add(Line(at, base - 2, at, base + BAR + 1, strokeWidth=1.6))
        for (start, row, text), pattern in zip(self.names, PATTERNS, strict=False):
            y = base - 3 - (row + 1) * LINE + 2.6
            drawing.add(_filled(start, y - 0.8, SAMPLE, SAMPLE, pattern, fills))
            write(self.canv, start + SAMPLE + 3, y, text, _NAME)
        renderPDF.draw(drawing, self.canv, 0, 0)


def few(portions: Sequence[Portion]) -> tuple[Portion, ...]:
    """At most `MOST` parts, the last of which stands for all that there are more."""
    if len(portions) <= MOST:
        return tuple(portions)
    rest = sum(portion.points for portion in portions[MOST - 1 :])
    return (*portions[: MOST - 1], Portion(_("others"), rest))


def _box(x: float, y: float, width: float, height: float, fill: Color, line: float) -> Rect:
    box = Rect(x, y, width, height)
    box.fillColor, box.strokeColor, box.strokeWidth = fill, BLACK, line
    return box


def _filled(
    x: float, y: float, width: float, height: float, pattern: Pattern, fills: Sequence[Color]
) -> Group:
    """Return a box with a pattern; its outline stands over the hatching."""
    group = Group(_box(x, y, width, height, fills[pattern.fill], 0))
    for x1, y1, x2, y2 in _hatching(width, height, pattern.hatch):
        group.add(Line(x + x1, y + y1, x + x2, y + y2, strokeWidth=0.6, strokeColor=BLACK))
    outline = _box(x, y, width, height, fills[pattern.fill], 0.7)
    outline.fillColor = None
    group.add(outline)
    return group


def _hatching(
    width: float, height: float, hatch: str
) -> Iterator[tuple[float, float, float, float]]:
    """Lines within a box of this width and height, as (x1, y1, x2, y2)."""
    if hatch == "-":
        for number in range(1, int(height / HATCH) + 1):
            yield 0, number * HATCH - 0.8, width, number * HATCH - 0.8
    elif hatch:
        for number in range(1, int((width + height) / HATCH) + 1):
            end = number * HATCH
            x1, x2 = max(0.0, end - height), min(width, end)
            if x2 > x1:
                low, high = x1 - end + height, x2 - end + height
                up = hatch == "/"
                yield x1, low if up else height - low, x2, high if up else height - high


def title(sheet: Sheet) -> str:
    """Return the heading that pictures stand under."""
    return _("Points and command") if sheet.commands else _("Points")


def pictures(sheet: Sheet) -> Iterator[Flowable]:
    """Return pictures of points spent (unless left out) and of command given and needed."""
    if sheet.portions and not sheet.left_out:
        yield _points(sheet)
    for command in sheet.commands:
        yield _command(command)


def _points(sheet: Sheet) -> Flowable:
    said = _("{points}, by what they were spent on").format(points=sheet.price)
    bar = PictureBar(sheet.portions, max(sheet.limit, sheet.spent), sheet.limit)
    notes = [
        _("The line marks the limit.") if sheet.spent > sheet.limit else "",
        _("Each unit counts here in its first category only.") if _elsewhere(sheet) else "",
    ]
    told = " ".join(filter(None, notes))
    return Stack(_title(said), bar, *([Words(Run(told, _SMALL))] if told else []))


def _elsewhere(sheet: Sheet) -> bool:
    """Whether some unit counts in a second category too, so that the table of them says more."""
    drawn = dict(sheet.portions)
    shares = sheet.army.shares if sheet.army else ()
    return any(share.points != drawn.get(share.name, 0) for share in shares)


def _command(command: Command) -> Flowable:
    """Two bars of one measure, above each other: what is given, and what is needed."""
    full = max(command.given, command.needed)
    parts: list[Flowable] = []
    for text, portions, number in (
        (_("Command given: {number}"), command.gives, command.given),
        (_("Command needed: {number}"), command.needs, command.needed),
    ):
        lineup = f", {command.lineup}" if command.lineup else ""
        parts += [_title(text.format(number=number) + lineup), PictureBar(portions, full)]
    return Stack(*parts)


def _title(text: str) -> Flowable:
    return Words(Run(printable(text), Ink(BOLD, 7.6)))
