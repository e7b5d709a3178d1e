"""Printed cards, read back from the finished PDF as a reader and a pair of scissors would."""

import io
from dataclasses import replace
from functools import lru_cache
from itertools import combinations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some
from pypdf import PdfReader

from armybuilder.engine.abilities import AbilityUse, Spell
from armybuilder.engine.vocabulary import TextPart
from armybuilder.loading.library import shipped_library
from armybuilder.loading.unit_fields import price_remark
from armybuilder.sheets.cards.card_blocks import even_rows
from armybuilder.sheets.cards.cards_pdf import NO_CARDS, draw_cards
from armybuilder.sheets.content.cards import (
    Face,
    Health,
    StatBlock,
    blank_faces,
    faces_of_book,
    faces_of_list,
    faces_of_units,
)
from armybuilder.sheets.content.setup import CARD_PAPERS
from armybuilder.sheets.content.structure import Lines, Named, StatCell, Uses
from armybuilder.sheets.drawing.typeface import printable
from tests.building.documents import value_of
from tests.effort import tries
from tests.sheets.card_reader import CARD, READABLE, Box, Page
from tests.sheets.papers import document, practice
from tests.sheets.test_pdf import HOSTILE

pytestmark = pytest.mark.long

LIBRARY = shipped_library()
CHAINMAIL = LIBRARY.systems["chainmail-2002"]
PRACTICE = LIBRARY.books["chainmail-2002"]["practice"]


def pages(faces, paper="A4"):
    return once_read(tuple(faces), paper)


@lru_cache(maxsize=20)
def once_read(faces, paper):
    return [Page(page) for page in PdfReader(io.BytesIO(draw_cards(faces, paper))).pages]


def all_text(faces):
    """The texts of all cards run together, without spaces: lines break anywhere."""
    texts = (box.text for page in pages(faces) for card in page.cards for box in page.on(card))
    return "".join("".join(texts).split())


def assert_well_laid(faces, paper="A4"):
    """Nothing is too small, stands out of its card, or covers anything else."""
    for page in pages(faces, paper):
        placed = [(card, page.on(card)) for card in page.cards]
        loose = [box for box in page.texts if not any(box in texts for _, texts in placed)]
        assert len(loose) == 1, loose  # the line below the cards
        assert all(box.size >= READABLE - 0.001 for box in page.texts)
        assert all(any(box.within(card) for card in page.cards) for box in page.boxes)
        for _, texts in placed:
            for one, other in combinations(texts, 2):
                assert not one.overlaps(other), (one, other)
        for box in page.boxes:
            assert not any(box.overlaps(text) for text in page.texts), box


def unit(**changes):
    return replace(PRACTICE.units["practice/sunhill-chaplain"], **changes)


def faces_of(*units):
    return faces_of_units(units, CHAINMAIL)


MANY = Face(
    title="Orc Raider",
    price="8",
    about="Drazen's Horde",
    stats=tuple(StatCell(f"S{n}", str(n), "") for n in range(12)),
    health=Health("Health", 7, 12),
    abilities=tuple(Uses(f"Ability{n:02} +{n}", n % 5, "does a lot of things") for n in range(40)),
    spells=tuple(Uses(f"spell{n:02}", 1) for n in range(30)),
    texts=(Lines("Attacks", tuple(f"Blade{n:02}: +{n} vs AC" for n in range(20))),),
    notes="\n".join(f"note{n:02}" for n in range(20)),
    source="Practice",
)


