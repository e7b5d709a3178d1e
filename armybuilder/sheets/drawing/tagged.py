"""PDF structure, archival metadata and packing: parts that ReportLab doesn't write.

The structure has headings, paragraphs and tables in reading order (ISO 32000-1, 14.7, 14.8). A
page's content is between numbered marks, to which the tree of elements, written at the end, refers;
the rest is ornament.
"""

import re
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field
from functools import cache
from itertools import accumulate
from pathlib import Path
from typing import Any, BinaryIO, Literal, TypeGuard, cast
from xml.sax.saxutils import escape

from PIL import ImageCms
from reportlab import rl_config
from reportlab.pdfbase.pdfdoc import (
    PDFArray,
    PDFDictionary,
    PDFInfo,
    PDFName,
    PDFObject,
    PDFStream,
    PDFString,
)
from reportlab.pdfbase.pdfdoc import format as written
from reportlab.pdfgen.canvas import Canvas

#: No program may show or print a link otherwise than it is (ISO 19005-2, 6.3.2).
PRINTED = 4

_XMP = Path(__file__).with_name("metadata.xml").read_text(encoding="utf-8").rstrip("\n")


def metadata(info: Mapping[str, str], language: str) -> bytes:
    """Return a file's metadata, by the keys of its Info, as an XMP stream (ISO 16684-1)."""
    said = {key.lower(): escape(text) for key, text in info.items()}
    packet = _XMP.format(mark="\ufeff", language=language, **said)
    return _stream(b"/Type /Metadata /Subtype /XML", packet.encode())


def colours(profile: bytes) -> bytes:
    """Return that red, green and blue are sRGB's; `profile`: the reference to `srgb`."""
    return (
        b"[<< /Type /OutputIntent /S /GTS_PDFA1 /OutputConditionIdentifier (sRGB)"
        b" /Info (sRGB) /DestOutputProfile %b >>]" % profile
    )


@cache
def srgb() -> bytes:
    """Return the colour profile of sRGB as a stream, always of the same day."""
    profile = bytearray(ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes())
    # Year, month, day, hour, minute, second (ICC.1, 7.2.8).
    profile[24:36] = b"".join(number.to_bytes(2, "big") for number in (2026, 1, 1, 0, 0, 0))
    return _stream(b"/N 3 /Filter /FlateDecode", zlib.compress(bytes(profile), 9))


def _written(stream: PDFStream, document: Any) -> bytes:
    """Return a stream with the line end that ReportLab leaves out (ISO 19005-2, 6.1.7.1)."""
    told = bytes(_REPORTLABS(stream, document))
    return told.removesuffix(b"endstream\n") + b"\nendstream\n"


#: Streams as letters would be a quarter larger, for mail programs of the last century.
rl_config.useA85 = 0
_REPORTLABS = PDFStream.format
PDFStream.format = cast(Any, _written)  # type: ignore[method-assign]  # on purpose


#: Objects that may be packed begin like this: elements of a structure.
PACKED = b"<< /S /"

_TABLE = re.compile(rb"xref\n0 (\d+)\n")
_START = re.compile(rb"startxref\n(\d+)\n%%EOF\s*\Z")
_HEAD = re.compile(rb"\d+ 0 obj\n")
_TRAILER = re.compile(rb"/ID \n(?P<id>\[<\w+><\w+>\])|/(?P<key>Info|Root) (?P<number>\d+) 0 R")
_OLD, _NEW = b"%PDF-1.4", b"%PDF-1.5"


def pack(pdf: bytes) -> bytes:
    """Return a file of ReportLab's with its structure packed. Raises ValueError for others.

    The thousands of small objects of a structure become one compressed stream, and the table of
    places another (ISO 32000-1, 7.5.7).
    """
    start = _START.search(pdf)
    table = _TABLE.match(pdf, int(start[1])) if start else None
    if start is None or table is None or int(table[1]) < 2:
        raise ValueError("not as ReportLab writes files")
    rows = ((row, table.end() + 20 * row) for row in range(1, int(table[1])))
    offsets = {row: int(pdf[at : at + 10]) for row, at in rows}
    objects = dict(_objects(pdf, offsets, table.start()))
    small = {number: text for number, text in objects.items() if text.startswith(PACKED)}
    if not small:
        return pdf
    at = max(objects) + 1
    places = {0: FREE} | {number: place(2, at, order) for order, number in enumerate(small)}
    parts = [pdf[: min(offsets.values())].replace(_OLD, _NEW, 1)]
    here = len(parts[0])
    large = {number: text for number, text in objects.items() if number not in small}
    for number, text in (large | {at: bundle(small)}).items():
        places[number] = place(1, here)
        parts.append(b"%d 0 obj\n%b" % (number, text))
        here += len(parts[-1])
    end = list(_TRAILER.finditer(pdf[start.start() - 600 : start.end()]))
    trailer = {match["key"]: int(match["number"]) for match in end if match["key"]}
    table_rows = b"".join(places[number] for number in sorted(places))
    ids = next(match["id"] for match in end if match["id"])
    parts.append(ending(table_rows, here, trailer[b"Root"], trailer[b"Info"], ids))
    return b"".join(parts)


