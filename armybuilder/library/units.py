"""Units with sizes, options and stat lines, as the library's pages tell them."""

from typing import NamedTuple

from django.utils.translation import gettext as _

from armybuilder.engine.catalogue import Book, System
from armybuilder.engine.units import Unit
from armybuilder.loading.unit_fields import remark_words
from armybuilder.sheets.content.unit_words import (
    StatTable,
    cap_words,
    options_of,
    price_words,
    size_of,
    stat_table,
)


class UnitEntry(NamedTuple):
    """A unit: `price`, `size` and `cap` in words, and its options as (group, their names)."""

    unit: Unit
    price: str
    size: str
    cap: str
    keywords: str
    remark: str
    stats: StatTable
    options: tuple[tuple[str, str], ...]


def by_category(book: Book, system: System) -> list[tuple[str, list[UnitEntry]]]:
    """The book's units under the names of their first categories, in the order of the book."""
    grouped: dict[str, list[UnitEntry]] = {name: [] for name in book.categories.values()}
    for unit in book.units.values():
        heading = book.categories[unit.categories[0]] if unit.categories else _("Others")
        grouped.setdefault(heading, []).append(_entry(unit, system))
    return [(heading, entries) for heading, entries in grouped.items() if entries]


def _entry(unit: Unit, system: System) -> UnitEntry:
    return UnitEntry(
        unit,
        price_words(unit),
        size_of(unit),
        cap_words(unit),
        ", ".join(keyword.name for keyword in unit.keywords),
        remark_words(unit),
        stat_table([(one.name, one.stats) for one in unit.profiles], system),
        tuple((group, ", ".join(names)) for group, names in options_of(unit.offer.nodes)),
    )
