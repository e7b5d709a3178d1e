"""Stat lines of a unit: its own and those of its options, changes applied."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from armybuilder.engine.conditions import Place
from armybuilder.engine.lines import Line
from armybuilder.engine.options import ROW_NAME, Profile

_WHOLE = re.compile(r"-?\d+")
#: A mount's value that is its rider's, or more by a number.
_RIDERS = re.compile(r"C(?:\s*\+\s*(\d+))?(?P<more>\s*\(.*\))?")


@dataclass(frozen=True, slots=True)
class StatLine:
    """A row of statistics: texts by statistic.

    `moved` are changes that couldn't be added because the value isn't a number: (statistic,
    amount). `option` is the id of the option that brings the row, "" for the unit's own; `origin`
    is that of its profile.
    """

    name: str
    stats: dict[str, str]
    rules: tuple[str, ...] = ()
    moved: tuple[tuple[str, int], ...] = ()
    option: str = ""
    origin: str = ""


def stat_line(profile: Profile, place: Place, option: str = "") -> StatLine:
    """Return the profile at a place: what its conditions set or add there, in their order."""
    stats = {ROW_NAME: profile.name, **profile.stats}
    moved = []
    for change in profile.changes:
        if not change.condition.holds(place):
            continue
        value = stats.get(change.stat, "")
        if change.text:
            stats[change.stat] = change.text
        elif _WHOLE.fullmatch(value):
            stats[change.stat] = str(int(value) + change.add)
        else:
            moved.append((change.stat, change.add))
    return StatLine(stats.pop(ROW_NAME), stats, profile.rules, tuple(moved), option, profile.origin)


def stat_lines(line: Line) -> tuple[StatLine, ...]:
    """Return the rows of a unit, then those of its options in the order they were taken."""
    return tuple(_rows(line))


def _rows(line: Line) -> Iterator[StatLine]:
    for profile in line.unit.profiles or line.pick.profiles:
        yield stat_line(profile, line.place)
    for taken in line.loadout.taken:
        for profile in taken.option.profiles:
            yield stat_line(profile, line.place, taken.option.id)


def worked_out(line: Line, rows: tuple[StatLine, ...]) -> tuple[StatLine, ...]:
    """Return the rows with the rider's values in place of a mount's "C" and "C+X" (Rulebook 8.D.c).

    They stay if the first row has no such value, and in units of many, where options may bring
    parts of some models only.
    """
    if len(rows) < 2 or (line.unit.size is not None and line.unit.size[1].largest > 1):
        return rows
    rider, *mounts = rows
    return (rider, *(_mounted(mount, rider.stats) for mount in mounts))


def _mounted(mount: StatLine, rider: Mapping[str, str]) -> StatLine:
    stats = dict(mount.stats)
    for stat, value in mount.stats.items():
        match, riders = _RIDERS.fullmatch(value), rider.get(stat, "")
        if match is None or not riders:
            continue
        if match[1] is None:
            stats[stat] = riders + (match["more"] or "")
        elif _WHOLE.fullmatch(riders):
            stats[stat] = str(int(riders) + int(match[1]))
    return replace(mount, stats=stats)


def health(line: Line, rows: tuple[StatLine, ...], stat: str = "hp") -> int | None:
    """Return the Health Points of one model; None if the rows don't say.

    A model of several parts has one set of defensive values. A mounted character has its mount's,
    unless those are "C" or "C+X" (The Ninth Age, Rulebook 8.D.c, 19.B.3). Rows of options in a unit
    of many are taken as parts of some models.
    """
    own = _first(row.stats.get(stat, "") for row in rows if not row.option)
    value = int(own) if _WHOLE.fullmatch(own) else None
    if line.unit.size is not None and line.unit.size[1].largest > 1:
        return value
    for row in rows:
        said = row.stats.get(stat, "")
        if row.option and said:
            value = _over(said, value)
    return value


def _first(values: Iterator[str]) -> str:
    return next(filter(None, values), "")


def _over(said: str, riders: int | None) -> int | None:
    """Return the rider's value as changed by the mount's."""
    if _WHOLE.fullmatch(said):
        return int(said)
    match = _RIDERS.fullmatch(said)
    if match is None or riders is None:
        return None
    return riders + int(match[1] or 0)
