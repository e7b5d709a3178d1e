"""Tables of units in a text: CSV, or cells between strokes, tabs or wide spaces, below headings."""

import csv
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from armybuilder.engine.names import simple
from armybuilder.exchange.pasting.parts import shape
from armybuilder.exchange.pasting.rows import PastedRow, cells_in, is_rule

#: What parts the cells of a table.
_MARKS: Final = (r"\|", r"\t", r"\s{2,}", ";", ",")
#: What columns are called, by what they hold. Of two that a word may mean the cells tell which.
_HEADINGS: Final[Mapping[str, str]] = {
    "name": "name, unit, units, unit name, model, models, figure, figures, profile, type, character"
    ", troop, troops, creature, card, entry, miniature, regiment, einheit, unité, unidad, unità"
    ", modell",
    "number": "number, no, qty, quantity, count, nr, x, amount, size, unit size, models"
    ", model count, figures, anzahl, modelle, nombre, cantidad, quantità, how many, num",
    "rules": "special rules, rules, special, specials, abilities, special abilities, options"
    ", option, upgrades, upgrade, equipment, gear, wargear, extras, loadout, items"
    ", optionen, ausrüstung",
    "each": "points, pts, cost, points each, pts each, each, point cost, price, points per model"
    ", value, punkte, prix, puntos, punti, kosten",
    "total": "total, total points, total pts, sum, total cost, subtotal, gesamt",
    "": "category, slot, section, kategorie, faction, army, side, id, page",
    "notes": "notes, note, comment, comments, remarks, painted, role, roles",
}
_DIGITS: Final = re.compile(r"\D{0,2}(\d{1,5})\D{0,8}")
#: Stands before the short name of a statistic, where columns are named.
_STAT: Final = "="
#: Letters of a row of headings.
_LONGEST: Final = 300
_NAMED: Final = {
    word: tuple(kind for kind, words in _HEADINGS.items() if word in map(simple, words.split(",")))
    for word in {simple(word) for words in _HEADINGS.values() for word in words.split(",")}
}
_BETWEEN: Final = shape(r"\s*[;|\n]\s*")


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
        if not texts.get("name"):
            return ", ".join(filter(None, cells))
        number = _DIGITS.fullmatch(texts.get("number", ""))
        stats = [f"{key[1:]}{texts[key]}" for key in texts if key[0] == _STAT]
        parts = [f"{number[1]}x {texts['name']}" if number else texts["name"], *stats]
        parts += [_BETWEEN.sub(", ", texts.get(key, "")) for key in ("rules", "notes")]
        said = ((key, _DIGITS.fullmatch(texts.get(key, ""))) for key in ("each", "total"))
        prices = {key: price[1] for key, price in said if price}
        if len(prices) == 2 and stats:
            parts += [f"{points} {key}" for key, points in prices.items()]
        elif prices:
            parts.append(f"{prices.get('total') or prices['each']} pts")
        return ", ".join(filter(None, parts))


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
        words = ["number" if cell.strip() in ("#", "№") else simple(cell) for cell in cells]
        known = next((one for one in stats if set(one.values()) <= {*map(one.get, words)}), {})
        if len(words) < 2 or not (known or all(word in _NAMED for word in words if word)):
            continue
        cells = cells_of(first, mark)
        numbers = [_DIGITS.fullmatch(cell) is not None for cell in cells] + [False] * len(words)
        kinds = [
            f"{_STAT}{known[word]}" if word in known else _kind(word, number)
            for word, number in zip(words, numbers, strict=False)
        ]
        if "name" in kinds or known:
            return Table((*(kinds if "name" in kinds else ("name", *kinds[1:])),), mark)
    return None


def _kind(heading: str, is_number: bool) -> str:
    """Return what the column of a heading holds, of which one cell is a number or a text."""
    kinds = _NAMED.get(heading, ("notes",) if heading else ("",))
    return next((one for one in kinds if (one != "name") is is_number), kinds[0])


def cells_of(text: str, mark: str) -> list[str]:
    """Return the cells of a row; those of CSV may be in quotation marks."""
    if mark in ",;" and '"' in text:
        return [*map(str.strip, next(csv.reader([text], delimiter=mark, skipinitialspace=True)))]
    return cells_in(text, rf"{mark}(?![^(]*\))" if mark == "," else mark)
