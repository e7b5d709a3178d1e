"""Lists in our own forms among others of a text: where each begins, and where it ends."""

import re
from collections.abc import Sequence

from armybuilder.exchange.pasting.lines import OUR_UNIT, note_in
from armybuilder.exchange.pasting.names import is_word
from armybuilder.exchange.pasting.rows import PastedRow, first_word
from armybuilder.loading.library import Library
from armybuilder.sheets.texts.lines import WIDTH

#: Of a list in our form: lines that a name may be broken into, and lines from its underline to the
#: numbers.
_TITLE, _HEAD = 4, 8
#: The line of numbers, as our forms write it; a mark may stand before the number sign.
_COUNT = re.compile(r"(?:- )?\d.*, \\?#[0-9a-f]{10}\s*|.*\d.*, \\?#[0-9a-f]{10}\s*")


def our_lists(rows: Sequence[PastedRow], library: Library) -> list[tuple[int, int]]:
    """Return the first places of lists in our forms, and those behind their last lines."""
    names = tuple(sorted({system.name for system in library.systems.values()}))
    starts: dict[int, int] = {}
    for place, row in enumerate(rows):
        if "#" in row.raw and _COUNT.fullmatch(row.raw):
            start = _our_start(rows, place, names)
            if start is not None:
                starts.setdefault(start, place)
    ends = [*starts, len(rows)][1:]
    return [
        (start, _our_end(rows[:end], start, count))
        for (start, count), end in zip(starts.items(), ends, strict=True)
    ]


def _our_start(rows: Sequence[PastedRow], count: int, names: tuple[str, ...]) -> int | None:
    """Return where the list begins that has its numbers in a line; None where it is none."""
    full = _full_start(rows, count, names)
    if full is not None:
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
    """Return where a list in the full form begins: its name is underlined, and the game follows."""
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
