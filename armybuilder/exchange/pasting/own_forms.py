"""Our own forms of lists: where they begin and end in a text, their rows and units' lines."""

import re
from collections.abc import Collection, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from armybuilder.exchange.pasting.entries import NamedEntry, cuts
from armybuilder.exchange.pasting.names import ReadNames, is_word
from armybuilder.exchange.pasting.parts import HEAD_LINES
from armybuilder.exchange.pasting.rows import PastedRow, first_word
from armybuilder.loading.library import Library
from armybuilder.sheets.texts.lines import WIDTH

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


@dataclass(frozen=True, slots=True)
class HeadCount:
    """The numbers of one of our forms: game size, and points (None where it hides them)."""

    row: int
    limit: int
    spent: int | None


def find_count(rows: Sequence[PastedRow]) -> HeadCount | None:
    """Return the line of numbers near the top; None if the text isn't one of our forms."""
    for row in [row for row in rows if row.text][:HEAD_LINES]:
        count = _COUNT.fullmatch(row.text)
        numbers = [int(digits) for digits in re.findall(r"\d{1,6}", count[1])] if count else []
        if len(numbers) > 1:
            spent, limit = numbers[:2] if len(numbers) > 2 else (None, numbers[0])
            return HeadCount(row.number, limit, spent)
    return None


def is_full(rows: Sequence[PastedRow]) -> bool:
    """Return whether it is the full form, with any underlined title."""
    raw = [row.raw.strip() for row in rows[:4]]
    return any(title and set(line) == {"="} for title, line in pairwise(raw))


def own_rows(
    rows: Sequence[PastedRow], count: HeadCount, tables: AbstractSet[str]
) -> Iterator[PastedRow]:
    """Yield the classified rows of a list in one of our forms; `tables` are names of sections."""
    return _full_rows(rows, count, tables) if is_full(rows) else _plain_rows(rows, count)


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
            yield replace(row, kind="repeated")
        else:
            yield _in_section(row, section)


def _in_section(row: PastedRow, section: str) -> PastedRow:
    if is_word("Numbers", section):
        return replace(row, kind="head")
    if is_word("Notes", section):
        return replace(row, kind="list note")
    if any(is_word(word, section) for word in _AGAIN):
        return replace(row, kind="repeated")
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
        yield replace(row, kind="repeated", text=text, joined=joined)
        place = end


def _is_broken(first: PastedRow, last: str, text: str, row: PastedRow) -> bool:
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


def _plain_rows(rows: Sequence[PastedRow], count: HeadCount) -> Iterator[PastedRow]:
    start, marked = _start(rows, count), rows[0].heading
    named = notes = False
    for row in rows:
        kind, text = "detail", row.text
        above = row.number < start
        note = "" if above or marked or notes else note_in(row.raw)
        if note:
            kind, text = "unit note" if row.level else "list note", note
        elif not text:
            kind = "empty"
        elif row.number == count.row:
            kind = "count"
        elif row.number < count.row:
            kind = "verdict" if named else "title"
            text = text if named or row.heading else row.raw.strip()
            named = True
        elif above:
            kind = "head"
        elif notes:
            kind = "list note"
        elif marked and row.heading:
            kind = "heading"
            notes = is_word("Notes", text)
        elif row.level == 0 and OUR_UNIT.match(text):
            kind = "unit"
        elif row.level == 0 and text.endswith(":") and not marked:
            kind = "heading"
        elif row.note:
            kind = "unit note"
        yield replace(row, kind=kind, text=text)


def note_in(text: str) -> str:
    """Return the text of a note, as our plain forms have it: "Notes: painted red"."""
    name, colon, rest = text.strip().partition(": ")
    return rest if colon and is_word("Notes", name) else ""


# Lists in a text

#: Of a list in our form: lines that a name may be broken into, and lines from its underline to the
#: numbers.
_TITLE, _HEAD = 4, 8
#: The line of numbers, as our forms write it; a mark may precede the number sign.
_ANY_COUNT = re.compile(r"(?:- )?\d.*, \\?#[0-9a-f]{10}\s*|.*\d.*, \\?#[0-9a-f]{10}\s*")


def our_lists(rows: Sequence[PastedRow], library: Library) -> list[tuple[int, int]]:
    """Return the first places of lists in our forms, and those behind their last lines."""
    names = tuple(sorted({system.name for system in library.systems.values()}))
    starts: dict[int, int] = {}
    for place, row in enumerate(rows):
        if "#" in row.raw and _ANY_COUNT.fullmatch(row.raw):
            start = _our_start(rows, place, names)
            if start is not None:
                starts.setdefault(start, place)
    ends = [*starts, len(rows)][1:]
    return [
        (start, _our_end(rows[:end], start, count))
        for (start, count), end in zip(starts.items(), ends, strict=True)
    ]


def _our_start(rows: Sequence[PastedRow], count: int, names: tuple[str, ...]) -> int | None:
    if (full := _full_start(rows, count, names)) is not None:
        return full
    below = next((row for row in rows[count + 1 :] if row.text), None)
    if below is None or not _names_game(below.text.replace("\\", ""), names, ":"):
        return None
    above = [row for row in rows[max(0, count - 6) : count] if row.text]
    if len(above) < 2:
        return None
    title = above[-2]
    plain = title.number == count - 1 and title.level == 0 and not title.note
    return title.number - 1 if plain or _is_marked(title) else None


def _is_marked(title: PastedRow) -> bool:
    return title.raw.startswith("# ") or title.raw.lower().startswith("[b][u]")


