"""From D&D 3.x scores to a Chainmail card, by chapter 6 of the 2001 rulebook.

First the body (level, speed, armor, health, save), then the attacks: several kinds made one, damage
rounded, the bonus moved to balance that. Last the abilities.
"""

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final, Literal

from armybuilder.converting.scores import (
    HALF,
    SIZES,
    Blows,
    Conversion,
    ConversionChoices,
    ConvertedCard,
    Scores,
    nearest,
    nearest_low,
    plain,
    shown,
    signed,
)
from armybuilder.engine.wording import listed, marked, say

DEFAULT: Final = ConversionChoices()
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
HIT_POINTS_PER_DAMAGE: Final = 5
#: Rounding by this part of a point of damage moves the attack bonus by one.
BALANCED: Final = Fraction(4, 10)
#: An attack with a bonus better by this counts double in an average.
MUCH_BETTER: Final = 5
#: Inches.
RANGES: Final = {"thrown": 6, "projectile": 24}
POWER_ATTACK_NEEDS: Final = 3
#: Intelligence that cannot follow detailed orders.
WILD: Final = (1, 2)
#: From this number of hit dice we suggest that an intelligent creature is powerful.
POWERFUL: Final = 4
SCARY_BELOW_LEVEL: Final = 4
TURNING_PER_LEVEL: Final = 3
KINDS: Final = {kind: f"{kind}-creature" for kind in ("undead", "construct", "elemental")}
#: Feats and special abilities of D&D with a namesake here, by plain name.
NAMESAKES: Final = {
    name: name.replace(" ", "-")
    for name in (
        *("blind fight", "cleave", "evasion", "improved evasion", "precise shot", "scent"),
        "woodland stride",
    )
} | {"aura of courage": "aura-of-courage 4", "great cleave": "cleave"}
#: Feats explained elsewhere: under armor, under attacks.
ELSEWHERE: Final = {
    *("dodge", "power attack", "point blank shot"),
    *("ambidexterity", "two weapon fighting", "flurry of blows", "rapid shot"),
}
#: Feats that are in the numbers of the creature already.
INCLUDED: Final = (
    *("great fortitude", "improved natural armor", "improved natural attack", "iron will"),
    *("lightning reflexes", "multiattack", "toughness", "weapon finesse", "weapon focus"),
    "weapon specialization",
)


def convert(scores: Scores, choices: ConversionChoices = DEFAULT) -> Conversion:
    """Make a unit of a book, without id and points, of scores that `read_scores` has checked."""
    card = ConvertedCard()
    _level(card, scores)
    _speed(card, scores, choices)
    _armor(card, scores)
    _health(card, scores, choices)
    _save(card, scores)
    if scores.melee is not None:
        blows = _as_one(card, scores.melee, scores.second, choices)
        _attack(card, scores, choices, "melee", blows)
    if scores.ranged is not None:
        _attack(card, scores, choices, "ranged", scores.ranged)
    if scores.commander is not None:
        card.give(f"commander {scores.commander}")
        how = say("No rule: it reflects level, wits and bearing, so you decide.")
        given, choice = say("your rating"), say("Any rating.")
        card.tell(say("Commander"), given, how, scores.commander, 68, choice)
    _troop(card, scores, choices)
    if scores.type in KINDS:
        card.give(KINDS[scores.type])
        given = say("type {type}", type=scores.type)
        how = say("The game has an ability for creatures of this type.")
        card.tell(say("Kind"), given, how, KINDS[scores.type], 69)
    if SIZES.index(scores.size) >= SIZES.index("large"):
        _scary(card, scores)
    if scores.turning_level:
        _turning(card, scores)
    for feat in scores.feats:
        _feat(card, scores, feat)
    for ability in scores.abilities:
        card.give(ability)
        how = say("A special ability of the same name in the game, or one assigned to it.")
        card.tell(say("Ability"), ability, how, ability, 69)
    unit: dict[str, Any] = {"name": scores.name}
    if choices.group:
        unit["group"] = choices.group
    faction = {"faction": choices.faction}
    unit["attributes"] = {**faction, "alignment": scores.alignment, "type": scores.type}
    if scores.subtype:
        unit["subtype"] = scores.subtype
    unit["stats"] = card.stats
    if card.abilities:
        unit["abilities"] = card.abilities
    return Conversion(unit, tuple(card.steps), tuple(card.left_out))


