"""The form of a creature's scores: what it asks, and how the answers are read."""

from collections.abc import Callable, Mapping
from dataclasses import fields as of_dataclass
from fractions import Fraction
from typing import Any, Final, NamedTuple

from armybuilder.converting import reading as read
from armybuilder.converting.scores import SIZES, TYPES, BadScores, Blows, Choices, Scores


class Field(NamedTuple):
    """A field of a form: kind is "text", "number", "choice", "flag" or "lines" (one a line)."""

    name: str
    label: str
    kind: str
    help: str = ""
    choices: tuple[tuple[str, str], ...] = ()
    section: str = ""


_ALIGNMENTS: Final = (("good", "Good"), ("neutral", "Neutral"), ("evil", "Evil"))
_ATTACKED: Final = "The bonus of one attack, without a −2 for two weapons, flurry or rapid shots."
_DAMAGED: Final = "Dice such as 2d6+4, or an average such as 7.5."
_PENALTY: Final = "Two weapons, a flurry of blows: D&D takes 2 from all attacks for it."
_FEET: Final = "In feet."

Reader = Callable[[str], Any]

#: Every field with the function that reads its text.
_READERS: Final[tuple[tuple[Field, Reader], ...]] = (
    (Field("name", "Name", "text", section="Creature"), read.name),
    (
        Field(
            "size",
            "Size",
            "choice",
            choices=tuple((size, size.capitalize()) for size in SIZES),
            section="Creature",
        ),
        read.one_of(dict.fromkeys(SIZES, ""), "medium"),
    ),
    (
        Field("type", "Type", "choice", choices=tuple(TYPES.items()), section="Creature"),
        read.one_of(TYPES),
    ),
    (Field("subtype", "Subtype", "text", "Such as Elf.", section="Creature"), read.short),
    (
        Field("alignment", "Alignment", "choice", choices=_ALIGNMENTS, section="Creature"),
        read.alignment,
    ),
    (
        Field("hit_dice", "Hit dice", "text", "4, 4d8+8 or 1/2.", section="Body"),
        read.hit_dice,
    ),
    (Field("hit_points", "Hit points", "number", section="Body"), read.number(1, 2000)),
    (Field("speed", "Speed", "number", _FEET, section="Body"), read.feet),
    (Field("fly", "Speed in the air", "number", _FEET, section="Body"), read.feet),
    (Field("burrow", "Speed burrowing", "number", _FEET, section="Body"), read.feet),
    (Field("armor_class", "Armor Class", "number", section="Body"), read.number(3, 90)),
    (
        Field("melee_attack", "Melee attack bonus", "number", _ATTACKED, section="Melee"),
        read.perhaps(-10, 90),
    ),
    (Field("melee_damage", "Melee damage", "text", _DAMAGED, section="Melee"), read.damage),
    (
        Field("melee_number", "Attacks of this kind", "number", "Usually 1.", section="Melee"),
        read.perhaps(1, 12, 1),
    ),
    (
        Field("melee_blunt", "A blunt weapon", "flag", section="Melee"),
        read.flag,
    ),
    (
        Field("melee_penalty", "Extra attacks cost −2", "flag", _PENALTY, section="Melee"),
        read.flag,
    ),
    (
        Field(
            "second_attack",
            "Bonus of a second kind",
            "number",
            "Where it also has other attacks, say a bite beside its claws.",
            section="Melee",
        ),
        read.perhaps(-10, 90),
    ),
    (
        Field("second_damage", "Damage of the second kind", "text", _DAMAGED, section="Melee"),
        read.damage,
    ),
    (
        Field("second_number", "Attacks of the second kind", "number", section="Melee"),
        read.perhaps(1, 12, 1),
    ),
    (
        Field("ranged_attack", "Ranged attack bonus", "number", _ATTACKED, section="Ranged"),
        read.perhaps(-10, 90),
    ),
    (Field("ranged_damage", "Ranged damage", "text", _DAMAGED, section="Ranged"), read.damage),
    (
        Field("ranged_number", "Ranged attacks", "number", "Usually 1.", section="Ranged"),
        read.perhaps(1, 12, 1),
    ),
    (
        Field(
            "ranged_kind",
            "Kind of weapon",
            "choice",
            choices=(("projectile", "It shoots"), ("thrown", "It is thrown")),
            section="Ranged",
        ),
        read.one_of({"projectile": "", "thrown": ""}, "projectile"),
    ),
    (
        Field("ranged_penalty", "Rapid shots cost −2", "flag", section="Ranged"),
        read.flag,
    ),
    (Field("one_shot", "Only one shot", "flag", section="Ranged"), read.flag),
    (Field("fortitude", "Fortitude save", "number", section="Saves"), read.number(-10, 60)),
    (Field("reflex", "Reflex save", "number", section="Saves"), read.number(-10, 60)),
    (Field("will", "Will save", "number", section="Saves"), read.number(-10, 60)),
    (Field("dwarf", "A dwarf", "flag", "Dwarves save better.", section="Saves"), read.flag),
    (
        Field("intelligence", "Intelligence", "number", "Empty where it has none.", section="Mind"),
        read.perhaps(1, 60),
    ),
    (
        Field("charisma", "Charisma modifier", "number", "Such as +1.", section="Mind"),
        read.perhaps(-5, 25, 0),
    ),
    (
        Field(
            "commander",
            "Commander rating",
            "number",
            "Empty where it leads nobody. There is no rule for it: you decide.",
            section="Mind",
        ),
        read.perhaps(1, 20),
    ),
    (
        Field(
            "powerful",
            "Powerful",
            "choice",
            "Powerful creatures are difficult to command.",
            (("", "You suggest"), ("yes", "Yes"), ("no", "No")),
            "Mind",
        ),
        read.maybe,
    ),
    (Field("player_character", "A player character", "flag", section="Mind"), read.flag),
    (Field("commoner", "A commoner", "flag", "Unsuited for battle.", section="Mind"), read.flag),
    (
        Field(
            "turning_level",
            "Level for turning undead",
            "number",
            "The cleric level; empty where it turns none.",
            section="Special",
        ),
        read.perhaps(0, 40, 0),
    ),
    (
        Field("base_attack", "Base attack bonus", "number", "For Power Attack.", section="Special"),
        read.perhaps(0, 60),
    ),
    (Field("feats", "Feats", "lines", "One a line, in English.", section="Special"), read.lines),
    (
        Field(
            "abilities",
            "Abilities of the game",
            "lines",
            "One a line as in a book: sneak-attack 1.",
            section="Special",
        ),
        read.abilities,
    ),
)
FIELDS: Final = tuple(field for field, _ in _READERS)

