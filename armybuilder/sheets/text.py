"""A roster sheet as plain text, for mail, chat and terminals."""

import textwrap
from collections.abc import Iterable, Iterator
from itertools import groupby

from armybuilder.sheets.structure import Card, Entry, FactLine, Sheet, Uses

#: Columns of a line.
WIDTH = 80


def draw_text(sheet: Sheet) -> str:
    """The sheet in lines of at most 80 characters, each with a line end."""
    lines = [line.rstrip() for section in _sections(sheet) for line in (*section, "")]
    return "\n".join(lines[:-1]) + "\n"


def _sections(sheet: Sheet) -> Iterator[Iterable[str]]:
    """The parts of the sheet that have something to say, in the order of the printed one."""
    yield _head(sheet)
    yield from _titled("Findings", (line for found in sheet.findings for line in _finding(*found)))
    yield from _titled("Numbers", _numbers(sheet))
    yield from _titled("On game day", _facts(sheet.facts))
    yield from _titled("Notes", _notes(sheet.notes, "  "))
    yield ["UNITS", "-----"]
    for card in sheet.cards:
        yield _card(card)
    reminders = (Entry(line.name, line.text, "", str(line.citation)) for line in sheet.reminders)
    for title, entries in (
        ("Reminders", reminders),
        ("Special rules", sheet.glossary),
        ("Spells", sheet.spells),
        ("Terrain and battlefield", sheet.pieces),
    ):
        yield from _titled(title, (line for entry in entries for line in _entry(entry)))
    for table in sheet.tables:
        told = ((row[0], "; ".join(filter(None, row[1:]))) for row in table.rows)
        yield from _titled(table.name, (line for name, said in told for line in _wrap(said, name)))


def _titled(title: str, lines: Iterable[str]) -> Iterator[list[str]]:
    """A section under its title; none where it has no lines."""
    told = list(lines)
    if told:
        yield [title.upper(), "-" * len(title), *told]


def _wrap(text: str, name: str = "", indent: str = "") -> list[str]:
    """A paragraph "name: text", its further lines set in."""
    said = ": ".join(filter(None, (name, text)))
    return textwrap.wrap(said, WIDTH, initial_indent=indent, subsequent_indent=indent + "  ")


def _head(sheet: Sheet) -> Iterator[str]:
    yield from _wrap(sheet.title)
    yield "=" * min(len(sheet.title), WIDTH)
    yield from _wrap(", ".join((sheet.system, *sheet.books)))
    yield from _wrap(f"{sheet.points_name}: {sheet.spent} of {sheet.limit}, {sheet.models}")
    yield f"{sheet.verdict} Checked on {sheet.day}."


def _finding(severity: str, sentence: str, citation: str, reading: str) -> Iterator[str]:
    yield from _wrap(f"{sentence} [{citation}]", severity.upper())
    if reading:
        yield from _wrap(reading, "Our reading", "  ")


def _numbers(sheet: Sheet) -> Iterator[str]:
    for gauge in sheet.gauges:
        wrong = "" if gauge.ok else " (not met)"
        name = ", ".join(filter(None, (gauge.name, gauge.lineup)))
        yield from _wrap(f"{gauge.text}{wrong}", name)
    for setting in sheet.settings:
        yield from _wrap(setting.text, setting.name)


def _facts(facts: Iterable[FactLine]) -> Iterator[str]:
    for name, told in groupby(facts, lambda fact: fact.name):
        lines = list(told)
        said = "; ".join(f"{fact.text} {fact.lineup}".strip() for fact in lines)
        yield from _wrap(f"{said} [{lines[0].citation}] {lines[0].note}".strip(), name)


def _card(card: Card) -> Iterator[str]:
    yield from _wrap(f"{card.title} — {card.price}")
    about = filter(None, (card.unit_name, card.subtitle, *card.labels))
    yield from _wrap("; ".join(about), "", "  ")
    yield from _wrap("  ".join(f"{stat.label} {stat.value}" for stat in card.stats), "", "  ")
    yield from _wrap(", ".join(card.options), "Options" if card.options else "", "  ")
    for name, uses in (("Special rules", card.abilities), ("Spells", card.spells)):
        yield from _wrap(", ".join(map(_uses, uses)), name if uses else "", "  ")
    yield from _health(card)
    yield from _wrap("  ".join(f"{name}: ____" for name in card.blanks), "", "  ")
    yield from _notes(card.notes, "  ")
    yield from _wrap(card.remark, "", "  ")


def _health(card: Card) -> Iterator[str]:
    """A row of boxes per model; one row stands for all where they would be many."""
    row = "□" * card.boxes
    if card.boxes and (card.models == 1 or len(row) > WIDTH // 2 or card.more):
        yield from _wrap(f"{card.health} each" if card.models > 1 else row, "Health", "  ")
    elif card.boxes:
        yield from _wrap("  ".join(f"{number} {row}" for number in card.rows), "Health", "  ")


def _uses(use: Uses) -> str:
    return f"{use.label} {'□' * min(use.boxes, 20)}".strip()


def _notes(notes: str, indent: str) -> Iterator[str]:
    for line in notes.splitlines():
        yield from _wrap(line, "", indent)


def _entry(entry: Entry) -> list[str]:
    citation = f"[{entry.citation}]" if entry.citation else ""
    return _wrap(" ".join(filter(None, (entry.summary, entry.note, citation))), entry.label)
