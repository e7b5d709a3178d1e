"""What weapons make of their bearer's statistics (The Ninth Age, Rulebook 8.D, 21.F, 21.G)."""

from typing import Any

import pytest

from armybuilder.loading.library import make_catalogue, shipped_library
from armybuilder.sheets.content.make_units import entry_views
from armybuilder.sheets.content.unit_view import UnitView
from tests.building.towers import BOOK, row
from tests.golden.adapter import checked_book

LIBRARY = shipped_library()
SYSTEM = LIBRARY.systems["t9a-2023"]
SOLDIER = {"att": "1", "off": "4", "str": "3", "ap": "0", "agi": "3"}
HORSE = row("Horse", ("Harnessed",), att="1", str="4", ap="0", agi="4")


def view(*rows: dict[str, Any], **fields: Any) -> UnitView:
    """A unit of these stat lines."""
    entry = {"id": "unit", "name": "Unit", "categories": ["core"], "points": 10, **fields}
    entry |= {"profiles": list(rows)} if rows else {}
    catalogue = make_catalogue(SYSTEM, [checked_book({**BOOK, "units": [entry]}, SYSTEM)])
    (made,) = entry_views(catalogue.units.values(), catalogue)
    return made


def figures_of(*rows: dict[str, Any], **fields: Any) -> dict[str, str]:
    return {weapon.label: weapon.figures for weapon in view(*rows, **fields).weapons}


def soldier(*rules: str, **stats: str) -> dict[str, Any]:
    return row("Soldier", rules, **{**SOLDIER, **stats})


@pytest.mark.parametrize(
    ("rules", "figures"),
    [
        (["Great Weapon"], "Att 1, Str 5, AP 2, Agi 0"),  # 21.F.a
        (["Great Weapon", "Lightning Reflexes"], "Att 1, Str 5, AP 2"),  # 21.G.b.14
        (["Halberd"], "Att 1, Str 4, AP 1"),  # the example of 8.D.a
        (["Paired Weapons"], "Att 2, Off 5, Str 3, AP 0"),
        (["Spear"], "Att 1, Str 3, AP 1; first round, not charging: AP 2, Agi 5"),
        (["Lance"], "Att 1, Str 3, AP 0; charging Str 5, AP 2"),
        (["Light Lance"], "Att 1, Str 3, AP 0; charging Str 4, AP 1"),
        # Several instances add up (21.G.b.5); what is no number stays with the rule.
        (["Lance", "Devastating Charge (+1 Str, Fury)"],
         "Att 1, Str 3, AP 0; charging Str 6, AP 2"),
        (["Halberd", "Devastating Charge (+1 Attack Value)"],
         "Att 1, Str 4, AP 1; charging Att 2"),
        (["Bow (4+)"], '24", 1 shot, Str 3, AP 0, Volley Fire'),  # 21.F.b
        (["Handgun (4+)", "Devastating Charge (+1 Str)"], '24", 1 shot, Str 4, AP 2, Unwieldy'),
        (["Throwing Weapons (5+)"], '8", 2 shots, Str 3, AP 0, Accurate, Quick to Fire'),
    ],
)  # fmt: skip
def test_a_weapon_is_worked_out_for_its_bearer(rules: list[str], figures: str) -> None:
    assert figures_of(soldier(*rules)) == {rules[0]: figures}


def test_agility_is_ten_at_most_and_what_is_no_number_keeps_what_is_added() -> None:
    """Rulebook 6.D."""
    spear = figures_of(soldier("Spear", agi="9"))["Spear"]
    assert spear.endswith("first round, not charging: AP 2, Agi 10")
    assert figures_of(soldier("Halberd", att="D3+1", str="9")) == {
        "Halberd": "Att D3+1, Str 10, AP 1"
    }
    assert figures_of(soldier("Paired Weapons", att="D3")) == {
        "Paired Weapons": "Att D3+1, Off 5, Str 3, AP 0"
    }