def _level(card: ConvertedCard, scores: Scores) -> None:
    how = say("Level is the number of hit dice.")
    if scores.hit_dice < 1:
        how = say(
            "Level is the number of hit dice; the book does not cover less than one, so we use 1."
        )
    given = say("{number} hit dice", number=shown(scores.hit_dice))
    card.stats["level"] = scores.level
    card.tell(say("Level"), given, how, scores.level, 65)


def _speed(card: ConvertedCard, scores: Scores, choices: ConversionChoices) -> None:
    flies = bool(scores.fly) and (choices.flight == "fly" or not scores.speed)
    feet = scores.fly if flies else scores.speed
    inches = feet // FEET_PER_INCH
    speed = f"{'F' if flies else ''}{inches}"
    divided = marked("{feet} feet / {feet_per_inch} = {inches} inches.")
    how = say(divided, feet=feet, feet_per_inch=FEET_PER_INCH, inches=inches)
    if flies:
        more = say("The F means that it flies; the 2001 rules do not cover that.")
        how = f"{how} {more}"
    choice = say("Its speed in the air, or on the ground.") if scores.fly and scores.speed else ""
    card.stats["speed"] = speed
    card.tell(say("Speed"), say("{feet} feet", feet=feet), how, speed, 65, choice)
    if scores.burrow:
        inches = scores.burrow // FEET_PER_INCH
        card.give(f"burrow {inches}")
        divided = marked(
            "{feet} feet / {feet_per_inch} = {inches}. The 2001 rules do not cover burrowing."
        )
        how = say(divided, feet=scores.burrow, feet_per_inch=FEET_PER_INCH, inches=inches)
        given = say("burrows {feet} feet", feet=scores.burrow)
        card.tell(say("Burrow"), given, how, inches, 65)


def _armor(card: ConvertedCard, scores: Scores) -> None:
    armor = scores.armor_class
    how = [say("Armor is the Armor Class, {armor}.", armor=armor)]
    if scores.hit_points <= FRAIL:
        armor -= 1
        how.append(say("−1, because health is rounded up so far."))
    if scores.has("dodge"):
        armor += 1
        how.append(say("+1 for Dodge."))
    given = say("Armor Class {armor}", armor=scores.armor_class)
    card.stats["armor"] = armor
    card.tell(say("Armor"), given, " ".join(how), armor)


def _health(card: ConvertedCard, scores: Scores, choices: ConversionChoices) -> None:
    exact = Fraction(scores.hit_points, HIT_POINTS_PER_HEALTH)
    ways = {"near": nearest(exact), "up": math.ceil(exact), "down": math.floor(exact)}
    health = max(1, ways[choices.health])
    how, choice = f"{scores.hit_points} / {HIT_POINTS_PER_HEALTH} = {shown(exact)}", ""
    if scores.hit_points <= FRAIL:
        how = say("1 or 2 hit points give 1 health, at the cost of 1 armor.")
    elif exact == health:
        how += "."
    else:
        how = say("{sum}, rounded to {result}.", sum=how, result=health)
        choice = say("To the nearest number, up, or down.")
    given = say("{number} hit points", number=scores.hit_points)
    card.stats["health"] = health
    card.tell(say("Health"), given, how, health, choice=choice)


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
    card.tell(say("Saving throw"), " / ".join(map(signed, saves)), how, signed(save))


@dataclass(frozen=True)
class RoundedDamage:
    """Damage of the card, the attack bonus gained by rounding it, and the reason."""

    points: int
    shift: int
    how: str
    choice: str = ""


def rounded_damage(average: Fraction, half: str) -> RoundedDamage:
    """Return average damage in hit points as damage of a card; `half` is "up" or "down"."""
    exact = average / HIT_POINTS_PER_DAMAGE
    below = math.floor(exact)
    is_half = exact - below == HALF
    up = half == "up" if is_half else exact - below > HALF
    points = max(1, below + up)
    moved = points - exact
    shift = 0 if abs(moved) < BALANCED else (-1 if moved > 0 else 1)
    how = f"{shown(average)} / {HIT_POINTS_PER_DAMAGE} = {shown(exact)}"
    if moved > 0:
        how = say("{sum}, rounded up to {points}.", sum=how, points=points)
    elif moved < 0:
        how = say("{sum}, rounded down to {points}.", sum=how, points=points)
    else:
        how += "."
    if not below + up:
        how = f"{how} {say('The book does not cover less than 1, so we use 1.')}"
    choice = say("Round half points up or down.") if is_half and below else ""
    return RoundedDamage(points, shift, how, choice)


