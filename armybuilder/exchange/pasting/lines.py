"""Kinds of rows in a pasted text, by form alone.

It may be one of our own forms, another army builder's text, or a player's own.
"""

import re
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import NamedTuple

from armybuilder.engine.names import simple
from armybuilder.exchange.pasting.names import is_word
from armybuilder.exchange.pasting.parts import STATS, number_in, shape
from armybuilder.exchange.pasting.printed import read_printed
from armybuilder.exchange.pasting.rows import (
    PastedRow,
    ends_with_commas,
    first_word,
    goes_on,
    is_rule,
    uncounted,
    undressed,
    unhyphenated,
)
from armybuilder.exchange.pasting.tables import untabled
from armybuilder.loading.deadline import check, checked
from armybuilder.loading.library import Library
from armybuilder.sheets.texts.lines import WIDTH

#: Lines from the top among which the head is looked for.
HEAD_LINES = 12
#: The line of numbers in every form of ours: "138 of 140 points, 19 models, #5a0c0f93d2".
_COUNT = re.compile(r"(?P<numbers>.+), #(?P<hash>[0-9a-f]{10})")
_PRICED = re.compile(r"\((?:\d+|\?)\)$")
_CARD = re.compile(r"(?:(?P<models>\d{1,3}) × )?(?P<name>.+) — (?P<price>[^—]*)")
#: Sections that say again what the units say, or what the books know.
_AGAIN = (
    *("Findings", "Categories", "On game day", "Reminders", "Special rules", "Spells"),
    *("Terrain and battlefield",),
)
#: A unit in a form of ours.
OUR_UNIT = re.compile(r"\d{1,3} \S")
_TOTAL = shape(
    r"(?:<total>|points|punkte|army points|(?:points )?(?:spent|used))\b\W*(?:<points>|cost)?\W*"
    r"(?P<points><number>)(?!\d)\s*<points>?(?:\W*(?:/|of|von|out of)\W*(?P<size><number>)\b)?"
    r"(?:.*?(?P<left><number>)\s*<points>?\s*<left>)?.*"
)
#: The same as a number alone, below the units; and the size of the game, and the points left of it.
_BARE_TOTAL = shape(
    r"\W*(?P<models>\d{1,3}\s*<model>\W+)?(?P<points><large>)\W*<points>?\W*"
    r"(?:/\W*(?P<size><number>)\b.*|(?P<behind>\d{1,3}\s*<model>\W*))?"
)
_REST = shape(
    r"\W*(?:<points>\s*)?(?:<left>\W*(?P<left><number>)|(?P<before><number>)\s*<points>?\s*<left>"
    r"|(?:(?:game|points?|army|agreed)\s)*(?:size|limit|budget|value)\s*[:=]\s*(?P<size><large>))\W*<points>?\W*"
)
#: Details about a list, and its numbers that are not points.
_ABOUT = shape(
    r"(?:author|by|club|event|tournament|league|round|date|country|city|edition|version)\s*:\s*\S.*"
)
_COUNTS = shape(
    r"(?:drops|units|<model>|scoring(?: units)?|deployments?|activations)\s*[:=]\s*\d{1,3}"
)
#: Lines above which a number alone is the game's size.
_TOP = 2


@dataclass(frozen=True, slots=True)
class HeadCount:
    """The numbers of one of our forms: game size, and points (None where it hides them)."""

    row: int
    limit: int
    spent: int | None


@dataclass(frozen=True, slots=True)
class PastedForm:
    """The classified rows of a text.

    `numbers` is the line of numbers that only our forms have; `total` the points in another
    builder's text.
    """

    rows: tuple[PastedRow, ...]
    numbers: HeadCount | None = None
    total: int | None = None


def read_form(rows: Sequence[PastedRow], library: Library) -> PastedForm:
    """Return what each row is. In a text of another form most may be anything ("maybe")."""
    count = find_count(rows)
    if count is None:
        printed = read_printed(rows)
        if printed is not None:
            return PastedForm(printed[0], total=printed[1])
        games = (system for system in library.systems.values() if system.own_models)
        stats = [
            {
                simple(name): one.short
                for one in game.stats.values()
                for name in (one.name, one.short, *STATS.get(one.name.casefold(), ()))
            }
            for game in games
        ]
        return _read_builder(rows) or PastedForm(tuple(_of_others([*untabled(rows, stats)])))
    if is_full(rows):
        tables = {
            table.name.casefold() for system in library.systems.values() for table in system.tables
        }
        return PastedForm(tuple(_full_rows(rows, count, tables)), count)
    return PastedForm((*_head(rows, count), *_body(rows, count)), count)


def find_count(rows: Sequence[PastedRow]) -> HeadCount | None:
    """Return the line of numbers near the top; None if the text isn't one of our forms."""
    for row in [row for row in rows if row.text][:HEAD_LINES]:
        count = _COUNT.fullmatch(row.text)
        numbers = [int(digits) for digits in re.findall(r"\d{1,6}", count[1])] if count else []
        if len(numbers) >= 3:
            return HeadCount(row.number, numbers[1], numbers[0])
        if len(numbers) == 2:
            return HeadCount(row.number, numbers[0], None)
    return None


