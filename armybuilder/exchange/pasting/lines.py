"""Kinds of rows in a pasted text, by form alone.

It may be one of our own forms, another army builder's text, or a player's own.
"""

import csv
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from armybuilder.engine.names import simple
from armybuilder.exchange.pasting import data, own_forms
from armybuilder.exchange.pasting.builders import read_builder, read_printed
from armybuilder.exchange.pasting.parts import STATS, is_rule, number_in, shape
from armybuilder.exchange.pasting.rows import (
    PastedRow,
    ends_with_commas,
    goes_on,
    uncounted,
    undressed,
    unhyphenated,
)
from armybuilder.loading.deadline import checked
from armybuilder.loading.library import Library

_TOTAL = shape(
    r"(?:<total>|points|punkte|army points|(?:points )?(?:spent|used))\b\W*(?:<points>|cost)?\W*"
    r"(?:(?:spent|used)\W+)?"
    r"(?P<points><number>)(?!\d)\s*<points>?(?:\W*(?:/|of|von|out of)\W*(?P<size><number>)\b)?"
    r"(?:.*?(?P<left><number>)\s*<points>?\s*<left>)?.*"
)
#: The same as a number alone, below the units; and the size of the game, and the points left of it.
_BARE_TOTAL = shape(
    r"\W*(?P<models>\d{1,3}\s*<model>\W+)?(?P<points><large>)\W*<points>?\W*(?:(?:in )?<total>)?\W*"
    r"(?:/\W*(?P<size><number>)\b.*|(?P<behind>\d{1,3}\s*(?:<model>|activations|units)\W*)"
    r"|(?P<left><number>)\s*<points>?\s*<left>\W*)?"
)
_REST = shape(
    r"\W*(?:<points>\s*)?(?:<left>\W*(?P<left><number>)|(?P<before><number>)\s*<points>?\s*<left>"
    r"|(?:(?:game|points?|army|agreed)\s)*(?:size|limit|budget|value)\s*[:=]\s*(?P<size><large>))\W*<points>?\W*"
)
#: Details about a list, and its numbers that are not points.
_ABOUT = shape(
    r"(?:author|by|club|event|tournament|league|round|date|country|city|edition|version|notes?)"
    r"\s*:\s*\S.*"
)
_COUNTS = shape(
    r"(?:drops|units|<model>|scoring(?: units)?|deployments?|activations)\s*[:=]\s*\d{1,3}"
)
#: What there is none of: "Reserve: none".
_NONE = re.compile(
    r"\w[\w ]{1,30}:\s*(?:none|n/?a|keine?|aucune?|nessun[oa]|ningun[oa]|[-–]+)\W*"
    r"|no (?:special )?(?:rules|abilities)\W*",
    re.I,
)
#: A table's cell that is no unit.
_SUMMED = shape("<total>")
#: Lines above which a number alone is the game's size.
_TOP = 2


@dataclass(frozen=True, slots=True)
class PastedForm:
    """The classified rows of a text.

    `numbers` is the line of numbers that only our forms have; `total` the points in another
    builder's text.
    """

    rows: tuple[PastedRow, ...]
    numbers: own_forms.HeadCount | None = None
    total: int | None = None


def read_form(rows: Sequence[PastedRow], library: Library) -> PastedForm:
    """Return what each row is. In a text of another form most may be anything ("maybe")."""
    systems = library.systems.values()
    if count := own_forms.find_count(rows):
        tables = {table.name.casefold() for system in systems for table in system.tables}
        return PastedForm(tuple(own_forms.own_rows(rows, count, tables)), count)
    if found := read_printed(rows) or read_builder(rows):
        return PastedForm(found[0], total=found[1])
    stats = [
        {
            simple(name): one.short
            for one in game.stats.values()
            for name in (one.name, one.short, *STATS.get(one.name.casefold(), ()))
        }
        for game in systems
        if game.own_models
    ]
    return PastedForm(tuple(_of_others([*untabled(rows, stats)])))


def _of_others(rows: Sequence[PastedRow]) -> Iterator[PastedRow]:
    """Yield the rows of a player's own text, those that go on with a unit joined to it."""
    rows = [replace(row, text=undressed(row.text)) for row in uncounted(rows)]
    commas = ends_with_commas(rows)
    seen = end = 0
    for place, row in enumerate(checked(rows), 1):
        if place <= end:
            continue
        seen += bool(row.text)
        kind = row.kind or _kind_of(row, seen <= _TOP)
        if kind != "maybe":
            yield replace(row, kind=kind, text=own_forms.note_in(row.raw) or row.text)
            continue
        text, end = row.text, place
        while (
            end < len(rows)
            and not (rows[end].heading or _TOTAL.fullmatch(rows[end].words))
            and goes_on(text, rows[end].text, commas)
        ):
            text = f"{text} {rows[end].text}"
            end += 1
        joined = tuple(one.number for one in rows[place:end])
        yield replace(row, kind=kind, text=unhyphenated(text), joined=joined)


