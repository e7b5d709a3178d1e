"""A suggested price, by the rule of thumb of the 2001 rulebook, page 71.

Twice the damage of a model of known price is worth forty per cent more, twice its endurance another
forty per cent, both together twice the price. √2 is 1.41 and √2 × √2 is 2, so the price grows with
the square root of damage and of endurance.

Damage is that of the better of its two ways to attack in a turn to a typical armor, with half for
an extra attack (the model can't move) and a quarter for a single shot. Endurance is the number of
typical attacks that use up its health. Abilities, save, speed, reach and spells have no price: add
as you see fit.
"""

import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any, Final

from armybuilder.converting.scores import WorkStep, ability_id, shown
from armybuilder.engine.nouns import counted
from armybuilder.engine.wording import marked, say, say_count

#: A soldier to measure by: the armor to hit, and the attack to withstand.
TYPICAL_ARMOR: Final = 15
TYPICAL_ATTACK: Final = 4
EXTRA_COUNTS: Final = Fraction(1, 2)
ONE_SHOT_COUNTS: Final = Fraction(1, 4)
DIE: Final = 20
#: Models that differ by more than this factor are far apart for a rule of thumb.
FAR: Final = 16
CITE: Final = "p. 71"

#: The one model whose whole card a public rulebook prints.
HUMAN_GLAIVER: Final[Mapping[str, Any]] = json.loads(
    Path(__file__).with_name("human_glaiver.json").read_text(encoding="utf-8")
)

#: By the number that a card does not say.
_LACKS: Final = marked(
    {
        "armor": "{model} has no armor to compare.",
        "health": "{model} has no health to compare.",
        "melee_attack": "{model} has no melee attack to compare.",
        "melee_damage": "{model} has no melee damage to compare.",
        "ranged_attack": "{model} has no ranged attack to compare.",
        "ranged_damage": "{model} has no ranged damage to compare.",
    }
)


class NotComparable(Exception):
    """A card that lacks a number the comparison needs; the message is one sentence."""


@dataclass(frozen=True)
class PriceWorth:
    """Figures that are compared: damage a turn, and attacks withstood."""

    damage: Fraction
    endurance: Fraction


@dataclass(frozen=True)
class Suggestion:
    """Points, at least 1, the model they are measured by, and steps. `is_far`: doubt them."""

    points: int
    against: str
    steps: tuple[WorkStep, ...]
    is_far: bool

    @property
    def sentence(self) -> str:
        return say_count(
            "We suggest {number} point, compared with {model}.",
            "We suggest {number} points, compared with {model}.",
            self.points,
            model=self.against,
        )


