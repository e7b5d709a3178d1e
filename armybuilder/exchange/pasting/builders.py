"""Texts of other army builders.

Rosters that BattleScribe prints, copied from a PDF or web page, have "Selections: …" below a unit.
Texts of Old World Builder, New Recruit and BattleScribe have categories between plus signs,
"++ Core [900 pts] ++", units with points in square brackets, and the options of a unit on the
lines below it. In chats a heading has number signs.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from armybuilder.exchange.pasting.parts import number_in, shape
from armybuilder.exchange.pasting.rows import PastedRow
from armybuilder.loading.deadline import checked

#: The rows of a builder's text, and its points.
FormRows = tuple[tuple[PastedRow, ...], int | None]
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
    """A unit while its rows are read: its title, its options, and the rows of both."""

    title: PastedRow
    taken: list[str] = field(default_factory=list)
    rows: list[int] = field(default_factory=list)
    open: bool = True


def read_printed(rows: Sequence[PastedRow]) -> FormRows | None:
    """Return the classified rows of a printed roster, and its points."""
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

    def read(self) -> FormRows:
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
        """Begin a unit with its options, or add models of the unit that is still open."""
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
        return "heading" if _PRICED.fullmatch(row.words) else "repeated"

    def _named(self, rows: Sequence[PastedRow]) -> Sequence[PastedRow]:
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


_POINTS = r"\[\s*(?P<points>\d[\d.,]*)\s*<letter>*\.?\s*\]"
#: "++ Core [900 pts] ++", "+ Core + [900pts]", "++ Total: [4,500pts] ++".
_PLUS = shape(rf"\+{{1,2}} (?P<name>[^+\[]+?)\s*(?:{_POINTS}\s*)?\+{{1,2}}\s*(?:\[[^\]]*\])?")
#: "### Core [900 pts]".
_HASH = shape(rf"#{{1,4}} (?P<name>[^\[]+?)\s*(?:{_POINTS})?")
_TITLE = shape(rf"(?:#{{1,4}} )?(?P<name>.+?)\s*{_POINTS}")
#: "Spearmen [20] [120pts]": the number of models behind the name.
_SIZED = shape(rf"(?P<name>.+?) \[(?P<models>\d{{1,3}})\] (?={_POINTS})")
_UNIT_PRICED = shape(rf".*\S\s*{_POINTS}(?:\s*[:,].*)?")
_TAKEN = re.compile(r"(?:-#|[-.•·*](?:\s*[.•·])*)\s+(?P<marked>.+)|\((?P<bracketed>.+)\)")
#: "[Prince] M(5) WS(6)", "M(5) WS(6)".
_STATS = shape(r"(?:\[[^\]]*\]\s*)?(?:<letter>{1,4}\s?\([^)]*\)\s*)+")
_LABELLED = re.compile(r"[^:]{1,40}:.*")
_PAGE = shape(r"\s*<open>p(?:age|\.)?\s?\d+[^\])]*<close>")
_MADE_BY = shape("<builder>")
#: Begins a line that says what program wrote a list, or where that is found.
FOOT = shape(r"\W*(?:created|made|written|erstellt|créé)\b.*<builder>|\W*https?://")
_LONG_RULE = re.compile(r"[-=]{3,}")
_BOLD = re.compile(r"\*\*|__")


def read_builder(rows: Sequence[PastedRow]) -> FormRows | None:
    """Return the classified rows of another army builder's text, and its points."""
    lines = [_BOLD.sub("", " ".join(row.raw.split())) for row in rows]
    headings = [found["name"] for line in lines if (found := _PLUS.fullmatch(line))]
    plus = any(not _is_total(name) for name in headings)
    chat = any(line.startswith("-# (") for line in lines) and any(map(_HASH.fullmatch, lines))
    if not plus and not chat:
        return None
    builder = _BuilderLines(lines, chat and not plus, any(row.level and row.text for row in rows))
    classified = []
    for row, line, above in zip(checked(rows), lines, ["", *lines], strict=False):
        kind, text = builder.classify(row, line, above)
        classified.append(replace(row, kind=kind, text=text))
    return tuple(classified), builder.total or builder.in_categories or None


class _BuilderLines:
    """The lines of another builder's text, from its head to its foot."""

    def __init__(self, lines: Sequence[str], chat: bool, set_in: bool) -> None:
        self.chat = chat
        self.priced = any(_UNIT_PRICED.fullmatch(line) for line in lines)
        self.set_in = not self.priced and set_in
        self.total: int | None = None
        self.in_categories = 0
        self.place = "head"
        self.named = False

    def classify(self, row: PastedRow, line: str, above: str) -> tuple[str, str]:
        """Return what kind a line is, and its text without marks."""
        if not line:
            return "empty", ""
        if _LONG_RULE.fullmatch(line):
            self.place = "foot" if self.place == "units" else self.place
            return "empty", ""
        heading = (_HASH if self.chat else _PLUS).fullmatch(line)
        if heading and (self.named or not self.chat):
            return self._heading(heading)
        if self.place == "head" and self.named:
            return "head", line
        if self.place == "head":
            self.named = True
            title = _TITLE.fullmatch(line)
            if title:
                self.total = number_in(title["points"])
            return "title", title["name"] if title else line.lstrip("# ")
        if self.place == "foot" or _MADE_BY.search(line):
            self.place = "foot"
            return "repeated", line
        first = row.level == 0 if self.chat else not self._is_below(row, line, above)
        if first:
            text = line.removeprefix("- ") if self.chat else line
            counted = _SIZED.match(text)
            if counted:
                text = f"{counted['models']} {counted['name']} {text[counted.end() :]}"
            return "unit", text
        taken = _TAKEN.fullmatch(line)
        if self.chat and taken and not line.startswith("-#"):
            line, taken = taken["marked"], None
        if taken:
            # Names without pages; the name of a group may precede them.
            names = taken["marked"] or taken["bracketed"]
            names = names[1:-1] if names.startswith("(") and names.endswith(")") else names
            return "taken", _PAGE.sub("", names).replace("[", "(").replace("]", ")")
        again = _STATS.fullmatch(line) or _LABELLED.fullmatch(line)
        return ("repeated" if again else "taken" if self.set_in else "unit note"), line

    def _heading(self, heading: re.Match[str]) -> tuple[str, str]:
        name, points = heading["name"].strip(), number_in(heading["points"] or "")
        if _is_total(name):
            self.total, self.place = points, "foot"
            return "total", f"{name.rstrip(':')}: {points}"
        if self.place == "head" and name.endswith(")"):
            self.total = points
            return "head", name
        self.place = "units"
        self.in_categories += points
        return "heading", name

    def _is_below(self, row: PastedRow, line: str, above: str) -> bool:
        if _TAKEN.fullmatch(line) or _STATS.fullmatch(line):
            return True
        if self.priced:
            return not _UNIT_PRICED.fullmatch(line)
        if self.set_in:
            return row.level > 0
        return bool(above) and not _PLUS.fullmatch(above)


def _is_total(name: str) -> bool:
    return name.rstrip(":").casefold() in ("total", "gesamt", "totale")
