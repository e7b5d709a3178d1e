"""A roster sheet as PDF, for paper: A4 or US Letter, in black and white as well as on screen.

Equal sheets give equal bytes: ReportLab's `invariant` leaves out the time of day.
"""

from collections.abc import Iterator
from functools import partial
from io import BytesIO
from itertools import groupby
from typing import Any, Literal

from reportlab.lib.pagesizes import A4, LETTER
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import BaseDocTemplate, Flowable, Frame, PageTemplate, Spacer
from reportlab.platypus.doctemplate import LayoutError

from armybuilder.engine.catalogue import Reminder, Table
from armybuilder.loading.problems import Refusal
from armybuilder.sheets import army_pdf
from armybuilder.sheets.army import Army
from armybuilder.sheets.blocks import Across, Badge, Section, Stack, Stats, draw_sign
from armybuilder.sheets.structure import Card, Entry, FindingLine, Sheet, Uses
from armybuilder.sheets.typeface import (
    BLACK,
    BOLD,
    DRAWING,
    GREY,
    LINE,
    REGULAR,
    Ink,
    load_fonts,
    printable,
    width_of,
)
from armybuilder.sheets.words import Run, Words, fit, small

Paper = Literal["A4", "letter"]
PAPERS: dict[str, tuple[float, float]] = {"A4": A4, "letter": LETTER}

SIDE = 14 * mm
TOP = 12 * mm
LATER_TOP = 19 * mm
BOTTOM = 15 * mm

STRONG = Ink(BOLD, 8)
LABEL = Ink(size=6.6, colour=GREY)
FIGURE = Ink(BOLD, 9.5)
#: Letters beyond which a figure is a text and set smaller.
LONG = 28


def draw_pdf(sheet: Sheet, paper: Paper = "A4") -> bytes:
    """The sheet's PDF file. Raises KeyError for a paper that is not in `PAPERS`, and Refusal where
    something on the list is so long that no page holds it.
    """
    width, height = PAPERS[paper]
    with DRAWING:
        load_fonts()
        buffer = BytesIO()
        document = BaseDocTemplate(
            buffer,
            pagesize=(width, height),
            title=sheet.title,
            author="Army Builder",
            subject=f"{sheet.system}, {sheet.limit} points. {sheet.verdict}",
            lang="en",
            invariant=1,
            pageTemplates=_templates(width, height),
        )
        story = list(_story(sheet, height - LATER_TOP - BOTTOM))
        try:
            document.build(story, canvasmaker=partial(_SheetCanvas, sheet))
        except LayoutError as error:
            raise Refusal(
                "Something on this list is longer than a page can hold. The sheet as text has room "
                "for it."
            ) from error
    return buffer.getvalue()


def _templates(width: float, height: float) -> list[PageTemplate]:
    """The first page has its title band where later ones have a running head."""
    tops = (("first", TOP), ("later", LATER_TOP))
    return [
        PageTemplate(
            name,
            Frame(SIDE, BOTTOM, width - 2 * SIDE, height - top - BOTTOM, 0, 0, 0, 0),
            autoNextPageTemplate="later",
        )
        for name, top in tops
    ]


