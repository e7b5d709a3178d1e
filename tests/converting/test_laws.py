"""Laws that hold for every creature: cards stay in range, and more is never worth less."""

import re
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from armybuilder.converting.dnd import BALANCED, convert, rounded_damage
from armybuilder.converting.fields import read_scores
from armybuilder.converting.price import suggest, worth
from armybuilder.converting.scores import SIZES, TYPES, ConversionChoices

ABILITY = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*( (-?[0-9]+|\?))?(: .{1,60})?")


def whole(low: int, high: int) -> st.SearchStrategy[str]:
    return st.integers(low, high).map(str)


DAMAGE = st.builds("{}d{}{:+}".format, st.integers(1, 6), st.integers(2, 12), st.integers(-5, 30))
CREATURES = st.fixed_dictionaries(
    {
        "name": st.just("Anybody"),
        "size": st.sampled_from(SIZES),
        "type": st.sampled_from(sorted(TYPES)),
        "alignment": st.sampled_from(["good", "neutral", "evil"]),
        "hit_dice": st.one_of(st.just("1/2"), whole(1, 40)),
        "hit_points": whole(1, 600),
        "speed": st.integers(1, 40).map(lambda steps: str(5 * steps)),
        "armor_class": whole(3, 60),
        "melee_attack": whole(-5, 50),
        "melee_damage": DAMAGE,
        "melee_number": whole(1, 6),
        "fortitude": whole(-5, 30),
        "reflex": whole(-5, 30),
        "will": whole(-5, 30),
    },
    optional={
        "fly": st.integers(1, 40).map(lambda steps: str(5 * steps)),
        "second_attack": whole(-5, 50),
        "intelligence": whole(1, 30),
        "dwarf": st.just("on"),
        "melee_penalty": st.just("on"),
        "commander": whole(1, 9),
        "turning_level": whole(0, 20),
        "feats": st.sampled_from(["Dodge", "Cleave", "Power Attack", "Anything"]),
        "base_attack": whole(0, 20),
    },
).map(lambda one: one | ({"second_damage": "1d4"} if "second_attack" in one else {}))
CHOICES = st.builds(
    ConversionChoices,
    damage=st.sampled_from(["up", "down"]),
    health=st.sampled_from(["near", "up", "down"]),
    attacks=st.sampled_from(["average", "main", "one"]),
    flight=st.sampled_from(["fly", "walk"]),
    power_attack=st.booleans(),
)


@pytest.mark.slow
@given(CREATURES, CHOICES)
def test_no_card_leaves_the_range_of_cards_or_is_suggested_for_less_than_a_point(
    fields: dict[str, str], choices: ConversionChoices
) -> None:
    card = convert(read_scores(fields), choices).unit
    stats = card["stats"]
    assert 2 <= stats["armor"] <= 61
    assert 1 <= stats["health"] <= 120
    assert stats["level"] >= 1
    assert re.fullmatch(r"F?[1-9]\d*", stats["speed"])
    assert re.fullmatch(r"[1-9]\d*", stats["melee_damage"])
    assert all(ABILITY.fullmatch(ability) for ability in card.get("abilities", ()))
    assert suggest(convert(read_scores(fields), choices).unit).points >= 1


@pytest.mark.slow
@given(CREATURES, st.integers(1, 9), st.integers(1, 9), st.integers(1, 9))
def test_more_damage_health_or_attack_is_never_a_lower_suggestion(
    fields: dict[str, str], damage: int, health: int, attack: int
) -> None:
    card = convert(read_scores(fields)).unit
    stats = card["stats"]
    better = stats | {
        "melee_damage": str(int(stats["melee_damage"]) + damage),
        "health": stats["health"] + health,
        "melee_attack": stats["melee_attack"] + attack,
    }
    for stat in ("melee_damage", "health", "melee_attack"):
        richer = card | {"stats": stats | {stat: better[stat]}}
        assert suggest(richer).points >= suggest(card).points


@given(CREATURES)
def test_the_price_is_that_of_damage_and_endurance_alone(fields: dict[str, str]) -> None:
    card = convert(read_scores(fields)).unit
    known = card | {"points": 7}
    assert suggest(card, known).points == 7
    assert worth(card).endurance > 0


@pytest.mark.slow
@given(st.fractions(1, 200, max_denominator=60), st.sampled_from(["up", "down"]))
def test_damage_is_balanced_exactly_where_rounding_moves_much(average: Fraction, half: str) -> None:
    found = rounded_damage(average, half)
    moved = found.points - average / 5
    assert (found.shift == 0) == (abs(moved) < BALANCED)
    assert found.shift * moved <= 0
    assert found.points >= 1