_CHOICE_READERS: Final[tuple[tuple[Field, Reader], ...]] = (
    (
        Field(
            "damage",
            "Half a point of damage",
            "choice",
            "The attack bonus moves the other way.",
            (("up", "Rounded up"), ("down", "Rounded down")),
            "Choices",
        ),
        read.one_of({"up": "", "down": ""}, "up"),
    ),
    (
        Field(
            "health",
            "Health",
            "choice",
            choices=(("near", "To the nearest"), ("up", "Rounded up"), ("down", "Rounded down")),
            section="Choices",
        ),
        read.one_of({"near": "", "up": "", "down": ""}, "near"),
    ),
    (
        Field(
            "attacks",
            "Several kinds of attack",
            "choice",
            choices=(
                ("average", "The average of all"),
                ("main", "Leave the second kind out"),
                ("one", "All as one blow"),
            ),
            section="Choices",
        ),
        read.one_of({"average": "", "main": "", "one": ""}, "average"),
    ),
    (
        Field(
            "flight",
            "Speed on the card",
            "choice",
            choices=(("fly", "In the air, if it flies"), ("walk", "On the ground")),
            section="Choices",
        ),
        read.one_of({"fly": "", "walk": ""}, "fly"),
    ),
    (
        Field("difficulty", "Difficult Troop ×", "number", section="Choices"),
        read.perhaps(2, 9, 2),
    ),
    (
        Field("orders", "Independent Troop rating", "number", section="Choices"),
        read.perhaps(0, 9, 0),
    ),
    (
        Field(
            "power_attack",
            "Always uses Power Attack",
            "flag",
            "+1 damage and −5 on the attack.",
            section="Choices",
        ),
        read.flag,
    ),
    (Field("faction", "Faction", "text", section="Choices"), read.faction),
    (
        Field("group", "Group", "text", "The heading it stands under.", section="Choices"),
        read.short,
    ),
)
CHOICE_FIELDS: Final = tuple(field for field, _ in _CHOICE_READERS)

_DIRECT: Final = {field.name for field in of_dataclass(Scores)}


def read_scores(fields: Mapping[str, str]) -> Scores:
    """The scores that the text of each field of `FIELDS` gives; a missing field is an empty one.

    Raises `BadScores` with a sentence for every field that is wrong.
    """
    values, errors = _read(_READERS, fields)
    errors = {**_crossed(fields, values, errors), **errors}
    if errors:
        raise BadScores(
            {field.name: errors[field.name] for field in FIELDS if field.name in errors}
        )
    direct = {name: value for name, value in values.items() if name in _DIRECT}
    for kind in ("melee", "second", "ranged"):
        direct[kind] = _blows(kind, values)
    return Scores(**direct)


def read_choices(fields: Mapping[str, str]) -> Choices:
    """The choices that the text of `CHOICE_FIELDS` gives, the usual ones where it is empty.

    Raises `BadScores` as `read_scores` does.
    """
    values, errors = _read(_CHOICE_READERS, fields)
    if errors:
        raise BadScores(errors)
    return Choices(**values)


def _read(
    readers: tuple[tuple[Field, Reader], ...], fields: Mapping[str, str]
) -> tuple[dict[str, Any], dict[str, str]]:
    values, errors = {}, {}
    for field, reader in readers:
        try:
            values[field.name] = reader(str(fields.get(field.name, "")).strip())
        except read.Unreadable as wrong:
            errors[field.name] = wrong.sentence
    return values, errors


def _crossed(
    fields: Mapping[str, str], values: Mapping[str, Any], errors: Mapping[str, str]
) -> dict[str, str]:
    """What is wrong with fields that go together."""
    found = {}
    for kind in ("melee", "second", "ranged"):
        attack, damage = f"{kind}_attack", f"{kind}_damage"
        if attack in errors or damage in errors:
            continue
        if values[attack] is not None and values[damage] is None:
            found[damage] = "Say how much damage the attack deals."
        if values[attack] is None and values[damage] is not None:
            found[attack] = "Say the attack bonus of this damage."
    used = [name for name in ("melee_attack", "ranged_attack") if fields.get(name, "").strip()]
    if not used and not found:
        found["melee_attack"] = "Give it an attack, in melee or at range."
    if fields.get("second_attack", "").strip() and not fields.get("melee_attack", "").strip():
        found["melee_attack"] = "Fill in the first kind of attack before the second."
    if "speed" in values and values.get("fly") == values["speed"] == 0:
        found["speed"] = "Give it a speed, on the ground or in the air."
    return found


def _blows(kind: str, values: Mapping[str, Any]) -> Blows | None:
    bonus: int | None = values[f"{kind}_attack"]
    damage: Fraction | None = values[f"{kind}_damage"]
    if bonus is None or damage is None:
        return None
    return Blows(bonus, damage, values[f"{kind}_number"])
