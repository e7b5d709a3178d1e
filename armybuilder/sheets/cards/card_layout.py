"""Layout of a card's face on one card, or several if it doesn't fit.

Text shrinks in steps; meanings of abilities are printed if they fit. The rest goes on to further
cards, in letters as large as their number allows.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from reportlab.lib.colors import Color
from reportlab.platypus import Flowable

from armybuilder.engine.wording import label
from armybuilder.sheets.cards.card_blocks import (
    SMALLEST,
    TIGHT,
    USUAL,
    CardFormat,
    CardHeading,
    CardRoom,
    CardSize,
    Cells,
    Fields,
    HealthBoxes,
    Portrait,
    StatTable,
    Style,
    Whole,
    measured,
)
from armybuilder.sheets.content.cards import FEW, MOST_USES, Face
from armybuilder.sheets.content.unit_view import MOST_ROWS, StatCell, StatRow, UnitView, Uses
from armybuilder.sheets.content.unit_words import boxed
from armybuilder.sheets.drawing.tagged import content
from armybuilder.sheets.drawing.typeface import (
    BLACK,
    BOLD,
    GREY,
    WHITE,
    Ink,
    load_fonts,
    printable,
    round_box,
    tones_of,
    width_of,
    write,
    write_centred,
)
from armybuilder.sheets.drawing.words import PageBlock, WordRun, Words, fit

#: A statistic wider than this, in points, stands in a line of its own.
WIDEST = 95.0
#: Values of at most so many letters stand in a box under their label; longer ones are words.
SHORT = 4
#: Letters of a line before a colon that are taken for its name.
LONGEST_LEAD = 40


def body(face: Face, style: Style, named: bool, wide: float) -> Iterator[Flowable]:
    """Yield the blocks of a face in their order, for some points of width.

    `named` false: its head lacks part of the name.
    """
    unit = face.unit
    if not named:
        yield _plain(unit.title, style, bold=True, size=6.2)
    # What it is, and what marks it, close together.
    lines = [_plain(face.about, style, size=6.8)] if face.about else []
    if face.labels:
        lines.append(_plain(" · ".join(face.labels), style, bold=True, size=6.6))
    if lines:
        yield Whole(*lines, gap=0.6)
    if face.blank:
        yield from _fields(face.fields, style)
    yield from _stats(face.stats, style, face.blank, large=True)
    yield from _rows(face.rows, style, wide)
    if unit.armour:
        yield _plain(unit.armour, style)
    for weapon in unit.weapons:
        yield from _list(weapon.label, weapon.figures, style)
    yield from _health(unit, style, wide)
    for name, powers in face.powers:
        yield from _powers(name, powers, style)
    for part in unit.texts:  # its heading stays with the first of its lines
        lines = [_line(line, style) for line in part.lines]
        yield Whole(CardHeading(part.name, style), lines[0], gap=1)
        yield from lines[1:]
    for named_list in face.lists:
        yield from _list(named_list.name, named_list.text, style)
    if face.blank:
        yield from (CardRoom(name) for name in face.write)
    else:
        yield from _fields(face.fields, style)
    lines = [_plain(line, style, size=7) for line in unit.notes.split("\n") if line]
    if lines:
        yield Whole(*lines, gap=0.4)
    if unit.remark:
        ink = style.ink(6.2)._replace(colour=GREY) if unit.known else style.ink(7.2, bold=True)
        yield _paragraph(WordRun(unit.remark, ink))


def _rows(rows: Sequence[StatRow], style: Style, wide: float) -> Iterator[Flowable]:
    """Yield stat lines: name, words and notes, then short values in boxes; or all as a table."""
    lines: list[tuple[Words, list[StatCell]]] = []
    for row in rows:
        long = [f"{cell.label} {cell.value}" for cell in row.cells if len(cell.value) > SHORT]
        about = "; ".join(filter(None, (", ".join(long), row.note)))
        faint = style.ink(6.2)._replace(colour=GREY)
        words = _paragraph(WordRun(row.name, style.ink(6.6, bold=True)), WordRun(about, faint))
        lines.append((words, [cell for cell in row.cells if len(cell.value) <= SHORT]))
    table = StatTable(lines, wide) if style.dense else None
    if table and table.has_room:
        yield table
        return
    for words, cells in lines:
        yield Whole(words, *_stats(cells, style), gap=2)


def _paragraph(*runs: WordRun) -> Words:
    return Words(*runs, leading=TIGHT)


def _plain(text: str, style: Style, bold: bool = False, size: float = 7.2) -> Words:
    return _paragraph(WordRun(text, style.ink(size, bold)))


def _stats(
    cells: Sequence[StatCell], style: Style, writing: bool = False, large: bool = False
) -> Iterator[Flowable]:
    """Yield boxes, and lines for values that are too long for them."""
    large = large and len(cells) <= FEW
    boxes = measured(cells, style, large)
    narrow = [box for box in boxes if box.width <= WIDEST]
    if narrow:
        yield Cells(narrow, style, writing, large)
    for box in boxes:
        if box.width > WIDEST:
            yield from _list(box.label, box.value, style)


def _health(unit: UnitView, style: Style, wide: float) -> Iterator[Flowable]:
    """Yield boxes or lines for health and states: of a unit, or of each of single models."""
    if unit.sized:
        if not unit.condition or not unit.total_health:
            return
        fits = width_of(printable(unit.condition), *HealthBoxes.LABEL[:2]) < wide
        if unit.entry or not unit.boxes or not fits:
            yield _plain(unit.condition, style)
        if not unit.entry:
            label = unit.condition if fits else ""
            boxes = HealthBoxes(label, [""], unit.boxes, unit.mark)
            yield boxes if unit.boxes else CardRoom(_("Health"))
        return
    numbers = [str(number) for number in range(1, min(unit.models, MOST_ROWS) + 1)]
    numbers = numbers if unit.models > 1 else [""]
    for track in unit.tracks:
        yield HealthBoxes(track.label, numbers, track.boxes, track.mark)
    if unit.health and not unit.boxes:
        if unit.models == 1:
            yield CardRoom(f"{unit.health_name} {unit.health}")
        else:
            each = _("{number} each").format(number=unit.health)
            yield from _list(unit.health_name, each, style)
            yield Fields(numbers)
    more = unit.models - len(numbers)
    if more and (unit.tracks or unit.health):
        text = ngettext("and {number} more model", "and {number} more models", more)
        yield _plain(text.format(number=more), style, size=6.2)


def _powers(name: str, powers: Sequence[Uses], style: Style) -> Iterator[Flowable]:
    """Yield abilities or spells: those whose meaning has room with it, others in one paragraph."""
    explained = [power for power in powers if style.explained and power.summary]
    others = [power for power in powers if power not in explained]
    if explained:
        heading = [CardHeading(name, style)] if name else []
        lines = [
            _paragraph(_power(power, style), WordRun(power.summary, style.ink(6.6)))
            for power in explained
        ]
        yield Whole(*heading, lines[0], gap=1)
        yield from lines[1:]
    if others:
        head = [WordRun(name, style.ink(6.2, bold=True))] if name and not explained else []
        ends = [*([","] * (len(others) - 1)), ""]
        runs = [
            _power(power, style, end, bold=not name)
            for power, end in zip(others, ends, strict=True)
        ]
        yield _paragraph(*head, *runs)


def _power(power: Uses, style: Style, comma: str = "", bold: bool = True) -> WordRun:
    boxes = power.boxes if power.boxes <= MOST_USES else 0
    uses = f" ×{power.boxes}" if power.boxes and not boxes else ""
    ending = "" if boxes else comma
    return WordRun(f"{power.label}{uses}{ending}", style.ink(7.2, bold), boxes)


def _list(name: str, text: str, style: Style) -> Iterator[Flowable]:
    if text:
        yield _paragraph(WordRun(name, style.ink(6.2, bold=True)), WordRun(text, style.ink(7.0)))


def _line(line: str, style: Style) -> Words:
    text, boxes = boxed(line)
    lead, colon, rest = text.partition(": ")
    if not colon or len(lead) > LONGEST_LEAD:
        return _paragraph(WordRun(text, style.ink(7.2), boxes))
    return _paragraph(
        WordRun(label(lead), style.ink(7.2, bold=True)), WordRun(rest, style.ink(7.2), boxes)
    )


def _fields(names: Iterable[str], style: Style) -> Iterator[Flowable]:
    """Yield lines to write on; a name too long to leave room for one has it behind itself."""
    names = list(names)
    short = [name for name in names if Fields.has_room(name)]
    if short:
        yield Fields(short)
    for name in names:
        if name not in short:
            yield _plain(f"{label(name)} ______________", style)


#: Of a card's first name, and of the name on a card that goes on.
FIRST = ((11, 1), (10, 1), (9, 2), (8, 2), (7, 3), (6, 12))
LATER = ((9, 1), (8, 1), (7, 2), (6, 3))


#: Lines of a name that is cut: the whole of it stands below.
MOST_CUT = 4


def fit_title(
    name: str, ending: str, room: float, steps: Sequence[tuple[float, int]], colour: Color
) -> tuple[Words, bool]:
    """Return name and ending ("(2)") as large as may be, and whether the name is whole.

    `steps` are sizes and the lines it may take in each. A name too long ends in an ellipsis.
    """

    def broken(text: str, size: float) -> Words:
        words = Words(WordRun(text, Ink(BOLD, size, colour)), leading=TIGHT, tag="H2")
        words.wrap(room, 1000)
        return words

    text = f"{printable(name)}{ending}"
    for size, lines in steps:
        words = broken(text, size)
        longest = max((width_of(word, BOLD, size) for word in text.split()), default=0)
        if words.count <= lines and ((size, lines) == steps[-1] or longest <= room):
            return words, True
    size, lines = steps[-1][0], min(steps[-1][1], MOST_CUT)
    kept, beyond = 0, len(name)
    while beyond - kept > 1:
        middle = (kept + beyond) // 2
        tried = broken(f"{printable(name[:middle])}…{ending}", size)
        kept, beyond = (middle, beyond) if tried.count <= lines else (kept, middle)
    return broken(f"{printable(name[:kept]).rstrip()}…{ending}", size), False


@dataclass(eq=False)
class Band(PageBlock):
    """The head of a card; without a `caption` it has no box for a price, `bare`: outlined."""

    name: str
    price: str
    caption: str
    wide: float
    ending: str = ""
    blank: bool = False
    bare: bool = False

    LEAST = 25.0
    PAD = 4.5
    FIGURE = 14.0
    CORNER = 25.0
    CAPTION = Ink(size=SMALLEST, colour=GREY)

    def __post_init__(self) -> None:
        super().__post_init__()
        self.width, self.price = self.wide, printable(self.price)
        sizes, ink = LATER if self.ending else FIRST, BLACK if self.bare else WHITE
        self.bare = self.bare or self.blank
        room = self.width - 2 * self.PAD - self.corner
        self.words, self.whole = fit_title(self.name, self.ending, room, sizes, ink)
        self.height = max(self.LEAST, self.words.height + 2 * self.PAD - 2)

    @property
    def corner(self) -> float:
        """Width in points of the box for the price; 0 where there is none."""
        if not self.caption:
            return 0
        figure = width_of(self.price, BOLD, self.FIGURE)
        return max(self.CORNER, 5 + max(figure, width_of(self.caption, *self.CAPTION[:2])))

    def draw(self) -> None:
        canvas = self.canv
        dark = tones_of(canvas).title
        round_box(
            canvas, (0, 0, self.width, self.height), 4, dark, 0.8, WHITE if self.bare else dark
        )
        if self.blank:
            ink = Ink(size=SMALLEST, colour=GREY)
            with content(canvas):
                write(canvas, self.PAD, self.height - 7, printable(_("Name")), ink)
        else:
            self.words.drawOn(canvas, self.PAD, (self.height - self.words.height) / 2)
        if not self.caption:
            return
        wide, tall = self.corner, self.LEAST - 3.6
        x, y = self.width - wide - 1.8, self.height - tall - 1.8
        round_box(canvas, (x, y, wide, tall), 3, dark, 0.8, WHITE)
        with content(canvas):
            for text, ink, base in (
                (self.price, Ink(BOLD, self.FIGURE), y + 8.6),
                (self.caption, self.CAPTION, y + 2.4),
            ):
                if text:
                    write_centred(canvas, x + wide / 2, base, text, ink)


#: Space between two blocks of a card, at scale 1.
GAP = 3.4
#: Lines of small print at the foot; a longer one stands with the text.
MOST_FOOT = 3
#: Between the text and the small print, with a thin line in it.
FOOT_GAP = 4.0
#: Stands for the number of a card and of all cards: as wide as they may be.
WIDEST_NUMBER = 888

_SMALL_PRINT = Ink(size=SMALLEST, colour=GREY)


@dataclass(frozen=True, slots=True)
class Laid:
    """One card; `number` is which of its face's cards it is ("" for a single one)."""

    face: Face
    size: CardSize
    number: str
    band: Band
    blocks: Sequence[Flowable]
    gap: float
    foot: Words


