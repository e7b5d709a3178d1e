"""The quick reference: rules with summary and page, figures, reminders, tables; of the rules of an
army book, which have no summary, the units that have them.
"""

from collections.abc import Iterator

from django.utils.translation import gettext as _
from reportlab.platypus import Flowable

from armybuilder.engine.options import slug
from armybuilder.sheets.content.army import SheetArmy
from armybuilder.sheets.content.setup import PageRoom, Setup, at_table
from armybuilder.sheets.content.structure import Sheet
from armybuilder.sheets.drawing import army_pdf
from armybuilder.sheets.drawing.typeface import Ink
from armybuilder.sheets.drawing.words import Run, Words
from armybuilder.sheets.kinds import parts

#: Least width in points of a column of rules with the units that have them.
_RULE = 160


def story(sheet: Sheet, setup: Setup, room: PageRoom) -> Iterator[Flowable]:
    """Return the reference from top to bottom; `room` is that of a later page."""
    yield parts.title(at_table(sheet, setup), room)
    yield from parts.findings(sheet, room)
    yield from parts.section(_("On game day"), parts.facts(sheet), room, parts.FACTS)
    if sheet.army is not None:
        yield from parts.rules(sheet, room)
        yield from parts.section(_("See the Army Book"), _owners(sheet, sheet.army), room, _RULE)
        yield from army_pdf.for_the_game(sheet, room)
        return
    yield from parts.rules(sheet, room)
    for table in sheet.tables:
        yield parts.table(table, room)


def _owners(sheet: Sheet, army: SheetArmy) -> Iterator[Flowable]:
    """Return each rule that is not explained with the units that have it, one of a name once."""
    explained = {slug(entry.label) for entry in sheet.glossary}
    found: dict[str, list[str]] = {}
    for unit in army.units:
        for rule in unit.rules:
            if slug(rule) not in explained:
                found.setdefault(rule, []).append(unit.name)
    for rule in sorted(found, key=str.casefold):
        names = ", ".join(dict.fromkeys(found[rule]))
        yield Words(Run(rule, parts.STRONG), Run(names, Ink(size=7.4)))
