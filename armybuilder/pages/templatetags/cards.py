"""Stat lines of a unit's card as HTML: a template takes several times as long."""

from math import ceil

from django import template
from django.utils.translation import gettext as _

from armybuilder.engine.catalogue import System
from armybuilder.engine.meanings import is_explained
from armybuilder.html import EMPTY, Html, element, escape, fill, join
from armybuilder.pages.builder.pieces import name_html
from armybuilder.sheets.content.unit_view import StatCell, StatRow, UnitView, Wizard

register = template.Library()

_CELL = '<div class="wide-{wide}"><dt title="{help}">{label}</dt><dd>{value}</dd></div>'
#: How many of the twelve columns a cell takes, by the letters of its label and of its value.
_WIDTHS = ((4, 9, 1), (9, 4, 2), (15, 10, 3), (21, 14, 4), (33, 24, 6))
#: How many of six, where there is little room.
_NARROW = {1: 1, 2: 1, 3: 2, 4: 2, 6: 3, 12: 6}


@register.filter
def known_html(name: str, system: System | str) -> Html:
    """Return a mark of a unit, with its meaning where the game explains it."""
    known = isinstance(system, System) and is_explained(system, name)
    return name_html(name) if known else escape(name)


@register.filter
def named(name: str, linked: bool) -> Html:
    """Return a name, with its meaning on pages that have that below their address."""
    return name_html(name) if linked else escape(name)


@register.filter
def wizard_html(wizard: Wizard, linked: bool) -> Html:
    """Return a wizard's names and spells, each name as `named`."""
    names = (named(name, linked) for name in wizard.names)
    return join([*names, wizard.spells_known], ", ")


@register.filter
def strips(card: UnitView) -> Html:
    """Return the stat lines, each a strip of equal cells; of several each has its name."""
    return join(_strip(row, alone=len(card.rows) == 1) for row in card.rows)


def _strip(row: StatRow, alone: bool) -> Html:
    name = element("span", row.name, class_="hidden") if alone and row.name else row.name
    note = fill(' <span class="muted">{}</span>', row.note) if row.note else EMPTY
    head = name if alone and not note else element("p", name, note, class_="strip-name")
    widths = list(map(_width, row.cells))
    cells = join(
        fill(_CELL, wide=wide, label=cell.label, help=_(cell.help), value=cell.value)
        for cell, wide in zip(row.cells, widths, strict=True)
    )
    narrow = sum(_NARROW[wide] for wide in widths)
    columns = ceil(narrow / ceil(narrow / 6)) if narrow else 0
    return join([head, element("dl", cells, class_=f"stat-strip by-{columns}")])


def _width(cell: StatCell) -> int:
    fitting = (
        columns
        for label, value, columns in _WIDTHS
        if len(cell.label) <= label and len(cell.value) <= value
    )
    return next(fitting, 12)
