"""Abilities of a card: troop type, commander, fear, turning, kind of creature, feats."""

from typing import Final

from armybuilder.converting.card import ConvertedCard
from armybuilder.converting.dice import signed
from armybuilder.converting.scores import SIZES, ConversionChoices, Scores, plain
from armybuilder.engine.wording import say

#: Intelligence that cannot follow detailed orders.
WILD: Final = (1, 2)
#: From so many hit dice we suggest that a creature with a mind of its own is powerful.
POWERFUL: Final = 4
SCARY_BELOW_LEVEL: Final = 4
TURNING_PER_LEVEL: Final = 3
KINDS: Final = {
    "undead": "undead-creature",
    "construct": "construct-creature",
    "elemental": "elemental-creature",
}
#: Feats and special abilities of D&D with a namesake here, by plain name.
NAMESAKES: Final = {
    "aura of courage": "aura-of-courage 4",
    "blind fight": "blind-fight",
    "cleave": "cleave",
    "great cleave": "cleave",
    "evasion": "evasion",
    "improved evasion": "improved-evasion",
    "precise shot": "precise-shot",
    "scent": "scent",
    "woodland stride": "woodland-stride",
}
#: Feats told elsewhere: under armor, under attacks.
TOLD: Final = {
    *("dodge", "power attack", "point blank shot"),
    *("ambidexterity", "two weapon fighting", "flurry of blows", "rapid shot"),
}
#: Feats that are in the numbers of the creature already.
COUNTED: Final = {
    *("great fortitude", "improved natural armor", "improved natural attack", "iron will"),
    *("lightning reflexes", "multiattack", "toughness", "weapon finesse", "weapon focus"),
    "weapon specialization",
}


def specials(card: ConvertedCard, scores: Scores, choices: ConversionChoices) -> None:
    """Add all abilities but those for extra attacks and burrowing."""
    _commander(card, scores)
    _troop(card, scores, choices)
    _kind(card, scores)
    _scary(card, scores)
    _turning(card, scores)
    _feats(card, scores)
    for ability in scores.abilities:
        card.give(ability)
        how = say("A special ability of the same name in the game, or one assigned to it.")
        card.tell(say("Ability"), ability, how, ability, "p. 69")


def is_powerful(scores: Scores) -> bool:
    """Whether it is Difficult: as the person says, else by hit dice and a mind of its own."""
    if scores.powerful is not None:
        return scores.powerful
    leads = scores.commander is not None or scores.player_character
    return not leads and scores.level >= POWERFUL and scores.intelligence is not None


def _commander(card: ConvertedCard, scores: Scores) -> None:
    if scores.commander is not None:
        card.give(f"commander {scores.commander}")
        how = say("No rule: it reflects level, wits and bearing, so you decide.")
        card.tell(
            say("Commander"), say("your rating"), how, scores.commander, "p. 68", say("Any rating.")
        )


def _troop(card: ConvertedCard, scores: Scores, choices: ConversionChoices) -> None:
    wild, difficult = scores.intelligence in WILD, is_powerful(scores)
    rating = choices.difficulty
    if wild:
        how = say("Intelligence of 1 or 2 is too little for detailed orders.")
        card.tell(
            say("Troop type"),
            say("Intelligence {intelligence}", intelligence=scores.intelligence),
            how,
            "Wild",
            "p. 68",
        )
    if difficult:
        _tell_difficult(card, scores, rating)
    if wild and difficult:
        card.give(f"wild-and-difficult-troop {rating}")
    elif wild:
        card.give("wild-troop")
    elif difficult:
        card.give(f"difficult-troop {rating}")
    if scores.player_character:
        card.give(f"independent-troop {choices.orders}")
        how = say("Player characters are used to deciding for themselves.")
        card.tell(say("Troop type"), say("a player character"), how, "Independent", "p. 68")
    if scores.commoner:
        card.give("untrained-troop")
        card.tell(
            say("Troop type"), say("a commoner"), say("Unsuited for battle."), "Untrained", "p. 68"
        )


def _tell_difficult(card: ConvertedCard, scores: Scores, rating: int) -> None:
    given, how = say("powerful"), say("Powerful creatures do not like to follow orders.")
    if scores.powerful is None:
        given = say("{number} hit dice", number=scores.level)
        how = f"{how} {say('We suggest it from {number} hit dice on.', number=POWERFUL)}"
    choice = say("Whether it is powerful is for you to say.")
    card.tell(say("Troop type"), given, how, f"Difficult ×{rating}", "p. 68", choice)


def _kind(card: ConvertedCard, scores: Scores) -> None:
    if scores.type in KINDS:
        card.give(KINDS[scores.type])
        how = say("The game has an ability for creatures of this type.")
        card.tell(
            say("Kind"), say("type {type}", type=scores.type), how, KINDS[scores.type], "p. 69"
        )


def _scary(card: ConvertedCard, scores: Scores) -> None:
    if SIZES.index(scores.size) < SIZES.index("large"):
        return
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
    card.tell(
        say("Scary"),
        say("{size}, {level} hit dice", size=scores.size, level=scores.level),
        how,
        result,
        "p. 71",
    )


def _turning(card: ConvertedCard, scores: Scores) -> None:
    if not scores.turning_level:
        return
    above = scores.turning_level - 1
    rating = TURNING_PER_LEVEL * above + scores.charisma
    card.give(f"turn-undead {rating}")
    given = say(
        "level {level}, Charisma {charisma}",
        level=scores.turning_level,
        charisma=signed(scores.charisma),
    )
    how = say(
        "{each} × {above} levels above 1st {charisma}.",
        each=TURNING_PER_LEVEL,
        above=above,
        charisma=signed(scores.charisma),
    )
    card.tell(say("Turn Undead"), given, how, signed(rating), "p. 69")


def _feats(card: ConvertedCard, scores: Scores) -> None:
    for feat in scores.feats:
        name = plain(feat)
        if name == "point blank shot" and scores.ranged is not None:
            card.give("point-blank-shot 2")
            how = say("+2 on the ranged attack stands for +1 on attack and damage.")
            card.tell(say("Feat"), feat, how, "Point Blank Shot +2", "p. 69")
        elif name in NAMESAKES:
            card.give(NAMESAKES[name])
            how = say("The game has it, or something close to it.")
            card.tell(say("Feat"), feat, how, NAMESAKES[name], "p. 68")
        elif name not in TOLD:
            _leave_out(card, feat, name)


def _leave_out(card: ConvertedCard, feat: str, name: str) -> None:
    counted = any(name.startswith(one) for one in COUNTED)
    how = (
        say("Its numbers are already included.")
        if counted
        else say("The game has nothing like it.")
    )
    if not counted:
        card.left_out.append(feat)
    card.tell(say("Feat"), feat, how, say("left out"), "p. 68")
