"""Texts that other army builders write: Old World Builder, New Recruit and BattleScribe.

They have categories between plus signs, "++ Core [900 pts] ++", units with points in square
brackets, and what a unit takes on the lines below it. In chats a heading has number signs.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from armybuilder.exchange.pasting.rows import PastedItem, PastedRow
from armybuilder.loading.deadline import checked

_PRICE = r"\[\s*(?P<points>\d[\d.,]*)\s*[^\W\d]*\.?\s*\]"
#: "++ Core [900 pts] ++", "+ Core + [900pts]", "++ Total: [4,500pts] ++".
_PLUS = re.compile(rf"\+{{1,2}} (?P<name>[^+\[]+?)\s*(?:{_PRICE}\s*)?\+{{1,2}}\s*(?:\[[^\]]*\])?")
#: "### Core [900 pts]".
_HASH = re.compile(rf"#{{1,4}} (?P<name>[^\[]+?)\s*(?:{_PRICE})?")
_TITLE = re.compile(rf"(?:#{{1,4}} )?(?P<name>.+?)\s*{_PRICE}")
#: "Spearmen [20] [120pts]": the number of models behind the name.
_COUNTED = re.compile(rf"(?P<name>.+?) \[(?P<models>\d{{1,3}})\] (?={_PRICE})")
_PRICED = re.compile(rf".*\S\s*{_PRICE}(?:\s*[:,].*)?")
_TAKEN = re.compile(r"(?:-#|[-.•·*](?:\s*[.•·])*)\s+(?P<marked>.+)|\((?P<bracketed>.+)\)")
#: "[Prince] M(5) WS(6)", "M(5) WS(6)".
_STATS = re.compile(r"(?:\[[^\]]*\]\s*)?(?:[^\W\d]{1,4}\s?\([^)]*\)\s*)+")
_SAID = re.compile(r"[^:]{1,40}:.*")
_PAGE = re.compile(r"\s*[\[(]p(?:age|\.)?\s?\d+[^\])]*[\])]", re.I)
_MADE_BY = re.compile(r"old.?world.?builder|new.?recruit|battlescribe", re.I)
_FOOT = re.compile(
    r"\W*(?:created|made|written|erstellt|créé)\b.*(?:old.?world.?builder|new.?recruit|battlescribe)"
    r"|\W*https?://",
    re.I,
)
_RULE = re.compile(r"[-=]{3,}")
_MARKS = re.compile(r"\*\*|__")


def is_foot(line: str) -> bool:
    """Return whether a line says what program wrote a list, or where that is found."""
    return _FOOT.match(line) is not None


@dataclass(frozen=True, slots=True)
class BuilderText:
    """A text of another builder: its lines, and the points of the list; None where not told."""

    items: tuple[PastedItem, ...]
    total: int | None


def read_builder(rows: Sequence[PastedRow]) -> BuilderText | None:
    """Return the lines of such a text; None where it is none."""
    lines = [_MARKS.sub("", " ".join(row.raw.split())) for row in rows]
    headings = [found["name"] for line in lines if (found := _PLUS.fullmatch(line))]
    plus = any(not _is_total(name) for name in headings)
    chat = any(line.startswith("-# (") for line in lines) and any(map(_HASH.fullmatch, lines))
    if not plus and not chat:
        return None
    return _Lines(rows, lines, chat and not plus).read()


class _Lines:
    """The lines of one text, from its head to its foot."""

    def __init__(self, rows: Sequence[PastedRow], lines: Sequence[str], chat: bool) -> None:
        self.rows = rows
        self.lines = lines
        self.chat = chat
        self.priced = any(_PRICED.fullmatch(line) for line in lines)
        self.total: int | None = None
        self.in_categories = 0
        self.place = "head"
        self.named = False

    def read(self) -> BuilderText:
        items = tuple(self._items())
        return BuilderText(items, self.total or self.in_categories or None)

    def _items(self) -> Iterator[PastedItem]:
        above = ""
        for row, line in zip(checked(self.rows), self.lines, strict=True):
            kind, text = self._told(row, line, above)
            above = line
            yield PastedItem(kind, (row.number,), text, row.level)

    def _told(self, row: PastedRow, line: str, above: str) -> tuple[str, str]:
        """Return what kind a line is, and its text without what is said of it."""
        if not line:
            return "empty", ""
        if _RULE.fullmatch(line):
            self.place = "foot" if self.place == "units" else self.place
            return "empty", ""
        heading = (_HASH if self.chat else _PLUS).fullmatch(line)
        if heading and (self.named or not self.chat):
            return self._heading(heading)
        if self.place == "head":
            return self._head(line)
        if self.place == "foot" or _MADE_BY.search(line):
            self.place = "foot"
            return "told", line
        return self._in_units(row, line, above)

    def _heading(self, heading: re.Match[str]) -> tuple[str, str]:
        name, points = heading["name"].strip(), _number(heading["points"])
        if _is_total(name):
            self.total, self.place = points, "foot"
            return "total", f"{name.rstrip(':')}: {points}"
        if self.place == "head" and name.endswith(")"):
            self.total = points
            return "head", name
        self.place = "units"
        self.in_categories += points or 0
        return "heading", name

    def _head(self, line: str) -> tuple[str, str]:
        if self.named:
            return "head", line
        self.named = True
        title = _TITLE.fullmatch(line)
        if title:
            self.total = _number(title["points"])
        return "title", title["name"] if title else line.lstrip("# ")

    def _in_units(self, row: PastedRow, line: str, above: str) -> tuple[str, str]:
        """Return a unit, or what stands below one."""
        first = row.level == 0 if self.chat else not self._below(line, above)
        if first:
            text = line.removeprefix("- ") if self.chat else line
            counted = _COUNTED.match(text)
            if counted:
                text = f"{counted['models']} {counted['name']} {text[counted.end() :]}"
            return "unit", text
        taken = _TAKEN.fullmatch(line)
        if self.chat and taken and not line.startswith("-#"):
            line, taken = taken["marked"], None
        if taken:
            return "taken", _taken(taken["marked"] or taken["bracketed"])
        told = _STATS.fullmatch(line) or _SAID.fullmatch(line)
        return ("told" if told else "unit note"), line

    def _below(self, line: str, above: str) -> bool:
        """Return whether a line belongs to the unit above it."""
        if _TAKEN.fullmatch(line) or _STATS.fullmatch(line):
            return True
        if self.priced:
            return not _PRICED.fullmatch(line)
        return bool(above) and not _PLUS.fullmatch(above)


def _taken(text: str) -> str:
    """Return names of what is taken, without pages; a name of a group may stand before them."""
    if text.startswith("(") and text.endswith(")"):
        text = text[1:-1]
    return _PAGE.sub("", text).replace("[", "(").replace("]", ")")


def _is_total(name: str) -> bool:
    return name.rstrip(":").casefold() in ("total", "gesamt", "totale")


def _number(text: str | None) -> int | None:
    """Return points as "4,500" or "4.500" tell them."""
    digits = re.sub(r"\D", "", text or "")
    return int(digits[:6]) if digits else None
