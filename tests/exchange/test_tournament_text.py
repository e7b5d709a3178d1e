"""Armies as tournaments and other army builders write them: every unit is read, with its points."""

import re
from dataclasses import replace

import pytest

from armybuilder.exchange.pasting import read_text, split_text
from armybuilder.loading.armylist import ArmyList
from armybuilder.loading.documents import catalogue_of
from armybuilder.loading.problems import Refusal
from armybuilder.sheets.content.make import sheet_of
from armybuilder.sheets.content.structure import Division, TakenLine, UnitBlock
from armybuilder.sheets.texts.forms import FORMS
from armybuilder.solving.cpsat import CpSat
from armybuilder.solving.fill import fill
from tests.building.documents import list_of, value_of
from tests.exchange import neighbours
from tests.exchange.pasted import DAY, LIBRARY, calls_below, text_of
from tests.sheets.papers import EXAMPLES, example

pytestmark = pytest.mark.long

BOOKS = sorted(LIBRARY.books["t9a-2023"])
#: How the statistics that players of The Ninth Age publish find units in a text: points, a dash,
#: and what follows up to the next number of two digits.
PUBLIC = re.compile(r"(?<!#)(?<!#\d)(?<!#\d{2})(\d{2,4}?)(?: ?[-–] ?)(.+?)(?=\d{2,4}|$)")


def named_units(army: ArmyList) -> list[str]:
    """The units with all they take, in no order."""
    return sorted(
        f"{unit.models} {unit.unit_name or unit.name} {unit.points}"
        f" {sorted(neighbours.taken(unit))}"
        for unit in sheet_of(army, LIBRARY, DAY).army.units
    )


def units_of(army: ArmyList) -> list[str]:
    """The units by themselves, each thing on what it can be on: an only piece need not be named."""
    return sorted(
        f"{unit.models} {unit.unit_name or unit.name} {unit.points} {unit.marks}"
        f" {by_name(unit.chosen)} {by_name(unit.items)} {unit.wizard}"
        for unit in sheet_of(army, LIBRARY, DAY).army.units
    )


def by_name(taken: tuple[TakenLine, ...]) -> tuple[TakenLine, ...]:
    return tuple(sorted((replace(one, name="") for one in taken), key=str))


@pytest.mark.parametrize("name", [name for name in EXAMPLES if name.startswith("t9a-")])
def test_an_example_is_read_back(name: str) -> None:
    listed = example(name)
    text = text_of(listed, "t9a")
    read = read_text(text, LIBRARY)
    assert units_of(read.document) == units_of(value_of(listed))
    assert len(split_text(text, LIBRARY)) == 1
    assert (read.count("doubt"), read.count("lost"), read.told) == (0, 0, True)
    assert read.printed == read.report.spent == int(text.split()[-1])


def test_it_is_what_tournaments_ask_for_of_armies() -> None:
    lines = text_of(example("t9a-2023/the-princes-dragon"), "t9a").splitlines()
    assert lines[0] == "Highborn Elves"
    assert lines[1] == (
        "865 - High Prince, General, Dragon, Dragonforged Armour, Shield (Dusk Forged), Lance,"
        " Diadem of Protection"
    )
    assert lines[4] == (
        "420 - 30 Citizen Spears, Champion, Musician, Standard Bearer (Legion Standard)"
    )
    assert lines[-1] == "4500"
    assert len(lines) == 15
    shield = TakenLine("Shield", 0, "Shield", on="Shield")
    lance = TakenLine("2 × Lance", 0, "Lance", number=2)
    unit = UnitBlock("u1", "Rider", 1, points=50, chosen=(shield, lance))
    sheet = sheet_of(value_of(example("t9a-2023/the-long-table")), LIBRARY, DAY)
    army = replace(sheet.army, divisions=(Division("Core", (unit,)),))
    lines = FORMS["t9a"].draw(replace(sheet, army=army)).splitlines()
    assert lines[1] == "50 - Rider, Lance, Lance, Shield"
    with pytest.raises(Refusal, match="for armies"):
        text_of(example("sbh/gruks-green-flood"), "t9a")


@pytest.mark.one_in(8)
@pytest.mark.parametrize("book", BOOKS)
def test_every_unit_of_a_random_army_is_found_with_its_points_and_read_back(book: str) -> None:
    empty = value_of(list_of("t9a-2023", [book], [], limit=4500))
    filled = fill(empty, catalogue_of(empty, LIBRARY), CpSat(), seed=len(book), seconds=5)
    assert filled is not None
    army = filled.army_list
    sheet = sheet_of(army, LIBRARY, DAY)
    text = FORMS["t9a"].draw(sheet)
    found = [
        (int(points), re.sub(r"^\d{1,2}x? ", "", rest.split(",")[0].split(" (")[0]).strip())
        for line in text.splitlines()
        for points, rest in PUBLIC.findall(line.lower())
    ]
    wanted = [
        (unit.points, (unit.unit_name or unit.name).replace(",", "").split(" (")[0].lower())
        for unit in sheet.army.units
        if unit.points is not None and unit.points >= 10
    ]
    assert found == wanted
    read = read_text(text, LIBRARY)
    assert units_of(read.document) == units_of(army)
    for form, draw in neighbours.FORMS.items():
        read = read_text(draw(sheet), LIBRARY, "t9a-2023", [book])
        assert named_units(read.document) == named_units(army), form


