"""The full form: the whole roster sheet as plain text, for mail and terminals."""

import textwrap
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from typing import TypeVar

from django.utils.translation import gettext as _

from armybuilder.loading.deadline import checked
from armybuilder.sheets.content.structure import (
    FactLine,
    FindingLine,
    Sheet,
    SheetArmy,
    SheetCard,
    SheetEntry,
    UnitBlock,
    Uses,
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
    """Return the parts of the sheet that have something to say, in the order of the printed one."""
    yield _head(sheet)
    yield from _titled(
        _("Findings"), (line for found in sheet.findings for line in _finding(found))
    )
    if sheet.army:
        yield from _titled(_("Categories"), _shares(sheet.army))
    yield from _titled(_("Numbers"), _numbers(sheet))
    yield from _titled(_("On game day"), _facts(sheet.facts))
    yield from _titled(_("Notes"), _notes(sheet.notes, "  "))
    if sheet.army is None:
        title = _("Units").upper()
        yield [title, "-" * len(title)]
    for card in checked(sheet.cards):
        yield _card(card)
    for division in sheet.army.divisions if sheet.army else ():
        told = (line for unit in checked(division.units) for line in _unit(unit, sheet))
        yield from _titled(division.title, told)
    reminders = (
        SheetEntry(line.name, line.text, "", str(line.citation)) for line in sheet.reminders
    )
    for title, entries in (
        (_("Reminders"), reminders),
        (_("Special rules"), sheet.glossary),
        (_("Spells"), sheet.spells),
        (_("Terrain and battlefield"), sheet.pieces),
    ):
        yield from _titled(title, (line for entry in entries for line in _entry(entry)))
    for table in sheet.tables:
        rows = ((row[0], _cells(table.columns[1:], row[1:])) for row in table.rows)
        lines = (line for name, said in rows for line in _wrap(said, name))
        yield from _titled(table.name, lines)


def _titled(title: str, lines: Iterable[str]) -> Iterator[list[str]]:
    """Return a section under its title; none where it has no lines."""
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


def _cells(columns: Sequence[str], cells: Sequence[str]) -> str:
    """Return a row of a table in words; of several columns each cell with its heading."""
    pairs = [(column, cell) for column, cell in zip(columns, cells, strict=True) if cell]
    if len(columns) == 1:
        return "; ".join(pair[1] for pair in pairs)
    return "; ".join(f"{column}: {cell}" for column, cell in pairs)


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


def _finding(finding: FindingLine) -> Iterator[str]:
    yield from _wrap(f"{finding.sentence} [{finding.citation}]", finding.word.upper())
    if finding.reading:
        yield from _wrap(finding.reading, _("Our reading"), "  ")


def _numbers(sheet: Sheet) -> Iterator[str]:
    for gauge in sheet.gauges:
        name = ", ".join(filter(None, (gauge.name, gauge.lineup)))
        yield from _wrap(gauge.said, name)
    for setting in sheet.settings:
        yield from _wrap(setting.text, setting.name)


def _facts(facts: Iterable[FactLine]) -> Iterator[str]:
    for name, told in groupby(facts, lambda fact: fact.name):
        lines = list(told)
        said = "; ".join(f"{fact.text} {fact.lineup}".strip() for fact in lines)
        yield from _wrap(f"{said} [{lines[0].citation}] {lines[0].note}".strip(), name)


def _card(card: SheetCard) -> Iterator[str]:
    yield from _wrap(f"{_named(card).title} — {card.price}")
    about = filter(None, (card.unit_name, card.subtitle, *card.labels))
    yield from _wrap("; ".join(about), "", "  ")
    yield from _wrap("  ".join(f"{stat.label} {stat.value}" for stat in card.stats), "", "  ")
    yield from _wrap(", ".join(card.options), _("Options") if card.options else "", "  ")
    yield from _wrap(", ".join(card.keywords), _("Keywords") if card.keywords else "", "  ")
    for name, uses in ((_("Special rules"), card.abilities), (_("Spells"), card.spells)):
        yield from _wrap(", ".join(map(_uses, uses)), name if uses else "", "  ")
    for part in card.texts:
        for line in part.lines:
            yield from _wrap(line, part.name, "  ")
    yield from _boxes(card)
    yield from _wrap("  ".join(f"{name}: ____" for name in card.blanks), "", "  ")
    yield from _notes(card.notes, "  ")
    yield from _wrap(card.remark, "", "  ")


def _named(one: _Named) -> _Named:
    """Return a unit with the player's name for it in quotation marks, so that nothing in the name
    is taken for more than that.
    """
    return replace(one, name=quoted(one.name)) if one.unit_name else one


def _shares(army: SheetArmy) -> Iterator[str]:
    """Return a line per category, and what is left of the game size."""
    for share in (*army.shares, army.total):
        said = f"{share.points}, {share.per_cent} %, {share.bound}: {share.state_word}"
        yield from _wrap(said, share.name)
    if army.left is not None:
        yield _("Left: {points}").format(points=army.left)


def _unit(unit: UnitBlock, sheet: Sheet) -> Iterator[str]:
    """A line such as "25 Citizen Spears, Standard Bearer, Musician (320)", and more set in."""
    taken = [option.name for option in unit.chosen if option.name not in unit.marks]
    price = f" ({unit.price})" if unit.price else ""
    yield from _wrap(", ".join((_named(unit).title, *unit.marks, *taken)) + price)
    scoring = _("Scoring") if unit.scoring else ""
    about = filter(None, (scoring, unit.condition, unit.armour, unit.unit_name, unit.build))
    yield from _wrap("; ".join(about), "", "  ")
    columns = sheet.army.columns if sheet.army else ()
    for row in unit.stats:
        pairs = zip(columns, row.values, strict=True)
        said = "  ".join(f"{column.short} {value}" for column, value in pairs if value)
        yield from _wrap(f"{said} {row.note}".strip(), row.name, "  ")
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


def _uses(use: Uses) -> str:
    return f"{use.label} {'□' * min(use.boxes, 20)}".strip()


def _notes(notes: str, indent: str) -> Iterator[str]:
    for line in notes.splitlines():
        yield from _wrap(line, "", indent)


def _entry(entry: SheetEntry) -> list[str]:
    citation = f"[{entry.citation}]" if entry.citation else ""
    return _wrap(" ".join(filter(None, (entry.summary, entry.note, citation))), entry.label)