def combined(main: Blows, second: Blows, way: str) -> Blows:
    """Return two kinds of attack as one: their "average", or "one" blow with all their damage."""
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
    if second is None and main.number == 1:
        return main
    way, page = choices.attacks, 69
    if way == "main" and second is not None:
        blows, page = main, 71
        how = say("The weaker attacks are left out as a minor feature.")
    elif way == "one":
        blows = combined(main, second or Blows(main.bonus, Fraction(0)), "one")
        how = say("All attacks of a round count as one, with the damage of all.")
    elif second is None:
        blows, how = main, say("All attacks have the same bonus and damage.")
    else:
        blows = combined(main, second, "average")
        how = say("The average of all of them.")
        if abs(main.bonus - second.bonus) >= MUCH_BETTER:
            how = say("The average of all of them; one with a much better bonus counts double.")
    given = listed(map(_shown, [main] if second is None else [main, second]))
    choice = say("Average them, leave out the weaker ones, or combine them into one attack.")
    card.tell(say("Several attacks"), given, how, _shown(blows), page, choice)
    return blows


def _shown(blows: Blows) -> str:
    told, bonus = marked("{number} at {bonus} for {damage}"), signed(blows.bonus)
    return say(told, number=blows.number, bonus=bonus, damage=shown(blows.damage))


def _attack(
    card: ConvertedCard,
    scores: Scores,
    choices: ConversionChoices,
    kind: Literal["melee", "ranged"],
    blows: Blows,
) -> None:
    damage = rounded_damage(blows.damage, choices.damage)
    is_melee, points = kind == "melee", damage.points
    moves = _moves(damage, scores.melee_penalty if is_melee else scores.ranged_penalty)
    if is_melee and _uses_power_attack(card, scores, choices):
        points += 1
        moves.append((-5, "Power Attack"))
    attack = blows.bonus + sum(move for move, _ in moves)
    card.stats[f"{kind}_attack"] = attack
    if not is_melee:
        card.stats["ranged_range"] = RANGES[scores.ranged_kind]
    result = f"{points} blunt" if is_melee and scores.melee_blunt else str(points)
    card.stats[f"{kind}_damage"] = result
    what = say("Melee damage") if is_melee else say("Ranged damage")
    given = say("{value} damage on average", value=shown(blows.damage))
    card.tell(what, given, damage.how, result, choice=damage.choice)
    what = say("Melee attack") if is_melee else say("Ranged attack")
    parts = [say("{move} for {why}", move=signed(move), why=why) for move, why in moves]
    how = ", ".join([signed(blows.bonus), *parts]) + "."
    given = say("attack bonus {value}", value=signed(blows.bonus))
    card.tell(what, given, how if parts else say("The attack bonus as it is."), signed(attack))
    if not is_melee:
        _reach(card, scores)
    _extra_attacks(card, kind, blows.number)


def _reach(card: ConvertedCard, scores: Scores) -> None:
    inches = RANGES[scores.ranged_kind]
    given, how = say("a projectile weapon"), marked('Projectile weapons reach {inches}".')
    if scores.ranged_kind == "thrown":
        given, how = say("a thrown weapon"), marked('Thrown weapons reach {inches}".')
    card.tell(say("Range"), given, say(how, inches=inches), f'{inches}"')
    if scores.one_shot:
        card.stats["ranged_shots"] = 1
        given, how = say("a single shot"), say("It shoots once a skirmish.")
        card.tell(say("Shots"), given, how, 1, choice=say("One shot, or as many as it likes."))


def _moves(damage: RoundedDamage, has_penalty: bool) -> list[tuple[int, str]]:
    moves = []
    if damage.shift:
        up, down = marked(("damage rounded up by .4 or more", "damage rounded down by .4 or more"))
        moves.append((damage.shift, say(up if damage.shift < 0 else down)))
    if has_penalty:
        moves.append((-1, say("an extra attack that costs −2 on all in D&D")))
    return moves


def _uses_power_attack(card: ConvertedCard, scores: Scores, choices: ConversionChoices) -> bool:
    if not scores.has("power attack"):
        return False
    able = scores.base_attack is not None and scores.base_attack >= POWER_ATTACK_NEEDS
    used = able and choices.power_attack
    how = say("+1 damage and −5 melee attack, permanently.") if used else say("Not used.")
    if not able:
        how = say("Only for a base attack of +{number} or more.", number=POWER_ATTACK_NEEDS)
    base = say("not stated") if scores.base_attack is None else signed(scores.base_attack)
    given, choice = say("base attack {base}", base=base), say("Use it or not.") if able else ""
    card.tell(say("Power Attack"), given, how, say("yes") if used else say("no"), 69, choice)
    return used


