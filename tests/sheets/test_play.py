"""A list as it is played: its rows, and what the game says of their states, phases and score."""

import datetime
from typing import Any

import pytest

from armybuilder.loading.examples import shipped_examples
from armybuilder.loading.library import shipped_library
from armybuilder.sheets.content.make import Material
from armybuilder.sheets.content.play import Data, play_side
from tests.building.documents import army, list_of, skirmish, value_of

DAY = datetime.date(2026, 1, 1)


def played(document: dict[str, Any], opened: bool = False) -> Data:
    material = Material(value_of(document), shipped_library(), DAY)
    return play_side(material, material.open_sheet if opened else material.sheet)


def row(side: Data, name: str) -> Data:
    return next(row for row in side["rows"] if row["name"] == name)


def states(side: Data, row: Data) -> dict[str, int]:
    """What a row's health makes of it, and from how much on."""
    return {side["game"]["states"][place]["name"]: left for place, left in row["at"]}


def ticks(side: Data, row: Data) -> list[str]:
    return [side["game"]["states"][place]["name"] for place in row["ticks"]]


def of_units(system: str, book: str, *units: dict[str, Any], **more: Any) -> Data:
    told = [{"unit": f"{book}/{unit.pop('ref')}", "models": 1, **unit} for unit in units]
    return played(list_of(system, [book], told, **{"limit": 300, **more}))


@pytest.mark.parametrize(
    "example",
    [one for examples in shipped_examples().by_system.values() for one in examples],
    ids=lambda one: f"{one.document.system}-{one.id}",
)
def test_every_example_can_be_played(example: Any) -> None:
    material = Material(example.document, shipped_library(), DAY)
    side = play_side(material, material.sheet)
    game = side["game"]
    shown = [unit for unit in material.sheet.units if unit.counts]
    single = not material.system.sized
    assert len(side["rows"]) == sum(unit.models if single else 1 for unit in shown)
    assert len({row["id"] for row in side["rows"]}) == len(side["rows"])
    assert game["round"]["name"]
    assert game["round"]["cite"]
    assert all(phase["cite"] for phase in game["phases"])
    assert any(state.get("out") for state in game["states"])
    for row in side["rows"]:
        named = [place for place, _left in row["at"]] + row["ticks"]
        assert set(named) <= set(range(len(game["states"])))
        assert all(-1 <= left < row["health"] for _place, left in row["at"])
        assert bool(row["hits"]) == bool(row["health"])


