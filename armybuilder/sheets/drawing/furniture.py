"""What stands on every page beside its sheet: head and foot.

Pages are kept back until their number is known. A list that is not legal is marked on each.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from reportlab.lib.units import mm

from armybuilder.engine.verdict import Outcome
from armybuilder.sheets.content.structure import Sheet
from armybuilder.sheets.drawing.blocks import draw_sign
from armybuilder.sheets.drawing.tagged import Mark, PageStructure, TaggedCanvas
from armybuilder.sheets.drawing.typeface import (
    BOLD,
    GREY,
    LINE,
    REGULAR,
    Ink,
    Tones,
    printable,
    width_of,
    write,
)
from armybuilder.sheets.drawing.words import fit

#: Margins in points. Later pages have a running head where the first has its title band.
SIDE = 14 * mm
TOP = 12 * mm
LATER_TOP = 19 * mm
BOTTOM = 15 * mm
#: Where the running head and the foot stand, from the edges of the page, in points.
HEAD, FOOT = 13 * mm, 8 * mm
#: Where the foot of a bare page stands: as low as most printers reach.
EDGE = 4.6 * mm

_HEAD = Ink(BOLD, 9)
_FOOT = Ink(REGULAR, 7, GREY)
_FOOT_MARK = Ink(BOLD, 7)
#: Share of a page's width that the verdict takes at most in its head.
_SAID = 0.6
#: Points that the list's name has at least beside what else stands in the foot.
_NAME = 130
_BETWEEN = " · "
#: From a line of the foot to the next, in points.
_NEXT = 9


@dataclass(frozen=True, slots=True)
class PageKind:
    """What the furniture must know of a page: the sheet's `name`, whether it has a running `head`,
    is `bare` (filled to its edges, foot only), sides in the sheet's points, and another `sheet` to
    speak of.
    """

    name: str
    width: float
    height: float
    head: bool = False
    bare: bool = False
    sheet: Sheet | None = None


class SheetCanvas(TaggedCanvas):
    """Keeps pages back until their number is known; `begin` says of which kind each is."""

    # ReportLab's own, which its stubs leave out.
    _startPage: Callable[[], None]  # noqa: N815  ReportLab's name

    def __init__(
        self, sheet: Sheet, tones: Tones, both_sides: bool, *arguments: Any, **options: Any
    ) -> None:
        super().__init__(*arguments, **options)
        if both_sides:
            self.setViewerPreference("Duplex", "DuplexFlipLongEdge")
        self.sheet = sheet
        self.tones = tones
        self.kept: list[dict[str, Any]] = []
        self.kind = PageKind("", *self._pagesize)

    def begin(self, kind: PageKind) -> None:
        """Start a page of this kind."""
        self.kind = kind

    def showPage(self) -> None:  # noqa: N802  ReportLab's name
        self.kept.append(dict(self.__dict__))
        self.structure = PageStructure()
        self._startPage()

    def save(self) -> None:
        kept = self.kept
        if not any(state["structure"].marks for state in kept):
            name = self.kind.name or self.sheet.heading
            kept[0]["structure"].marks.append(Mark(name, self._pagesize[1], 0))
        for number, state in enumerate(kept):
            self.__dict__.update(state)
            if self.kind.head:
                self._draw_head()
            self._draw_foot(number + 1, len(kept))
            super().showPage()
        super().save()

    def _draw_head(self) -> None:
        """The list's name at the left, the verdict with its sign at the right, a rule below."""
        kind, sheet = self.kind, self.kind.sheet or self.sheet
        base = kind.height - HEAD
        said = printable(sheet.verdicts)
        room = (kind.width - 2 * SIDE) * _SAID
        ink = _HEAD._replace(size=min(_HEAD.size, room / max(1, width_of(said, _HEAD.font, 1))))
        start = kind.width - SIDE - width_of(said, *ink[:2])
        write(self, start, base, said, ink)
        write(self, SIDE, base, fit(sheet.heading, ink, start - SIDE - 30), ink)
        draw_sign(self, start - 14, base - 1.6, 10, sheet.sign)
        self._draw_rule(base - 6)

    def _draw_foot(self, page: int, pages: int) -> None:
        """Draw list, verdict, day, hash and page number; on a narrow page in two lines."""
        kind, sheet = self.kind, self.kind.sheet or self.sheet
        fine = sheet.sign is not Outcome.ILLEGAL
        ink = _FOOT if fine else _FOOT_MARK
        number = _("page {page} of {pages}").format(page=page, pages=pages)
        end = kind.width - SIDE - width_of(number, *_FOOT[:2])
        x = SIDE if fine else SIDE + 12
        after = (kind.name, sheet.verdicts, sheet.day, sheet.hash)
        room = end - x - 12
        name = printable(sheet.heading)
        least = min(width_of(name, *ink[:2]), _NAME)
        narrow = least + width_of(_joined(after), *ink[:2]) > room
        base = EDGE + _NEXT * narrow if kind.bare else FOOT
        write(self, end, base, number, _FOOT)
        if not kind.bare:
            self._draw_rule(base + 10)
        if not fine:
            draw_sign(self, SIDE, base - 1.4, 8, sheet.sign)
        write(self, x, base, _beside(name, after[:1] if narrow else after, ink, room), ink)
        if narrow:
            below = fit(_joined(after[1:])[len(_BETWEEN) :], ink, kind.width - SIDE - x)
            write(self, x, base - _NEXT, below, ink)

    def _draw_rule(self, y: float) -> None:
        self.setStrokeColor(LINE)
        self.setLineWidth(0.6)
        self.line(SIDE, y, self.kind.width - SIDE, y)


def _joined(parts: Iterable[str]) -> str:
    """Return the parts that there are, each behind a dot."""
    return "".join(f"{_BETWEEN}{printable(part)}" for part in parts if part)


def _beside(name: str, parts: Iterable[str], ink: Ink, room: float) -> str:
    """Return a name, cut where it must be, and the parts behind it."""
    after = _joined(parts)
    return fit(name, ink, room - width_of(after, *ink[:2])) + after