def place(kind: Literal[0, 1, 2], at: int, order: int = 0) -> bytes:
    """Return a row of the table of places: an object at a byte (1), or in a stream's order (2)."""
    return kind.to_bytes(1, "big") + at.to_bytes(4, "big") + order.to_bytes(2, "big")


#: The row of object 0, which no file has.
FREE = place(0, 0, 65535)


def ending(rows: bytes, here: int, root: int, info: int, ids: bytes) -> bytes:
    """Return the end of a file from byte `here`: the table of these places, as the last object."""
    number = len(rows) // len(FREE)
    head = b"/Type /XRef /W [1 4 2] /Size %d /Root %d 0 R /Info %d 0 R /ID %b" % (
        *(number + 1, root, info),
        ids,
    )
    table = _packed(head, rows + place(1, here))
    return b"%d 0 obj\n%bstartxref\n%d\n%%%%EOF\n" % (number, table, here)


def _objects(pdf: bytes, offsets: Mapping[int, int], end: int) -> Iterator[tuple[int, bytes]]:
    """Yield the objects by number, without the line that begins them."""
    ordered = sorted(offsets, key=lambda number: offsets[number])
    for number, stop in zip(ordered, [*(offsets[at] for at in ordered[1:]), end], strict=True):
        head = _HEAD.match(pdf, offsets[number])
        if head is None:
            raise ValueError(f"object {number} is not where it should be")
        yield number, pdf[head.end() : stop]


def bundle(small: Mapping[int, bytes]) -> bytes:
    """Return the stream of the small objects: their numbers and places, then the objects."""
    texts = [text.removesuffix(b"endobj\n") for text in small.values()]
    starts = accumulate(map(len, texts), initial=0)
    pairs = (b"%d %d" % pair for pair in zip(small, starts, strict=False))
    index = b" ".join(pairs) + b"\n"
    head = b"/Type /ObjStm /N %d /First %d" % (len(small), len(index))
    return _packed(head, index + b"".join(texts))


def _packed(head: bytes, data: bytes) -> bytes:
    return _stream(b"%b /Filter /FlateDecode" % head, zlib.compress(data)) + b"\nendobj\n"


def _stream(head: bytes, data: bytes) -> bytes:
    return b"<< %b /Length %d >>\nstream\n%b\nendstream" % (head, len(data), data)


Tag = Literal["Document", "Sect", "H1", "H2", "H3", "H4", "P", "Table", "TR", "TH", "TD", "Figure"]

#: What destinations are called that printouts begin with in a file of many, by their numbers.
PRINTOUT = "printout{number}"

#: What made a file.
PROGRAM = "Army Builder"
#: What the cells of a row are: of its columns' names, or of values with the row's name in front.
Row = Literal["", "heads", "values"]
#: Headings that bookmarks lead to.
HEADINGS: tuple[Tag, ...] = ("H2", "H3", "H4")
_CELLS: tuple[Tag, ...] = ("TH", "TD")
#: Operators that put something on the page (ISO 32000-1, table 51).
_PAINTING = frozenset({"S", "s", "f", "f*", "B", "B*", "b", "b*", "ET", "Do", "EI", "sh"})


