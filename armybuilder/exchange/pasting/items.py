"""The kinds of lines in a text, by its form alone."""

import re
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from itertools import pairwise

from armybuilder.exchange.pasting.broken_lines import goes_on, unhyphenated
from armybuilder.exchange.pasting.head import HeadCount, find_count
from armybuilder.exchange.pasting.languages import is_word
from armybuilder.exchange.pasting.other_builders import read_builder
from armybuilder.exchange.pasting.rows import PastedItem, PastedRow
from armybuilder.loading.deadline import check
from armybuilder.loading.library import Library
from armybuilder.sheets.texts.full import WIDTH

_UNDER = re.compile(r"-+")
_PRICED = re.compile(r"\((?:\d+|\?)\)$")
_CARD = re.compile(r"(?:(?P<models>\d{1,3}) × )?(?P<name>.+) — (?P<price>[^—]*)")
#: Sections that say again what the units say, or what the books know.
_AGAIN = (
    *("Findings", "Categories", "On game day", "Reminders", "Special rules", "Spells"),
    *("Terrain and battlefield",),
)


def is_full(rows: Sequence[PastedRow]) -> bool:
    """Whether it is the full form: its title is underlined. A list may be called "=" itself."""
    raw = [row.raw.strip() for row in rows[:4]]
    return any(title and set(line) == {"="} for title, line in pairwise(raw))


def _full_items(
    rows: Sequence[PastedRow], count: HeadCount, tables: AbstractSet[str]
) -> Iterator[PastedItem]:
    """Yield the lines, broken ones whole. `tables` are the names of the games' reference tables."""
    section = ""
    below_title = False
    for item in _whole(rows):
        first = item.numbers[0]
        title = _UNDER.fullmatch(rows[first].raw.strip()) if first < len(rows) else None
        if not item.text or (below_title and set(item.text) <= {"-", "="}):
            yield replace(item, kind="empty")
        elif first <= count.row or count.row in item.numbers or (not section and not title):
            yield replace(item, kind=_head_kind(item, count, below_title))
            below_title = True
        elif title:
            section = item.text
            yield replace(item, kind="heading")
        else:
            known = section.casefold() in tables
            yield replace(item, kind="told") if known else _in_section(item, section)


def _head_kind(item: PastedItem, count: HeadCount, below_title: bool) -> str:
    if count.row in item.numbers:
        return "count"
    if not below_title:
        return "title"
    return "head" if item.numbers[0] < count.row else "verdict"


def _in_section(item: PastedItem, section: str) -> PastedItem:
    """Return a line below the title of a section."""
    if is_word("Numbers", section):
        return replace(item, kind="head")
    if is_word("Notes", section):
        return replace(item, kind="list note")
    if any(is_word(word, section) for word in _AGAIN):
        return replace(item, kind="told")
    if item.level:
        return replace(item, kind="detail")
    card = _CARD.fullmatch(item.text)
    if is_word("Units", section) and card:
        return replace(item, kind="unit", text=_card_line(card))
    return replace(item, kind="unit") if not is_word("Units", section) else item


def _card_line(card: re.Match[str]) -> str:
    """Return the line of a card as the other forms have it: "4 Ghoul, 28"."""
    price = re.match(r"\d+", card["price"])
    return f"{card['models'] or 1} {card['name']}, {price[0] if price else '?'}"


def _whole(rows: Sequence[PastedRow]) -> Iterator[PastedItem]:
    """Lines that were broken, whole again."""
    place = 0
    while place < len(rows):
        row = rows[place]
        numbers, text, last = [row.number], row.raw.strip(), row.raw
        place += 1
        while place < len(rows) and _goes_on(row, last, text, rows[place]):
            last = rows[place].raw
            text = f"{text} {last.strip()}"
            numbers.append(rows[place].number)
            place += 1
        yield PastedItem("told", tuple(numbers), text, row.level)


def _goes_on(first: PastedRow, last: str, text: str, row: PastedRow) -> bool:
    """Whether a row goes on with the line that began with `first` and now ends with `last`."""
    word, *_rest = row.raw.split() or [""]
    no_room = len(last.rstrip()) + 1 + len(word) > WIDTH
    done = first.level == 0 and _PRICED.search(text) is not None
    return bool(word) and row.level == first.level + 2 and no_room and not done


