"""The parts of a PDF that an army of units has: its categories, its units, its tables."""

from collections.abc import Iterator, Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from reportlab.platypus import Flowable

from armybuilder.engine.vocabulary import Table
from armybuilder.sheets.content.army import CategoryShare, SheetArmy, TakenLine, UnitBlock
from armybuilder.sheets.content.setup import PageRoom
from armybuilder.sheets.content.structure import Sheet
from armybuilder.sheets.drawing.army_blocks import Columns, Lowest, Pennant, Ruled, State, StatGrid
from armybuilder.sheets.drawing.blocks import COLUMN_GAP, Across, Stack
from armybuilder.sheets.drawing.blocks import shares as shares_of
from armybuilder.sheets.drawing.sections import PdfSection
from armybuilder.sheets.drawing.typeface import BLACK, BOLD, GREY, Ink
from armybuilder.sheets.drawing.words import Run, Words, small

SMALL = Ink(size=7.4)
FAINT = Ink(size=7, colour=GREY)
LABEL = Ink(size=6.6, colour=GREY)
STRONG = Ink(BOLD, 7.6)
TITLE = Ink(BOLD, 10)
#: Shares of the width: stat lines, and what was chosen beside them.
HALVES = (0.57, 0.43)
#: Least width in points in which these stand beside each other, and least width of a unit.
BESIDE, UNIT = 400, 340
SHARES = (0.27, 0.12, 0.12, 0.32, 0.17)
#: Share of a unit's width that its statistics take at most; the rest is for the names of its lines.
NAMED = 0.72


def categories(army: SheetArmy) -> Flowable:
    """Return the table of categories, with the army as its last row and what is left below."""
    rows = [_share(share, Ink(size=8)) for share in army.shares]
    left = []
    if army.left is not None:
        words = ngettext("{number} point left", "{number} points left", army.left)
        if army.left < 0:
            words = ngettext("{number} point over", "{number} points over", -army.left)
        left = [Words(Run(words.format(number=abs(army.left)), STRONG))]
    table = Stack(_heads(), *rows, _share(army.total, Ink(BOLD, 8)), gap=1.6, tag="Table")
    return Stack(table, *left, gap=1.6)


def numbers(sheet: Sheet) -> Iterator[Flowable]:
    """Gauges beside the categories, settings and game-day facts, a paragraph each."""
    for gauge in sheet.gauges:
        yield Words(Run(gauge.name, LABEL), Run(gauge.said, STRONG))
    for setting in sheet.settings:
        yield Words(Run(setting.name, LABEL), Run(setting.text, STRONG))
    for fact in sheet.facts:
        note = [Run(fact.note, Ink(size=7))] if fact.note else []
        yield Words(Run(fact.name, LABEL), Run(fact.text, STRONG), *note, small(fact.citation))


def _heads() -> Flowable:
    names = (_("Category"), _("Points"), _("Per cent"), _("Limit"), "")
    right = (False, True, True, False, False)
    cells = [Words(Run(name, LABEL), right=flush) for name, flush in zip(names, right, strict=True)]
    return Across(cells, SHARES, row="heads")


def _share(share: CategoryShare, ink: Ink) -> Flowable:
    cells: list[Flowable] = [
        Words(Run(share.name, ink)),
        Words(Run(str(share.points), ink), right=True),
        Words(Run(share.per_cent, ink), right=True),
        Words(Run(share.bound, SMALL)),
        State(share.state_word, share.ok),
    ]
    return Across(cells, SHARES, row="values")


def units(army: SheetArmy, room: PageRoom) -> Iterator[Flowable]:
    """A section per category, its units whole; on a wide page they stand beside each other."""
    number = max(1, int(room.width / UNIT))
    width = (room.width - COLUMN_GAP * (number - 1)) / number
    lay = _wide_unit if width >= BESIDE else _narrow_unit
    columns = Columns(army, min(Columns.ROOM, width * NAMED))
    for division in army.divisions:
        blocks = [lay(unit, columns) for unit in division.units]
        yield PdfSection(division.title, blocks, room.height, number)


def _wide_unit(unit: UnitBlock, columns: Columns) -> Flowable:
    """Return a unit, its rules below everything or beside the stat lines, whichever is lower."""
    layouts = []
    for beside in (True, False):
        side, foot = (_rules(unit), ()) if beside else ((), _rules(unit))
        body = _body(unit, columns, (*_chosen(unit), *side))
        layouts.append(Ruled(_head(unit), *body, *foot, *_foot(unit), gap=2))
    return Lowest(*layouts)


def _narrow_unit(unit: UnitBlock, columns: Columns) -> Flowable:
    """Return a unit with everything below each other."""
    below = (*_stats(unit, columns), *_chosen(unit), *_rules(unit), *_foot(unit))
    return Ruled(_head(unit), *below, gap=2)


