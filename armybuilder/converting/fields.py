"""The form of a creature's scores: what it asks, and how the answers are read."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from dataclasses import fields as of_dataclass
from fractions import Fraction
from typing import Any, Final

from armybuilder.converting import reading as read
from armybuilder.converting.scores import SIZES, TYPES, BadScores, Blows, ConversionChoices, Scores
from armybuilder.engine.wording import Later, Words, say


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a form: kind is "text", "number", "choice", "flag" or "lines" (one a line)."""

    name: str
    label: Words
    kind: str
    help: Words = ""
    choices: tuple[tuple[str, Words], ...] = ()
    section: Words = ""


_ALIGNMENTS: Final = (
    ("good", Later("Good")),
    ("neutral", Later("Neutral")),
    ("evil", Later("Evil")),
)
_ATTACKED: Final = Later(
    "The bonus of one attack, without a −2 for two weapons, flurry or rapid shots."
)
_DAMAGED: Final = Later("Dice such as 2d6+4, or an average such as 7.5.")
_PENALTY: Final = Later("Two weapons, a flurry of blows: D&D takes 2 from all attacks for it.")
_FEET: Final = Later("In feet.")

#: Sections of the form.
_CREATURE: Final = Later("Creature")
_BODY: Final = Later("Body")
_MELEE: Final = Later("Melee")
_RANGED: Final = Later("Ranged")
_SAVES: Final = Later("Saves")
_MIND: Final = Later("Mind")
_SPECIAL: Final = Later("Special")
_CHOICES: Final = Later("Choices")

Reader = Callable[[str], Any]

#: Every field with the function that reads its text. Sizes and types of creatures are named as D&D
#: names them, whose English books and pages people copy from.
_READERS: Final[tuple[tuple[Field, Reader], ...]] = (
    (Field("name", Later("Name"), "text", section=_CREATURE), read.name),
    (
        Field(
            "size",
            Later("Size"),
            "choice",
            choices=tuple((size, size.capitalize()) for size in SIZES),
            section=_CREATURE,
        ),
        read.one_of(dict.fromkeys(SIZES, ""), "medium"),
    ),
    (
        Field("type", Later("Type"), "choice", choices=tuple(TYPES.items()), section=_CREATURE),
        read.one_of(TYPES),
    ),
    (
        Field("subtype", Later("Subtype"), "text", Later("Such as Elf."), section=_CREATURE),
        read.short,
    ),
    (
        Field("alignment", Later("Alignment"), "choice", choices=_ALIGNMENTS, section=_CREATURE),
        read.alignment,
    ),
    (
        Field("hit_dice", Later("Hit dice"), "text", Later("4, 4d8+8 or 1/2."), section=_BODY),
        read.hit_dice,
    ),
    (Field("hit_points", Later("Hit points"), "number", section=_BODY), read.number(1, 2000)),
    (Field("speed", Later("Speed"), "number", _FEET, section=_BODY), read.feet),
    (Field("fly", Later("Speed in the air"), "number", _FEET, section=_BODY), read.feet),
    (Field("burrow", Later("Speed burrowing"), "number", _FEET, section=_BODY), read.feet),
    (Field("armor_class", Later("Armor Class"), "number", section=_BODY), read.number(3, 90)),
    (
        Field("melee_attack", Later("Melee attack bonus"), "number", _ATTACKED, section=_MELEE),
        read.perhaps(-10, 90),
    ),
    (
        Field("melee_damage", Later("Melee damage"), "text", _DAMAGED, section=_MELEE),
        read.damage,
    ),
    (
        Field(
            "melee_number",
            Later("Attacks of this kind"),
            "number",
            Later("Usually 1."),
            section=_MELEE,
        ),
        read.perhaps(1, 12, 1),
    ),
    (Field("melee_blunt", Later("A blunt weapon"), "flag", section=_MELEE), read.flag),
    (
        Field("melee_penalty", Later("Extra attacks cost −2"), "flag", _PENALTY, section=_MELEE),
        read.flag,
    ),
    (
        Field(
            "second_attack",
            Later("Bonus of a second kind"),
            "number",
            Later("Where it also has other attacks, say a bite beside its claws."),
            section=_MELEE,
        ),
        read.perhaps(-10, 90),
    ),
    (
        Field(
            "second_damage", Later("Damage of the second kind"), "text", _DAMAGED, section=_MELEE
        ),
        read.damage,
    ),
    (
        Field("second_number", Later("Attacks of the second kind"), "number", section=_MELEE),
        read.perhaps(1, 12, 1),
    ),
    (
        Field("ranged_attack", Later("Ranged attack bonus"), "number", _ATTACKED, section=_RANGED),
        read.perhaps(-10, 90),
    ),
    (
        Field("ranged_damage", Later("Ranged damage"), "text", _DAMAGED, section=_RANGED),
        read.damage,
    ),
    (
        Field(
            "ranged_number", Later("Ranged attacks"), "number", Later("Usually 1."), section=_RANGED
        ),
        read.perhaps(1, 12, 1),
    ),
    (
        Field(
            "ranged_kind",
            Later("Kind of weapon"),
            "choice",
            choices=(("projectile", Later("It shoots")), ("thrown", Later("It is thrown"))),
            section=_RANGED,
        ),
        read.one_of({"projectile": "", "thrown": ""}, "projectile"),
    ),
    (
        Field("ranged_penalty", Later("Rapid shots cost −2"), "flag", section=_RANGED),
        read.flag,
    ),
    (Field("one_shot", Later("Only one shot"), "flag", section=_RANGED), read.flag),
    (
        Field("fortitude", Later("Fortitude save"), "number", section=_SAVES),
        read.number(-10, 60),
    ),
    (Field("reflex", Later("Reflex save"), "number", section=_SAVES), read.number(-10, 60)),
    (Field("will", Later("Will save"), "number", section=_SAVES), read.number(-10, 60)),
    (
        Field("dwarf", Later("A dwarf"), "flag", Later("Dwarves save better."), section=_SAVES),
        read.flag,
    ),
    (
        Field(
            "intelligence",
            Later("Intelligence"),
            "number",
            Later("Empty where it has none."),
            section=_MIND,
        ),
        read.perhaps(1, 60),
    ),
    (
        Field(
            "charisma", Later("Charisma modifier"), "number", Later("Such as +1."), section=_MIND
        ),
        read.perhaps(-5, 25, 0),
    ),
    (
        Field(
            "commander",
            Later("Commander rating"),
            "number",
            Later("Empty where it leads nobody. There is no rule for it: you decide."),
            section=_MIND,
        ),
        read.perhaps(1, 20),
    ),
    (
        Field(
            "powerful",
            Later("Powerful"),
            "choice",
            Later("Powerful creatures are difficult to command."),
            (("", Later("You suggest")), ("yes", Later("Yes")), ("no", Later("No"))),
            _MIND,
        ),
        read.maybe,
    ),
    (Field("player_character", Later("A player character"), "flag", section=_MIND), read.flag),
    (
        Field(
            "commoner", Later("A commoner"), "flag", Later("Unsuited for battle."), section=_MIND
        ),
        read.flag,
    ),
    (
        Field(
            "turning_level",
            Later("Level for turning undead"),
            "number",
            Later("The cleric level; empty where it turns none."),
            section=_SPECIAL,
        ),
        read.perhaps(0, 40, 0),
    ),
    (
        Field(
            "base_attack",
            Later("Base attack bonus"),
            "number",
            Later("For Power Attack."),
            section=_SPECIAL,
        ),
        read.perhaps(0, 60),
    ),
    (
        Field("feats", Later("Feats"), "lines", Later("One a line, in English."), section=_SPECIAL),
        read.lines,
    ),
    (
        Field(
            "abilities",
            Later("Abilities of the game"),
            "lines",
            Later("One a line as in a book: sneak-attack 1."),
            section=_SPECIAL,
        ),
        read.abilities,
    ),
)
FIELDS: Final = tuple(field for field, _ in _READERS)

