"""The numbers that a sheet shows as pictures: where the points go, and command given and needed."""

from collections import Counter
from collections.abc import Iterable, Iterator

from django.utils.translation import gettext as _

from armybuilder.engine import Report
from armybuilder.engine.catalogue import Catalogue
from armybuilder.engine.lines import Line
from armybuilder.engine.tally import Tally, setting_points
from armybuilder.engine.terms import COMMAND, Part, Term
from armybuilder.engine.units import Unit
from armybuilder.sheets.content.printable import one_line
from armybuilder.sheets.content.structure import Command, Portion


def portions(report: Report, catalogue: Catalogue) -> tuple[Portion, ...]:
    """What the list's points were spent on, the most first: by category or group where there are
    several, else by entry. What costs nothing is left out.
    """
    lines = report.full.lines
    groups = {line.pick.id: _group(line.unit, catalogue) for line in lines}
    by_group = len(set(groups.values())) > 1
    points: Counter[str] = Counter()
    for line in lines:
        points[groups[line.pick.id] if by_group else _name(line)] += line.points
    spent = setting_points(report.full.roster, report.full.system)
    points.update({setting.name: number for setting, number in spent})
    return tuple(Portion(name, number) for name, number in points.most_common() if number > 0)


def _group(unit: Unit, catalogue: Catalogue) -> str:
    """What the game sorts the unit under: its category, its faction, or its group in the book."""
    if unit.categories:
        names = (book.categories.get(unit.categories[0], "") for book in catalogue.books)
        return next(filter(None, names), unit.categories[0])
    factions = unit.attributes.get("faction", ())
    attribute = catalogue.system.attributes.get("faction")
    if attribute and factions:
        return " / ".join(attribute.values[faction] for faction in factions)
    return unit.group or (_("Your own") if unit.own else _("Others"))


def _name(line: Line) -> str:
    name = one_line(line.name) or _("Unnamed")
    return f"{line.models} × {name}" if line.models > 1 else name


def commands(report: Report) -> Iterator[Command]:
    """Command given and needed, for each line-up in which it differs; nothing where the game has
    no command capacity, or nothing on the list gives or needs any.
    """
    for rule in report.system.rules:
        if not rule.commands or not rule.head.applies(report.full.roster.settings):
            continue
        tallies = report.tallies if rule.head.each_lineup else report.tallies[:1]
        drawn = [
            _command(term, tally)
            for tally in tallies
            for term in rule.terms(tally)
            if term.count == COMMAND
        ]
        if len({command._replace(lineup="") for command in drawn}) == 1:
            drawn = [drawn[0]._replace(lineup="")]
        yield from (command for command in drawn if command.given or command.needed)


def _command(term: Term, tally: Tally) -> Command:
    return Command(tally.lineup, _amounts(term.against), _amounts(term.parts))


def _amounts(parts: Iterable[Part]) -> tuple[Portion, ...]:
    return _portions((_name(part.line), part.amount) for part in parts if part.line is not None)


def _portions(parts: Iterable[tuple[str, int]]) -> tuple[Portion, ...]:
    return tuple(Portion(name, number) for name, number in parts if number > 0)
