"""Level, speed, armor, health and save of a card."""

import math
from fractions import Fraction
from typing import Final

from armybuilder.converting.card import Card
from armybuilder.converting.dice import nearest, shown, signed
from armybuilder.converting.scores import Choices, Scores

FEET_PER_INCH: Final = 5
HIT_POINTS_PER_HEALTH: Final = 5
#: Creatures of so few hit points have 1 health and pay for it with armor.
FRAIL: Final = 2
DWARF_SAVE: Final = 2


def body(card: Card, scores: Scores, choices: Choices) -> None:
    """Adds everything that is neither attack nor ability."""
    _level(card, scores)
    _speed(card, scores, choices)
    _armor(card, scores)
    _health(card, scores, choices)
    _save(card, scores)


def _level(card: Card, scores: Scores) -> None:
    how = "Level is the number of hit dice."
    if scores.hit_dice < 1:
        how = "Level is the number of hit dice; the book is silent on less than one, we take 1."
    card.stats["level"] = scores.level
    card.tell("Level", f"{shown(scores.hit_dice)} hit dice", how, scores.level, "p. 65")


def _speed(card: Card, scores: Scores, choices: Choices) -> None:
    flies = bool(scores.fly) and (choices.flight == "fly" or not scores.speed)
    feet = scores.fly if flies else scores.speed
    speed = f"{'F' if flies else ''}{feet // FEET_PER_INCH}"
    how = f"{feet} feet / {FEET_PER_INCH} = {feet // FEET_PER_INCH} inches."
    if flies:
        how += " The F says that it flies; the 2001 rules do not cover that."
    choice = "Its speed in the air, or on the ground." if scores.fly and scores.speed else ""
    card.stats["speed"] = speed
    card.tell("Speed", f"{feet} feet", how, speed, "p. 65", choice)
    if scores.burrow:
        _burrow(card, scores.burrow)


def _burrow(card: Card, feet: int) -> None:
    inches = feet // FEET_PER_INCH
    card.give(f"burrow {inches}")
    how = f"{feet} feet / {FEET_PER_INCH} = {inches}. The 2001 rules do not cover burrowing."
    card.tell("Burrow", f"burrows {feet} feet", how, inches, "p. 65")


def _armor(card: Card, scores: Scores) -> None:
    armor, how = scores.armor_class, f"Armor is the Armor Class, {scores.armor_class}."
    if scores.hit_points <= FRAIL:
        armor -= 1
        how += " −1, because health is rounded up so far."
    if scores.has("dodge"):
        armor += 1
        how += " +1 for Dodge."
    card.stats["armor"] = armor
    card.tell("Armor", f"Armor Class {scores.armor_class}", how, armor, "p. 67")


def _health(card: Card, scores: Scores, choices: Choices) -> None:
    exact = Fraction(scores.hit_points, HIT_POINTS_PER_HEALTH)
    ways = {"near": nearest(exact), "up": math.ceil(exact), "down": math.floor(exact)}
    health = max(1, ways[choices.health])
    how = f"{scores.hit_points} / {HIT_POINTS_PER_HEALTH} = {shown(exact)}"
    how += "." if exact == health else f", rounded to {health}."
    choice = "" if exact == health else "To the nearest number, up, or down."
    if scores.hit_points <= FRAIL:
        how, choice = "1 or 2 hit points are 1 health; armor pays for it.", ""
    card.stats["health"] = health
    card.tell("Health", f"{scores.hit_points} hit points", how, health, "p. 67", choice)


def _save(card: Card, scores: Scores) -> None:
    saves = (scores.fortitude, scores.reflex, scores.will)
    exact = Fraction(sum(saves), 3)
    is_commander = scores.commander is not None
    save = math.ceil(exact) if is_commander else nearest(exact)
    how = f"The average of the three is {shown(exact)}"
    if exact != save:
        how += ", for a commander rounded up" if is_commander else ", rounded to the nearest"
    how += f": {signed(save)}."
    if scores.dwarf:
        save += DWARF_SAVE
        how += f" +{DWARF_SAVE} for a dwarf."
    card.stats["save"] = save
    card.tell("Save", " / ".join(signed(one) for one in saves), how, signed(save), "p. 67")
