"""The reference tables of a list: the rows that speak of it."""

from collections.abc import Iterator
from dataclasses import replace

from armybuilder.engine.catalogue import System
from armybuilder.engine.roster import Roster
from armybuilder.engine.vocabulary import Table


def tables_of(roster: Roster, system: System) -> Iterator[Table]:
    """Return the game's tables with the rows that its list calls for; none of those without any."""
    said = " ".join(_words(roster)).casefold()
    for table in system.tables:
        rows = table.rows
        if table.setting:
            rows = _chosen(table, roster, system)
        elif table.named:
            rows = tuple(row for row in rows if row[0].split()[0].casefold() in said)
        if rows:
            yield replace(table, rows=rows)


def _chosen(table: Table, roster: Roster, system: System) -> tuple[tuple[str, ...], ...]:
    """Return the row of the value that was chosen; all where it has none."""
    value = roster.settings.get(table.setting)
    piece = system.settings[table.setting].values.get(value) if isinstance(value, str) else None
    chosen = tuple(row for row in table.rows if piece and row[0] == piece.name)
    return chosen or table.rows


def _words(roster: Roster) -> Iterator[str]:
    """Return what stands on the cards of the list, their abilities explained."""
    for pick in roster.picks:
        if pick.unit is not None:
            yield from (line for lines in pick.unit.texts.values() for line in lines)
            for use in pick.unit.abilities:
                yield from (use.label, use.ability.summary)
