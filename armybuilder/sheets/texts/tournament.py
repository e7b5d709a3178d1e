"""Armies as the tournaments of The Ninth Age take them, and their tools read them.

A line for each unit, points first: "865 - High Prince, General, Dragon, Shield (Dusk Forged)". What
is taken on something stands in brackets behind it (Rulebook 22.A). The army's points stand alone on
the last line; nothing else is there.
"""

from collections.abc import Iterator, Sequence

from django.utils.translation import gettext as _

from armybuilder.loading.deadline import checked
from armybuilder.loading.problems import Refusal
from armybuilder.sheets.content.army import TakenLine, UnitBlock
from armybuilder.sheets.content.structure import Sheet


def draw_tournament(sheet: Sheet) -> str:
    """Return an army as such a text. Raises Refusal for what is no army."""
    if sheet.army is None:
        raise Refusal(_("This form is for armies with categories."))
    units = (_line(unit) for unit in checked(sheet.army.units))
    return "\n".join([*sheet.books, *units, str(sheet.spent)]) + "\n"


def _line(unit: UnitBlock) -> str:
    """Return a unit's line; one without points, or without known ones, has a question mark."""
    name = _plain(unit.unit_name or unit.name)
    number = f"{unit.models} " if unit.models > 1 and unit.counts else ""
    return f"{unit.price or '?'} - " + ", ".join((number + name, *_taken(unit)))


def _taken(unit: UnitBlock) -> Iterator[str]:
    """Yield roles and options, each with what is taken on it."""
    left = [*unit.chosen, *unit.items]
    there = {one.plain for one in left}
    for mark in unit.marks:
        left = [one for one in left if one.plain != mark]
        yield mark + _carried(mark, left)
    for one in list(left):
        if one not in left or one.on in there:
            continue
        left.remove(one)
        # What every model has, such as a hand weapon, is no option of its own.
        on = f" (on {one.on})" if one.on else _carried(one.plain, left)
        yield _plain(one.plain) + on
        yield from [_plain(one.plain)] * (one.number - 1)
    # What is on something of its own name stands by itself: nothing is dropped.
    yield from (_plain(one.plain) for one in left)
    if unit.wizard and unit.wizard.path:
        yield _plain(unit.wizard.path)


def _carried(name: str, left: list[TakenLine]) -> str:
    """Return what is on something, in brackets, and take it out of what is left."""
    on = [one for one in left if one.on == name]
    for one in on:
        left.remove(one)
    told = [said for one in on for said in _times(one, left)]
    return f" ({', '.join(told)})" if told else ""


def _times(one: TakenLine, left: list[TakenLine]) -> Sequence[str]:
    """Return a thing as often as it is there; what is on it stands beside it: no bracket is in
    another.
    """
    inner = _carried(one.plain, left)[2:-1]
    return [*[_plain(one.plain)] * one.number, *([inner] if inner else [])]


def _plain(name: str) -> str:
    """Return a name without commas, which part things here."""
    return name.replace(",", "")
