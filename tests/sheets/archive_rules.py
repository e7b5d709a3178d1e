"""What PDF/A-2u (ISO 19005-2) asks of files such as ours: each rule that is broken, by its clause.

No validator is at hand where these tests run, so the rules stand here: those on everything that
our files have. What they never have, such as forms, films or files within, is refused as a whole.
"""

import io
import re
import struct
from collections.abc import Iterator
from typing import Any

from defusedxml import ElementTree
from pypdf import PdfReader
from pypdf.generic import DictionaryObject, IndirectObject

from tests.sheets.contents import letters_of, operations, string_of

#: What a catalog and a page may have.
_CATALOG = {"Type", "Pages", "Metadata", "OutputIntents", "Lang", "Outlines", "PageMode", "ID"}
_CATALOG |= {"StructTreeRoot", "MarkInfo", "ViewerPreferences", "PageLabels", "PageLayout", "Dests"}
_PAGE = {"Type", "Parent", "Contents", "Resources", "MediaBox", "Rotate", "Annots", "Tabs"}
_PAGE |= {"StructParents", "Trans", "CropBox"}
#: Operators of ISO 32000-1 that our pages draw with.
_OPERATORS = {
    *b"q Q cm w J j M d re m l c v y h S s f f* B B* b b* n W W* gs Do i ri".split(),
    *b"BT ET Tf Tm Td TL Tj T* Tr Tc Tw Tz Ts rg RG g G BDC BMC EMC".split(),
}
_NAMESPACE = {
    "pdfaid": "http://www.aiim.org/pdfa/ns/id/",
    "dc": "http://purl.org/dc/elements/1.1/",
    "pdf": "http://ns.adobe.com/pdf/1.3/",
    "xmp": "http://ns.adobe.com/xap/1.0/",
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
}
#: Keys that make files act, or look otherwise elsewhere.
_FORBIDDEN = {"/AA", "/OPI", "/Alternates", "/Ref", "/PresSteps", "/TR", "/HTP", "/BM", "/SMask"}
_MOST_NESTED = 28


def broken_rules(data: bytes) -> list[str]:
    """Return the rules that a file breaks."""
    read = PdfReader(io.BytesIO(data))
    found = [*_file(data, read), *_catalog(read), *_metadata(read), *_colours(read)]
    fonts: dict[int, _Font] = {}
    for number, page in enumerate(read.pages):
        found += [f"page {number}: {rule}" for rule in (*_page(page, fonts), *_links(page))]
    return found


def _file(data: bytes, read: PdfReader) -> Iterator[str]:
    if not re.match(rb"%PDF-1\.[0-7]\n%[\x80-\xff]{4}", data):
        yield "6.1.2 the file begins with its version and a comment of high bytes"
    if "/ID" not in read.trailer or "/Encrypt" in read.trailer:
        yield "6.1.3 the trailer has an ID and nothing is encrypted"
    if not re.search(rb"%%EOF(?:\r\n|\r|\n)?\Z", data) or data.count(b"%%EOF") != 1:
        yield "6.1.3 nothing follows the end of the file"
    places = re.search(rb"startxref\s+(\d+)\s", data)
    if not places or not re.match(rb"\d+ 0 obj\s+<< /Type /XRef ", data[int(places[1]) :]):
        yield "6.1.4 the table of places is a stream"
    if re.search(rb">>\s*stream(?!\r?\n)|(?<![\r\n])endstream\s", data):
        yield "6.1.7.1 line ends around streams"
    for number in range(1, int(read.trailer["/Size"])):
        thing = IndirectObject(number, 0, read).get_object()
        if isinstance(thing, DictionaryObject):
            yield from _object(thing)


