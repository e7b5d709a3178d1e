"""The form of a creature's scores: a table of its fields, and how each text is read."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from dataclasses import fields as of_dataclass
from fractions import Fraction
from functools import partial
from typing import Any, Final

from armybuilder.converting.dnd import FEET_PER_INCH
from armybuilder.converting.scores import (
    SIZES,
    TYPES,
    BadScores,
    Blows,
    ConversionChoices,
    Scores,
    average,
    hit_dice,
)
from armybuilder.engine.wording import Later, Words, marked, say

MAX_TEXT: Final = 80
MAX_LINES: Final = 40
MAX_HIT_DICE: Final = 100
MAX_DAMAGE: Final = 500
MAX_FEET: Final = 600
_ABILITY = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*( (-?[0-9]{1,3}|\?))?(: .{1,60})?")
_ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_YES: Final = {"on", "yes", "true", "1"}
_NO: Final = {"", "off", "no", "false", "0"}
_ALIGNMENTS: Final = {
    written: name for name in ("good", "neutral", "evil") for written in (name, name[0])
}


class Unreadable(Exception):
    """A field that cannot be read: the message is a sentence about the expected value."""


def _line(text: str, needed: bool = False) -> str:
    if needed and not text:
        raise Unreadable(say("Give it a name."))
    if len(text) > MAX_TEXT or not text.isprintable():
        raise Unreadable(say("At most {number} characters in one line.", number=MAX_TEXT))
    return text


def _whole(low: int, high: int) -> Callable[[str], int]:
    def read(text: str) -> int:
        try:
            value = int(text.replace("−", "-").replace("–", "-"))
        except ValueError:
            value = low - 1
        if not low <= value <= high:
            raise Unreadable(say("A whole number from {low} to {high}.", low=low, high=high))
        return value

    return read


def _perhaps(low: int, high: int, default: int | None = None) -> Callable[[str], int | None]:
    whole = _whole(low, high)
    return lambda text: whole(text) if text else default


def _feet(text: str) -> int:
    """Return a speed in feet: "30" or "30 ft.", in steps of 5; nothing is 0."""
    value = _whole(0, MAX_FEET)(re.sub(r"\s*(ft\.?|feet)$", "", text) or "0")
    if value % FEET_PER_INCH:
        raise Unreadable(say("Speeds go in steps of {number} feet.", number=FEET_PER_INCH))
    return value


def _hit_dice(text: str) -> Fraction:
    try:
        value = hit_dice(text)
    except (ValueError, ZeroDivisionError):
        raise Unreadable(say("Write 4, 4d8+8 or 1/2.")) from None
    if not 0 < value <= MAX_HIT_DICE or (value > 1 and value.denominator != 1):
        told = marked("A whole number up to {number}, or a fraction such as 1/2.")
        raise Unreadable(say(told, number=MAX_HIT_DICE))
    return value


def _damage(text: str) -> Fraction | None:
    if not text:
        return None
    try:
        value = average(text)
    except (ValueError, ZeroDivisionError):
        raise Unreadable(say("Write dice such as 2d6+4, or an average such as 7.5.")) from None
    if value > MAX_DAMAGE:
        raise Unreadable(say("At most {number} damage.", number=MAX_DAMAGE))
    return value


def alignment(text: str) -> str:
    """Return good, neutral or evil, also of "chaotic evil" or "NG"."""
    word = text.casefold().split()[-1] if text.split() else ""
    if word not in _ALIGNMENTS and len(word) < len("xyz"):
        word = word[-1:]
    if word not in _ALIGNMENTS:
        raise Unreadable(say("Choose good, neutral or evil."))
    return _ALIGNMENTS[word]


def _maybe(text: str) -> bool | None:
    word = text.casefold()
    if word not in _YES | _NO:
        raise Unreadable(say("Yes or no."))
    return None if not word else word in _YES


def _entries(text: str) -> tuple[str, ...]:
    entries = tuple(part.strip() for part in re.split(r"[\n,;]", text) if part.strip())
    if len(entries) > MAX_LINES or any(len(entry) > MAX_TEXT for entry in entries):
        told = marked("At most {number} entries of {letters} characters.")
        raise Unreadable(say(told, number=MAX_LINES, letters=MAX_TEXT))
    return entries


def _abilities(text: str) -> tuple[str, ...]:
    """Return abilities in short form, one a line; a comma may be part of one."""
    abilities = tuple(part.strip() for part in text.splitlines() if part.strip())
    for ability in abilities[: MAX_LINES + 1]:
        if not _ABILITY.fullmatch(ability):
            told = marked("“{words}” is not written like sneak-attack 1 or immune: fire.")
            raise Unreadable(say(told, words=ability[:MAX_TEXT]))
    if len(abilities) > MAX_LINES:
        raise Unreadable(say("At most {number} abilities.", number=MAX_LINES))
    return abilities


def _faction(text: str) -> str:
    word = text or "none"
    if not _ID.fullmatch(word) or len(word) > MAX_TEXT:
        raise Unreadable(say("Choose a faction."))
    return word


@dataclass(frozen=True, slots=True)
class ScoreField:
    """A field: kind is "text", "number", "choice", "flag" or "lines". `read` raises Unreadable."""

    name: str
    label: Words
    kind: str
    read: Callable[[str], Any]
    help: Words = ""
    choices: tuple[tuple[str, Words], ...] = ()
    section: Words = ""


def _flag(name: str, label: Words, told: Words = "") -> ScoreField:
    return ScoreField(name, label, "flag", lambda text: bool(_maybe(text)), told)


def _choice(
    name: str, label: Words, choices: Mapping[str, Words], usual: str = "", help: Words = ""
) -> ScoreField:
    """Return a choice of which one is `usual`, if nothing is chosen."""

    def read(text: str) -> str:
        word = text.casefold() or usual
        if word not in choices:
            raise Unreadable(say("Choose one from the list."))
        return word

    return ScoreField(name, label, "choice", read, help, tuple(choices.items()))


_ATTACKED: Final = Later(
    "The bonus of one attack, without a −2 for two weapons, flurry or rapid shots."
)
_DAMAGED: Final = Later("Dice such as 2d6+4, or an average such as 7.5.")
_PENALTY: Final = Later("Two weapons, a flurry of blows: D&D takes 2 from all attacks for it.")
_SECOND: Final = Later("If it also has other attacks, such as a bite as well as claws.")
_LEADS: Final = Later("Empty if it leads nobody. There is no rule for it: you decide.")
_FEET: Final = Later("In feet.")
_BONUS: Final = _perhaps(-10, 90)
_TIMES: Final = _perhaps(1, 12, 1)
_SAVE: Final = _whole(-10, 60)
_ALIGNED = (("good", Later("Good")), ("neutral", Later("Neutral")), ("evil", Later("Evil")))
_POWERFUL = (("", Later("Our suggestion")), ("yes", Later("Yes")), ("no", Later("No")))

#: The fields of the scores under their headings. Laid out by hand: a field is a row or two.
_SCORES: Final[Mapping[Words, tuple[ScoreField, ...]]] = {
    Later("Creature"): (
        ScoreField("name", Later("Name"), "text", partial(_line, needed=True)),
        # Sizes and types are called as in D&D's English books and pages, which people copy from.
        _choice("size", Later("Size"), {size: size.capitalize() for size in SIZES}, "medium"),
        _choice("type", Later("Type"), TYPES),
        ScoreField("subtype", Later("Subtype"), "text", _line, Later("Such as Elf.")),
        ScoreField("alignment", Later("Alignment"), "choice", alignment, choices=_ALIGNED),
    ),
    Later("Body"): (
        ScoreField("hit_dice", Later("Hit dice"), "text", _hit_dice, Later("4, 4d8+8 or 1/2.")),
        ScoreField("hit_points", Later("Hit points"), "number", _whole(1, 2000)),
        ScoreField("speed", Later("Speed"), "number", _feet, _FEET),
        ScoreField("fly", Later("Speed in the air"), "number", _feet, _FEET),
        ScoreField("burrow", Later("Speed burrowing"), "number", _feet, _FEET),
        ScoreField("armor_class", Later("Armor Class"), "number", _whole(3, 90)),
    ),
    Later("Melee"): (
        ScoreField("melee_attack", Later("Melee attack bonus"), "number", _BONUS, _ATTACKED),
        ScoreField("melee_damage", Later("Melee damage"), "text", _damage, _DAMAGED),
        ScoreField("melee_number", Later("Number of attacks"), "number", _TIMES,
                   Later("Usually 1.")),
        _flag("melee_blunt", Later("A blunt weapon")),
        _flag("melee_penalty", Later("Extra attacks cost −2"), _PENALTY),
        ScoreField("second_attack", Later("Second attack: bonus"), "number", _BONUS, _SECOND),
        ScoreField("second_damage", Later("Second attack: damage"), "text", _damage, _DAMAGED),
        ScoreField("second_number", Later("Second attack: number"), "number", _TIMES),
    ),
    Later("Ranged"): (
        ScoreField("ranged_attack", Later("Ranged attack bonus"), "number", _BONUS, _ATTACKED),
        ScoreField("ranged_damage", Later("Ranged damage"), "text", _damage, _DAMAGED),
        ScoreField("ranged_number", Later("Ranged attacks"), "number", _TIMES, Later("Usually 1.")),
        _choice("ranged_kind", Later("Kind of weapon"), {
            "projectile": Later("It shoots"), "thrown": Later("It is thrown")}, "projectile"),
        _flag("ranged_penalty", Later("Rapid shots cost −2")),
        _flag("one_shot", Later("Only one shot")),
    ),
    Later("Saves"): (
        ScoreField("fortitude", Later("Fortitude save"), "number", _SAVE),
        ScoreField("reflex", Later("Reflex save"), "number", _SAVE),
        ScoreField("will", Later("Will save"), "number", _SAVE),
        _flag("dwarf", Later("A dwarf"), Later("Dwarves save better.")),
    ),
    Later("Mind"): (
        ScoreField("intelligence", Later("Intelligence"), "number", _perhaps(1, 60),
                   Later("Empty if it has none.")),
        ScoreField("charisma", Later("Charisma modifier"), "number", _perhaps(-5, 25, 0),
                   Later("Such as +1.")),
        ScoreField("commander", Later("Commander rating"), "number", _perhaps(1, 20), _LEADS),
        ScoreField("powerful", Later("Powerful"), "choice", _maybe,
                   Later("Powerful creatures are difficult to command."), _POWERFUL),
        _flag("player_character", Later("A player character")),
        _flag("commoner", Later("A commoner"), Later("Unsuited for battle.")),
    ),
    Later("Special"): (
        ScoreField("turning_level", Later("Level for turning undead"), "number", _perhaps(0, 40, 0),
                   Later("The cleric level. Leave it empty if it turns no undead.")),
        ScoreField("base_attack", Later("Base attack bonus"), "number", _perhaps(0, 60),
                   Later("For Power Attack.")),
        ScoreField("feats", Later("Feats"), "lines", _entries, Later("One per line, in English.")),
        ScoreField("abilities", Later("Abilities of the game"), "lines", _abilities,
                   Later("One per line, as in a book: sneak-attack 1.")),
    ),
}  # fmt: skip
_CHOICES: Final = (
    _choice("damage", Later("Half a point of damage"), {
        "up": Later("Rounded up"), "down": Later("Rounded down"),
    }, "up", Later("The attack bonus moves the other way.")),
    _choice("health", Later("Health"), {
        "near": Later("To the nearest"), "up": Later("Rounded up"), "down": Later("Rounded down"),
    }, "near"),
    _choice("attacks", Later("Several kinds of attack"), {
        "average": Later("The average of all"), "main": Later("Leave the second attack out"),
        "one": Later("All as one attack"),
    }, "average"),
    _choice("flight", Later("Speed on the card"), {
        "fly": Later("In the air, if it flies"), "walk": Later("On the ground"),
    }, "fly"),
    ScoreField("difficulty", Later("Difficult Troop ×"), "number", _perhaps(2, 9, 2)),
    ScoreField("orders", Later("Independent Troop rating"), "number", _perhaps(0, 9, 0)),
    _flag("power_attack", Later("Always uses Power Attack"),
          Later("+1 damage and −5 on the attack.")),
    ScoreField("faction", Later("Faction"), "text", _faction),
    ScoreField("group", Later("Group"), "text", _line, Later("The heading it appears under.")),
)  # fmt: skip

FIELDS: Final = tuple(
    replace(field, section=section) for section, fields in _SCORES.items() for field in fields
)
CHOICE_FIELDS: Final = tuple(replace(field, section=Later("Choices")) for field in _CHOICES)

_DIRECT: Final = {field.name for field in of_dataclass(Scores)}


def read_scores(fields: Mapping[str, str]) -> Scores:
    """Read the scores; a missing field is empty. Raises `BadScores`, a sentence per mistake."""
    values, errors = _read(FIELDS, fields)
    errors = {**_crossed(fields, values, errors), **errors}
    if errors:
        in_order = [field.name for field in FIELDS if field.name in errors]
        raise BadScores({name: errors[name] for name in in_order})
    direct = {name: value for name, value in values.items() if name in _DIRECT}
    for kind in ("melee", "second", "ranged"):
        bonus, damage = values[f"{kind}_attack"], values[f"{kind}_damage"]
        if bonus is not None:
            direct[kind] = Blows(bonus, damage, values[f"{kind}_number"])
    return Scores(**direct)


def read_choices(fields: Mapping[str, str]) -> ConversionChoices:
    """Read the choices, the usual if a field is empty. Raises `BadScores` as `read_scores`."""
    values, errors = _read(CHOICE_FIELDS, fields)
    if errors:
        raise BadScores(errors)
    return ConversionChoices(**values)


def _read(
    fields: Iterable[ScoreField], texts: Mapping[str, str]
) -> tuple[dict[str, Any], dict[str, str]]:
    values, errors = {}, {}
    for field in fields:
        try:
            values[field.name] = field.read(str(texts.get(field.name, "")).strip())
        except Unreadable as wrong:
            errors[field.name] = str(wrong)
    return values, errors


def _crossed(
    fields: Mapping[str, str], values: Mapping[str, Any], errors: Mapping[str, str]
) -> dict[str, str]:
    crossed = {}
    for kind in ("melee", "second", "ranged"):
        attack, damage = f"{kind}_attack", f"{kind}_damage"
        if attack in errors or damage in errors:
            continue
        if values[attack] is not None and values[damage] is None:
            crossed[damage] = say("Enter the damage of this attack.")
        if values[attack] is None and values[damage] is not None:
            crossed[attack] = say("Enter the attack bonus for this damage.")
    used = [name for name in ("melee_attack", "ranged_attack") if fields.get(name, "").strip()]
    if not used and not crossed:
        crossed["melee_attack"] = say("Give it an attack, in melee or at range.")
    if fields.get("second_attack", "").strip() and not fields.get("melee_attack", "").strip():
        crossed["melee_attack"] = say("Fill in the first attack before the second.")
    if "speed" in values and values.get("fly") == values["speed"] == 0:
        crossed["speed"] = say("Give it a speed, on the ground or in the air.")
    return crossed
