"""One PDF of a list's sheets: each kind is a chapter of its own, all with the same furniture.

Equal lists and set-ups give equal bytes: ReportLab's `invariant` leaves out the time of day.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from io import BytesIO
from typing import Any

from django.utils.translation import get_language
from django.utils.translation import gettext as _
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
from armybuilder.loading.problems import Refusal
from armybuilder.sheets.content.setup import PageRoom, Setup
from armybuilder.sheets.content.structure import Sheet
from armybuilder.sheets.drawing.furniture import BOTTOM, LATER_TOP, SIDE, TOP, PageKind, SheetCanvas
from armybuilder.sheets.drawing.tagged import PROGRAM
from armybuilder.sheets.drawing.typeface import (
    COLOURED,
    DRAWING,
    GREY,
    PLAIN,
    REGULAR,
    Ink,
    load_fonts,
    printable,
    write_centred,
)

_EMPTY = Ink(REGULAR, 8, GREY)


@dataclass(frozen=True, slots=True)
class Chapter:
    """One kind of sheet: its `story` in the room of a later page, `name` in the outline; `bare`:
    whole pages in true size; `sheet`: whose name and verdict the furniture says.
    """

    story: Callable[[PageRoom], Iterable[Flowable]]
    name: str = ""
    bare: bool = False
    sheet: Sheet | None = None


def draw(sheet: Sheet, chapters: Sequence[Chapter], setup: Setup, tagged: bool = True) -> bytes:
    """Return the PDF of these chapters; `sheet` is what its furniture says. `tagged`: it tells its
    structure.

    Raises Refusal where something on the list is so long that no page holds it.
    """
    with DRAWING:
        load_fonts()
        buffer = BytesIO()
        document = BaseDocTemplate(
            buffer,
            pagesize=setup.page,
            title=sheet.title,
            author=PROGRAM,
            creator=PROGRAM,
            subject=f"{sheet.system}, {counted(sheet.limit, 'points')}. {sheet.verdict}".strip(),
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
            maker = partial(SheetCanvas, sheet, tones, setup.both_sides, tagged=tagged)
            document.build(list(_story(chapters, setup)), canvasmaker=maker)
        except LayoutError as error:
            raise Refusal(
                _(
                    "Something on this list is too long for a page. "
                    "The list as text has room for it."
                )
            ) from error
    return buffer.getvalue()


class _Template(PageTemplate):
    """Pages of one chapter: their scale, and what the furniture must know of them."""

    def __init__(self, name: str, frame: Frame, kind: PageKind, scale: float, after: str) -> None:
        super().__init__(name, frame, autoNextPageTemplate=after)
        self.page_kind = kind
        self.scale = scale

    def beforeDrawPage(self, canvas: Any, _document: Any) -> None:  # noqa: N802  ReportLab's name
        canvas.begin(self.page_kind)
        canvas.scale(self.scale, self.scale)


class _EmptyTemplate(_Template):
    """The other side of a chapter's last page, where the next one begins on paper of its own: its
    foot speaks of the same sheet.
    """

    def __init__(self, name: str, chapter: Chapter, size: tuple[float, float]) -> None:
        self.middle = (size[0] / 2, size[1] / 2)
        frame, kind = Frame(0, 0, *size, 0, 0, 0, 0), PageKind(chapter.name, *size, bare=True)
        super().__init__(name, frame, replace(kind, sheet=chapter.sheet), 1.0, name)

    def afterDrawPage(self, canvas: Any, _document: Any) -> None:  # noqa: N802  ReportLab's name
        told = printable(_("This side is left empty: the next sheet is on paper of its own."))
        write_centred(canvas, *self.middle, told, _EMPTY)


def _templates(number: int, chapter: Chapter, setup: Setup) -> Iterator[PageTemplate]:
    """The first page of a chapter has its title band where later ones have a running head."""
    scale = 1.0 if chapter.bare else setup.scale
    width, height = (side / scale for side in setup.page)
    later = f"later{number}"
    for name, top, head in ((f"first{number}", TOP, False), (later, LATER_TOP, True)):
        if chapter.bare:
            frame = Frame(0, 0, width, height, 0, 0, 0, 0)
        else:
            frame = Frame(SIDE, BOTTOM, width - 2 * SIDE, height - top - BOTTOM, 0, 0, 0, 0)
        head = head and not chapter.bare
        kind = PageKind(chapter.name, width, height, head, chapter.bare, chapter.sheet)
        yield _Template(name, frame, kind, scale, later)
    yield _EmptyTemplate(f"empty{number}", chapter, setup.page)


def room_of(chapter: Chapter, setup: Setup) -> PageRoom:
    """Return what a later page of the chapter offers, in points as its sheet measures them."""
    if chapter.bare:
        return PageRoom(*setup.page)
    width, height = (side / setup.scale for side in setup.page)
    return PageRoom(width - 2 * SIDE, height - LATER_TOP - BOTTOM)


class _NewPaper(ActionFlowable):
    """Ends the chapter before that of this number, and leaves the other side of its paper empty."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.number = number

    def apply(self, document: Any) -> None:
        if document.page % 2:
            document.handle_nextPageTemplate(f"empty{self.number - 1}")
            document.handle_pageBreak()
            document.clean_hanging()
        document.handle_nextPageTemplate(f"first{self.number}")
        document.handle_pageBreak()


class _Begin(ActionFlowable):
    """Puts a chapter into the outline, on the page that it begins."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.name = name

    def apply(self, document: Any) -> None:
        document.canv.chapter(self.name)


def _story(chapters: Sequence[Chapter], setup: Setup) -> Iterator[Flowable]:
    for number, chapter in enumerate(chapters):
        if number and setup.duplex:
            yield _NewPaper(number)
        elif number:
            yield NextPageTemplate(f"first{number}")
            yield PageBreak()
        if len(chapters) > 1:
            yield _Begin(chapter.name)
        yield from chapter.story(room_of(chapter, setup))