def _kind_of(row: PastedRow, on_top: bool) -> str:
    """Return the kind of a row; a number alone `on_top` is the size of the game."""
    if own_forms.note_in(row.raw):
        return "unit note" if row.level else "list note"
    if not row.text or is_rule(row.text):
        return "empty"
    if row.heading:
        return "heading"
    if _ABOUT.fullmatch(row.text):
        return "unit note" if row.level else "list note"
    if _COUNTS.fullmatch(row.text) or _NONE.fullmatch(row.text):
        return "repeated"
    sums = total_in(row.words)
    return "total" if sums and not (on_top and sums.bare) else "maybe"


class Sums(NamedTuple):
    """Totals in a line: points `spent`, the game's `size`, points `left` of it.

    None if missing; `bare`: it is one number alone.
    """

    spent: int | None = None
    size: int | None = None
    left: int | None = None
    bare: bool = False


def total_in(words: str) -> Sums | None:
    """Return the sums in a line such as "Total: 4,480 / 4,500", "4498", "Left: 20"; else None."""
    words = words.strip("+=*#~ ")
    total = _TOTAL.fullmatch(words) or _BARE_TOTAL.fullmatch(words) or _REST.fullmatch(words)
    if total is None:
        return None
    told = {key: number_in(said) for key, said in total.groupdict().items() if said}
    bare = total.re is _BARE_TOTAL and len(told) == 1
    return Sums(told.get("points"), told.get("size"), told.get("left", told.get("before")), bare)


# Tables: CSV, or cells between strokes, tabs or wide spaces, below headings

#: What parts the cells of a table.
_MARKS: Final = (r"\|", r"\t", r"\s{2,}", ";", ",", r"\s/\s")
#: Letters of a row of headings.
_LONGEST: Final = 300


@dataclass(frozen=True, slots=True)
class Table:
    """Columns of a table, and the pattern of the separator of its cells."""

    kinds: tuple[str, ...]
    mark: str

    def text(self, cells: Sequence[str]) -> str:
        """Return a row as players write it on one line: "2x Rats, Q5, C1, Swarm, 5 pts"."""
        texts: dict[str, str] = {}
        for kind, cell in zip(self.kinds, cells, strict=False):
            if kind and cell:
                texts[kind] = f"{texts[kind]}, {cell}" if kind in texts else cell
        if _SUMMED.fullmatch(texts.get("name", "")):
            return f"Total: {next(filter(None, map(number_in, reversed(cells))), 0)}"
        return data.said_on_a_line(texts) if texts.get("name") else ", ".join(filter(None, cells))


def untabled(rows: Sequence[PastedRow], stats: Sequence[Mapping[str, str]]) -> Iterator[PastedRow]:
    """Yield the rows, those of tables as one line each; headings are of kind "repeated".

    `stats`: names of statistics, and short ones, of each game with own models.
    """
    table: Table | None = None
    for place, row in enumerate(rows):
        if head := _table(row, rows[place + 1 :], stats):
            table = head
            yield replace(row, kind="repeated")
            continue
        if table and row.text and not is_rule(row.text):
            cells = cells_of(row.text, table.mark)
            if 1 < len(cells) <= len(table.kinds) + 1:
                row = replace(row, text=table.text(cells))
            else:
                table = None
        yield row


def _table(
    row: PastedRow, below: Sequence[PastedRow], stats: Sequence[Mapping[str, str]]
) -> Table | None:
    """Return the table that a row is the heading of; None of another row."""
    if len(row.text) > _LONGEST or not row.text:
        return None
    first = next((one.text for one in below if one.text and not is_rule(one.text)), "")
    for mark in _MARKS:
        cells = cells_of(row.text, mark)
        words = [
            "number" if cell.strip() in ("#", "№") else data.heading_key(cell) for cell in cells
        ]
        known = next((one for one in stats if set(one.values()) <= {*map(one.get, words)}), {})
        if len(words) < 2 or not (known or all(word in data.NAMED for word in words if word)):
            continue
        cells = cells_of(first, mark)
        numbers = [data.DIGITS.fullmatch(cell) is not None for cell in cells] + [False] * len(words)
        kinds = [
            f"{data.STAT_MARK}{known[word]}" if word in known else data.kind_of(word, number)
            for word, number in zip(words, numbers, strict=False)
        ]
        if "name" in kinds or known:
            return Table((*(kinds if "name" in kinds else ("name", *kinds[1:])),), mark)
    return None


def cells_of(text: str, mark: str) -> list[str]:
    """Return the cells of a row; those of CSV may be in quotation marks."""
    if mark in ",;" and '"' in text:
        return [*map(str.strip, next(csv.reader([text], delimiter=mark, skipinitialspace=True)))]
    between = rf"{mark}(?![^(]*\))" if mark == "," else mark
    return [cell.strip(' *_"') for cell in re.split(between, text.strip(" |"))]
