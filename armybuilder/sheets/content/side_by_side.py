"""Units of one game beside each other: rows of a table, each saying where the units differ."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from django.utils.translation import gettext as _

from armybuilder.engine.catalogue import System
from armybuilder.engine.units import Unit
from armybuilder.loading.unit_fields import FieldPlace, told_at
from armybuilder.sheets.content.unit_words import cap_words, options_of, price_words, size_of

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
