"""Penalties and bonuses: a ladder as it is written, points that are given once, and taken back."""

from uuid import uuid4

import pytest

from armybuilder.events.ledger import (
    give_points,
    ladder_text,
    read_ladder,
    standing_of,
    take_back,
)
from armybuilder.events.log import first_broken
from armybuilder.loading.problems import Refusal
from tests.events.builders import NOW, entered, open_event, owner_of

LADDER = {"Late list": -3, "Painted": 5}


def test_a_ladder_is_read_as_it_is_written() -> None:
    assert read_ladder("Late list: -3\n\n Painted : +5\nWrong: list: −10") == {
        "Late list": -3,
        "Painted": 5,
        "Wrong: list": -10,
    }
    assert read_ladder(ladder_text(LADDER)) == LADDER
    assert read_ladder("") == {}


@pytest.mark.parametrize(
    "text", ["Late list", ": 3", "Late: many", "Late: 10000", "x" * 99 + ": 1"]
)
def test_a_rung_that_is_none_is_told(text: str) -> None:
    with pytest.raises(Refusal, match=text[:5]):
        read_ladder(text)


def test_a_ladder_has_an_end() -> None:
    with pytest.raises(Refusal, match="at most 20"):
        read_ladder("\n".join(f"Reason {number}: 1" for number in range(21)))


@pytest.mark.django_db
def test_points_are_given_once_however_often_they_are_sent() -> None:
    event = open_event(ladder=LADDER)
    entered(event)
    by, key = owner_of(event), uuid4()
    for _time in range(3):
        give_points(event.pk, 1, "Late list", key, by, NOW)
    give_points(event.pk, 1, "Painted", uuid4(), by, NOW)
    assert standing_of(event) == {1: 2}
    take_back(event.pk, 1, key, by, NOW)
    take_back(event.pk, 1, key, by, NOW)
    assert standing_of(event) == {1: 5}
    acts = list(event.log.order_by("sequence").values_list("act", flat=True))
    assert acts[-3:] == ["points", "points", "taken-back"]
    assert first_broken(event.log.order_by("sequence")) == 0


@pytest.mark.django_db
def test_nothing_is_given_that_is_not_on_the_ladder() -> None:
    event = open_event(ladder=LADDER)
    entered(event)
    with pytest.raises(Refusal, match="ladder"):
        give_points(event.pk, 1, "Bad manners", uuid4(), owner_of(event), NOW)