def lay_out(face: Face, form: CardFormat = USUAL) -> list[Laid]:
    """Return the cards of a face, one or more, in letters as large as their number allows.

    What abilities do is printed as far as one card has room: the longest meanings go first.
    """
    load_fonts()
    smallest = Style(form.scales[-1])
    fill = partial(_Filling, face, form)
    # The shortest meanings, as many as one card in smallest letters holds.
    lengths = sorted(len(use.summary) for _n, uses in face.powers for use in uses if use.summary)
    low, high = 0, len(lengths)
    while low < high:
        middle = (low + high + 1) // 2
        tried = _with_meanings(face, lengths[middle - 1])
        fits = _Filling(tried, form, replace(smallest, explained=True), 1).fits
        low, high = (middle, high) if fits else (low, middle - 1)
    best = None
    if low:
        told = partial(_Filling, _with_meanings(face, lengths[low - 1]), form)
        best = _largest(form.scales, lambda scale: told(Style(scale, explained=True), 1))
    best = best or _largest(form.scales, lambda scale: fill(Style(scale), 1))
    if best is None and face.rows:
        best = _largest(form.scales, lambda scale: fill(Style(scale, dense=True), 1))
    if best is None:
        fewest = len(fill(smallest).cards)
        best = _largest(form.scales, lambda scale: fill(Style(scale), fewest, several=True))
    return (best or fill(smallest, several=True)).laid()


