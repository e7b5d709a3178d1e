"""The form of a creature's scores: what it asks, and how the answers are read."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from dataclasses import fields as of_dataclass
from fractions import Fraction
from typing import Any, Final

from armybuilder.converting import reading as read
from armybuilder.converting.scores import SIZES, TYPES, BadScores, Blows, ConversionChoices, Scores
from armybuilder.engine.wording import Later, Words, say

Choices = tuple[tuple[str, Words], ...]


@dataclass(frozen=True, slots=True)
class Field:
    """A field: kind is "text", "number", "choice", "flag" or "lines". `read` raises Unreadable."""

    name: str
    label: Words
    kind: str
    read: Callable[[str], Any]
    help: Words = ""
    choices: Choices = ()
    section: Words = ""


def _flag(name: str, label: Words, told: Words = "") -> Field:
    return Field(name, label, "flag", read.flag, told)


def _number(
    name: str, label: Words, reader: Callable[[str], int | None], told: Words = ""
) -> Field:
    return Field(name, label, "number", reader, told)


def _choice(name: str, label: Words, choices: Choices, usual: str = "", told: Words = "") -> Field:
    """Return a choice of which one is `usual`, where nothing is chosen."""
    return Field(name, label, "choice", read.one_of(dict(choices), usual), told, choices)


_ATTACKED: Final = Later(
    "The bonus of one attack, without a −2 for two weapons, flurry or rapid shots."
)
_DAMAGED: Final = Later("Dice such as 2d6+4, or an average such as 7.5.")
_PENALTY: Final = Later("Two weapons, a flurry of blows: D&D takes 2 from all attacks for it.")
_SECOND: Final = Later("Where it also has other attacks, say a bite beside its claws.")
_FEET: Final = Later("In feet.")
_BONUS: Final = read.perhaps(-10, 90)
_TIMES: Final = read.perhaps(1, 12, 1)
_SAVE: Final = read.number(-10, 60)

_CREATURE: Final = (
    Field("name", Later("Name"), "text", read.name),
    # Sizes and types are called as in D&D's English books and pages, which people copy from.
    _choice("size", Later("Size"), tuple((size, size.capitalize()) for size in SIZES), "medium"),
    _choice("type", Later("Type"), tuple(TYPES.items())),
    Field("subtype", Later("Subtype"), "text", read.short, Later("Such as Elf.")),
    Field(
        "alignment",
        Later("Alignment"),
        "choice",
        read.alignment,
        choices=(("good", Later("Good")), ("neutral", Later("Neutral")), ("evil", Later("Evil"))),
    ),
)
_BODY: Final = (
    Field("hit_dice", Later("Hit dice"), "text", read.hit_dice, Later("4, 4d8+8 or 1/2.")),
    _number("hit_points", Later("Hit points"), read.number(1, 2000)),
    _number("speed", Later("Speed"), read.feet, _FEET),
    _number("fly", Later("Speed in the air"), read.feet, _FEET),
    _number("burrow", Later("Speed burrowing"), read.feet, _FEET),
    _number("armor_class", Later("Armor Class"), read.number(3, 90)),
)
_MELEE: Final = (
    _number("melee_attack", Later("Melee attack bonus"), _BONUS, _ATTACKED),
    Field("melee_damage", Later("Melee damage"), "text", read.damage, _DAMAGED),
    _number("melee_number", Later("Attacks of this kind"), _TIMES, Later("Usually 1.")),
    _flag("melee_blunt", Later("A blunt weapon")),
    _flag("melee_penalty", Later("Extra attacks cost −2"), _PENALTY),
    _number("second_attack", Later("Bonus of a second kind"), _BONUS, _SECOND),
    Field("second_damage", Later("Damage of the second kind"), "text", read.damage, _DAMAGED),
    _number("second_number", Later("Attacks of the second kind"), _TIMES),
)
_RANGED: Final = (
    _number("ranged_attack", Later("Ranged attack bonus"), _BONUS, _ATTACKED),
    Field("ranged_damage", Later("Ranged damage"), "text", read.damage, _DAMAGED),
    _number("ranged_number", Later("Ranged attacks"), _TIMES, Later("Usually 1.")),
    _choice(
        "ranged_kind",
        Later("Kind of weapon"),
        (("projectile", Later("It shoots")), ("thrown", Later("It is thrown"))),
        "projectile",
    ),
    _flag("ranged_penalty", Later("Rapid shots cost −2")),
    _flag("one_shot", Later("Only one shot")),
)
_SAVES: Final = (
    _number("fortitude", Later("Fortitude save"), _SAVE),
    _number("reflex", Later("Reflex save"), _SAVE),
    _number("will", Later("Will save"), _SAVE),
    _flag("dwarf", Later("A dwarf"), Later("Dwarves save better.")),
)
_MIND: Final = (
    _number(
        "intelligence",
        Later("Intelligence"),
        read.perhaps(1, 60),
        Later("Empty if it has none."),
    ),
    _number("charisma", Later("Charisma modifier"), read.perhaps(-5, 25, 0), Later("Such as +1.")),
    _number(
        "commander",
        Later("Commander rating"),
        read.perhaps(1, 20),
        Later("Empty if it leads nobody. There is no rule for it: you decide."),
    ),
    Field(
        "powerful",
        Later("Powerful"),
        "choice",
        read.maybe,
        Later("Powerful creatures are difficult to command."),
        (("", Later("Our suggestion")), ("yes", Later("Yes")), ("no", Later("No"))),
    ),
    _flag("player_character", Later("A player character")),
    _flag("commoner", Later("A commoner"), Later("Unsuited for battle.")),
)
_SPECIAL: Final = (
    _number(
        "turning_level",
        Later("Level for turning undead"),
        read.perhaps(0, 40, 0),
        Later("The cleric level; empty if it turns none."),
    ),
    _number(
        "base_attack", Later("Base attack bonus"), read.perhaps(0, 60), Later("For Power Attack.")
    ),
    Field("feats", Later("Feats"), "lines", read.lines, Later("One per line, in English.")),
    Field(
        "abilities",
        Later("Abilities of the game"),
        "lines",
        read.abilities,
        Later("One per line, as in a book: sneak-attack 1."),
    ),
)
_CHOICES: Final = (
    _choice(
        "damage",
        Later("Half a point of damage"),
        (("up", Later("Rounded up")), ("down", Later("Rounded down"))),
        "up",
        Later("The attack bonus moves the other way."),
    ),
    _choice(
        "health",
        Later("Health"),
        (
            ("near", Later("To the nearest")),
            ("up", Later("Rounded up")),
            ("down", Later("Rounded down")),
        ),
        "near",
    ),
    _choice(
        "attacks",
        Later("Several kinds of attack"),
        (
            ("average", Later("The average of all")),
            ("main", Later("Leave the second kind out")),
            ("one", Later("All as one attack")),
        ),
        "average",
    ),
    _choice(
        "flight",
        Later("Speed on the card"),
        (("fly", Later("In the air, if it flies")), ("walk", Later("On the ground"))),
        "fly",
    ),
    _number("difficulty", Later("Difficult Troop ×"), read.perhaps(2, 9, 2)),
    _number("orders", Later("Independent Troop rating"), read.perhaps(0, 9, 0)),
    _flag(
        "power_attack", Later("Always uses Power Attack"), Later("+1 damage and −5 on the attack.")
    ),
    Field("faction", Later("Faction"), "text", read.faction),
    Field("group", Later("Group"), "text", read.short, Later("The heading it appears under.")),
)


def _under(section: Words, fields: Iterable[Field]) -> Iterator[Field]:
    """Return the fields under the heading of a section of the form."""
    return (replace(field, section=section) for field in fields)


FIELDS: Final = (
    *_under(Later("Creature"), _CREATURE),
    *_under(Later("Body"), _BODY),
    *_under(Later("Melee"), _MELEE),
    *_under(Later("Ranged"), _RANGED),
    *_under(Later("Saves"), _SAVES),
    *_under(Later("Mind"), _MIND),
    *_under(Later("Special"), _SPECIAL),
)
CHOICE_FIELDS: Final = tuple(_under(Later("Choices"), _CHOICES))

_DIRECT: Final = {field.name for field in of_dataclass(Scores)}


def read_scores(fields: Mapping[str, str]) -> Scores:
    """Read the scores; a missing field is empty. Raises `BadScores`, a sentence per mistake."""
    values, errors = _read(FIELDS, fields)
    errors = {**_crossed(fields, values, errors), **errors}
    if errors:
        raise BadScores(
            {field.name: errors[field.name] for field in FIELDS if field.name in errors}
        )
    direct = {name: value for name, value in values.items() if name in _DIRECT}
    for kind in ("melee", "second", "ranged"):
        direct[kind] = _blows(kind, values)
    return Scores(**direct)


def read_choices(fields: Mapping[str, str]) -> ConversionChoices:
    """Read the choices, the usual where a field is empty. Raises `BadScores` as `read_scores`."""
    values, errors = _read(CHOICE_FIELDS, fields)
    if errors:
        raise BadScores(errors)
    return ConversionChoices(**values)


def _read(
    asked: Iterable[Field], fields: Mapping[str, str]
) -> tuple[dict[str, Any], dict[str, str]]:
    values, errors = {}, {}
    for field in asked:
        try:
            values[field.name] = field.read(str(fields.get(field.name, "")).strip())
        except read.Unreadable as wrong:
            errors[field.name] = wrong.sentence
    return values, errors


def _crossed(
    fields: Mapping[str, str], values: Mapping[str, Any], errors: Mapping[str, str]
) -> dict[str, str]:
    """Return what is wrong with fields that go together."""
    found = {}
    for kind in ("melee", "second", "ranged"):
        attack, damage = f"{kind}_attack", f"{kind}_damage"
        if attack in errors or damage in errors:
            continue
        if values[attack] is not None and values[damage] is None:
            found[damage] = say("Say how much damage the attack deals.")
        if values[attack] is None and values[damage] is not None:
            found[attack] = say("Say the attack bonus of this damage.")
    used = [name for name in ("melee_attack", "ranged_attack") if fields.get(name, "").strip()]
    if not used and not found:
        found["melee_attack"] = say("Give it an attack, in melee or at range.")
    if fields.get("second_attack", "").strip() and not fields.get("melee_attack", "").strip():
        found["melee_attack"] = say("Fill in the first kind of attack before the second.")
    if "speed" in values and values.get("fly") == values["speed"] == 0:
        found["speed"] = say("Give it a speed, on the ground or in the air.")
    return found


def _blows(kind: str, values: Mapping[str, Any]) -> Blows | None:
    bonus: int | None = values[f"{kind}_attack"]
    damage: Fraction | None = values[f"{kind}_damage"]
    if bonus is None or damage is None:
        return None
    return Blows(bonus, damage, values[f"{kind}_number"])
