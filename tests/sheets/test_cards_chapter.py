"""Cards among a list's other sheets: true sizes, backs that meet their fronts, and what a set-up
wants on them, read back from the finished PDF.
"""

import io
import json
from dataclasses import replace
from functools import lru_cache
from itertools import combinations, product

import pypdfium2
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some
from pypdf import PdfReader

from armybuilder.loading.library import CATALOGUE_DIR, shipped_library
from armybuilder.sheets.cards.card_blocks import (
    LETTERS,
    MARGIN,
    SIZES,
    CardFormat,
    Portrait,
    grid_of,
)
from armybuilder.sheets.cards.card_layout import lay_out
from armybuilder.sheets.content.cards import Face
from armybuilder.sheets.content.make import Material
from armybuilder.sheets.content.setup import PAPERS, SCALES, Setup
from armybuilder.sheets.content.structure import Lines, Uses
from armybuilder.sheets.printing.printouts import print_list
from tests.building.documents import value_of
from tests.effort import tries
from tests.languages.hiding import HIDDEN, hide_messages, names_in, strings, unhidden
from tests.pdfs import bookmarks, pages_of
from tests.sheets.card_reader import MM, READABLE, Box, Page
from tests.sheets.papers import DAY, document, legal_list, practice

pytestmark = pytest.mark.long

LIBRARY = shipped_library()
CARDS = Setup(kinds=("cards",))
#: Every paper, upright and across, with both sizes of cards.
PAGES = [
    replace(CARDS, paper=paper, landscape=landscape, cards=cards)
    for paper, landscape, cards in product(PAPERS, (False, True), SIZES)
]
#: Where the text on a card of 63 by 88 mm begins, in millimetres from its edge.
EDGE = 1.9


def name_of(setup):
    return f"{setup.paper}-{'across' if setup.landscape else 'upright'}-{setup.cards}"


every_page = pytest.mark.parametrize("setup", PAGES, ids=map(name_of, PAGES))


def drawn(listed, setup=CARDS, **changes):
    return print_list(Material(value_of(listed), LIBRARY, DAY), replace(setup, **changes))


@lru_cache(maxsize=50)
def once_drawn(listed, setup):
    return drawn(json.loads(listed), setup)


def printed(listed, setup=CARDS, **changes):
    return once_drawn(json.dumps(listed), replace(setup, **changes))


def read(listed, setup=CARDS, **changes):
    reader = PdfReader(io.BytesIO(printed(listed, setup, **changes)))
    return [Page(page) for page in reader.pages]


def grid(setup):
    return grid_of(setup.page, SIZES[setup.cards])


def places(setup, spots):
    """The boxes of a page's cards, within their frames."""
    known = grid(setup)
    inset = EDGE * MM * SIZES[setup.cards].zoom - 0.1
    return [
        Box(x + inset, y + inset, x + known.wide - inset, y + known.tall - inset)
        for x, y, _ in spots
    ]


def fronts(setup):
    return places(setup, grid(setup).fronts())


def backs(setup):
    return places(setup, grid(setup).backs())


def said(page, place):
    return " ".join(box.text for box in page.texts if box.within(place))


def card_texts(pages, setup):
    return "\n".join(said(page, place) for page in pages for place in fronts(setup))


def examples():
    for file in sorted(CATALOGUE_DIR.glob("*/examples/*.json")):
        yield pytest.param(json.loads(file.read_text("utf-8")), id=f"{file.parts[-3]}-{file.stem}")


def assert_well_laid(page, setup, where):
    """Every text stands on one card or in the margin, on the paper, and covers no other."""
    known = grid(setup)
    block = Box(known.columns()[0], known.rows()[0], known.columns()[-1], known.rows()[-1])
    paper = Box(3 * MM, 3 * MM, page.size[0] - 3 * MM, page.size[1] - 3 * MM)
    for box in page.texts:
        assert box.size >= READABLE - 0.001, box
        assert box.within(paper), box
        assert not box.overlaps(block) or any(box.within(place) for place in where), box
    for one, other in combinations(page.texts, 2):
        assert not one.overlaps(other), (one, other)
    for box in page.boxes:
        assert not any(box.overlaps(text) for text in page.texts), box


def assert_all_well_laid(listed, setup):
    for number, page in enumerate(read(listed, setup)):
        back = setup.backs and number % 2
        assert_well_laid(page, setup, backs(setup) if back else fronts(setup))


FULL = {
    ("A4", "poker"): 9,
    ("letter", "poker"): 9,
    ("A5", "poker"): 4,
    ("A4", "A6"): 4,
    ("letter", "A6"): 4,
    ("A5", "A6"): 2,
}


