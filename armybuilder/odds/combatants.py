"""Units as the dice know them: each way of fighting of a unit, with the figures that are known."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from armybuilder.engine.catalogue import System
from armybuilder.engine.odds_rules import MELEE, SHOOTING, OddsRules
from armybuilder.engine.options import slug
from armybuilder.sheets.content.unit_view import UnitView, WeaponLine

_AIM = re.compile(r"\((\d)\+\)")
#: Rules that say a figure in brackets, and of which figure that is.
_IN_BRACKETS = re.compile(r"(multiple wounds|aegis|fortitude) \(([D0-9]+)\+?\)", re.IGNORECASE)
_FIGURES = {"multiple wounds": "wounds", "aegis": "aegis", "fortitude": "fortitude"}
#: Figures of an attack; the others are of the whole unit.
_ATTACK = frozenset(("attacks", "skill", "strength", "penetration", "score"))


@dataclass(frozen=True, slots=True)
class Combatant:
    """A unit in one way of fighting.

    `figures` are the known ones by their part in the sequence; `rules` are the names of its rules
    and weapon in small letters, without brackets. `other` rules have no part in figures.
    """

    key: str
    name: str
    mode: str
    figures: Mapping[str, str]
    rules: frozenset[str]
    other: tuple[str, ...]


def plain(name: str) -> str:
    """Return a name in small letters, without the text in brackets."""
    return name.partition("(")[0].strip().casefold()


def combatants(units: Iterable[UnitView], system: System) -> list[Combatant]:
    """Return each way of fighting of these units, in their order; none in a game without odds."""
    return [
        one
        for unit in units
        if unit.counts and system.odds
        for one in _of_unit(unit, system, system.odds)
    ]


def _of_unit(unit: UnitView, system: System, odds: OddsRules) -> Iterator[Combatant]:
    armour, weapons = system.armour, system.weapons
    known = {plain(name) for tick in odds.ticks for when in tick.when for name in when.has}
    named = [*unit.rules, *unit.given, *(use.label for use in unit.abilities)]
    common = {**_defence(unit, odds), **_in_brackets(named)}

    def has_part(name: str) -> bool:
        key = slug(name.partition("(")[0])
        equipment = (armour and armour.knows(key)) or (weapons and weapons.of(key))
        return plain(name) in known or bool(equipment or _IN_BRACKETS.fullmatch(name))

    for number, (how, mode, figures) in enumerate(_ways(unit, odds)):
        yield Combatant(
            key=f"{unit.id}~{number}",
            name=f"{unit.title}: {how}" if how else unit.title,
            mode=mode,
            figures={**common, **figures},
            rules=frozenset(map(plain, (*named, how.partition(",")[0]))),
            other=tuple(name for name in named if not has_part(name)),
        )


def _ways(unit: UnitView, odds: OddsRules) -> Iterator[tuple[str, str, dict[str, str]]]:
    """Yield weapons in each use, then its stat lines by themselves: name, mode, figures."""
    for weapon in unit.weapons:
        for use in weapon.uses:
            figures = _known(odds, dict(use.stats), _ATTACK)
            if use.shots:
                figures |= {"attacks": use.shots, "aim": _aim(weapon)}
            how = ", ".join(filter(None, (weapon.label, use.note)))
            yield how, SHOOTING if use.shots else MELEE, figures
    rows = [
        (row.name, figures)
        for row in unit.rows
        if (figures := _known(odds, {cell.id: cell.value for cell in row.cells}, _ATTACK))
    ]
    for name, figures in rows or [("", {})]:
        yield name if name != unit.name else "", MELEE, figures


def _aim(weapon: WeaponLine) -> str:
    found = _AIM.search(weapon.name)
    return found[1] if found else ""


def _known(odds: OddsRules, values: Mapping[str, str], wanted: Iterable[str]) -> dict[str, str]:
    stats = ((figure, odds.stats.get(figure, "")) for figure in wanted)
    return {figure: values[stat] for figure, stat in stats if values.get(stat)}


def _defence(unit: UnitView, odds: OddsRules) -> dict[str, str]:
    """Return the figures of the whole unit: of a mount and its rider those of the last row."""
    figures: dict[str, str] = {"models": str(unit.models)}
    for row in unit.rows:
        values = {cell.id: cell.value for cell in row.cells}
        known = _known(odds, values, odds.stats.keys() - _ATTACK)
        figures |= {figure: value.rstrip("+") for figure, value in known.items()}
    figures.pop("armour", None)
    if unit.armour_total is not None:
        figures["armour"] = str(unit.armour_total)
    if unit.health:
        figures["health"] = str(unit.health)
    return figures


def _in_brackets(named: Iterable[str]) -> dict[str, str]:
    """Return figures that rules say; none of those that hold against some enemies only."""
    found = (_IN_BRACKETS.fullmatch(name) for name in named)
    return {_FIGURES[one[1].casefold()]: one[2] for one in found if one}
