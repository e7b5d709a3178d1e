"""One of several models gets a role by itself."""

import pytest

from armybuilder.acts.base import ListAct, decode, fields_of
from armybuilder.loading.armylist import ArmyList
from armybuilder.loading.library import shipped_library
from armybuilder.loading.problems import Refusal
from tests.building.documents import list_of, value_of

CATALOGUE = shipped_library().catalogue("chainmail-2002", ["practice"])
RECRUIT = "practice/gatehouse-recruit"


def list_with(models: int, roles: list[str]) -> ArmyList:
    unit = {"unit": RECRUIT, "models": models, "roles": roles}
    return value_of(list_of("chainmail-2002", ["practice"], [unit], limit=100))


def split(army_list: ArmyList) -> list[tuple[int, tuple[str, ...]]]:
    act = decode(fields_of({"act": "role-one:reserve", "unit": "u1"}))
    assert isinstance(act, ListAct)
    done = act.perform(army_list, CATALOGUE)
    assert done.said == "One Gatehouse Recruit: reserve."
    assert done.entry == "u2"
    return [(entry.models, entry.roles) for entry in done.army_list.units]


@pytest.mark.parametrize("roles", [[], ["reserve"]])
def test_one_of_several_is_put_in_reserve_and_the_others_are_not(roles: list[str]) -> None:
    assert split(list_with(3, roles)) == [(2, ()), (1, ("reserve",))]


def test_a_single_model_cannot_be_split() -> None:
    with pytest.raises(Refusal, match="nothing to split"):
        split(list_with(1, []))
