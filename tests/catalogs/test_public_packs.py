"""Packs of public events as data: lists that each takes, lists that it refuses, and why."""

import json
from pathlib import Path
from typing import Any

import pytest

from armybuilder.engine import Severity
from armybuilder.loading.documents import JudgedAt, catalogue_of, judge_at, judge_team
from armybuilder.loading.library import CATALOGUE_DIR, shipped_library
from armybuilder.loading.packs import Pack, build_pack
from tests.building.documents import list_of, value_of

LIBRARY = shipped_library()
FOLDER = Path(__file__).parent / "public_packs"
Data = dict[str, Any]


def read(name: str) -> Pack:
    data = json.loads((FOLDER / f"{name}.json").read_text("utf-8"))
    pack, problems = build_pack(data, LIBRARY.systems, f"{name}.json")
    assert pack is not None, problems
    return pack


PACKS = {file.stem: read(file.stem) for file in sorted(FOLDER.glob("*.json"))}


def example(system: str, name: str, **changes: Any) -> Data:
    file = CATALOGUE_DIR / system / "examples" / f"{name}.json"
    return {**json.loads(file.read_text("utf-8")), **changes}


def judged(pack: str, data: Data) -> JudgedAt:
    made = value_of(data)
    return judge_at(made, catalogue_of(made, LIBRARY), PACKS[pack])


def army(
    *entries: tuple[str, int], system: str = "t9a-2023", limit: int = 4500, **more: Any
) -> Data:
    books = list(dict.fromkeys(ref.split("/")[0] for ref, _ in entries))
    units = [{"unit": ref, "models": models, **more} for ref, models in entries]
    return list_of(system, books, units, limit=limit)


def elves(*entries: tuple[str, int], **more: Any) -> Data:
    return army(*((f"highborn-elves/{key}", models) for key, models in entries), **more)


def band(combat: int, *abilities: Any) -> Data:
    profile = {"name": "Own", "stats": {"quality": 3, "combat": combat}, "abilities": [*abilities]}
    unit = {"profile": profile, "models": 1}
    return list_of("sbh", ["profiles"], [unit], limit=300)


def lethal(target: str) -> Data:
    return band(3, {"ability": "lethal", "target": target})


SMALL = {"system": "t9a-2024", "limit": 3750}
#: A list, and the rules of the pack that it breaks.
GOLDEN: list[tuple[str, Data, list[str]]] = [
    ("blm-2024", elves(*[("lion-guard", 10)] * 2, **SMALL), []),
    ("blm-2024", elves(*[("lion-guard", 10)] * 3, **SMALL), ["blm-copies"]),
    ("blm-2024", elves(*[("citizen-spears", 20)] * 3, **SMALL), ["blm-copies"]),
    ("blm-2024", example("t9a-2024", "harbour-of-white-sails"), ["blm-size"]),
    ("etc-2014", elves(("citizen-spears", 30)), []),
    ("etc-2014", elves(("lion-guard", 18)), []),
    ("etc-2014", elves(("lion-guard", 19)), ["etc-points"]),
    ("etc-2014", elves(*[("sea-guard-reaper", 1)] * 2), []),
    ("etc-2014", elves(*[("sea-guard-reaper", 1)] * 7), ["etc-machines", "etc-pool"]),
    ("etc-2014", army(("vermin-swarm/vermin-slaves", 61)), ["etc-models"]),
    ("etc-2014", army(("vermin-swarm/vermin-legionaries", 54)), []),
    ("etc-2014", army(("vermin-swarm/vermin-legionaries", 55)), ["etc-vermin"]),
    ("etc-2014", army(*[("dwarven-holds/field-artillery", 1)] * 3), ["etc-pool"]),
    (
        "etc-2014",
        army(
            *[("dwarven-holds/field-artillery", 1)] * 3, *[("dwarven-holds/clan-warriors", 10)] * 3
        ),
        [],
    ),
    (
        "etc-2014",
        army(
            *[("dwarven-holds/field-artillery", 1)] * 3,
            *[("dwarven-holds/clan-warriors", 10)] * 3,
            *[("dwarven-holds/king", 1)] * 7,
        ),
        ["etc-pool"],
    ),
    ("cu-chulainn-2015", example("sbh", "ironhelms-last-watch"), []),
    ("cu-chulainn-2015", example("sbh", "ironhelms-last-watch", limit=400), ["cup-size"]),
    ("cu-chulainn-2015", lethal("Undead"), []),
    ("cu-chulainn-2015", lethal("Humans"), ["cup-lethal"]),
    ("cu-chulainn-2015", band(3, {"ability": "assassin"}), []),
    ("cu-chulainn-2015", band(4, {"ability": "assassin"}), ["cup-assassin"]),
    ("chainmail-league-2002", example("chainmail-2002", "orestas-marsh-patrol"), []),
    (
        "chainmail-league-2002",
        army(("converted/human-warrior-skeleton", 1), system="chainmail-2002", limit=70),
        ["league-cards"],
    ),
]


@pytest.mark.parametrize(("name", "data", "broken"), GOLDEN)
def test_lists_are_judged_as_the_pack_says(name: str, data: Data, broken: list[str]) -> None:
    report = judged(name, data).report
    found = {one.head.id for one in report.refusals if one.severity is Severity.ERROR}
    assert sorted(found) == sorted(broken)


def test_what_counts_as_a_race_is_left_to_people() -> None:
    for target, asks in (("Undead", 0), ("Orcs", 0), ("Pirates", 1), ("", 0)):
        unchecked = judged("cu-chulainn-2015", lethal(target)).report.event.unchecked
        assert sum(one.citation == "Pack Lethal" for one in unchecked) == asks, target


def test_an_item_is_barred_but_for_one_book() -> None:
    for ref, refused in (("highborn-elves/mage", True), ("dwarven-holds/runic-smith", False)):
        pack = PACKS["etc-2014"]
        made = value_of(army((ref, 1)))
        catalogue = catalogue_of(made, LIBRARY)
        offered = {one.id for one in catalogue.units[ref].offer.options()}
        there = judge_at(made, catalogue, pack).report.event.system.rules
        assert ("etc-scroll" in {rule.head.id for rule in there}) == refused
        assert not refused or "binding-scroll" in offered


def test_a_team_has_each_book_once_and_as_many_lists_as_the_pack_says() -> None:
    two = [value_of(elves(("citizen-spears", 20))) for _ in range(2)]
    (found,) = judge_team(two, LIBRARY, PACKS["etc-2014"]).findings
    assert found.rule.id == "etc-books"
    five = [value_of(elves(("citizen-spears", 20), **SMALL)) for _ in range(5)]
    assert judge_team(five, LIBRARY, PACKS["blm-2024"]).findings == ()