@pytest.mark.parametrize("paper", list(CARD_PAPERS))
def test_nine_cards_of_63_by_88_millimetres_stand_on_a_page_between_cut_marks(paper):
    # Nine cards stand on a page each of 63 by 88 millimetres.
    (page,) = pages(faces_of_book(PRACTICE, CHAINMAIL)[:9], paper)
    upright = sorted({round(x1, 2) for x1, y1, x2, y2 in page.lines if x1 == x2})
    level = sorted({round(y1, 2) for x1, y1, x2, y2 in page.lines if y1 == y2})
    marks_x = {round(x, 2) for card in page.cards for x in (card.left, card.right)}
    marks_y = {round(y, 2) for card in page.cards for y in (card.low, card.high)}
    assert marks_x <= set(upright)
    assert marks_y <= set(level)
    assert all(page.on(card) for card in page.cards)
    size = CARD_PAPERS[paper]
    assert page.size == pytest.approx(size, abs=0.01)
    # Cut marks lie outside the cards and on the paper.
    (page,) = pages(faces_of_book(PRACTICE, CHAINMAIL)[:9], paper)
    block = Box(page.cards[6].left, page.cards[6].low, page.cards[2].right, page.cards[2].high)
    ends = {value for card in page.cards for value in (card.left, card.right)}
    marks = [
        line
        for line in page.lines
        if line[0] == line[2] and min(abs(line[0] - x) for x in ends) < 0.01
    ]
    assert len(marks) == 8
    for x1, y1, _, y2 in marks:
        low, high = sorted((y1, y2))
        assert high <= block.low or low >= block.high
        assert low > 3
        assert high < page.size[1] - 3
        assert 0 < x1 < page.size[0]


def test_cards_lie_on_pages_in_their_order():
    # Cards lie on the page in their order row by row.
    faces = faces_of_book(PRACTICE, CHAINMAIL)[:9]
    (page,) = pages(faces)
    assert [page.on(card)[0].text for card in page.cards] == [face.title for face in faces]
    # The tenth card begins another page.
    first, second = pages(faces_of_book(PRACTICE, CHAINMAIL)[:10])
    assert [bool(second.on(card)) for card in second.cards] == [True] + [False] * 8
    assert "Page 2 of 2." in " ".join(box.text for box in second.texts)
    assert first.size == second.size
    # No cards make a page that says so.
    (page,) = pages([])
    assert [box.text for box in page.texts] == [NO_CARDS]


@pytest.mark.one_in(5)
@pytest.mark.parametrize("paper", list(CARD_PAPERS))
@pytest.mark.parametrize(
    ("system", "book"),
    [
        ("chainmail-2002", "practice"),
        ("chainmail-2002", "known-cards"),
        ("sbh", "profiles"),
        ("t9a-2023", "empire-of-sonnstahl"),
    ],
)
def test_the_cards_of_shipped_books_are_well_laid(system, book, paper):
    faces = faces_of_book(LIBRARY.books[system][book], LIBRARY.systems[system])
    assert_well_laid(faces, paper)


@pytest.mark.one_in(4)
@pytest.mark.parametrize("system", LIBRARY.systems)
def test_blank_cards_are_well_laid_and_fill_a_page(system):
    faces = blank_faces(LIBRARY.systems[system])
    assert_well_laid(faces)
    (page,) = pages(faces)
    for card in page.cards:
        said = [box.text for box in page.on(card)]
        assert said[0] == "Name"
        assert "points" in said


def test_what_does_not_fit_goes_on_to_further_cards_and_nothing_is_lost():
    assert_well_laid([MANY])
    (page,) = pages([MANY])
    used = [page.on(card) for card in page.cards if page.on(card)]
    assert [texts[0].text for texts in used][:2] == ["Orc Raider", "Orc Raider (2)"]
    assert f"card 1 of {len(used)}" in " ".join(box.text for box in used[0])
    text = all_text([MANY])
    for number in range(40):
        assert text.count(f"Ability{number:02}") == 1
    for number in range(20):
        assert text.count(f"Blade{number:02}") == text.count(f"note{number:02}") == 1
    uses = sum(power.boxes for power in (*MANY.abilities, *MANY.spells))
    assert len(page.boxes) == 7 * 12 + uses


