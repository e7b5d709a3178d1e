"""One PDF of a list's sheets: a chapter for each kind, with head and foot on every page.

Equal lists and set-ups give equal bytes: ReportLab's `invariant` leaves out the time of day.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from io import BytesIO
from typing import Any

from django.utils.translation import get_language
from django.utils.translation import gettext as _
from reportlab.lib.units import mm
from reportlab.platypus import (
    ActionFlowable,
    BaseDocTemplate,
    Flowable,
    Frame,
    NextPageTemplate,
    PageBreak,
    PageTemplate,
)
from reportlab.platypus.doctemplate import LayoutError

from armybuilder.engine.nouns import counted
from armybuilder.engine.verdict import Outcome
from armybuilder.loading.problems import Refusal
from armybuilder.sheets.content.setup import PageRoom, Setup
from armybuilder.sheets.content.structure import Sheet
from armybuilder.sheets.drawing.blocks import draw_sign
from armybuilder.sheets.drawing.tagged import PROGRAM, Mark, PageStructure, TaggedCanvas
from armybuilder.sheets.drawing.typeface import (
    BOLD,
    COLOURED,
    DRAWING,
    GREY,
    PLAIN,
    REGULAR,
    Ink,
    Tones,
    load_fonts,
    printable,
    rule,
    width_of,
    write,
    write_centred,
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
#: The number of a page in a booklet, beside that in its sheet.
_FOOT_THROUGH = Ink(BOLD, 9)
#: Share of a page's width that the verdict takes at most in its head.
_SAID = 0.6
#: Points that the list's name has at least beside what else stands in the foot.
_NAME = 130
_BETWEEN = " · "
#: From a line of the foot to the next, in points.
_NEXT = 9


@dataclass(frozen=True, slots=True)
class Chapter:
    """One kind of sheet; `bare`: whole pages, `sheet`: whose name head and foot say."""

    story: Callable[[PageRoom], Iterable[Flowable]] = lambda _room: ()
    name: str = ""
    bare: bool = False
    sheet: Sheet | None = None


@dataclass(frozen=True, slots=True)
class PageKind:
    """Kind of a page for its head and foot: those of a `bare` chapter have no head."""

    chapter: Chapter
    width: float
    height: float
    head: bool = False


#: The smallest letters of a page's head that still says what its verdict rests on.
_HEAD_LEAST = 6.2


class SheetCanvas(TaggedCanvas):
    """Keeps pages back until their number is known; `kind` is that of the next one."""

    # ReportLab's own, which its stubs leave out.
    _startPage: Callable[[], None]  # noqa: N815  ReportLab's name

    def __init__(
        self,
        sheet: Sheet,
        tones: Tones,
        both_sides: bool,
        before: int | None,
        *arguments: Any,
        **options: Any,
    ) -> None:
        super().__init__(*arguments, **options)
        if both_sides:
            self.setViewerPreference("Duplex", "DuplexFlipLongEdge")
        self.sheet = sheet
        self.tones = tones
        self.before = before
        self.kept: list[dict[str, Any]] = []
        self.kind = PageKind(Chapter(), *self._pagesize)

    def showPage(self) -> None:  # noqa: N802  ReportLab's name
        self.kept.append(dict(self.__dict__))
        self.structure = PageStructure()
        self._startPage()

    def save(self) -> None:
        kept = self.kept
        if not any(state["structure"].marks for state in kept):
            name = self.kind.chapter.name or self.sheet.heading
            kept[0]["structure"].marks.append(Mark(name, self._pagesize[1], 0))
        for number, state in enumerate(kept):
            self.__dict__.update(state)
            if self.kind.head:
                self._draw_head()
            self._draw_foot(number + 1, len(kept))
            super().showPage()
        super().save()

    def _draw_head(self) -> None:
        kind, sheet = self.kind, self.kind.chapter.sheet or self.sheet
        base = kind.height - HEAD
        room = (kind.width - 2 * SIDE) * _SAID
        # What the verdict rests on stands in the foot, too, where it would be too small here.
        for text in (sheet.verdicts, sheet.verdicts.replace(sheet.caveat, "").strip()):
            text = printable(text)
            ink = _HEAD._replace(size=min(_HEAD.size, room / max(1, width_of(text, _HEAD.font, 1))))
            if ink.size >= _HEAD_LEAST:
                break
        start = kind.width - SIDE - width_of(text, *ink[:2])
        write(self, start, base, text, ink)
        write(self, SIDE, base, fit(sheet.heading, ink, start - SIDE - 30), ink)
        if text:
            draw_sign(self, start - 14, base - 1.6, 10, sheet.sign)
        self._draw_rule(base - 6)

    def _draw_foot(self, page: int, pages: int) -> None:
        """Draw list, verdict, day, hash and page number; on a narrow page in two lines."""
        kind, sheet = self.kind, self.kind.chapter.sheet or self.sheet
        fine = sheet.sign is not Outcome.ILLEGAL
        ink = _FOOT if fine else _FOOT_MARK
        number = _("page {page} of {pages}").format(page=page, pages=pages)
        through = "" if self.before is None else f"  {self.before + page}"
        right = kind.width - SIDE - width_of(through, *_FOOT_THROUGH[:2])
        end = right - width_of(number, *_FOOT[:2])
        x = SIDE if fine else SIDE + 12
        after = (kind.chapter.name, sheet.verdicts, sheet.day, sheet.hash)
        room = end - x - 12
        name = printable(sheet.heading)
        least = min(width_of(name, *ink[:2]), _NAME)
        narrow = least + width_of(_joined(after), *ink[:2]) > room
        base = EDGE + _NEXT * narrow if kind.chapter.bare else FOOT
        write(self, end, base, number, _FOOT)
        write(self, right, base, through, _FOOT_THROUGH)
        if not kind.chapter.bare:
            self._draw_rule(base + 10)
        if not fine:
            draw_sign(self, SIDE, base - 1.4, 8, sheet.sign)
        beside = _joined(after[:1] if narrow else after)
        name = fit(name, ink, room - width_of(beside, *ink[:2]))
        write(self, x, base, name + beside, ink)
        if narrow:
            below = fit(_joined(after[1:])[len(_BETWEEN) :], ink, kind.width - SIDE - x)
            write(self, x, base - _NEXT, below, ink)

    def _draw_rule(self, y: float) -> None:
        rule(self, SIDE, y, self.kind.width - SIDE, 0.6)


def _joined(parts: Iterable[str]) -> str:
    return "".join(f"{_BETWEEN}{printable(part)}" for part in parts if part)


_EMPTY = Ink(REGULAR, 8, GREY)


def draw(
    sheet: Sheet, chapters: Sequence[Chapter], setup: Setup, before: int | None = None
) -> bytes:
    """Return the PDF of these chapters; `sheet` is what head and foot say.

    `before`: pages before it in a booklet, through which its feet number it, too. Raises Refusal
    where something on the list is so long that no page holds it.
    """
    with DRAWING:
        load_fonts()
        buffer = BytesIO()
        size = counted(sheet.limit, "points") if sheet.costs is None else sheet.costs
        document = BaseDocTemplate(
            buffer,
            pagesize=setup.page,
            title=sheet.title,
            author=PROGRAM,
            creator=PROGRAM,
            subject=f"{', '.join(filter(None, (sheet.system, size)))}. {sheet.verdict}".strip(),
            lang=get_language() or "en",
            invariant=1,
            initialFontName=REGULAR,
            pageTemplates=[
                template
                for number, chapter in enumerate(chapters)
                for template in _templates(number, chapter, setup)
            ],
        )
        try:
            tones = COLOURED if setup.colour else PLAIN
            maker = partial(SheetCanvas, sheet, tones, setup.both_sides, before)
            document.build(list(_story(chapters, setup)), canvasmaker=maker)
        except LayoutError as error:
            raise Refusal(
                _("Something on this list is too long for a page. Export the list as text instead.")
            ) from error
    return buffer.getvalue()


def _template(
    name: str, frame: Frame, kind: PageKind, scale: float, after: str, **options: Any
) -> PageTemplate:
    """Return pages of one chapter: their scale, and facts for the furniture."""

    def begin(canvas: Any, _document: Any) -> None:
        canvas.kind = kind
        canvas.scale(scale, scale)

    return PageTemplate(name, frame, onPage=begin, autoNextPageTemplate=after, **options)


def _templates(number: int, chapter: Chapter, setup: Setup) -> Iterator[PageTemplate]:
    """Yield pages of a chapter: the first has its title where others have a running head."""
    scale = 1.0 if chapter.bare else setup.scale
    width, height = (side / scale for side in setup.page)
    later = f"later{number}"
    for name, top, head in ((f"first{number}", TOP, False), (later, LATER_TOP, True)):
        if chapter.bare:
            frame = Frame(0, 0, width, height, 0, 0, 0, 0)
        else:
            frame = Frame(SIDE, BOTTOM, width - 2 * SIDE, height - top - BOTTOM, 0, 0, 0, 0)
        kind = PageKind(chapter, width, height, head and not chapter.bare)
        yield _template(name, frame, kind, scale, later)
    # The other side of a chapter's last page; its foot speaks of the same sheet.
    wide, tall = setup.page
    kind = PageKind(replace(chapter, bare=True), wide, tall)

    def end(canvas: Any, _document: Any) -> None:
        told = printable(_("This side is left empty so that the next sheet starts on new paper."))
        write_centred(canvas, wide / 2, tall / 2, told, _EMPTY)

    empty, frame = f"empty{number}", Frame(0, 0, wide, tall, 0, 0, 0, 0)
    yield _template(empty, frame, kind, 1.0, empty, onPageEnd=end)


def room_of(chapter: Chapter, setup: Setup) -> PageRoom:
    """Return the room of a later page of the chapter, in points as its sheet measures them."""
    if chapter.bare:
        return PageRoom(*setup.page)
    width, height = (side / setup.scale for side in setup.page)
    return PageRoom(width - 2 * SIDE, height - LATER_TOP - BOTTOM)


class _Act(ActionFlowable):
    """A step in the story that changes the document."""

    def __init__(self, act: Callable[[Any], None]) -> None:
        super().__init__()
        self.act = act

    def apply(self, document: Any) -> None:
        self.act(document)


def _new_paper(number: int, document: Any) -> None:
    """End the chapter before that of this number; the other side of its paper stays empty."""
    if document.page % 2:
        document.handle_nextPageTemplate(f"empty{number - 1}")
        document.handle_pageBreak()
        document.clean_hanging()
    document.handle_nextPageTemplate(f"first{number}")
    document.handle_pageBreak()


def _begin(name: str, document: Any) -> None:
    """Put a chapter into the outline, on the page that it begins."""
    document.canv.chapter(name)


def _story(chapters: Sequence[Chapter], setup: Setup) -> Iterator[Flowable]:
    for number, chapter in enumerate(chapters):
        if number and setup.duplex:
            yield _Act(partial(_new_paper, number))
        elif number:
            yield NextPageTemplate(f"first{number}")
            yield PageBreak()
        if len(chapters) > 1:
            yield _Act(partial(_begin, chapter.name))
        yield from chapter.story(room_of(chapter, setup))
