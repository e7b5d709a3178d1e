"""The kinds of sheet, their files, and pictures of their pages.

A printout is identified by all its inputs, so cached ones are never out of date. PDFium is loaded
for the first picture, and must not be used from two threads at once.
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
from typing import TYPE_CHECKING, Any

from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _

from armybuilder.loading.armylist import ArmyList
from armybuilder.loading.documents import count_options
from armybuilder.loading.forcelist import ForceList
from armybuilder.loading.library import Library
from armybuilder.loading.problems import Refusal
from armybuilder.sheets.cards import cards_pdf
from armybuilder.sheets.content.make import NO_LINKS, Material, SheetLinks
from armybuilder.sheets.content.setup import Setup, written
from armybuilder.sheets.content.structure import AtEvent, Sheet
from armybuilder.sheets.drawing.pages import Chapter, draw
from armybuilder.sheets.drawing.typeface import unprintable
from armybuilder.sheets.kinds import blank, compact, full, judge


@dataclass(frozen=True, slots=True)
class SheetKind:
    """A kind of sheet: its name, also of its chapter, its purpose, its maker.

    `work` is its time relative to the full sheet.
    """

    name: object
    about: object
    make: Callable[[Material, Setup], Chapter]
    work: float = 1.0


def _opponent(material: Material, setup: Setup) -> Chapter:
    """Return all but notes; its code leads to the open copy, which has none either."""
    shown, opened = material.sheet, material.open_sheet
    sheet = replace(shown, link=opened.link, hash=opened.hash if opened.link else shown.hash)
    return Chapter(partial(full.opponent_story, sheet, replace(setup, notes=False)))


KINDS: Mapping[str, SheetKind] = {
    "full": SheetKind(
        gettext_lazy("Full sheet"),
        gettext_lazy("Every unit with its stats, options and points, and every rule."),
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
        work=0.1,
    ),
    "cards": SheetKind(
        gettext_lazy("Cards"),
        gettext_lazy("A card for each unit, to cut out, with boxes for health and uses."),
        lambda material, setup: Chapter(partial(cards_pdf.cards_story, material, setup), bare=True),
        work=2.0,
    ),
    "judge": SheetKind(
        gettext_lazy("Judge’s sheet"),
        gettext_lazy("For judges: numbers, points and rules, with boxes to tick."),
        lambda material, setup: Chapter(partial(judge.story, material, setup)),
        work=0.4,
    ),
    "opponent": SheetKind(
        gettext_lazy("Opponent’s sheet"),
        gettext_lazy("For your opponent: every unit and every rule, without your notes."),
        _opponent,
    ),
    "hidden": SheetKind(
        gettext_lazy("Hidden list"),
        gettext_lazy("For games with hidden lists: without special items and without your notes."),
        # The open list of an army; of any other game all but the player's private notes.
        lambda material, setup: Chapter(
            partial(full.story, material.open_sheet, replace(setup, notes=False)),
            sheet=material.open_sheet,
        ),
    ),
    "blank": SheetKind(
        gettext_lazy("Record sheet"),
        gettext_lazy("An empty sheet for the game, to fill in by hand."),
        lambda material, _setup: Chapter(
            partial(blank.story, material.system), sheet=blank.sheet_for(material)
        ),
        work=0.1,
    ),
}


#: Seconds of a slow processor that a unit on a full sheet takes, an option, and a letter of notes.
_A_UNIT, _AN_OPTION, _A_LETTER = 0.002, 0.0005, 0.000_002
#: The same of a pick of a list by files, with its profiles and rules.
_A_PICK = 0.0015


def seconds_for(document: ArmyList | ForceList, setup: Setup) -> float:
    """Return about how many seconds of the processor a list takes to print."""
    if isinstance(document, ForceList):
        return _A_PICK * len(setup.kinds) * sum(1 for _pick in document.all_picks())
    seconds = _AN_OPTION * count_options(document)
    for unit in document.units:
        seconds += _A_UNIT + _A_LETTER * len(unit.notes if setup.notes else "")
    return seconds * sum(KINDS[kind].work for kind in setup.kinds)


def print_list(material: Material, setup: Setup, before: int | None = None) -> bytes:
    """Return the PDF file of a list's sheets; `before`, and raises Refusal, as `draw`."""
    kinds = [KINDS[kind] for kind in setup.kinds]
    chapters = [replace(kind.make(material, setup), name=str(kind.name)) for kind in kinds]
    # A file of nothing but sheets with words of their own must not tell those of the whole list.
    whole = next((chapter for chapter in chapters if chapter.sheet is None), None)
    sheet = material.sheet if whole else chapters[0].sheet or material.sheet
    return draw(sheet, chapters, setup, before)


USUAL = Setup()


def draw_pdf(sheet: Sheet, setup: Setup = USUAL) -> bytes:
    """Return the sheet's PDF. Raises Refusal as `draw` does."""
    return draw(sheet, [Chapter(partial(full.story, sheet, setup))], setup)


if TYPE_CHECKING:
    from pypdfium2 import PdfDocument

#: How wide a picture is, in pixels.
WIDTH = 600
_ONE_AT_A_TIME = Lock()


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


@dataclass(frozen=True, eq=False)
class Printout:
    """A list printed with a set-up; `title` names its file, `lost` are letters no font has."""

    content: bytes
    title: str
    setup: Setup
    lost: str = ""
    statless: int = 0

    @cached_property
    def mark(self) -> str:
        """Twelve letters that differ where the file does."""
        return hashlib.sha256(self.content).hexdigest()[:12]

    @cached_property
    def sizes(self) -> list[tuple[float, float]]:
        with _opened(self.content) as document:
            return [document.get_page_size(number) for number in range(len(document))]

    def picture(self, number: int, width: int = WIDTH) -> bytes:
        """Return a PNG of a page, counted from 1. Raises Refusal if there is no such page."""
        buffer = BytesIO()
        with _opened(self.content) as document:
            if not 1 <= number <= len(document):
                raise Refusal(_("There is no page {number}.").format(number=number))
            page = document[number - 1]
            bitmap = page.render(scale=width / page.get_width(), grayscale=not self.setup.colour)
            bitmap.to_pil().save(buffer, "PNG", compress_level=3)
        return buffer.getvalue()


_kept: "OrderedDict[str, Printout]" = OrderedDict()
_lock = Lock()


def printout(
    document: ArmyList,
    library: Library,
    day: datetime.date,
    setup: Setup,
    links: SheetLinks = NO_LINKS,
    at_event: AtEvent | None = None,
) -> Printout:
    """Return the printout, with QR codes of `links`. Raises Refusal as `Material` and `draw` do."""
    links = links.chosen(setup)

    def make() -> Printout:
        material = Material(document, library, day, links, at_event)
        lost = unprintable(f"{json.dumps(document.to_dict(), ensure_ascii=False)}{written(setup)}")
        sheet = material.sheet
        return Printout(print_list(material, setup), sheet.heading, setup, lost, sheet.statless)

    said = at_event and at_event.said
    return remembered([document.to_dict(), day.isoformat(), written(setup), links, said], make)


def remembered(parts: list[Any], make: Callable[[], Printout]) -> Printout:
    """Return the printout that is made of these parts, as JSON has them, made anew or kept."""
    key = hashlib.sha256(json.dumps([*parts, get_language()], sort_keys=True).encode()).hexdigest()
    with _lock:
        if key in _kept:
            _kept.move_to_end(key)
            return _kept[key]
    made = make()
    if len(made.content) <= LARGEST:
        with _lock:
            _kept[key] = made
            while len(_kept) > KEPT:
                _kept.popitem(last=False)
    return made