def test_chainmail_has_half_health_knocked_down_and_destroyed_by_its_rulebook() -> None:
    side = played(skirmish("chainmail-2002"))
    oresta = row(side, "Bannerlady Oresta")
    health = oresta["health"]
    assert states(side, oresta) == {"Half health": health // 2, "Knocked down": 0, "Destroyed": -1}
    assert oresta["over"], "605.343: destroyed below 0"
    assert ticks(side, oresta) == ["Routing", "Off the field"]
    cites = {state["name"]: state["cite"] for state in side["game"]["states"]}
    assert cites["Knocked down"] == "Comprehensive Rules 605.342"
    (morale,) = side["game"]["breaks"]
    assert morale["share"] == (1, 2)
    assert not morale["down"]
    assert next(use for use in oresta["uses"] if use["each"] == "round")["name"] == "Command points"
    bowmaiden = row(side, "Riverglass Bowmaiden 2")
    assert bowmaiden["name"].endswith(" 2")
    assert bowmaiden["models"] == 1


def test_a_reserve_model_can_stay_away_and_no_other() -> None:
    side = of_units(
        "chainmail-2002",
        "practice",
        {"ref": "gatehouse-recruit", "roles": ["reserve"]},
        {"ref": "gatehouse-recruit", "name": "Ann"},
    )
    first, ann = side["rows"]
    assert "Stays in reserve" in ticks(side, first)
    assert "Stays in reserve" not in ticks(side, ann)


def test_a_creature_is_bloodied_at_half_in_steps_of_five() -> None:
    side = of_units("ddm-2008", "practice", {"ref": "vault-colossus"}, limit=200)
    (colossus,) = side["rows"]
    half = colossus["health"] // 2 // 5 * 5
    assert states(side, colossus) == {"Bloodied": half, "Destroyed": 0}
    assert colossus["hits"][0] == 5


@pytest.mark.parametrize(
    ("scenario", "more", "step"),
    [("assault", 0, 10), ("bounty", 5, 10), ("uncontested", 0, 5), ("uncontested-bounty", 5, 5)],
)
def test_a_creature_is_worth_what_the_scenario_says(scenario: str, more: int, step: int) -> None:
    document = skirmish("ddm-2008")
    document["settings"]["scenario"] = scenario
    side = played(document)
    assert all(row["worth"] == row["price"] + more for row in side["rows"])
    assert [one["points"] for one in side["game"]["score"]["steps"]] == [step]


def test_powers_of_a_creature_have_the_boxes_of_its_card() -> None:
    side = played(skirmish("ddm-2008"))
    uses = {use["name"]: use["max"] for row in side["rows"] for use in row["uses"]}
    assert uses["Steady"] == 1
    assert uses["Champion powers"] > 0


def test_a_tough_model_has_wounds_and_others_are_ticked() -> None:
    side = of_units("sbh", "profiles", {"ref": "troll"}, {"ref": "human-warrior", "models": 2})
    for one in side["rows"]:
        assert ticks(side, one) == ["Fallen", "Transfixed", "Out"]
        assert not one["unknown"], "models of this game have no health"
    health = [(one["name"], one["health"]) for one in side["rows"]]
    assert health == [("Troll", 2), ("Human Warrior 1", 0), ("Human Warrior 2", 0)]
    assert side["game"]["score"] is None, "no book at hand says how to score"


def test_an_army_is_shattered_at_a_quarter_and_worth_its_price() -> None:
    side = played(army())
    material = Material(value_of(army()), shipped_library(), DAY)
    for unit, one in zip(material.sheet.units, side["rows"], strict=True):
        if unit.total_health:
            # As on its sheet; a model that is destroyed at the same number is no longer shattered.
            assert states(side, one).get("Shattered") == (unit.shattered or None)
            assert one["health"] == unit.total_health
        assert one["worth"] == unit.points
    general = [one for one in side["rows"] if one["extra"]]
    assert [one["extra"] for one in general] == [200, 200], "General and Battle Standard Bearer"
    result = side["game"]["score"]["result"]
    assert result["rows"][0] == (5, 10, 10)
    assert result["rows"][-1] == (None, 17, 3)


def test_a_unit_whose_health_nobody_knows_is_counted_in_models_and_says_so() -> None:
    dukes = [
        one
        for book in shipped_library().books["t9a-2023"].values()
        for one in book.units.values()
        if one.counts and not one.profiles
    ]
    unit = dukes[0]
    book = unit.ref.partition("/")[0]
    side = played(
        list_of("t9a-2023", [book], [{"unit": unit.ref, "models": unit.smallest}], limit=4500)
    )
    (one,) = side["rows"]
    assert one["unknown"]
    assert "Shattered" in ticks(side, one)
    assert "Shattered" not in states(side, one)


def test_reminders_are_those_of_the_phase_and_of_what_is_on_the_list() -> None:
    side = played(army())
    told = {
        phase["name"]: [one["name"] for one in phase["told"]] for phase in side["game"]["phases"]
    }
    assert "Fly" in told["Movement Phase"]
    assert "Fly" not in told["Shooting Phase"]
    empty = played({**army(), "units": army()["units"][:1]})
    few = {phase["name"]: len(phase["told"]) for phase in empty["game"]["phases"]}
    assert sum(few.values()) < sum(map(len, told.values()))


def test_an_open_list_tells_nothing_of_special_items() -> None:
    whole, opened = played(army()), played(army(), opened=True)
    hidden = {
        text
        for one in whole["rows"]
        for part in one["more"]
        if part["name"] == "Items"
        for text in part["text"].split(", ")
    }
    assert hidden
    assert not [name for name in hidden if name in str(opened)]
