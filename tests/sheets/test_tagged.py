"""What a PDF tells of its structure, as other programs read it, what archives ask, and packing.

Every text belongs to an element or is ornament, elements stand in each other as they may, headings
skip no level. PDFium, a reader's own engine, reads it here.
"""

import ctypes
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from io import BytesIO
from xml.etree import ElementTree

import pypdfium2
import pypdfium2.raw as pdfium
import pytest
from pypdf import PdfReader
from pypdf.generic import IndirectObject, StreamObject
from reportlab.pdfgen.canvas import Canvas

from armybuilder.loading.library import shipped_library
from armybuilder.sheets.content.make import Material, SheetLinks
from armybuilder.sheets.content.setup import KINDS
from armybuilder.sheets.drawing import tagged
from armybuilder.sheets.drawing.tagged import PACKED, pack
from armybuilder.sheets.printing.printouts import print_list
from tests.building.documents import value_of
from tests.pdfs import pages_of
from tests.sheets.archive_rules import broken_rules
from tests.sheets.papers import DAY, example, material, pdf, setup

pytestmark = pytest.mark.long


@dataclass
class Part:
    """An element: its tag, the text of its content, those within it, what a picture shows."""

    tag: str
    text: str = ""
    kids: list["Part"] = field(default_factory=list)
    shows: str = ""

    def all(self) -> Iterator["Part"]:
        """The element and all within it, in the order in which they are read."""
        yield self
        for kid in self.kids:
            yield from kid.all()


@dataclass
class ReadPage:
    """A page: its top elements, the numbers of contents that elements speak of and that there are,
    and the marks of what stands outside of elements, by its text ("" for a drawing).
    """

    parts: list[Part]
    spoken: list[int]
    drawn: set[int]
    outside: list[tuple[str, list[str]]]


def read_structure(content: bytes) -> list[ReadPage]:
    """Return what each page tells of its structure."""
    document = pypdfium2.PdfDocument(content)
    try:
        return [_read(page) for page in document]
    finally:
        document.close()


def _read(page: pypdfium2.PdfPage) -> ReadPage:
    texts: dict[int, str] = {}
    outside: list[tuple[str, list[str]]] = []
    letters = page.get_textpage()
    for number in range(pdfium.FPDFPage_CountObjects(page)):
        drawn = pdfium.FPDFPage_GetObject(page, number)
        text = _text(drawn, letters)
        content = pdfium.FPDFPageObj_GetMarkedContentID(drawn)
        if content >= 0:
            texts[content] = " ".join(filter(None, (texts.get(content, ""), text.strip())))
        else:
            outside.append((text, _marks(drawn)))
    spoken: list[int] = []
    tree = pdfium.FPDF_StructTree_GetForPage(page)
    try:
        parts = [
            _part(pdfium.FPDF_StructTree_GetChildAtIndex(tree, number), texts, spoken)
            for number in range(pdfium.FPDF_StructTree_CountChildren(tree))
        ]
    finally:
        pdfium.FPDF_StructTree_Close(tree)
        letters.close()
    return ReadPage(parts, spoken, set(texts), outside)


def _part(element: object, texts: dict[int, str], spoken: list[int]) -> Part:
    part = Part(_said(pdfium.FPDF_StructElement_GetType, element))
    part.shows = _said(pdfium.FPDF_StructElement_GetAltText, element)
    for number in range(pdfium.FPDF_StructElement_CountChildren(element)):
        kid = pdfium.FPDF_StructElement_GetChildAtIndex(element, number)
        content = pdfium.FPDF_StructElement_GetChildMarkedContentID(element, number)
        if kid:
            part.kids.append(_part(kid, texts, spoken))
        elif content >= 0:
            spoken.append(content)
            part.text = " ".join(filter(None, (part.text, texts.get(content, ""))))
    return part


def _said(ask: object, element: object) -> str:
    size = ask(element, None, 0)  # type: ignore[operator]
    letters = ctypes.create_string_buffer(max(2, size))
    ask(element, letters, size)  # type: ignore[operator]
    return letters.raw[: max(0, size - 2)].decode("utf-16-le")


