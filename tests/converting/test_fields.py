"""The form: every mistake is told at its field, all at once."""

from dataclasses import fields as of_dataclass
from fractions import Fraction

import pytest

from armybuilder.converting import dice
from armybuilder.converting.fields import (
    CHOICE_FIELDS,
    FIELDS,
    Unreadable,
    alignment,
    read_choices,
    read_scores,
)
from armybuilder.converting.scores import BadScores, ConversionChoices, Scores
from tests.converting.creature import PLAIN


def errors(**changed: str) -> dict[str, str]:
    with pytest.raises(BadScores) as caught:
        read_scores(PLAIN | changed)
    return caught.value.errors


def test_an_empty_form_says_what_is_needed() -> None:
    with pytest.raises(BadScores) as caught:
        read_scores({})
    needed = {"name", "type", "alignment", "hit_dice", "hit_points", "armor_class"}
    needed |= {"speed", "fortitude", "reflex", "will", "melee_attack"}
    assert set(caught.value.errors) == needed
    assert all(sentence.endswith(".") for sentence in caught.value.errors.values())


def test_a_wrong_field_is_named() -> None:
    for field, text in (
        ("name", ""),
        ("name", "x" * 81),
        ("name", "a\nb"),
        ("size", "middling"),
        ("type", "robot"),
        ("alignment", "chaotic"),
        ("hit_dice", "0"),
        ("hit_dice", "2.5"),
        ("hit_dice", "3/2"),
        ("hit_dice", "1/0"),
        ("hit_dice", "1e9"),
        ("hit_dice", "many"),
        ("hit_points", "0"),
        ("hit_points", "2001"),
        ("speed", "32"),
        ("speed", "-5"),
        ("armor_class", "2"),
        ("armor_class", "high"),
        ("melee_damage", "2d"),
        ("melee_damage", "d6"),
        ("melee_damage", "1d6/x3"),
        ("melee_damage", "99d6"),
        ("melee_damage", "1d0"),
        ("melee_damage", "5/0"),
        ("melee_damage", "1 or 2"),
        ("melee_damage", "3 4d"),
        ("melee_number", "0"),
        ("fortitude", ""),
        ("intelligence", "0"),
        ("powerful", "rather"),
        ("dwarf", "maybe"),
        ("ranged_kind", "slung"),
        ("abilities", "Sneak Attack"),
        ("feats", "x" * 81),
    ):
        assert set(errors(**{field: text})) == {field}, field


def test_mistakes_are_in_the_order_of_the_form_and_signs_and_units_are_read() -> None:
    assert list(errors(will="?", name="", hit_points="none")) == ["name", "hit_points", "will"]
    found = read_scores(PLAIN | {"melee_attack": "−1", "will": "–2", "speed": "40 ft."})
    assert found.melee is not None
    assert (found.melee.bonus, found.will, found.speed) == (-1, -2, 40)


def test_attacks_go_with_their_damage_and_a_creature_must_move() -> None:
    assert set(errors(melee_damage="")) == {"melee_damage"}
    assert set(errors(ranged_damage="1d6")) == {"ranged_attack"}
    assert set(errors(melee_attack="", melee_damage="")) == {"melee_attack"}
    both = errors(melee_attack="", melee_damage="", second_attack="2", second_damage="3")
    assert set(both) == {"melee_attack"}
    assert set(errors(speed="0")) == {"speed"}
    assert read_scores(PLAIN | {"speed": "", "fly": "60"}).fly == 60


def test_alignments_are_read_as_people_write_them() -> None:
    for text, read in (
        ("good", "good"),
        ("Usually chaotic evil", "evil"),
        ("NG", "good"),
        ("N", "neutral"),
    ):
        assert alignment(text) == read, text
    with pytest.raises(Unreadable):
        alignment("lawful")


def test_dice_have_exact_averages() -> None:
    for text, mean in (
        ("2d6+4", "11"),
        ("1d8", "9/2"),
        ("1d8+1 plus 1d6", "9"),
        ("7.5", "15/2"),
        ("15/2", "15/2"),
        ("1d4-2", "5/4"),  # 1, 1, 1, 2
        ("1d3−2", "1"),
        ("2d4 - 1", "4"),
        ("1d6+1d4-1", "5"),
    ):
        assert dice.average(text) == Fraction(mean), text


def test_numbers_are_shown_short() -> None:
    for value, text in (
        ("15/2", "7.5"),
        ("3", "3"),
        ("17/6", "2.83"),
        ("-1/3", "−0.33"),
        ("1/20", "0.05"),
    ):
        assert dice.shown(Fraction(value)) == text, value


def test_choices_have_defaults_and_are_checked() -> None:
    assert read_choices({}) == ConversionChoices()
    assert read_choices({"damage": "down", "faction": "naresh"}).faction == "naresh"
    with pytest.raises(BadScores) as caught:
        read_choices({"damage": "sideways", "difficulty": "1"})
    assert set(caught.value.errors) == {"damage", "difficulty"}


def test_every_score_and_choice_can_be_filled_in_and_drawn() -> None:
    blows = {f"{kind}_{part}" for kind in ("melee", "second", "ranged") for part in ("attack",)}
    names = {field.name for field in FIELDS}
    assert {field.name for field in of_dataclass(Scores)} - {"melee", "second", "ranged"} <= names
    assert blows <= names
    assert {field.name for field in CHOICE_FIELDS} == {
        one.name for one in of_dataclass(ConversionChoices)
    }
    for field in (*FIELDS, *CHOICE_FIELDS):
        assert field.kind in {"text", "number", "choice", "flag", "lines"}
        assert bool(field.choices) == (field.kind == "choice")
        assert field.label
        assert field.section
