"""A unit in words: its price, its size and its options as the book has them; its stat lines."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple
from urllib.parse import urlencode

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from armybuilder.engine.catalogue import System
from armybuilder.engine.describe import option_cost, size_words
from armybuilder.engine.options import Group, Option
from armybuilder.engine.picks import OptionPick
from armybuilder.engine.roster import Pick
from armybuilder.engine.units import Unit
from armybuilder.loading.unit_fields import FieldPlace, told_at
from armybuilder.sheets.content.printable import one_line, tidy

#: What a card's line says of its boxes: "(1 box)", "(range 5; 2 boxes)".
_BOXES = re.compile(r"\s*\((\d+) box(?:es)?\)|; (\d+) box(?:es)?(?=\))")
_MOST = 10


def boxed(line: str) -> tuple[str, int]:
    """Return a card's line without its words of boxes, and how many to draw (recharges: one)."""
    found = _BOXES.search(line)
    if found is None:
        return line, int("recharge" in line.casefold())
    number = min(int(found[1] or found[2]), _MOST)
    return line[: found.start()] + line[found.end() :], number


def price_words(unit: Unit) -> str:
    """Return what the least of it costs: "180 points, 9 for each model above 20"."""
    if unit.price.start is None:
        return "?"
    if unit.size is None or not unit.price.extra:
        points = unit.price.start
        return ngettext("{points} point", "{points} points", points).format(points=points)
    return _("{points} points, {extra} for each model above {size}").format(
        points=unit.price.start, extra=unit.price.extra, size=unit.price.size
    )


def size_of(unit: Unit) -> str:
    """Return how many models it may have: "20 to 50 models"."""
    least, most = (amount.base for amount in unit.size) if unit.size else (1, 1)
    return size_words(least or 1, most)


def cap_words(unit: Unit) -> str:
    """Return how many of it an army may hold; "" where the book does not limit it."""
    if unit.cap is None:
        return ""
    if unit.cap.one_of_a_kind:
        return _("one of a kind")
    most = unit.cap.number.base
    return "" if most is None else _("0–{most} per army").format(most=most)


def unknown(pick: Pick) -> dict[str, Any]:
    """Return what a sheet says of a unit that the chosen books do not have, by field."""
    own_name, ref = one_line(pick.name), one_line(pick.ref)
    return {
        "id": pick.id,
        "name": own_name or ref,
        "models": pick.models,
        "known": False,
        "unit_name": ref if own_name else "",
        "notes": tidy(pick.notes),
    }


def role_names(pick: Pick, system: System) -> Iterator[str]:
    """Return what its player made of a unit: "General"."""
    return (system.roles[role].name for role in pick.roles)


def unique_words(unit: Unit) -> str:
    """Return by which name it is unique, "Unique: Pat (Champion)"; "" where it is not."""
    if not unit.unique:
        return ""
    same = unit.name.casefold().startswith(unit.unique.casefold())
    title = unit.name[len(unit.unique) :].lstrip(" ,") if same else unit.name
    name = f"{unit.unique} ({title})" if title else unit.unique
    return _("Unique: {name}").format(name=one_line(name))


def option_names(picks: Iterable[OptionPick]) -> Iterator[str]:
    """Return what is taken, and what is taken on that, by name and number."""
    for pick in picks:
        yield pick.option.name if pick.number == 1 else f"{pick.number} × {pick.option.name}"
        yield from option_names(pick.picks)


class StatTable(NamedTuple):
    """Stat lines: `columns` are (short name, name); `rows` (name, values)."""

    columns: tuple[tuple[str, str], ...]
    rows: tuple[tuple[str, tuple[str, ...]], ...]


def stat_table(rows: Sequence[tuple[str, Mapping[str, str]]], system: System) -> StatTable:
    """Return stat lines, each a name and texts by statistic, in columns that one of them fills."""
    columns = [stat for stat in system.stats.values() if any(stat.id in stats for _, stats in rows)]
    return StatTable(
        tuple((stat.short, stat.name) for stat in columns),
        tuple((name, tuple(stats.get(stat.id, "–") for stat in columns)) for name, stats in rows),
    )


