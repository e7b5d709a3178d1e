"""Which kinds of sheet there are, their files, and pictures of their pages.

A printout is known by all that it is made of, so what is kept is never out of date. PDFium is
loaded for the first picture, and must not be used from two threads at once.
"""

import datetime
import hashlib
import json
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property, partial
from io import BytesIO
from threading import Lock
from typing import TYPE_CHECKING

from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _

from armybuilder.loading.armylist import ArmyList
from armybuilder.loading.library import Library
from armybuilder.loading.problems import Refusal
from armybuilder.sheets.cards import cards_pdf
from armybuilder.sheets.content.make import NO_LINKS, Material, SheetLinks
from armybuilder.sheets.content.setup import Setup, written
from armybuilder.sheets.content.structure import Sheet
from armybuilder.sheets.drawing.pages import Chapter, draw
from armybuilder.sheets.drawing.typeface import unprintable
from armybuilder.sheets.kinds import blank, compact, full, judge


@dataclass(frozen=True, slots=True)
class SheetKind:
    """A kind of sheet: its name, also of its chapter, what it is for, what it makes."""

    name: object
    about: object
    make: Callable[[Material, Setup], Chapter]


def _opponent(material: Material, setup: Setup) -> Chapter:
    """Return all but notes; its code leads to the open copy, which has none either."""
    shown, opened = material.sheet, material.open_sheet
    sheet = replace(shown, link=opened.link, hash=opened.hash if opened.link else shown.hash)
    return Chapter(partial(full.opponent_story, sheet, setup))


def _hidden(material: Material, setup: Setup) -> Chapter:
    """Return the open list of an army; of any other game all but the player's private notes."""
    sheet, shown = material.open_sheet, replace(setup, notes=False)
    return Chapter(partial(full.story, sheet, shown), sheet=sheet)


def _blank(material: Material, _setup: Setup) -> Chapter:
    sheet = blank.sheet_for(material)
    return Chapter(lambda room: blank.story(material.system, room), sheet=sheet)


KINDS: Mapping[str, SheetKind] = {
    "full": SheetKind(
        gettext_lazy("Full sheet"),
        gettext_lazy("Every unit with its statistics, options and points, and every rule."),
        lambda material, setup: Chapter(partial(full.story, material.sheet, setup)),
    ),
    "compact": SheetKind(
        gettext_lazy("Compact sheet"),
        gettext_lazy("The whole list in brief, on one page if possible."),
        lambda material, setup: Chapter(partial(compact.story, material.sheet, setup)),
    ),
    "quick": SheetKind(
        gettext_lazy("Quick reference"),
        gettext_lazy("Every special rule on the list, game-day figures, reminders and tables."),
        lambda material, setup: Chapter(partial(full.reference_story, material.sheet, setup)),
    ),
    "cards": SheetKind(
        gettext_lazy("Cards"),
        gettext_lazy("A card for each unit, to cut out, with boxes for health and uses."),
        lambda material, setup: Chapter(partial(cards_pdf.cards_story, material, setup), bare=True),
    ),
    "judge": SheetKind(
        gettext_lazy("Judge's sheet"),
        gettext_lazy("What a judge checks, with boxes to tick: numbers, points and rules."),
        lambda material, setup: Chapter(partial(judge.story, material, setup)),
    ),
    "opponent": SheetKind(
        gettext_lazy("Opponent's sheet"),
        gettext_lazy("What your opponent needs: every unit and every rule, without your notes."),
        _opponent,
    ),
    "hidden": SheetKind(
        gettext_lazy("Hidden list"),
        gettext_lazy("For games with hidden lists: without special items and without your notes."),
        _hidden,
    ),
    "blank": SheetKind(
        gettext_lazy("Record sheet"),
        gettext_lazy("An empty sheet for the game, to fill in by hand."),
        _blank,
    ),
}


