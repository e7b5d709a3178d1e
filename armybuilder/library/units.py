"""Units as the library's pages tell and find them."""

from collections.abc import Iterator
from typing import NamedTuple

from django.utils.translation import gettext as _

from armybuilder.engine.catalogue import Book, Catalogue, System
from armybuilder.engine.describe import unit_facts
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


#: So many reasons are told for one unit; more would only be read past.
MOST_REASONS = 3


def found_by(unit: Unit, text: str, catalogue: Catalogue) -> tuple[str, ...] | None:
    """Return the rules, options and facts by which a unit matches all words of `text`: () by its
    name alone, None where it does not match.
    """
    name = unit.name.casefold()
    words = [word for word in text.casefold().split() if word not in name]
    if not words:
        return ()
    said = dict.fromkeys(_said(unit, catalogue))
    phrase = " ".join(words)
    whole = [one for one in said if phrase in one.casefold()]
    if whole:
        return tuple(whole[:MOST_REASONS])
    reasons = [next((one for one in said if word in one.casefold()), None) for word in words]
    if None in reasons:
        return None
    return tuple(dict.fromkeys(reason for reason in reasons if reason))


def _said(unit: Unit, catalogue: Catalogue) -> Iterator[str]:
    """Yield everything beside its name that a unit can be found by, the nearest to it first."""
    for use in unit.abilities:
        yield use.label
    for spell in unit.spells:
        yield spell.name
    for keyword in unit.keywords:
        yield keyword.name
    for profile in unit.profiles:
        yield from profile.rules
    for option in unit.offer.options():
        yield option.name
        for keyword in option.keywords:
            yield keyword.name
    if unit.group:
        yield unit.group
    yield from unit_facts(unit, catalogue.system).split(" · ")
