"""The full form of a list, with its lines of 80 characters put together again.

It sets what stands below a unit in by two spaces, and what did not fit on a line by two more than
the line began with; so a line goes on with the next where that is set in so and its first word
had no room. Notes of units cannot be told from the rest and stay unread.
"""

import re
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from itertools import pairwise

from armybuilder.exchange.pasting.head import HeadCount
from armybuilder.exchange.pasting.languages import is_word
from armybuilder.exchange.pasting.parts import PastedItem
from armybuilder.exchange.pasting.rows import PastedRow
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


def items(
    rows: Sequence[PastedRow], count: HeadCount, tables: AbstractSet[str]
) -> Iterator[PastedItem]:
    """What each line is, lines that were broken together. `tables` are the names of the games'
    reference tables, which stand at the end.
    """
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
    """A line below the title of a section."""
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
    """The line of a card as the other forms have it: "4 Ghoul, 28"."""
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
