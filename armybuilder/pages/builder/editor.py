"""The editor of the one unit that stands open in a list: size, roles, options, stat lines."""

from collections.abc import Iterable, Iterator
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
from armybuilder.engine.units import Unit
from armybuilder.engine.vocabulary import Role
from armybuilder.loading.armylist import ListCard, ListUnit
from armybuilder.pages.builder.options import GroupView, Part, given_names, option_parts
from armybuilder.sheets.content.unit_words import StatTable, stat_table

#: Units that can grow by so many models get buttons for several at once.
STRIDE = 5


class SizeStep(NamedTuple):
    """A button of the size: its label, to how many models, its name, and the act."""

    label: str
    models: int
    name: str
    act: str


class SizeView(NamedTuple):
    """How many models a unit has and may have; `top`, if many steps away, is the most."""

    models: int
    low: int
    high: int | None
    words: str
    fewer: tuple[SizeStep, ...]
    more: tuple[SizeStep, ...]
    top: int | None = None


class RoleButton(NamedTuple):
    role: Role
    held: bool


class BlankField(NamedTuple):
    """A field of a card the player fills in; `choices` (id, name) where it is not a number."""

    name: str
    label: str
    value: str
    choices: tuple[tuple[str, str], ...]


class Editor(NamedTuple):
    """What can be chosen for the open unit, and what that makes of it."""

    size: SizeView | None
    roles: tuple[RoleButton, ...]
    head: tuple[Part, ...]
    given: str
    options: GroupView | None
    stats: StatTable
    keywords: str


class UnitPane(NamedTuple):
    """The open unit. `own_name` is the player's, or ""; `points` "?" where unknown.

    `says` are the (severity, sentence) of what is wrong with it alone, `TO_DO` for what must still
    come; `before` and `after` the addresses of the units beside it, `first` and `last` whether it
    cannot be moved there; `own`: the player made its kind. `editor` is None where the books lack
    it.
    """

    id: str
    name: str
    own_name: str
    unit_name: str
    notes: str
    points: str
    says: tuple[tuple[str, str], ...]
    before: str
    after: str
    first: bool
    last: bool
    editor: Editor | None
    blanks: tuple[BlankField, ...]
    own: bool
    remark: str


def make_editor(pick: Pick, report: Report, system: System) -> Editor | None:
    """Return what can be chosen for a unit; None where the books do not have it."""
    line = report.line(pick.id)
    if line is None:
        return None
    offered = offers(line, report) if line.unit.offer else ()
    head, others = option_parts(offered, line, system)
    rows = stat_lines(line)
    filled = {stat for row in rows for stat in row.stats}
    table = []
    for row in rows:
        values = dict(row.stats)
        # What could not be added to a value is said behind it: "C +1".
        for stat, add in row.moved:
            if stat in filled:
                values[stat] = f"{values.get(stat, '–')} {add:+}"
        table.append((row.name, values))
    roles = (
        RoleButton(role, role.id in pick.roles)
        for role in system.roles.values()
        if role.id in pick.roles or Severity.ERROR not in doubts(role.id, line.tags, system)
    )
    return Editor(
        size=size_view(line),
        roles=tuple(roles),
        head=head,
        given=", ".join(given_names(offered)),
        options=others if others.parts or others.off else None,
        stats=stat_table(table, system),
        keywords=", ".join(dict.fromkeys(_keywords(line, rows))),
    )


def blank_fields(entry: ListUnit, unit: Unit | None, system: System) -> Iterator[BlankField]:
    """Yield fields for what the book leaves open, also where the player has filled them."""
    card = entry.card or ListCard()
    points = "" if card.points is None else card.points
    filled = {"attributes": card.attributes, "ratings": card.ratings}
    for blank in unit.blanks if unit else ():
        kind, __, key = blank.field.partition(".")
        value = filled[kind].get(key, "") if key else points
        choices: tuple[tuple[str, str], ...] = ()
        if kind == "attributes":
            choices = tuple(system.attributes[key].values.items())
        yield BlankField(blank.field, blank.name, str(value), choices)


def size_view(line: Line) -> SizeView | None:
    """Return a unit's size; None where there is nothing to choose and nothing to mend."""
    models = line.pick.models
    if line.unit.size is None and line.unit.counts:
        # An entry of a game that bounds it by its other rules alone.
        fewer = tuple(_steps(models, (1,), [max(1, models - 1)], fewer=True))
        return SizeView(models, 1, None, "", fewer, tuple(_steps(models, (1,), [models + 1])))
    low, high = size_bounds(line.unit, line)
    if line.unit.size is None or (low == high == models) or not line.unit.counts:
        return None
    words, price = size_words(low, high), line.unit.price
    if price.extra and not line.unit.price_changes:
        words = ngettext(
            "{size}, {points} point each above {number}",
            "{size}, {points} points each above {number}",
            price.extra,
        ).format(size=words, points=price.extra, number=price.size)

    def inside(number: int) -> int:
        return max(low, number if high is None else min(number, high))

    wide = high is None or high - low >= 2 * STRIDE
    strides = (1, STRIDE) if wide else (1,)
    less = [inside(models - by) if models > low else models for by in strides]
    full = high is not None and models >= high
    more = [models if full else inside(models + by) for by in strides]
    return SizeView(
        models,
        low,
        high,
        words,
        tuple(_steps(models, strides, less, fewer=True))[::-1],
        tuple(_steps(models, strides, more)),
        high if wide else None,
    )


def _steps(
    models: int, strides: Iterable[int], targets: Iterable[int], fewer: bool = False
) -> Iterator[SizeStep]:
    """Yield the buttons; by one is a step from whatever the size is by then."""
    for stride, target in zip(strides, targets, strict=True):
        if stride == 1:
            # A size outside the book's goes to the nearest inside.
            near = abs(target - models) == 1
            act = ("fewer" if fewer else "more") if near else f"models:{target}"
            yield SizeStep("", target, _("One model fewer") if fewer else _("One model more"), act)
        else:
            text = _("{number} models fewer") if fewer else _("{number} models more")
            act = f"step:{-stride if fewer else stride}"
            yield SizeStep(str(stride), target, text.format(number=stride), act)


def _keywords(line: Line, rows: Iterable[StatLine]) -> Iterator[str]:
    keywords = list(line.unit.keywords)
    for taken in line.loadout.taken:
        keywords += taken.slot.option.keywords
    for keyword in keywords:
        if keyword.condition is None or keyword.condition.holds(line.place):
            yield keyword.name
    for row in rows:
        yield from row.rules
