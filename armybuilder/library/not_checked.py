"""What a book has that no verdict judges, by the units it is about."""

from collections.abc import Iterator
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from armybuilder.engine.catalogue import Book
from armybuilder.engine.conditions import AllOf, AnyOf, Condition, Has
from armybuilder.engine.options import Restriction, nodes_in
from armybuilder.engine.rules import OfTheArmy
from armybuilder.engine.unchecked import REASONS
from armybuilder.engine.units import Unit
from armybuilder.engine.wording import say
from armybuilder.sheets.content.make_judge import AboutPart

#: Reasons that are the source's: it leaves open what it asks for.
LEFT_OPEN = ("source", "stat-line")


class NotChecked(NamedTuple):
    """A restriction of a unit, or of an option or group called `name` on `units`."""

    restriction: Restriction
    name: str
    units: tuple[Unit, ...]


def not_checked(book: Book) -> list[AboutPart]:
    """Return what is told as not checked, under what it is about: its name, and a unit's ref.

    First of the army, then of units in the book's order, of what several share (by the name of the
    option), and the units of which the book says too little.
    """
    lines: dict[tuple[str, str], list[str]] = {
        (_("The whole army"), ""): [_line(each) for each in _of_the_army(book)],
        **{(unit.name, ref): [] for ref, unit in book.units.items()},
    }
    for restriction, name, units in not_checked_in(book):
        if len(units) == 1:
            home, line = (units[0].name, units[0].ref), _line(restriction, name)
        else:
            shared = f"{name} ({', '.join(unit.name for unit in units)})"
            home, line = (shared, ""), _line(restriction)
        lines.setdefault(home, []).append(line)
    abouts = [AboutPart(name, ref, tuple(told)) for (name, ref), told in lines.items() if told]
    return [*abouts, *_sparse(book)]


def restrictions_of(book: Book) -> list[Restriction]:
    """Return everything that the book has as not checked, each once."""
    return [*_of_the_army(book), *(each.restriction for each in not_checked_in(book))]


def not_checked_in(book: Book) -> list[NotChecked]:
    """Return what units, groups and options have as not checked; what units share, once."""
    entries: dict[int, NotChecked] = {}
    for unit in book.units.values():
        nodes = [(node.name, node.unchecked) for node in nodes_in(unit.offer.nodes)]
        for name, restrictions in (("", unit.unchecked), *nodes):
            for restriction in restrictions:
                if _concerns(restriction.condition, unit):
                    # A shared option may differ by unit; what is not checked of it is one object.
                    entry = entries.get(id(restriction), NotChecked(restriction, name, ()))
                    units = tuple(dict.fromkeys((*entry.units, unit)))
                    entries[id(restriction)] = entry._replace(units=units)
    return list(entries.values())


def _line(restriction: Restriction, name: str = "") -> str:
    what = restriction.what
    restricted = f"{name}: {what}" if name else f"{what[:1].upper()}{what[1:]}"
    return f"{restricted}. {say(REASONS[restriction.why])}"


def _of_the_army(book: Book) -> list[Restriction]:
    rules = [rule for rule in book.contents().rules if isinstance(rule, OfTheArmy)]
    return [restriction for rule in rules for restriction in rule.restrictions]


def _concerns(condition: Condition | None, unit: Unit) -> bool:
    """Return whether a restriction may be one of the unit: not where it asks for another unit."""
    if isinstance(condition, AllOf):
        return all(_concerns(other, unit) for other in condition.others)
    if isinstance(condition, AnyOf):
        return any(_concerns(other, unit) for other in condition.others)
    if isinstance(condition, Has) and condition.tag.startswith("unit:"):
        return condition.tag in unit.tags
    return True


def _sparse(book: Book) -> Iterator[AboutPart]:
    units = [unit.name for unit in book.units.values() if unit.sparse]
    if units:
        name = ngettext(
            "{number} unit without its special rules and equipment",
            "{number} units without their special rules and equipment",
            len(units),
        ).format(number=len(units))
        told = _(
            "The source does not name them: {units}. Anything that asks for one of them is not "
            "checked."
        )
        yield AboutPart(name, "", (told.format(units=", ".join(units)),))
