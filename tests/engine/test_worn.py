"""Kind "worn": one suit of armour and one shield, by the table of the game."""

import pytest

from tests.building.tiny import book_data, catalogue, codes, judge, rule, system_data, take, titled
from tests.building.tiny import unit as single

WORN = rule("worn", "armour.tiny", id="worn")
TABLE = {
    "stat": "nerve",
    "suits": {"bare": 0, "mail": 2, "plate": 3},
    "shields": {"buckler": 1},
    "most": 4,
}


def found(taken: list[str], **more: object) -> list[str]:
    options = [*map(titled, ("bare", "mail", "plate", "buckler", "club"))]
    options.append(titled("horse", options=[{"id": "bard", "name": "Plate"}]))
    system = system_data(WORN, **more)
    made = catalogue(system, book_data(single("knight", options=options)))
    return codes(judge(made, take("knight", options=[{"id": id_} for id_ in taken])))


@pytest.mark.parametrize(
    ("taken", "wrong"),
    [
        (["mail", "buckler", "club"], False),
        (["mail", "plate"], True),
        # What adds nothing is no suit.
        (["bare", "plate"], False),
        (["plate", "horse"], False),
    ],
)
def test_a_unit_has_chosen_one_suit(taken: list[str], wrong: bool) -> None:
    assert ("armour.tiny" in found(taken, armour=TABLE)) is wrong


def test_a_game_without_a_table_of_armour_finds_nothing() -> None:
    assert found(["mail", "plate"]) == []
