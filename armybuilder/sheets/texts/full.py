"""The full form: the whole roster sheet as plain text, for mail and terminals."""

import textwrap
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import chain, groupby
from typing import TypeVar

from django.utils.translation import gettext as _

from armybuilder.engine.vocabulary import Table
from armybuilder.loading.deadline import checked
from armybuilder.sheets.content.structure import (
    Sheet,
    SheetCard,
    SheetEntry,
    UnitBlock,
)
from armybuilder.sheets.texts.lines import quoted

_Named = TypeVar("_Named", SheetCard, UnitBlock)

#: Columns of a line.
WIDTH = 80


def draw_text(sheet: Sheet) -> str:
    """Return the sheet in lines of at most 80 characters, each with a line end."""
    lines = [line.rstrip() for section in _sections(sheet) for line in (*section, "")]
    return "\n".join(lines[:-1]) + "\n"


def _sections(sheet: Sheet) -> Iterator[Iterable[str]]:
    """Yield the parts of the sheet that have something to say, in the order of the printed one."""
    yield _head(sheet)
    yield from _titled(_("Findings"), _findings(sheet))
    if army := sheet.army:
        shares = [
            _wrap(
                f"{share.points}, {share.per_cent} %, {share.bound}: {share.state_word}", share.name
            )
            for share in (*army.shares, army.total)
        ]
        left = _("Left: {points}").format(points=army.left)
        shares += [[left]] if army.left is not None else []
        yield from _titled(_("Categories"), chain(*shares))
    gauges = (
        _wrap(gauge.said, ", ".join(filter(None, (gauge.name, gauge.lineup))))
        for gauge in sheet.gauges
    )
    settings = (_wrap(setting.text, setting.name) for setting in sheet.settings)
    yield from _titled(_("Numbers"), chain(*gauges, *settings))
    yield from _titled(_("On game day"), _facts(sheet))
    yield from _titled(_("Notes"), _notes(sheet.notes, "  "))
    if army is None:
        title = _("Units").upper()
        yield [title, "-" * len(title)]
    for card in checked(sheet.cards):
        yield _card(card)
    for division in army.divisions if army else ():
        units = (_unit(unit, sheet) for unit in checked(division.units))
        yield from _titled(division.title, chain.from_iterable(units))
    reminders = (
        SheetEntry(line.name, line.text, "", str(line.citation)) for line in sheet.reminders
    )
    for title, entries in (
        (_("Reminders"), reminders),
        (_("Special rules"), sheet.glossary),
        (_("Spells"), sheet.spells),
        (_("Terrain and battlefield"), sheet.pieces),
    ):
        yield from _titled(title, chain.from_iterable(map(_entry, entries)))
    for table in sheet.tables:
        yield from _titled(table.name, _rows(table))


def _findings(sheet: Sheet) -> Iterator[str]:
    for line in sheet.findings:
        yield from _wrap(f"{line.sentence} [{line.citation}]", line.word.upper())
        if line.reading:
            yield from _wrap(line.reading, _("Our reading"), "  ")


def _facts(sheet: Sheet) -> Iterator[str]:
    for name, group in groupby(sheet.facts, lambda fact: fact.name):
        same = list(group)
        text = "; ".join(f"{fact.text} {fact.lineup}".strip() for fact in same)
        yield from _wrap(f"{text} [{same[0].citation}] {same[0].note}".strip(), name)


def _rows(table: Table) -> Iterator[str]:
    """Yield the rows of a table; of several columns each cell has its heading."""
    for name, *cells in table.rows:
        pairs = [pair for pair in zip(table.columns[1:], cells, strict=True) if pair[1]]
        several = len(table.columns) > 2
        texts = (f"{column}: {cell}" if several else cell for column, cell in pairs)
        yield from _wrap("; ".join(texts), name)


def _titled(title: str, lines: Iterable[str]) -> Iterator[list[str]]:
    told = list(lines)
    if told:
        yield [title.upper(), "-" * len(title), *told]


def _wrap(text: str, name: str = "", indent: str = "") -> list[str]:
    """Return a paragraph "name: text", its further lines set in."""
    said = ": ".join(filter(None, (name, text)))
    return textwrap.wrap(
        said,
        WIDTH,
        initial_indent=indent,
        subsequent_indent=indent + "  ",
        break_on_hyphens=False,
    )


