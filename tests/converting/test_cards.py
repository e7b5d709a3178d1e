"""Chapter 6 of the 2001 rulebook and its rule of thumb for prices, with their own examples."""

from dataclasses import astuple
from fractions import Fraction
from typing import Any

import pytest

from armybuilder.converting.dnd import combined, rounded_damage
from armybuilder.converting.price import (
    HUMAN_GLAIVER,
    NotComparable,
    default_model,
    suggest,
)
from armybuilder.converting.scores import Blows, ConversionChoices
from tests.converting.creature import abilities, made, stats, step


def test_the_examples_of_the_book_come_out_as_it_has_them_and_rounding_moves_the_attack() -> None:
    up = stats(melee_attack=8, melee_damage="7.5")
    assert (up["melee_damage"], up["melee_attack"]) == ("2", 7)
    down = stats(ConversionChoices(damage="down"), melee_attack=8, melee_damage="7.5")
    assert (down["melee_damage"], down["melee_attack"]) == ("1", 9)
    for average, points, shift in (
        ("5", 1, 0),
        ("6", 1, 0),  # 1.2
        ("13/2", 1, 0),  # 1.3
        ("7", 1, 1),  # 1.4 down by .4
        ("8", 2, -1),  # 1.6 up by .4
        ("17/2", 2, 0),  # 1.7
        ("12", 2, 1),  # 2.4
        ("4", 1, 0),  # .8
        ("5/2", 1, -1),  # .5
        ("1", 1, -1),  # .2, never less than 1
        ("29/4", 1, 1),  # 1.45 down by .45
    ):
        found = rounded_damage(Fraction(average), "up")
        assert (found.points, found.shift) == (points, shift), average
    hooves = combined(Blows(5, Fraction(5), 2), Blows(5, Fraction(0)), "one")
    assert rounded_damage(hooves.damage, "up").points == 2
    assert hooves.number == 1
    assert "turn-undead 4" in abilities(turning_level=2, charisma=1)
    assert "scary 2" in abilities(size="large", hit_dice="6d12", type="undead", intelligence="")


def test_level_is_hit_dice_at_least_one_and_five_feet_are_an_inch() -> None:
    assert stats(hit_dice="4d8+11")["level"] == 4
    assert stats(hit_dice="1/2 d8")["level"] == 1
    assert stats(speed="30 ft.")["speed"] == "6"
    assert stats(speed=15, fly=60)["speed"] == "F12"
    assert stats(ConversionChoices(flight="walk"), speed=15, fly=60)["speed"] == "3"
    assert stats(ConversionChoices(flight="walk"), speed=0, fly=60)["speed"] == "F12"
    assert "burrow 4" in abilities(burrow=20)
    assert "scary 1" in abilities(size="large", hit_dice=5)
    assert "scary 1" not in abilities(size="large", hit_dice=4)
    assert not any(one.startswith("scary") for one in abilities(size="medium", hit_dice=9))


def test_health_is_a_fifth_rounded_as_chosen_never_nothing_and_the_frail_pay_with_armor() -> None:
    for points, health, armor in ((1, 1, 14), (2, 1, 14), (3, 1, 15), (12, 2, 15), (13, 3, 15)):
        found = stats(hit_points=points)
        assert (found["health"], found["armor"]) == (health, armor), points
    assert stats(ConversionChoices(health="up"), hit_points=11)["health"] == 3
    assert stats(ConversionChoices(health="down"), hit_points=14)["health"] == 2
    assert stats(ConversionChoices(health="down"), hit_points=4)["health"] == 1
    assert stats(fortitude=4, reflex=0, will=0)["save"] == 1  # 1.33
    assert stats(fortitude=5, reflex=0, will=0)["save"] == 2  # 1.67
    assert stats(fortitude=0, reflex=-1, will=0)["save"] == 0
    assert stats(fortitude=4, reflex=0, will=0, commander=3)["save"] == 2
    assert "commander 3" in abilities(commander=3)
    assert stats(dwarf="on")["save"] == 3


def test_ranged_weapons_have_their_reach_and_shots_and_damage_moves_their_attack() -> None:
    shot = {"ranged_attack": 3, "ranged_damage": "1d8"}
    assert stats(**shot, ranged_kind="thrown")["ranged_range"] == 6
    assert stats(**shot)["ranged_range"] == 24
    assert "ranged_shots" not in stats(**shot)
    assert stats(**shot, one_shot="on")["ranged_shots"] == 1
    found = stats(ranged_attack=3, ranged_damage="7")
    assert (found["ranged_damage"], found["ranged_attack"]) == ("1", 4)
    assert found["melee_attack"] == 4
    assert stats(melee_number=2)["melee_attack"] == 4
    assert "extra-melee-attack" in abilities(melee_number=2)
    assert "extra-melee-attack 3" in abilities(melee_number=4)
    shots = {"ranged_attack": 3, "ranged_damage": 5, "ranged_number": 2}
    assert "extra-ranged-attack" in abilities(**shots)
    assert stats(melee_number=2, melee_penalty="on")["melee_attack"] == 3
    assert stats(**shots, ranged_penalty="on")["ranged_attack"] == 2
    found = combined(Blows(6, Fraction(8), 2), Blows(4, Fraction(5)), "average")
    assert found == Blows(5, Fraction(7), 3)
    found = combined(Blows(8, Fraction(10)), Blows(3, Fraction(4)), "average")
    assert found == Blows(6, Fraction(8), 2)
    assert combined(Blows(3, Fraction(4)), Blows(8, Fraction(10)), "average") == found
    bite = {"second_attack": -1, "second_damage": 2}
    assert "extra-melee-attack" in abilities(**bite)
    assert abilities(ConversionChoices(attacks="main"), **bite) == []
    assert stats(ConversionChoices(attacks="main"), **bite)["melee_attack"] == 4


