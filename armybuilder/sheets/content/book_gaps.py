"""What a book does not say, by units: for those who keep a book or judge by it, not for players."""

from collections.abc import Iterable
from dataclasses import dataclass

from armybuilder.engine.catalogue import Book, Catalogue, Gap
from armybuilder.engine.options import nodes_in
from armybuilder.engine.report import Report
from armybuilder.engine.units import Unit
from armybuilder.engine.wording import say


@dataclass(frozen=True, slots=True)
class About:
    """What is told of a unit, an option or other part of a book; `ref` is the unit's, or ""."""

    name: str
    ref: str
    lines: tuple[str, ...]


def gaps_by_unit(book: Book) -> list[About]:
    """A book's gaps under the names of its units, in the order of the book, then of the others."""
    found: dict[tuple[str, str], list[str]] = {
        (unit.name, ref): [] for ref, unit in book.units.items()
    }
    for gap in book.gaps:
        unit = _unit(gap, book)
        name = unit.name if unit else _name(gap.where, book.units.values()) or gap.where
        found.setdefault((name, unit.ref if unit else ""), []).append(_line(gap, unit))
    return [About(name, ref, tuple(lines)) for (name, ref), lines in found.items() if lines]


def gaps_on_list(catalogue: Catalogue, report: Report) -> list[tuple[str, str]]:
    """Return the gaps about what is on a list, each once with the names of all that it is about."""
    told: dict[str, dict[str, None]] = {}
    for book in catalogue.books:
        units = {line.unit.ref: line.unit for line in report.full.lines}
        options = {taken.option.id for line in report.full.lines for taken in line.loadout.taken}
        for gap in book.gaps:
            unit = _unit(gap, book)
            if unit.ref in units if unit else gap.where in options:
                name = unit.name if unit else _name(gap.where, book.units.values()) or gap.where
                told.setdefault(_line(gap, unit), {})[name] = None
    return [(what, ", ".join(names)) for what, names in told.items()]


def _unit(gap: Gap, book: Book) -> Unit | None:
    """Return the unit that a gap is about; None where that is something else."""
    found = book.units.get(f"{book.id}/{gap.where.partition('/')[0]}")
    return found or next((unit for unit in book.units.values() if unit.name == gap.where), None)


def _line(gap: Gap, unit: Unit | None) -> str:
    """What a gap tells, with the name of what on the unit it is about, if it does not say it."""
    inner = gap.where.partition("/")[2].rpartition("/")[2]
    name = _name(inner, [unit]) if unit and inner else ""
    what = say(gap.what)
    return what if not name or name in what else f"{name}: {what}"


def _name(node_id: str, units: Iterable[Unit]) -> str:
    """Return the name of an option or group of some units by its id; "" where none has it."""
    nodes = (node for unit in units for node in nodes_in(unit.offer.nodes))
    return next((node.name for node in nodes if node.id == node_id), "")
