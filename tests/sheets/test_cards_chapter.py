"""Cards among a list's other sheets: true sizes, backs that meet their fronts, and what a set-up
wants on them, read back from the finished PDF. That nothing on them is cut or covered is among the
promises of every printout (test_promises.py).
"""

from dataclasses import replace
from itertools import product

import pypdfium2
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

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
from armybuilder.sheets.content.setup import PAPERS
from armybuilder.sheets.content.unit_view import Lines, UnitView, Uses
from armybuilder.sheets.printing.printouts import print_list
from tests.effort import tries
from tests.languages.hiding import HIDDEN, hide_messages, names_in, strings, unhidden
from tests.pdfs import bookmarks, pages_of
from tests.sheets.finished import MM, flaws, margins, places, read, words_on
from tests.sheets.papers import (
    colours,
    document,
    example,
    fresh,
    legal_list,
    material,
    once,
    page_texts,
    pdf,
    practice,
    printed,
    setup,
)

pytestmark = pytest.mark.long

CARDS = {"kinds": "cards"}
BACKS = CARDS | {"backs": "1"}
#: Every paper, upright and across, with both sizes of cards.
PAGES = [
    CARDS | {"paper": paper, "landscape": landscape, "cards": cards}
    for paper, landscape, cards in product(PAPERS, "01", SIZES)
]
TABLE = "t9a-2023/the-long-table"
NOBODY = UnitView("", "X", 1, priced=False)

every_page = pytest.mark.parametrize("fields", PAGES, ids="-".join)


@once
def pages(listed, **fields):
    return read(pdf(listed, **fields))


def grid(fields):
    chosen = setup(**fields)
    return grid_of(chosen.page, SIZES[chosen.cards])


def fronts(fields):
    return places(grid(fields), grid(fields).fronts(), SIZES[setup(**fields).cards].zoom)


def backs(fields):
    return places(grid(fields), grid(fields).backs(), SIZES[setup(**fields).cards].zoom)


def card_texts(listed, **fields):
    shown = pages(listed, **CARDS, **fields)
    return "\n".join(words_on(page, place) for page in shown for place in fronts(CARDS))


FULL = {
    ("A4", "poker"): 9,
    ("letter", "poker"): 9,
    ("A5", "poker"): 4,
    ("A4", "A6"): 4,
    ("letter", "A6"): 4,
    ("A5", "A6"): 2,
}


@pytest.mark.one_in(9)
@every_page
def test_cards_of_true_size_fill_a_page_and_their_backs_name_them(fields):
    # As many cards stand on a page as fit with a margin around them.
    known = grid(fields)
    assert known.count == FULL[fields["paper"], fields["cards"]]
    assert min(known.left, known.low) >= MARGIN
    listed = legal_list(limit=400)
    # The last page has one card.
    listed["units"] += [
        practice("sunhill-chaplain", id=f"v{n}") for n in range(3, max(known.count, 4))
    ]
    one_side, both_sides = pages(listed, **fields), pages(listed, **fields, backs="1")
    page, *_, last = one_side
    assert all(words_on(page, place) for place in fronts(fields))
    is_used = [bool(words_on(last, place)) for place in fronts(fields)]
    assert is_used == [True] + [False] * (known.count - 1)
    # Cards have their true size between the cut marks.
    sides = sorted(((63, 88), (94, 132))[fields["cards"] == "A6"])
    assert sorted((known.wide / MM, known.tall / MM)) == pytest.approx(sides)
    upright = {round(rule.left, 2) for rule in page.rules if rule.right - rule.left < 0.001}
    level = {round(rule.low, 2) for rule in page.rules if rule.high - rule.low < 0.001}
    assert {round(x, 2) for x in known.columns()} <= upright
    assert {round(y, 2) for y in known.rows()} <= level
    foot = min(page.texts, key=lambda text: text.box.low)
    assert foot.words.startswith("page 1 of")
    assert not [rule for rule in page.rules if rule.low < foot.box.high]
    # All that is around cards stays on the page.
    for page in (*one_side, *both_sides):
        assert (page.width, page.height) == pytest.approx(setup(**fields).page, abs=0.01)
        assert flaws(page, margins(page, 1, bare=True)) == []
    # Each back names what is on its front and whose it is.
    names = ["Oresta the Unbowed", "Sunhill Chaplain", "4 × Millbrook Spearhand"]
    sides = []
    for front, back in zip(both_sides[::2], both_sides[1::2], strict=True):
        for there, here in zip(fronts(fields), backs(fields), strict=True):
            if on_back := words_on(back, here):
                assert "Chainmail 2002" in on_back
                assert "Test list" in on_back
                sides.append((words_on(front, there), on_back))
    assert len(sides) == len(listed["units"])
    for name, (front, back) in zip(names, sides, strict=False):
        assert name in front
        assert name in back
    assert "Reserve" in sides[3][1]


