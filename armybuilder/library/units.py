"""Units with sizes, options and stat lines, as the library's pages tell them."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from armybuilder.engine.catalogue import Book, System, Unit
from armybuilder.engine.describe import option_cost, size_words
from armybuilder.engine.options import Group, Option


class StatTable(NamedTuple):
    """Stat lines: `columns` are (short name, name); `rows` (name, values)."""

    columns: tuple[tuple[str, str], ...]
    rows: tuple[tuple[str, tuple[str, ...]], ...]


class UnitEntry(NamedTuple):
    """A unit: `price`, `size` and `cap` in words, and its options as (group, their names)."""

    unit: Unit
    price: str
    size: str
    cap: str
    keywords: str
    stats: StatTable
    options: tuple[tuple[str, str], ...]


def by_category(book: Book, system: System) -> list[tuple[str, list[UnitEntry]]]:
    """The book's units under the names of their first categories, in the order of the book."""
    grouped: dict[str, list[UnitEntry]] = {name: [] for name in book.categories.values()}
    for unit in book.units.values():
        heading = book.categories[unit.categories[0]] if unit.categories else "Others"
        grouped.setdefault(heading, []).append(_entry(unit, system))
    return [(heading, entries) for heading, entries in grouped.items() if entries]


def _entry(unit: Unit, system: System) -> UnitEntry:
    cap = unit.cap.number.base if unit.cap is not None else None
    once = unit.cap is not None and unit.cap.one_of_a_kind
    return UnitEntry(
        unit,
        _price(unit),
        _size(unit),
        "one of a kind" if once else f"0–{cap} per army" if cap is not None else "",
        ", ".join(keyword.name for keyword in unit.keywords),
        _stats(unit, system),
        tuple(_options(unit.offer.nodes)),
    )


def _price(unit: Unit) -> str:
    extra = unit.price.extra
    each = f", {extra} for each model above {unit.price.size}" if extra else ""
    return f"{unit.price.start} points{each}"


def _size(unit: Unit) -> str:
    least, most = (amount.base for amount in unit.size) if unit.size else (1, 1)
    return size_words(least or 1, most)


def _stats(unit: Unit, system: System) -> StatTable:
    profiles = unit.profiles
    stats = [
        stat for stat in system.stats.values() if any(stat.id in one.stats for one in profiles)
    ]
    rows = (
        (one.name, tuple(str(one.stats.get(stat.id, "–")) for stat in stats)) for one in profiles
    )
    return StatTable(tuple((stat.short, stat.name) for stat in stats), tuple(rows))


def _options(nodes: Iterable[Option | Group]) -> Iterator[tuple[str, str]]:
    """Groups with the names of what is in them; options outside of groups stand together."""
    nodes = tuple(nodes)
    for node in nodes:
        if isinstance(node, Group):
            yield node.name, ", ".join(_names(node.nodes))
    loose = [node for node in nodes if isinstance(node, Option) and not node.given]
    if loose:
        yield "Options", ", ".join(_names(loose))


def _names(nodes: Iterable[Option | Group]) -> Iterator[str]:
    for node in nodes:
        if isinstance(node, Group):
            yield from _names(node.nodes)
        elif not node.given:
            inner = [name for _, name in _options(node.offer.nodes) if name]
            yield f"{node.name} {option_cost(node) or 'free'}" + (
                f" ({', '.join(inner)})" if inner else ""
            )