class _SheetCanvas(Canvas):
    """Keeps pages back until their number is known, then puts head and foot on each."""

    def __init__(self, sheet: Sheet, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.sheet = sheet
        self.kept: list[dict[str, Any]] = []
        self.marks: list[tuple[int, str, float]] = []

    def bookmark(self, title: str, y: float) -> None:
        """An outline entry for what stands `y` points above the current origin."""
        self.marks.append((len(self.kept), title, self.absolutePosition(0, y)[1]))

    def showPage(self) -> None:  # noqa: N802  ReportLab's name
        self.kept.append(dict(self.__dict__))
        self._startPage()

    def save(self) -> None:
        kept, marks = self.kept, self.marks
        for number, state in enumerate(kept):
            self.__dict__.update(state)
            for order, (page, title, y) in enumerate(marks):
                if page == number:
                    self.bookmarkPage(f"part{order}", fit="XYZ", top=y + 6)
                    self.addOutlineEntry(title, f"part{order}", 0)
            if number:
                self._draw_head()
            self._draw_foot(number + 1, len(kept))
            super().showPage()
        super().save()

    def _draw_head(self) -> None:
        width, height = self._pagesize
        sheet, ink = self.sheet, Ink(BOLD, 9)
        base = height - 13 * mm
        said = printable(sheet.verdict)
        start = width - SIDE - width_of(said, *ink[:2])
        self.setFillColor(BLACK)
        self.setFont(ink.font, ink.size)
        self.drawString(start, base, said)
        self.drawString(SIDE, base, fit(sheet.heading, ink, start - SIDE - 30))
        draw_sign(self, start - 14, base - 1.6, 10, sheet.legal)
        self._draw_rule(base - 6)

    def _draw_foot(self, page: int, pages: int) -> None:
        width, _ = self._pagesize
        sheet, ink = self.sheet, Ink(REGULAR, 7)
        base = 8 * mm
        self._draw_rule(base + 10)
        self.setFillColor(GREY)
        self.setFont(ink.font, ink.size)
        self.drawRightString(width - SIDE, base, f"page {page} of {pages}")
        after = f" · {sheet.verdict} · {sheet.day}"
        room = width - 2 * SIDE - width_of(after, *ink[:2]) - 60
        self.drawString(SIDE, base, fit(sheet.heading, ink, room) + after)

    def _draw_rule(self, y: float) -> None:
        self.setStrokeColor(LINE)
        self.setLineWidth(0.6)
        self.line(SIDE, y, self._pagesize[0] - SIDE, y)


def _story(sheet: Sheet, page: float) -> Iterator[Flowable]:
    """The whole sheet from top to bottom; `page` is the height in points of a later page."""
    yield _title(sheet)
    if sheet.army is not None:
        yield from _army_story(sheet, sheet.army, page)
        return
    parts: list[tuple[str, list[Flowable], int]] = [
        (_why(sheet), [_finding(finding) for finding in sheet.findings], 1),
        ("The list in numbers", list(_numbers(sheet)), 4),
        ("On game day", list(_facts(sheet)), 3),
        ("Notes", list(_notes(sheet.notes, Ink())), 1),
        ("Units", [_card(card) for card in sheet.cards], 2),
        ("Special rules", [_entry(entry) for entry in sheet.glossary], 2),
        ("Spells", [_entry(entry) for entry in sheet.spells], 2),
        ("Battlefield and terrain", [_entry(entry) for entry in sheet.pieces], 2),
        ("Reminders", [_reminder(reminder) for reminder in sheet.reminders], 2),
    ]
    for title, blocks, columns in parts:
        if blocks:
            yield Section(title, blocks, page, columns)
    for table in sheet.tables:
        yield _table(table, page)


def _army_story(sheet: Sheet, army: Army, page: float) -> Iterator[Flowable]:
    """The parts of an army's sheet below its title."""
    if army.hint:
        yield Words(Run(army.hint, Ink(size=8)))
    facts = Stack(*army_pdf.numbers(sheet), gap=3.2)
    reminders = [_reminder(reminder) for reminder in sheet.reminders]
    parts: list[tuple[str, list[Flowable], int]] = [
        (_why(sheet), [_finding(finding) for finding in sheet.findings], 1),
        ("The army in numbers", [Across((army_pdf.categories(army), facts), (0.58, 0.42))], 1),
        ("Notes", list(_notes(sheet.notes, Ink())), 1),
    ]
    for title, blocks, columns in parts:
        if blocks:
            yield Section(title, blocks, page, columns)
    yield from army_pdf.units(army, page)
    tables = [army_pdf.table(table) for table in sheet.tables]
    beside = [Across(reminders, [1 / len(reminders)] * len(reminders))] if reminders else []
    if tables or beside:
        yield Section("For the game", [*tables, *beside], page)


def _title(sheet: Sheet) -> Flowable:
    points = f"{sheet.price}, {sheet.models}"
    left = Stack(
        Words(Run(sheet.system, Ink(BOLD, 8.5, GREY))),
        Words(Run(sheet.title, Ink(BOLD, 21))),
        Words(Run(points, Ink(BOLD, 11))),
        Words(small(" · ".join(sheet.books))),
    )
    day = Words(small(f"Checked on {sheet.day}"))
    right = Stack(Badge(sheet.verdict, sheet.legal), day)
    return Stack(Across((left, right), (0.66, 0.34)), Spacer(0, 1))


def _why(sheet: Sheet) -> str:
    return "What to know about this list" if sheet.legal else "Why this list is not legal"


def _finding(finding: FindingLine) -> Flowable:
    words = Words(
        Run(f"{finding.severity.capitalize()}:", Ink(BOLD, 9)),
        Run(finding.sentence, Ink(size=9)),
        small(finding.citation),
    )
    if not finding.reading:
        return Stack(words, frame="bar")
    return Stack(words, Words(Run(f"Our reading: {finding.reading}", Ink(size=7.4))), frame="bar")


def _numbers(sheet: Sheet) -> Iterator[Flowable]:
    """Gauges and settings, each a label over its figure."""
    for gauge in sheet.gauges:
        wrong = [] if gauge.ok else [Run("not met", STRONG)]
        lineup = [small(gauge.lineup)] if gauge.lineup else []
        figure = Words(Run(gauge.text, FIGURE), *wrong, *lineup)
        yield Stack(Words(Run(gauge.name, LABEL)), figure, gap=0)
    for setting in sheet.settings:
        yield Stack(Words(Run(setting.name, LABEL)), Words(Run(setting.text, FIGURE)), gap=0)


def _facts(sheet: Sheet) -> Iterator[Flowable]:
    """One block per figure, with a line for each line-up in which it differs."""
    for name, told in groupby(sheet.facts, lambda fact: fact.name):
        facts = list(told)
        inks = [FIGURE if len(fact.text) <= LONG else STRONG for fact in facts]
        lines = [
            Words(Run(fact.text, ink), small(fact.lineup))
            for fact, ink in zip(facts, inks, strict=True)
        ]
        notes = " ".join(dict.fromkeys(fact.note for fact in facts))
        source = Words(Run(notes, Ink(size=7)), small(facts[0].citation))
        yield Stack(Words(Run(name, LABEL)), *lines, source, gap=0)


def _card(card: Card) -> Flowable:
    price = Words(Run(card.price, Ink(BOLD, 9)), right=True)
    head = Across((Words(Run(card.title, Ink(BOLD, 10.5))), price), (1, None))
    return Stack(head, *_card_lines(card), frame="box")


def _card_lines(card: Card) -> Iterator[Flowable]:
    about = " · ".join(filter(None, (card.unit_name, card.subtitle)))
    if about:
        yield Words(Run(about, Ink(size=7.4, colour=GREY if card.known else BLACK)))
    if card.labels:
        yield Words(Run(" · ".join(card.labels), Ink(BOLD, 7.4)))
    if card.stats:
        yield Stats(card.stats)
    if card.options:
        yield Words(Run("Options", LABEL), Run(", ".join(card.options)))
    if card.keywords:
        yield Words(Run(", ".join(card.keywords), Ink(BOLD, 7.4)))
    yield from _uses("", card.abilities)
    yield from _uses("Spells", card.spells)
    for part in card.texts:
        yield Words(Run(part.name, LABEL))
        yield Stack(*(Words(Run(line)) for line in part.lines), gap=1)
    yield from _health(card)
    if card.blanks:
        yield Words(*(Run(f"{name}:\u2002__________") for name in card.blanks))
    yield from _notes(card.notes, Ink(size=7.6))
    told = ". ".join(filter(None, (card.remark.rstrip("."), card.origin)))
    if told:
        yield Words(small(told))


def _notes(notes: str, ink: Ink) -> Iterator[Flowable]:
    """What the player wrote, line for line."""
    if notes:
        lines = [Words(Run(line, ink)) if line else Spacer(0, 4) for line in notes.split("\n")]
        yield Stack(*lines, gap=0)


def _uses(name: str, uses: tuple[Uses, ...]) -> Iterator[Flowable]:
    """Abilities or spells in one paragraph, each with its boxes behind it."""
    if uses:
        last = len(uses) - 1
        runs = [
            Run(use.label + ("," if number < last and not use.boxes else ""), Ink(), use.boxes)
            for number, use in enumerate(uses)
        ]
        yield Words(*([Run(name, LABEL)] if name else []), *runs)


def _health(card: Card) -> Iterator[Flowable]:
    """A run of boxes for each model, numbered where there are several."""
    boxes = Ink(size=8.6)
    if card.boxes and card.models == 1:
        yield Words(Run(card.box_label, LABEL), Run("", boxes, card.boxes))
    elif card.boxes:
        rows = [Run(f"{number}", boxes, card.boxes) for number in card.rows]
        more = [small(f"and {card.more} more models")] if card.more else []
        yield Words(Run(card.box_label, LABEL), *rows, *more)
    elif card.health:
        yield Words(Run(f"{card.health_name} {card.health}:\u2002__________"))


def _entry(entry: Entry) -> Flowable:
    note = [Run(entry.note, Ink(size=7))] if entry.note else []
    return Words(Run(entry.label, STRONG), Run(entry.summary), *note, small(entry.citation))


def _reminder(line: Reminder) -> Flowable:
    return _entry(Entry(line.name, line.text, "", str(line.citation)))


def _table(table: Table, page: float) -> Flowable:
    """A reference table; columns as wide as what they hold, within reason."""
    longest = [
        max(13, min(44, max(len(row[number]) for row in (table.columns, *table.rows))))
        for number in range(len(table.columns))
    ]
    shares = [length / sum(longest) for length in longest]
    title = f"{table.name} ({table.citation})"
    header = Across([Words(Run(name, Ink(BOLD, 7))) for name in table.columns], shares)
    rows = [
        Across([Words(Run(text, Ink(size=7.4))) for text in row], shares, ruled=True)
        for row in table.rows
    ]
    return Section(title, rows, page, header=header)
