"""Printed cards, read back from the finished PDF as a reader and a pair of scissors would."""

import io
from dataclasses import replace
from functools import lru_cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some
from pypdf import PdfReader

from armybuilder.engine.abilities import AbilityUse, Spell
from armybuilder.engine.vocabulary import TextPart
from armybuilder.loading.library import make_catalogue, shipped_library
from armybuilder.loading.unit_fields import price_remark
from armybuilder.sheets.cards.card_blocks import POKER, even_rows, grid_of
from armybuilder.sheets.cards.cards_pdf import NO_CARDS, draw_cards
from armybuilder.sheets.content.cards import (
    Face,
    blank_faces,
    faces_of_book,
    faces_of_list,
    faces_of_units,
)
from armybuilder.sheets.content.setup import CARD_PAPERS
from armybuilder.sheets.content.unit_view import (
    Lines,
    StatCell,
    StatRow,
    TakenLine,
    UnitView,
    Uses,
)
from tests.building.documents import value_of
from tests.effort import tries
from tests.pdfs import pages_of
from tests.sheets.finished import MM, flaws, margins, places, read, squeezed
from tests.sheets.papers import HOSTILE, document, practice

pytestmark = pytest.mark.long

#: The smallest letters a card may have, in points.
READABLE = 5.5
LIBRARY = shipped_library()
CHAINMAIL = LIBRARY.systems["chainmail-2002"]
PRACTICE = LIBRARY.books["chainmail-2002"]["practice"]


@lru_cache(maxsize=20)
def drawn(faces, paper="A4"):
    content = draw_cards(faces, paper)
    return content, read(content)


def pages(faces, paper="A4"):
    return drawn(tuple(faces), paper)[1]


def cards_of(paper="A4"):
    grid = grid_of(CARD_PAPERS[paper], POKER)
    return places(grid, grid.fronts())


def on(page, card):
    """Texts that stand on a card, its frame left free."""
    return [text for text in page.texts if text.box.within(card)]


def all_text(faces):
    """The texts of all cards run together, without spaces: lines break anywhere."""
    return "".join(page.squeezed for page in pages(faces))


def assert_well_laid(faces, paper="A4"):
    """Nothing is too small, stands out of its card, or covers anything else."""
    cards = cards_of(paper)
    for page in pages(faces, paper):
        wrong = flaws(page, margins(page, 1, bare=True))
        # The line below the cards stands between the cut marks.
        assert [flaw for flaw in wrong if "cut along the marks" not in flaw] == []
        loose = [text for text in page.texts if not any(text.box.within(card) for card in cards)]
        assert len(loose) == 1, loose  # the line below the cards
        assert all(text.size >= READABLE for text in page.texts)
        for box in page.boxes:
            assert any(box.within(card) for card in cards), box
            assert not any(box.meets(text.box) for text in page.texts), box


def unit(**changes):
    return replace(PRACTICE.units["practice/sunhill-chaplain"], **changes)


def faces_of(*units):
    return faces_in(CHAINMAIL, units)


def faces_in(system, units):
    """Faces of units that no book of the game has."""
    return faces_of_units(units, make_catalogue(system, []))


def face_with(name="X", models=1, **fields):
    powers = (("", fields["abilities"]),) if "abilities" in fields else ()
    return Face(UnitView("", name, models, **{"priced": False, **fields}), powers=powers)


STATS = tuple(StatCell(f"S{n}", str(n), "") for n in range(12))
ABILITIES = tuple(Uses(f"Ability{n:02} +{n}", n % 5, "does a lot of things") for n in range(40))
ATTACKS = Lines("Attacks", tuple(f"Blade{n:02}: +{n} vs AC" for n in range(20)))
UNIT = UnitView(
    id="",
    name="Orc Raider",
    models=12,
    points=96,
    each=8,
    about="Drazen's Horde",
    health=7,
    health_name="Health",
    abilities=ABILITIES,
    spells=tuple(Uses(f"spell{n:02}", 1) for n in range(30)),
    texts=(ATTACKS,),
    notes="\n".join(f"note{n:02}" for n in range(20)),
    source="Practice",
)
MANY = Face(UNIT, stats=STATS, powers=(("", UNIT.abilities), ("Spells", UNIT.spells)))


