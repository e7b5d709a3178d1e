"""A text that holds many lists, such as an organiser's pack: taken apart where a new army begins.

A list ends with its total, with the words of the program that wrote it, or where another book, or
another player, is named above units. Where that is not sure, nothing is split: a text of one list
is never taken apart.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from armybuilder.exchange.pasting.head import NO_GAME, HeadChoice
from armybuilder.exchange.pasting.our_heads import our_lists
from armybuilder.exchange.pasting.pack_rows import PackRow, RowNames, as_name, read_pack_rows
from armybuilder.exchange.pasting.rows import MOST_PACK_LINES, PastedRow, read_rows
from armybuilder.loading.library import Library

#: Lines from one that names a book, or a player, among which the first unit stands.
_NEAR = 8
#: Letters of a line that may name a player, and its words.
_NAME, _WORDS = 80, 10
#: Units that a list of another form has beside one of ours, at least.
_FEW = 2
#: What points of a list come to, of the size of the game: at least, at most.
_LEAST, _MOST = 0.9, 1.03
#: The least part of a whole list's points that further units must have to be a list themselves.
_ENOUGH = 0.6


@dataclass(frozen=True, slots=True)
class TextPart:
    """A list in a text. It begins on line `first`; `name` is its player's, "" where not told;
    `chosen` the game and book it is told to be of, by its `heading`; `preface` lines stand above
    its units.
    """

    first: int
    text: str
    name: str = ""
    chosen: HeadChoice = NO_GAME
    preface: int = 0
    heading: str = ""


def split_text(text: str, library: Library, system_id: str | None = None) -> list[TextPart]:
    """Return the lists in a text, all lines of it; one where it is not sure that there are several.
    Raises Refusal as `read_text` does.
    """
    rows = read_rows(text, MOST_PACK_LINES)
    names = RowNames(library, system_id)
    whole: list[_List] = []
    behind = 0
    for start, end in [*our_lists(rows, library), (len(rows), len(rows))]:
        whole += _between(rows, behind, start, names, bool(whole))
        if start < len(rows):
            whole.append(_List(start if whole else 0))
        behind = end
    whole = whole or [_List(0)]
    if len(whole) == 1:
        return [TextPart(1, text)]
    ends = [*(one.start for one in whole[1:]), len(rows)]
    return [_part(rows, one, end) for one, end in zip(whole, ends, strict=True)]


def _between(
    rows: Sequence[PastedRow], first: int, end: int, names: RowNames, more: bool
) -> list["_List"]:
    """Return the lists of other forms from one place to another; none where there is no unit, or,
    where `more` than these are in the text, only one line that may be one.
    """
    told = list(read_pack_rows(rows[first:end], names))
    units = sum(row.kind == "unit" for row in told)
    if not units or (more and units < _FEW):
        return []
    found = _Splitter(told, names).lists()
    for one in found:
        one.start += first
        one.first_unit += first
    return found


@dataclass(slots=True)
class _List:
    """A list while a text is taken apart: where it begins, what is told of it so far. Points of its
    units are from `low` to `high`: those of several may be of each.
    """

    start: int
    name: str = ""
    chosen: HeadChoice = NO_GAME
    heading: str = ""
    units: int = 0
    low: int = 0
    high: int = 0
    first_unit: int = 0
    last: int = 0
    closed: bool = False

    def add(self, row: PackRow) -> None:
        """Add a row of a unit."""
        if not self.units:
            self.first_unit = row.place
        self.units += 1
        self.low += row.points
        self.high += row.points * row.times
        self.last = row.place


def _part(rows: Sequence[PastedRow], one: _List, end: int) -> TextPart:
    text = "\n".join(row.raw for row in rows[one.start : end])
    preface = max(0, one.first_unit - one.start)
    return TextPart(one.start + 1, text, one.name, one.chosen, preface, one.heading)


@dataclass(slots=True)
class _Splitter:
    """Goes through the rows of a text that is no form of ours."""

    rows: Sequence[PackRow]
    names: RowNames
    found: list[_List] = field(default_factory=list)
    #: The book that a heading above several lists names, and that heading.
    over: tuple[HeadChoice, str] = (NO_GAME, "")
    whole: int = 0
    totals: list[int] = field(default_factory=list)
    units_from: list[int] = field(default_factory=list)
    points_from: list[int] = field(default_factory=list)

    def lists(self) -> list[_List]:
        """Return the lists, at least one."""
        self._measure()
        now = _List(0)
        for row in self.rows:
            start = self._new_start(now, row)
            if start is not None:
                self.found.append(now)
                now = _List(start)
            self._add(now, row)
        self.found.append(now)
        for one, end in zip(self.found, self._ends(), strict=True):
            self._name(one, end)
        return self.found

    def _ends(self) -> list[int]:
        return [*(one.start for one in self.found[1:]), len(self.rows)]

    def _measure(self) -> None:
        """Count what follows each row: units, and their points up to the next total or head."""
        totals = [row.total for row in self.rows if row.kind == "total"]
        self.whole = max((total for total in totals if total), default=0)
        units = points = 0
        for row in reversed(self.rows):
            if row.kind == "unit":
                units += 1
                points += row.points * row.times
            if row.kind in ("total", "head"):
                points = 0
            self.units_from.append(units)
            self.points_from.append(points)
        self.units_from.reverse()
        self.points_from.reverse()

    def _add(self, now: _List, row: PackRow) -> None:
        if row.kind == "unit":
            now.add(row)
        elif now.units and (row.kind == "foot" or self._is_whole(now, row)):
            now.closed = True
            now.last = row.place

    def _is_whole(self, now: _List, row: PackRow) -> bool:
        """Return whether a row is the total of a whole list, not of a part of one."""
        if row.kind != "total" or not row.total or now.high < row.total // 2:
            return False
        return row.sized or row.total >= 0.75 * self.whole

    def _new_start(self, now: _List, row: PackRow) -> int | None:
        """Return where a new list begins, of which a row is the head or the first unit."""
        if not now.units or row.kind in ("empty", "total", "foot", "category"):
            return None
        if now.closed:
            return self._behind(now) if self._goes_on(row) else None
        if row.kind == "head":
            return self._at_head(now, row)
        return row.place if self._is_player(now, row) else None

    def _goes_on(self, row: PackRow) -> bool:
        """Return whether enough follows a list that has ended to be another."""
        left = self.units_from[row.place]
        if row.kind == "head":
            return left > 0
        return left > 1 and (row.kind == "unit" or self._unit_near(row))

    def _behind(self, now: _List) -> int:
        """Return the first row behind a list that says anything."""
        behind = self.rows[now.last + 1 :]
        return next(row.place for row in behind if row.kind not in ("empty", "foot", "total"))

    def _at_head(self, now: _List, row: PackRow) -> int | None:
        """Return where the list of a head begins; None where it is a heading in the same list."""
        if not self._unit_near(row) or now.units < 2:
            return None
        if row.chosen == self._chosen(now) and not (row.rest and self._is_full(now)):
            return None
        above = (one.chosen for one in self.rows[now.start : row.place] if one.kind == "head")
        if any(self.names.is_option(row.text, chosen) for chosen in above):
            return None
        if self._told_later(now, row):
            return None
        return self._named_above(now, row)

    def _named_above(self, now: _List, head: PackRow) -> int:
        """Return the first of the lines close above a head that may name its player or team."""
        start = head.place
        for one in reversed(self.rows[now.last + 1 : head.place]):
            if one.kind == "empty" and start == head.place and not head.rest:
                continue
            if one.kind != "other" or not _may_name(one):
                break
            start = one.place
        return start

    def _told_later(self, now: _List, row: PackRow) -> bool:
        """Return whether a total below is that of what stands above and below the head together."""
        low, high = now.low, now.high
        for one in self.rows[row.place + 1 :]:
            if one.kind == "head" and one.chosen != row.chosen:
                return False
            if one.kind == "unit":
                low, high = low + one.points, high + one.points * one.times
            if one.kind == "total" and one.total:
                return now.low > 0 and 0.98 * low <= one.total <= 1.02 * high
        return False

    def _chosen(self, now: _List) -> HeadChoice:
        heads = self.rows[now.start : now.first_unit]
        return next((row.chosen for row in heads if row.kind == "head"), NO_GAME)

    def _is_player(self, now: _List, row: PackRow) -> bool:
        """Return whether a row names the player of a list that follows a whole one without a
        total.
        """
        above = self.rows[row.place - 1].kind if row.place else ""
        if row.kind != "other" or above != "empty" or not _may_name(row):
            return False
        rest = self.points_from[row.place]
        return self._is_full(now) and rest >= _ENOUGH * now.low and self._unit_near(row)

    def _is_full(self, now: _List) -> bool:
        """Return whether the points of a list are those of a whole one."""
        sizes = [self.whole] if self.whole else self.rows[0].sizes
        return any(now.high >= _LEAST * size and now.low <= _MOST * size for size in sizes)

    def _unit_near(self, row: PackRow) -> bool:
        """Return whether a unit stands closely below a row."""
        told = 0
        for one in self.rows[row.place + 1 :]:
            if one.kind == "unit":
                return True
            told += one.kind != "empty"
            if told > _NEAR:
                break
        return False

    def _name(self, one: _List, end: int) -> None:
        """Find out whose list it is, and of which book."""
        above = self.rows[one.start : one.first_unit if one.units else end]
        head = next((row for row in reversed(above) if row.kind == "head"), None)
        others = [row for row in above if row.kind == "other" and _may_name(row)]
        if head is None:
            one.name = as_name(others[-1].text) if others else ""
            if one.start:
                one.chosen, one.heading = self.over
            return
        one.chosen, one.heading = head.chosen, head.text
        below = [as_name(row.text) for row in others if row.place > head.place]
        over = [as_name(row.text) for row in others if row.place < head.place]
        one.name = head.rest or (below[:1] or over[-1:] or [""])[0]
        self.over = (head.chosen, head.text) if not head.rest and below else (NO_GAME, "")


def _may_name(row: PackRow) -> bool:
    """Return whether a row may be somebody's name: short, and no sentence."""
    text = row.text
    return len(text) <= _NAME and len(text.split()) <= _WORDS and not text.endswith((",", ";", "-"))