def _head(unit: UnitBlock) -> Flowable:
    """Name and what marks it, on one line with the points."""
    marks = [Run("· " + " · ".join(unit.marks), STRONG)] if unit.marks else []
    about = [Run(f"· {said}", FAINT) for said in (unit.unit_name, unit.build) if said]
    cells: list[Flowable] = [Words(Run(unit.title, TITLE), *marks, *about, tag="H3")]
    cells += [Pennant()] if unit.scoring else []
    cells.append(Words(Run(unit.price, TITLE), right=True))
    return Across(cells, (1, *(None for _ in cells[1:])))


def _body(unit: UnitBlock, columns: Columns, chosen: Sequence[Flowable]) -> Iterator[Flowable]:
    """Stat lines and health with what was chosen beside them."""
    left = list(_stats(unit, columns))
    if chosen and left:
        yield Across((Stack(*left, gap=2), Stack(*chosen, gap=1.2)), HALVES)
    elif left:
        yield Across((Stack(*left, gap=2),), HALVES[:1])
    else:
        yield from chosen


def _stats(unit: UnitBlock, columns: Columns) -> Iterator[Flowable]:
    """Stat lines, what could not be worked out of them, and health."""
    if unit.stats:
        yield StatGrid(unit.stats, columns)
    yield from _stat_notes(unit)
    if unit.armour:
        yield Words(Run(unit.armour, SMALL))
    yield from _condition(unit)


def _stat_notes(unit: UnitBlock) -> Iterator[Flowable]:
    notes = [f"{row.name}: {row.note}" for row in unit.stats if row.note]
    if notes:
        yield Words(Run("; ".join(notes), FAINT))


def _condition(unit: UnitBlock) -> Iterator[Flowable]:
    if unit.condition:
        blank = "\u2002__________" if unit.health is None else ""
        yield Words(
            Run(unit.condition + blank, SMALL), Run("", Ink(size=8), unit.ticks, mark=unit.mark)
        )


def _chosen(unit: UnitBlock) -> Iterator[Flowable]:
    """Options, special items told apart by their label and weight, and what is always there."""
    if unit.chosen:
        yield Words(*taken(unit.chosen, Ink(size=8)))
    if unit.items:
        yield Words(Run(_("Items"), LABEL), *taken(unit.items, Ink(BOLD, 8)))
    if unit.given:
        yield Words(Run(_("comes with {names}").format(names=", ".join(unit.given)), FAINT))


def taken(options: Sequence[TakenLine], ink: Ink) -> Iterator[Run]:
    """Names with their points behind them in grey."""
    for number, option in enumerate(options, 1):
        comma = "" if number == len(options) else ","
        yield Run(option.name + ("" if option.points else comma), ink)
        if option.points:
            yield Run(f"{option.points}{comma}", Ink(size=ink.size, colour=GREY), close=True)


def _rules(unit: UnitBlock) -> list[Flowable]:
    if not unit.rules:
        return []
    return [Words(Run(_("Rules"), LABEL), Run(", ".join(unit.rules), Ink(size=7)))]


def _foot(unit: UnitBlock) -> Iterator[Flowable]:
    """Lines for a wizard's spells, and what was noted."""
    if unit.wizard:
        wizard = unit.wizard
        open_path = _("{wizard}, path {line}").format(wizard=wizard.label, line="_" * 12)
        kind = open_path if wizard.asks_path else wizard.label
        lines = [Run("\u2002" + "_" * 18, Ink(size=8)) for _ in range(wizard.spells)]
        yield Words(Run(kind + ":", STRONG), *lines)
    for line in filter(None, unit.notes.split("\n")):
        yield Words(Run(line, SMALL))
    if unit.remark:
        yield Words(Run(unit.remark, FAINT if unit.known else Ink(size=7.4, colour=BLACK)))


def for_the_game(sheet: Sheet, room: PageRoom) -> list[PdfSection]:
    """Return the reference tables below each other; none where the system has none."""
    blocks = [table(drawn, room.width) for drawn in sheet.tables]
    return [PdfSection(_("For the game"), blocks, room.height)] if blocks else []


def table(drawn: Table, width: float) -> Flowable:
    """Return a reference table under its name, on its side where lower in `width` points."""
    title = Words(Run(drawn.name, STRONG), small(str(drawn.citation)))
    upright = [drawn.columns, *drawn.rows]
    lying = list(zip(*upright, strict=True))
    laid = [
        Stack(title, Stack(*_rows(rows, width), gap=1, tag="Table"), gap=1)
        for rows in (lying, upright)
    ]
    whole = [
        stack
        for stack, rows in zip(laid, (lying, upright), strict=True)
        if shares_of(rows, width, SMALL)
    ]
    return Lowest(*(whole or laid))


def _rows(rows: Sequence[Sequence[str]], width: float) -> Iterator[Flowable]:
    """Rows of a table, columns as wide as what they hold."""
    shares = shares_of(rows, width, SMALL) or [1 / len(rows[0])] * len(rows[0])
    for number, row in enumerate(rows):
        cells = [Words(Run(text, SMALL)) for text in row]
        yield Across(cells, shares, row="values" if number else "heads")
