"""The kinds of sheet, their files, pictures of their pages, and many in one file.

A printout is identified by all its inputs, so cached ones are never out of date. PDFium is loaded
for the first picture, and must not be used from two threads at once.
"""

import datetime
import hashlib
import json
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property, partial
from io import BytesIO
from threading import Lock
from typing import IO, TYPE_CHECKING, Any

from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _

from armybuilder.loading.armylist import ArmyList
from armybuilder.loading.documents import count_options
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
        gettext_lazy("Judge's sheet"),
        gettext_lazy("For judges: numbers, points and rules, with boxes to tick."),
        lambda material, setup: Chapter(partial(judge.story, material, setup)),
        work=0.4,
    ),
    "opponent": SheetKind(
        gettext_lazy("Opponent's sheet"),
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


def seconds_for(document: ArmyList, setup: Setup) -> float:
    """Return about how many seconds of the processor a list takes to print."""
    seconds = _AN_OPTION * count_options(document)
    for unit in document.units:
        seconds += _A_UNIT + _A_LETTER * len(unit.notes if setup.notes else "")
    return seconds * sum(KINDS[kind].work for kind in setup.kinds)


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
    certificate = links.certificate if setup.certificate else ""
    links = (links if setup.qr else NO_LINKS)._replace(certificate=certificate)

    def make() -> Printout:
        material = Material(document, library, day, links, at_event)
        lost = unprintable(f"{json.dumps(document.to_dict(), ensure_ascii=False)}{written(setup)}")
        sheet = material.sheet
        return Printout(print_list(material, setup), sheet.file_name, setup, lost, sheet.statless)

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


#: Numbers of the objects that are written last.
_CATALOGUE, _PAGES, _OUTLINE, _INFO = 1, 2, 3, 4
_HEAD = b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n"
#: A page's way up to all pages, which is another now, and into its file's structure, which is left.
_UP = "/Parent"
_LEFT = (_UP, "/StructParents")


@dataclass(frozen=True, slots=True)
class _Mark:
    """A bookmark: its page's number as an object, its height there in points, those below it."""

    title: str
    page: int
    top: float | None
    below: "list[_Mark]"


class Merger:
    """Writes printouts to `stream` one by one; `both_sides`: each begins on its own paper.

    Objects are renumbered and written at once, equal ones (mostly fonts) once. pypdf's own writer
    keeps all pages until the end: for 900 pages of army sheets 83 MB, against 10 MB here (measured
    with pypdf 7.1.0).
    """

    def __init__(self, stream: IO[bytes], both_sides: bool = False) -> None:
        self._stream = stream
        self._both_sides = both_sides
        self._preferences: dict[str, Any] = {}
        self._starts = {_CATALOGUE: 0, _PAGES: 0, _OUTLINE: 0, _INFO: 0}
        self._written: dict[bytes, int] = {}
        self._kids: list[int] = []
        self._marks: list[_Mark] = []
        self._labels: list[bytes] = []
        self._length = stream.write(_HEAD)

    @property
    def pages(self) -> int:
        return len(self._kids)

    def add(self, name: str, content: bytes) -> None:
        """Write one more printout, a PDF file, under a bookmark with that name."""
        # Only who prints several lists at once waits for this package to be loaded.
        from pypdf import PdfReader

        reader = PdfReader(BytesIO(content))
        # How viewers are to print one of them, they do the whole file.
        if (preferences := reader.root_object.get("/ViewerPreferences")) is not None:
            self._preferences |= preferences.get_object()
        if self._both_sides and self.pages % 2:
            body = b"<< /Type /Page /Parent %d 0 R /MediaBox [ 0 0 %.4f %.4f ] /Resources << >> >>"
            box = reader.pages[0].mediabox
            number = self._write(self._next(), body % (_PAGES, box.width, box.height))
            self._kids.append(number)
        first = len(self._kids)
        copied: dict[int, int] = {}
        pages: dict[int, int] = {}
        for page in reader.pages:
            body = self._page(page, copied)
            number = self._write(self._next(), body)
            if page.indirect_reference is not None:
                pages[page.indirect_reference.idnum] = number
            self._kids.append(number)
        if self.pages > first:
            below = list(_marks_of(reader.outline, pages))
            self._marks.append(_Mark(name, self._kids[first], None, below))
            # Viewers number the pages from here on "Name, 2", as their feet do.
            self._labels.append(b"%d << /S /D /P %b >>" % (first, _text(f"{name}, ")))

    def _page(self, page: Any, copied: dict[int, int]) -> bytes:
        """Return a page, whose parts are written before it, as an object."""
        from pypdf.generic import DictionaryObject, IndirectObject, NameObject

        body = DictionaryObject()
        body[NameObject(_UP)] = IndirectObject(_PAGES, 0, None)
        for key, value in page.items():
            if key not in _LEFT:
                body[key] = self._copy(value, copied)
        return _bytes(body)

    def _copy(self, value: Any, copied: dict[int, int]) -> Any:
        """Return the same, its objects written to the new file; `copied` has their new numbers."""
        from pypdf.generic import ArrayObject, DictionaryObject, IndirectObject, StreamObject

        if isinstance(value, IndirectObject):
            if value.idnum not in copied:
                body = _bytes(self._copy(value.get_object(), copied))
                key = hashlib.sha256(body).digest()
                if key not in self._written:  # no object of this content is there yet
                    self._written[key] = self._write(self._next(), body)
                copied[value.idnum] = self._written[key]
            return IndirectObject(copied[value.idnum], 0, None)
        if isinstance(value, ArrayObject):
            return ArrayObject(self._copy(item, copied) for item in value)
        if isinstance(value, DictionaryObject):
            made = DictionaryObject()
            if isinstance(value, StreamObject):
                made = StreamObject()
                made._data = value._data  # as it is, still packed
            for key, item in value.items():
                made[key] = self._copy(item, copied)
            return made
        return value

    def finish(self, title: str, language: str) -> None:
        """Write what holds it together. `language` is the code of what it is written in."""
        from pypdf.generic import DictionaryObject

        kids = b" ".join(b"%d 0 R" % kid for kid in self._kids)
        self._write(_PAGES, b"<< /Type /Pages /Count %d /Kids [ %b ] >>" % (self.pages, kids))
        count, first, last = self._outline(self._marks, _OUTLINE)
        ends = b"/First %d 0 R /Last %d 0 R " % (first, last) if count else b""
        self._write(_OUTLINE, b"<< /Type /Outlines %b/Count %d >>" % (ends, len(self._marks)))
        self._write(_INFO, b"<< /Title %b /Author %b >>" % (_text(title), _text("Army Builder")))
        self._write(
            _CATALOGUE,
            b"<< /Type /Catalog /Pages %d 0 R /Outlines %d 0 R /PageMode /UseOutlines /Lang %b"
            b" /ViewerPreferences %b /PageLabels << /Nums [ %b ] >> >>"
            % (
                *(_PAGES, _OUTLINE, _text(language)),
                _bytes(DictionaryObject(self._preferences)),
                b" ".join(self._labels),
            ),
        )
        # The table of where each object begins.
        start, size = self._length, len(self._starts) + 1
        self._stream.write(b"xref\n0 %d\n0000000000 65535 f \n" % size)
        for number in range(1, size):
            self._stream.write(b"%010d 00000 n \n" % self._starts[number])
        roots = b"<< /Size %d /Root %d 0 R /Info %d 0 R >>" % (size, _CATALOGUE, _INFO)
        self._stream.write(b"trailer\n%b\nstartxref\n%d\n%%%%EOF\n" % (roots, start))

    def _next(self) -> int:
        """Return a number that no object has; it must be written before another is asked for."""
        return len(self._starts) + 1

    def _write(self, number: int, body: bytes) -> int:
        self._starts[number] = self._length
        self._length += self._stream.write(b"%d 0 obj\n%b\nendobj\n" % (number, body))
        return number

    def _outline(self, marks: list[_Mark], parent: int) -> tuple[int, int, int]:
        """Write bookmarks and all below them; return their count and the first and last number."""
        numbers = [self._next() + place for place in range(len(marks))]
        self._starts |= dict.fromkeys(numbers, 0)  # they are taken from here on
        for place, (number, mark) in enumerate(zip(numbers, marks, strict=True)):
            at = b"/Fit" if mark.top is None else b"/XYZ null %.4f null" % mark.top
            body = b"/Title %b /Parent %d 0 R " % (_text(mark.title), parent)
            for key, to in ((b"Prev", place - 1), (b"Next", place + 1)):
                if 0 <= to < len(numbers):
                    body += b"/%b %d 0 R " % (key, numbers[to])
            count, first, last = self._outline(mark.below, number)
            if count:  # closed, until the reader opens it: its number is below zero
                body += b"/First %d 0 R /Last %d 0 R /Count -%d " % (first, last, count)
            self._write(number, b"<< %b/Dest [ %d 0 R %b ] >>" % (body, mark.page, at))
        return len(numbers), *((numbers[0], numbers[-1]) if numbers else (0, 0))


def _bytes(value: Any) -> bytes:
    buffer = BytesIO()
    value.write_to_stream(buffer)
    return buffer.getvalue()


def _text(text: str) -> bytes:
    from pypdf.generic import TextStringObject

    return _bytes(TextStringObject(text))


def _marks_of(outline: Iterable[Any], pages: dict[int, int]) -> Iterator[_Mark]:
    """Yield bookmarks as pypdf gives them: a list behind one has those below it."""
    mark: _Mark | None = None
    for entry in outline:
        if isinstance(entry, list):
            if mark is not None:
                mark.below.extend(_marks_of(entry, pages))
            continue
        if mark is not None:
            yield mark
        top = None if entry.top is None else float(entry.top)
        mark = _Mark(str(entry.title), pages[entry.page.idnum], top, [])
    if mark is not None:
        yield mark
