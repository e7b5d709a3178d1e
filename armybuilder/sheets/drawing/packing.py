"""Files made smaller: the many small objects of a structure packed together (ISO 32000-1, 7.5.7).

ReportLab writes each object by itself and a line of twenty bytes that tells where it is; of a list
with cards the structure has some thousands. Here they become one compressed stream, and the table
of places another.
"""

import re
import zlib
from collections.abc import Mapping

#: Objects that may be packed begin like this: elements of a structure.
PACKED = b"<< /S /"

_TABLE = re.compile(rb"xref\n0 (\d+)\n")
_START = re.compile(rb"startxref\n(\d+)\n%%EOF\s*\Z")
_HEAD = re.compile(rb"\d+ 0 obj\n")
_TRAILER = re.compile(rb"/ID \n(?P<id>\[<\w+><\w+>\])|/(?P<key>Info|Root) (?P<number>\d+) 0 R")
_OLD, _NEW = b"%PDF-1.4", b"%PDF-1.5"


def pack(pdf: bytes) -> bytes:
    """Return a file of ReportLab's with its structure packed. Raises ValueError for others."""
    start = _START.search(pdf)
    table = _TABLE.match(pdf, int(start[1])) if start else None
    if start is None or table is None or int(table[1]) < 2:
        raise ValueError("not as ReportLab writes files")
    objects = _objects(pdf, table)
    small = {number: text for number, text in objects.items() if text.startswith(PACKED)}
    if not small:
        return pdf
    largest = max(objects)
    bundle, places = largest + 1, largest + 2
    found: dict[int, tuple[int, int, int]] = {0: (0, 0, 65535)}
    found |= {number: (2, bundle, order) for order, number in enumerate(small)}
    head = pdf[: min(_offsets(pdf, table).values())]
    parts = [head.replace(_OLD, _NEW, 1)]
    here = len(parts[0])
    large = {number: text for number, text in objects.items() if number not in small}
    for number, text in (large | {bundle: _bundle(small)}).items():
        found[number] = (1, here, 0)
        parts.append(b"%d 0 obj\n%b" % (number, text))
        here += len(parts[-1])
    found[places] = (1, here, 0)
    parts.append(b"%d 0 obj\n%b" % (places, _places(found, pdf[start.start() - 600 : start.end()])))
    parts.append(b"startxref\n%d\n%%%%EOF\n" % here)
    return b"".join(parts)


def _offsets(pdf: bytes, table: re.Match[bytes]) -> dict[int, int]:
    """Return where each object begins."""
    rows = range(1, int(table[1]))
    first = table.end()
    return {row: int(pdf[first + 20 * row : first + 20 * row + 10]) for row in rows}


def _objects(pdf: bytes, table: re.Match[bytes]) -> dict[int, bytes]:
    """Return the objects by number, without the line that begins them."""
    offsets = _offsets(pdf, table)
    ordered = sorted(offsets, key=lambda number: offsets[number])
    ends = [offsets[number] for number in ordered[1:]] + [table.start()]
    objects = {}
    for number, end in zip(ordered, ends, strict=True):
        head = _HEAD.match(pdf, offsets[number])
        if head is None:
            raise ValueError(f"object {number} is not where it should be")
        objects[number] = pdf[head.end() : end]
    return objects


def _bundle(small: Mapping[int, bytes]) -> bytes:
    """Return the stream of the small objects: their numbers and places, then the objects."""
    texts = [text.removesuffix(b"endobj\n") for text in small.values()]
    pairs, here = [], 0
    for number, text in zip(small, texts, strict=True):
        pairs.append(b"%d %d" % (number, here))
        here += len(text)
    index = b" ".join(pairs) + b"\n"
    head = b"/Type /ObjStm /N %d /First %d" % (len(small), len(index))
    return _stream(head, index + b"".join(texts))


def _places(found: Mapping[int, tuple[int, int, int]], end: bytes) -> bytes:
    """Return the stream of all places, with what a file's trailer has."""
    trailer = {match["key"]: match["number"] for match in _TRAILER.finditer(end) if match["key"]}
    told = next(match["id"] for match in _TRAILER.finditer(end) if match["id"])
    rows = b"".join(
        b"%b%b%b" % (kind.to_bytes(1, "big"), place.to_bytes(4, "big"), more.to_bytes(2, "big"))
        for kind, place, more in (found[number] for number in sorted(found))
    )
    head = b"/Type /XRef /W [1 4 2] /Size %d /Root %b 0 R /Info %b 0 R /ID %b" % (
        len(found),
        trailer[b"Root"],
        trailer[b"Info"],
        told,
    )
    return _stream(head, rows)


def _stream(head: bytes, data: bytes) -> bytes:
    packed = zlib.compress(data)
    start = b"<< %b /Filter /FlateDecode /Length %d >>" % (head, len(packed))
    return b"%b\nstream\n%b\nendstream\nendobj\n" % (start, packed)
