"""What a PDF tells of its structure: headings, paragraphs and tables in the order in which they are
read, and where its parts begin. What belongs to none of them is ornament (ISO 32000-1, 14.7, 14.8).

ReportLab writes no structure of its own. A page's content stands between marks with numbers, by
which the tree of elements, written at the end, knows it.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field
from typing import Any, BinaryIO, Literal, TypeGuard

from reportlab.pdfbase.pdfdoc import PDFDictionary, PDFInfo, PDFName, PDFObject, PDFString
from reportlab.pdfbase.pdfdoc import format as written
from reportlab.pdfgen.canvas import Canvas

from armybuilder.sheets.drawing.archival import colours, metadata, srgb
from armybuilder.sheets.drawing.packing import PACKED, pack

Tag = Literal["Document", "Sect", "H1", "H2", "H3", "H4", "P", "Table", "TR", "TH", "TD", "Figure"]

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
        """Return the element as it stands in the file."""
        kids = b" ".join(
            b"%d" % kid if isinstance(kid, int) else _reference(kid, document) for kid in self.kids
        )
        page = b" /Pg " + _reference(self.page, document) if self.page else b""
        return b"%b%b /P %b%b%b /K [%b] >>" % (
            PACKED,
            self.tag.encode(),
            _reference(self.parent, document),
            page,
            self._attributes(document),
            kids,
        )

    def _attributes(self, document: Any) -> bytes:
        if not self.about:
            return b""
        if self.tag == "TH":
            return b" /A << /O /Table /Scope /%b >>" % self.about.encode()
        return b" /Alt " + bytes(written(PDFString(self.about), document))


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
    """What a page has: the element of each numbered content, and bookmarks."""

    contents: list[Element] = field(default_factory=list)
    marks: list[Mark] = field(default_factory=list)


class _Info(PDFInfo):
    """What a file tells of itself, without a time: equal lists give equal files."""

    def format(self, document: Any) -> bytes:
        told = {"Title": self.title, "Author": self.author, "Subject": self.subject}
        told |= {"Creator": self.creator, "Producer": self.producer}
        strings = {key: PDFString(text) for key, text in told.items()}
        return bytes(PDFDictionary(strings).format(document))


class TaggedCanvas(Canvas):
    """A canvas whose file tells its structure, if it is to be `tagged`; see `element` and
    `content`.
    """

    # ReportLab's own, which its stubs leave out.
    _code: list[str]
    _doc: Any
    _pagesize: tuple[float, float]
    _filename: BinaryIO

    def __init__(self, *arguments: Any, tagged: bool = True, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.tagged = tagged
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

    def chapter(self, title: str) -> None:
        """A part of its own from here on; what is bookmarked stands below its entry."""
        self.open = self._begun("Sect", self.document)
        self.structure.marks.append(Mark(title, self._pagesize[1], 0))
        self.level = 1

    def bookmark(self, title: str, y: float, tag: Tag = "H2") -> None:
        """An outline entry for what stands `y` points above the current origin."""
        top = self.absolutePosition(0, y)[1] + 6
        level = self.level + HEADINGS.index(tag)
        self.structure.marks.append(Mark(title, top, level))

    @contextmanager
    def element(self, tag: Tag, about: str = "") -> Iterator[None]:
        """What is drawn meanwhile is within a new element."""
        around = self.open
        self.open = self._begun(tag, around, about)
        try:
            yield
        finally:
            self.open = around

    @contextmanager
    def content(self, tag: Tag, about: str = "") -> Iterator[None]:
        """What is drawn meanwhile is the content of a new element, or of the open cell. `about`:
        what a figure shows, or of what a table's head is one.
        """
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
        if self.tagged:
            self._code[:] = list(with_ornaments(self._code))
        super().showPage()
        if self.tagged:
            self._number(structure)
        self.structure = PageStructure()

    def _number(self, structure: PageStructure) -> None:
        """Tie the page just made to the elements of its contents."""
        page = self._doc.Pages.pages[-1]
        page.__NoDefault__ = [*page.__NoDefault__, "StructParents", "Tabs"]
        page.StructParents, page.Tabs = len(self.finished), PDFName("S")
        for element in structure.contents:
            element.page = page
        self.finished.append(structure)

    def save(self) -> None:
        catalog = self._doc.Catalog
        if self.tagged:
            catalog.StructTreeRoot = self.tree
            catalog.MarkInfo = _Literal(lambda _document: b"<< /Marked true >>")
        catalog.Metadata = _Literal(lambda _document: metadata(self._doc.info, catalog.Lang.s))
        catalog.__NoDefault__ = [*catalog.__NoDefault__, "OutputIntents"]
        profile = _Literal(lambda _document: srgb())
        catalog.OutputIntents = _Inline(lambda document: colours(_reference(profile, document)))
        self.setViewerPreference("DisplayDocTitle", "true")
        if len(self._doc.Pages.pages) > 1:
            self.showOutline()
        data = self.getpdfdata()  # type: ignore[no-untyped-call]  # stubs lack it
        self._filename.write(pack(data) if self.tagged else data)

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
    """Put what is drawn meanwhile into a new element, where there is a tag for it."""
    return canvas.element(tag) if tag and _tells(canvas) else nullcontext()


def in_row(canvas: Canvas, row: Row, number: int) -> AbstractContextManager[None]:
    """Put what is drawn meanwhile into the cell of this number, from 0, of an open row."""
    if not row or not _tells(canvas):
        return nullcontext()
    if row == "heads":
        return canvas.element("TH", "Column")
    return canvas.element("TD") if number else canvas.element("TH", "Row")


def content(canvas: Canvas, tag: Tag = "P", about: str = "") -> AbstractContextManager[None]:
    """Make what is drawn meanwhile the content of a new element, or of the open cell."""
    return canvas.content(tag, about) if _tells(canvas) else nullcontext()


def _tells(canvas: Canvas) -> TypeGuard[TaggedCanvas]:
    return isinstance(canvas, TaggedCanvas) and canvas.tagged
