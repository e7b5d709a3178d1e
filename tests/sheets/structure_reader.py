"""The structure of a PDF as PDFium, a reader's own engine, finds it: elements with their texts, and
what is drawn on the pages outside of them.
"""

import ctypes
from collections.abc import Iterator
from dataclasses import dataclass, field

import pypdfium2
import pypdfium2.raw as pdfium


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