def test_text_grows_and_shrinks_with_the_room():
    # Text grows where there is room and shrinks where there is little.
    def size(count):
        face = Face(title="X", abilities=MANY.abilities[:count])
        (page,) = pages([face])
        return max(box.size for box in page.texts if box.text.startswith("Ability00"))

    assert size(1) > size(20) > READABLE
    # Abilities are explained where there is room only.
    assert "doesalotofthings" in all_text([Face(title="X", abilities=MANY.abilities[:5])])
    assert "doesalotofthings" not in all_text([Face(title="X", abilities=MANY.abilities)])
    # A word of a name is not cut where smaller letters hold it.
    word = "Quartermaster-Generalissimo"
    (page,) = pages(faces_of(unit(name=f"{word} Bob")))
    assert [box.text for box in page.texts if box.text.startswith(word)]
    # Long rows of health boxes stand below their label unbroken.
    (page,) = pages([Face(title="X", health=Health("Health of each model", 15, 3))])
    assert len({round(box.low, 2) for box in page.boxes}) == 3
    # A value too long for a box has a line of its own.
    face = Face(title="X", stats=(StatCell("Damage", "two and a half dozen at least, twice", ""),))
    assert_well_laid([face])
    assert "twoandahalfdozenatleast,twice" in all_text([face])


@pytest.mark.parametrize("name", ["W" * 200, "i" * 200, "W " * 100, "中" * 200, "Ab-" * 66])
def test_a_name_of_200_letters_stays_whole(name):
    faces = faces_of(unit(name=name))
    assert_well_laid(faces)
    assert "".join(printable(name).split()) in all_text(faces)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("count", range(100, 130, 3))
def test_a_heading_stands_on_the_card_of_its_first_line(count):
    lines = tuple(f"filler{number}" for number in range(count))
    face = Face(title="X", texts=(Lines("Powers", lines), MANY.texts[0]))
    (page,) = pages([face])
    told = [[box.text for box in page.on(card)] for card in page.cards]
    assert ["Blade00:" in texts for texts in told if "Attacks" in texts] == [True]


def test_what_is_too_long_for_its_place_stands_whole():
    # A name too long for its head stands whole below it.
    name = "".join(f"{number:03}" for number in range(200))
    faces = faces_of(unit(name=name))
    assert_well_laid(faces)
    assert name in all_text(faces)
    # Small print too long for the foot stands with the text.
    face = Face(title="X", source="".join(f"{number:03}" for number in range(200)))
    assert_well_laid([face])
    assert face.source in all_text([face])


@pytest.mark.parametrize("name", HOSTILE.values(), ids=HOSTILE.keys())
def test_any_text_prints(name):
    line = name.replace("\ud800", "")
    told = unit(name=name, texts={"x": (line, f"{line}: {line}")}, remark=name, number=name[:20])
    system = replace(CHAINMAIL, texts={"x": TextPart("x", "Attacks")})
    assert_well_laid(faces_of_units([told], system))


def test_what_was_typed_is_just_text_and_unknown_units_say_so():
    # Markup is just text.
    text = all_text(faces_of(unit(name="<b>&amp;</b>", remark="<font size=900>x</font>")))
    assert "<b>&amp;</b>" in text
    assert "<fontsize=900>x</font>" in text
    # A unit that no book has says so on its card.
    faces = faces_of_list(value_of(document(practice("gone"))), LIBRARY)
    text = all_text(faces)
    assert "practice/gone" in text
    assert "Thechosenbooksdonothavethisunit." in text


def test_prices_and_their_kind_stand_in_the_corner_of_the_first_card_only():
    dear = replace(MANY, price="999", price_remark=price_remark({"suggested": True}), each=True)
    (page,) = pages([dear])
    first, second = (page.on(card) for card in page.cards[:2])
    corner = [box for box in first if box.text in ("999", "suggested each")]
    assert len(corner) == 2
    assert all(box.left > page.cards[0].left + CARD[0] * 0.65 for box in corner)
    assert not [box for box in second if box.text == "999"]


