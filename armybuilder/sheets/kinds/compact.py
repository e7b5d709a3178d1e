"""The compact sheet: the whole list in few words, on one page where it can be.

Its letters grow until its pages are full.
"""

from collections.abc import Iterator
from functools import partial
from itertools import groupby

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
        yield from parts.section(_("Units"), map(_card, sheet.cards), room, UNIT)
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


def _card(card: UnitView) -> Flowable:
    about = [WordRun(f"· {text}", FAINT) for text in (card.unit_name, *card.marks) if text]
    return Ruled(_headed(card.title, card.price, *about), *_card_lines(card), gap=1)


def _card_lines(card: UnitView) -> Iterator[Flowable]:
    stats = [
        run
        for stat in card.stats
        for run in (WordRun(stat.label, LABEL), WordRun(stat.value, STRONG, close=True))
    ]
    if stats or not card.known:
        yield Words(*stats, *([] if card.known else [WordRun(card.about, PLAIN)]))
    text = ", ".join((*(option.name for option in card.options), *card.rules))
    if text:
        yield Words(WordRun(text, PLAIN))
    yield from parts.uses("", card.abilities, PLAIN)
    yield from parts.uses(_("Spells"), card.spells, PLAIN)
    for part in card.texts:
        lines = (parts.boxed_line(line, PLAIN) for line in part.lines)
        yield Words(WordRun(part.name, LABEL), *lines)
    yield from parts.health(card)
    if card.blanks:
        yield Words(*(WordRun(f"{name}:\u2002________", PLAIN) for name in card.blanks))
    yield from parts.notes(card.notes, FAINT)


def _army(army: SheetArmy, columns: Columns) -> Iterator[Flowable]:
    costs = {share.name: share for share in army.shares}
    for division in army.divisions:
        share = costs.get(division.title)
        cost = f"{share.points} ({share.per_cent} %)" if share else ""
        title = _headed(division.title.upper(), cost)
        first, *rest = [_unit(unit, columns) for unit in division.units]
        yield Stack(title, first, gap=2)
        yield from rest


def _unit(unit: UnitView, columns: Columns) -> Flowable:
    about = [WordRun(f"· {said}", STRONG) for said in unit.marks]
    about += [WordRun(f"· {said}", FAINT) for said in (unit.unit_name,) if said]
    head = _headed(unit.title, unit.price, *about, tag="H4")
    return Ruled(head, *_unit_lines(unit, columns), gap=1)


def _unit_lines(unit: UnitView, columns: Columns) -> Iterator[Flowable]:
    yield from army_pdf.grid(unit, columns)
    scoring = [WordRun(_("Scoring"), STRONG)] if unit.scoring else []
    boxes = unit.boxes if unit.models == 1 else 0
    health = WordRun("", PLAIN, boxes, mark=unit.mark if boxes else 0)
    # An empty stat line has room for what is not known.
    told = unit.condition and not unit.lacks_stats
    condition = [WordRun(unit.condition, FAINT), health] if told else []
    armour = [WordRun(unit.armour, FAINT)] if unit.armour else []
    if scoring or condition or armour:
        yield Words(*scoring, *armour, *condition)
    taken = [*army_pdf.taken(unit.options, PLAIN)]
    if taken and unit.items:
        taken[-1] = taken[-1]._replace(text=f"{taken[-1].text},")
    taken += army_pdf.taken(unit.items, STRONG)
    if taken:
        yield Words(*taken)
    if unit.rules:
        yield Words(WordRun(", ".join(unit.rules), FAINT))
    if unit.wizard:
        yield Words(WordRun(label(unit.wizard.label), STRONG), WordRun("_" * 24, PLAIN))
    yield from parts.notes(unit.notes, FAINT)
    if not unit.known:
        yield Words(WordRun(unit.remark, PLAIN))
