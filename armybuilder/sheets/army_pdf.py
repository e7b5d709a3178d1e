"""The parts of a PDF that an army of units has: its categories, its units, its tables."""

from collections.abc import Iterator, Sequence

from reportlab.platypus import Flowable

from armybuilder.engine.catalogue import Table
from armybuilder.sheets.army import Army, Share, Taken, UnitBlock
from armybuilder.sheets.army_blocks import Columns, Lowest, Pennant, Ruled, State, StatGrid
from armybuilder.sheets.blocks import Across, Section, Stack
from armybuilder.sheets.structure import Sheet
from armybuilder.sheets.typeface import BLACK, BOLD, GREY, Ink
from armybuilder.sheets.words import Run, Words, small

SMALL = Ink(size=7.4)
FAINT = Ink(size=7, colour=GREY)
LABEL = Ink(size=6.6, colour=GREY)
STRONG = Ink(BOLD, 7.6)
TITLE = Ink(BOLD, 10)
#: Shares of the width: stat lines, and what was chosen beside them.
HALVES = (0.57, 0.43)
SHARES = (0.27, 0.12, 0.12, 0.32, 0.17)


def categories(army: Army) -> Flowable:
    """The table of categories, with the army as its last row and what is left below."""
    rows = [_share(share, Ink(size=8)) for share in army.shares]
    left = []
    if army.left is not None:
        words = f"{army.left} points left" if army.left >= 0 else f"{-army.left} points too many"
        left = [Words(Run(words, STRONG))]
    return Stack(_heads(), *rows, _share(army.total, Ink(BOLD, 8)), *left, gap=3.2)


def numbers(sheet: Sheet) -> Iterator[Flowable]:
    """Gauges beside the categories, settings and game-day facts, a paragraph each."""
    for gauge in sheet.gauges:
        text = gauge.text if gauge.ok else f"{gauge.text} (not met)"
        yield Words(Run(gauge.name, LABEL), Run(text, STRONG))
    for setting in sheet.settings:
        yield Words(Run(setting.name, LABEL), Run(setting.text, STRONG))
    for fact in sheet.facts:
        note = [Run(fact.note, Ink(size=7))] if fact.note else []
        yield Words(Run(fact.name, LABEL), Run(fact.text, STRONG), *note, small(fact.citation))


def _heads() -> Flowable:
    names = ("Category", "Points", "Per cent", "Bound", "")
    right = (False, True, True, False, False)
    cells = [Words(Run(name, LABEL), right=flush) for name, flush in zip(names, right, strict=True)]
    return Across(cells, SHARES)


def _share(share: Share, ink: Ink) -> Flowable:
    cells: list[Flowable] = [
        Words(Run(share.name, ink)),
        Words(Run(str(share.points), ink), right=True),
        Words(Run(share.per_cent, ink), right=True),
        Words(Run(share.bound, SMALL)),
        State(share.state),
    ]
    return Across(cells, SHARES)


def units(army: Army, page: float) -> Iterator[Flowable]:
    """A section per category, its units whole."""
    columns = Columns(army)
    for division in army.divisions:
        yield Section(division.title, [_unit(unit, columns) for unit in division.units], page)


def _unit(unit: UnitBlock, columns: Columns) -> Flowable:
    """A unit, its rules below everything or beside the stat lines, whichever is lower."""
    layouts = []
    for beside in (True, False):
        side, foot = (_rules(unit), ()) if beside else ((), _rules(unit))
        body = _body(unit, columns, (*_chosen(unit), *side))
        layouts.append(Ruled(_head(unit), *body, *foot, *_foot(unit), gap=2))
    return Lowest(*layouts)