class Element(PDFObject):
    """One element: those within it, or the numbers of its content on one `page`."""

    __RefOnly__ = 1

    def __init__(self, tag: Tag, parent: PDFObject, about: str = "") -> None:
        self.tag = tag
        self.parent = parent
        self.about = about
        self.kids: list[Element | int] = []
        self.page: PDFObject | None = None

    def format(self, document: Any) -> bytes:
        kids = b" ".join(
            b"%d" % kid if isinstance(kid, int) else _reference(kid, document) for kid in self.kids
        )
        page = b" /Pg " + _reference(self.page, document) if self.page else b""
        about = b""
        if self.about and self.tag == "TH":
            about = b" /A << /O /Table /Scope /%b >>" % self.about.encode()
        elif self.about:
            about = b" /Alt " + bytes(written(PDFString(self.about), document))
        tag, parent = self.tag.encode(), _reference(self.parent, document)
        return b"%b%b /P %b%b%b /K [%b] >>" % (PACKED, tag, parent, page, about, kids)


def _reference(thing: PDFObject, document: Any) -> bytes:
    return bytes(written(document.Reference(thing), document))


class _Literal(PDFObject):
    """An object that is written as `write` says."""

    __RefOnly__ = 1

    def __init__(self, write: Callable[[Any], bytes]) -> None:
        self.format = write


class _Inline(_Literal):
    """The same, within the object that has it."""

    __RefOnly__ = 0


@dataclass(frozen=True, slots=True)
class Mark:
    """A bookmark: its height on its page in points, and its level."""

    title: str
    top: float
    level: int


@dataclass(slots=True)
class PageStructure:
    """Structure of a page: the element of each numbered content, and bookmarks."""

    contents: list[Element] = field(default_factory=list)
    marks: list[Mark] = field(default_factory=list)


class _Info(PDFInfo):
    """A file's metadata, without a time: equal lists give equal files."""

    @property
    def said(self) -> dict[str, str]:
        keys = ("Title", "Author", "Subject", "Creator", "Producer")
        return {key: getattr(self, key.lower()) for key in keys}

    def format(self, document: Any) -> bytes:
        strings = {key: PDFString(text) for key, text in self.said.items()}
        return bytes(PDFDictionary(strings).format(document))