def is_full(rows: Sequence[PastedRow]) -> bool:
    """Return whether it is the full form, with any underlined title."""
    raw = [row.raw.strip() for row in rows[:4]]
    return any(title and set(line) == {"="} for title, line in pairwise(raw))


def _full_rows(
    rows: Sequence[PastedRow], count: HeadCount, tables: AbstractSet[str]
) -> Iterator[PastedRow]:
    section = ""
    below_title = False
    for row in _whole_rows(rows):
        underline = rows[row.number].raw.strip() if row.number < len(rows) else ""
        underlined = bool(underline) and set(underline) == {"-"}
        counts = row.number <= count.row <= row.last
        if not row.text or (below_title and set(row.text) <= {"-", "="}):
            yield replace(row, kind="empty")
        elif row.number <= count.row or (not section and not underlined):
            above = "head" if row.number < count.row else "verdict"
            kind = "count" if counts else above if below_title else "title"
            yield replace(row, kind=kind)
            below_title = True
        elif underlined:
            section = row.text
            yield replace(row, kind="heading")
        elif section.casefold() in tables:
            yield replace(row, kind="told")
        else:
            yield _in_section(row, section)


def _in_section(row: PastedRow, section: str) -> PastedRow:
    if is_word("Numbers", section):
        return replace(row, kind="head")
    if is_word("Notes", section):
        return replace(row, kind="list note")
    if any(is_word(word, section) for word in _AGAIN):
        return replace(row, kind="told")
    if row.level:
        note = note_in(row.text)
        return replace(row, kind="unit note", text=note) if note else replace(row, kind="detail")
    if not is_word("Units", section):
        return replace(row, kind="unit")
    card = _CARD.fullmatch(row.text)
    if card is None:
        return row
    # As the other forms have it: "4 Ghoul, 28".
    price = re.match(r"\d+", card["price"])
    text = f"{card['models'] or 1} {card['name']}, {price[0] if price else '?'}"
    return replace(row, kind="unit", text=text)


def _whole_rows(rows: Sequence[PastedRow]) -> Iterator[PastedRow]:
    place = 0
    while place < len(rows):
        row = rows[place]
        text, end = row.raw.strip(), place + 1
        while end < len(rows) and _is_broken(row, rows[end - 1].raw, text, rows[end]):
            text = f"{text} {rows[end].raw.strip()}"
            end += 1
        joined = tuple(one.number for one in rows[place + 1 : end])
        yield replace(row, kind="told", text=text, joined=joined)
        place = end


def _is_broken(first: PastedRow, last: str, text: str, row: PastedRow) -> bool:
    """Return whether a row goes on with the line from `first` to the raw row `last`."""
    word = first_word(row.raw.strip())
    no_room = len(last.rstrip()) + 1 + len(word) > WIDTH
    done = first.level == 0 and _PRICED.search(text) is not None
    return bool(word) and row.level == first.level + 2 and no_room and not done


def _start(rows: Sequence[PastedRow], count: HeadCount) -> int:
    """Return the first line of the body: behind the first empty line, or at a marked heading."""
    below = rows[count.row :]
    if rows[0].heading and rows[0].raw.startswith("#"):
        return next((row.number for row in below if row.heading), len(rows) + 1)
    if rows[0].heading:
        for row, then in pairwise(below):
            after = next((one for one in rows[then.number - 1 :] if one.raw.strip()), None)
            if row.heading and after is not None and "[list]" in after.raw.lower():
                return row.number
            if row.heading and is_word("Notes", row.text):
                return row.number
        return len(rows) + 1
    return next((row.number for row in below if not row.text), len(rows) + 1)


def _head(rows: Sequence[PastedRow], count: HeadCount) -> Iterator[PastedRow]:
    named = False
    for row in rows[: _start(rows, count) - 1]:
        kind, text = "head", row.text
        if not row.text:
            kind = "empty"
        elif row.number == count.row:
            kind = "count"
        elif row.number < count.row and named:
            kind = "verdict"
        elif row.number < count.row:
            kind, named = "title", True
            text = row.text if row.heading else row.raw.strip()
        yield replace(row, kind=kind, text=text)


def _body(rows: Sequence[PastedRow], count: HeadCount) -> Iterator[PastedRow]:
    marked = rows[0].heading
    notes = False
    for row in rows[_start(rows, count) - 1 :]:
        kind = "detail"
        note = "" if marked or notes else note_in(row.raw)
        if note:
            kind, row = "unit note" if row.level else "list note", replace(row, text=note)
        elif not row.text:
            kind = "empty"
        elif notes:
            kind = "list note"
        elif marked and row.heading:
            kind = "heading"
            notes = is_word("Notes", row.text)
        elif row.level == 0 and OUR_UNIT.match(row.text):
            kind = "unit"
        elif row.level == 0 and row.text.endswith(":") and not marked:
            kind = "heading"
        elif row.note:
            kind = "unit note"
        yield replace(row, kind=kind)