def _head(unit: UnitBlock) -> Flowable:
    """Name and what marks it, on one line with the points."""
    marks = [Run("· " + " · ".join(unit.marks), STRONG)] if unit.marks else []
    about = [Run(f"· {said}", FAINT) for said in (unit.unit_name, unit.build) if said]
    cells: list[Flowable] = [Words(Run(unit.title, TITLE), *marks, *about)]
    cells += [Pennant()] if unit.scoring else []
    cells.append(Words(Run(unit.price, TITLE), right=True))
    return Across(cells, (1, *(None for _ in cells[1:])))


def _body(unit: UnitBlock, columns: Columns, chosen: Sequence[Flowable]) -> Iterator[Flowable]:
    """Stat lines and health with what was chosen beside them."""
    grid = [StatGrid(unit.stats, columns)] if unit.stats else []
    left = [*grid, *_stat_notes(unit), *_condition(unit)]
    if chosen and left:
        yield Across((Stack(*left, gap=2), Stack(*chosen, gap=1.2)), HALVES)
    elif left:
        yield Across((Stack(*left, gap=2),), HALVES[:1])
    else:
        yield from chosen


def _stat_notes(unit: UnitBlock) -> Iterator[Flowable]:
    notes = [f"{row.name}: {row.note}" for row in unit.stats if row.note]
    if notes:
        yield Words(Run("; ".join(notes), FAINT))


def _condition(unit: UnitBlock) -> Iterator[Flowable]:
    if unit.condition:
        blank = "\u2002__________" if unit.health is None else ""
        yield Words(Run(unit.condition + blank, SMALL), Run("", Ink(size=8.4), unit.ticks))


def _chosen(unit: UnitBlock) -> Iterator[Flowable]:
    """Options, special items told apart by their label and weight, and what is always there."""
    if unit.chosen:
        yield Words(*_taken(unit.chosen, Ink(size=8)))
    if unit.items:
        yield Words(Run("Items", LABEL), *_taken(unit.items, Ink(BOLD, 8)))
    if unit.given:
        yield Words(Run("comes with " + ", ".join(unit.given), FAINT))


def _taken(taken: Sequence[Taken], ink: Ink) -> Iterator[Run]:
    """Names with their points behind them in grey."""
    for number, option in enumerate(taken, 1):
        comma = "" if number == len(taken) else ","
        yield Run(option.name + ("" if option.points else comma), ink)
        if option.points:
            yield Run(f"{option.points}{comma}", Ink(size=ink.size, colour=GREY), close=True)


def _rules(unit: UnitBlock) -> list[Flowable]:
    if not unit.rules:
        return []
    return [Words(Run("Rules", LABEL), Run(", ".join(unit.rules), Ink(size=7)))]


def _foot(unit: UnitBlock) -> Iterator[Flowable]:
    """Lines for a wizard's spells, and what was noted."""
    if unit.wizard:
        wizard = unit.wizard
        kind = wizard.label if wizard.path else f"{wizard.label}, path ____________"
        lines = [Run("\u2002" + "_" * 18, Ink(size=8)) for _ in range(wizard.spells)]
        yield Words(Run(kind + ":", STRONG), *lines)
    for line in filter(None, unit.notes.split("\n")):
        yield Words(Run(line, SMALL))
    if unit.remark:
        yield Words(Run(unit.remark, FAINT if unit.known else Ink(size=7.4, colour=BLACK)))


def table(drawn: Table) -> Flowable:
    """A reference table under its name, laid on its side where that is lower."""
    title = Words(Run(drawn.name, STRONG), small(str(drawn.citation)))
    upright = [drawn.columns, *drawn.rows]
    lying = list(zip(*upright, strict=True))
    return Lowest(*(Stack(title, *_rows(rows), gap=1) for rows in (lying, upright)))


def _rows(rows: Sequence[Sequence[str]]) -> Iterator[Flowable]:
    """Rows of a table, columns as wide as what they hold, within reason."""
    longest = [max(6, min(40, max(map(len, column)))) for column in zip(*rows, strict=True)]
    shares = [length / sum(longest) for length in longest]
    for row in rows:
        yield Across([Words(Run(text, SMALL)) for text in row], shares)