class TaggedCanvas(Canvas):
    """A canvas whose file says its structure: see `element`, `content`."""

    # ReportLab's own, which its stubs leave out.
    _code: list[str]
    _doc: Any
    _pagesize: tuple[float, float]
    _filename: BinaryIO
    _absRect: Callable[..., tuple[float, ...]]  # noqa: N815  ReportLab's name
    _addAnnotation: Callable[[Any], None]  # noqa: N815  ReportLab's name

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._doc.info = _Info()
        self.setCreator(PROGRAM)
        self.setAuthor(PROGRAM)
        self.tree = _Literal(self._written_tree)
        self.document = Element("Document", self.tree)
        self.open = self.document
        self.saying = False
        self.structure = PageStructure()
        self.finished: list[PageStructure] = []
        #: Level of bookmarks of what no chapter holds.
        self.level = 0
        self._last_level = -1

    def chapter(self, title: str) -> None:
        """Begin a chapter; later bookmarks are below its entry."""
        self.open = self._begun("Sect", self.document)
        self.structure.marks.append(Mark(title, self._pagesize[1], 0))
        self.level, self._last_level = 1, 0

    def bookmark(self, title: str, y: float, tag: Tag = "H2") -> None:
        """Add an outline entry for the place `y` points above the current origin."""
        top = self.absolutePosition(0, y)[1] + 6
        level = min(self.level + HEADINGS.index(tag), self._last_level + 1)
        self._last_level = level
        self.structure.marks.append(Mark(title, top, level))

    def link(self, to: str, about: str, width: float, height: float) -> None:
        """Make the room above and right of the origin a link to a destination of the file."""
        link = PDFDictionary(
            {
                "Type": PDFName("Annot"),
                "Subtype": PDFName("Link"),
                "Rect": PDFArray(self._absRect((0, 0, width, height), 1)),
                "Border": PDFArray([0, 0, 0]),
                "F": PRINTED,
                "Dest": PDFName(to),
                "Contents": PDFString(about),
            }
        )
        self._addAnnotation(link)

    @contextmanager
    def element(self, tag: Tag, about: str = "") -> Iterator[None]:
        """Put all drawing meanwhile into a new element."""
        around = self.open
        self.open = self._begun(tag, around, about)
        try:
            yield
        finally:
            self.open = around

    @contextmanager
    def content(self, tag: Tag, about: str = "") -> Iterator[None]:
        """Make all drawing meanwhile the content of a new element, or the open cell."""
        if self.saying:
            yield
            return
        whole = tag == "P" and self.open.tag in _CELLS
        part = self.open if whole else self._begun(tag, self.open, about)
        before, number = len(self._code), len(self.structure.contents)
        self._code.append(f"/{part.tag} <</MCID {number}>> BDC")
        self.saying = True
        try:
            yield
        finally:
            self.saying = False
        if len(self._code) > before + 1:
            part.kids.append(number)
            self.structure.contents.append(part)
            self._code.append("EMC")
        else:  # nothing was drawn
            self._code.pop()
            if part.tag not in _CELLS:
                self.open.kids.remove(part)

    def _begun(self, tag: Tag, parent: Element, about: str = "") -> Element:
        element = Element(tag, parent, about)
        parent.kids.append(element)
        return element

    def showPage(self) -> None:  # noqa: N802  ReportLab's name
        structure = self.structure
        for order, mark in enumerate(structure.marks):
            key = f"part{self.getPageNumber()}-{order}"
            self.bookmarkPage(key, fit="XYZ", top=mark.top)
            self.addOutlineEntry(mark.title, key, mark.level)
        self._code[:] = list(with_ornaments(self._code))
        super().showPage()
        # Tie the page just made to the elements of its contents.
        page = self._doc.Pages.pages[-1]
        page.__NoDefault__ = [*page.__NoDefault__, "StructParents", "Tabs"]
        page.StructParents, page.Tabs = len(self.finished), PDFName("S")
        for element in structure.contents:
            element.page = page
        self.finished.append(structure)
        self.structure = PageStructure()

    def save(self) -> None:
        catalog = self._doc.Catalog
        catalog.StructTreeRoot = self.tree
        catalog.MarkInfo = _Literal(lambda _document: b"<< /Marked true >>")
        catalog.Metadata = _Literal(lambda _document: metadata(self._doc.info.said, catalog.Lang.s))
        catalog.__NoDefault__ = [*catalog.__NoDefault__, "OutputIntents"]
        profile = _Literal(lambda _document: srgb())
        catalog.OutputIntents = _Inline(lambda document: colours(_reference(profile, document)))
        self.setViewerPreference("DisplayDocTitle", "true")
        if len(self._doc.Pages.pages) > 1:
            self.showOutline()
        self._filename.write(pack(self.getpdfdata()))  # type: ignore[no-untyped-call]  # stubs lack it

    def _written_tree(self, document: Any) -> bytes:
        """Return the root of the tree: for each page the elements of its contents, in order."""
        pages = b" ".join(
            b"%d [%b]"
            % (number, b" ".join(_reference(one, document) for one in structure.contents))
            for number, structure in enumerate(self.finished)
        )
        return b"<< /Type /StructTreeRoot /K %b /ParentTree << /Nums [%b] >> >>" % (
            _reference(self.document, document),
            pages,
        )


def with_ornaments(code: Iterable[str]) -> Iterator[str]:
    """Yield a page's code, what no element holds marked as ornament."""
    outside: list[str] = []
    depth = 0
    for item in code:
        if depth or "/MCID" in item:
            yield from _ornament(outside)
            outside = []
            depth += item.endswith("BDC") - (item == "EMC")
            yield item
        else:
            outside.append(item)
    yield from _ornament(outside)


def _ornament(code: Sequence[str]) -> Sequence[str]:
    if any((item.rsplit(None, 1) or [""])[-1] in _PAINTING for item in code):
        return ["/Artifact BMC", *code, "EMC"]
    return code


def element(canvas: Canvas, tag: Tag | None) -> AbstractContextManager[None]:
    """Put all drawing meanwhile into a new element, if there is a tag for it."""
    return canvas.element(tag) if tag and _tells(canvas) else nullcontext()


def in_row(canvas: Canvas, row: Row, number: int) -> AbstractContextManager[None]:
    """Put all drawing meanwhile into the cell of this number, from 0, of an open row."""
    if not row or not _tells(canvas):
        return nullcontext()
    if row == "heads":
        return canvas.element("TH", "Column")
    return canvas.element("TD") if number else canvas.element("TH", "Row")


def content(canvas: Canvas, tag: Tag = "P", about: str = "") -> AbstractContextManager[None]:
    """Make all drawing meanwhile the content of a new element, or of the open cell."""
    return canvas.content(tag, about) if _tells(canvas) else nullcontext()


def _tells(canvas: Canvas) -> TypeGuard[TaggedCanvas]:
    return isinstance(canvas, TaggedCanvas)
