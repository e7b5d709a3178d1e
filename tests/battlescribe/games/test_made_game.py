"""A game system out of files: what it takes from them, and the rules that it has for them."""

from pathlib import Path
from typing import Any

import pytest

from armybuilder.loading.library import book_problems
from armybuilder.loading.problems import Problem
from armybuilder.loading.schemas import schema_problems
from armybuilder.loading.systems import build_system
from tests.building.battlescribe import (
    LAMP,
    assert_parts,
    book,
    change,
    crew,
    entry,
    game,
    group,
    limit,
    link,
    linked,
    made,
    models,
    node,
    price,
    profile,
    when,
)


def problems(found: Any) -> list[Problem]:
    """Return the mistakes of a game and its books."""
    wrong = schema_problems("system", found.system, "system.json")
    system, more = build_system(found.system, "system.json")
    assert system is not None, more
    for one in found.books:
        wrong += book_problems(one.book, system, one.book["id"])
    return wrong


def rules(found: Any) -> dict[str, Any]:
    return {rule["id"]: rule for rule in found.system["rules"]}


def units(found: Any, number: int = 0) -> dict[str, Any]:
    return {unit["id"]: unit for unit in found.books[number].book["units"]}


def book_of(found: Any, book_id: str) -> dict[str, Any]:
    return next(one.book for one in found.books if one.book["id"] == book_id)


def poles(folder: Path, *parts: str, more: str = "") -> dict[str, Any]:
    """The unit with these parts of one more book of the game."""
    found = made(folder, other=book("Other", crew("Poles", *parts), id_="x", more=more))
    unit: dict[str, Any] = book_of(found, "other")["units"][0]
    return unit


def test_a_game_passes_the_checks_names_its_file_and_has_what_it_asks_for(tmp_path: Path) -> None:
    found = made(tmp_path)
    assert problems(found) == []
    assert found.refused == ()
    assert (found.system["id"], found.system["name"]) == ("barge-wars", "Barge Wars")
    source = found.system["sources"]["files"]["title"]
    assert source == "Barge Wars: BattleScribe file game.gst, revision 4"
    assert {rule["cite"] for rule in found.system["rules"]} == {"revision 4"}
    # Points are the one kind of cost, and its limit the size.
    assert found.system["points"] == {"name": "coins", "sizes": [400], "default": 400}
    # Only what the files ask for has a rule.
    assert {"categories", "caps", "too-many-points"} <= set(rules(found))
    assert not {"general", "leader", "items-allowance"} & set(rules(found))
    assert "scale" not in rules(found)["caps"]
    # Columns of the units' profiles are its statistics.
    assert [one["name"] for one in found.system["stats"]] == ["Planks", "Top Speed"]
    # Every rule has a sentence, but what the points come to is told alike in all games.
    pairs = [(rule, key) for rule in found.system["rules"] for key in ("code", "under")]
    codes = {rule[key] for rule, key in pairs if key in rule}
    told = {key.partition(" ")[0] for key in found.system["sentences"]}
    assert codes - told == {"points.over"}
    assert told <= codes


@pytest.mark.parametrize("limited", ["-1.0", "", "lots", "1e9"])
def test_without_a_limit_the_usual_sizes_are_offered_and_told(tmp_path: Path, limited: str) -> None:
    found = made(tmp_path, game=game(limited=limited))
    assert found.system["points"]["sizes"] == [500, 1000, 1500, 2000]
    assert found.gaps == ("game.gst sets no game size; common sizes are offered.",)


def test_its_books_have_categories_and_sizes_are_those_asked_about(tmp_path: Path) -> None:
    # Its books have categories statistics and what they link to.
    found = made(tmp_path)
    assert [one.book["system"] for one in found.books] == ["barge-wars", "barge-wars"]
    assert found.books[0].book["categories"] == [
        {"id": "crews", "name": "Crews", "min": "30%", "min_units": 1},
        {"id": "engines", "name": "Engines", "max": "25%", "max_units": 2},
    ]
    (row,) = units(found)["rowers"]["profiles"]
    assert row["stats"] == {"planks": "4", "top-speed": '12"'}
    # A root link to a library is a unit.
    assert units(found)["pilot"]["cap"] == 1
    assert "river-library" not in [one.book["id"] for one in found.books]
    # Sizes that conditions ask about are offered.
    large = change("set", "hidden", "true", when("any", "lessThan", 900, "roster", "limit"))
    extra = book("Huge Folk", crew("Giants", entry("Club", limit("max", 1), large)), id_="x")
    found = made(tmp_path, game=game(limited="-1"), huge=extra)
    assert found.system["points"]["sizes"] == [900]