def _with_meanings(face: Face, longest: int) -> Face:
    """Return a face with meanings of limited length."""
    powers = (
        (name, (use if len(use.summary) <= longest else replace(use, summary="") for use in uses))
        for name, uses in face.powers
    )
    return replace(face, powers=tuple((name, tuple(uses)) for name, uses in powers))


def _largest(scales: Sequence[float], fill: Callable[[float], "_Filling"]) -> "_Filling | None":
    """Return the filling in the largest letters that fits; None where none does."""
    best = None
    low, high = 0, len(scales)
    while low < high:
        middle = (low + high) // 2
        filling = fill(scales[middle])
        if filling.fits:
            best, high = filling, middle
        else:
            low = middle + 1
    return best


class _Filling:
    """A face's blocks filled into cards, at most `most` of them if given."""

    def __init__(
        self, face: Face, form: CardFormat, style: Style, most: int = 0, several: bool = False
    ) -> None:
        self.face = face
        self.form = form
        self.size = form.size
        self.wide = form.size.text_width
        self.style = style
        self.gap = GAP * style.scale
        #: The longest that the number of a card can be; "" where there is one card only.
        self.widest = _number(WIDEST_NUMBER, WIDEST_NUMBER) if several else ""
        self.bands: list[Band] = []
        self.cards: list[list[Flowable]] = []
        self.short = source = face.unit.source
        words = self._small_print(self.short, self.widest)
        beyond: list[Flowable] = []
        if words.count > MOST_FOOT:
            self.short = fit(source, _SMALL_PRINT, self.wide / 2)
            words = self._small_print(self.short, self.widest)
            beyond = [Words(WordRun(source, _SMALL_PRINT), leading=TIGHT)]
        self.foot = words.height
        self._next_card()
        picture = [Portrait(self.size.tall)] if form.portrait else []
        waiting = [*picture, *body(face, style, self.bands[0].whole, self.wide), *beyond]
        self.fits = True
        while waiting and self.fits:
            rest = self._place(waiting.pop(0))
            if rest and len(self.cards) == most:
                self.fits = False
            elif rest:
                self._next_card()
                waiting[:0] = rest
        if self.fits:
            self._spread()

    def _place(self, block: Flowable) -> list[Flowable]:
        """Put as much of a block on the card as has room; return what goes to the next one."""
        here = self.cards[-1]
        tall = block.wrap(self.wide, self.room)[1]
        if tall <= self.room + 0.001:
            here.append(block)
            self.room -= tall + self.gap
            return []
        parts = [] if here and isinstance(block, Whole) else block.split(self.wide, self.room)
        if not parts and here:
            return [block]
        first = parts[0] if parts else block
        first.wrap(self.wide, self.room)
        here.append(first)
        return parts[1:]

    def _small_print(self, source: str, number: str) -> Words:
        text = " · ".join(filter(None, (number, source)))
        words = Words(WordRun(text, _SMALL_PRINT), leading=TIGHT)
        words.wrap(self.wide, self.size.tall)
        return words

    def _next_card(self) -> None:
        face, number = self.face, len(self.cards) + 1
        caption = face.price_note if number == 1 and (face.price or face.blank) else ""
        price = face.price if caption else ""
        ending = f" ({number})" if number > 1 else ""
        wide = self.size.frame_width
        band = Band(face.unit.title, price, caption, wide, ending, face.blank, self.form.outlined)
        self.bands.append(band)
        self.cards.append([])
        self.room = self.size.frame_height - band.height - 2 * self.size.PADDING
        self.room -= self.foot + FOOT_GAP

    def _spread(self) -> None:
        """Give the free room on the last card to drawings and writing."""
        names = iter(() if self.face.blank else self.face.write)
        while self.room >= CardRoom.LINE and (name := next(names, "")):
            self._place(CardRoom(name))
        rooms = [block for block in self.cards[-1] if isinstance(block, CardRoom)]
        rooms = [block for block in rooms if block.name in self.face.write]
        spare = int((self.room + self.gap) / CardRoom.LINE) if rooms else 0
        for number, block in enumerate(rooms):
            block.lines += spare // len(rooms) + (number < spare % len(rooms))
            block.wrap(self.wide, self.size.tall)
        first = self.cards[-1][0] if self.cards[-1] else None
        if isinstance(first, Portrait) and not rooms:
            first.grow(self.room)

    def laid(self) -> list[Laid]:
        count, cards = len(self.cards), []
        for place, (band, blocks) in enumerate(zip(self.bands, self.cards, strict=True), 1):
            number = _number(place, count) if count > 1 else ""
            foot = self._small_print(self.short, number)
            cards.append(Laid(self.face, self.size, number, band, blocks, self.gap, foot))
        return cards


def _number(place: int, count: int) -> str:
    return _("card {number} of {count}").format(number=place, count=count)
