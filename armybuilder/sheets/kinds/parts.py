"""Common parts of several kinds of sheet, in letters as large as their pages allow."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain, groupby, takewhile
from math import ceil, inf

from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from reportlab.platypus import Flowable, Spacer

from armybuilder.engine.states import TO_DO
from armybuilder.engine.vocabulary import Table
from armybuilder.engine.wording import label
from armybuilder.sheets.content.setup import PageRoom, Setup, left_out
from armybuilder.sheets.content.structure import UNCHECKED, Sheet, SheetEntry
from armybuilder.sheets.content.unit_view import UnitView, Uses
from armybuilder.sheets.content.unit_words import boxed
from armybuilder.sheets.drawing.army_pdf import PenField, in_sentences, joined, share_words
from armybuilder.sheets.drawing.blocks import (
    BLOCK_GAP,
    COLUMN_GAP,
    ROW_GAP,
    Across,
    Badge,
    PdfSection,
    Scaled,
    Stack,
    natural_width,
)
from armybuilder.sheets.drawing.blocks import shares as column_shares
from armybuilder.sheets.drawing.pages import LATER_TOP, TOP
from armybuilder.sheets.drawing.qr import MOST_IN_CODE, QrCode
from armybuilder.sheets.drawing.typeface import BOLD, LABEL, SMALL, TEXT_SIZE, Ink
from armybuilder.sheets.drawing.words import WordRun, Words, small

STRONG = Ink(BOLD, 8)
PLAIN = Ink()
FIGURE = Ink(BOLD, 9.5)
#: Least width in points of a table's column, on average: narrower ones make a table too tall.
CELL_WIDTH = 80
HEAD = Ink(BOLD, TEXT_SIZE)
#: Letters beyond which a figure is a text and set smaller.
LONG = 28
#: Width in points below which things that usually stand beside each other stand one above the
#: other.
NARROW = 400
#: Least widths in points of a column of figures, of game-day facts, and of cards or rules.
FIGURES, FACTS, RULES = 120, 160, 200
#: The same of a column of rules in small letters.
BRIEF = 160


def columns(room: PageRoom, least: float) -> int:
    """Return how many columns of this least width fit; one at least."""
    return max(1, int((room.width + COLUMN_GAP) / (least + COLUMN_GAP)))


def in_rows(cells: Sequence[Flowable], number: int) -> Iterator[Flowable]:
    """Yield rows of some cells of one width; the last is filled up."""
    for start in range(0, len(cells), number):
        row = [*cells[start : start + number]]
        yield Across(
            [*row, *(Words() for _empty in range(number - len(row)))], [1 / number] * number
        )


def section(
    title: str, blocks: Iterable[Flowable], room: PageRoom, least: float = 0, gap: float = BLOCK_GAP
) -> list[PdfSection]:
    """Return a section in columns of at least `least` points (0: one); none without blocks."""
    laid = list(blocks)
    number = columns(room, least) if least else 1
    return [PdfSection(title, laid, room.height, number, gap=gap)] if laid else []


def title(
    sheet: Sheet, room: PageRoom, code: QrCode | None = None, brief: bool = False
) -> Flowable:
    """Return the band at the top of a first page: name, points, game and books, and the verdict.

    `brief`: lower, without the day, which every margin says.
    """
    # A legal list's verdict tells its points.
    price = "" if sheet.price in sheet.verdict else sheet.price
    counted = ", ".join(filter(None, (price, sheet.models)))
    hints = (sheet.left_out, sheet.army.hint if sheet.army else "")
    name, number = (15, 8) if brief else (19, 10)
    left = Stack(
        Words(WordRun(sheet.title, Ink(BOLD, name)), tag="H1"),
        Words(
            WordRun(counted, Ink(BOLD, number)), small(" · ".join((sheet.system, *sheet.editions)))
        ),
        *(Words(WordRun(hint, SMALL)) for hint in hints if hint),
    )
    day = "" if brief else _("Checked on {day}").format(day=sheet.day)
    return Stack(*occasion(sheet, room), head(left, verdicts(sheet, day), room, code), Spacer(0, 1))


def verdicts(sheet: Sheet, day: str) -> Flowable:
    """Return the verdict with its sign, that of an event with its own, and their premises."""
    badges = [Badge(sheet.verdict, sheet.outcome)]
    if event := sheet.at_event:
        badges.append(Badge(event.alone, event.outcome))
    below = [WordRun(sheet.caveat, SMALL), small(day)]
    return Stack(*badges, *([Words(*below)] if sheet.caveat or day else []), gap=2)


#: Shares of a line that each text of the occasion takes; a narrow page has two lines of them.
_OCCASION = (0.27, 0.24, 0.27, 0.11, 0.11)


def occasion(sheet: Sheet, room: PageRoom) -> list[Flowable]:
    """Return who plays where, each on a line to write on where it is not known."""
    fields = [PenField(one.name, one.text) for one in sheet.occasion]
    if not fields or room.width >= NARROW:
        return [Across(fields, _OCCASION), Spacer(0, 2)] if fields else []
    rows = ((fields[:2], (0.5, 0.5)), (fields[2:], (0.5, 0.25, 0.25)))
    return [*(Across(cells, shares) for cells, shares in rows), Spacer(0, 2)]


def code_of(sheet: Sheet, scale: float) -> QrCode | None:
    """Return the code of the sheet's link, if it has one; `scale` is that at which it is drawn."""
    return QrCode(sheet.link, sheet.hash, scale) if sheet.link else None


