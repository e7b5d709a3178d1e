"""Lists that other army builders wrote as text are read: every unit, what it takes, its points."""

import pytest

from armybuilder.exchange.pasting import read_text
from armybuilder.loading.armylist import ArmyList
from armybuilder.loading.documents import catalogue_of
from armybuilder.sheets.content.make import sheet_of
from armybuilder.solving.cpsat import CpSat
from armybuilder.solving.fill import fill
from tests.building.documents import list_of, value_of
from tests.exchange.neighbours import FORMS, taken
from tests.exchange.pasted import DAY, LIBRARY, within
from tests.sheets.printed import EXAMPLES, example

pytestmark = pytest.mark.long

BOOKS = sorted(LIBRARY.books["t9a-2023"])


def units_of(army: ArmyList) -> list[str]:
    """The units with all they take, in no order."""
    units = sheet_of(army, LIBRARY, DAY).army.units
    return sorted(
        f"{unit.models} {unit.unit_name or unit.name} {unit.points} {sorted(taken(unit))}"
        for unit in units
    )


@pytest.mark.one_in(3)
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", [name for name in EXAMPLES if name.startswith("t9a-")])
def test_an_example_is_read(name: str, form: str) -> None:
    army = value_of(example(name))
    read = read_text(FORMS[form](sheet_of(army, LIBRARY, DAY)), LIBRARY)
    assert units_of(read.document) == units_of(army)
    assert (read.count("doubt"), read.count("lost")) == (0, 0)
    assert read.books == tuple(book.id for book in army.books)
    assert read.printed == read.report.spent


@pytest.mark.one_in(8)
@pytest.mark.parametrize("book", BOOKS)
def test_random_armies_are_read(book: str) -> None:
    empty = value_of(list_of("t9a-2023", [book], [], limit=4500))
    filled = fill(empty, catalogue_of(empty, LIBRARY), CpSat(), seed=len(book), seconds=5)
    assert filled is not None
    sheet = sheet_of(filled.army_list, LIBRARY, DAY)
    for form, draw in FORMS.items():
        read = read_text(draw(sheet), LIBRARY, "t9a-2023", [book])
        assert units_of(read.document) == units_of(filled.army_list), form


def test_a_list_without_points_is_read() -> None:
    text = """===
Sea Guard
The Ninth Age, Highborn Elves
===

++ Characters ++

High Prince
- General
- Shield

++ Core ++

25 Citizen Spears
- Champion

10 Citizen Archers

---
Created with "Old World Builder"

[https://old-world-builder.com]"""
    read = read_text(text, LIBRARY)
    assert read.document.name == "Sea Guard"
    units = [(unit.models, unit.ref.split("/")[1]) for unit in read.document.units]
    assert units == [(1, "high-prince"), (25, "citizen-spears"), (10, "citizen-archers")]
    assert read.document.units[0].roles == ("general",)
    assert (read.printed, read.count("lost")) == (None, 0)


def test_a_unit_keeps_its_note_and_what_is_not_known() -> None:
    text = """++ Core [320 pts] ++

25 Citizen Spears [320 pts]
- Champion
- Wings of Wax
Painted in blue

++ Total: [1,320pts] ++
"""
    read = read_text(text, LIBRARY, "t9a-2023", ["highborn-elves"])
    (unit,) = read.document.units
    assert unit.notes.split("\n") == ["Painted in blue", "Wings of Wax"]
    assert [piece.text for piece in read.units[0].unit.lost] == ["Wings of Wax"]
    assert read.units[0].state == "doubt"
    assert read.printed == 1320


def test_pages_and_things_on_others_are_told_apart() -> None:
    text = """++ Characters [865 pts] ++

High Prince [865 pts]
- General
- Dragon [p. 24]
- Shield [Dusk Forged]
- Lance {magic}
"""
    read = read_text(text, LIBRARY, "t9a-2023", ["highborn-elves"])
    names = [piece.text for piece in read.units[0].unit.pieces]
    assert names[:2] == ["General", "Dragon"]
    assert [piece.text for piece in read.units[0].unit.lost] == ["Lance {magic}"]


@pytest.mark.parametrize("piece", ["+ a ", "[1] ", "a: ", "M(", "(", " [", "-# (", ". "])
def test_no_line_keeps_the_reader_long(piece: str) -> None:
    line = (piece * 5000)[:4990]
    text = "++ Core ++\n" + "\n".join([line] * 60)
    with within(seconds=5):
        read_text(text, LIBRARY, "t9a-2023", ["highborn-elves"])
