"""Stat lines that a player writes down of units whose book has none. No rule reads them."""

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from django.utils.translation import gettext as _

from armybuilder.engine.catalogue import Catalogue, System
from armybuilder.engine.units import Unit
from armybuilder.engine.vocabulary import Stat
from armybuilder.loading.armylist import ArmyList, ListStatLine, StatLines, changed, frozen
from armybuilder.loading.limits import MAX_STAT_LINES, MAX_STAT_NAME, MAX_STAT_VALUE
from armybuilder.loading.problems import Refusal

#: A field of the form: a unit, the number of a stat line, a statistic; of the line's name none.
_FIELD = re.compile(r"stat:(?P<ref>[\w-]+/[\w-]+):(?P<row>\d):(?P<stat>[\w-]*)", re.ASCII)


class StatField(NamedTuple):
    name: str
    stat: Stat
    value: str


class StatLineFields(NamedTuple):
    """The fields of the form for one stat line: for its name, and for its statistics."""

    name: str
    value: str
    stats: list[StatField]


def lacks_stat_line(unit: Unit, system: System) -> bool:
    """Return whether a unit of an army has no stat line in its book."""
    return system.sized and unit.counts and not unit.profiles and not unit.stats


def stat_line_fields(known: StatLines, system: System, ref: str) -> Iterator[StatLineFields]:
    """Yield the fields for a unit's stat lines as far as any are known, and for one more."""
    lines = (*known.get(ref, ()), ListStatLine("", {}))
    for row, line in enumerate(lines[:MAX_STAT_LINES]):
        name = f"stat:{ref}:{row}:"
        stats = [
            StatField(f"{name}{stat.id}", stat, line.stats.get(stat.id, ""))
            for stat in system.usual_stats
        ]
        yield StatLineFields(name, line.name, stats)


def write_stat_lines(
    army_list: ArmyList, catalogue: Catalogue, fields: Mapping[str, str]
) -> tuple[ArmyList, list[str]]:
    """Write down the stat lines in a form's fields; return the names of the units, too.

    Raises Refusal where a unit is not in the books or has a stat line there, or a text is too long.
    """
    stats = {stat.id: stat.name for stat in catalogue.system.usual_stats}
    written: dict[str, dict[str, dict[str, str]]] = {}
    for field, text in fields.items():
        if match := _FIELD.fullmatch(field):
            row = written.setdefault(match["ref"], {}).setdefault(match["row"], {})
            row[match["stat"]] = _checked(text, stats.get(match["stat"], ""))
    for ref in written:
        unit = catalogue.units.get(ref)
        if unit is None or not lacks_stat_line(unit, catalogue.system):
            raise Refusal(_("The book already has a stat line for this unit."))
    lines = {
        ref: tuple(
            ListStatLine(texts.get("", ""), frozen(filled))
            for texts in rows.values()
            if (filled := {stat: text for stat, text in texts.items() if text and stat in stats})
        )
        for ref, rows in written.items()
    }
    kept = {ref: rows for ref, rows in {**army_list.stat_lines, **lines}.items() if rows}
    return changed(army_list, stat_lines=frozen(kept)), [catalogue.units[ref].name for ref in lines]


def _checked(text: str, stat: str) -> str:
    text, most = " ".join(text.split()), MAX_STAT_VALUE if stat else MAX_STAT_NAME
    if len(text) > most:
        sentence = _("{what}: {number} characters; the maximum is {longest}.")
        what = stat or _("The name")
        raise Refusal(sentence.format(what=what, number=len(text), longest=most))
    return text
