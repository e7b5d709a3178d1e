"""The contents of a booklet: a line for each list, with its page, and a link there."""

import datetime
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from reportlab.platypus import Flowable

from armybuilder.sheets.content.setup import PageRoom, Setup
from armybuilder.sheets.content.structure import Sheet
from armybuilder.sheets.drawing.blocks import ROW_GAP, Across
from armybuilder.sheets.drawing.pages import Chapter, draw
from armybuilder.sheets.drawing.tagged import PRINTOUT, TaggedCanvas
from armybuilder.sheets.drawing.typeface import BOLD, GREY, Ink
from armybuilder.sheets.drawing.words import WordRun, Words
from armybuilder.sheets.kinds import parts

NAME, ABOUT = Ink(BOLD, 9.5), Ink(size=9, colour=GREY)


class ContentsLine(NamedTuple):
    """A list of a booklet: its name, its team and books, its first page."""

    name: str
    about: str
    page: int


@dataclass(eq=False)
class _Linked(Across):
    """A row that links to a printout of a merged file."""

    to: str = ""
    about: str = ""

    def draw(self) -> None:
        super().draw()
        if isinstance(self.canv, TaggedCanvas):
            self.canv.link(self.to, self.about, self.width, self.height)


def draw_contents(
    title: str, lines: Sequence[ContentsLine], setup: Setup, day: datetime.date
) -> bytes:
    """Return the contents as a PDF, the first pages of a file that `Merger` makes."""

    def layout(_scale: float, room: PageRoom) -> Iterator[Flowable]:
        yield Words(WordRun(title, Ink(BOLD, 19)), tag="H1")
        yield from parts.section(_("Contents"), _rows(lines), room, gap=2 * ROW_GAP)

    def story(room: PageRoom) -> Iterable[Flowable]:
        return parts.filled(layout, setup, room)

    number = ngettext("{number} list", "{number} lists", len(lines)).format(number=len(lines))
    sheet = Sheet(title, _("Contents"), day, costs=number)
    return draw(sheet, [Chapter(story, _("Contents"))], setup, 0)


def _rows(lines: Sequence[ContentsLine]) -> Iterator[Flowable]:
    for number, line in enumerate(lines):
        cells = (
            Words(WordRun(line.name, NAME)),
            Words(WordRun(line.about, ABOUT)),
            Words(WordRun(str(line.page), NAME), right=True),
        )
        to = PRINTOUT.format(number=number)
        yield _Linked(cells, (0.45, 0.45, 0.1), ruled=True, to=to, about=line.name)
