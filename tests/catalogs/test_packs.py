"""The event packs in the box: lists that each takes, and lists that it refuses for a reason."""

import json
from typing import Any

import pytest

from armybuilder.engine import Severity
from armybuilder.loading.documents import JudgedAt, catalogue_of, judge_at
from armybuilder.loading.library import CATALOGUE_DIR, shipped_library
from armybuilder.loading.packs import at_event, build_pack
from armybuilder.solving.cpsat import CpSat
from armybuilder.solving.fill import filling
from armybuilder.solving.repair import repairs
from tests.building.documents import list_of, value_of

LIBRARY = shipped_library()
Data = dict[str, Any]

#: Examples in the box that each pack takes as they are.
TAKEN = {
    "lantern-cup": ["the-long-table", "the-princes-dragon", "throne-under-the-mountain"],
    "four-banners": ["the-long-table", "the-princes-dragon", "throne-under-the-mountain"],
    "raven-cup": ["gruks-green-flood", "ironhelms-last-watch"],
    "gatehouse-assault": ["bramble-and-horn", "wardens-of-the-river-gate"],
    "three-winters-league": ["ironhelms-last-watch"],
}


def example(pack_id: str, name: str, **changes: Any) -> Data:
    system = LIBRARY.packs[pack_id].system
    file = CATALOGUE_DIR / system / "examples" / f"{name}.json"
    return {**json.loads(file.read_text("utf-8")), **changes}


def judged(pack_id: str, data: Data) -> JudgedAt:
    made = value_of(data)
    return judge_at(made, catalogue_of(made, LIBRARY), LIBRARY.packs[pack_id])


def refusals(pack_id: str, data: Data) -> list[str]:
    """The rules of the pack that a list breaks."""
    found = judged(pack_id, data).report.refusals
    return [one.head.id for one in found if one.severity is Severity.ERROR]


@pytest.mark.parametrize(
    ("pack_id", "name"), [(pack, name) for pack, names in TAKEN.items() for name in names]
)
def test_lists_within_a_pack_are_legal(pack_id: str, name: str) -> None:
    assert judged(pack_id, example(pack_id, name)).report.legal


def test_lifting_a_rule_lifts_its_limits_in_books_too() -> None:
    data = json.loads(json.dumps(LIBRARY.packs["lantern-cup"].data))
    core = army(("highborn-elves/high-prince", 1), *[("highborn-elves/lion-guard", 10)] * 2)
    made = value_of(core)
    for lifted in (["categories"], ["category-core-points-min"], []):
        data["lift"] = [{"rule": rule, "cite": "9"} for rule in lifted]
        pack, problems = build_pack(data, LIBRARY.systems, "cup.json")
        assert pack is not None, problems
        found = judge_at(made, catalogue_of(made, LIBRARY), pack).report.event.findings
        assert ("category.under" in {one.code for one in found}) == (not lifted)


def units_of(*entries: tuple[str, int]) -> list[Data]:
    return [{"unit": ref, "models": models} for ref, models in entries]


def army(*entries: tuple[str, int], limit: int = 4500) -> Data:
    books = list(dict.fromkeys(ref.split("/")[0] for ref, _ in entries))
    return list_of("t9a-2023", books, units_of(*entries), limit=limit)


def band(*entries: tuple[str, int], limit: int = 300, **settings: Any) -> Data:
    return list_of("sbh", ["profiles"], units_of(*entries), limit=limit, settings=settings)


