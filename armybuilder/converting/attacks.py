"""Attacks of a card: several kinds made one, damage rounded, the bonus moved to balance it."""

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from armybuilder.converting.card import ConvertedCard
from armybuilder.converting.dice import HALF, nearest_low, shown, signed
from armybuilder.converting.scores import Blows, ConversionChoices, Scores
from armybuilder.engine.wording import listed, say

HIT_POINTS_PER_DAMAGE: Final = 5
#: Rounding by so much of a point of damage moves the attack bonus by one.
BALANCED: Final = Fraction(4, 10)
#: An attack whose bonus is so much better counts double in an average.
MUCH_BETTER: Final = 5
#: Inches.
RANGES: Final = {"thrown": 6, "projectile": 24}
POWER_ATTACK_NEEDS: Final = 3


@dataclass(frozen=True)
class Damage:
    """Damage of the card, what the rounding adds to the attack bonus, and why."""

    points: int
    shift: int
    how: str
    choice: str = ""


def fighting(card: ConvertedCard, scores: Scores, choices: ConversionChoices) -> None:
    """Add melee and ranged attacks, and abilities for extra ones."""
    if scores.melee is not None:
        _melee(card, scores, choices, _as_one(card, scores.melee, scores.second, choices))
    if scores.ranged is not None:
        _ranged(card, scores, choices, scores.ranged)


def rounded_damage(average: Fraction, half: str) -> Damage:
    """Average damage in hit points as damage of a card, at least 1; `half` is "up" or "down"."""
    exact = average / HIT_POINTS_PER_DAMAGE
    below = math.floor(exact)
    is_half = exact - below == HALF
    up = half == "up" if is_half else exact - below > HALF
    points = max(1, below + up)
    moved = points - exact
    shift = 0 if abs(moved) < BALANCED else (-1 if moved > 0 else 1)
    how = f"{shown(average)} / {HIT_POINTS_PER_DAMAGE} = {shown(exact)}"
    if moved:
        how = say(
            "{sum}, rounded up to {points}." if moved > 0 else "{sum}, rounded down to {points}.",
            sum=how,
            points=points,
        )
    else:
        how += "."
    if not below + up:
        how = f"{how} {say('The book does not cover less than 1; we take 1.')}"
    choice = say("Half a point goes up or down.") if is_half and below else ""
    return Damage(points, shift, how, choice)


def combined(main: Blows, second: Blows, way: str) -> Blows:
    """Two kinds of attack as one: their "average", or "one" blow with all their damage."""
    if way == "one":
        whole = main.number * main.damage + second.number * second.damage
        return Blows(max(main.bonus, second.bonus), whole)
    lead = main.bonus - second.bonus
    of_main = main.number * (2 if lead >= MUCH_BETTER else 1)
    of_second = second.number * (2 if -lead >= MUCH_BETTER else 1)
    weight = of_main + of_second
    damage = (of_main * main.damage + of_second * second.damage) / weight
    bonus = Fraction(of_main * main.bonus + of_second * second.bonus, weight)
    return Blows(nearest_low(bonus), damage, main.number + second.number)


def _as_one(
    card: ConvertedCard, main: Blows, second: Blows | None, choices: ConversionChoices
) -> Blows:
    several = second is not None or main.number > 1
    if not several:
        return main
    kinds = [main] if second is None else [main, second]
    way = choices.attacks
    if way == "main" and second is not None:
        found, how = main, say("The weaker attacks are left out as a minor feature.")
    elif way == "one":
        found = combined(main, second or Blows(main.bonus, Fraction(0)), "one")
        how = say("All attacks of a round count as one, with the damage of all.")
    elif second is None:
        found, how = main, say("All attacks have the same bonus and damage.")
    else:
        found = combined(main, second, "average")
        is_uneven = abs(main.bonus - second.bonus) >= MUCH_BETTER
        how = say(
            "The average of all of them; one with a much better bonus counts double."
            if is_uneven
            else "The average of all of them."
        )
    given = listed(_shown(kind) for kind in kinds)
    cite = "p. 71" if way == "main" and second is not None else "p. 69"
    choice = say("Average them, leave out the weaker ones, or combine them into one attack.")
    card.tell(say("Several attacks"), given, how, _shown(found), cite, choice)
    return found


def _shown(blows: Blows) -> str:
    return say(
        "{number} at {bonus} for {damage}",
        number=blows.number,
        bonus=signed(blows.bonus),
        damage=shown(blows.damage),
    )


