"""What the lines of a text are, as far as its form alone tells: head, headings, units, details."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from armybuilder.exchange.pasting import full_form
from armybuilder.exchange.pasting.head import HeadCount, find_count
from armybuilder.exchange.pasting.languages import is_word
from armybuilder.exchange.pasting.parts import PastedItem
from armybuilder.exchange.pasting.rows import PastedRow
from armybuilder.loading.deadline import checked
from armybuilder.loading.library import Library

_UNIT = re.compile(r"\d{1,3} \S")
_RULE = re.compile(r"[-=_*#~\s]+")
_TOTAL = re.compile(
    r"(?:(?:grand |army )?total|points|gesamt(?:punkte)?|summe|punkte|army points|left|rest)"
    r"\b\W*(?:points|pts|punkte)?\W*(\d{1,6})\b.*",
    re.I,
)


@dataclass(frozen=True, slots=True)
class PastedForm:
    """The items of a text. `numbers` is the line of numbers that only forms of ours have."""

    items: tuple[PastedItem, ...]
    numbers: HeadCount | None


def read_form(rows: Sequence[PastedRow], library: Library) -> PastedForm:
    """What each line is. In a text of another form most may be anything ("maybe")."""
    count = find_count(rows)
    if count is None:
        return PastedForm(tuple(_of_others(rows)), None)
    if full_form.is_full(rows):
        tables = {
            table.name.casefold() for system in library.systems.values() for table in system.tables
        }
        return PastedForm(tuple(full_form.items(rows, count, tables)), count)
    return PastedForm((*_head(rows, count), *_body(rows, count)), count)


def _of_others(rows: Sequence[PastedRow]) -> Iterator[PastedItem]:
    for row in checked(rows):
        kind = "maybe"
        if not row.text or _RULE.fullmatch(row.text):
            kind = "empty"
        elif row.heading:
            kind = "heading"
        elif _TOTAL.fullmatch(row.words):
            kind = "total"
        yield PastedItem(kind, (row.number,), row.text, row.level, row.note)


def total_of(text: str) -> int | None:
    """The points in a line that tells a total."""
    found = _TOTAL.fullmatch(" ".join(text.split()))
    return int(found[1]) if found else None


def _start(rows: Sequence[PastedRow], count: HeadCount) -> int:
    """The number of the first line of the body: behind the first empty line of a plain form, at
    the first heading of one with marks.
    """
    below = rows[count.row :]
    if rows[0].heading and rows[0].raw.startswith("#"):
        return next((row.number for row in below if row.heading), len(rows) + 1)
    if rows[0].heading:
        pairs = zip(below, rows[count.row + 1 :], strict=False)
        for row, then in pairs:
            after = then if then.raw.strip() else _behind(rows, then)
            if row.heading and after is not None and "[list]" in after.raw.lower():
                return row.number
            if row.heading and is_word("Notes", row.text):
                return row.number
        return len(rows) + 1
    return next((row.number for row in below if not row.text), len(rows) + 1)


def _behind(rows: Sequence[PastedRow], row: PastedRow) -> PastedRow | None:
    """The next line with something on it."""
    return next((then for then in rows[row.number :] if then.raw.strip()), None)


def _head(rows: Sequence[PastedRow], count: HeadCount) -> Iterator[PastedItem]:
    told = 0
    for row in rows[: _start(rows, count) - 1]:
        kind = "head"
        if not row.text:
            kind = "empty"
        elif row.number == count.row:
            kind = "count"
        elif row.number < count.row:
            kind = ("title", "verdict")[min(told, 1)]
            told += 1
        text = row.text if row.heading or kind != "title" else row.raw.strip()
        yield PastedItem(kind, (row.number,), text)


def _body(rows: Sequence[PastedRow], count: HeadCount) -> Iterator[PastedItem]:
    marked = rows[0].heading
    notes = False
    for row in rows[_start(rows, count) - 1 :]:
        kind = "detail"
        if not row.text:
            kind = "empty"
        elif notes:
            kind = "list note"
        elif marked and row.heading:
            kind = "heading"
            notes = is_word("Notes", row.text)
        elif row.level == 0 and _UNIT.match(row.text):
            kind = "unit"
        elif row.level == 0 and row.text.endswith(":") and not marked:
            kind = "heading"
        elif row.note:
            kind = "unit note"
        yield PastedItem(kind, (row.number,), row.text, row.level)
