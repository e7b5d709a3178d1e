"""What units say of the beasts they ride is given to mounts that lack it."""

from copy import deepcopy
from typing import Any

import pytest

from bookimport.mounts import complete_mounts

RIDER = {"name": "Rider", "stats": {"adv": '8"', "height": "Standard", "type": "Cavalry"}}
BEAST = {"name": "Heron", "stats": {"att": "2", "agi": "4"}, "rules": ["Harnessed"]}
SIZE = {"height": "Standard", "type": "Cavalry"}


def riders(name: str = "Reed Riders", *, of: str = "", **size: str) -> dict[str, Any]:
    first = {**deepcopy(RIDER), "stats": {**RIDER["stats"], **size}}  # type: ignore[dict-item]
    return {"name": name, "profiles": [{**first, "from": of} if of else first, deepcopy(BEAST)]}


def mounted(*units: dict[str, Any], **mount: Any) -> dict[str, Any]:
    """The mount of a book with these units."""
    made = {"id": "heron", "name": "Heron (2)", "mount": True, **mount}
    complete_mounts({"units": list(units), "options": [made]})
    return made


def test_a_mount_without_a_stat_line_has_that_of_the_beast_under_a_unit() -> None:
    made = mounted(riders(), options=[])
    assert made["profiles"] == [{**BEAST, "stats": {**BEAST["stats"], **SIZE}}]  # type: ignore[dict-item]
    assert list(made).index("profiles") < list(made).index("options")
    assert mounted(riders(of="2022"))["profiles"][0]["from"] == "2022"


def test_a_stat_line_of_its_own_keeps_what_it_says_and_gains_only_size() -> None:
    own = {"name": "Heron", "stats": {"att": "3", "type": "Beast"}}
    (row,) = mounted(riders(of="2022"), profiles=[deepcopy(own)])["profiles"]
    assert row == {
        "name": "Heron",
        "stats": {"att": "3", "type": "Beast", "height": "Standard"},
        "filled": "height: 2022",
    }


@pytest.mark.parametrize(
    ("others", "size"),
    [
        ([riders("Reed Guard")], SIZE),
        ([riders("Reed Car", type="Construct")], {"height": "Standard"}),
        ([riders("Reed Car", type="Construct", height="Large")], {}),
    ],
)
def test_of_what_units_differ_in_nothing_is_taken(others: list[Any], size: dict[str, str]) -> None:
    (row,) = mounted(riders(), *others, profiles=[{"name": "Heron", "stats": {"att": "2"}}])[
        "profiles"
    ]
    assert row["stats"] == {"att": "2", **size}


def test_a_unit_of_its_name_says_what_it_is_but_lends_no_stat_line() -> None:
    unit = {"name": "Heron", "profiles": [deepcopy(RIDER)]}
    assert "profiles" not in mounted(unit)
    (row,) = mounted(unit, profiles=[{"name": "Heron", "stats": {"att": "2"}}])["profiles"]
    assert row["stats"] == {"att": "2", **SIZE}


def test_what_is_not_ridden_or_no_mount_is_left_alone() -> None:
    walker = {**riders(), "profiles": [deepcopy(RIDER), {**BEAST, "rules": []}]}
    assert "profiles" not in mounted(walker)
    assert "profiles" not in mounted(riders(), mount=False)
    assert "profiles" not in mounted(riders(), name="Crane")