def certificate(sheet: Sheet, scale: float) -> tuple[Flowable, float] | None:
    """Return the certificate with its width, where the sheet has one that a code can hold."""
    if not sheet.certificate or len(sheet.certificate) > MOST_IN_CODE:
        return None
    about = _("Our signed verdict on this list. Scan the code to check it.")
    code = QrCode(sheet.certificate, sheet.hash, scale, dense=True)
    return Stack(Words(small(about)), code), code.natural_width


def certified(sheet: Sheet, scale: float, room: PageRoom) -> list[PdfSection]:
    """Return the certificate as a section of its own, where there is one."""
    code = certificate(sheet, scale)
    return section(_("Certificate"), code[:1] if code else (), room)


def head(left: Flowable, right: Flowable, room: PageRoom, code: QrCode | None) -> Flowable:
    """Return list and verdict side by side, or below on a narrow page, and the code."""
    cells = [left, right, *([code] if code else [])]
    if room.width < NARROW:
        return Stack(*cells, gap=4)
    return Across(cells, (0.6, 0.4, None)[: len(cells)])


def findings(sheet: Sheet, room: PageRoom, boxes: bool = False) -> list[PdfSection]:
    """Return the findings; `boxes`: unchecked ones have one."""
    marks = {line.severity for line in sheet.findings}
    title = _("Why this list is not legal")
    if marks.isdisjoint(("error", TO_DO)):
        title = _("Notes on this list")
    elif "error" not in marks:
        title = _("Still to do")
    blocks = []
    for line in sheet.findings:
        box = boxes and line.severity == UNCHECKED
        words = Words(
            *([WordRun("", Ink(size=8), 1)] if box else []),
            WordRun(label(line.word.capitalize()), Ink(BOLD, 9)),
            WordRun(line.sentence, Ink(size=9)),
            small(line.citation),
        )
        reading = _("Our reading: {reading}").format(reading=line.reading)
        below = [Words(WordRun(reading, SMALL))] if line.reading else []
        blocks.append(Stack(words, *below, frame="bar"))
    return section(title, blocks, room)


def numbers(sheet: Sheet) -> Iterator[Flowable]:
    """Gauges and settings, each a label over its figure."""
    for gauge in sheet.gauges:
        wrong = [] if gauge.ok else [WordRun(_("not met"), STRONG)]
        lineup = [small(gauge.lineup)] if gauge.lineup else []
        figure = Words(WordRun(gauge.text, FIGURE), *wrong, *lineup)
        yield Stack(Words(WordRun(gauge.name, LABEL)), figure, gap=0)
    for setting in sheet.settings:
        yield Stack(
            Words(WordRun(setting.name, LABEL)), Words(WordRun(setting.text, FIGURE)), gap=0
        )