@pytest.mark.one_in(3)
@every_page
def test_cards_of_true_size_fill_a_page_and_their_backs_name_them(setup):
    # As many cards stand on a page as fit with a margin around them.
    known = grid(setup)
    assert known.count == FULL[setup.paper, setup.cards]
    assert min(known.left, known.low) >= MARGIN
    units = [practice("sunhill-chaplain")] * (known.count + 1)
    first, second = read(document(*units), setup)
    assert all("Sunhill Chaplain" in said(first, place) for place in fronts(setup))
    assert [bool(said(second, place)) for place in fronts(setup)] == [True] + [False] * (
        known.count - 1
    )
    # Cards have their true size between the cut marks.
    sides = sorted(((63, 88), (94, 132))[setup.cards == "A6"])
    assert sorted((known.wide / MM, known.tall / MM)) == pytest.approx(sides)
    (page, *_) = read(legal_list(), setup)
    upright = {round(x1, 2) for x1, y1, x2, y2 in page.lines if abs(x1 - x2) < 0.001}
    level = {round(y1, 2) for x1, y1, x2, y2 in page.lines if abs(y1 - y2) < 0.001}
    assert {round(x, 2) for x in known.columns()} <= upright
    assert {round(y, 2) for y in known.rows()} <= level
    foot = min(page.texts, key=lambda box: box.low)
    assert foot.text.startswith("page 1 of")
    assert not [line for line in page.lines if min(line[1], line[3]) < foot.high]
    # Each back names what is on its front and whose it is.
    pages = read(legal_list(), setup, backs=True)
    names = ["Oresta the Unbowed", "Sunhill Chaplain", "4 × Millbrook Spearhand"]
    found = []
    for front, back in zip(pages[::2], pages[1::2], strict=True):
        for there, here in zip(fronts(setup), backs(setup), strict=True):
            if told := said(back, here):
                assert "Chainmail 2002" in told
                assert "Test list" in told
                found.append((said(front, there), told))
    assert len(found) == 4
    for name, (front, back) in zip(names, found, strict=False):
        assert name in front
        assert name in back
    assert "Reserve" in found[3][1]


@every_page
def test_backs_lie_behind_their_fronts_when_the_sheet_is_turned_on_its_long_edge(setup):
    wide, high = setup.page
    known = grid(setup)
    for front, back in zip(known.fronts(), known.backs(), strict=True):
        if wide < high:
            assert back.x + known.wide == pytest.approx(wide - front.x)
            assert back.y == pytest.approx(front.y)
        else:
            assert back.y + known.tall == pytest.approx(high - front.y)
            assert back.x == pytest.approx(front.x)


@pytest.mark.parametrize("landscape", [False, True], ids=["upright", "across"])
@pytest.mark.parametrize("cards", SIZES)
def test_a_back_is_upright_when_its_card_is_turned_on_its_own_long_edge(cards, landscape):
    """On the paper the upper edges of front and back are one edge."""
    setup = replace(CARDS, cards=cards, landscape=landscape, backs=True)
    front, back = read(document(practice("sunhill-chaplain")), setup)
    lead = next(box for box in front.texts if box.text.startswith("Sunhill"))
    game = next(box for box in back.texts if box.text == "Chainmail 2002")

    def towards_top(box, place):
        """In which direction of the paper's front the upper edge of a card lies."""
        across = (box.left + box.right - place.left - place.right) / (place.right - place.left)
        upright = (box.low + box.high - place.low - place.high) / (place.high - place.low)
        if grid(setup).turned:
            return ("x", across > 0)
        return ("y", upright > 0)

    axis, up = towards_top(lead, fronts(setup)[0])
    other_axis, other = towards_top(game, backs(setup)[0])
    mirrored = "y" if landscape else "x"
    assert axis == other_axis
    assert other == (not up if axis == mirrored else up)


def test_pages_of_cards_say_what_they_are():
    # Pages with backs say how they are printed.
    front, back = read(legal_list(), backs=True)
    assert any("flipped on the long edge" in box.text for box in front.texts)
    assert any("Backs of the cards on the page before" in box.text for box in back.texts)
    (alone,) = read(legal_list())
    assert any("Print at actual size" in box.text for box in alone.texts)
    assert not any("long edge" in box.text for box in alone.texts)
    # A list of nothing has a page that says so.
    (page,) = read(document(), backs=True)
    assert "There are no cards to print." in " ".join(box.text for box in page.texts)
    # A file with cards is not to be scaled.
    root = PdfReader(io.BytesIO(printed(legal_list()))).trailer["/Root"]
    assert root["/ViewerPreferences"]["/PrintScaling"] == "/None"
    # Every unit is bookmarked on the page of its first card.
    listed = document(*[practice("sunhill-chaplain", name=f"Number {n}") for n in range(11)])
    reader = PdfReader(io.BytesIO(printed(listed, backs=True)))
    told = {
        mark.title: reader.get_destination_page_number(mark) for mark in bookmarks(reader.outline)
    }
    assert told == {f"Number {number}": 0 if number < 9 else 2 for number in range(11)}