ONCE, CAP = limit("max", 1), "abab-0000-0000-0001"
SHIELD = entry("Shield", ONCE, price(2)).replace('ctive="false"', 'ctive="true"')
#: By the claim: parts of a unit, and what is made of them at nodes ("": the unit itself).
CLAIMS: dict[str, tuple[list[str], dict[str, dict[str, Any]]]] = {
    "profiles of options are special rules by name": (
        [entry("Spear", ONCE, profile("Boat spear", "weapon", {"Reach": "2"}))],
        {"spear": {"keywords": ["Boat spear"]}}),
    "caps by game size are as the file says": (
        [limit("max", 2, "roster", id_=CAP),
         change("set", CAP, 4, when("any", "atLeast", 800, "roster", "limit"))],
        {"": {"cap": 2, "when": [{"if": {"limit": {"at_least": 800}}, "set": {"cap": 4}}]}}),
    "words in a name that restrict are told as not checked": (
        [entry("Horn (not on rafts)", ONCE)],
        {"horn": {"unchecked": [{"what": "not on rafts", "why": "sentence"}]}}),
    "collective options are paid for each model": (
        [models(5, 10, 8, SHIELD)],
        {"shield": {"name": "Shield", "points_per_model": 2, "points": None}}),
    "a single model among options is an option": (
        [group("Men", entry("Leader", ONCE, limit("min", 1), price(15), type_="model"))],
        {"leader": {"number": [1, 1]}}),
}  # fmt: skip


@pytest.mark.parametrize("claim", CLAIMS)
def test_parts_of_a_unit_are_read(claim: str, tmp_path: Path) -> None:
    parts, expected = CLAIMS[claim]
    assert_parts(poles(tmp_path, *parts), expected)


def test_prose_is_left_and_names_are_no_rules_of_another_game(tmp_path: Path) -> None:
    # Prose in a profile is left in the file.
    told = "Whenever it rams another boat, it may go on at once. " * 2
    hull = profile("Hull", "hull-type", {"Planks": told})
    found = made(tmp_path, other=book("Other", crew("Poles", hull), id_="x"))
    assert "rams another boat" not in str([one.book for one in found.books])
    # Names are not read as rules of another game.
    items = group("Weapon Enchantments", limit("max", 2), entry("°Rusty Axe", limit("max", 1)),
                  entry("Mount - Otter", limit("max", 1)))  # fmt: skip
    bearer = entry("Battle Standard Bearer", limit("max", 1, "roster"))
    found = made(tmp_path, other=book("Other 2024", crew("Poles", items, bearer), id_="x"))
    (unit,) = (one.book["units"][0] for one in found.books if one.book["name"] == "Other 2024")
    assert node(unit, "weapon-enchantments")["choose"] == [0, 2]
    assert "item" not in str(unit)
    assert "mount" not in node(unit, "mount-otter")
    assert node(unit, "battle-standard-bearer")["cap"] == 1
    assert not any("one_of_a_kind" in option for option in unit["options"])


def test_a_general_is_asked_for_where_the_files_have_one(tmp_path: Path) -> None:
    general = entry("Army General", limit("max", 1, "roster"), limit("min", 1, "roster"),
                    limit("max", 1))  # fmt: skip
    led = book("Led", crew("Chief", price(50), general), crew("Poles"), id_="x")
    found = made(tmp_path, led=led)
    assert problems(found) == []
    assert {"general", "one-general", "leader"} <= set(rules(found))
    assert [one["id"] for one in found.system["roles"]] == ["general"]
    assert book_of(found, "led")["units"][0]["can_lead"] is True
    # A book that offers nobody would have no legal list: there everybody may lead, and it is told.
    reeds = book_of(found, "reed-folk")
    assert all(unit["can_lead"] for unit in reeds["units"])
    assert reeds["unchecked"][0]["what"].startswith("who may be the General")


def test_what_a_file_leaves_open_or_breaks_is_told(tmp_path: Path) -> None:
    # What the file leaves open of a number is told.
    lamp = link(LAMP, "Lamp")
    men = entry("Men", limit("max", 5), price(3), entry("Sword", limit("max", 1)))
    unit = poles(tmp_path, lamp, men, more=linked())
    assert node(unit, "lamp")["unchecked"][0]["what"].startswith("how often it may be taken")
    assert node(unit, "men")["unchecked"][0]["what"].startswith("what each of them takes")
    # A unit that breaks the format is left out and told.
    backwards = crew("Dwarfs", models(9, 3, 5))
    found = made(
        tmp_path, other=book("Other", backwards, *(crew(f"Poles {n}") for n in range(4)), id_="x")
    )
    assert problems(found) == []
    (other,) = (one for one in found.books if one.book["id"] == "other")
    assert [unit["id"] for unit in other.book["units"]] == [f"poles-{n}" for n in range(4)]
    assert other.book["gaps"][-1]["what"].startswith("Dwarfs is left out: the file asks for")
    assert "as" not in other.origin["units"][0]
