"""Amounts: numbers of a book that move, their order, what they count, and how caps scale."""

from typing import Any

import pytest

from armybuilder.engine.amounts import read_amount
from armybuilder.engine.conditions import Place
from armybuilder.engine.prices import Share
from tests.building.regiments import CAPS, army, field, option, place, spent, taken, unit
from tests.building.tiny import Data, judge, only


def moved(base: int | None, *when: Data, here: Place | None = None) -> int | None:
    return read_amount(base, when, "cap").at(here or place(shield=1, models=12))


SHIELD, SPEAR = {"taken": "shield"}, {"taken": "spear"}


def test_changes_apply_in_their_order_where_they_hold() -> None:
    for base, when, number in [
        (4, [], 4),
        (4, [{"if": SHIELD, "set": {"cap": 2}}], 2),
        (4, [{"if": SPEAR, "set": {"cap": 2}}], 4),
        (4, [{"if": SHIELD, "add": {"cap": -1}}], 3),
        (4, [{"if": SHIELD, "set": {"other": 2}}], 4),
        # in their order
        (4, [{"if": SHIELD, "set": {"cap": 2}}, {"if": SHIELD, "add": {"cap": 1}}], 3),
        (4, [{"if": SHIELD, "add": {"cap": 1}}, {"if": SHIELD, "set": {"cap": 2}}], 2),
        # no bound stays none when something is added, and becomes one when it is set
        (None, [{"if": SHIELD, "add": {"cap": 1}}], None),
        (None, [{"if": SHIELD, "set": {"cap": 1}}], 1),
    ]:
        assert moved(base, *when) == number, (base, when)


def test_a_change_is_multiplied_by_what_it_counts() -> None:
    for count, number in [
        ({"models": 1}, 12),
        ({"models": 5}, 2),
        ({"models": 5, "round": "up"}, 3),
        ({"models": 1, "per": 5}, 2),
        ({"taken": "shield"}, 3),
        ({"taken": ["shield", "horse"], "per": 2}, 2),
        ({"taken": ["shield", "horse"], "per": 3, "round": "up"}, 2),
        ({"taken": "spear"}, 0),
        ({"limit": 1500}, 3),
        ({"limit": 1500, "round": "up"}, 4),
    ]:
        here = place(4600, models=12, shield=3, horse=1)
        assert moved(0, {"for_each": count, "add": {"cap": 1}}, here=here) == number, count
        assert moved(9, {"for_each": count, "set": {"cap": 2}}, here=here) == 2 * number, count


HALF, ONCE, DOUBLE = Share(1, 2), Share(1, 1), Share(2, 1)


@pytest.mark.parametrize(
    ("base", "half", "double"), [(0, 0, 0), (1, 1, 2), (2, 1, 4), (3, 2, 6), (4, 2, 8), (5, 3, 10)]
)
def test_a_scaled_number_halves_rounding_up_and_doubles(base: int, half: int, double: int) -> None:
    amount = read_amount(base, (), "cap")
    found = [amount.scaled_at(place(), share) for share in (HALF, ONCE, DOUBLE)]
    assert found == [half, base, double]


def scaled(base: int | None, *when: Any) -> int | None:
    return read_amount(base, when, "cap").scaled_at(place(3000, shield=1), HALF)


def test_changes_apply_to_a_scaled_number() -> None:
    # What is set scales too also where it equals the scaled number.
    assert scaled(None) is None
    assert scaled(4, {"if": SHIELD, "set": {"cap": 6}}) == 3
    assert scaled(4, {"if": SHIELD, "set": {"cap": 2}}) == 1
    assert scaled(4, {"if": SPEAR, "set": {"cap": 6}}) == 2
    # What is added scales with the rest.
    assert scaled(1, {"if": SHIELD, "add": {"cap": 1}}) == 1
    assert scaled(4, {"if": SHIELD, "add": {"cap": 1}}) == 3
    assert scaled(4, {"if": SHIELD, "add": {"cap": 2}}) == 3
    # What is used up does not scale and never leads below nothing.
    assert scaled(4, {"if": SHIELD, "add": {"cap": -1}}) == 1
    assert scaled(4, {"for_each": {"taken": "shield"}, "add": {"cap": -1}}) == 1
    assert scaled(1, {"if": SHIELD, "add": {"cap": -3}}) == 0
    # Where a change names this size the number is as written.
    other = {"if": {"all": [{"limit": {"at_most": 3000}}, SPEAR]}, "set": {"cap": 1}}
    assert scaled(2, other) == 2
    assert scaled(2, {"if": {"limit": {"at_least": 8000}}, "set": {"cap": 9}}) == 1
    # What follows the game size is not scaled again.
    assert scaled(1, {"for_each": {"limit": 650}, "add": {"cap": 1}}) == 1 + 4
    # What speaks of the game size itself does not scale.
    small = {"limit": {"at_most": 3000}}
    assert scaled(4, {"if": small, "set": {"cap": 3}}) == 3
    assert scaled(4, {"if": {"all": [small, SHIELD]}, "set": {"cap": 3}}) == 3
    assert scaled(4, {"for_each": {"limit": 1500}, "set": {"cap": 3}}) == 6
    # One of a kind never scales.
    lone = unit("king", 10, one_of_a_kind=True)
    catalogue = army(lone, rules=CAPS)
    for limit in (20, 100, 400):
        finding = only(judge(catalogue, field("king"), field("king"), limit=limit))
        assert (finding.code, finding.measured, finding.allowed) == ("tiny.lone", 2, 1)


def test_prices_of_units_and_options_move() -> None:
    # A units price moves for itself and for each further model.
    horde = unit(
        "horde",
        30,
        option("shield"),
        option("pike"),
        size=[10, 30],
        points_per_model=2,
        when=[
            {"if": {"taken": "shield"}, "add": {"points": 5}},
            {"if": {"taken": "pike"}, "set": {"points_per_model": 3}},
        ],
    )
    catalogue = army(horde)
    assert spent(catalogue, field("horde", models=10)) == 30
    assert spent(catalogue, field("horde", models=25)) == 30 + 15 * 2
    assert spent(catalogue, field("horde", "shield", models=25)) == 35 + 15 * 2
    assert spent(catalogue, field("horde", "shield", "pike", models=25)) == 35 + 15 * 3
    # Options cost once for each model or less than nothing.
    nodes = [
        option("banner", 7),
        option("shield", 0, points_per_model=2),
        option("oath", 1, points_per_model=1),
        option("bad-shoes", 0, points_per_model=-1),
        option("flask", 3, number=[0, 4]),
    ]
    catalogue = army(unit("horde", 30, *nodes, size=[10, 30]))

    def cost(*options: Any, models: int = 12) -> int:
        return spent(catalogue, field("horde", *options, models=models)) - 30

    assert cost("banner") == 7
    assert cost("shield") == 24
    assert cost("oath") == 13
    assert cost("bad-shoes") == -12
    assert cost(taken("flask", number=3)) == 9
    assert cost("banner", "shield", models=20) == 47
    # An options price moves with what else is taken.
    cheap = {"if": {"taken": "forge"}, "set": {"points": 1, "points_per_model": 0}}
    blade = option("blade", 4, points_per_model=1, when=[cheap])
    catalogue = army(unit("smiths", 10, option("forge"), blade, size=[3, 9]))
    assert spent(catalogue, field("smiths", "blade", models=5)) == 10 + 4 + 5
    assert spent(catalogue, field("smiths", "blade", "forge", models=5)) == 10 + 1