_CHOICE_READERS: Final[tuple[tuple[Field, Reader], ...]] = (
    (
        Field(
            "damage",
            Later("Half a point of damage"),
            "choice",
            Later("The attack bonus moves the other way."),
            (("up", Later("Rounded up")), ("down", Later("Rounded down"))),
            _CHOICES,
        ),
        read.one_of({"up": "", "down": ""}, "up"),
    ),
    (
        Field(
            "health",
            Later("Health"),
            "choice",
            choices=(
                ("near", Later("To the nearest")),
                ("up", Later("Rounded up")),
                ("down", Later("Rounded down")),
            ),
            section=_CHOICES,
        ),
        read.one_of({"near": "", "up": "", "down": ""}, "near"),
    ),
    (
        Field(
            "attacks",
            Later("Several kinds of attack"),
            "choice",
            choices=(
                ("average", Later("The average of all")),
                ("main", Later("Leave the second kind out")),
                ("one", Later("All as one blow")),
            ),
            section=_CHOICES,
        ),
        read.one_of({"average": "", "main": "", "one": ""}, "average"),
    ),
    (
        Field(
            "flight",
            Later("Speed on the card"),
            "choice",
            choices=(("fly", Later("In the air, if it flies")), ("walk", Later("On the ground"))),
            section=_CHOICES,
        ),
        read.one_of({"fly": "", "walk": ""}, "fly"),
    ),
    (
        Field("difficulty", Later("Difficult Troop ×"), "number", section=_CHOICES),
        read.perhaps(2, 9, 2),
    ),
    (
        Field("orders", Later("Independent Troop rating"), "number", section=_CHOICES),
        read.perhaps(0, 9, 0),
    ),
    (
        Field(
            "power_attack",
            Later("Always uses Power Attack"),
            "flag",
            Later("+1 damage and −5 on the attack."),
            section=_CHOICES,
        ),
        read.flag,
    ),
    (Field("faction", Later("Faction"), "text", section=_CHOICES), read.faction),
    (
        Field(
            "group", Later("Group"), "text", Later("The heading it stands under."), section=_CHOICES
        ),
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


def read_choices(fields: Mapping[str, str]) -> ConversionChoices:
    """The choices that the text of `CHOICE_FIELDS` gives, the usual ones where it is empty.

    Raises `BadScores` as `read_scores` does.
    """
    values, errors = _read(_CHOICE_READERS, fields)
    if errors:
        raise BadScores(errors)
    return ConversionChoices(**values)


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
