"""Tables of units in a text: CSV, or cells between strokes, tabs or wide spaces, below headings."""

import csv
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from armybuilder.exchange.pasting.fields import (
    DIGITS,
    NAMED,
    STAT_MARK,
    heading_key,
    kind_of,
    said_on_a_line,
)
from armybuilder.exchange.pasting.rows import PastedRow, cells_in, is_rule

#: What parts the cells of a table.
_MARKS: Final = (r"\|", r"\t", r"\s{2,}", ";", ",")
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
        return said_on_a_line(texts) if texts.get("name") else ", ".join(filter(None, cells))


def untabled(rows: Sequence[PastedRow], stats: Sequence[Mapping[str, str]]) -> Iterator[PastedRow]:
    """Yield the rows, those of tables as one line each; headings are of kind "told".

    `stats`: names of statistics, and short ones, of each game with own models.
    """
    table: Table | None = None
    for place, row in enumerate(rows):
        if head := _table(row, rows[place + 1 :], stats):
            table = head
            yield replace(row, kind="told")
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
        words = ["number" if cell.strip() in ("#", "№") else heading_key(cell) for cell in cells]
        known = next((one for one in stats if set(one.values()) <= {*map(one.get, words)}), {})
        if len(words) < 2 or not (known or all(word in NAMED for word in words if word)):
            continue
        cells = cells_of(first, mark)
        numbers = [DIGITS.fullmatch(cell) is not None for cell in cells] + [False] * len(words)
        kinds = [
            f"{STAT_MARK}{known[word]}" if word in known else kind_of(word, number)
            for word, number in zip(words, numbers, strict=False)
        ]
        if "name" in kinds or known:
            return Table((*(kinds if "name" in kinds else ("name", *kinds[1:])),), mark)
    return None


def cells_of(text: str, mark: str) -> list[str]:
    """Return the cells of a row; those of CSV may be in quotation marks."""
    if mark in ",;" and '"' in text:
        return [*map(str.strip, next(csv.reader([text], delimiter=mark, skipinitialspace=True)))]
    return cells_in(text, rf"{mark}(?![^(]*\))" if mark == "," else mark)
