"""Many printouts as one file, written one by one, with their structure and their bookmarks.

Import it where it is used: loading pypdf takes a while, and few processes merge.
"""

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from io import BytesIO
from typing import IO, Any

from pypdf import PdfReader
from pypdf.generic import (
    ArrayObject,
    DictionaryObject,
    IndirectObject,
    NameObject,
    NumberObject,
    StreamObject,
    TextStringObject,
)

from armybuilder.sheets.drawing.tagged import (
    FREE,
    PRINTOUT,
    PROGRAM,
    bundle,
    colours,
    ending,
    metadata,
    place,
    srgb,
)

_HEAD = b"%PDF-1.5\n%\xe2\xe3\xcf\xd3\n"
#: A page's way up to all pages, and its number in the tree of elements: both are others now.
_UP, _STRUCTURE = "/Parent", "/StructParents"
#: References among elements; a bracket within a text isn't one.
_REFERENCE = re.compile(rb"\((?:\\.|[^\\)])*\)|\b(\d+) 0 R", re.DOTALL)
_WHOLE = b"<< /S /Document "


@dataclass(frozen=True, slots=True)
class _Mark:
    """A bookmark: its page's number as an object, its height there in points, those below it."""

    title: str
    page: int
    top: float | None
    below: "list[_Mark]"


