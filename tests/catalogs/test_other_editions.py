"""Stat lines of other editions in the shipped books: they say so, and nothing else is touched."""

import datetime
import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest

from armybuilder.loading.library import CATALOGUE_DIR, shipped_library
from armybuilder.sheets.content.make import sheet_of
from armybuilder.sheets.content.unit_view import UnitView
from tests.building.documents import list_of, value_of

GAMES = ("t9a-2023", "t9a-2024")
#: Of a developer's machine alone: the facts that ours were taken from.
SHARED = Path(__file__).parents[2].parent / "shared" / "facts" / "t9a_profiles.json"
LIBRARY = shipped_library()
DAY = datetime.date(2026, 11, 26)


@cache
def facts(game: str) -> dict[str, Any]:
    file = CATALOGUE_DIR / game / "facts" / "stat_lines.json"
    data: dict[str, Any] = json.loads(file.read_text("utf-8"))
    return data


@cache
def book(game: str, name: str) -> dict[str, Any]:
    return LIBRARY.shipped_data(game, name) or {}


def entries(game: str) -> Iterator[tuple[dict[str, Any], Any]]:
    """Units and mounts as their books have them, each with its fact, "=" followed."""
    for name in facts(game)["units"].keys() | facts(game)["mounts"].keys():
        nodes = [*book(game, name)["units"], *below(book(game, name)["units"])]
        nodes += below([{"options": book(game, name).get("options", [])}])
        for kind in ("units", "mounts"):
            for id_, fact in facts(game)[kind].get(name, {}).items():
                wanted = (one for one in nodes if one.get("id") == id_)
                is_kind = (one for one in wanted if (kind == "mounts") == bool(one.get("mount")))
                before = facts(GAMES[0])[kind].get(name, {}).get(id_)
                fact = before if fact == "=" else fact
                if fact.get("mount", True):
                    yield next(is_kind), fact


def below(nodes: list[dict[str, Any]]) -> list[dict[str, Any]]:
    inner = [one for node in nodes for one in node.get("options", ())]
    return [*inner, *below(inner)] if inner else []


@pytest.mark.parametrize("game", GAMES)
def test_every_unit_and_mount_of_the_facts_has_its_stat_line_and_says_where_it_is_from(
    game: str,
) -> None:
    names = {one["name"] for each in GAMES for one in facts(each)["editions"].values()}
    for entry, fact in entries(game):
        rows = entry["profiles"]
        if single := {**fact.get("values", {}), **fact.get("size", {})}:
            assert single.items() <= rows[0]["stats"].items(), entry["id"]
        else:
            assert [row["stats"] for row in rows] == [row["stats"] for row in fact["profiles"]]
        assert rows[0].get("from", rows[0].get("filled", "").partition(": ")[2]) in names
        sparse = "unsure" in fact or ("size" in fact and not entry.get("mount"))
        assert entry.get("sparse", False) is sparse, entry["id"]


@pytest.mark.parametrize("game", GAMES)
def test_from_the_third_edition_we_take_only_heights(game: str) -> None:
    third = {id_ for id_, one in facts(game)["editions"].items() if "third" in one["name"]}
    of_third = [fact for _, fact in entries(game) if fact["from"] in third]
    assert of_third
    for fact in of_third:
        assert fact.keys() <= {"from", "size", "values"}
        assert {**fact.get("size", {}), **fact.get("values", {})}.keys() == {"height"}


#: A unit as a sheet shows it, and its rows by name and statistic.
Shown = tuple[UnitView, dict[str, dict[str, str]]]


def shown_by_unit(units: list[str]) -> dict[str, Shown]:
    """What a sheet shows of units of one book."""
    book = units[0].split("/")[0]
    known = LIBRARY.catalogue("t9a-2023", [book]).units
    picks = [{"unit": unit, "models": known[unit].smallest} for unit in units]
    document = list_of("t9a-2023", [book], picks, limit=4500)
    army = sheet_of(value_of(document), LIBRARY, DAY, "full").army
    assert army is not None
    columns = [column.id for column in army.columns]
    blocks = sorted(army.units, key=lambda one: int(one.id[1:]))
    return {
        unit: (
            block,
            {
                row.name: dict(zip(columns, row.values(army.columns), strict=True))
                for row in block.rows
            },
        )
        for unit, block in zip(units, blocks, strict=True)
    }


def test_a_sheet_shows_the_numbers_and_says_that_they_are_of_another_edition() -> None:
    given, own = "vermin-swarm/blackfur-veterans", "dread-elves/divine-altar"
    block, rows = shown_by_unit([given])[given]
    assert block.remark.startswith("Stat line: Vermin Swarm 20")
    assert block.remark.endswith(", not this book’s file")
    assert any(row["res"] for row in rows.values())
    assert shown_by_unit([own])[own][0].remark == ""


@pytest.mark.long
def test_sheets_of_random_units_show_what_the_facts_say() -> None:
    if not SHARED.is_file():
        pytest.skip("the facts are not on this machine")
    known = json.loads(SHARED.read_text("utf-8"))["units"]
    ours = [
        f"{name}/{id_}"
        for name, units in sorted(facts("t9a-2023")["units"].items())
        for id_, fact in units.items()
        if "profiles" in fact
    ]
    chosen = sorted(Random(2023).sample(ours, 200))  # noqa: S311
    tried = 0
    for name in dict.fromkeys(one.split("/")[0] for one in chosen):
        units = [one for one in chosen if one.startswith(f"{name}/")]
        for unit, (block, rows) in shown_by_unit(units).items():
            tried += 1
            fact = known[f"t9a-2023/{unit}"]
            if "height" in fact and "height_inferred" not in fact:
                assert block.about.startswith(f"{fact['height']} {fact['type']}"), unit
            for part in fact["parts"]:
                if "role" not in part:
                    row = rows[part["name"]]
                    # What it moves in flight, in brackets in the file, has a row of its own.
                    on_ground = {stat: str(said).split(" (")[0] for stat, said in part.items()}
                    differing = {
                        stat
                        for stat, value in row.items()
                        if value not in (part.get(stat, ""), on_ground.get(stat, ""))
                    }
                    assert differing <= {"height", "type", "base"}, (unit, part["name"], differing)
    assert tried == 200
