"""Up to four units beside each other, row by row, each word of a row known to be shared or not."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from django.utils.translation import gettext as _

from armybuilder.engine.catalogue import System
from armybuilder.engine.units import Unit
from armybuilder.sheets.content.unit_view import UnitView

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
    views: Sequence[UnitView], system: System, points: Sequence[str] = ()
) -> tuple[ComparedPart, ...]:
    """Return what units of books are, part by part; `points` are prices in words, else the book's.

    Rows are those of which some unit says something, in the order in which they are first said.
    """
    parts: dict[str, dict[str, list[list[str]]]] = {}
    for column, view in enumerate(views):
        for heading, name, words in _said(view, system, points[column] if points else view.price):
            row = parts.setdefault(heading, {}).setdefault(name, [[] for _each in views])
            row[column] += filter(None, words)
    rows = {
        heading: tuple(_row(name, cells) for name, cells in said.items() if any(cells))
        for heading, said in parts.items()
    }
    return tuple(ComparedPart(heading, told) for heading, told in rows.items() if told)


def _said(view: UnitView, system: System, price: str) -> Iterator[tuple[str, str, Iterable[str]]]:
    """Yield what a unit says: under which heading, in which row, in which words."""
    short, rules, entry = _("In short"), _("Abilities and rules"), view.entry
    yield short, _("Points"), [price]
    if entry:
        yield short, _("Models"), [entry.size]
        yield short, _("At most"), [entry.cap]
        yield short, _("Heading"), [entry.heading] if entry.heading != view.about else []
    yield short, _("What it is"), view.about.split(" · ")
    yield short, _("Marks"), view.marks
    yield short, _("To fill in"), view.blanks
    yield short, _("Note"), [view.remark]
    yield short, _("Source"), view.source.split(" · ")
    for stat in system.stats.values():
        cells = [(row.name, cell) for row in view.rows for cell in row.cells if cell.id == stat.id]
        several = len(cells) > 1
        values = (f"{name} {cell.value}" if several else cell.value for name, cell in cells)
        yield _("Stats"), stat.name, values
    yield _("Stats"), _("Armour"), [view.armour]
    yield _("Stats"), _("Weapons"), (f"{weapon.label}: {weapon.figures}" for weapon in view.weapons)
    yield _("Stats"), _("Health"), [view.condition]
    yield rules, _("Wizard"), [view.wizard.label] if view.wizard else []
    for heading, uses in view.named:
        yield rules, heading, (use.name for use in uses)
    for part in view.texts:
        yield rules, part.name, part.lines
    for group in entry.groups if entry else ():
        yield _("Options"), group.name, [group.bound, *(option.whole for option in group.options)]


def _row(name: str, cells: Sequence[Iterable[str]]) -> ComparedRow:
    """Return a row whose words know which of them all the units share."""
    listed = [tuple(dict.fromkeys(cell)) for cell in cells]
    counts = Counter(word for cell in listed for word in cell)
    everywhere = {word for word, number in counts.items() if number == len(listed)}
    words = (tuple(ComparedWord(word, word in everywhere) for word in cell) for cell in listed)
    differs = any(set(cell) != everywhere for cell in listed)
    return ComparedRow(name, tuple(words), differs)