def test_backs_lie_behind_their_fronts_when_the_sheet_is_turned_on_its_long_edge():
    for fields in PAGES:
        (wide, high), known = setup(**fields).page, grid(fields)
        for front, back in zip(known.fronts(), known.backs(), strict=True):
            if wide < high:
                behind = (wide - front.x - known.wide, front.y)
            else:
                behind = (front.x, high - front.y - known.tall)
            assert (back.x, back.y) == pytest.approx(behind), fields


@pytest.mark.parametrize("landscape", ["0", "1"], ids=["upright", "across"])
@pytest.mark.parametrize("cards", SIZES)
def test_a_back_is_upright_when_its_card_is_turned_on_its_own_long_edge(cards, landscape):
    """On the paper the upper edges of front and back are one edge."""
    fields = BACKS | {"cards": cards, "landscape": landscape}
    front, back = pages(document(practice("sunhill-chaplain")), **fields)
    lead = next(text.box for text in front.texts if text.words.startswith("Sunhill"))
    game = next(text.box for text in back.texts if text.words == "Chainmail 2002")

    def towards_top(box, place):
        """In which direction of the paper's front the upper edge of a card lies."""
        across = (box.left + box.right - place.left - place.right) / (place.right - place.left)
        upright = (box.low + box.high - place.low - place.high) / (place.high - place.low)
        if grid(fields).turned:
            return ("x", across > 0)
        return ("y", upright > 0)

    axis, up = towards_top(lead, fronts(fields)[0])
    other_axis, other = towards_top(game, backs(fields)[0])
    mirrored = "y" if landscape == "1" else "x"
    assert axis == other_axis
    assert other == (not up if axis == mirrored else up)


def test_pages_of_cards_say_what_they_are():
    # Pages with backs say how they are printed.
    front, back = page_texts(legal_list(), **BACKS)
    assert "flipped on the long edge" in front
    assert "Backs of the cards on the page before" in back
    (alone,) = page_texts(legal_list(), **CARDS)
    assert "Print at actual size" in alone
    assert "long edge" not in alone
    # A list of nothing has a page that says so.
    (page,) = page_texts(document(), **BACKS)
    assert "There are no cards to print." in page
    # A file with cards is not to be scaled.
    root = printed(legal_list(), **CARDS).trailer["/Root"]
    assert root["/ViewerPreferences"]["/PrintScaling"] == "/None"
    # Every unit is bookmarked on the page of its first card.
    listed = document(*[practice("sunhill-chaplain", name=f"Number {n}") for n in range(11)])
    reader = printed(listed, **BACKS)
    marks = bookmarks(reader.outline)
    begins = {mark.title: reader.get_destination_page_number(mark) for mark in marks}
    assert begins == {f"Number {number}": 0 if number < 9 else 2 for number in range(11)}


@pytest.mark.one_in(3)
@pytest.mark.parametrize("before", ["full", "full,quick", "quick"])
def test_fronts_with_backs_begin_on_the_face_of_a_sheet_of_paper(before):
    texts = page_texts(legal_list(), kinds=f"{before},cards", backs="1")
    front = next(number for number, text in enumerate(texts) if "Print on both sides" in text)
    assert front % 2 == 0
    assert "Backs of the cards on the page before" in texts[front + 1]
    empty = [text for text in texts if "This page is left empty" in text]
    assert len(empty) == len(page_texts(legal_list(), kinds=before, backs="1")) % 2


