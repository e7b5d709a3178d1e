"""The independent reading of BattleScribe files, on a tiny catalogue of its own."""

import json
from pathlib import Path
from typing import Any

import pytest

from small_files import (
    CORE,
    catalogue,
    categorised,
    change,
    entry,
    group,
    group_of,
    limit,
    link,
    models,
    price,
    system,
)
from source_prices import as_json, read_folder

DRUM = "abab-0000-0000-0001"
MUST, ONCE = limit("min", 1), limit("max", 1)
SYSTEM = system(entry("Drum", price(10.0), id_=DRUM)).replace(" name", ' xmlns="game" name', 1)


def spears(*more: str) -> str:
    """Return a unit of 20 to 50 with a drum, and such parts."""
    return entry(
        "Spears",
        *(price(-20.0), limit("max", 4.0, "roster"), limit("max", 25.0, "roster", "share")),
        *(change("set", "points", 999), categorised("bows"), categorised(CORE, "true")),
        models(20, 50, 12.0, limit("max", 90.0, "roster")),
        link(DRUM, "Drum", price(5.0), MUST, ONCE),
        link(DRUM, "Second drum"),
        link(DRUM, "Hidden drum", MUST).replace('hidden="false"', 'hidden="true"', 1),
        *more,
        type_="unit",
    )


def written(*spear_parts: str) -> str:
    """Return a catalogue of three units, with such parts of the first."""
    clubs = entry("Club", price(30.0), id_="club"), entry("Tree", price(40.0))
    weapon = group("Weapon", MUST, ONCE, *clubs, default="club")
    giant = entry("Giant", price(200.0), limit("max", -1.0, "roster"), weapon)
    hound = entry("Hound", price(8.0), limit("min", 5.0), limit("max", 15.0))
    hounds = entry("Hounds", price(5.0), hound, type_="unit")
    bows = group_of("categoryEntries", ['<categoryEntry id="bows" name="Bows"/>'])
    return catalogue(spears(*spear_parts), giant, hounds, extra=bows)


@pytest.fixture
def books(tmp_path: Path) -> dict[str, dict[str, Any]]:
    (tmp_path / "system.gst").write_text(SYSTEM, "utf-8")
    (tmp_path / "ore.cat").write_text(written(), "utf-8")
    return read_folder(tmp_path)


def unit(books: dict[str, dict[str, Any]], name: str) -> dict[str, Any]:
    (found,) = (unit for unit in books["Öre Folk"]["units"] if unit["name"] == name)
    return found


def test_a_unit_costs_its_smallest_size_and_what_must_be_bought_with_it(
    books: dict[str, dict[str, Any]],
) -> None:
    assert unit(books, "Spears") == {
        "name": "Spears",
        "size": [20, 50],
        "base": 220,
        "points": 225,
        "per_model": 12,
        "categories": ["Core", "Bows"],
        "cap": 4,
    }


def test_a_unit_without_models_is_one_and_a_choice_within_a_group_costs_nothing_yet(
    books: dict[str, dict[str, Any]],
) -> None:
    giant = unit(books, "Giant")
    assert (giant["size"], giant["base"], giant["points"]) == ([1, 1], 200, 200)
    assert (giant["per_model"], giant["cap"], giant["categories"]) == (0, None, [])


def test_models_that_the_file_calls_an_upgrade_are_counted_too(
    books: dict[str, dict[str, Any]],
) -> None:
    hounds = unit(books, "Hounds")
    assert (hounds["size"], hounds["points"], hounds["per_model"]) == ([5, 15], 45, 8)


def test_two_kinds_of_models_in_one_unit_are_refused(tmp_path: Path) -> None:
    (tmp_path / "system.gst").write_text(SYSTEM, "utf-8")
    (tmp_path / "ore.cat").write_text(written(entry("Archer", type_="model")), "utf-8")
    with pytest.raises(ValueError, match="Spears: which of"):
        read_folder(tmp_path)


def test_the_file_is_json_with_a_line_for_each_unit(books: dict[str, dict[str, Any]]) -> None:
    text = as_json(books)
    assert json.loads(text) == books
    assert books["Öre Folk"]["file"] == "ore.cat"
    assert books["Öre Folk"]["revision"] == 7
    assert '"Öre Folk"' in text
    assert sum('"name"' in line for line in text.splitlines()) == 3