def _extra_attacks(card: ConvertedCard, kind: str, number: int) -> None:
    more = number - 1
    if not more:
        return
    name = f"extra-{kind}-attack"
    card.give(name if more == 1 else f"{name} {more}")
    result = f"Extra {kind.capitalize()} Attack" + (f" ×{more}" if more > 1 else "")
    given, how = say("{number} attacks", number=number), say("One for each beyond the first.")
    card.tell(say("Extra attacks"), given, how, result, 69)


def _troop(card: ConvertedCard, scores: Scores, choices: ConversionChoices) -> None:
    # It is Difficult as the person says, else by hit dice and its own mind.
    leads = scores.commander is not None or scores.player_character
    difficult = not leads and scores.level >= POWERFUL and scores.intelligence is not None
    difficult = difficult if scores.powerful is None else scores.powerful
    wild = scores.intelligence in WILD
    rating = choices.difficulty
    if wild:
        given = say("Intelligence {intelligence}", intelligence=scores.intelligence)
        how = say("Intelligence of 1 or 2 is too little for detailed orders.")
        card.tell(say("Troop type"), given, how, "Wild", 68)
    if difficult:
        given, how = say("powerful"), say("Powerful creatures do not like to follow orders.")
        if scores.powerful is None:
            given = say("{number} hit dice", number=scores.level)
            how = f"{how} {say('We suggest this from {number} hit dice up.', number=POWERFUL)}"
        choice = say("You decide whether it is powerful.")
        card.tell(say("Troop type"), given, how, f"Difficult ×{rating}", 68, choice)
    if wild or difficult:
        kinds = "-and-".join(["wild"] * wild + ["difficult"] * difficult)
        card.give(f"{kinds}-troop {rating}" if difficult else "wild-troop")
    if scores.player_character:
        card.give(f"independent-troop {choices.orders}")
        how = say("Player characters are used to deciding for themselves.")
        card.tell(say("Troop type"), say("a player character"), how, "Independent", 68)
    if scores.commoner:
        card.give("untrained-troop")
        given, how = say("a commoner"), say("Unsuited for battle.")
        card.tell(say("Troop type"), given, how, "Untrained", 68)


def _scary(card: ConvertedCard, scores: Scores) -> None:
    rating = scores.level - SCARY_BELOW_LEVEL
    how = say(
        "Hit dice less {number}: {level} − {number} = {rating}.",
        number=SCARY_BELOW_LEVEL,
        level=scores.level,
        rating=signed(rating).lstrip("+"),
    )
    if scores.size != "large":
        how = f"{how} {say('Anything larger than Large counts as Large.')}"
    if rating > 0:
        card.give(f"scary {rating}")
    result = f"Scary {rating}" if rating > 0 else say("not scary")
    given = say("{size}, {level} hit dice", size=scores.size, level=scores.level)
    card.tell(say("Scary"), given, how, result, 71)


def _turning(card: ConvertedCard, scores: Scores) -> None:
    level, above, charisma = scores.turning_level, scores.turning_level - 1, signed(scores.charisma)
    rating = TURNING_PER_LEVEL * above + scores.charisma
    card.give(f"turn-undead {rating}")
    given = say("level {level}, Charisma {charisma}", level=level, charisma=charisma)
    told = marked("{each} × {above} levels above 1st {charisma}.")
    how = say(told, each=TURNING_PER_LEVEL, above=above, charisma=charisma)
    card.tell(say("Turn Undead"), given, how, signed(rating), 69)


def _feat(card: ConvertedCard, scores: Scores, feat: str) -> None:
    name = plain(feat)
    if name == "point blank shot" and scores.ranged is not None:
        card.give("point-blank-shot 2")
        how = say("+2 on the ranged attack stands for +1 on attack and damage.")
        card.tell(say("Feat"), feat, how, "Point Blank Shot +2", 69)
    elif name in NAMESAKES:
        card.give(NAMESAKES[name])
        how = say("The game has it, or something close to it.")
        card.tell(say("Feat"), feat, how, NAMESAKES[name], 68)
    elif name not in ELSEWHERE:
        how = say("Its numbers are already included.")
        if not name.startswith(INCLUDED):
            card.left_out.append(feat)
            how = say("The game has nothing like it.")
        card.tell(say("Feat"), feat, how, say("left out"), 68)
