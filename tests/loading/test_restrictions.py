"""Restrictions that names state: found where they are, and not where a name only sounds so."""

import re
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from armybuilder.loading.restrictions import named_restrictions, restrictions_on, stated_restriction

STATED = {
    "Sword (only on foot)": "only on foot",
    "Sword (on Foot only)": "on Foot only",
    "Destiny's Call (only on Standard)": "only on Standard",
    "Ring - Wizards only": "Wizards only",
    "Ring – Wizards only": "Wizards only",
    "Ring -Wizards only": "Wizards only",
    "Glittering Lacquer (Cavalry only)": "Cavalry only",
    "Night's Crown - Standard Size Only": "Standard Size Only",
    "Standard Size Only": "Standard Size Only",
    "Night's Crown, Wizards only": "Wizards only",
    "Cloak (not on Gigantic)": "not on Gigantic",
    "Cloak [not on Gigantic]": "not on Gigantic",
    "Crown of Autocracy (not with Not A Leader)": "not with Not A Leader",
    "Eternity Gem (not on Horror, Dragon, Court)": "not on Horror, Dragon, Court",
    "Ring of the Pearl Throne - Cannot be taken by Gigantic": "Cannot be taken by Gigantic",
    "Ring (can’t be taken by Gigantic)": "can’t be taken by Gigantic",
    "Rune of Devouring - Runic Smiths only - Dominant": "Runic Smiths only",
    "Rune of Shielding - Only BSB, King's Guard.": "Only BSB, King's Guard",
    "Whispering Bell (models with Caelysian Pantheon only)": "models with Caelysian Pantheon only",
    "Spear (5+, only on foot)": "5+, only on foot",
    "Bow (4+) (on foot only)": "on foot only",
    "Robe (only on Standard (Infantry))": "only on Standard (Infantry)",
    "Cloak (only on foot": "only on foot",
    "Lance (requires a mount)": "requires a mount",
    "Lance (mount required)": "mount required",
    "Whip (unless mounted)": "unless mounted",
    "Horn (must be the General)": "must be the General",
    "Banner (one per army)": "one per army",
    "Banner (once per army)": "once per army",
    "Schwert (nur zu Fuß)": "nur zu Fuß",
    "Umhang (nicht auf Gigantisch)": "nicht auf Gigantisch",
    "Épée (seulement à pied)": "seulement à pied",
    "Anneau - Sorciers uniquement": "Sorciers uniquement",
    "Cape (pas sur Gigantesque)": "pas sur Gigantesque",
    "Lance (ne peut pas être prise à pied)": "ne peut pas être prise à pied",
    "Bannière (une par armée)": "une par armée",
    "Ring - darf nicht von Zauberern genommen werden": "darf nicht von Zauberern genommen werden",
}

NAMES = (
    *("", "Sword", "Throwing Weapons (4+)", "Longbow (0+)", "Not a Leader", "Not a Wizard"),
    *("Standard (Not a Leader)", 'Fly (8", 16")', "None (Human)", "Lion's Only Heir"),
    *("The Only Way - a Song", "Only Child", "Not on My Watch", "Cannot Die"),
    *("Character - Aura of Despair", "Order of the Fiery Heart (on Foot)"),
    *("Artefacts (non-Wizards)", "HE Artefacts (Prince, Commander)"),
    *("Aegis (5+, 3+ Against non-Magical Attacks)", "Rock Auroch (and lose Light Troops)"),
    *("Potion (one use only)", "Potion (once per game only)", "Bomb (first turn only)"),
    *("Axe (close combat only)", "Curse (only against Wizards)", "Brute (must charge)"),
    *("Bolt (needs a 4+)", "Potion (une fois par partie)", "Hache (corps à corps seulement)"),
    *("Pas de Géant", "Well-Known Foe", "Lonely", "Firestarter (Hand of Heaven (Thaumaturgy))"),
    *("Repeater Handbow [2] (4+)", ")("),
)


def test_the_words_that_state_a_restriction_are_found_and_other_names_left_alone() -> None:
    names = {**STATED, **dict.fromkeys(NAMES, "")}
    assert {name: stated_restriction(name) for name in names} == names


@given(st.text(alphabet="only not (on)[] -–,.;: Wizards", max_size=60))
def test_what_is_found_are_words_of_the_name(name: str) -> None:
    assert set(re.findall(r"\w+", stated_restriction(name))) <= set(re.findall(r"\w+", name))


RING = {"id": "ring", "name": "Ring (only on foot)"}
NEEDS = {"needs": {"not": {"taken": "horse"}}}


def found(*options: Any, shared: Any = ()) -> list[tuple[str, str]]:
    book = {"units": [{"id": "lord", "options": list(options)}], "options": list(shared)}
    return [(one.unit, one.name) for one in named_restrictions(book)]


def test_options_and_groups_are_found_at_any_depth_but_where_a_condition_says_the_same() -> None:
    horse = {"id": "horse", "name": "Horse", "options": [RING]}
    kit = {"group": "kit", "name": "Kit - Lords only", "options": [horse]}
    assert found(kit) == [("lord", "Kit - Lords only"), ("lord", "Ring (only on foot)")]
    assert found(RING) == [("lord", "Ring (only on foot)")]
    assert found({**RING, **NEEDS}) == []
    assert found({**RING, "not_with": ["horse"]}) == []
    assert found({"group": "kit", "name": "Kit", "options": [RING], **NEEDS}) == []


def test_what_is_shared_is_reported_once_unless_all_its_uses_have_conditions() -> None:
    use = {"use": "ring"}
    assert found(use, use, shared=[RING]) == [("", "Ring (only on foot)")]
    assert found(use, {**use, **NEEDS}, shared=[RING]) == [("", "Ring (only on foot)")]
    assert found({**use, **NEEDS}, shared=[RING]) == []
    assert found({"use": "ring", "name": "Band (not on Gigantic)"}, shared=[RING]) == [
        ("", "Ring (only on foot)"), ("lord", "Band (not on Gigantic)")
    ]  # fmt: skip
    cup = {"id": "cup", "name": "Cup (Wizards only)"}
    chest = {"group": "chest", "name": "Chest", "options": [{"use": "ring"}]}
    book = {"units": [], "options": [RING, cup, chest]}
    unit = {"id": "lord", "options": [{"use": "chest"}]}
    assert [one.name for one in restrictions_on(book, unit)] == ["Ring (only on foot)"]
    assert restrictions_on(book, {"id": "page"}) == []