def test_a_size_is_told_above_the_units_or_the_one_that_is_filled_or_exceeded_by_a_little() -> None:
    """7 men are 210 points: too many for 200, and no half of 300."""
    for men, told in {
        10: (300, "Legal"),
        11: (400, "Legal"),
        7: (200, "1 error"),
        17: (500, "1 error"),
        18: (540, "Legal"),
    }.items():
        text = f"The Mill\n{men} Human Warrior, {30 * men}\n{30 * men}"
        read = read_text(text, LIBRARY, "sbh", ["profiles"])
        assert (read.document.limit, read.report.verdict, read.tells_size) == (*told, False)
    read = read_text("A warband, 300 points\n7 Human Warrior, 210", LIBRARY, "sbh", ["profiles"])
    assert (read.document.limit, read.tells_size) == (300, True), "it is told"
    for total in ("4500", "**4500**", "4500 pts", "= 4500 ="):
        text = (
            f"Highborn Elves\n160 - 10 Citizen Archers, Musician\n130 - 2 Giant Eagles\n{total}\n"
        )
        read = read_text(text, LIBRARY)
        assert (read.printed, read.count("lost")) == (4500, 0), total
    read = read_text("Highborn Elves\n2500\n160 - 10 Citizen Archers, Musician\n", LIBRARY)
    assert read.document.limit == 2500


@pytest.mark.one_in(3)
@pytest.mark.parametrize("form", neighbours.FORMS)
@pytest.mark.parametrize("name", [name for name in EXAMPLES if name.startswith("t9a-")])
def test_an_example_of_another_builder_is_read(name: str, form: str) -> None:
    army = value_of(example(name))
    read = read_text(neighbours.FORMS[form](sheet_of(army, LIBRARY, DAY)), LIBRARY)
    assert named_units(read.document) == named_units(army)
    assert (read.count("doubt"), read.count("lost")) == (0, 0)
    assert read.books == tuple(book.id for book in army.books)
    assert read.printed == read.report.spent


def test_lists_without_points_with_notes_pages_and_things_on_others_are_read() -> None:
    text = (
        "===\nSea Guard\nThe Ninth Age, Highborn Elves\n===\n\n++ Characters ++\n\nHigh Prince\n"
        "- General\n- Shield\n\n++ Core ++\n\n25 Citizen Spears\n- Champion\n\n"
        f"10 Citizen Archers\n\n---\n{neighbours.NOTE}\n\n[https://old-world-builder.com]"
    )
    read = read_text(text, LIBRARY)
    assert read.document.name == "Sea Guard"
    units = [(unit.models, unit.ref.split("/")[1]) for unit in read.document.units]
    assert units == [(1, "high-prince"), (25, "citizen-spears"), (10, "citizen-archers")]
    assert read.document.units[0].roles == ("general",)
    assert (read.printed, read.count("lost")) == (None, 0)
    text = "++ Core [320 pts] ++\n\n25 Citizen Spears [320 pts]\n- Champion\n- Wings of Wax\n"
    text += "Painted in blue\n\n++ Total: [1,320pts] ++\n"
    read = read_text(text, LIBRARY, "t9a-2023", ["highborn-elves"])
    (unit,) = read.document.units
    assert unit.notes.split("\n") == ["Painted in blue", "Wings of Wax"]
    assert [piece.text for piece in read.units[0].unit.lost] == ["Wings of Wax"]
    assert read.units[0].state == "doubt"
    assert read.printed == 1320
    text = "++ Characters [865 pts] ++\n\nHigh Prince [865 pts]\n- General\n- Dragon [p. 24]\n"
    text += "- Shield [Dusk Forged]\n- Lance {magic}\n"
    read = read_text(text, LIBRARY, "t9a-2023", ["highborn-elves"])
    names = [piece.text for piece in read.units[0].unit.pieces]
    assert names[:2] == ["General", "Dragon"]
    assert [piece.text for piece in read.units[0].unit.lost] == ["Lance {magic}"]


def test_no_line_keeps_the_reader_long() -> None:
    for piece in ("+ a ", "[1] ", "a: ", "M(", "(", " [", "-# (", ". "):
        line = (piece * 5000)[:4990]
        text = "++ Core ++\n" + "\n".join([line] * 60)
        with calls_below(100_000):
            read_text(text, LIBRARY, "t9a-2023", ["highborn-elves"])
