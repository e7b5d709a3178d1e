"""The opponent's sheet: the units with what they can do, and what their rules mean; neither notes
nor what matters to the player alone.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

from django.utils.translation import gettext as _
from reportlab.platypus import Flowable

from armybuilder.sheets.content.setup import PageRoom, Setup, left_out
from armybuilder.sheets.content.structure import Sheet
from armybuilder.sheets.drawing import army_pdf
from armybuilder.sheets.kinds import full, parts
from armybuilder.sheets.kinds.filling import filled


def story(sheet: Sheet, setup: Setup, room: PageRoom) -> Sequence[Flowable]:
    """Return the sheet from top to bottom; `room` is that of a later page."""
    setup = replace(setup, notes=False)
    return filled(partial(_parts, left_out(sheet, setup)), setup, room, full.SIZES)


def _parts(sheet: Sheet, scale: float, room: PageRoom) -> Iterator[Flowable]:
    yield parts.title(sheet, room, parts.code_of(sheet, scale))
    yield from parts.findings(sheet, room)
    if sheet.army is not None:
        yield from army_pdf.units(sheet.army, room)
    else:
        yield from parts.section(_("Units"), map(full.card, sheet.cards), room, parts.RULES)
    yield from parts.rules(replace(sheet, reminders=()), room)