def _melee(card: ConvertedCard, scores: Scores, choices: ConversionChoices, blows: Blows) -> None:
    damage = rounded_damage(blows.damage, choices.damage)
    moves = _moves(damage, scores.melee_penalty)
    points = damage.points
    if _uses_power(card, scores, choices):
        points += 1
        moves.append((-5, "Power Attack"))
    attack = blows.bonus + sum(move for move, _ in moves)
    card.stats["melee_attack"] = attack
    card.stats["melee_damage"] = f"{points} blunt" if scores.melee_blunt else str(points)
    _tell_damage(card, say("Melee damage"), blows, damage, card.stats["melee_damage"])
    _tell_attack(card, say("Melee attack"), blows.bonus, moves, attack)
    _extra(card, "melee", blows.number)


def _ranged(card: ConvertedCard, scores: Scores, choices: ConversionChoices, blows: Blows) -> None:
    damage = rounded_damage(blows.damage, choices.damage)
    moves = _moves(damage, scores.ranged_penalty)
    attack = blows.bonus + sum(move for move, _ in moves)
    inches = RANGES[scores.ranged_kind]
    card.stats["ranged_attack"] = attack
    card.stats["ranged_range"] = inches
    card.stats["ranged_damage"] = str(damage.points)
    _tell_damage(card, say("Ranged damage"), blows, damage, damage.points)
    _tell_attack(card, say("Ranged attack"), blows.bonus, moves, attack)
    thrown = scores.ranged_kind == "thrown"
    how = say(
        'Thrown weapons reach {inches}".' if thrown else 'Projectile weapons reach {inches}".',
        inches=inches,
    )
    card.tell(
        say("Range"),
        say("a thrown weapon" if thrown else "a projectile weapon"),
        how,
        f'{inches}"',
        "p. 67",
    )
    if scores.one_shot:
        card.stats["ranged_shots"] = 1
        choice = say("One shot, or as many as it likes.")
        card.tell(
            say("Shots"),
            say("a single shot"),
            say("It shoots once a skirmish."),
            1,
            "p. 67",
            choice,
        )
    _extra(card, "ranged", blows.number)


def _moves(damage: Damage, has_penalty: bool) -> list[tuple[int, str]]:
    """Return what is added to the attack bonus, and why."""
    moves = []
    if damage.shift:
        up = damage.shift < 0
        why = say("damage rounded up by .4 or more" if up else "damage rounded down by .4 or more")
        moves.append((damage.shift, why))
    if has_penalty:
        moves.append((-1, say("an extra attack that costs −2 on all in D&D")))
    return moves


def _uses_power(card: ConvertedCard, scores: Scores, choices: ConversionChoices) -> bool:
    if not scores.has("power attack"):
        return False
    able = scores.base_attack is not None and scores.base_attack >= POWER_ATTACK_NEEDS
    used = able and choices.power_attack
    how = say("+1 damage and −5 melee attack, permanently.") if used else say("Not used.")
    if not able:
        how = say("Only for a base attack of +{number} or more.", number=POWER_ATTACK_NEEDS)
    base = say("not stated") if scores.base_attack is None else signed(scores.base_attack)
    choice = say("Use it or not.") if able else ""
    card.tell(
        say("Power Attack"),
        say("base attack {base}", base=base),
        how,
        say("yes") if used else say("no"),
        "p. 69",
        choice,
    )
    return used


def _tell_damage(
    card: ConvertedCard, what: str, blows: Blows, damage: Damage, result: object
) -> None:
    given = say("{value} damage on average", value=shown(blows.damage))
    card.tell(what, given, damage.how, result, "p. 67", damage.choice)


def _tell_attack(
    card: ConvertedCard, what: str, bonus: int, moves: list[tuple[int, str]], attack: int
) -> None:
    parts = [say("{move} for {why}", move=signed(move), why=why) for move, why in moves]
    how = ", ".join([signed(bonus), *parts]) + "." if parts else say("The attack bonus as it is.")
    card.tell(what, say("attack bonus {value}", value=signed(bonus)), how, signed(attack), "p. 67")


def _extra(card: ConvertedCard, kind: str, number: int) -> None:
    more = number - 1
    if not more:
        return
    name = f"extra-{kind}-attack"
    card.give(name if more == 1 else f"{name} {more}")
    result = f"Extra {kind.capitalize()} Attack" + (f" ×{more}" if more > 1 else "")
    card.tell(
        say("Extra attacks"),
        say("{number} attacks", number=number),
        say("One for each beyond the first."),
        result,
        "p. 69",
    )
