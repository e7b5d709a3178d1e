"""The form: every mistake is told at its field, all at once."""

from dataclasses import fields as of_dataclass
from fractions import Fraction

import pytest

from armybuilder.converting import scores
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


def test_an_empty_form_says_what_is_needed_and_has_a_field_for_all() -> None:
    with pytest.raises(BadScores) as caught:
        read_scores({})
    needed = {"name", "type", "alignment", "hit_dice", "hit_points", "armor_class"}
    needed |= {"speed", "fortitude", "reflex", "will", "melee_attack"}
    assert set(caught.value.errors) == needed
    assert all(sentence.endswith(".") for sentence in caught.value.errors.values())
    assert read_choices({}) == ConversionChoices()
    assert read_choices({"damage": "down", "faction": "naresh"}).faction == "naresh"
    with pytest.raises(BadScores) as caught:
        read_choices({"damage": "sideways", "difficulty": "1"})
    assert set(caught.value.errors) == {"damage", "difficulty"}
    blows = {f"{kind}_{part}" for kind in ("melee", "second", "ranged") for part in ("attack",)}
    names = {field.name for field in FIELDS}
    assert {field.name for field in of_dataclass(Scores)} - {"melee", "second", "ranged"} <= names
    assert blows <= names
    choices = {field.name for field in of_dataclass(ConversionChoices)}
    assert {field.name for field in CHOICE_FIELDS} == choices
    for field in (*FIELDS, *CHOICE_FIELDS):
        assert field.kind in {"text", "number", "choice", "flag", "lines"}
        assert bool(field.choices) == (field.kind == "choice")
        assert field.label
        assert field.section


WRONG = {
    "name": ("", "x" * 81, "a\nb"),
    "hit_dice": ("0", "2.5", "3/2", "1/0", "1e9", "many"),
    "hit_points": ("0", "2001"),
    "speed": ("32", "-5"),
    "armor_class": ("2", "high"),
    "melee_damage": ("2d", "d6", "1d6/x3", "99d6", "1d0", "5/0", "1 or 2", "3 4d"),
    "size": ("middling",),
    "type": ("robot",),
    "alignment": ("chaotic",),
    "fortitude": ("",),
    "melee_number": ("0",),
    "intelligence": ("0",),
    "powerful": ("rather",),
    "dwarf": ("maybe",),
    "ranged_kind": ("slung",),
    "abilities": ("Sneak Attack",),
    "feats": ("x" * 81,),
}


def test_a_wrong_field_is_named_in_the_order_of_the_form() -> None:
    for field, texts in WRONG.items():
        for text in texts:
            assert set(errors(**{field: text})) == {field}, text
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
    said = {"good": "good", "Usually chaotic evil": "evil", "NG": "good", "N": "neutral"}
    assert {text: alignment(text) for text in said} == said
    with pytest.raises(Unreadable):
        alignment("lawful")


def test_dice_have_exact_averages_that_are_shown_short() -> None:
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
        assert scores.average(text) == Fraction(mean), text
    texts = {"15/2": "7.5", "3": "3", "17/6": "2.83", "-1/3": "−0.33", "1/20": "0.05"}
    assert {value: scores.shown(Fraction(value)) for value in texts} == texts