def _of_others(rows: Sequence[PastedRow]) -> Iterator[PastedRow]:
    """Yield the rows of what a player wrote."""
    rows = [replace(row, text=undressed(row.text)) for row in uncounted(rows)]
    seen = place = 0
    commas = ends_with_commas(rows)
    while place < len(rows):
        check()
        row = rows[place]
        place += 1
        seen += bool(row.text)
        if row.kind == "told":
            yield row
            continue
        row = replace(row, kind="maybe")
        note = note_in(row.raw)
        if note:
            row = replace(row, kind="unit note" if row.level else "list note", text=note)
        elif not row.text or is_rule(row.text):
            row = replace(row, kind="empty")
        elif row.heading:
            row = replace(row, kind="heading")
        elif _ABOUT.fullmatch(row.text):
            row = replace(row, kind="list note")
        elif _COUNTS.fullmatch(row.text):
            row = replace(row, kind="told")
        elif (sums := total_in(row.words)) and (seen > _TOP or not sums.bare):
            row = replace(row, kind="total")
        else:
            text, end = row.text, place
            while (
                end < len(rows)
                and not (rows[end].heading or _TOTAL.fullmatch(rows[end].words))
                and goes_on(text, rows[end].text, commas)
            ):
                text = f"{text} {rows[end].text}"
                end += 1
            joined = tuple(one.number for one in rows[place:end])
            row = replace(row, text=unhyphenated(text), joined=joined)
            place = end
        yield row


def note_in(text: str) -> str:
    """Return what a line says as a note, as our plain forms have it: "Notes: painted red"."""
    name, colon, rest = text.strip().partition(": ")
    return rest if colon and is_word("Notes", name) else ""


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


# Texts of Old World Builder, New Recruit and BattleScribe have categories between plus signs,
# "++ Core [900 pts] ++", units with points in square brackets, and what a unit takes on the lines
# below it. In chats a heading has number signs.

_PRICE = r"\[\s*(?P<points>\d[\d.,]*)\s*<letter>*\.?\s*\]"
#: "++ Core [900 pts] ++", "+ Core + [900pts]", "++ Total: [4,500pts] ++".
_PLUS = shape(rf"\+{{1,2}} (?P<name>[^+\[]+?)\s*(?:{_PRICE}\s*)?\+{{1,2}}\s*(?:\[[^\]]*\])?")
#: "### Core [900 pts]".
_HASH = shape(rf"#{{1,4}} (?P<name>[^\[]+?)\s*(?:{_PRICE})?")
_TITLE = shape(rf"(?:#{{1,4}} )?(?P<name>.+?)\s*{_PRICE}")
#: "Spearmen [20] [120pts]": the number of models behind the name.
_COUNTED = shape(rf"(?P<name>.+?) \[(?P<models>\d{{1,3}})\] (?={_PRICE})")
_UNIT_PRICED = shape(rf".*\S\s*{_PRICE}(?:\s*[:,].*)?")
_TAKEN = re.compile(r"(?:-#|[-.•·*](?:\s*[.•·])*)\s+(?P<marked>.+)|\((?P<bracketed>.+)\)")
#: "[Prince] M(5) WS(6)", "M(5) WS(6)".
_STATS = shape(r"(?:\[[^\]]*\]\s*)?(?:<letter>{1,4}\s?\([^)]*\)\s*)+")
_LABELLED = re.compile(r"[^:]{1,40}:.*")
_PAGE = shape(r"\s*<open>p(?:age|\.)?\s?\d+[^\])]*<close>")
_MADE_BY = shape("<builder>")
_FOOT = shape(r"\W*(?:created|made|written|erstellt|créé)\b.*<builder>|\W*https?://")
_LONG_RULE = re.compile(r"[-=]{3,}")
_BOLD = re.compile(r"\*\*|__")


def is_foot(line: str) -> bool:
    """Return whether a line says what program wrote a list, or where that is found."""
    return _FOOT.match(line) is not None


def _read_builder(rows: Sequence[PastedRow]) -> PastedForm | None:
    """Return the lines of another army builder's text; None where it is none."""
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
    return PastedForm(tuple(classified), total=builder.total or builder.in_categories or None)


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
            return "told", line
        first = row.level == 0 if self.chat else not self._is_below(row, line, above)
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
            # Names without pages; a name of a group may stand before them.
            names = taken["marked"] or taken["bracketed"]
            names = names[1:-1] if names.startswith("(") and names.endswith(")") else names
            return "taken", _PAGE.sub("", names).replace("[", "(").replace("]", ")")
        again = _STATS.fullmatch(line) or _LABELLED.fullmatch(line)
        return ("told" if again else "taken" if self.set_in else "unit note"), line

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