class Merger:
    """Writes printouts to `stream` one by one; `both_sides`: each begins on its own paper.

    `numbered`: their feet number the pages through; else viewers do so for each printout. Objects
    are renumbered and written at once, equal ones (mostly fonts) once. pypdf's own writer keeps all
    pages until the end: for 900 pages of army sheets 83 MB, against 10 MB here (measured with pypdf
    7.1.0), and has no structure.
    """

    def __init__(self, stream: IO[bytes], both_sides: bool = False, numbered: bool = False) -> None:
        self._stream, self._both_sides, self._numbered = stream, both_sides, numbered
        self._preferences: dict[str, Any] = {}
        #: Where each object is, as the file's table of places says it.
        self._places = bytearray(FREE)
        self._written: dict[bytes, int] = {}
        self._kids: list[int] = []
        self._marks: list[_Mark] = []
        self._labels: list[bytes] = []
        #: Numbers as objects: first pages of printouts, their elements, the lists of each page's.
        self._starts: list[int] = []
        self._parts: list[int] = []
        self._contents: list[int] = []
        self._digest = hashlib.sha256()
        self._length = 0
        self._put(_HEAD)
        self._pages, self._tree, self._document = self._numbers(3)

    @property
    def pages(self) -> int:
        return len(self._kids)

    @staticmethod
    def count_pages(content: bytes) -> int:
        return len(PdfReader(BytesIO(content)).pages)

    def add(self, name: str, content: bytes, first: bool = False) -> None:
        """Write one more printout, a PDF file, under a bookmark with that name; or as the first."""
        reader = PdfReader(BytesIO(content))
        # How viewers are to print one of them, they do the whole file.
        if (preferences := reader.root_object.get("/ViewerPreferences")) is not None:
            self._preferences |= preferences.get_object()
        if self._both_sides and self.pages % 2:
            body = b"<< /Type /Page /Parent %d 0 R /MediaBox [ 0 0 %.4f %.4f ] /Resources << >> >>"
            box = reader.pages[0].mediabox
            self._kids.append(self._object(body % (self._pages, box.width, box.height)))
        old = [page.indirect_reference.idnum for page in reader.pages if page.indirect_reference]
        pages = dict(zip(old, self._numbers(len(old)), strict=True))
        self._add_structure(reader, pages)
        copied = {**pages}
        start = len(self._contents) - len(old)
        for number, page in enumerate(reader.pages):
            self._write(pages[old[number]], self._page(page, start + number, copied))
        at = 0 if first else self.pages
        if not self._numbered:  # viewers number them "Name, 2", as their feet do
            self._labels.append(b"%d << /S /D /P %b >>" % (at, _text(f"{name}, ")))
        self._kids[at:at] = pages.values()
        mark = _Mark(name, self._kids[at], None, [*_marks_of(reader.outline, pages)])
        if first:
            self._marks.insert(0, mark)
            self._parts.insert(0, self._parts.pop())
        else:
            self._marks.append(mark)
            self._starts.append(mark.page)

    def _add_structure(self, reader: PdfReader, pages: Mapping[int, int]) -> None:
        """Write the elements of a printout, which its file has packed, below the whole file's."""
        tree: Any = reader.root_object["/StructTreeRoot"]
        old = [*reader.xref_objStm]
        copied = {**pages, **dict(zip(old, self._numbers(len(old)), strict=True))}
        copied[reader.root_object.raw_get("/StructTreeRoot").idnum] = self._document

        def renumbered(reference: re.Match[bytes]) -> bytes:
            return b"%d 0 R" % copied[int(reference[1])] if reference[1] else reference[0]

        texts = {
            copied[number]: _REFERENCE.sub(renumbered, text).replace(_WHOLE, b"<< /S /Part ", 1)
            for number, text in _packed_objects(reader)
        }
        self._parts.append(copied[tree.raw_get("/K").idnum])
        for elements in tree["/ParentTree"]["/Nums"][1::2]:
            number = self._numbers(1)[0]
            references = b" ".join(b"%d 0 R" % copied[one.idnum] for one in elements)
            texts[number] = b"[%b]\n" % references
            self._contents.append(number)
        packed = self._numbers(1)[0]
        self._put_object(packed, bundle(texts))
        for order, number in enumerate(texts):
            self._place(number, place(2, packed, order))

    def _page(self, page: Any, number: int, copied: dict[int, int]) -> bytes:
        """Return a page, whose parts are written before it, as an object."""
        body = DictionaryObject()
        body[NameObject(_UP)] = IndirectObject(self._pages, 0, None)
        body[NameObject(_STRUCTURE)] = NumberObject(number)
        for key, value in page.items():
            if key not in body:
                body[key] = self._copy(value, copied)
        return _bytes(body)

    def _copy(self, value: Any, copied: dict[int, int]) -> Any:
        """Return the same, its objects written to the new file; `copied` has their new numbers."""
        if isinstance(value, IndirectObject):
            if value.idnum not in copied:
                body = _bytes(self._copy(value.get_object(), copied))
                key = hashlib.sha256(body).digest()
                if key not in self._written:  # no object of this content is there yet
                    self._written[key] = self._object(body)
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
        """Complete the file; `language`: the code of its language."""
        kids = b" ".join(b"%d 0 R" % kid for kid in self._kids)
        self._write(self._pages, b"<< /Type /Pages /Count %d /Kids [%b] >>" % (self.pages, kids))
        self._write_structure()
        outline = self._numbers(1)[0]
        count, first, last = self._outline(self._marks, outline)
        ends = b"/First %d 0 R /Last %d 0 R " % (first, last) if count else b""
        self._write(outline, b"<< /Type /Outlines %b/Count %d >>" % (ends, len(self._marks)))
        said = {"Title": title, "Subject": ""}
        said |= dict.fromkeys(("Author", "Creator", "Producer"), PROGRAM)
        told = b" ".join(b"/%b %b" % (key.encode(), _text(text)) for key, text in said.items())
        labels = b"/PageLabels << /Nums [%b] >>" % b" ".join(self._labels)
        if self._numbered:
            dests = (
                b"/%b [%d 0 R /Fit]" % (PRINTOUT.format(number=number).encode(), page)
                for number, page in enumerate(self._starts)
            )
            labels = b"/Dests << %b >>" % b" ".join(dests)
        catalog = (
            *(b"<< /Type /Catalog /PageMode /UseOutlines /MarkInfo << /Marked true >>", labels),
            b"/Pages %d 0 R /Outlines %d 0 R" % (self._pages, outline),
            b"/StructTreeRoot %d 0 R /Lang %b" % (self._tree, _text(language)),
            b"/Metadata %d 0 R" % self._object(metadata(said, language)),
            b"/OutputIntents %b" % colours(b"%d 0 R" % self._object(srgb())),
            b"/ViewerPreferences %b >>" % _bytes(DictionaryObject(self._preferences)),
        )
        info, root = self._object(b"<< %b >>" % told), self._object(b" ".join(catalog))
        ids = b"[%b]" % (b"<%b>" % self._digest.hexdigest()[:32].encode() * 2)
        self._put(ending(bytes(self._places), self._length, root, info, ids))

    def _write_structure(self) -> None:
        parts = b" ".join(b"%d 0 R" % part for part in self._parts)
        body = b"<< /S /Document /P %d 0 R /K [%b] >>" % (self._tree, parts)
        self._write(self._document, body)
        pages = b" ".join(b"%d %d 0 R" % pair for pair in enumerate(self._contents))
        tree = b"<< /Type /StructTreeRoot /K %d 0 R /ParentTree << /Nums [%b] >> >>"
        self._write(self._tree, tree % (self._document, pages))

    def _numbers(self, count: int) -> range:
        """Return this many numbers that no object has; one must be written for each."""
        start = len(self._places) // len(FREE)
        self._places += bytes(count * len(FREE))
        return range(start, start + count)

    def _object(self, body: bytes) -> int:
        """Write an object; return its number."""
        (number,) = self._numbers(1)
        self._write(number, body)
        return number

    def _write(self, number: int, body: bytes) -> None:
        self._put_object(number, body + b"\nendobj\n")

    def _put_object(self, number: int, ended: bytes) -> None:
        self._place(number, place(1, self._length))
        self._put(b"%d 0 obj\n%b" % (number, ended))

    def _place(self, number: int, row: bytes) -> None:
        self._places[number * len(row) : (number + 1) * len(row)] = row

    def _put(self, written: bytes) -> None:
        self._digest.update(written)
        self._length += self._stream.write(written)

    def _outline(self, marks: list[_Mark], parent: int) -> tuple[int, int, int]:
        """Write bookmarks and all below them; return their count and the first and last number."""
        numbers = self._numbers(len(marks))
        for place_of, (number, mark) in enumerate(zip(numbers, marks, strict=True)):
            at = b"/Fit" if mark.top is None else b"/XYZ null %.4f null" % mark.top
            body = b"/Title %b /Parent %d 0 R " % (_text(mark.title), parent)
            for key, to in ((b"Prev", place_of - 1), (b"Next", place_of + 1)):
                if 0 <= to < len(numbers):
                    body += b"/%b %d 0 R " % (key, numbers[to])
            count, first, last = self._outline(mark.below, number)
            if count:  # closed, until the reader opens it: its number is below zero
                body += b"/First %d 0 R /Last %d 0 R /Count -%d " % (first, last, count)
            self._write(number, b"<< %b/Dest [ %d 0 R %b ] >>" % (body, mark.page, at))
        return len(numbers), *((numbers[0], numbers[-1]) if numbers else (0, 0))


def _packed_objects(reader: PdfReader) -> Iterator[tuple[int, bytes]]:
    """Yield the objects that a file has packed, with their numbers."""
    for stream in sorted({stream for stream, _order in reader.xref_objStm.values()}):
        packed: Any = reader.get_object(stream)
        data, first = packed.get_data(), packed["/First"]
        numbers = [*map(int, data[:first].split())]
        starts = [first + start for start in numbers[1::2]]
        for number, start, end in zip(numbers[::2], starts, [*starts[1:], None], strict=True):
            yield number, data[start:end]


def _bytes(value: Any) -> bytes:
    buffer = BytesIO()
    value.write_to_stream(buffer)
    return buffer.getvalue()


def _text(text: str) -> bytes:
    return _bytes(TextStringObject(text))


def _marks_of(outline: Iterable[Any], pages: Mapping[int, int]) -> Iterator[_Mark]:
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
