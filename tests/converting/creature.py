"""A plain creature as form fields, to change one thing of at a time."""

from armybuilder.converting.dnd import convert
from armybuilder.converting.fields import read_scores
from armybuilder.converting.scores import Conversion, ConversionChoices, WorkStep

PLAIN = {
    "name": "Somebody",
    "size": "medium",
    "type": "humanoid",
    "alignment": "neutral",
    "hit_dice": "2",
    "hit_points": "10",
    "speed": "30",
    "armor_class": "15",
    "melee_attack": "+4",
    "melee_damage": "5",
    "fortitude": "1",
    "reflex": "1",
    "will": "1",
    "intelligence": "10",
}


def made(choices: ConversionChoices | None = None, /, **changed: object) -> Conversion:
    """The card of the plain creature with some fields changed."""
    fields = PLAIN | {name: str(value) for name, value in changed.items()}
    return convert(read_scores(fields), choices or ConversionChoices())


def stats(choices: ConversionChoices | None = None, /, **changed: object) -> dict[str, int | str]:
    found: dict[str, int | str] = made(choices, **changed).unit["stats"]
    return found


def abilities(choices: ConversionChoices | None = None, /, **changed: object) -> list[str]:
    found: list[str] = made(choices, **changed).unit.get("abilities", [])
    return found


def step(conversion: Conversion, what: str) -> WorkStep:
    return next(one for one in conversion.steps if one.what == what)
