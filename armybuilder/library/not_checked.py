"""What a book has that no verdict judges, by the units it is about."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from armybuilder.engine.catalogue import Book
from armybuilder.engine.conditions import AllOf, AnyOf, Condition, Has
from armybuilder.engine.options import Restriction, nodes_in
from armybuilder.engine.rules import OfTheArmy
from armybuilder.engine.unchecked import REASONS
from armybuilder.engine.units import Unit
from armybuilder.engine.wording import say
from armybuilder.sheets.content.make_judge import About

#: Reasons that are the source's: it leaves open what it asks for.
LEFT_OPEN = ("source", "stat-line")


@dataclass(frozen=True, slots=True)
class NotChecked:
    """A restriction of a unit, or of an option or group called `name` on `units`."""

    restriction: Restriction
    name: str
    units: tuple[Unit, ...]

    @property
    def line(self) -> str:
        """It and why it is not judged; with the option's name where it stands under a unit."""
        return _line(self.restriction, self.name if len(self.units) == 1 else "")

    @property
    def home(self) -> tuple[str, str]:
        """What it stands under: name and ref of its unit, or the name of what several share."""
        if len(self.units) == 1:
            return self.units[0].name, self.units[0].ref
        return f"{self.name} ({', '.join(unit.name for unit in self.units)})", ""


def not_checked(book: Book) -> list[About]:
    """Return what is told as not checked: of the army, of units in the book's order, of what
    several share, and the units of which the book says too little.
    """
    found: dict[tuple[str, str], list[str]] = {
        (_("The whole army"), ""): [_line(one) for one in _of_the_army(book)],
        **{(unit.name, ref): [] for ref, unit in book.units.items()},
    }
    for told in told_in(book):
        found.setdefault(told.home, []).append(told.line)
    abouts = [About(name, ref, tuple(lines)) for (name, ref), lines in found.items() if lines]
    return [*abouts, *_sparse(book)]


def restrictions_of(book: Book) -> list[Restriction]:
    """Return everything that the book has as not checked, each once."""
    return [*_of_the_army(book), *(told.restriction for told in told_in(book))]


def told_in(book: Book) -> list[NotChecked]:
    """Return what units, groups and options have as not checked; what units share, once."""
    found: dict[int, NotChecked] = {}
    for unit in book.units.values():
        for restriction, name in _of_unit(unit):
            if not _concerns(restriction.condition, unit):
                continue
            # A shared option may differ from unit to unit; what is not checked of it is one object.
            before = found.get(id(restriction), NotChecked(restriction, name, ()))
            units = tuple(dict.fromkeys((*before.units, unit)))
            found[id(restriction)] = replace(before, units=units)
    return list(found.values())


def _line(restriction: Restriction, name: str = "") -> str:
    """Return what is asked, and why it is not judged: two sentences."""
    what = restriction.what
    asked = f"{name}: {what}" if name else f"{what[:1].upper()}{what[1:]}"
    return f"{asked}. {say(REASONS[restriction.why])}"


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


def _of_unit(unit: Unit) -> Iterator[tuple[Restriction, str]]:
    yield from ((restriction, "") for restriction in unit.unchecked)
    for node in nodes_in(unit.offer.nodes):
        yield from ((restriction, node.name) for restriction in node.unchecked)


def _sparse(book: Book) -> Iterator[About]:
    units = [unit.name for unit in book.units.values() if unit.sparse]
    if not units:
        return
    number = len(units)
    name = ngettext(
        "{number} unit without its special rules and equipment",
        "{number} units without their special rules and equipment",
        number,
    ).format(number=number)
    told = _(
        "The source does not name them: {units}. Anything that asks for one of them is not checked."
    )
    yield About(name, "", (told.format(units=", ".join(units)),))