def facts(sheet: Sheet) -> Iterator[Flowable]:
    """One block per game-day figure, with a line for each line-up in which it differs."""
    for name, told in groupby(sheet.facts, lambda fact: fact.name):
        same = list(told)
        inks = [FIGURE if len(fact.text) <= LONG else STRONG for fact in same]
        lines = [
            Words(WordRun(fact.text, ink), small(fact.lineup))
            for fact, ink in zip(same, inks, strict=True)
        ]
        text = " ".join(dict.fromkeys(fact.note for fact in same))
        source = Words(WordRun(text, SMALL), small(same[0].citation))
        yield Stack(Words(WordRun(name, LABEL)), *lines, source, gap=0)


def figures(sheet: Sheet) -> Iterator[Flowable]:
    """Yield the same in few words, of an army in one paragraph, with categories of no heading."""
    told = [(one.name, [WordRun(one.said, STRONG), small(one.lineup)]) for one in sheet.gauges]
    told += [(one.name, [WordRun(one.text, STRONG)]) for one in sheet.settings]
    if army := sheet.army:
        titles = {division.title for division in army.divisions}
        others = (share for share in army.shares if share.name not in titles)
        told += [(share.name, [*share_words(share)]) for share in others]
    for name, group in groupby(sheet.facts, lambda fact: fact.name):
        runs = ((WordRun(fact.text, STRONG), small(fact.lineup)) for fact in group)
        told.append((name, [*chain.from_iterable(runs)]))
    lines = [[WordRun(name, LABEL), *runs] for name, runs in told]
    yield from (Words(*line) for line in ([joined(lines)] if army and lines else lines))


def notes(written: str, ink: Ink) -> Iterator[Flowable]:
    if written:
        lines = [
            Words(WordRun(line, ink)) if line else Spacer(0, 4) for line in written.split("\n")
        ]
        yield Stack(*lines, gap=0)


def powers(unit: UnitView, ink: Ink, brief: bool = False) -> Iterator[Flowable]:
    """Yield a single model but for its stats; `brief`: each kind of power in one paragraph."""
    if names := [option.name for option in unit.options]:
        yield Words(WordRun(_("Options"), LABEL), WordRun(", ".join(names), ink))
    if unit.rules:
        yield Words(WordRun(", ".join(unit.rules), STRONG))
    yield from _uses("", unit.abilities, ink)
    yield from _uses(_("Spells"), unit.spells, ink)
    for part in unit.texts:
        name = WordRun(part.name, LABEL)
        lines = [WordRun(text, ink, boxes) for text, boxes in map(boxed, part.lines)]
        if brief:
            yield Words(name, *lines)
        else:
            yield from (Words(name), Stack(*map(Words, lines), gap=1))
    yield from _health(unit)
    if unit.blanks:
        yield Words(*(WordRun(f"{name}:\u2002__________", ink) for name in unit.blanks))
    yield from notes(unit.notes, SMALL)


def _uses(name: str, used: tuple[Uses, ...], ink: Ink) -> Iterator[Flowable]:
    """Yield abilities or spells in one paragraph, each with its boxes behind it."""
    if used:
        last = len(used) - 1
        runs = [
            WordRun(use.label + ("," if number < last and not use.boxes else ""), ink, use.boxes)
            for number, use in enumerate(used)
        ]
        yield Words(*([WordRun(name, LABEL)] if name else []), *runs)


def _health(card: UnitView) -> Iterator[Flowable]:
    """Yield a run of boxes for each model, numbered where there are several, of each kind."""
    boxes = Ink(size=8.6)
    for track in card.tracks:
        name = WordRun(track.label, LABEL)
        if card.models == 1:
            yield Words(name, WordRun("", boxes, track.boxes, mark=track.mark))
            continue
        rows = [WordRun(f"{number}", boxes, track.boxes, mark=track.mark) for number in card.boxed]
        told = ngettext("and {number} more model", "and {number} more models", card.unboxed)
        more = [small(told.format(number=card.unboxed))] if card.unboxed else []
        yield Across((Words(name), Words(*rows, *more)), (None, 1), gap=3)
    if card.health and not card.boxes:
        yield Words(WordRun(f"{card.health_name} {card.health}:\u2002__________"))


