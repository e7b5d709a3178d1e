"""What the player knows an entry of the list by."""

from collections.abc import Mapping

from armybuilder.engine.units import Unit
from armybuilder.loading.armylist import ListUnit


def entry_name(entry: ListUnit, units: Mapping[str, Unit]) -> str:
    """Return the entry's own name, its unit's, or, where the unit is unknown, its reference."""
    if entry.name:
        return entry.name
    if entry.profile is not None:
        return entry.profile.name
    unit = units.get(entry.ref)
    return unit.name if unit else entry.ref