def _object(thing: DictionaryObject) -> Iterator[str]:
    filters = thing.get("/Filter", [])
    for one in filters if isinstance(filters, list) else [filters]:
        if one not in ("/FlateDecode", "/ASCII85Decode", "/DCTDecode"):
            yield f"6.1.7.2 filter {one}"
    if {"/F", "/FFilter", "/FDecodeParms"} & set(thing) and thing.get("/Subtype") != "/Link":
        yield "6.1.7.1 no stream is in another file"
    if any(len(name.encode()) > 127 for name in thing):
        yield "6.1.13 long name"
    if _FORBIDDEN & set(thing):
        yield f"6.2 a key that is not allowed: {sorted(thing)}"
    if thing.get("/S") == "/JavaScript":
        yield "6.5.1 no script"


def _catalog(read: PdfReader) -> Iterator[str]:
    catalog = read.trailer["/Root"]
    more = {key[1:] for key in catalog} - _CATALOG
    if more:
        yield f"6 not known in a catalog: {sorted(more)}"
    if not re.fullmatch(r"[a-z]{2,3}(-[A-Za-z0-9]{2,8})*", str(catalog.get("/Lang", ""))):
        yield "6.7.4 language"
    if catalog.get("/MarkInfo", {}).get("/Marked") and "/StructTreeRoot" not in catalog:
        yield "6.7.3 a structure where marks are told"


def _metadata(read: PdfReader) -> Iterator[str]:
    stream = read.trailer["/Root"]["/Metadata"]
    text = stream.get_data().decode("utf-8")
    if "bytes=" in text.split("?>")[0] or "encoding=" in text.split("?>")[0]:
        yield "6.6.2.1 packet"
    tree = ElementTree.fromstring(re.sub(r"<\?xpacket.*?\?>", "", text, flags=re.S).strip())
    told = {
        "/Title": "dc:title/rdf:Alt/rdf:li",
        "/Subject": "dc:description/rdf:Alt/rdf:li",
        "/Author": "dc:creator/rdf:Seq/rdf:li",
        "/Creator": "xmp:CreatorTool",
        "/Producer": "pdf:Producer",
    }
    info = read.trailer["/Info"]
    for key, path in told.items():
        words = tree.findtext(f".//{path}", None, _NAMESPACE)
        if (words or "") != str(info.get(key, "")):
            yield f"6.6.3 {key} is {info.get(key)!r} and {words!r}"
    if set(info) - set(told):
        yield f"6.6.3 told in one place only: {sorted(set(info) - set(told))}"
    part = [tree.findtext(f".//pdfaid:{one}", "", _NAMESPACE) for one in ("part", "conformance")]
    if part != ["2", "U"]:
        yield f"6.6.4 {part}"


def _colours(read: PdfReader) -> Iterator[str]:
    (intent,) = read.trailer["/Root"]["/OutputIntents"]
    profile = intent.get_object()["/DestOutputProfile"].get_object()
    data = profile.get_data()
    good = profile["/N"] == 3 and data[36:40] == b"acsp" and data[16:20] == b"RGB "
    if intent.get_object()["/S"] != "/GTS_PDFA1" or not good or data[8] > 4:
        yield "6.2.3 output intent"
    if int.from_bytes(data[:4], "big") != len(data) or data[12:16] != b"mntr":
        yield "6.2.3 colour profile"


def _page(page: Any, known: dict[int, "_Font"]) -> Iterator[str]:
    more = {key[1:] for key in page} - _PAGE
    if more:
        yield f"6 not known in a page: {sorted(more)}"
    fonts: dict[bytes, _Font] = {}
    for name in page["/Resources"].get("/Font", {}):
        number = page["/Resources"]["/Font"].raw_get(name).idnum
        if number not in known:
            known[number] = _Font(page["/Resources"]["/Font"][name])
            yield from (f"{name}: {rule}" for rule in known[number].broken())
        fonts[name.encode()] = known[number]
    depth = 0
    font = None
    for operator, operands in operations(page.get_contents().get_data()):
        if operator not in _OPERATORS:
            yield f"6.2.2 operator {operator.decode()}"
        depth += (operator == b"q") - (operator == b"Q")
        if depth > _MOST_NESTED:
            yield "6.1.13 nested too deep"
        if operator == b"Tf":
            if operands[0] not in fonts:
                yield f"6.2.11.4.1 font {operands[0].decode()} is not in the file"
                return
            font = fonts[operands[0]]
        if operator == b"Tj" and font is not None:
            yield from font.badly_shown(string_of(operands[0]))