def entry(said: SheetEntry, source: str, ink: Ink) -> Flowable:
    """Return a rule, spell or piece of terrain: its name, its effect, its place in a source."""
    note = [WordRun(said.note, SMALL)] if said.note else []
    place = said.citation.removeprefix(source).lstrip(", ")
    name = WordRun(said.label, ink._replace(font=BOLD))
    return Words(name, WordRun(said.summary, ink), *note, small(place))


def source_of(entries: Iterable[SheetEntry]) -> str:
    """Return the words that citations of the commonest source begin with, for a heading."""
    places = [said.citation.split() for said in entries if said.citation]
    if len(places) == 1:  # It stands behind the only entry.
        return ""
    firsts = Counter(words[0] for words in places).most_common(1)
    of_source = [words for words in places if words[:1] == [first for first, _number in firsts]]
    same = takewhile(lambda words: {*words} == {words[0]} != {"p."}, zip(*of_source, strict=False))
    return " ".join(words[0] for words in same).rstrip(",")


def titled(name: str, source: str) -> str:
    return f"{name} ({source})" if source not in ("", name) else name


def rules(sheet: Sheet, room: PageRoom) -> Iterator[PdfSection]:
    """Yield every special rule, spell and piece of terrain explained once, and reminders.

    Those of an army are in small letters, each group under its name.
    """
    if sheet.army is None:
        for name, entries in (
            (_("Special rules"), sheet.explained),
            (_("Spells"), sheet.spells),
            (_("Battlefield and terrain"), sheet.pieces),
            (_("Reminders"), sheet.remembered),
        ):
            source = source_of(entries)
            told = (entry(said, source, PLAIN) for said in entries)
            yield from section(titled(name, source), told, room, RULES)
        return
    remembered = [(_("Reminders"), sheet.remembered)] if sheet.reminders else []
    groups = [*sheet.rules, *remembered]
    source = source_of(said for _group, explained in groups for said in explained)
    blocks: list[Flowable] = []
    for group, explained in groups:
        own = source_of(explained)
        of_all = not own or own.startswith(source)
        named = group if of_all else titled(group, own)
        first, *others = [entry(rule, source if of_all else own, SMALL) for rule in explained]
        head = Words(WordRun(named, Ink(BOLD, 8.4)), tag="H3")
        blocks += [Stack(head, first, gap=1), *others]
    yield from section(titled(_("Rules explained"), source), blocks, room, BRIEF, gap=2.4)


def table(drawn: Table, room: PageRoom) -> PdfSection:
    """Return a reference table; a paragraph for each row if its columns don't fit."""
    name = f"{drawn.name} ({drawn.citation})"
    every = (drawn.columns, *drawn.rows)
    shares = column_shares(every, room.width, HEAD)
    wanted = min(CELL_WIDTH * len(drawn.columns), natural_width(every, HEAD))
    if shares is None or room.width < wanted:
        return PdfSection(name, [*in_sentences(drawn)], room.height)
    header = Across([Words(WordRun(text, HEAD)) for text in drawn.columns], shares, row="heads")
    lines = [
        Across([Words(WordRun(text, SMALL)) for text in row], shares, ruled=True, row="values")
        for row in drawn.rows
    ]
    return PdfSection(name, lines, room.height, header=header, gap=ROW_GAP)


#: Sizes that letters may have, in parts of the set-up's, the largest first.
SIZES = (1.2, 1.1, 1.05, 1.0, 0.96, 0.92)
#: The smallest part of their normal size that letters are set in: 6 points on paper.
LEAST = 0.92
#: Pages that are laid out in search of the best size: the work grows with a list, not its square.
MOST_LAID_OUT = 40