@pytest.mark.one_in(3)
@pytest.mark.parametrize("before", ["full", "full,quick", "quick"])
def test_fronts_with_backs_begin_on_the_face_of_a_sheet_of_paper(before):
    kinds = (*before.split(","), "cards")
    content = printed(legal_list(), kinds=kinds, backs=True)
    told = pages_of(content)
    front = next(number for number, text in enumerate(told) if "Print on both sides" in text)
    assert front % 2 == 0
    assert "Backs of the cards on the page before" in told[front + 1]
    empty = [text for text in told if "This page is left empty" in text]
    alone = pages_of(printed(legal_list(), kinds=kinds[:-1]))
    assert len(empty) == len(alone) % 2


@pytest.mark.one_in(8)
@pytest.mark.parametrize("listed", list(examples()))
def test_cards_of_every_example_are_well_laid(listed):
    assert_all_well_laid(listed, CARDS)
    assert_all_well_laid(listed, replace(CARDS, cards="A6", portraits=True, backs=True))


@pytest.mark.one_in(11)
@every_page
@pytest.mark.parametrize("size", SCALES)
def test_cards_are_well_laid_on_every_paper(setup, size):
    assert_all_well_laid(legal_list(), replace(setup, backs=True, size=size))


def test_cards_without_prices_and_notes():
    # Cards without prices say no points.
    def prices(pages):
        texts = {box.text for page in pages for box in page.texts}
        return {text for text in texts if text in ("38", "points", "points each")}

    assert prices(read(legal_list())) == {"38", "points", "points each"}
    assert prices(read(legal_list(), prices=False)) == set()
    assert "1 point on this list" in card_texts(read(legal_list()), CARDS)
    assert "on this list" not in card_texts(read(legal_list(), prices=False), CARDS)
    # A price that is not known has no line where prices are left out.
    listed = document({"unit": "known-cards/human-templar", "models": 1})
    listed["books"] = [{"id": "known-cards"}]
    assert "Points" in card_texts(read(listed), CARDS)
    told = card_texts(read(listed, prices=False), CARDS)
    assert "Points" not in told
    assert "Alignment" in told
    # Notes stand on cards only where they are wanted.
    assert "broken spear" in card_texts(read(legal_list()), CARDS)
    assert "broken spear" not in card_texts(read(legal_list(), notes=False), CARDS)


@pytest.mark.slow
def test_army_cards_without_prices_have_their_options_without_points():
    file = CATALOGUE_DIR / "t9a-2023/examples/the-long-table.json"
    listed = json.loads(file.read_text("utf-8"))
    assert "Iron Fist 15" in card_texts(read(listed), CARDS)
    told = card_texts(read(listed, prices=False), CARDS)
    assert "Iron Fist, " in told
    assert "Iron Fist 15" not in told
    assert "points" not in told


def test_large_letters_take_more_cards_and_small_ones_leave_room():
    def cards(size, lines):
        told = tuple(f"Line {number:02}" for number in range(lines))
        return lay_out(
            Face(title="X", texts=(Lines("Powers", told),)), CardFormat(scales=LETTERS[size])
        )

    def letters(size, lines):
        return cards(size, lines)[0].blocks[-1].size

    assert [len(cards(size, 18)) for size in ("small", "normal", "large")] == [1, 1, 2]
    assert letters("normal", 18) < letters("large", 22)
    assert letters("small", 3) < letters("normal", 3)


@pytest.mark.parametrize("size", SIZES)
def test_a_portrait_is_an_empty_frame_on_the_first_card_that_takes_what_room_is_left(size):
    form = CardFormat(SIZES[size], portrait=True)
    (short,) = lay_out(Face(title="X"), form)
    (frame,) = short.blocks
    assert isinstance(frame, Portrait)
    assert frame.height > SIZES[size].tall * 0.4
    lines = tuple(f"line {number}" for number in range(120))
    first, *others = lay_out(Face(title="X", texts=(Lines("Powers", lines),)), form)
    assert first.blocks[0].height >= SIZES[size].tall * 0.2
    for card in others:
        assert not any(isinstance(block, Portrait) for block in card.blocks)