def _links(page: Any) -> Iterator[str]:
    for one in page.get("/Annots", ()):
        link = one.get_object()
        if link["/Subtype"] != "/Link" or link.get("/A", {}).get("/S", "/URI") != "/URI":
            yield "6.3.1 annotations are links"
        # Printed; not invisible, hidden, or otherwise on a screen.
        if int(link.get("/F", 0)) & 0b100100111 != 0b100:
            yield "6.3.2 flags of a link"


class _Font:
    """A font in the file: a TrueType font with codes of its own."""

    def __init__(self, font: Any) -> None:
        self.font = font
        self.descriptor = font["/FontDescriptor"].get_object() if "/FontDescriptor" in font else {}
        file = self.descriptor.get("/FontFile2")
        self.program = file.get_object().get_data() if file else b""
        self.tables = self._tables()
        self.codes = self._codes() if "cmap" in self.tables else {}
        self.letters = letters_of(font)

    def broken(self) -> Iterator[str]:
        if not self.program:
            yield "6.2.11.4.1 the font is not in the file"
            return
        if not int(self.descriptor["/Flags"]) & 4 or "/Encoding" in self.font:
            yield "6.2.11.6 a font with codes of its own is symbolic"
        if int.from_bytes(self._table("cmap")[2:4], "big") != 1:
            yield "6.2.11.6 one table of codes"
        if "/ToUnicode" not in self.font:
            yield "6.2.11.7.2 no letters"
        first, widths = int(self.font["/FirstChar"]), [float(one) for one in self.font["/Widths"]]
        if len(widths) != int(self.font["/LastChar"]) - first + 1:
            yield "6.2.11.2 as many widths as codes"
        per_em, advances = self._advances()
        for code, glyph in self.codes.items():
            if glyph and first <= code < first + len(widths):
                wide = advances[min(glyph, len(advances) - 1)] * 1000 / per_em
                if abs(wide - widths[code - first]) > 1:
                    yield f"6.2.11.5 code {code} is {wide} wide, said {widths[code - first]}"

    def badly_shown(self, text: bytes) -> Iterator[str]:
        """Yield which codes of a text have no glyph, or no letter that they stand for."""
        for code in sorted(set(text)):
            if not self.codes.get(code):
                yield f"6.2.11.8 no glyph for {code}"
            if self.letters.get(code, "\0") in "\0\ufeff\ufffe":
                yield f"6.2.11.7.2 no letter for {code}"

    def _tables(self) -> dict[str, tuple[int, int]]:
        count = int.from_bytes(self.program[4:6], "big")
        records = (struct.unpack(">4s3I", self.program[12 + 16 * n :][:16]) for n in range(count))
        return {tag.decode(): (offset, size) for tag, _sum, offset, size in records}

    def _table(self, tag: str) -> bytes:
        offset, size = self.tables[tag]
        return self.program[offset : offset + size]

    def _codes(self) -> dict[int, int]:
        """Return the glyph of each code, of a table of form 0 or 6."""
        cmap = self._table("cmap")
        table = cmap[int.from_bytes(cmap[8:12], "big") :]
        form = int.from_bytes(table[:2], "big")
        if form == 0:
            return dict(enumerate(table[6:262]))
        assert form == 6, form
        first, count = struct.unpack(">2H", table[6:10])
        return dict(enumerate(struct.unpack(f">{count}H", table[10 : 10 + 2 * count]), first))

    def _advances(self) -> tuple[int, list[int]]:
        per_em = int.from_bytes(self._table("head")[18:20], "big")
        count = int.from_bytes(self._table("hhea")[34:36], "big")
        hmtx = self._table("hmtx")
        return per_em, [int.from_bytes(hmtx[4 * n : 4 * n + 2], "big") for n in range(count)]
