"""What armies of the shipped books of The Ninth Age tell for the game, on their sheets."""

from typing import Any

import pytest

from armybuilder.loading.library import shipped_library
from armybuilder.sheets.content.make import Material
from armybuilder.sheets.content.structure import FactLine, Sheet, UnitBlock
from tests.building.documents import list_of, value_of
from tests.sheets.papers import DAY
from tests.sheets.printed import example, told

APART = "Scouts, ambushers, vanguard"


def unit(ref: str, models: int, *options: Any, **more: Any) -> dict[str, Any]:
    chosen = [{"id": one} if isinstance(one, str) else one for one in options]
    return {"unit": ref, "models": models, "options": chosen, **more}


def material(*units: dict[str, Any]) -> Material:
    book = units[0]["unit"].partition("/")[0]
    document = list_of("t9a-2023", [book], units, limit=4500)
    return Material(value_of(document), shipped_library(), DAY)


def fact(sheet: Sheet, name: str) -> FactLine | None:
    return next((line for line in sheet.facts if line.name == name), None)


def apart(*units: dict[str, Any]) -> str | None:
    line = fact(material(*units).sheet, APART)
    return line and line.text


def block(entry: dict[str, Any]) -> UnitBlock:
    army = material(entry).sheet.army
    assert army is not None
    return army.units[0]


CONCLAVES = {
    "Eidolons": "daemon-legions/eidolons",
    "Veil Serpents": "daemon-legions/veil-serpents",
    "Warlock Acolytes": "dread-elves/warlock-acolytes",
    "Naiads": "kingdom-of-equitaine/naiads",
}


@pytest.mark.parametrize(("name", "ref"), CONCLAVES.items())
def test_the_champion_of_a_conclave_is_a_wizard_and_without_it_nobody_is(
    name: str, ref: str
) -> None:
    """21.A.b.52: a Wizard Adept with up to two spells that its entry names, and no path."""
    line = fact(material(unit(ref, 5, "champion")).sheet, "Wizards")
    assert line is not None
    assert line.text == f"{name} (Champion, Wizard Conclave, 2 spells)"
    assert "up to two of the spells that its entry names" in line.note
    assert "Adept: two of the first four" not in line.note
    assert fact(material(unit(ref, 5)).sheet, "Wizards") is None


def test_wizards_of_conclaves_and_of_protean_magic() -> None:
    # The champion of a conclave has a health point more: Seven of 1 and 1 more are 8: shattered
    # at 2, and not at 1 as seven are.
    led, plain = (block(unit(CONCLAVES["Eidolons"], 7, *who)) for who in (["champion"], []))
    assert (led.health, led.shattered) == (8, 2)
    assert led.condition == "8 Health Points (7 × 1 + 1), shattered at 2"
    assert (plain.health, plain.shattered, plain.wizard) == (7, 1, None)
    assert led.wizard is not None
    assert led.wizard.label == "Champion, Wizard Conclave, 2 spells"
    assert len(led.spell_lines) == 2, "no line for a path"
    # A wizard with protean magic is asked for no path: 21.A.b.27: the first spell of each path it
    # has access to, and the hereditary one.
    deceiver = unit("daemon-legions/kuulimas-deceiver", 1, "wizard-adept")
    line = fact(material(deceiver).sheet, "Wizards")
    assert line is not None
    assert line.text == "Kuulima's Deceiver (Protean Magic, 2 spells)"
    assert "no path" in line.note
    wizard = block(deceiver).wizard
    assert wizard is not None
    assert wizard.label == "Wizard Adept, Protean Magic, 2 spells"
    assert not wizard.asks_path
    mage = unit("highborn-elves/mage", 1, "wizard-adept")
    assert len(block(mage).spell_lines) == 3, "a line for its path, and two for spells"


@pytest.mark.parametrize(
    ("units", "text"),
    [
        (
            [
                unit("dwarven-holds/miners", 10), unit("dwarven-holds/rangers", 8),
                unit("dwarven-holds/miners", 12), unit("dwarven-holds/dragon-seeker", 1),
            ],
            "Scout: Rangers; Ambush: 2 × Miners; Vanguard: Dragon Seeker",
        ),
        (
            [unit("beast-herds/mongrel-raiders", 10, "ambush-and-scout")],
            "Scout: Mongrel Raiders; Ambush: Mongrel Raiders",
        ),
        ([unit("beast-herds/mongrel-raiders", 10)], None),
        (
            [unit("undying-dynasties/tomb-cataphracts", 3, "special-ambush-open-terrain")],
            "Ambush: Tomb Cataphracts (Special Ambush, Open Terrain)",
        ),
        (
            [
                unit("undying-dynasties/skeleton-scouts", 5),
                unit("undying-dynasties/pharaoh", 1, "lord-of-the-barrow-legion"),
            ],
            "Vanguard: Skeleton Scouts",
        ),
        (
            [unit("undying-dynasties/skeleton-scouts", 5)],
            "Scout: Skeleton Scouts; Vanguard: Skeleton Scouts",
        ),
        ([unit("warriors-of-the-dark-gods/flayers", 5)], 'Vanguard: Flayers (6")'),
    ],
)  # fmt: skip
def test_who_is_deployed_by_special_rules(units: list[dict[str, Any]], text: str | None) -> None:
    assert apart(*units) == text


def test_units_whose_rules_the_book_does_not_tell_are_named() -> None:
    line = fact(material(unit("kingdom-of-equitaine/sky-heralds", 3)).sheet, APART)
    assert line is not None
    assert (line.text, line.note.partition(".")[0]) == ("none known", "Not known for Sky Heralds")


def test_an_open_list_does_not_tell_that_a_hidden_banner_makes_ambushers() -> None:
    banner = ("standard-bearer", "banner-of-the-entombed")
    entombed = material(unit("undying-dynasties/skeleton-cavalry", 10, *banner))
    full, hidden = (fact(sheet, APART) for sheet in (entombed.sheet, entombed.open_sheet))
    cavalry = "Skeleton Cavalry"
    assert full is not None
    assert full.text == f"Ambush: {cavalry} (Underground Ambush); Vanguard: {cavalry}"
    assert hidden is not None
    assert hidden.text == f"Vanguard: {cavalry}"


@pytest.mark.parametrize(("number", "told_of"), [(0, True), (2, True), (3, False)])
def test_fewer_than_three_scoring_units_are_warned_of(number: int, told_of: bool) -> None:
    """9.E.5: the opponent marks more of them for Capture the Flags, until there are three."""
    eagles = unit("highborn-elves/giant-eagles", 1)
    spears = [unit("highborn-elves/citizen-spears", 20) for _ in range(number)]
    line = fact(material(eagles, *spears).sheet, "Scoring units")
    assert line is not None
    assert ("Capture the Flags" in line.note) is told_of
    assert line.citation == "Rulebook 9.E.5, 21.A.b.30"


def test_the_deployment_types_stand_on_the_quick_reference_with_their_places() -> None:
    text = " ".join(told(example("t9a-2023/the-long-table"), kinds="quick"))
    for name in ("Frontline Clash", "Counterthrust", "Marching Columns"):
        assert name in text
    for cited in ("Rulebook 9.D", "Rulebook 9.E", "18.A, 18.C"):
        assert cited in text
