"""Rosters that BattleScribe prints, copied from a PDF or web page: "Selections: …" below a unit."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from armybuilder.exchange.pasting.parts import number_in, shape
from armybuilder.exchange.pasting.rows import PastedRow
from armybuilder.loading.deadline import checked

_LABEL = re.compile(r"\W{0,2}(?P<label>[^\W_][^:,\[\]]{0,39}):(?:\s+(?P<text>.*)|$)")
_PRICE = shape(r"\s*\[[^\[\]]*?(?P<points>\d[\d.,]*)\s?<points>[^\[\]]*\]")
_PRICED = shape(rf".*\S{_PRICE.pattern}\W*")
#: What programs print at the edges of pages.
_EDGE = re.compile(
    r"\W*(?:page\s)?\d{1,3}\s?(?:/|of)\s?\d{1,3}\W*|page\s\d{1,3}|.*\b(?:created|made) with\b.*"
    r"|.*https?://.*|www\.\S+|(?:\d{1,4}[./-]){2}\d{1,4}.*",
    re.I,
)
_COUNTED = shape(r"\d{1,3}\s?<x>\s")


@dataclass
class _Entry:
    """A unit while its rows are read: its title, what it has, and the rows of both."""

    title: PastedRow
    taken: list[str] = field(default_factory=list)
    rows: list[int] = field(default_factory=list)
    open: bool = True


def read_printed(rows: Sequence[PastedRow]) -> tuple[tuple[PastedRow, ...], int | None] | None:
    """Return the classified rows of a printed roster and its points; None for another text."""
    selections = [row for row in rows if _label(row) == "selections"]
    if not selections or not any(_PRICED.fullmatch(row.words) for row in rows):
        return None
    return _Printed(rows).read()


def _label(row: PastedRow) -> str:
    match = _LABEL.fullmatch(row.words)
    return match["label"].casefold() if match else ""


class _Printed:
    """The rows of one roster, from its title to its last unit."""

    def __init__(self, rows: Sequence[PastedRow]) -> None:
        self.rows = rows
        self.categories = any(_label(row) == "categories" for row in rows)
        self.title = next((row.words for row in rows if row.text), "")
        self.entries: list[_Entry] = []
        #: The last line without a label: a unit's name, if what it has follows.
        self.pending: PastedRow | None = None
        self.listing = False

    def read(self) -> tuple[tuple[PastedRow, ...], int | None]:
        """Return the rows with their kinds, and the points in the title."""
        for row in checked(self.rows):
            if row.text and not (_EDGE.fullmatch(row.words) or self._again(row)):
                self._take(row)
        titles = {entry.title.number: entry for entry in self.entries}
        within = {number for entry in self.entries for number in entry.rows}
        first = min(titles, default=len(self.rows) + 1)
        kept = []
        for row in self.rows:
            if row.number in titles:
                kept.append(_unit(titles[row.number], self.rows))
            elif row.number not in within:
                kept.append(replace(row, kind=self._kind(row, first)))
        prices = filter(None, (_PRICE.search(row.words) for row in self.rows[: first - 1]))
        points = (number_in(price["points"]) for price in prices)
        return tuple(self._named(kept)), max(points, default=0) or None

    def _again(self, row: PastedRow) -> bool:
        """Return whether a row says the roster's title again, as at the top of each page."""
        return row.words == self.title and row.number > 1 and bool(self.entries)

    def _take(self, row: PastedRow) -> None:
        label = _LABEL.fullmatch(row.words)
        last = self.entries[-1] if self.entries else None
        if label is None:
            if self.listing and last:
                last.taken.append(row.words)
                last.rows.append(row.number)
            self.pending = row
            return
        name, text = label["label"].casefold(), label["text"] or ""
        if name == "selections":
            self._begin(last, text, row)
        elif name == "categories" and last and last.open:
            last.open = self.listing = False
        elif name == "categories" and self.pending is not None:
            self.entries.append(_Entry(self.pending, open=False))
            self.listing = False
        else:
            self.listing = False
        self.pending = None

    def _begin(self, last: _Entry | None, text: str, row: PastedRow) -> None:
        """Begin a unit with what it has, or add models of the unit that is still open."""
        pending = self.pending or row
        models = _COUNTED.match(pending.words) is not None
        if last and last.open and (models or self.categories):
            if pending is not row and pending.number not in last.rows:
                last.taken.append(pending.words)
            if last.taken and pending is not row:
                last.taken[-1] = f", {pending.words},"
            last.taken.append(text)
        elif pending is not row:
            if last and last.rows and last.rows[-1] == pending.number:
                last.rows.pop()
                last.taken.pop()
            last = _Entry(pending, [text])
            self.entries.append(last)
        if last:
            last.rows += range(max([last.title.number, *last.rows]) + 1, row.number + 1)
            self.listing = True

    def _kind(self, row: PastedRow, first: int) -> str:
        if not row.text:
            return "empty"
        if row.number < first:
            return "head"
        return "heading" if _PRICED.fullmatch(row.words) else "told"

    def _named(self, rows: Sequence[PastedRow]) -> Sequence[PastedRow]:
        """Return the rows, of which the first above the units is the roster's name."""
        head = next((row for row in rows if row.kind not in ("empty", "heading")), None)
        if head is None or head.kind != "head":
            return rows
        named = replace(head, kind="title", text=_PRICE.sub("", head.words))
        return [named if row is head else row for row in rows]


def _unit(entry: _Entry, rows: Sequence[PastedRow]) -> PastedRow:
    """Return a unit's row as one line has it: "Outcast [425pts]: General, Light Armour"."""
    # Names that lines broke are whole again.
    parts = _PRICE.sub("", " ".join(entry.taken)).split(",")
    taken = ", ".join(filter(None, map(str.strip, parts)))
    text = f"{entry.title.words}: {taken}" if taken else entry.title.words
    last = max(entry.rows, default=entry.title.number)
    joined = tuple(row.number for row in rows if entry.title.number < row.number <= last)
    return replace(entry.title, kind="unit", text=text, joined=joined)