@pytest.mark.parametrize("paper", list(CARD_PAPERS))
def test_nine_cards_of_63_by_88_millimetres_stand_on_a_page_between_cut_marks(paper):
    (page,) = pages(faces_of_book(PRACTICE, CHAINMAIL)[:9], paper)
    assert all(on(page, card) for card in cards_of(paper))
    assert (page.width, page.height) == pytest.approx(CARD_PAPERS[paper], abs=0.01)
    left, low = (page.width - 3 * 63 * MM) / 2, (page.height - 3 * 88 * MM) / 2
    columns = [left + number * 63 * MM for number in range(4)]
    rows = [low + number * 88 * MM for number in range(4)]
    upright = [rule for rule in page.rules if rule.left == rule.right]
    level = [rule for rule in page.rules if rule.low == rule.high]
    assert {round(x, 1) for x in columns} <= {round(rule.left, 1) for rule in upright}
    assert {round(y, 1) for y in rows} <= {round(rule.low, 1) for rule in level}
    # Cut marks lie outside the cards and on the paper.
    marks = [rule for rule in upright if min(abs(rule.left - x) for x in columns) < 0.01]
    assert len(marks) == 8
    for mark in marks:
        assert mark.high <= rows[0] or mark.low >= rows[-1]
        assert mark.low > 3
        assert mark.high < page.height - 3


