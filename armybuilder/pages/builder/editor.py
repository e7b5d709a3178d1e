"""The editor of the one unit that stands open in a list: size, roles, options, stat lines."""

from collections.abc import Container, Iterable, Iterator
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from armybuilder.engine import Severity
from armybuilder.engine.catalogue import System
from armybuilder.engine.describe import size_words
from armybuilder.engine.lines import Line, size_bounds
from armybuilder.engine.offers import offers
from armybuilder.engine.profiles import StatLine, stat_lines
from armybuilder.engine.report import Report
from armybuilder.engine.roster import Pick
from armybuilder.engine.rulebook import doubts
from armybuilder.engine.vocabulary import Role
from armybuilder.pages.builder.option_views import GroupView, given_names, option_parts
from armybuilder.pages.builder.pieces import RoleButton
from armybuilder.sheets.content.unit_words import StatTable, stat_table

#: Units that can grow by so many models get buttons for several at once.
STRIDE = 5


class SizeStep(NamedTuple):
    """A button of the size: by how many where not by one, to how many models, and its name."""

    label: str
    models: int
    name: str


class SizeView(NamedTuple):
    """How many models a unit has and may have, and buttons for fewer and more of them."""

    models: int
    low: int
    high: int | None
    words: str
    fewer: tuple[SizeStep, ...]
    more: tuple[SizeStep, ...]


class Editor(NamedTuple):
    """Everything about the open unit; `says` are the sentences of what is wrong with it alone."""

    size: SizeView | None
    roles: tuple[RoleButton, ...]
    given: str
    options: GroupView | None
    stats: StatTable
    keywords: str


def make_editor(pick: Pick, report: Report, system: System) -> Editor | None:
    """None: the books do not have the unit."""
    line = report.line(pick.id)
    if line is None:
        return None
    offered = offers(line, report) if line.unit.offer else ()
    options = option_parts(offered, line, system)
    rows = stat_lines(line)
    filled = {stat for row in rows for stat in row.stats}
    return Editor(
        size=size_view(line),
        roles=tuple(role_buttons(pick, line, system)),
        given=", ".join(given_names(offered)),
        options=options if options.parts or options.off else None,
        stats=stat_table([(row.name, _values(row, filled)) for row in rows], system),
        keywords=", ".join(dict.fromkeys(_keywords(line, rows))),
    )


def size_view(line: Line) -> SizeView | None:
    """None where there is nothing to choose and nothing to mend."""
    low, high = size_bounds(line.unit, line)
    models = line.pick.models
    if line.unit.size is None or (low == high == models) or not line.unit.counts:
        return None
    words = size_words(low, high)
    if line.unit.price.extra and not line.unit.price_changes:
        price = line.unit.price
        each = ngettext(
            "{size}, {points} point each above {number}",
            "{size}, {points} points each above {number}",
            price.extra,
        )
        words = each.format(size=words, points=price.extra, number=price.size)
    wide = high is None or high - low >= 2 * STRIDE
    strides = (1, STRIDE) if wide else (1,)
    fewer = [_inside(models - by, low, high) if models > low else models for by in strides]
    full = high is not None and models >= high
    more = [models if full else _inside(models + by, low, high) for by in strides]
    return SizeView(
        models,
        low,
        high,
        words,
        tuple(_steps(strides, fewer, fewer=True))[::-1],
        tuple(_steps(strides, more)),
    )


def _inside(models: int, low: int, high: int | None) -> int:
    return max(low, models if high is None else min(models, high))


def _steps(
    strides: Iterable[int], targets: Iterable[int], fewer: bool = False
) -> Iterator[SizeStep]:
    for stride, target in zip(strides, targets, strict=True):
        if stride == 1:
            yield SizeStep("", target, _("One model fewer") if fewer else _("One model more"))
        else:
            text = _("{number} models fewer") if fewer else _("{number} models more")
            yield SizeStep(str(stride), target, text.format(number=stride))


def role_buttons(pick: Pick, line: Line, system: System) -> Iterator[RoleButton]:
    """Roles the unit may have or has."""
    for role in system.roles.values():
        if role.id in pick.roles or _eligible(role, line, system):
            yield RoleButton(role, role.id in pick.roles)


def _eligible(role: Role, line: Line, system: System) -> bool:
    return Severity.ERROR not in doubts(role.id, line.tags, system)


def _keywords(line: Line, rows: Iterable[StatLine]) -> Iterator[str]:
    """Special rules and equipment of the unit, of what is taken on it and of its parts."""
    own = list(line.unit.keywords)
    for taken in line.loadout.taken:
        own += taken.slot.option.keywords
    for keyword in own:
        if keyword.condition is None or keyword.condition.holds(line.place):
            yield keyword.name
    for row in rows:
        yield from row.rules


def _values(row: StatLine, columns: Container[str]) -> dict[str, str]:
    """Its values as they stand; what could not be added to one is said behind it: "C +1"."""
    values = dict(row.stats)
    for stat, add in row.moved:
        if stat in columns:
            values[stat] = f"{values.get(stat, '–')} {add:+}"
    return values
