"""Level, speed, armor, health and save of a card."""

import math
from fractions import Fraction
from typing import Final

from armybuilder.converting.card import ConvertedCard
from armybuilder.converting.dice import nearest, shown, signed
from armybuilder.converting.scores import ConversionChoices, Scores
from armybuilder.engine.wording import marked, say

FEET_PER_INCH: Final = 5
HIT_POINTS_PER_HEALTH: Final = 5
#: Creatures of so few hit points have 1 health and pay for it with armor.
FRAIL: Final = 2
DWARF_SAVE: Final = 2
#: By whether it was rounded, and for a commander.
_AVERAGED: Final = marked(
    {
        (False, False): "The average of the three is {average}: {save}.",
        (False, True): "The average of the three is {average}: {save}.",
        (True, False): "The average of the three is {average}, rounded to the nearest: {save}.",
        (True, True): "The average of the three is {average}, for a commander rounded up: {save}.",
    }
)


def body(card: ConvertedCard, scores: Scores, choices: ConversionChoices) -> None:
    """Add everything that is neither attack nor ability."""
    _level(card, scores)
    _speed(card, scores, choices)
    _armor(card, scores)
    _health(card, scores, choices)
    _save(card, scores)


def _level(card: ConvertedCard, scores: Scores) -> None:
    how = say("Level is the number of hit dice.")
    if scores.hit_dice < 1:
        how = say(
            "Level is the number of hit dice; the book does not cover less than one, we take 1."
        )
    card.stats["level"] = scores.level
    card.tell(
        say("Level"),
        say("{number} hit dice", number=shown(scores.hit_dice)),
        how,
        scores.level,
        "p. 65",
    )


def _speed(card: ConvertedCard, scores: Scores, choices: ConversionChoices) -> None:
    flies = bool(scores.fly) and (choices.flight == "fly" or not scores.speed)
    feet = scores.fly if flies else scores.speed
    speed = f"{'F' if flies else ''}{feet // FEET_PER_INCH}"
    how = say(
        "{feet} feet / {feet_per_inch} = {inches} inches.",
        feet=feet,
        feet_per_inch=FEET_PER_INCH,
        inches=feet // FEET_PER_INCH,
    )
    if flies:
        more = say("The F means that it flies; the 2001 rules do not cover that.")
        how = f"{how} {more}"
    choice = say("Its speed in the air, or on the ground.") if scores.fly and scores.speed else ""
    card.stats["speed"] = speed
    card.tell(say("Speed"), say("{feet} feet", feet=feet), how, speed, "p. 65", choice)
    if scores.burrow:
        _burrow(card, scores.burrow)


def _burrow(card: ConvertedCard, feet: int) -> None:
    inches = feet // FEET_PER_INCH
    card.give(f"burrow {inches}")
    how = say(
        "{feet} feet / {feet_per_inch} = {inches}. The 2001 rules do not cover burrowing.",
        feet=feet,
        feet_per_inch=FEET_PER_INCH,
        inches=inches,
    )
    card.tell(say("Burrow"), say("burrows {feet} feet", feet=feet), how, inches, "p. 65")


def _armor(card: ConvertedCard, scores: Scores) -> None:
    armor = scores.armor_class
    how = [say("Armor is the Armor Class, {armor}.", armor=armor)]
    if scores.hit_points <= FRAIL:
        armor -= 1
        how.append(say("−1, because health is rounded up so far."))
    if scores.has("dodge"):
        armor += 1
        how.append(say("+1 for Dodge."))
    card.stats["armor"] = armor
    card.tell(
        say("Armor"),
        say("Armor Class {armor}", armor=scores.armor_class),
        " ".join(how),
        armor,
        "p. 67",
    )


def _health(card: ConvertedCard, scores: Scores, choices: ConversionChoices) -> None:
    exact = Fraction(scores.hit_points, HIT_POINTS_PER_HEALTH)
    ways = {"near": nearest(exact), "up": math.ceil(exact), "down": math.floor(exact)}
    health = max(1, ways[choices.health])
    how = f"{scores.hit_points} / {HIT_POINTS_PER_HEALTH} = {shown(exact)}"
    how = (
        f"{how}." if exact == health else say("{sum}, rounded to {result}.", sum=how, result=health)
    )
    choice = "" if exact == health else say("To the nearest number, up, or down.")
    if scores.hit_points <= FRAIL:
        how, choice = say("1 or 2 hit points are 1 health; armor pays for it."), ""
    card.stats["health"] = health
    card.tell(
        say("Health"),
        say("{number} hit points", number=scores.hit_points),
        how,
        health,
        "p. 67",
        choice,
    )


def _save(card: ConvertedCard, scores: Scores) -> None:
    saves = (scores.fortitude, scores.reflex, scores.will)
    exact = Fraction(sum(saves), 3)
    is_commander = scores.commander is not None
    save = math.ceil(exact) if is_commander else nearest(exact)
    how = say(_AVERAGED[exact != save, is_commander], average=shown(exact), save=signed(save))
    if scores.dwarf:
        save += DWARF_SAVE
        how = f"{how} {say('+{number} for a dwarf.', number=DWARF_SAVE)}"
    card.stats["save"] = save
    card.tell(
        say("Saving throw"), " / ".join(signed(one) for one in saves), how, signed(save), "p. 67"
    )
