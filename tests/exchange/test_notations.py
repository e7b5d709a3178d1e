"""What players write for tournaments, each way of it by itself: units, points and totals."""

import pytest

from armybuilder.exchange.pasting import read_text
from tests.exchange.pasted import LIBRARY

HIGHBORN, WARRIORS, TIGERS = "highborn-elves", "warriors-of-the-dark-gods", "ogre-khans"
RIDERS = "dread-elves"


def read(text, book=HIGHBORN):
    return read_text(text, LIBRARY, "t9a-2023", [book])


def units(text, book=HIGHBORN):
    """Each unit of the document: its id in the book, and its models."""
    return [(unit.ref.split("/")[1], unit.models) for unit in read(text, book).document.units]


def line(text, book=HIGHBORN):
    return read(text, book).units[0]


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("2x10 Citizen Archers", None),
        ("2 x 10 Citizen Archers", None),
        ("300 - 2x10 Citizen Archers", 150),
        ("2x 150 - 2x10 Citizen Archers", 150),
        ("150x2 2x10 Citizen Archers", 150),
        ("2x10 Citizen Archers [300]", 150),
    ],
)
def test_several_units_on_one_line(text, printed):
    assert units(text) == [("citizen-archers", 10)] * 2
    assert line(text).state == "ok"
    assert (line(text).unit.printed, line(text).unit.computed) == (printed, 150)
    assert read(text).report.spent == 300


def test_units_of_one_line_are_at_most_twenty():
    assert len(units("99x10 Citizen Archers")) == 20


@pytest.mark.parametrize(
    "text",
    [
        "130.- Commander",
        "130- Commander",
        "130-Commander",
        "130 Commander",
        "130 - Commander",
        "Commander 130",
        "Commander [130 pts]",
    ],
)
def test_points_stand_before_or_behind_a_unit(text):
    one = line(text).unit
    assert (one.name, one.models, one.printed, one.computed) == ("Commander", 1, 130, 130)
    assert line(text).state == "ok"


def test_points_and_models_with_a_dash_between():
    one = line("150-10x Citizen Archers").unit
    assert (one.models, one.printed, one.computed) == (10, 150, 150)


def test_a_number_that_is_too_large_for_models_is_points_that_may_differ():
    assert line("525 Mage: Wizard Master").unit.models == 1
    assert line("525 Mage: Wizard Master").state == "doubt"


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("400 - Mage, Master, Pyromancy, 4 spells", ["Wizard Master", "Pyromancy"]),
        ("400 - Mage, Wizard (Wizard Master, Pyromancy)", ["Wizard Master", "Pyromancy"]),
        ("410 - 30 Citizen Spears, FC", ["Champion", "Musician", "Standard Bearer"]),
        ("160 - 10 Citizen Archers [Core], Musician.", ["Musician"]),
        ("235 - High Prince, Army General", ["General"]),
    ],
)
def test_short_names_and_what_says_nothing(text, names):
    assert [piece.name for piece in line(text).unit.pieces] == names
    assert line(text).state == "ok"


@pytest.mark.parametrize(
    ("text", "total", "size"),
    [
        ("4.500", 4500, 4500),
        ("4 500 pts", 4500, 4500),
        ("Total 1.225 / 1.500", 1225, 1500),
        ("4,480 / 4,500", 4480, 4500),
        ("TOTAL: 2990 of 3000", 2990, 3000),
        ("++ Total: [4,499pts] ++", 4499, 4500),
        ("**Total: 4499**", 4499, 4500),
        ("= 4498 =", 4498, 4500),
    ],
)
def test_totals_in_every_dress(text, total, size):
    whole = read(f"160 - 10 Citizen Archers, Musician\n200 - 2 Giant Eagles\n{text}\n")
    assert (whole.printed, whole.document.limit) == (total, size)
    assert whole.count("lost") == 0


@pytest.mark.parametrize(
    ("text", "book", "unit"),
    [
        ("6 Warhounds", WARRIORS, "warhounds"),
        ("10 Warhounds", WARRIORS, "warhounds-core"),
        ("1 Sabretooth Tigers", TIGERS, "sabretooth-tigers"),
        ("80 - 1 Sabretooth Tiger", TIGERS, "sabretooth-tigers"),
        ("296 - 10 Sabretooth Tigers", TIGERS, "sabretooth-tigers-core"),
        ("315 - 10 Shadow Riders, Champion, Standard Bearer", RIDERS, "shadow-riders-raiders"),
    ],
)
def test_units_that_books_split_by_size_are_told_by_models_and_points(text, book, unit):
    assert [name for name, _models in units(text, book)] == [unit]


def test_a_unit_that_the_player_picked_stays_picked():
    chosen = f"{WARRIORS}/warhounds"
    text = "10 Warhounds"
    choices = {"unit-1": chosen}
    whole = read_text(text, LIBRARY, "t9a-2023", [WARRIORS], choices=choices)
    assert [unit.ref for unit in whole.document.units] == [chosen]
