"""A unit in a few words, the same on every page and printout."""

from armybuilder.engine.catalogue import System, Unit


def unit_attributes(unit: Unit, system: System) -> str:
    """A unit's attributes by name: "Thalos · Good · Humanoid (Human)"."""
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
    """A unit's attributes and, where statistics make its price, those, in one short line."""
    words = [unit_attributes(unit, system)]
    if system.formula is not None:
        words += [
            f"{stat.short}{stat.shown(unit.stats[stat.id])}" for stat in system.stats.values()
        ]
    return " · ".join(filter(None, words))


def unit_abilities(unit: Unit) -> str:
    """A unit's abilities and spells as a card lists them."""
    spells = [
        f"{spell.name} ×{spell.uses}" if spell.uses > 1 else spell.name for spell in unit.spells
    ]
    return ", ".join([*(use.label for use in unit.abilities), *spells])
