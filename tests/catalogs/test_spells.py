"""The spells of the paths that an army's wizards have stand on its full sheet."""

import datetime
from typing import Any

import pytest

from armybuilder.engine.army_facts import Casters
from armybuilder.loading.library import shipped_library
from armybuilder.sheets.content.make import sheet_of
from tests.building.documents import list_of, value_of

LIBRARY = shipped_library()
DAY = datetime.date(2026, 11, 26)
COMPLETE = {"Alchemy", "Divination", "Druidism", "Evocation", "Thaumaturgy", "Witchcraft"}


def spells(system: str, *wizards: tuple[str, list[str]]) -> list[tuple[str, ...]]:
    """The rows of the table of spells for these wizards, each with its options."""
    picks: list[dict[str, Any]] = [
        {"unit": unit, "models": 1, "options": [{"id": one} for one in options]}
        for unit, options in wizards
    ]
    document = list_of(system, [picks[0]["unit"].split("/")[0]], picks, limit=1500)
    tables = sheet_of(value_of(document), LIBRARY, DAY, "full").tables
    return [row for table in tables if table.name == "Spells" for row in table.rows]


def test_a_wizard_has_the_spells_of_its_path_and_no_others() -> None:
    wizard = "empire-of-sonnstahl/wizard"
    rows = spells("t9a-2023", (wizard, ["wizard-apprentice", "alchemy"]))
    assert {row[0] for row in rows} == {"Alchemy"}
    assert [row[1] for row in rows] == ["A", "1", "2", "3", "4", "5", "6"]
    assert rows[1][2:5] == ("Quicksilver Lash", "7+", '24"')
    two = [(wizard, ["wizard-apprentice", path]) for path in ("alchemy", "divination")]
    assert {row[0] for row in spells("t9a-2023", *two)} == {"Alchemy", "Divination"}


def test_a_path_whose_spells_are_not_at_hand_says_so() -> None:
    wizard = ("empire-of-sonnstahl/wizard", ["wizard-apprentice", "pyromancy"])
    assert [row[:3] for row in spells("t9a-2023", wizard)] == [("Pyromancy", "", "not at hand")]


@pytest.mark.parametrize("options", [[], ["wizard-apprentice"]])
def test_without_a_path_there_is_no_table(options: list[str]) -> None:
    assert spells("t9a-2023", ("empire-of-sonnstahl/wizard", options)) == []
    assert spells("t9a-2023", ("empire-of-sonnstahl/marshal", options)) == []


def test_essence_of_war_has_its_own_numbers() -> None:
    shown = spells("essence-of-war", ("asklander/seidhkennar", ["apprentice", "witchcraft"]))
    assert all(row[0] == "Witchcraft" for row in shown)


@pytest.mark.parametrize("system", ["t9a-2023", "t9a-2024"])
def test_every_path_has_its_spells_or_says_that_they_are_not_at_hand(system: str) -> None:
    game = LIBRARY.system(system)
    (table,) = (table for table in game.tables if table.name == "Spells")
    by_path = {row[0]: [one for one in table.rows if one[0] == row[0]] for row in table.rows}
    casters = next(fact for fact in game.facts if isinstance(fact, Casters))
    paths = {
        slot.option.name
        for book in LIBRARY.books[system].values()
        for unit in book.units.values()
        for slots in unit.offer.slots.values()
        for slot in slots
        if any(group.id in casters.paths for group in slot.groups)
    }
    assert paths - by_path.keys() <= {"Runecraft"}
    for path in COMPLETE:
        assert {row[1] for row in by_path[path]} >= {"1", "3", "4", "5", "6"}
