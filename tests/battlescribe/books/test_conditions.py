"""Conditions of BattleScribe that hold others, or ask for what is not."""

from pathlib import Path
from typing import Any

from tests.building.battlescribe import (
    any_of,
    catalogue,
    change,
    entry,
    group_of,
    imported,
    limit,
    node,
    unit,
    when,
)

HORN, DRUM, FLAG = (f"acac-0000-0000-000{number}" for number in (1, 2, 3))


def needs(folder: Path, *conditions: str) -> Any:
    """What an option needs that is hidden while these conditions hold."""
    hidden = change("set", "hidden", "true", *conditions)
    others = [
        entry(name, limit("max", 1), id_=id_)
        for name, id_ in (("Horn", HORN), ("Drum", DRUM), ("Flag", FLAG))
    ]
    spears = unit("Spears", *others, entry("Lute", limit("max", 1), hidden))
    lute = node(imported(folder, catalogue(spears)).book["units"][0], "lute")
    return {key: value for key, value in lute.items() if key not in ("id", "name")}


def taken(id_: str) -> str:
    return when(id_, "atLeast", 1)


def test_a_group_of_conditions_may_hold_groups(tmp_path: Path) -> None:
    both = any_of(taken(DRUM), taken(FLAG), op="and")
    either = any_of(taken(HORN)).replace("</conditionGroup>", f"{_groups(both)}</conditionGroup>")
    assert needs(tmp_path, either) == {
        "not_with": ["horn"],
        "needs": {"any": [{"not": {"taken": "drum"}}, {"not": {"taken": "flag"}}]},
    }


def test_groups_may_be_nested_deeper(tmp_path: Path) -> None:
    inner = any_of(taken(FLAG))
    middle = any_of(taken(DRUM)).replace("</conditionGroup>", f"{_groups(inner)}</conditionGroup>")
    outer = any_of(taken(HORN)).replace("</conditionGroup>", f"{_groups(middle)}</conditionGroup>")
    assert needs(tmp_path, outer) == {"not_with": ["horn", "drum", "flag"]}


def test_not_equal_is_the_opposite_of_equal(tmp_path: Path) -> None:
    assert needs(tmp_path, when(HORN, "notEqualTo", 1)) == {"needs": {"taken": "horn"}}
    assert needs(tmp_path, when(HORN, "notEqualTo", 0)) == {"not_with": ["horn"]}


def test_forces_within_the_force_change_nothing_as_there_are_none(tmp_path: Path) -> None:
    wide = taken(HORN).replace('includeChildForces="false"', 'includeChildForces="true"')
    assert needs(tmp_path, wide) == needs(tmp_path, taken(HORN)) == {"not_with": ["horn"]}


def _groups(inner: str) -> str:
    return group_of("conditionGroups", [inner])
