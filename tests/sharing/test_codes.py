"""QR codes on printouts and on the page of links lead to the frozen copy of that very list."""

from xml.etree import ElementTree

import pytest
from reportlab.lib.units import mm

from armybuilder.loading.library import shipped_library
from armybuilder.pages.printing.printing import query_of
from armybuilder.printing import setups
from armybuilder.sharing.models import Frozen, Share
from armybuilder.sheets.content.make import Material, SheetLinks
from armybuilder.sheets.content.setup import CODED, KINDS, SCALES, Setup
from armybuilder.sheets.drawing.blocks import Across
from armybuilder.sheets.drawing.qr import QUIET, QrCode, drawing_of, pattern_of
from armybuilder.sheets.drawing.typeface import load_fonts
from armybuilder.sheets.drawing.words import Words
from armybuilder.sheets.printing.printouts import print_list
from tests.building.documents import value_of
from tests.sharing.codes import codes_on
from tests.sharing.links import make_link, path_of
from tests.sheets import finished
from tests.sheets.papers import DAY, example, long_army

pytestmark = pytest.mark.long

LINKS = SheetLinks(
    full="http://testserver/shared/" + "f" * 43 + "/",
    open="http://testserver/shared/" + "o" * 43 + "/",
)


def printed(document, links=LINKS, **fields):
    load_fonts()
    material = Material(value_of(document), shipped_library(), DAY, links)
    return print_list(material, Setup(**fields))


@pytest.mark.one_in(21)
@pytest.mark.parametrize("kind", list(CODED))
def test_the_first_page_carries_a_code_with_the_short_hash_below(kind):
    document = example("sbh/gruks-green-flood")
    pdf = printed(document, kinds=(kind,))
    ((number, code),) = codes_on(pdf)
    assert number == 1
    assert code.address == getattr(LINKS, CODED[kind])
    assert code.pattern == pattern_of(code.address)
    texts = [text.words for text in finished.read(pdf, [1])[0].texts]
    material = Material(value_of(document), shipped_library(), DAY)
    sheet = material.open_sheet if CODED[kind] == "open" else material.sheet
    assert sheet.hash in texts


@pytest.mark.one_in(14)
@pytest.mark.parametrize("size", SCALES)
@pytest.mark.parametrize(("paper", "landscape"), [("A4", False), ("A5", False), ("A5", True)])
@pytest.mark.parametrize("kind", ["compact", "full"])
def test_a_code_is_large_enough_on_every_paper_and_overlaps_nothing(kind, paper, landscape, size):
    fields = {"kinds": (kind,), "paper": paper, "landscape": landscape, "size": size}
    pdf = printed(long_army(), **fields)
    ((_number, code),) = codes_on(pdf)
    assert code.side >= 20 * mm
    assert code.pattern == pattern_of(LINKS.full)
    page = finished.read(pdf, [1])[0]
    assert finished.flaws(page, finished.margins(page, Setup(**fields).scale, False)) == []


@pytest.mark.slow
def test_chapters_point_to_their_links_and_the_same_make_the_same_bytes():
    # Open chapters point to the open link alone and the others to the full one.
    army = long_army()
    pdf = printed(army, kinds=("hidden", "judge"))
    first, second = (code.address for _number, code in codes_on(pdf))
    assert (first, second) == (LINKS.open, LINKS.full)
    assert list(codes_on(printed(army, SheetLinks(full=LINKS.full), kinds=("hidden",)))) == []
    # Same list and link make the same bytes and other sheets have no code.
    document = example("sbh/gruks-green-flood")
    for kind in set(KINDS) - CODED.keys():
        assert list(codes_on(printed(document, kinds=(kind,)))) == [], kind
    assert printed(document) == printed(document)
    assert printed(document) != printed(document, SheetLinks(full=LINKS.open))


