"""The blocks of a card between its head and its small print."""

from collections.abc import Iterable, Iterator, Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from reportlab.platypus import Flowable

from armybuilder.engine.wording import label
from armybuilder.sheets.cards.card_blocks import TIGHT, CardHeading, Cells, Style, Whole, measured
from armybuilder.sheets.cards.card_pen import BoxRow, CardRoom, Fields, HealthBoxes
from armybuilder.sheets.content.card_face import FEW, MOST_USES, Face, StatBlock
from armybuilder.sheets.content.structure import Lines, StatCell, Uses
from armybuilder.sheets.drawing.typeface import GREY
from armybuilder.sheets.drawing.words import Run, Words

#: A statistic wider than this, in points, stands in a line of its own.
WIDEST = 95.0
#: Letters of a line before a colon that are taken for its name.
LONGEST_LEAD = 40


def body(face: Face, style: Style, named: bool) -> Iterator[Flowable]:
    """The blocks of a face in their order; `named` false: its head has not the whole name."""
    if not named:
        yield _plain(face.title, style, bold=True, size=6.2)
    yield from _about(face, style)
    if face.blank:
        yield from _fields(face.fields, style)
    yield from _stats(face.stats, style, face.blank, large=True)
    for block in face.blocks:
        yield _stat_block(block, style)
    yield from _health(face, style)
    yield from _powers("", face.abilities, style)
    yield from _powers(_("Spells"), face.spells, style)
    yield from _list(face.keywords_name, ", ".join(face.keywords), style)
    for part in face.texts:
        yield from _part(part, style)
    for named_list in face.lists:
        yield from _list(named_list.name, named_list.text, style)
    if not face.blank:
        yield from _fields(face.fields, style)
    if face.blank:
        yield from (CardRoom(name) for name in face.write)
    yield from _remarks(face, style)


def _paragraph(*runs: Run) -> Words:
    return Words(*runs, leading=TIGHT)


def _plain(text: str, style: Style, bold: bool = False, size: float = 7.2) -> Words:
    return _paragraph(Run(text, style.ink(size, bold)))


def _about(face: Face, style: Style) -> Iterator[Flowable]:
    """Return what it is, and what marks it, close together."""
    lines = []
    if face.about:
        lines.append(_plain(face.about, style, size=6.8))
    if face.labels:
        lines.append(_plain(" · ".join(face.labels), style, bold=True, size=6.6))
    if lines:
        yield Whole(*lines, gap=0.6)


def _stats(
    cells: Sequence[StatCell], style: Style, writing: bool = False, large: bool = False
) -> Iterator[Flowable]:
    """Boxes, and lines for values that are too long for them."""
    large = large and len(cells) <= FEW
    boxes = measured(cells, style, large)
    narrow = [box for box in boxes if box.width <= WIDEST]
    if narrow:
        yield Cells(narrow, style, writing, large)
    for box in boxes:
        if box.width > WIDEST:
            yield from _list(box.label, box.value, style)


def _stat_block(block: StatBlock, style: Style) -> Flowable:
    name = Run(block.name, style.ink(6.6, bold=True))
    about = Run(block.about, style.ink(6.2)._replace(colour=GREY))
    head = [_paragraph(name, about)] if block.name or block.about else []
    return Whole(*head, *_stats(block.cells, style), gap=2)


def _health(face: Face, style: Style) -> Iterator[Flowable]:
    """Return a run of boxes or a line for each model, numbered where there are several."""
    if face.condition:
        yield _plain(face.condition, style)
    health = face.health
    if health is None:
        return
    numbers = [str(row) if health.models > 1 else "" for row in health.rows]
    if health.boxes:
        yield HealthBoxes(health.label, tuple(BoxRow(number, health.boxes) for number in numbers))
    elif health.models == 1:
        yield CardRoom(f"{health.name} {health.each}")
    else:
        yield from _list(health.name, _("{number} each").format(number=health.each), style)
        yield Fields(numbers)
    if health.more:
        more = ngettext("and {number} more model", "and {number} more models", health.more)
        yield _plain(more.format(number=health.more), style, size=6.2)


def _powers(name: str, powers: Sequence[Uses], style: Style) -> Iterator[Flowable]:
    """Abilities or spells: those whose meaning has room with it, the others in one paragraph."""
    told = [power for power in powers if style.explained and power.summary]
    powers = [power for power in powers if power not in told]
    if told:
        heading = [CardHeading(name, style)] if name else []
        lines = [_explained(power, style) for power in told]
        yield Whole(*heading, lines[0], gap=1)
        yield from lines[1:]
    if powers:
        head = [Run(name, style.ink(6.2, bold=True))] if name else []
        ends = [*([","] * (len(powers) - 1)), ""]
        runs = [
            _power(power, style, end, bold=not name)
            for power, end in zip(powers, ends, strict=True)
        ]
        yield _paragraph(*head, *runs)


def _power(power: Uses, style: Style, comma: str = "", bold: bool = True) -> Run:
    boxes = power.boxes if power.boxes <= MOST_USES else 0
    uses = f" ×{power.boxes}" if power.boxes and not boxes else ""
    ending = "" if boxes else comma
    return Run(f"{power.label}{uses}{ending}", style.ink(7.2, bold), boxes)


def _explained(power: Uses, style: Style) -> Words:
    return _paragraph(_power(power, style), Run(power.summary, style.ink(6.6)))


def _list(name: str, text: str, style: Style) -> Iterator[Flowable]:
    if text:
        yield _paragraph(Run(name, style.ink(6.2, bold=True)), Run(text, style.ink(7.0)))


def _part(part: Lines, style: Style) -> Iterator[Flowable]:
    """Free lines under their heading, which stays with the first of them."""
    lines = [_line(line, style) for line in part.lines]
    yield Whole(CardHeading(part.name, style), lines[0], gap=1)
    yield from lines[1:]


def _line(line: str, style: Style) -> Words:
    """Return a line with what stands before its colon in bold, where that is short."""
    lead, colon, rest = line.partition(": ")
    if not colon or len(lead) > LONGEST_LEAD:
        return _plain(line, style)
    return _paragraph(Run(label(lead), style.ink(7.2, bold=True)), Run(rest, style.ink(7.2)))


def _fields(names: Iterable[str], style: Style) -> Iterator[Flowable]:
    """Lines to write on; a name too long to leave room for one has it behind itself."""
    names = list(names)
    short = [name for name in names if Fields.has_room(name)]
    if short:
        yield Fields(short)
    for name in names:
        if name not in short:
            yield _plain(f"{label(name)} ______________", style)


def _remarks(face: Face, style: Style) -> Iterator[Flowable]:
    """Return the player's notes and the book's remark, which comes first for an unknown unit."""
    if not face.known:
        yield _plain(face.note, style, bold=True)
    lines = [_plain(line, style, size=7) for line in face.notes.split("\n") if line]
    if lines:
        yield Whole(*lines, gap=0.4)
    if face.known and face.note:
        yield _paragraph(Run(face.note, style.ink(6.2)._replace(colour=GREY)))