def test_the_file_is_whole_and_the_same_each_time():
    # The file has title author and language and is not to be scaled.
    read = PdfReader(io.BytesIO(draw_cards(blank_faces(CHAINMAIL), title="My cards")))
    assert (read.metadata.title, read.metadata.author) == ("My cards", "Army Builder")
    root = read.trailer["/Root"]
    assert root["/Lang"] == "en"
    assert root["/ViewerPreferences"]["/PrintScaling"] == "/None"
    # All fonts are embedded.
    read = PdfReader(io.BytesIO(draw_cards(faces_of_book(PRACTICE, CHAINMAIL))))
    for page in read.pages:
        for font in page["/Resources"]["/Font"].values():
            assert font["/FontDescriptor"]["/FontFile2"]
    # The same cards have the same bytes.
    faces = [MANY, *faces_of_book(PRACTICE, CHAINMAIL), *blank_faces(CHAINMAIL)]
    assert draw_cards(faces) == draw_cards(list(faces))


text = some.text(max_size=40) | some.sampled_from(["W" * 60, "шлем", "<b>", "Orc", "😀 שלום"])
lines = some.lists(text, max_size=8).map(tuple)


@some.composite
def units(draw):
    """A unit of the practice book whose card says anything."""
    known = list(CHAINMAIL.abilities.values())
    uses = some.builds(
        AbilityUse,
        some.sampled_from(known),
        some.none() | some.integers(-9, 99),
        text,
        some.integers(0, 30),
    )
    return unit(
        name=draw(text),
        subtype=draw(text),
        stats=draw(
            some.fixed_dictionaries(
                {}, optional={"health": some.integers(0, 120), "melee_damage": text}
            )
        ),
        abilities=tuple(draw(some.lists(uses, max_size=25))),
        spells=tuple(draw(some.lists(some.builds(Spell, text, some.integers(0, 30)), max_size=9))),
        texts={"attacks": draw(lines)},
        unique=draw(text),
        number=draw(text),
        remark=draw(text),
        suggested=draw(some.booleans()),
    )


@settings(max_examples=tries(40), deadline=None, suppress_health_check=list(HealthCheck))
@given(some.lists(units(), min_size=1, max_size=3), some.sampled_from(list(CARD_PAPERS)))
def test_cards_of_any_units_are_well_laid(found, paper):
    system = replace(CHAINMAIL, texts={"attacks": TextPart("attacks", "Attacks")})
    assert_well_laid(faces_of_units(found, system), paper)


cells = some.lists(some.builds(StatCell, text, text, some.just("")), max_size=9).map(tuple)
any_face = some.builds(
    Face,
    title=text,
    price=some.sampled_from(["", "?", "7", "9999"]),
    models=some.integers(1, 200),
    known=some.booleans(),
    about=text,
    marks=lines,
    stats=cells,
    blocks=some.lists(some.builds(StatBlock, text, text, cells), max_size=4).map(tuple),
    health=some.none()
    | some.builds(
        Health, some.just("HP"), some.integers(1, 90), some.integers(1, 60), some.integers(1, 5)
    ),
    keywords=lines,
    lists=some.lists(some.builds(Named, text, text), max_size=6).map(tuple),
    fields=lines,
    notes=text,
    source=text,
)


@settings(max_examples=tries(40), deadline=None, suppress_health_check=list(HealthCheck))
@given(any_face)
def test_any_face_is_well_laid(face):
    assert_well_laid([face])


@given(some.lists(some.floats(5, 90), max_size=30), some.floats(90, 160))
def test_rows_of_boxes_hold_all_of_them_within_their_room(widths, room):
    rows = even_rows(widths, room, 2)
    assert sum(rows) == len(widths)
    for count in rows:
        row, widths = widths[:count], widths[count:]
        assert sum(row) + 2 * (count - 1) <= room + 0.01
