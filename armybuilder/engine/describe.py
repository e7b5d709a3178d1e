"""A unit in a few words, the same on every page and printout."""

from armybuilder.engine.catalogue import System, Unit


def unit_facts(unit: Unit, system: System) -> str:
    """A unit's attributes and its first statistics, in one short line."""
    words = [
        system.attributes[attribute].values[value]
        for attribute, values in unit.attributes.items()
        for value in values
    ]
    if unit.subtype and words:
        words[-1] += f" ({unit.subtype})"
    if system.formula is not None:
        words += [
            f"{stat.short}{stat.shown(unit.stats[stat.id])}" for stat in system.stats.values()
        ]
    return " · ".join(words)


def unit_abilities(unit: Unit) -> str:
    """A unit's abilities and spells as a card lists them."""
    spells = [
        f"{spell.name} ×{spell.uses}" if spell.uses > 1 else spell.name for spell in unit.spells
    ]
    return ", ".join([*(use.label for use in unit.abilities), *spells])