def test_an_army_has_boxes_and_only_portraits_have_frames():
    # An army unit has boxes for its health or a line where it is much.
    file = CATALOGUE_DIR / "t9a-2023/examples/the-long-table.json"
    faces = Material(value_of(json.loads(file.read_text("utf-8"))), LIBRARY, DAY).faces
    health = {face.title: (face.health.each, face.health.boxes) for face in faces}
    assert health["Yetis"] == (9, 9)
    assert health["Scraplings"] == (35, 0)
    assert health["Great Khan"] == (5, 5)
    # Without portraits no card has a frame for one.
    (card,) = lay_out(Face(title="X"))
    assert not any(isinstance(block, Portrait) for block in card.blocks)


def test_cards_say_nothing_that_was_not_looked_up(monkeypatch):
    listed = legal_list()
    material = Material(value_of(listed), LIBRARY, DAY)
    name, number, known = (
        material.sheet.title,
        material.sheet.hash,
        names_in("chainmail-2002/system", "chainmail-2002/practice"),
    )
    hide_messages(monkeypatch)
    content = drawn(listed, kinds=("full", "cards"), backs=True)
    told = " ".join(text for text in pages_of(content) if "Oresta" in text or HIDDEN in text)
    assert HIDDEN in told
    assert unhidden(told.replace(number, ""), known | set(strings(listed)) | {name}) == set()


def test_ink_and_colours_are_as_wanted_and_bytes_the_same():
    # The same cards have the same bytes.
    setup = replace(CARDS, backs=True, portraits=True, colour=True)
    assert drawn(legal_list(), setup) == drawn(legal_list(), setup)
    # Colours are used only where they are wanted: Plain pages hold greys: the three parts of a
    # colour lie close together.

    def colours(content):
        found = set()
        for page in PdfReader(io.BytesIO(content)).pages:
            words = page.get_contents().get_data().decode("latin-1").split()
            for place, word in enumerate(words):
                if word in ("rg", "RG"):
                    found.add(tuple(map(float, words[place - 3 : place])))
        return {colour for colour in found if max(colour) - min(colour) > 0.15}

    assert colours(printed(legal_list(), backs=True)) == set()
    assert colours(printed(legal_list(), backs=True, colour=True)) != set()
    # Outlined cards save ink.
    filled, outlined = (printed(legal_list(), backs=True, outlined=told) for told in (False, True))
    for before, after in zip(inked(filled), inked(outlined), strict=True):
        assert after < 0.75 * before


names = some.text(max_size=30) | some.sampled_from(["W" * 200, "шлем", "😀 שלום", "<b>Orc</b>", ""])


@settings(max_examples=tries(25), deadline=None, suppress_health_check=list(HealthCheck))
@given(
    some.lists(some.tuples(names, names, some.integers(1, 60)), min_size=1, max_size=5),
    some.sampled_from(PAGES),
    some.sampled_from(list(LETTERS)),
    some.booleans(),
)
def test_cards_of_any_list_are_well_laid(units, setup, size, portraits):
    entries = [
        practice("millbrook-spearhand", models, name=name, notes=notes)
        for name, notes, models in units
    ]
    listed = document(*entries, name=units[0][0])
    assert_all_well_laid(listed, replace(setup, size=size, portraits=portraits, backs=True))


@settings(max_examples=tries(25), deadline=None)
@given(some.integers(0, 60), names, some.sampled_from(list(SIZES)), some.booleans())
def test_nothing_of_a_face_is_lost_in_any_size(count, title, size, portrait):
    powers = tuple(Uses(f"Ability{number:02}", 1) for number in range(count))
    cards = lay_out(Face(title=title, abilities=powers), CardFormat(SIZES[size], portrait=portrait))
    room = SIZES[size].frame_height
    for card in cards:
        used = sum(block.height + card.gap for block in card.blocks) - card.gap
        assert used + card.band.height + card.foot.height <= room + 0.01
    runs = [
        piece.piece.text
        for card in cards
        for block in card.blocks
        for line in getattr(block, "lines", ())
        for piece in line
    ]
    assert sum(text.startswith("Ability") for text in runs) == count


def inked(content):
    """The share of each page that is dark."""
    document = pypdfium2.PdfDocument(content)
    try:
        for page in document:
            tones = page.render(grayscale=True).to_pil().histogram()
            yield sum(tones[:128]) / sum(tones)
    finally:
        document.close()
