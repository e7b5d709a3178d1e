"""What a new unit starts with: what is free where one must be taken and nothing else is free."""

from typing import Any

import pytest

from tests.building.regiments import army, field, group, option, unit
from tests.building.tiny import Data, judge


def started(*nodes: Data, **more: Any) -> list[str]:
    """What a new unit with these options has taken."""
    shared = more.pop("shared", ())
    catalogue = army(unit("mob", 10, *nodes, **more), shared=shared)
    return [pick.id for pick in catalogue.units["book/mob"].fresh if not pick.given]


def arms(*options: Data, **more: Any) -> Data:
    return group("arms", *options, **{"choose": [1, 1], **more})


CLUB, AXE, BOW = option("club"), option("axe", 3), option("bow", 0, points_per_model=1)


def test_of_a_group_that_must_not_stay_empty_the_one_free_option_is_taken() -> None:
    assert started(arms(AXE, CLUB, BOW)) == ["club"]
    catalogue = army(unit("mob", 10, arms(AXE, CLUB, BOW)))
    assert judge(catalogue, field("mob", "club")).legal


def test_of_two_free_options_none_is_taken() -> None:
    assert started(arms(AXE, CLUB, option("stick"))) == []


def test_a_default_that_costs_something_comes_before_what_is_free() -> None:
    assert started(arms(AXE, CLUB, default="axe")) == ["axe"]


@pytest.mark.parametrize("choose", [[0, 1], [2, 2], [0, None]])
def test_where_none_or_several_must_be_taken_nothing_is(choose: list[int | None]) -> None:
    assert started(arms(AXE, CLUB, choose=choose)) == []


@pytest.mark.parametrize(
    "more",
    [
        {"cap": 1},
        {"one_of_a_kind": True},
        {"needs": {"taken": "king", "in": "army"}},
        {"needs": {"limit": {"at_least": 3000}}},
        {"needs": {"taken": "axe"}},
        {"needs": {"role": "general"}},
        {"when": [{"if": {"models": {"at_least": 5}}, "add": {"points": 4}}]},
    ],
    ids=str,
)
def test_what_is_free_only_sometimes_is_not_taken(more: Data) -> None:
    king = unit("king", 10)
    catalogue = army(king, unit("mob", 10, arms(AXE, option("club", **more))), roles=[GENERAL])
    assert catalogue.units["book/mob"].fresh == ()


GENERAL: Data = {
    "id": "general", "name": "General", "act": "Lead", "end": "No longer", "summary": "Leads.",
    "cite": "1",
}  # fmt: skip


def test_what_is_open_to_the_new_unit_by_itself_is_taken() -> None:
    assert started(arms(AXE, option("club", needs={"unit": "mob"}))) == ["club"]
    assert started(arms(AXE, option("club", needs={"models": {"at_least": 3}})), size=3) == ["club"]
    assert started(arms(AXE, option("club", not_with=["axe"]))) == ["club"]


def test_a_free_option_that_is_shut_leaves_the_other_one_as_the_only_one() -> None:
    shut = option("stick", needs={"models": {"at_least": 3}})
    assert started(arms(AXE, shut, CLUB)) == ["club"]


def test_a_free_option_that_the_army_may_open_leaves_the_choice_to_the_player() -> None:
    perhaps = option("stick", needs={"limit": {"at_least": 3000}})
    assert started(arms(AXE, perhaps, CLUB)) == []


def test_a_group_that_is_shut_starts_empty() -> None:
    shut = arms(AXE, CLUB, needs={"taken": "horse"})
    assert started(option("horse", 5), shut) == []


def test_a_group_that_something_given_opens_is_filled() -> None:
    opened = arms(AXE, CLUB, needs={"taken": "horse"})
    assert started(option("horse", number=[1, 1]), opened) == ["club"]


def test_a_group_that_holds_its_default_in_an_inner_one_is_not_filled_again() -> None:
    inner = group("long", option("spear", 2), choose=[1, 1], default="spear")
    assert started(arms(inner, CLUB)) == ["spear"]


def test_what_is_free_on_an_option_comes_with_it() -> None:
    horse = option("horse", 5, arms(AXE, CLUB))
    ride = group("ride", horse, choose=[1, 1], default="horse")
    (pick,) = army(unit("mob", 10, ride)).units["book/mob"].fresh
    assert [inner.id for inner in pick.picks] == ["club"]


def test_of_a_shared_option_in_two_places_the_open_one_counts() -> None:
    nodes = (
        option("horse", 5),
        arms(
            AXE,
            {"use": "staff", "needs": {"taken": "horse"}},
            {"use": "staff"},
        ),
    )
    assert started(*nodes, shared=[option("staff")]) == ["staff"]