def _full_start(rows: Sequence[PastedRow], count: int, names: tuple[str, ...]) -> int | None:
    for place in range(count - 1, max(0, count - _HEAD), -1):
        raw = rows[place].raw.rstrip()
        if raw and set(raw) == {"="} and _names_game(rows[place + 1].raw, names, ","):
            first = place - 1
            while first > 0 and place - first < _TITLE:
                # A name that was broken goes on in the next line.
                above, word = rows[first - 1].raw.rstrip(), first_word(rows[first].raw.strip())
                if not above or len(above) + 1 + len(word) <= WIDTH:
                    break
                first -= 1
            return first if first >= 0 and rows[first].raw.strip() else None
    return None


def _names_game(text: str, names: tuple[str, ...], then: str) -> bool:
    return any(text.startswith((f"{name}{then}", f"{name} ")) or text == name for name in names)


def _our_end(rows: Sequence[PastedRow], start: int, count: int) -> int:
    """Return the place behind the last line of a list. In the full form anything may follow."""
    if _is_marked(rows[start]):
        return _marked_end(rows, count)
    if any(set(row.raw.strip()) == {"="} for row in rows[start + 1 : count]):
        return len(rows)
    # Units begin with their numbers, below titles with a colon.
    body = next((row.number for row in rows[count:] if not row.raw.strip()), len(rows))
    for row in rows[body:]:
        if not row.raw.strip() or row.level:
            continue
        titled = row.raw.rstrip().endswith(":")
        behind_gap = row.number > body + 1 and not rows[row.number - 2].raw.strip()
        noted = ": " in row.raw and note_in(row.raw)
        if not (titled or noted) and (behind_gap or not OUR_UNIT.match(row.raw)):
            return row.number - 1
    return len(rows)


def _marked_end(rows: Sequence[PastedRow], count: int) -> int:
    """Return the end of a list for forums or chats, whose notes can't be recognised."""
    forum = not rows[count].raw.startswith("- ")
    inside = False
    for place in range(count + 1, len(rows)):
        raw = rows[place].raw
        heading = raw.startswith("## ") or (forum and raw.lower().startswith("[b]"))
        if heading and is_word("Notes", re.sub(r"^## |\[/?b\]", "", raw)):
            return len(rows)
        inside = raw.startswith("[list]") or (inside and not raw.startswith("[/list]"))
        listed = raw.startswith(("- ", "  ", "[list]", "[/list]", "[*]")) or inside
        above = bool(rows[place - 1].raw.strip()) and not rows[place - 1].raw.startswith("[/list]")
        if raw.strip() and not heading and not listed and not (forum and above):
            return place
    return len(rows)


# Lines of units

_OURS = re.compile(r"(?P<models>\d{1,3}) (?P<words>.+)")
_OWN = re.compile(r" “(?P<own>[^“”]*)”(?P<letter> [\[(][A-Z]{1,3}[\])])?(?=,|$)")
_OUR_LETTER = re.compile(r" [\[(][A-Z]{1,3}[\])](?=,|$)")
_OUR_PRICE = re.compile(r"(?:, (\d{1,6}|\?)| \((\d{1,6}|\?)\))$")
_QUOTED = re.compile(r"“(?P<own>[^“”]*)”(?: [A-Z]{1,3}(?=,|$))?")
_BARE_LETTER = re.compile(r" [A-Z]{1,2}$")


def read_own_line(text: str) -> NamedEntry:
    """Return a line such as "17 Guard “The Old Guard” [B], Standard Bearer, 500" taken apart."""
    price = _OUR_PRICE.search(text)
    digits = (price[1] or price[2]) if price else ""
    rest = text[: price.start()] if price else text
    line = _OURS.fullmatch(rest)
    models, words = (int(line["models"]), line["words"]) if line else (1, rest)
    own = _OWN.search(words)
    name = own["own"] if own else ""
    bare = words[: own.start()] + words[own.end() :] if own else _OUR_LETTER.sub("", words, 1)
    points = (-1 if digits == "?" else int(digits)) if digits else None
    return NamedEntry(models, bare, points, name)


def with_details(
    entry: NamedEntry, details: Sequence[str], names: ReadNames[Any], roles: Collection[str]
) -> NamedEntry:
    """Add the full form's details: the book's name, items, magic, roles. `names`: of units."""
    about = details[0].split("; ") if details else []
    own, entry = _with_book_name(entry, about, names)
    more = [part for part in about if part in roles]
    for line in details:
        name, colon, rest = line.partition(": ")
        if colon and (is_word("Items", name) or is_word("Options", name)):
            more.append(rest)
        elif colon and set(rest) <= {"_", " "} and name.count(", ") >= 2:
            more += name.split(", ")[1:-1]
    return replace(entry, words=", ".join([entry.words, *more]), own=own)


def _with_book_name(
    entry: NamedEntry, about: Sequence[str], names: ReadNames[Any]
) -> tuple[str, NamedEntry]:
    """Return the player's name for a unit, "" where the line has the book's; the entry has that."""

    def in_book(name: str) -> str:
        full = (f"{name} ({part})" for part in about)
        return next((one for one in full if one in names.written), name)

    words = entry.words
    quoted = _QUOTED.match(words)
    of_book = in_book(next((part for part in about if part in names.written), ""))
    if quoted and of_book:
        return quoted["own"], replace(entry, words=of_book + words[quoted.end() :])
    for whole, rest in cuts(words, names.most_commas):
        for name in (whole, _BARE_LETTER.sub("", whole)):
            if name in names.written:
                return "", replace(entry, words=", ".join(filter(None, (in_book(name), rest))))
    head, comma, rest = words.partition(", ")
    bare = _BARE_LETTER.sub("", head)
    if not of_book:
        return "", replace(entry, words=bare + comma + rest)
    return bare, replace(entry, words=f"{of_book}{comma}{rest}")
