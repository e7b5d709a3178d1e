"""The rule of thumb of page 71: what doubles, what it costs, and what is not counted."""

from typing import Any

import pytest

from armybuilder.converting.price import (
    HUMAN_GLAIVER,
    NotComparable,
    default_model,
    suggest,
)

MEASURE = {
    "name": "Measure",
    "points": 100,
    "stats": {"armor": 15, "health": 10, "melee_attack": 4, "melee_damage": "1"},
}


def like(measure: dict[str, Any] = MEASURE, **changed: object) -> dict[str, Any]:
    card: dict[str, Any] = measure | {"name": "Other", "stats": measure["stats"] | changed}
    return card


def test_twice_the_damage_or_endurance_costs_forty_per_cent_more_both_double() -> None:
    assert suggest(like(), MEASURE).points == 100
    assert suggest(like(melee_damage="2 blunt"), MEASURE).points == 141
    assert suggest(like(health=20), MEASURE).points == 141
    assert suggest(like(melee_damage="2", health=20), MEASURE).points == 200


def test_chances_to_hit_extra_attacks_and_the_better_way_count_abilities_do_not() -> None:
    assert suggest(like(melee_attack=14, melee_damage="1"), MEASURE).points == 138  # .95 / .5
    assert suggest(like(armor=20), MEASURE).points == 141  # hit by 5 in 20 instead of 10
    assert suggest(like() | {"abilities": ["extra-melee-attack"]}, MEASURE).points == 122
    assert suggest(like() | {"abilities": ["extra-melee-attack 2"]}, MEASURE).points == 141
    long = {"ability": "extra-melee-attack", "rating": 2}
    assert suggest(like() | {"abilities": [long]}, MEASURE).points == 141
    bow = {"ranged_attack": 4, "ranged_damage": "4"}
    assert suggest(like(**bow), MEASURE).points == 200
    assert suggest(like(**bow, ranged_shots=1), MEASURE).points == 100
    assert suggest(like() | {"abilities": ["commander 6", "cleave"]}, MEASURE).points == 100


def test_a_suggestion_has_a_point_or_more_steps_a_page_and_says_how_far_to_trust_it() -> None:
    weak = like(melee_attack=-10, melee_damage="0", health=1)
    assert suggest(weak, MEASURE).points == 1
    found = suggest(like(melee_damage="2"), MEASURE)
    assert [step.what for step in found.steps] == ["Damage", "Endurance", "Suggested points"]
    assert found.steps[0].result == "× 1.41"
    assert {step.cite for step in found.steps} == {"p. 71"}
    assert "suggest" in found.sentence
    assert not found.is_far
    found = suggest(like(melee_damage="9", health=50), MEASURE)
    assert found.is_far
    assert "trust this less" in found.steps[-1].how


@pytest.mark.parametrize("stat", ["armor", "health", "melee_damage"])
def test_a_card_with_a_gap_cannot_be_compared(stat: str) -> None:
    card = like()
    card["stats"] = {key: value for key, value in card["stats"].items() if key != stat}
    with pytest.raises(NotComparable, match=stat.replace("_", " ")):
        suggest(card, MEASURE)


def test_a_model_of_unknown_price_is_no_measure() -> None:
    with pytest.raises(NotComparable, match="not known"):
        suggest(like(), MEASURE | {"points": None})


def test_the_nearest_model_of_known_price_is_the_measure() -> None:
    small, large = like(health=2) | {"name": "Small"}, like(health=40) | {"name": "Large"}
    assert default_model(like(health=3), [large, small])["name"] == "Small"
    assert default_model(like(health=30), [large, small])["name"] == "Large"


def test_suggested_unknown_and_incomplete_models_are_no_measure() -> None:
    others = [
        like() | {"suggested": True},
        like() | {"points": None},
        {"name": "Gap", "points": 5, "stats": {"health": 6}},
    ]
    assert default_model(like(), others) is HUMAN_GLAIVER