WRONG: list[tuple[str, Data, list[str]]] = [
    ("lantern-cup", army(("highborn-elves/high-prince", 1), limit=3000), ["cup-size"]),
    ("lantern-cup", army(*[("highborn-elves/lion-guard", 10)] * 3), ["cup-copies"]),
    ("lantern-cup", army(("highborn-elves/citizen-spears", 51)), ["cup-regiment"]),
    (
        "lantern-cup",
        army(*[("highborn-elves/sea-guard-reaper", 1)] * 4),
        ["cup-machines", "cup-copies"],
    ),
    ("raven-cup", band(("profiles/human-warrior", 2)), ["raven-models"]),
    ("raven-cup", band(("profiles/human-warrior", 16), limit=400), ["raven-size", "raven-models"]),
    ("three-winters-league", band(("profiles/human-warrior", 9), limit=200), ["league-models"]),
    (
        "three-winters-league",
        band(("profiles/human-warrior", 9), limit=250),
        ["league-sizes", "league-models"],
    ),
]


@pytest.mark.parametrize(("pack_id", "data", "broken"), WRONG)
def test_lists_outside_a_pack_are_not_legal(pack_id: str, data: Data, broken: list[str]) -> None:
    assert sorted(set(refusals(pack_id, data))) == sorted(broken)


EMPTY: dict[str, Data] = {
    "lantern-cup": list_of("t9a-2023", ["dwarven-holds"], [], limit=4500),
    "four-banners": list_of("t9a-2023", ["vermin-swarm"], [], limit=4500),
    "raven-cup": list_of("sbh", ["profiles"], [], limit=300),
    "gatehouse-assault": list_of("ddm-2008", ["practice"], [], limit=200),
    "cellar-night": list_of("chainmail-2002", ["practice"], [], limit=70),
    "three-winters-league": list_of("sbh", ["profiles"], [], limit=400),
}


@pytest.mark.one_in(3)
@pytest.mark.parametrize("pack_id", sorted(LIBRARY.packs))
def test_a_list_can_be_filled_for_an_event(pack_id: str) -> None:
    """So no pack contradicts itself, and what fills lists obeys it."""
    made = value_of(EMPTY[pack_id])
    there = at_event(catalogue_of(made, LIBRARY), LIBRARY.packs[pack_id])
    filled = filling(made, there, CpSat(), 1, seconds=10).filled
    assert filled is not None
    assert judged(pack_id, filled.army_list.to_dict()).report.legal


@pytest.mark.parametrize("pack_id", ["lantern-cup", "cellar-night"])
def test_a_list_is_repaired_for_an_event(pack_id: str) -> None:
    data = {
        "lantern-cup": example("lantern-cup", "the-princes-dragon"),
        "cellar-night": example("cellar-night", "orestas-marsh-patrol", limit=70),
    }[pack_id]
    if pack_id == "lantern-cup":
        data["units"] += [{**data["units"][-1], "id": f"more-{number}"} for number in range(2)]
    assert not judged(pack_id, data).report.legal
    made = value_of(data)
    there = at_event(catalogue_of(made, LIBRARY), LIBRARY.packs[pack_id])
    first = repairs(made, there, CpSat(), number=1, seconds=20).found[0]
    assert judged(pack_id, first.army_list.to_dict()).report.legal


def test_a_list_of_another_size_is_repaired_at_the_nearest() -> None:
    for pack_id, limit, nearest in (("raven-cup", 200, 300), ("three-winters-league", 290, 300)):
        made = value_of(example(pack_id, "gruks-green-flood", limit=limit))
        there = at_event(catalogue_of(made, LIBRARY), LIBRARY.packs[pack_id])
        found = repairs(made, there, CpSat(), seconds=20)
        assert found.found, pack_id
        assert not found.impossible, pack_id
        for one in found.found:
            assert one.army_list.limit == nearest, pack_id
            assert judged(pack_id, one.army_list.to_dict()).report.legal, pack_id


def test_a_repair_changes_agreed_settings_first() -> None:
    data = example("cellar-night", "orestas-marsh-patrol", limit=70)
    data["settings"]["players"] = 3
    made = value_of(data)
    there = at_event(catalogue_of(made, LIBRARY), LIBRARY.packs["cellar-night"])
    first = repairs(made, there, CpSat(), number=1, seconds=20).found[0]
    assert first.army_list.settings["players"] == 2
    assert judged("cellar-night", first.army_list.to_dict()).report.legal