def test_cards_without_prices_and_notes():
    # Cards without prices say no points.
    def prices(**fields):
        shown = pages(legal_list(), **CARDS, **fields)
        texts = {text.words for page in shown for text in page.texts}
        return texts & {"38", "points", "points each"}

    assert prices() == {"38", "points", "points each"}
    assert prices(prices="0") == set()
    assert "1 point on this list" in card_texts(legal_list())
    assert "on this list" not in card_texts(legal_list(), prices="0")
    # A price that is not known has no line where prices are left out.
    listed = document({"unit": "known-cards/human-templar", "models": 1})
    listed["books"] = [{"id": "known-cards"}]
    assert "Points" in card_texts(listed)
    without = card_texts(listed, prices="0")
    assert "Points" not in without
    assert "Alignment" in without
    # Notes stand on cards only where they are wanted.
    assert "broken spear" in card_texts(legal_list())
    assert "broken spear" not in card_texts(legal_list(), notes="0")


@pytest.mark.slow
def test_army_cards_without_prices_have_their_options_without_points():
    assert "Iron Fist 15" in card_texts(example(TABLE))
    without = card_texts(example(TABLE), prices="0")
    assert "Iron Fist, " in without
    assert "Iron Fist 15" not in without
    assert "points" not in without


def test_a_card_takes_as_much_room_as_it_needs():
    # Large letters take more cards and small ones leave room.
    def cards(size, lines):
        powers = tuple(f"Line {number:02}" for number in range(lines))
        face = Face(UnitView("", "X", 1, texts=(Lines("Powers", powers),)))
        return lay_out(face, CardFormat(scales=LETTERS[size]))

    def letters(size, lines):
        return cards(size, lines)[0].blocks[-1].size

    assert [len(cards(size, 16)) for size in ("small", "normal", "large")] == [1, 1, 2]
    assert letters("normal", 16) < letters("large", 22)
    assert letters("small", 3) < letters("normal", 3)
    # A portrait is an empty frame on the first card that takes what room is left.
    for size in SIZES.values():
        form = CardFormat(size, portrait=True)
        (short,) = lay_out(Face(NOBODY), form)
        (frame,) = short.blocks
        assert isinstance(frame, Portrait)
        assert frame.height > size.tall * 0.4
        lines = tuple(f"line {number}" for number in range(120))
        unit = replace(NOBODY, texts=(Lines("Powers", lines),))
        first, *others = lay_out(Face(unit), form)
        assert first.blocks[0].height >= size.tall * 0.2
        # Without portraits no card has a frame for one.
        for card in (*others, *lay_out(Face(NOBODY))):
            assert not any(isinstance(block, Portrait) for block in card.blocks)
    # An army unit has boxes for its health.
    units = [face.unit for face in material(example(TABLE)).faces]
    health = {unit.name: (unit.total_health, unit.boxes) for unit in units}
    assert (health["Yetis"], health["Scraplings"]) == ((9, 9), (35, 35))
    assert health["Great Khan"] == (5, 5)


def test_every_text_of_cards_is_translatable(monkeypatch):
    listed = legal_list()
    sheet = material(listed).sheet
    known = names_in("chainmail-2002/system", "chainmail-2002/practice")
    hide_messages(monkeypatch)
    content = print_list(fresh(listed), setup(kinds="full,cards", backs="1"))
    shown = " ".join(text for text in pages_of(content) if "Oresta" in text or HIDDEN in text)
    assert HIDDEN in shown
    left = unhidden(shown.replace(sheet.hash, ""), known | {*strings(listed), sheet.title})
    assert left == set()


def test_cards_follow_the_settings_for_ink_and_colour():
    # Plain pages hold greys: the three parts of a colour lie close together.
    def strongest(**fields):
        drawn = colours(printed(legal_list(), **BACKS, **fields))
        return max(max(colour) - min(colour) for colour in drawn)

    assert strongest() <= 0.15 < strongest(colour="1")
    # Outlined cards save ink.
    filled, outlined = (pdf(legal_list(), **BACKS, outlined=switch) for switch in "01")
    for before, after in zip(inked(filled), inked(outlined), strict=True):
        assert after < 0.75 * before


names = some.text(max_size=30) | some.sampled_from(["W" * 200, "шлем", "😀 שלום", "<b>Orc</b>", ""])


@settings(max_examples=tries(25))
@given(some.integers(0, 60), names, some.sampled_from(list(SIZES)), some.booleans())
def test_no_text_of_a_card_is_lost_at_any_size(count, title, size, portrait):
    powers = tuple(Uses(f"Ability{number:02}", 1) for number in range(count))
    face = Face(UnitView("", title, 1), powers=(("", powers),))
    cards = lay_out(face, CardFormat(SIZES[size], portrait=portrait))
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
