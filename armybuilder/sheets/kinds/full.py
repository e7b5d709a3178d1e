"""The full sheet, and two made of its parts: the opponent's sheet and the quick reference."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

from django.utils.translation import gettext as _
from reportlab.platypus import Flowable

from armybuilder.engine.options import slug
from armybuilder.sheets.content.setup import PageRoom, Setup
from armybuilder.sheets.content.structure import Sheet
from armybuilder.sheets.content.unit_view import UnitView
from armybuilder.sheets.drawing import army_pdf
from armybuilder.sheets.drawing.blocks import PdfSection, Stack, Stats
from armybuilder.sheets.drawing.typeface import (
    BLACK,
    BOLD,
    GREY,
    SMALL,
    STRONG,
    TEXT_SIZE,
    Ink,
)
from armybuilder.sheets.drawing.words import WordRun, Words, small
from armybuilder.sheets.kinds import parts


def _parts(
    style: army_pdf.UnitStyle, sheet: Sheet, scale: float, room: PageRoom
) -> Iterator[Flowable]:
    army = sheet.army
    yield parts.title(sheet, room, parts.code_of(sheet, scale))
    yield from parts.findings(sheet, room)
    if army:
        yield from army_pdf.units(army, room, style)
        yield from parts.section(_("At the table"), parts.figures(sheet), room)
        yield from parts.rules(sheet, room)
    else:
        yield from parts.section(_("Units"), map(card, sheet.cards), room, parts.RULES)
        yield from parts.rules(sheet, room)
        yield from parts.section(_("On game day"), parts.facts(sheet), room, parts.FACTS)
        figures = parts.numbers(sheet)
        yield from parts.section(_("The list in numbers"), figures, room, parts.FIGURES)
    yield from parts.section(_("Notes"), parts.notes(sheet.notes, Ink()), room)
    # Those that every list has stand in the quick reference.
    for table in (table for table in sheet.tables if table.chosen):
        yield parts.table(table, room)
    yield from parts.certified(sheet, scale, room)


def story(sheet: Sheet, setup: Setup, room: PageRoom) -> Sequence[Flowable]:
    """Return the whole sheet from top to bottom."""
    layouts = (partial(_parts, style) for style in army_pdf.OWNERS)
    return parts.shortest(layouts, sheet, setup, room)


def card(said: UnitView) -> Flowable:
    name = Words(WordRun(said.title, Ink(BOLD, 10.5)), tag="H3")
    head = army_pdf.priced(name, said.price, Ink(BOLD, 9))
    return Stack(head, *_card_lines(said), frame="box")


def _card_lines(card: UnitView) -> Iterator[Flowable]:
    about = " · ".join(filter(None, (card.unit_name, card.about)))
    if about:
        yield Words(WordRun(about, Ink(size=TEXT_SIZE, colour=GREY if card.known else BLACK)))
    if card.marks:
        yield Words(WordRun(" · ".join(card.marks), STRONG))
    if card.stats:
        yield Stats(card.stats)
    yield from parts.powers(card, parts.PLAIN)
    if card.remark:
        yield Words(small(card.remark))


def _opponent_parts(
    explained: bool, style: army_pdf.UnitStyle, sheet: Sheet, scale: float, room: PageRoom
) -> Iterator[Flowable]:
    yield parts.title(sheet, room, parts.code_of(sheet, scale), brief=True)
    yield from parts.findings(sheet, room)
    if sheet.army is not None:
        yield from army_pdf.units(sheet.army, room, style)
    else:
        yield from parts.section(_("Units"), map(card, sheet.cards), room, parts.RULES)
    if explained:
        yield from parts.rules(replace(sheet, reminders=()), room)


def opponent_story(sheet: Sheet, setup: Setup, room: PageRoom) -> Sequence[Flowable]:
    """Return the units, and what their rules do where that needs no further page."""
    usual, tight = army_pdf.OPPONENTS
    styles = ((True, usual), (False, usual), (False, tight))
    layouts = (partial(_opponent_parts, *style) for style in styles)
    return parts.shortest(layouts, sheet, setup, room)


#: Least width in points of a column of rules with the units that have them.
_RULE = 160


def _reference_parts(sheet: Sheet, _scale: float, room: PageRoom) -> Iterator[Flowable]:
    """Yield the reference: rules, and the units that have those without a summary."""
    yield parts.title(sheet, room)
    yield from parts.findings(sheet, room)
    yield from parts.section(_("On game day"), parts.facts(sheet), room, parts.FACTS)
    yield from parts.rules(sheet, room)
    if sheet.army is None:
        yield from (parts.table(table, room) for table in sheet.tables)
        return
    explained = {slug(entry.label) for entry in sheet.glossary}
    owners: dict[str, dict[str, None]] = {}
    for unit in sheet.army.units:
        for rule in unit.rules:
            if slug(rule) not in explained:
                owners.setdefault(rule, {})[unit.name] = None
    lines = (
        Words(WordRun(rule, parts.STRONG), WordRun(", ".join(owners[rule]), SMALL))
        for rule in sorted(owners, key=str.casefold)
    )
    yield from parts.section(_("See the Army Book"), lines, room, _RULE)
    if tables := [army_pdf.table(table, room.width) for table in sheet.tables]:
        yield PdfSection(_("For the game"), tables, room.height)


#: What to look up in a game.
reference_story = partial(parts.shown, _reference_parts)
