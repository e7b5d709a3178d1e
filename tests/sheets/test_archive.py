"""Files that archives take; files that break the rules are told from them."""

import io
from functools import cache

import pytest
from pypdf import PdfReader
from reportlab.pdfgen.canvas import Canvas

from armybuilder.loading.library import shipped_library
from armybuilder.sheets.content.make import Material, SheetLinks
from armybuilder.sheets.printing.printouts import print_list
from tests.building.documents import value_of
from tests.sheets.archive_rules import broken_rules
from tests.sheets.papers import DAY
from tests.sheets.printed import example, fresh, pdf, setup

WARBAND = "ddm-2008/bramble-and-horn"


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
        for page in PdfReader(io.BytesIO(content)).pages
        for one in page.get("/Annots", ())
    ]
    assert [int(link["/F"]) for link in links] == [4, 4]


def test_a_plain_file_breaks_many_rules():
    file = io.BytesIO()
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


def test_a_file_is_the_same_each_time():
    again = print_list(fresh(example(WARBAND)), setup(kinds="full"))
    assert again == pdf(example(WARBAND), kinds="full")