_UNIT = re.compile(r"\d{1,3} \S")
_RULE = re.compile(r"[-=_*#~\s]+")
#: Points as "4500", "4,500" or "4.500".
_THOUSANDS = r"\d{1,3}[.,’' ]\d{3}"
_NUMBER = rf"(?:{_THOUSANDS}|\d{{1,6}})"
_LARGE = rf"(?:{_THOUSANDS}|\d{{2,6}})"
_TOTAL = re.compile(
    r"(?:(?:grand |army )?total|points|gesamt(?:punkte)?|sum(?:me)?|punkte|army points|left|rest)"
    rf"\b\W*(?:points|pts|punkte)?\W*({_NUMBER})(?!\d)"
    rf"(?:\W*(?:/|of|von|out of)\W*({_NUMBER})\b)?.*",
    re.I,
)

#: The same as a number alone, below the units.
_BARE_TOTAL = re.compile(
    rf"\W*({_LARGE})\W*(?:points|pts|pkte|punkte)?\W*(?:/\W*({_NUMBER})\b.*)?", re.I
)
#: Lines above which a number alone is the game's size.
_TOP = 2


@dataclass(frozen=True, slots=True)
class PastedForm:
    """The items of a text. `numbers` is the line of numbers that only forms of ours have; `total`
    the points that another builder's text tells.
    """

    items: tuple[PastedItem, ...]
    numbers: HeadCount | None = None
    total: int | None = None


def read_form(rows: Sequence[PastedRow], library: Library) -> PastedForm:
    """Return what each line is. In a text of another form most may be anything ("maybe")."""
    count = find_count(rows)
    if count is None:
        built = read_builder(rows)
        if built:
            return PastedForm(built.items, total=built.total)
        return PastedForm(tuple(_of_others(rows)))
    if is_full(rows):
        tables = {
            table.name.casefold() for system in library.systems.values() for table in system.tables
        }
        return PastedForm(tuple(_full_items(rows, count, tables)), count)
    return PastedForm((*_head(rows, count), *_body(rows, count)), count)


def _of_others(rows: Sequence[PastedRow]) -> Iterator[PastedItem]:
    told = place = 0
    while place < len(rows):
        row = rows[place]
        place += 1
        check()
        told += bool(row.text)
        kind, text, numbers = _kind_of_others(row, told), row.text, [row.number]
        if kind == "maybe":
            while place < len(rows) and not rows[place].heading and goes_on(text, rows[place].text):
                numbers.append(rows[place].number)
                text = f"{text} {rows[place].text}"
                place += 1
            text = unhyphenated(text)
        yield PastedItem(kind, tuple(numbers), text, row.level, row.note)


def _kind_of_others(row: PastedRow, told: int) -> str:
    """Return the kind of a line; `told` lines say anything up to it."""
    if not row.text or _RULE.fullmatch(row.text):
        return "empty"
    if row.heading:
        return "heading"
    total = _TOTAL.fullmatch(row.words.strip("+=*#~ "))
    if total or (told > _TOP and _BARE_TOTAL.fullmatch(row.words)):
        return "total"
    return "maybe"


def is_rule(text: str) -> bool:
    """Return whether a line parts others and says nothing: "-----"."""
    return _RULE.fullmatch(text) is not None


def is_total_line(text: str) -> bool:
    """Return whether a line below units tells the points of all: "Total: 4,498", "4498"."""
    return (_TOTAL.fullmatch(text) or _BARE_TOTAL.fullmatch(text)) is not None


def total_of(text: str) -> int | None:
    """Return the points in a line that tells a total."""
    return _numbers_of(text)[0]


def size_of(text: str) -> int | None:
    """Return the size of the game in a line that tells a total of it: "4,480 / 4,500"."""
    return _numbers_of(text)[1]


def _numbers_of(text: str) -> tuple[int | None, int | None]:
    words = " ".join(text.split()).strip("+=*#~ ")
    found = _TOTAL.fullmatch(words) or _BARE_TOTAL.fullmatch(words)
    if found is None:
        return None, None
    total, size = (int(re.sub(r"\D", "", one)) if one else None for one in found.groups())
    return total, size


def _start(rows: Sequence[PastedRow], count: HeadCount) -> int:
    """Return the first line of the body: behind the first empty line, or at a marked heading."""
    below = rows[count.row :]
    if rows[0].heading and rows[0].raw.startswith("#"):
        return next((row.number for row in below if row.heading), len(rows) + 1)
    if rows[0].heading:
        pairs = zip(below, rows[count.row + 1 :], strict=False)
        for row, then in pairs:
            after = next((one for one in rows[then.number - 1 :] if one.raw.strip()), None)
            if row.heading and after is not None and "[list]" in after.raw.lower():
                return row.number
            if row.heading and is_word("Notes", row.text):
                return row.number
        return len(rows) + 1
    return next((row.number for row in below if not row.text), len(rows) + 1)


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