def _head(sheet: Sheet) -> Iterator[str]:
    yield from _wrap(sheet.title)
    yield "=" * min(len(sheet.title), WIDTH)
    yield from _wrap(", ".join((sheet.system, *sheet.books)))
    price = sheet.price
    if sheet.kind == "full":
        price = _("{number} of {most}").format(number=sheet.spent, most=sheet.limit)
    yield from _wrap(f"{sheet.points_name}: {price}, {sheet.models}, #{sheet.hash}")
    yield f"{sheet.verdict} {_('Checked on {day}.').format(day=sheet.day)}"
    if sheet.army:
        yield from _wrap(sheet.army.hint)


def _card(card: SheetCard) -> Iterator[str]:
    yield from _wrap(f"{_named(card).title} — {card.price}")
    about = filter(None, (card.unit_name, card.subtitle, *card.labels))
    yield from _wrap("; ".join(about), "", "  ")
    yield from _wrap("  ".join(f"{stat.label} {stat.value}" for stat in card.stats), "", "  ")
    yield from _wrap(", ".join(card.options), _("Options") if card.options else "", "  ")
    yield from _wrap(", ".join(card.keywords), _("Keywords") if card.keywords else "", "  ")
    for name, uses in ((_("Special rules"), card.abilities), (_("Spells"), card.spells)):
        texts = (f"{use.label} {'□' * min(use.boxes, 20)}".strip() for use in uses)
        yield from _wrap(", ".join(texts), name if uses else "", "  ")
    for part in card.texts:
        for line in part.lines:
            yield from _wrap(line, part.name, "  ")
    yield from _boxes(card)
    yield from _wrap("  ".join(f"{name}: ____" for name in card.blanks), "", "  ")
    yield from _notes(card.notes, "  ")
    yield from _wrap(card.remark, "", "  ")


def _named(one: _Named) -> _Named:
    return replace(one, name=quoted(one.name)) if one.unit_name else one


def _unit(unit: UnitBlock, sheet: Sheet) -> Iterator[str]:
    """Yield such as "25 Citizen Spears, Standard Bearer, Musician (320)", and more set in."""
    taken = [option.name for option in unit.chosen if option.name not in unit.marks]
    price = f" ({unit.price})" if unit.price else ""
    yield from _wrap(", ".join((_named(unit).title, *unit.marks, *taken)) + price)
    scoring = _("Scoring") if unit.scoring else ""
    about = filter(None, (scoring, unit.condition, unit.armour, unit.unit_name, unit.build))
    yield from _wrap("; ".join(about), "", "  ")
    columns = sheet.army.columns if sheet.army else ()
    for row in unit.stats:
        pairs = zip(columns, row.values, strict=True)
        text = "  ".join(f"{column.short} {value}" for column, value in pairs if value)
        yield from _wrap(f"{text} {row.note}".strip(), row.name, "  ")
    items = [option.name for option in unit.items]
    for name, texts in (
        (_("Items"), items),
        (_("Comes with"), unit.given),
        (_("Rules"), unit.rules),
    ):
        yield from _wrap(", ".join(texts), name if texts else "", "  ")
    if unit.wizard:
        yield from _wrap("____  " * unit.wizard.spells, unit.wizard.label, "  ")
    yield from _notes(unit.notes, "  ")
    yield from _wrap(unit.remark, "", "  ")


def _boxes(card: SheetCard) -> Iterator[str]:
    """Return a row of boxes per model; one row stands for all where they would be many."""
    for track in card.tracks:
        row = "□" * track.boxes
        said, name = "  ".join(f"{number} {row}" for number in card.rows), track.label
        if card.models == 1:
            said = row
        elif len(row) > WIDTH // 2 or card.more:
            said, name = _("{number} each").format(number=track.each), track.name
        yield from _wrap(said, name, "  ")


def _notes(notes: str, indent: str) -> Iterator[str]:
    for line in notes.splitlines():
        yield from _wrap(line, "", indent)


def _entry(entry: SheetEntry) -> list[str]:
    citation = f"[{entry.citation}]" if entry.citation else ""
    return _wrap(" ".join(filter(None, (entry.summary, entry.note, citation))), entry.label)
