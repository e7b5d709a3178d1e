"""A unit in a few words, the same on every page and printout."""

from collections.abc import Iterator
from dataclasses import dataclass

from armybuilder.engine.catalogue import System
from armybuilder.engine.lines import Line
from armybuilder.engine.nouns import counted
from armybuilder.engine.options import Option
from armybuilder.engine.report import LineNumbers
from armybuilder.engine.units import Unit
from armybuilder.engine.wording import say


def unit_attributes(unit: Unit, system: System) -> str:
    """Return a unit's attributes by name: "Thalos · Good · Humanoid (Human)"."""
    words = []
    for attribute in system.attributes.values():
        values = unit.attributes.get(attribute.id, ())
        if values:
            words.append("/".join(attribute.values[value] for value in values))
    if unit.subtype:
        # The subtype belongs to the last attribute of the line, the type, where that is known.
        typed = bool(words) and bool(unit.attributes.get(list(system.attributes)[-1]))
        words[-1:] = [f"{words[-1]} ({unit.subtype})"] if typed else [*words[-1:], unit.subtype]
    return " · ".join(words)


def unit_facts(unit: Unit, system: System) -> str:
    """Return a unit's attributes and, where statistics make its price, those, in one short line."""
    words = [unit_attributes(unit, system)]
    if system.formula is not None:
        words += [
            f"{stat.short}{stat.shown(unit.stats[stat.id])}" for stat in system.stats.values()
        ]
    return " · ".join(filter(None, words))


@dataclass(frozen=True, slots=True)
class Endurance:
    """Damage that a model can take, and its name; one box on a sheet is worth `box`."""

    name: str
    each: int
    box: int = 1
    half: bool = False


def endurance(unit: Unit, system: System) -> Endurance | None:
    """Return the damage that a model of the unit can take, by a statistic of its card or by an
    ability; None if the system or the card has none."""
    for stat in system.stats.values():
        value = unit.stats.get(stat.id)
        if stat.health and isinstance(value, int) and value > 0:
            return Endurance(stat.name, value, stat.box, stat.half)
    for use in unit.abilities:
        wounds = use.ability.wounds
        value = unit.stats.get(wounds.minus) if wounds else None
        if wounds and isinstance(value, int) and value < wounds.minuend:
            return Endurance(say("Wounds"), wounds.minuend - value)
    return None


def bears_battle_standard(line: Line) -> bool:
    """Return whether the unit carries the army's battle standard (The Ninth Age, 21.A.b.3).

    Rally Around the Flag (21.A.b.28) alone does not make it the bearer.
    """
    taken = line.loadout.taken
    return any(one.option.id == "battle-standard-bearer" for one in taken)


def ability_names(unit: Unit) -> Iterator[str]:
    """Yield a unit's abilities and spells as a card lists them."""
    for use in unit.abilities:
        yield use.label
    for spell in unit.spells:
        yield f"{spell.name} ×{spell.uses}" if spell.uses > 1 else spell.name


def unit_abilities(unit: Unit) -> str:
    """Return a unit's abilities and spells in a row."""
    return ", ".join(ability_names(unit))


def side_marks(numbers: LineNumbers) -> Iterator[str]:
    """Yield the side that an entry is on, and the command that it gives or needs."""
    if numbers.cross_faction:
        yield say("Cross-faction")
    if numbers.supply:
        yield say("Gives {number} command", number=numbers.supply)
    if numbers.need:
        yield say("Needs {number} command", number=numbers.need)


def option_cost(option: Option) -> str:
    """Return an option's own price: "+20", "+2 a model"; "" if it is free."""
    points = option.points.base or 0
    each = option.each.base or 0
    parts = [
        f"{points:+}" if points else "",
        say("{points} per model", points=f"{each:+}") if each else "",
    ]
    return " ".join(filter(None, parts)).replace("-", "−")


def size_words(low: int, high: int | None) -> str:
    """Return a unit's bounds: "20 to 50 models", "5 models", "at least 5 models"."""
    if high is None:
        return say("at least {low} models", low=low)
    if low == high:
        return counted(low, "model")
    return say("{low} to {high} models", low=low, high=high)


def size_range(low: int, high: int | None) -> str:
    """Return the same in the least room: "20–50", "5+"."""
    if low == high:
        return str(low)
    return f"{low}+" if high is None else f"{low}–{high}"
