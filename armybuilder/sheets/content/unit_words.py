"""A unit in words: its price, its size and its options as the book has them; its stat lines."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from armybuilder.engine.catalogue import System
from armybuilder.engine.describe import option_cost, size_words
from armybuilder.engine.options import Group, Option
from armybuilder.engine.picks import OptionPick
from armybuilder.engine.roster import Pick
from armybuilder.engine.units import Unit
from armybuilder.sheets.content.printable import one_line

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