def print_list(material: Material, setup: Setup, tagged: bool = True) -> bytes:
    """Return the PDF file of a list's sheets. Raises Refusal as `draw` does.

    It is `tagged` unless it is merged with others, which loses its structure.
    """
    kinds = [KINDS[kind] for kind in setup.kinds]
    chapters = [replace(kind.make(material, setup), name=str(kind.name)) for kind in kinds]
    # A file of nothing but sheets with words of their own must not tell those of the whole list.
    whole = next((chapter for chapter in chapters if chapter.sheet is None), None)
    sheet = material.sheet if whole else chapters[0].sheet or material.sheet
    return draw(sheet, chapters, setup, tagged)


def draw_pdf(sheet: Sheet, paper: str = "A4") -> bytes:
    """Return the sheet's PDF. Raises KeyError for an unknown paper, Refusal as `draw` does."""
    setup = Setup(paper=paper)
    return draw(sheet, [Chapter(partial(full.story, sheet, setup))], setup)


if TYPE_CHECKING:
    from pypdfium2 import PdfDocument

#: How wide a picture is, in pixels.
WIDTH = 600
_ONE_AT_A_TIME = Lock()


def sizes_of_pages(content: bytes) -> list[tuple[float, float]]:
    with _opened(content) as document:
        return [document.get_page_size(number) for number in range(len(document))]


def picture_of_page(content: bytes, number: int, colour: bool = True) -> bytes:
    """Return a page as PNG, counted from 1. Raises Refusal where there is no such page."""
    buffer = BytesIO()
    with _opened(content) as document:
        if not 1 <= number <= len(document):
            raise Refusal(_("There is no page {number}.").format(number=number))
        page = document[number - 1]
        bitmap = page.render(scale=WIDTH / page.get_width(), grayscale=not colour)
        bitmap.to_pil().save(buffer, "PNG", compress_level=3)
    return buffer.getvalue()


@contextmanager
def _opened(content: bytes) -> "Iterator[PdfDocument]":
    import pypdfium2  # takes a tenth of a second and 10 MB, and many processes never print

    with _ONE_AT_A_TIME:
        document = pypdfium2.PdfDocument(content)
        try:
            yield document
        finally:
            document.close()


#: How many are kept, and of how many bytes at most.
KEPT = 8
LARGEST = 4 * 1024 * 1024


class Printout:
    """A list printed with a set-up; `title` names its file, `lost` are letters no font has."""

    def __init__(self, content: bytes, title: str, setup: Setup, lost: str = "") -> None:
        self.content = content
        self.title = title
        self.setup = setup
        self.lost = lost

    @cached_property
    def mark(self) -> str:
        """Twelve letters that differ where the file does."""
        return hashlib.sha256(self.content).hexdigest()[:12]

    @cached_property
    def sizes(self) -> list[tuple[float, float]]:
        return sizes_of_pages(self.content)

    def picture(self, number: int) -> bytes:
        """Return a PNG of a page, counted from 1. Raises Refusal where there is no such page."""
        return picture_of_page(self.content, number, self.setup.colour)


_kept: "OrderedDict[str, Printout]" = OrderedDict()
_lock = Lock()


def printout(
    document: ArmyList,
    library: Library,
    day: datetime.date,
    setup: Setup,
    links: SheetLinks = NO_LINKS,
) -> Printout:
    """Return the printout, with QR codes of `links`. Raises Refusal as `Material` and `draw` do."""
    certificate = links.certificate if setup.certificate else ""
    links = (links if setup.qr else NO_LINKS)._replace(certificate=certificate)
    parts = [document.to_dict(), day.isoformat(), written(setup), links, get_language()]
    key = hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()
    with _lock:
        if key in _kept:
            _kept.move_to_end(key)
            return _kept[key]
    material = Material(document, library, day, links)
    lost = unprintable(f"{json.dumps(document.to_dict(), ensure_ascii=False)}{written(setup)}")
    made = Printout(print_list(material, setup), material.sheet.file_name, setup, lost)
    if len(made.content) <= LARGEST:
        with _lock:
            _kept[key] = made
            while len(_kept) > KEPT:
                _kept.popitem(last=False)
    return made