#: Lays a sheet out for letters of a scale, in the room of a later page.
Layout = Callable[[float, PageRoom], Iterable[Flowable]]


def shown(
    layout: Callable[[Sheet, float, PageRoom], Iterable[Flowable]],
    sheet: Sheet,
    setup: Setup,
    room: PageRoom,
    sizes: Sequence[float] = SIZES,
) -> Sequence[Flowable]:
    """Return a sheet, without parts that the set-up leaves out, as `filled`."""
    return filled(partial(layout, left_out(sheet, setup)), setup, room, sizes)


def shortest(
    layouts: Iterable[Callable[[Sheet, float, PageRoom], Iterable[Flowable]]],
    sheet: Sheet,
    setup: Setup,
    room: PageRoom,
) -> Sequence[Flowable]:
    """Return the first of several layouts that has as few pages as any; one page at once."""
    story: Sequence[Flowable] = ()
    pages: float = inf
    smallest = _sizes(SIZES, setup)[-1]
    for layout in (partial(layout, left_out(sheet, setup)) for layout in layouts):
        # The smallest letters tell how few pages it can have, at a fraction of the work.
        fewer = pages - 1
        if story and pages_of(_at(smallest, layout, setup, room), room, fewer) > fewer:
            continue
        story = filled(layout, setup, room)
        pages = ceil(pages_of(story, room))
        if pages == 1:
            break
    return story


def filled(
    layout: Layout, setup: Setup, room: PageRoom, sizes: Sequence[float] = SIZES
) -> Sequence[Flowable]:
    """Return the sheet on as few pages as the smallest of `sizes` needs.

    Its letters are of about the largest size that needs no more; those of a very long sheet of the
    usual one. The sizes are parts of the set-up's, the largest first; who wants small letters wants
    none that grow.
    """
    fitting = _sizes(sizes, setup)
    usual = min(fitting, key=lambda size: abs(size - 1))
    story = _at(usual, layout, setup, room)
    pages = laid_out = pages_of(story, room)
    # Twice the size fills four times as many pages: that finds the size in a step or two. Lines
    # that are no longer broken save more, so that the smallest is tried where it nearly fits.
    each, least = pages / usual**2, fitting[-1]
    fewest = ceil(0.85 * each * least**2)
    for target in range(fewest, ceil(pages) + 1):
        for size in (size for size in fitting if each * size**2 <= target or size == least):
            if size == usual or laid_out > MOST_LAID_OUT:
                return story
            tried = _at(size, layout, setup, room)
            needed = pages_of(tried, room)
            if needed <= target:
                return tried
            laid_out += needed
    return story


def _sizes(sizes: Sequence[float], setup: Setup) -> list[float]:
    """Return the sizes that letters may have in a set-up, the largest first."""
    fitting = [size for size in sizes if size * setup.scale >= LEAST]
    return [size for size in fitting if size <= 1 or setup.scale >= 1] or [1.0]


def _at(size: float, layout: Layout, setup: Setup, room: PageRoom) -> Sequence[Flowable]:
    within = PageRoom(room.width / size, room.height / size)
    return [Scaled(part, size) for part in layout(setup.scale * size, within)]


def pages_of(story: Iterable[Flowable], room: PageRoom, most: float = inf) -> float:
    """Return how many pages a story fills: 2.25, where it has a quarter of the third.

    It stops beyond `most`, with a number above.
    """
    pages, left, page = 0, room.height + LATER_TOP - TOP, room.height
    fresh = True
    waiting = list(story)[::-1]
    while waiting and pages < most:
        part = waiting.pop()
        above = 0.0 if fresh else part.getSpaceBefore()
        tall = part.wrap(room.width, left - above)[1]
        if above + tall <= left:
            left -= above + tall
            fresh = False
            continue
        split = part.split(room.width, left - above)
        if not split and fresh and left == page:
            break  # no page holds it: drawing will say so
        pages, left, fresh = pages + 1, page, True
        waiting += split[:0:-1] if split else [part]
    return pages + max(0.01, 1 - left / page)
