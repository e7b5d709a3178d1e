"""What a PDF tells of its structure, as another program reads it: every text belongs to an element
or is ornament, elements stand in each other as they may, headings skip no level.
"""

from io import BytesIO
from xml.etree import ElementTree

import pytest
from pypdf import PdfReader

from armybuilder.loading.library import shipped_library
from armybuilder.sheets.content.make import Material, SheetLinks
from armybuilder.sheets.content.setup import KINDS
from armybuilder.sheets.printing.printouts import print_list
from tests.building.documents import value_of
from tests.sheets.archive_rules import broken_rules
from tests.sheets.papers import DAY
from tests.sheets.printed import example, material, pdf, setup
from tests.sheets.structure_reader import Part, read_structure

#: In which elements each may stand; in any of these where it is left out.
WITHIN = {"Table": {"TR"}, "TR": {"TH", "TD"}}
ALONE = {"H1", "H2", "H3", "H4", "P", "Figure", "TH", "TD"}
ARMY, WARBAND = "t9a-2023/the-long-table", "ddm-2008/bramble-and-horn"


def elements(content: bytes) -> list[Part]:
    return [one for page in read_structure(content) for part in page.parts for one in part.all()]


def headings(content: bytes) -> list[tuple[str, str]]:
    return [(one.tag, one.text) for one in elements(content) if one.tag in ("H1", "H2", "H3", "H4")]


def assert_well_structured(content: bytes) -> None:
    for page in read_structure(content):
        assert sorted(page.spoken) == sorted(page.drawn)
        for text, marks in page.outside:
            assert "Artifact" in marks, text
    for one in elements(content):
        kids = {kid.tag for kid in one.kids}
        if one.tag in ALONE:
            # A cell holds paragraphs only where something else than words stands in it.
            assert kids <= ({"P"} if one.tag in ("TH", "TD") else set()), one
        elif one.tag in WITHIN:
            assert one.kids, one
            assert kids <= WITHIN[one.tag], one
        else:
            assert not kids & {"TR", "TH", "TD"}, one
        if one.tag in ("H1", "H2", "H3", "H4"):
            assert one.text.strip(), one
    level = 0
    for tag, text in headings(content):
        assert int(tag[1]) <= level + 1 or level == 0, text
        level = int(tag[1])


@pytest.mark.parametrize("paper", ["A5", pytest.param("letter", marks=pytest.mark.slow)])
def test_several_sheets_on_other_paper_do(paper):
    kinds = ",".join(kind for kind in KINDS if kind != "blank")
    fields = {"paper": paper, "backs": "1", "duplex": "1", "qr": "1"}
    content = pdf(example(WARBAND), kinds=kinds, **fields)
    assert_well_structured(content)
    assert broken_rules(content) == []


def test_what_elements_there_are():
    # Parts are read in the order in which a player reads them.
    told = [(one.tag, one.text) for one in elements(pdf(example(WARBAND), kinds="full"))]
    start = told.index(("H1", "Bramble and Horn"))
    assert told[start + 4 : start + 9] == [
        ("H2", "Units"),
        ("H3", "Bramble Elder"),
        ("P", "48 points"),
        ("P", "Wild · Unaligned · Large · Rare"),
        ("Table", ""),
    ]
    assert [text for tag, text in told[start + 9 :] if tag in ("TH", "TD")][:10] == [
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
    pages = read_structure(pdf(example(WARBAND), kinds="full"))
    outside = [{text.strip() for text, _marks in page.outside} for page in pages]
    assert [f"page {number} of 3" in found for number, found in enumerate(outside, 1)] == [True] * 3
    assert {"Special rules", "continued"} <= outside[1]
    titles = [one.text for one in elements(pdf(example(WARBAND), kinds="full")) if one.tag == "H2"]
    assert titles.count("Special rules") == 1
    # A code says where it leads.
    links = SheetLinks("https://lists.example/7")
    document = value_of(example(WARBAND))
    coded = Material(document, shipped_library(), DAY, links)
    figures = [one for one in elements(print_list(coded, setup(kinds="full"))) if one.shows]
    assert [(one.tag, one.shows) for one in figures] == [("Figure", "https://lists.example/7")]


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


def test_without_tags_a_file_looks_the_same_and_is_smaller():
    found = material(example(ARMY))
    plain, tagged = (print_list(found, setup(kinds="full"), tagged=told) for told in (False, True))
    assert "/StructTreeRoot" not in PdfReader(BytesIO(plain)).trailer["/Root"]
    assert len(plain) < 0.8 * len(tagged)
    texts = [
        [page.extract_text() for page in PdfReader(BytesIO(one)).pages] for one in (plain, tagged)
    ]
    assert texts[0] == texts[1]
