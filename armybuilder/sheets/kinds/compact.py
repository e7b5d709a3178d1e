"""The compact sheet: the whole list in few words, on one page where it can be.

Its letters grow until its pages are full.
"""

from collections.abc import Iterator
from functools import partial
from itertools import chain, groupby

from django.utils.translation import gettext as _
from reportlab.platypus import Flowable

from armybuilder.engine.wording import label
from armybuilder.sheets.content.setup import PageRoom
from armybuilder.sheets.content.structure import Sheet, SheetArmy
from armybuilder.sheets.content.unit_view import UnitView
from armybuilder.sheets.drawing import army_pdf
from armybuilder.sheets.drawing.army_pdf import Columns, Ruled
from armybuilder.sheets.drawing.blocks import COLUMN_GAP, Across, Stack
from armybuilder.sheets.drawing.tagged import Tag
from armybuilder.sheets.drawing.typeface import BOLD, GREY, Ink
from armybuilder.sheets.drawing.words import WordRun, Words, small
from armybuilder.sheets.kinds import parts
from armybuilder.sheets.kinds.parts import LABEL

#: Sizes that letters may have, in parts of the set-up's, the largest first.
SIZES = (1.6, 1.5, 1.4, 1.3, 1.2, 1.1, 1.05, 1.0, 0.96, 0.92, 0.88, 0.84, 0.8, 0.77)
#: Least width of a column in points: of skirmish units, of units with stat lines, of
#: figures.
UNIT, BLOCK, FIGURE = 200, 245, 150

NAME = Ink(BOLD, 8.6)
STRONG = Ink(BOLD, 7.6)
PLAIN = Ink(size=7.6)
FAINT = Ink(size=6.8, colour=GREY)


def _parts(sheet: Sheet, scale: float, room: PageRoom) -> Iterator[Flowable]:
    about = [sheet.system, sheet.price, sheet.models, *sheet.editions]
    lines = [
        Words(WordRun(sheet.title, Ink(BOLD, 15)), tag="H1"),
        Words(WordRun(" · ".join(about), Ink(size=7.6))),
    ]
    hints = [sheet.left_out, sheet.army.hint if sheet.army else ""]
    lines += [Words(WordRun(hint, FAINT)) for hint in hints if hint]
    head = parts.head(Stack(*lines), parts.verdicts(sheet), room, parts.code_of(sheet, scale))
    yield Stack(*parts.occasion(sheet, room), head)
    yield from parts.findings(sheet, room)
    army = sheet.army
    if army is None:
        yield from parts.section(
            _("Units"), (_unit(card, None) for card in sheet.cards), room, UNIT
        )
    else:
        width = (room.width + COLUMN_GAP) / parts.columns(room, BLOCK) - COLUMN_GAP
        columns = Columns(army, width * army_pdf.NAMED)
        yield from parts.section(_("Units"), _army(army, columns), room, BLOCK)
    yield from parts.section(_("At the table"), _figures(sheet), room, FIGURE)
    yield from parts.section(_("Notes"), parts.notes(sheet.notes, PLAIN), room)


#: The sheet from top to bottom.
story = partial(parts.shown, _parts, SIZES)


def _figures(sheet: Sheet) -> Iterator[Flowable]:
    said = [
        (gauge.name, WordRun(gauge.said, STRONG), small(gauge.lineup)) for gauge in sheet.gauges
    ]
    said += [(setting.name, WordRun(setting.text, STRONG), small("")) for setting in sheet.settings]
    if said:
        yield Words(*(run for name, *told in said for run in (WordRun(name, LABEL), *told)))
    for name, told in groupby(sheet.facts, lambda fact: fact.name):
        runs = [run for fact in told for run in (WordRun(fact.text, STRONG), small(fact.lineup))]
        yield Words(WordRun(name, LABEL), *runs)


def _headed(name: str, price: str, *after: WordRun, tag: Tag = "H3") -> Flowable:
    """Return the name with what stands behind it, and the points at the right if any."""
    head: Flowable = Words(WordRun(name, NAME), *after, tag=tag)
    return Across((head, Words(WordRun(price, STRONG), right=True)), (1, None)) if price else head


def _army(army: SheetArmy, columns: Columns) -> Iterator[Flowable]:
    costs = {share.name: share for share in army.shares}
    for division in army.divisions:
        share = costs.get(division.title)
        cost = f"{share.points} ({share.per_cent} %)" if share else ""
        title = _headed(division.title.upper(), cost)
        first, *rest = [_unit(unit, columns) for unit in division.units]
        yield Stack(title, first, gap=2)
        yield from rest


def _unit(unit: UnitView, columns: Columns | None) -> Flowable:
    """Return a unit, an army's with its stat lines in columns."""
    about = [WordRun(f"· {mark}", STRONG if unit.sized else FAINT) for mark in unit.marks]
    own_name = [WordRun(f"· {unit.unit_name}", FAINT)] if unit.unit_name else []
    about = [*about, *own_name] if unit.sized else [*own_name, *about]
    head = _headed(unit.title, unit.price, *about, tag="H4" if columns else "H3")
    return Ruled(head, *_unit_lines(unit, columns), gap=1)


def _unit_lines(unit: UnitView, columns: Columns | None) -> Iterator[Flowable]:
    if columns:
        yield from army_pdf.grid(unit, columns)
    elif unit.stats:
        pairs = (
            (WordRun(stat.label, LABEL), WordRun(stat.value, STRONG, close=True))
            for stat in unit.stats
        )
        yield Words(*chain.from_iterable(pairs))
    if not unit.known:
        yield Words(WordRun(unit.remark or unit.about, PLAIN))
    scoring = [WordRun(_("Scoring"), STRONG)] if unit.scoring else []
    boxes = unit.boxes if unit.models == 1 else 0
    health = WordRun("", PLAIN, boxes, mark=unit.mark if boxes else 0)
    # An empty stat line has room for what is not known.
    is_told = unit.sized and unit.condition and not unit.lacks_stats
    condition = [WordRun(unit.condition, FAINT), health] if is_told else []
    armour = [WordRun(unit.armour, FAINT)] if unit.armour else []
    if scoring or condition or armour:
        yield Words(*scoring, *armour, *condition)
    if unit.weapons:
        weapons = "; ".join(f"{label(arm.label)} {arm.figures}" for arm in unit.weapons)
        yield Words(WordRun(weapons, FAINT))
    taken = [*army_pdf.taken(unit.options, PLAIN)]
    if taken and unit.items:
        taken[-1] = taken[-1]._replace(text=f"{taken[-1].text},")
    taken += army_pdf.taken(unit.items, STRONG)
    if taken:
        yield Words(*taken)
    if unit.rules:
        yield Words(WordRun(", ".join(unit.rules), FAINT if unit.sized else PLAIN))
    yield from parts.uses("", unit.abilities, PLAIN)
    yield from parts.uses(_("Spells"), unit.spells, PLAIN)
    for part in unit.texts:
        lines = (parts.boxed_line(line, PLAIN) for line in part.lines)
        yield Words(WordRun(part.name, LABEL), *lines)
    if not unit.sized:
        yield from parts.health(unit)
    if unit.wizard:
        yield Words(WordRun(label(unit.wizard.label), STRONG), WordRun("_" * 24, PLAIN))
    if unit.blanks:
        yield Words(*(WordRun(f"{name}:\u2002________", PLAIN) for name in unit.blanks))
    yield from parts.notes(unit.notes, FAINT)