@pytest.mark.django_db
class TestOnThePrintPage:
    def test_looking_makes_no_link(self, chainmail):
        page = chainmail.client.get(f"{chainmail.url}print/?kinds=full&qr=1").text
        assert "Create a link for the QR code" in page
        pdf = chainmail.client.get(f"{chainmail.url}print.pdf?kinds=full&qr=1").content
        assert list(codes_on(pdf)) == []
        assert not Share.objects.exists()
        assert not Frozen.objects.exists()

    def test_the_button_makes_the_links_that_the_sheets_need(self, chainmail, other):
        query = query_of(Setup(kinds=("compact", "hidden", "quick"), qr=True))
        answer = chainmail.client.post(f"{chainmail.url}print/link/", {"query": query})
        assert answer["Location"] == f"{chainmail.url}print/?{query}"
        assert sorted(Share.objects.values_list("view", flat=True)) == ["full", "open"]
        page = chainmail.client.get(answer["Location"]).text
        assert "Create a link for the QR code" not in page
        pdf = chainmail.client.get(f"{chainmail.url}print.pdf?{query}").content
        views = []
        for _number, code in codes_on(pdf):
            assert code.pattern == pattern_of(code.address)
            path = code.address.removeprefix("http://testserver")
            link = next(one for one in Share.objects.all() if path_of(one) == path)
            assert other.get(path).status_code == 200
            assert link.frozen.document == chainmail.version.document
            views.append(link.view)
        assert views == ["full", "open"]

    def test_a_second_press_makes_nothing_more_and_a_changed_list_needs_another(self, chainmail):
        for _press in range(2):
            chainmail.client.post(f"{chainmail.url}print/link/", {"query": "kinds=full&qr=1"})
        assert Share.objects.count() == 1
        chainmail.act("add", ref="practice/walking-kiln")
        page = chainmail.client.get(f"{chainmail.url}print/?kinds=full&qr=1").text
        assert "Create a link for the QR code" in page
        assert list(codes_on(chainmail.client.get(f"{chainmail.url}print.pdf?qr=1").content)) == []

    def test_a_link_made_by_hand_serves_too_but_without_the_choice_nothing_is_printed(
        self, chainmail, django_assert_num_queries
    ):
        link = make_link(chainmail, what="frozen", view="full")
        pdf = chainmail.client.get(f"{chainmail.url}print.pdf?kinds=judge&qr=1").content
        ((_number, code),) = codes_on(pdf)
        assert code.pattern == pattern_of(f"http://testserver{path_of(link)}")
        address = f"{chainmail.url}print.pdf?kinds=full"
        assert list(codes_on(chainmail.client.get(address).content)) == []
        with django_assert_num_queries(3):
            chainmail.client.get(address)

    def test_pages_say_where_there_is_no_code_and_a_preset_keeps_the_choice(self, chainmail):
        page = chainmail.client.get(f"{chainmail.url}print/?kinds=cards&qr=1").text
        assert "None of these sheets has space for a QR code" in page
        list_id = str(chainmail.version.army_list_id)
        job = chainmail.client.post("/lists/chosen/", {"do": "print", "list": [list_id]})
        assert 'name="qr"' not in chainmail.client.get(job["Location"]).text
        fields = {"do": "save", "name": "Club", "query": "kinds=full&qr=1"}
        chainmail.client.post(f"{chainmail.url}print/setups/", fields)
        (kept,) = setups.setups_of(chainmail.version.army_list.holder)
        assert kept.setup.qr


@pytest.mark.slow
@pytest.mark.django_db
def test_a_frozen_link_prints_its_own_code_and_the_page_of_links_shows_all(chainmail, other):
    frozen = make_link(chainmail, what="frozen", view="open")
    ((_number, code),) = codes_on(other.get(f"{path_of(frozen)}list.pdf").content)
    assert code.pattern == pattern_of(f"http://testserver{path_of(frozen)}")
    current = make_link(chainmail, what="current", view="open")
    assert list(codes_on(other.get(f"{path_of(current)}list.pdf").content)) == []
    page = chainmail.client.get(f"{chainmail.url}share/").text
    assert f'alt="QR code of http://testserver{path_of(current)}"' in page
    picture = chainmail.client.get(f"{chainmail.url}share/{current.pk}/code.svg")
    assert picture["Content-Type"] == "image/svg+xml"
    assert picture.text == drawing_of(f"http://testserver{path_of(current)}")


@pytest.mark.slow
def test_with_the_longest_name_without_a_space_nothing_is_cut():
    for kind in ("compact", "judge"):
        document = example("sbh/gruks-green-flood") | {"name": "W" * 120}
        for fields in ({"paper": "A5", "size": "large"}, {"paper": "A5", "landscape": True}):
            pdf = printed(document, kinds=(kind,), **fields)
            ((_number, code),) = codes_on(pdf)
            assert code.pattern == pattern_of(LINKS.full), kind
            for page in finished.read(pdf):
                scale = Setup(**fields).scale
                assert finished.flaws(page, finished.margins(page, scale, False)) == [], kind


def test_codes_are_drawn_with_white_around_them_and_not_parted():
    # The drawing for pages shows the pattern with white around it.
    pattern = pattern_of(LINKS.full)
    drawing = ElementTree.fromstring(drawing_of(LINKS.full))  # noqa: S314  our own
    side = len(pattern) + 2 * QUIET
    assert drawing.get("viewBox") == f"0 0 {side} {side}"
    white, bars = drawing
    assert white.get("fill") == "#fff"
    assert (bars.get("d") or "").count("M") == sum(
        row[at] and not (at and row[at - 1]) for row in pattern for at in range(len(row))
    )
    # A row with an empty cell is not parted for ever.
    tall = QrCode(LINKS.full, "", 0.01)
    assert Across([tall, Words()], (0.5, 0.5)).split(300, 100) == []