def options_of(nodes: Iterable[Option | Group]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Return groups with what is in them and costs: ("Weapons", ("Lance +2", …))."""
    nodes = tuple(nodes)
    for node in nodes:
        if isinstance(node, Group):
            yield node.name, tuple(_names(node.nodes))
    loose = [node for node in nodes if isinstance(node, Option) and not node.given]
    if loose:
        yield _("Options"), tuple(_names(loose))


def _names(nodes: Iterable[Option | Group]) -> Iterator[str]:
    for node in nodes:
        if isinstance(node, Group):
            yield from _names(node.nodes)
        elif not node.given:
            inner = [", ".join(names) for _group, names in options_of(node.offer.nodes) if names]
            cost = option_cost(node) or _("free")
            yield f"{node.name} {cost}" + (f" ({', '.join(inner)})" if inner else "")


#: So many units stand beside each other at most.
MOST = 4


@dataclass(frozen=True, slots=True)
class ComparedWord:
    """Something a unit has; `shared`: all the units have the same."""

    text: str
    shared: bool


@dataclass(frozen=True, slots=True)
class ComparedRow:
    """One thing compared. A cell per unit, each a list of words; `differs`: they are not alike."""

    name: str
    cells: tuple[tuple[ComparedWord, ...], ...]
    differs: bool


@dataclass(frozen=True, slots=True)
class ComparedPart:
    """Rows of one kind under their heading."""

    heading: str
    rows: tuple[ComparedRow, ...]

    @property
    def differs(self) -> bool:
        return any(row.differs for row in self.rows)


@dataclass(frozen=True, slots=True)
class ComparedColumn:
    """A unit compared; `without` is the query string of the comparison without it."""

    unit: Unit
    without: str


@dataclass(frozen=True, slots=True)
class ComparedUnits:
    """What a page compares: `more` were asked for than fit; `offered` are others of these books."""

    units: tuple[Unit, ...]
    columns: tuple[ComparedColumn, ...]
    more: int
    offered: tuple[Unit, ...]


def chosen_units(refs: Iterable[str], units: Mapping[str, Unit]) -> ComparedUnits:
    """Return the units that an address asks for; what is unknown is passed over."""
    known = [units[ref] for ref in dict.fromkeys(refs) if ref in units]
    shown = tuple(known[:MOST])
    columns = tuple(
        ComparedColumn(unit, units_query(other for other in shown if other is not unit))
        for unit in shown
    )
    books = {unit.book for unit in shown}
    offered = (unit for unit in units.values() if not books or unit.book in books)
    free = tuple(unit for unit in offered if unit not in shown) if len(shown) < MOST else ()
    return ComparedUnits(shown, columns, len(known) - len(shown), free)


def units_query(units: Iterable[Unit]) -> str:
    return urlencode([("unit", unit.ref) for unit in units])


def side_by_side(
    units: Sequence[Unit], system: System, points: Sequence[str] = ()
) -> tuple[ComparedPart, ...]:
    """Return what the units are, part by part; `points` are prices in words, else the book's."""
    stats = []
    for stat in system.stats.values():
        cells = [list(dict.fromkeys(_values(unit, stat.id, system))) for unit in units]
        if any(cells):
            stats.append(_row(stat.name, [cell or ["–"] for cell in cells]))
    keywords = (
        [
            *(keyword.name for keyword in unit.keywords),
            *(rule for profile in unit.profiles for rule in profile.rules),
        ]
        for unit in units
    )
    rules = (
        *_lists(_("Abilities"), ([use.label for use in unit.abilities] for unit in units)),
        *_lists(_("Spells"), ([spell.name for spell in unit.spells] for unit in units)),
        *_lists(_("Rules and equipment"), keywords),
    )
    # A row for each group of options, by the name of the group.
    offered = [dict(options_of(unit.offer.nodes)) for unit in units]
    options = [
        _row(name, [groups.get(name, ()) for groups in offered])
        for name in dict.fromkeys(name for groups in offered for name in groups)
    ]
    parts = (
        ComparedPart(_("In short"), tuple(_short(units, system, points))),
        ComparedPart(_("Stats"), tuple(stats)),
        ComparedPart(_("Abilities and rules"), rules),
        ComparedPart(_("Options"), tuple(options)),
    )
    return tuple(part for part in parts if part.rows)


def _short(units: Sequence[Unit], system: System, points: Sequence[str]) -> Iterator[ComparedRow]:
    yield _row(_("Points"), [[text] for text in points or map(price_words, units)])
    if system.sized:
        yield _row(_("Models"), [[size_of(unit)] for unit in units])
        yield from _lists(_("At most"), ([cap_words(unit)] for unit in units))
    for told in told_at(FieldPlace.BESIDE):
        yield from _lists(str(told.label), ([told.words(unit)] for unit in units))
    for attribute in system.attributes.values():
        values = ([*unit.attributes.get(attribute.id, ())] for unit in units)
        yield from _lists(
            attribute.name, ([attribute.values[key] for key in keys] for keys in values)
        )
    yield from _lists(_("Book"), ([unit.book_name] for unit in units))


def _values(unit: Unit, stat: str, system: System) -> Iterator[str]:
    """Return a statistic of a unit; of one with several parts, each with its name."""
    if stat in unit.stats:
        yield system.stats[stat].shown(unit.stats[stat])
    having = [profile for profile in unit.profiles if stat in profile.stats]
    for profile in having:
        value = profile.stats[stat]
        yield f"{profile.name} {value}" if len(having) > 1 else value


def _lists(name: str, cells: Iterable[Iterable[str]]) -> Iterator[ComparedRow]:
    listed = [list(dict.fromkeys(filter(None, cell))) for cell in cells]
    if any(listed):
        yield _row(name, listed)


def _row(name: str, cells: Sequence[Iterable[str]]) -> ComparedRow:
    """Return a row whose words know which of them all the units share."""
    listed = [tuple(dict.fromkeys(cell)) for cell in cells]
    counts = Counter(word for cell in listed for word in cell)
    everywhere = {word for word, number in counts.items() if number == len(listed)}
    words = (tuple(ComparedWord(word, word in everywhere) for word in cell) for cell in listed)
    differs = any(set(cell) != everywhere for cell in listed)
    return ComparedRow(name, tuple(words), differs)