def suggest(card: Mapping[str, Any], known: Mapping[str, Any] = HUMAN_GLAIVER) -> Suggestion:
    """Suggest a price by a unit of known points.

    Raises `NotComparable` if either lacks armor, health or attack, or `known` its points.
    """
    points = known.get("points")
    if not points:
        raise NotComparable(say("The points of {model} are unknown.", model=known["name"]))
    mine, theirs = worth(card), worth(known)
    if not theirs.damage:
        raise NotComparable(say("{model} deals no damage to compare with.", model=known["name"]))
    ratio = mine.damage / theirs.damage * (mine.endurance / theirs.endurance)
    # The square root to the nearest whole number, exactly.
    price = max(1, (math.isqrt(math.floor(4 * points * points * ratio)) + 1) // 2)
    name = f"{known['name']} ({counted(points, 'point')})"
    dealt = say("{number} damage a turn", number=shown(mine.damage))
    withstood = say("{number} attacks withstood", number=shown(mine.endurance))
    steps = (
        _ratio(say("Damage"), dealt, mine.damage, theirs.damage, known["name"]),
        _ratio(say("Endurance"), withstood, mine.endurance, theirs.endurance, known["name"]),
        _last(points, ratio, price),
    )
    return Suggestion(price, name, steps, _is_far(ratio))


def worth(card: Mapping[str, Any]) -> PriceWorth:
    """Return damage and endurance of a card. Raises `NotComparable` where a number is missing."""
    stats = card.get("stats", {})
    armor, health = _number(card, "armor"), _number(card, "health")
    ways = [_attack(card, kind) for kind in ("melee", "ranged") if f"{kind}_attack" in stats]
    if not ways:
        raise NotComparable(say("{model} has no attack to compare.", model=card["name"]))
    return PriceWorth(max(ways), health / chance(TYPICAL_ATTACK, armor))


def chance(attack: int, armor: int) -> Fraction:
    """Return the chance to hit: a 1 always misses, a 20 always hits."""
    return Fraction(min(max(DIE + 1 + attack - armor, 1), DIE - 1), DIE)


def default_model(
    card: Mapping[str, Any], models: Iterable[Mapping[str, Any]] = ()
) -> Mapping[str, Any]:
    """Return the model of known points nearest to the card, else the Human Glaiver."""
    mine, near = worth(card), []
    for model in models:
        if model.get("suggested") or not model.get("points"):
            continue
        try:
            theirs = worth(model)
        except NotComparable:
            continue
        if theirs.damage:
            harm = abs(math.log(mine.damage / theirs.damage)) if mine.damage else 0
            distance = harm + abs(math.log(mine.endurance / theirs.endurance))
            near.append((distance, model["points"], str(model["name"]), model))
    return min(near, key=lambda row: row[:3])[3] if near else HUMAN_GLAIVER


def _attack(card: Mapping[str, Any], kind: str) -> Fraction:
    hit = chance(_number(card, f"{kind}_attack"), TYPICAL_ARMOR)
    blows = 1 + EXTRA_COUNTS * _extra(card, f"extra-{kind}-attack")
    if "ranged_shots" in card["stats"] and kind == "ranged":
        blows = ONE_SHOT_COUNTS
    return _number(card, f"{kind}_damage") * hit * blows


def _extra(card: Mapping[str, Any], ability: str) -> int:
    """Return how many extra attacks the ability gives; one where it says no number."""
    for use in card.get("abilities", ()):
        if isinstance(use, str) and ability_id(use) == ability:
            rating = use.split(":")[0].partition(" ")[2]
            return int(rating) if rating.isdecimal() else 1
        if isinstance(use, Mapping) and use.get("ability") == ability:
            return int(use.get("rating") or 1)
    return 0


def _number(card: Mapping[str, Any], stat: str) -> int:
    text = str(card.get("stats", {}).get(stat, "")).split(" ")[0]
    if not text.removeprefix("-").isdecimal():
        raise NotComparable(say(_LACKS[stat], model=card["name"]))
    return int(text)


def _ratio(what: str, told: str, mine: Fraction, theirs: Fraction, name: str) -> WorkStep:
    root = f"{math.sqrt(mine / theirs):.2f}"
    divided = f"{shown(mine)} / {shown(theirs)} = {shown(mine / theirs)}"
    how = say("{sum}; its root is {root}.", sum=divided, root=root)
    return WorkStep(what, f"{told}; {name}: {shown(theirs)}", how, f"× {root}", CITE)


def _is_far(ratio: Fraction) -> bool:
    return not Fraction(1, FAR) <= ratio <= FAR


def _last(points: int, ratio: Fraction, price: int) -> WorkStep:
    sums = f"{points} × {math.sqrt(ratio):.2f} = {points * math.sqrt(ratio):.2f}"
    how = say("{sum}, rounded to {result}.", sum=sums, result=price)
    if _is_far(ratio):
        how = f"{how} {say('The two are far apart, so trust this less.')}"
    choice = say("A suggestion only: abilities, save and speed are not priced.")
    given = counted(points, "point")
    return WorkStep(say("Suggested points"), given, how, str(price), CITE, choice)