def _text(drawn: object, page: object) -> str:
    if pdfium.FPDFPageObj_GetType(drawn) != pdfium.FPDF_PAGEOBJ_TEXT:
        return ""
    size = pdfium.FPDFTextObj_GetText(drawn, page, None, 0)
    letters = (ctypes.c_ushort * max(1, size // 2))()
    pdfium.FPDFTextObj_GetText(drawn, page, letters, size)
    return bytes(letters).decode("utf-16-le").rstrip("\0")


def _marks(drawn: object) -> list[str]:
    found = []
    for number in range(pdfium.FPDFPageObj_CountMarks(drawn)):
        mark = pdfium.FPDFPageObj_GetMark(drawn, number)
        length = ctypes.c_ulong()
        letters = (ctypes.c_ushort * 60)()
        pdfium.FPDFPageObjMark_GetName(mark, letters, 120, length)
        found.append(bytes(letters)[: length.value].decode("utf-16-le").rstrip("\0"))
    return found


#: In which elements each may stand; in any of these where it is left out.
WITHIN = {"Table": {"TR"}, "TR": {"TH", "TD"}}
ALONE = {"H1", "H2", "H3", "H4", "P", "Figure", "TH", "TD"}
ARMY, WARBAND = "t9a-2023/the-long-table", "ddm-2008/bramble-and-horn"


def elements(content: bytes) -> list[Part]:
    return all_parts(read_structure(content))


def all_parts(pages: list[ReadPage]) -> list[Part]:
    return [part for page in pages for top in page.parts for part in top.all()]


def assert_well_structured(content: bytes) -> None:
    pages, level = read_structure(content), 0
    for page in pages:
        assert sorted(page.spoken) == sorted(page.drawn)
        for text, marks in page.outside:
            assert "Artifact" in marks, text
    for part in all_parts(pages):
        kids = {kid.tag for kid in part.kids}
        if part.tag in ALONE:
            # A cell holds paragraphs only where something else than words stands in it.
            assert kids <= ({"P"} if part.tag in ("TH", "TD") else set()), part
        elif part.tag in WITHIN:
            assert part.kids, part
            assert kids <= WITHIN[part.tag], part
        else:
            assert not kids & {"TR", "TH", "TD"}, part
        if part.tag in ("H1", "H2", "H3", "H4"):
            assert part.text.strip(), part
            assert int(part.tag[1]) <= level + 1 or level == 0, part.text
            level = int(part.tag[1])


@pytest.mark.slow
@pytest.mark.parametrize("paper", ["A5", "letter"])
def test_several_sheets_on_other_paper_have_structure(paper):
    kinds = ",".join(kind for kind in KINDS if kind != "blank")
    fields = {"paper": paper, "backs": "1", "duplex": "1", "qr": "1"}
    content = pdf(example(WARBAND), kinds=kinds, **fields)
    assert_well_structured(content)
    assert broken_rules(content) == []


def test_a_pdf_has_headings_tables_and_figures_as_elements():
    # Parts are read in the order in which a player reads them.
    pages = read_structure(pdf(example(WARBAND), kinds="full"))
    parts = [(part.tag, part.text) for part in all_parts(pages)]
    start = parts.index(("H1", "Bramble and Horn"))
    assert parts[start + 4 : start + 9] == [
        ("H2", "Units"),
        ("H3", "Bramble Elder"),
        ("P", "48 points"),
        ("P", "Wild · Unaligned · Large · Rare"),
        ("Table", ""),
    ]
    assert [text for tag, text in parts[start + 9 :] if tag in ("TH", "TD")][:10] == [
        *("Lvl", "AC", "DEF", "Spd", "HP"),
        *("9", "23", "22", "5", "90"),
    ]
    # Statistics of armies are tables with a name to each row.
    tables = [one for one in elements(pdf(example(ARMY), kinds="full")) if one.tag == "Table"]
    cannon = next(one for one in tables if "Bombardier Crew" in {kid.text for kid in one.all()})
    heads, *rows = cannon.kids
    assert [cell.text for cell in heads.kids][:4] == ["Adv", "Mar", "Dis", "HP"]
    assert [row.kids[0].text for row in rows][:2] == ["Thunder Cannon", "Bombardier Crew"]
    assert {row.kids[0].tag for row in rows} == {"TH"}
    assert [cell.text for cell in rows[0].kids][1:4] == ['6"', '6"', "7"]
    # What is told on every page is ornament.
    outside = [{text.strip() for text, _marks in page.outside} for page in pages]
    assert [f"page {number} of 2" in found for number, found in enumerate(outside, 1)] == [True] * 2
    titles = [text for tag, text in parts if tag == "H2"]
    assert len({*titles}) == len(titles)
    # A code says where it leads.
    links = SheetLinks("https://lists.example/7")
    coded = Material(value_of(example(WARBAND)), shipped_library(), DAY, links)
    figures = [part for part in elements(print_list(coded, setup(kinds="full"))) if part.shows]
    assert [(part.tag, part.shows) for part in figures] == [("Figure", "https://lists.example/7")]


def test_the_file_has_an_outline_and_says_what_it_is():
    # The outline has chapters sections and units.
    read = PdfReader(BytesIO(pdf(example(WARBAND), kinds="full,cards")))
    full, below, cards, faces = read.outline
    assert (full.title, cards.title) == ("Full sheet", "Cards")
    assert (below[0].title, below[1][0].title) == ("Units", "Bramble Elder")
    assert faces[0].title == "Bramble Elder"
    assert read.trailer["/Root"]["/PageMode"] == "/UseOutlines"
    # A sheet of one page opens without its outline.
    read = PdfReader(BytesIO(pdf(example(WARBAND), kinds="compact")))
    assert len(read.pages) == 1
    assert read.trailer["/Root"]["/PageMode"] == "/UseNone"
    # A file says what it is twice in the same words.
    read = PdfReader(BytesIO(pdf(example(WARBAND) | {"name": "Horn & <Bramble>"}, kinds="full")))
    packet = read.trailer["/Root"]["/Metadata"].get_data().decode()
    told = ElementTree.fromstring(packet)  # noqa: S314  our own
    items = [one.text for one in told.iter("{http://www.w3.org/1999/02/22-rdf-syntax-ns#}li")]
    info = read.metadata
    assert items == [info.title, info.subject, info.author, "en"]
    assert (info.title, info.creator) == ("Horn & <Bramble>", "Army Builder")
    assert info.creation_date is None
    assert read.trailer["/Root"]["/MarkInfo"]["/Marked"].value is True
    assert read.trailer["/Root"]["/Lang"] == "en"


def test_a_packed_file_is_half_as_large(monkeypatch):
    plain, packed = plain_and_packed(monkeypatch, kinds="full,cards")
    assert plain.count(PACKED) > 500
    assert PACKED not in packed
    assert len(packed) < len(plain) / 2


@cache
def linked():
    links = SheetLinks("https://armybuilder.example/s/full/", "https://armybuilder.example/s/open/")
    told = Material(value_of(example(WARBAND)), shipped_library(), DAY, links)
    return print_list(told, setup(kinds="full,hidden", qr="1"))


def test_a_link_is_printed_as_it_is_shown():
    content = linked()
    assert broken_rules(content) == []
    links = [
        one.get_object()
        for page in PdfReader(BytesIO(content)).pages
        for one in page.get("/Annots", ())
    ]
    assert [int(link["/F"]) for link in links] == [4, 4]
    file = BytesIO()
    canvas = Canvas(file)
    canvas.drawString(100, 100, "Hello")
    canvas.linkURL("https://armybuilder.example/", (0, 0, 9, 9))
    canvas.save()
    with pytest.raises(KeyError, match="Metadata"):
        broken_rules(file.getvalue())


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ("old", "new", "clause"),
    [
        (b"%PDF-1.5\n%\x93\x8c\x8b\x9e", b"%PDF-1.5\n%abcd", "6.1.2"),
        (b"\nendstream", b" endstream", "6.1.7.1"),
        (b"/F 4", b"/F 2", "6.3.2"),
        (b"<pdfaid:part>2", b"<pdfaid:part>1", "6.6.4"),
        (b"<xmp:CreatorTool>Army", b"<xmp:CreatorTool>Navy", "6.6.3"),
        (b"/GTS_PDFA1", b"/GTS_PDFX1", "6.2.3"),
        (b"/FontFile2", b"/FontFile9", "6.2.11.4.1"),
        (b"/Flags 4 ", b"/Flags 8 ", "6.2.11.6"),
        (b"/ToUnicode", b"/ToUnicorn", "6.2.11.7.2"),
        (b"/FirstChar 0", b"/FirstChar 1", "6.2.11"),
    ],
)
def test_a_change_of_a_few_bytes_is_found(old, new, clause):
    content = linked()
    assert old in content
    found = broken_rules(content.replace(old, new))
    assert any(clause in rule for rule in found)


def objects(data):
    """The objects of a file by number, as other programs read them, without its table of places."""
    read = PdfReader(BytesIO(data))
    numbers = range(1, int(read.trailer["/Size"]))
    found = {number: IndirectObject(number, 0, read).get_object() for number in numbers}
    return {
        number: thing.get_data() if isinstance(thing, StreamObject) else _told(thing)
        for number, thing in found.items()
        if not (isinstance(thing, StreamObject) and thing.get("/Type") in ("/ObjStm", "/XRef"))
    }


def _told(thing):
    """An object in words, without the reader's own numbers in them."""
    return re.sub(r"(IndirectObject\(\d+, \d+), \d+", r"\1", str(thing))


def plain_and_packed(monkeypatch, **fields):
    """A file as ReportLab writes it, and packed."""
    army = material(example("t9a-2023/the-long-table"))
    packed = print_list(army, setup(**fields))
    monkeypatch.setattr(tagged, "pack", lambda data: data)
    return print_list(army, setup(**fields)), packed


@pytest.mark.slow
def test_every_object_is_as_it_was(monkeypatch):
    plain, packed = plain_and_packed(monkeypatch, kinds="full,cards,judge")
    assert objects(packed) == objects(plain)
    first, second = (PdfReader(BytesIO(data)) for data in (plain, packed))
    assert second.trailer["/ID"] == first.trailer["/ID"]
    assert second.metadata == first.metadata
    assert pages_of(packed) == pages_of(plain)


def test_a_file_without_structure_stays_as_it_is():
    file = BytesIO()
    canvas = Canvas(file, invariant=1)
    canvas.drawString(100, 100, "Hello")
    canvas.save()
    assert pack(file.getvalue()) == file.getvalue()


@pytest.mark.parametrize("data", [b"", b"%PDF-1.4\n", b"%PDF-1.7\nxref\n0 1\nstartxref\n9\n%%EOF"])
def test_another_file_is_refused(data):
    with pytest.raises(ValueError, match="ReportLab"):
        pack(data)
