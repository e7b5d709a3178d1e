"""Packed files have the same objects as before, in much less room."""

import io
import re

import pytest
from pypdf import PdfReader
from pypdf.generic import IndirectObject, StreamObject
from reportlab.pdfgen.canvas import Canvas

from armybuilder.sheets.drawing import tagged
from armybuilder.sheets.drawing.tagged import PACKED, pack
from armybuilder.sheets.printing.printouts import print_list
from tests.sheets.printed import example, material, setup


def objects(data):
    """The objects of a file by number, as other programs read them, without its table of places."""
    read = PdfReader(io.BytesIO(data))
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


def both(monkeypatch, **fields):
    """A file as ReportLab writes it, and packed."""
    army = material(example("t9a-2023/the-long-table"))
    packed = print_list(army, setup(**fields))
    monkeypatch.setattr(tagged, "pack", lambda data: data)
    return print_list(army, setup(**fields)), packed


@pytest.mark.slow
def test_every_object_is_as_it_was(monkeypatch):
    plain, packed = both(monkeypatch, kinds="full,cards,judge")
    assert objects(packed) == objects(plain)
    first, second = (PdfReader(io.BytesIO(data)) for data in (plain, packed))
    assert second.trailer["/ID"] == first.trailer["/ID"]
    assert second.metadata == first.metadata
    assert [page.extract_text() for page in second.pages] == [
        page.extract_text() for page in first.pages
    ]


def test_a_packed_file_is_at_most_half_as_large(monkeypatch):
    plain, packed = both(monkeypatch, kinds="full,cards")
    assert plain.count(PACKED) > 500
    assert PACKED not in packed
    assert len(packed) < len(plain) / 2


def test_a_file_without_structure_stays_as_it_is():
    file = io.BytesIO()
    canvas = Canvas(file, invariant=1)
    canvas.drawString(100, 100, "Hello")
    canvas.save()
    assert pack(file.getvalue()) == file.getvalue()


@pytest.mark.parametrize("data", [b"", b"%PDF-1.4\n", b"%PDF-1.7\nxref\n0 1\nstartxref\n9\n%%EOF"])
def test_another_file_is_refused(data):
    with pytest.raises(ValueError, match="ReportLab"):
        pack(data)