def test_minds_and_power_make_the_troop_type() -> None:
    assert "wild-troop" in abilities(intelligence=2)
    assert "wild-troop" not in abilities(intelligence=3)
    assert "wild-troop" not in abilities(intelligence="")
    assert "difficult-troop 2" in abilities(powerful="yes")
    assert "difficult-troop 3" in abilities(ConversionChoices(difficulty=3), powerful="yes")
    assert abilities(powerful="yes", intelligence=1) == ["wild-and-difficult-troop 2"]
    assert "difficult-troop 2" in abilities(hit_dice=4)
    assert "difficult-troop 2" not in abilities(hit_dice=4, powerful="no")
    assert "difficult-troop 2" not in abilities(hit_dice=4, commander=2)
    assert "difficult-troop 2" not in abilities(hit_dice=4, intelligence="", type="undead")
    assert "independent-troop 0" in abilities(player_character="on")
    assert "untrained-troop" in abilities(commoner="on")
    assert "undead-creature" in abilities(type="undead", intelligence="")
    assert "construct-creature" in abilities(type="construct", intelligence="")
    found = abilities(size="large", hit_dice=6, abilities="scary 4\nimmune: fire\nimmune: cold")
    assert [one for one in found if one.startswith("scary")] == ["scary 4"]
    assert {"immune: fire", "immune: cold"} <= set(found)
    assert stats(melee_blunt="on")["melee_damage"] == "1 blunt"


def test_feats_become_armor_or_abilities_or_are_named_as_left_out() -> None:
    assert stats(feats="Dodge")["armor"] == 16
    shot = {"ranged_attack": 3, "ranged_damage": 5}
    assert "point-blank-shot 2" in abilities(feats="Point Blank Shot", **shot)
    assert abilities(feats="Point Blank Shot") == []
    card = made(feats="Cleave, Blind-Fight, Combat Casting, Toughness")
    assert card.unit["abilities"] == ["cleave", "blind-fight"]
    assert card.left_out == ("Combat Casting",)
    for base, used, wanted in ((2, True, (4, "1")), (3, True, (-1, "2")), (3, False, (4, "1"))):
        found = stats(ConversionChoices(power_attack=used), feats="Power Attack", base_attack=base)
        assert (found["melee_attack"], found["melee_damage"]) == wanted, (base, used)


def test_every_number_of_the_card_has_a_step_with_page_arithmetic_and_choice() -> None:
    card = made(ranged_attack=3, ranged_damage="1d6", one_shot="on", melee_number=2)
    told = {one.what.lower().replace(" ", "_") for one in card.steps}
    names = {"ranged_range": "range", "ranged_shots": "shots", "save": "saving_throw"}
    assert {names.get(stat, stat) for stat in card.unit["stats"]} <= told
    assert all(one.cite.startswith("p. ") and one.how and one.given for one in card.steps)
    found = step(made(melee_damage="2d6+0.5"), "Melee damage")
    assert astuple(found) == (
        *("Melee damage", "7.5 damage on average", "7.5 / 5 = 1.5, rounded up to 2.", "2"),
        *("p. 67", "Round half points up or down."),
    )
    card = made(ConversionChoices(faction="thalos", group="Soldiers"), subtype="Human").unit
    assert card["name"] == "Somebody"
    assert card["attributes"] == {"faction": "thalos", "alignment": "neutral", "type": "humanoid"}
    assert (card["group"], card["subtype"]) == ("Soldiers", "Human")


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
    for stat in ("armor", "health", "melee_damage"):
        card = like()
        del card["stats"][stat]
        with pytest.raises(NotComparable, match=stat.replace("_", " ")):
            suggest(card, MEASURE)
    with pytest.raises(NotComparable, match="unknown"):
        suggest(like(), MEASURE | {"points": None})
    small, large = like(health=2) | {"name": "Small"}, like(health=40) | {"name": "Large"}
    assert default_model(like(health=3), [large, small])["name"] == "Small"
    assert default_model(like(health=30), [large, small])["name"] == "Large"

    others = [
        like() | {"suggested": True},
        like() | {"points": None},
        {"name": "Gap", "points": 5, "stats": {"health": 6}},
    ]
    assert default_model(like(), others) is HUMAN_GLAIVER
