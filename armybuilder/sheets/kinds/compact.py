"""The compact sheet: the whole list in few words, on one page where it can be.

Its letters grow until its pages are full.
"""

from collections.abc import Iterator
from functools import partial
from itertools import chain

from django.utils.translation import gettext as _
from reportlab.platypus import Flowable

from armybuilder.sheets.content.setup import PageRoom
from armybuilder.sheets.content.structure import Sheet
from armybuilder.sheets.content.unit_view import UnitView
from armybuilder.sheets.drawing import army_pdf
from armybuilder.sheets.drawing.army_pdf import Ruled, priced
from armybuilder.sheets.drawing.typeface import BOLD, FAINT, LABEL, SMALL, STRONG, Ink
from armybuilder.sheets.drawing.words import WordRun, Words
from armybuilder.sheets.kinds import parts

#: Sizes that letters may have, in parts of the set-up's, the largest first.
SIZES = (1.6, 1.5, 1.4, 1.3, 1.2, 1.1, 1.05, 1.0, 0.96, 0.92, 0.88, 0.84, 0.8, 0.77)
#: Least widths of columns on a skirmish in points: of units, of figures.
UNIT, FIGURE = 200, 150

NAME = Ink(BOLD, 8.6)


def _parts(sheet: Sheet, scale: float, room: PageRoom) -> Iterator[Flowable]:
    yield parts.title(sheet, room, parts.code_of(sheet, scale), brief=True)
    yield from parts.findings(sheet, room)
    army = sheet.army
    if army is None:
        yield from parts.section(_("Units"), map(_unit, sheet.cards), room, UNIT)
    else:
        yield from army_pdf.units(army, room)
    least = 0 if army else FIGURE
    yield from parts.section(_("At the table"), parts.figures(sheet), room, least)
    yield from parts.section(_("Notes"), parts.notes(sheet.notes, SMALL), room)


#: The sheet from top to bottom.
story = partial(parts.shown, _parts, sizes=SIZES)


def _unit(unit: UnitView) -> Flowable:
    texts = (unit.unit_name, *unit.marks)
    about = (WordRun(f"· {text}", FAINT) for text in texts if text)
    name = Words(WordRun(unit.title, NAME), *about, tag="H3")
    return Ruled(priced(name, unit.price), *_unit_lines(unit), gap=1)


def _unit_lines(unit: UnitView) -> Iterator[Flowable]:
    if unit.stats:
        pairs = (
            (WordRun(stat.label, LABEL), WordRun(stat.value, STRONG, close=True))
            for stat in unit.stats
        )
        yield Words(*chain.from_iterable(pairs))
    if not unit.known:
        yield Words(WordRun(unit.remark or unit.about, SMALL))
    yield from parts.powers(unit, SMALL, brief=True)
