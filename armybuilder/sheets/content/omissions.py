"""What a print set-up leaves out of a sheet: the points of single units, and the player's notes."""

from collections.abc import Callable
from dataclasses import replace

from django.utils.translation import gettext as _

from armybuilder.sheets.content.army import SheetArmy, TakenLine, UnitBlock
from armybuilder.sheets.content.setup import Setup
from armybuilder.sheets.content.structure import Sheet


def left_out(sheet: Sheet, setup: Setup) -> Sheet:
    """The sheet without what the set-up does not want. Totals, the verdict and what is found stay:
    without them nobody could tell whether the list is legal.
    """
    if not setup.notes:
        cards = tuple(replace(card, notes="") for card in sheet.cards)
        sheet = replace(sheet, notes="", cards=cards, army=_without_notes(sheet.army))
    if not setup.prices:
        cards = tuple(replace(card, priced=False) for card in sheet.cards)
        said = _("The points of single units are left out.")
        sheet = replace(sheet, cards=cards, army=_without_prices(sheet.army), left_out=said)
    return sheet


def _without_notes(army: SheetArmy | None) -> SheetArmy | None:
    return army and _changed(army, lambda unit: replace(unit, notes=""))


def _without_prices(army: SheetArmy | None) -> SheetArmy | None:
    return army and _changed(army, _unpriced)


def _changed(army: SheetArmy, change: Callable[[UnitBlock], UnitBlock]) -> SheetArmy:
    divisions = tuple(
        replace(division, units=tuple(map(change, division.units))) for division in army.divisions
    )
    return replace(army, divisions=divisions)


def _unpriced(unit: UnitBlock) -> UnitBlock:
    chosen, items = (
        tuple(TakenLine(taken.name) for taken in part) for part in (unit.chosen, unit.items)
    )
    return replace(unit, priced=False, chosen=chosen, items=items)