def test_each_part_of_a_model_has_its_own_weapons() -> None:
    """Rulebook 3.A.b: a part uses its own statistics and weapons; 21.G.b.10: some have none."""
    rider = row("Rider", ("Lance",), **SOLDIER)
    driver = row("Driver", ("Great Weapon",), **{**SOLDIER, "str": "4"})
    chassis = row("Chassis", ("Inanimate",), str="5", ap="2")
    said = figures_of(rider, driver, HORSE, chassis, keywords=["Great Weapon", "Lance"])
    assert said == {
        "Lance, Rider": "Att 1, Str 3, AP 0; charging Str 5, AP 2",
        "Great Weapon, Driver": "Att 1, Str 6, AP 2, Agi 0",
    }
    # What the whole unit has is its only armed part's.
    assert figures_of(soldier(), HORSE, keywords=["Halberd"]) == {"Halberd": "Att 1, Str 4, AP 1"}
    # Of several it is not said whose: by how much it changes them is.
    assert figures_of(rider, driver, keywords=["Halberd"])["Halberd"] == "Str +1, AP +1"
    assert figures_of(keywords=["Lance"]) == {"Lance": "charging Str +2, AP +2"}


def test_options_arm_the_unit_and_mounts_their_own_crew() -> None:
    crew = row("Crew (2)", ("Bow (4+)",), **{**SOLDIER, "str": "4"})
    chariot = {"id": "chariot", "name": "Chariot", "number": [1, 1], "profiles": [crew, HORSE],
               "options": [{"id": "spears", "name": "Halberds", "number": [1, 1]}]}  # fmt: skip
    arms = {"id": "arms", "name": "Shield and Great Weapon", "number": [1, 1]}
    assert figures_of(soldier(), options=[chariot, arms]) == {
        "Bow (4+), Crew (2)": '24", 1 shot, Str 3, AP 0, Volley Fire',
        "Halberds, Crew (2)": "Att 1, Str 5, AP 1",
        "Great Weapon, Soldier": "Att 1, Str 5, AP 2, Agi 0",
    }


def test_a_charge_counts_for_those_whose_it_is() -> None:
    """What an option brings is its stat line's; without one it is not said whose."""
    charge = {"keywords": ["Devastating Charge (+1 Att)"], "number": [1, 1]}
    griffon = {"id": "griffon", "name": "Griffon", "profiles": [HORSE], **charge}
    assert figures_of(soldier("Lance"), options=[griffon]) == {
        "Lance": "Att 1, Str 3, AP 0; charging Str 5, AP 2"
    }
    honour = {"id": "cavalier", "name": "Cavalier", **charge}
    assert figures_of(soldier("Lance"), options=[honour]) == {
        "Lance": "Att 1, Str 3, AP 0; charging Str +2, AP +2"
    }
    # What a unit has all its parts have (21.G).
    assert figures_of(soldier("Lance"), HORSE, keywords=["Devastating Charge (+1 Att)"]) == {
        "Lance": "Att 1, Str 3, AP 0; charging Att 2, Str 5, AP 2"
    }


def test_nothing_is_said_of_what_changes_nothing_or_is_not_known() -> None:
    assert figures_of(soldier("Hand Weapon", "Blades of Darag", "Lance of Lethargy")) == {}
    assert figures_of(soldier("Hand Weapon", "Devastating Charge (+1 Str)")) == {
        "Hand Weapon": "Att 1, Str 3, AP 0; charging Str 4"
    }
    on_foot = soldier("Lance", "Spear", type="Infantry")
    assert figures_of(on_foot)["Lance"] == "not for Infantry"
    assert figures_of(on_foot)["Spear"].startswith("Att 1, Str 3, AP 1")
    mounted = figures_of(soldier("Lance", "Spear", type="Cavalry"))
    assert mounted["Spear"] == "not for Cavalry"
    assert mounted["Lance"].startswith("Att 1")


def test_special_items_are_left_out_and_that_is_said() -> None:
    item = {"id": "heart", "name": "Heart", "number": [1, 1], "item": "weapon-enchantment"}
    banner = {**item, "item": "banner-enchantment"}
    rules = ("Halberd", "Bow (4+)")
    assert figures_of(soldier(*rules), options=[item]) == {
        "Halberd": "Att 1, Str 4, AP 1, without special items",
        "Bow (4+)": '24", 1 shot, Str 3, AP 0, Volley Fire',
    }
    assert figures_of(soldier(*rules), options=[banner])["Halberd"] == "Att 1, Str 4, AP 1"