@pytest.mark.one_in(9)
@pytest.mark.parametrize(
    ("system", "book", "paper"),
    [
        ("chainmail-2002", "practice", "A4"),
        ("chainmail-2002", "known-cards", "letter"),
        ("sbh", "profiles", "letter"),
        ("t9a-2023", "empire-of-sonnstahl", "A4"),
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
    for card in cards_of():
        texts = [text.words for text in on(page, card)]
        assert texts[0] == "Name"
        assert "points" in texts


def test_text_grows_and_shrinks_with_the_room():
    def size(count):
        face = face_with(abilities=ABILITIES[:count])
        (page,) = pages([face])
        return max(text.size for text in page.texts if text.words.startswith("Ability00"))

    assert size(1) > min(map(size, range(22, 36, 3))) > READABLE
    # Abilities are explained where there is room only.
    assert "doesalotofthings" in all_text([face_with(abilities=ABILITIES[:5])])
    assert "doesalotofthings" not in all_text([face_with(abilities=ABILITIES)])
    # A word of a name is not cut where smaller letters hold it.
    word = "Quartermaster-Generalissimo"
    (page,) = pages(faces_of(unit(name=f"{word} Bob")))
    assert any(text.words.startswith(word) for text in page.texts)
    # Long rows of health boxes stand below their label unbroken.
    (page,) = pages([face_with(models=3, health=15, health_name="Health of each model")])
    assert len({round(box.low, 2) for box in page.boxes}) == 3
    # A value too long for a box has a line of its own.
    stats = (StatCell("Damage", "two and a half dozen at least, twice", ""),)
    face = replace(face_with(), stats=stats)
    assert_well_laid([face])
    assert "twoandahalfdozenatleast,twice" in all_text([face])


@pytest.mark.slow
def test_what_is_too_long_for_its_place_stands_whole():
    names = ("W" * 200, "i" * 200, "W " * 100, "中" * 200, "Ab-" * 66)
    faces = faces_of(*(unit(name=name) for name in names))
    assert_well_laid(faces)
    for name in names:
        assert squeezed(name) in all_text(faces), name
    assert "".join(pages_of(drawn(tuple(faces))[0])).count("中") >= 200
    # A name too long for its head stands whole below it.
    name = "".join(f"{number:03}" for number in range(200))
    faces = faces_of(unit(name=name))
    assert_well_laid(faces)
    assert name in all_text(faces)
    # Small print too long for the foot stands with the text.
    face = face_with(source="".join(f"{number:03}" for number in range(200)))
    assert_well_laid([face])
    assert face.unit.source in all_text([face])


@pytest.mark.one_in(3)
@pytest.mark.parametrize("count", range(80, 110, 3))
def test_a_heading_stands_on_the_card_of_its_first_line(count):
    lines = tuple(f"filler{number}" for number in range(count))
    face = face_with(texts=(Lines("Powers", lines), ATTACKS))
    (page,) = pages([face])
    texts = [[text.words for text in on(page, card)] for card in cards_of()]
    assert ["Blade00:" in words for words in texts if "Attacks" in words] == [True]


@pytest.mark.slow
def test_what_was_typed_is_just_text_that_prints_and_unknown_units_say_so():
    # Markup is just text.
    text = all_text(faces_of(unit(name="<b>&amp;</b>", remark="<font size=900>x</font>")))
    assert "<b>&amp;</b>" in text
    assert "<fontsize=900>x</font>" in text
    # A unit that no book has says so on its card.
    faces = faces_of_list(value_of(document(practice("gone"))), LIBRARY)
    text = all_text(faces)
    assert "practice/gone" in text
    assert "Thechosenbooksdonothavethisunit." in text
    system = replace(CHAINMAIL, texts={"x": TextPart("x", "Attacks")})
    units = []
    for name in HOSTILE:
        line = name.replace("\ud800", "")
        texts = {"x": (line, f"{line}: {line}")}
        units.append(unit(name=name, texts=texts, remark=name, number=name[:20]))
    assert_well_laid(faces_in(system, units))


def test_cards_lie_in_their_order_and_go_on_to_further_ones():
    # Cards lie on the page in their order row by row.
    faces = faces_of_book(PRACTICE, CHAINMAIL)[:9]
    (page,) = pages(faces)
    assert [on(page, card)[0].words for card in cards_of()] == [face.unit.name for face in faces]
    # The tenth card begins another page.
    first, second = pages(faces_of_book(PRACTICE, CHAINMAIL)[:10])
    assert [bool(on(second, card)) for card in cards_of()] == [True] + [False] * 8
    assert "Page2of2." in second.squeezed
    assert (first.width, first.height) == (second.width, second.height)
    # No cards make a page that says so.
    (page,) = pages([])
    assert [text.words for text in page.texts] == [NO_CARDS]
    # What does not fit goes on to further cards and nothing is lost.
    assert_well_laid([MANY])
    (page,) = pages([MANY])
    used = [texts for card in cards_of() if (texts := on(page, card))]
    assert [texts[0].words for texts in used][:2] == ["12 × Orc Raider", "12 × Orc Raider (2)"]
    assert f"card 1 of {len(used)}" in " ".join(text.words for text in used[0])
    text = all_text([MANY])
    for number in range(40):
        assert text.count(f"Ability{number:02}") == 1
    for number in range(20):
        assert text.count(f"Blade{number:02}") == text.count(f"note{number:02}") == 1
    uses = sum(power.boxes for power in (*ABILITIES, *UNIT.spells))
    assert len(page.boxes) == 7 * 12 + uses
    # Prices and their kind stand in the corner of the first card only.
    remark = price_remark({"suggested": True})
    dear = replace(MANY, unit=replace(UNIT, each=999, price_remark=remark))
    (page,) = pages([dear])
    first, second = (on(page, card) for card in cards_of()[:2])
    corner = [text.box for text in first if text.words in ("999", "suggested each")]
    assert len(corner) == 2
    assert all(box.left > cards_of()[0].left + POKER.width * 0.65 for box in corner)
    assert not [text for text in second if text.words == "999"]


def test_the_file_says_what_it_is_and_has_its_fonts():
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


@pytest.mark.slow
@settings(max_examples=tries(40))
@given(some.lists(units(), min_size=1, max_size=3), some.sampled_from(list(CARD_PAPERS)))
def test_cards_of_any_units_are_well_laid(found, paper):
    system = replace(CHAINMAIL, texts={"attacks": TextPart("attacks", "Attacks")})
    assert_well_laid(faces_in(system, found), paper)


cells = some.lists(some.builds(StatCell, text, text, some.just("")), max_size=9).map(tuple)
any_unit = some.builds(
    UnitView,
    id=some.just(""),
    name=text,
    models=some.integers(1, 200),
    known=some.booleans(),
    points=some.sampled_from([None, 7, 9999]),
    sized=some.booleans(),
    about=text,
    marks=lines,
    armour=text,
    health=some.none() | some.integers(1, 90),
    health_name=some.just("HP"),
    health_box=some.integers(1, 5),
    states=some.sampled_from([(), ("Fallen", "Out")]),
    rules=lines,
    given=lines,
    options=some.lists(some.builds(TakenLine, text, some.integers(0, 99)), max_size=6).map(tuple),
    blanks=lines,
    notes=text,
    remark=text,
    source=text,
)
any_face = some.builds(
    Face,
    any_unit,
    stats=cells,
    rows=some.lists(some.builds(StatRow, text, cells, text), max_size=4).map(tuple),
    write=lines,
)


@pytest.mark.slow
@settings(max_examples=tries(40))
@given(any_face)
def test_any_face_is_well_laid(face):
    assert_well_laid([face])


@pytest.mark.slow
@given(some.lists(some.floats(5, 90), max_size=30), some.floats(90, 160))
def test_rows_of_boxes_hold_all_of_them_within_their_room(widths, room):
    rows = even_rows(widths, room, 2)
    assert sum(rows) == len(widths)
    for count in rows:
        row, widths = widths[:count], widths[count:]
        assert sum(row) + 2 * (count - 1) <= room + 0.01
