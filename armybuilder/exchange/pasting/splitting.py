"""A text that holds many lists, such as an organiser's pack: taken apart where a new army begins.

A list ends with its total, with the words of the program that wrote it, or where another book, or
another player, is named above units. Where that is not sure, nothing is split: a text of one list
is never taken apart.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate, takewhile

from armybuilder.engine.names import simple
from armybuilder.engine.wording import say
from armybuilder.exchange.pasting import head
from armybuilder.exchange.pasting.builders import FOOT, read_printed
from armybuilder.exchange.pasting.entries import read_entry
from armybuilder.exchange.pasting.head import NO_GAME, HeadChoice
from armybuilder.exchange.pasting.lines import read_form, total_in
from armybuilder.exchange.pasting.names import without_aside
from armybuilder.exchange.pasting.own_forms import note_in, our_lists
from armybuilder.exchange.pasting.parts import is_rule, shape
from armybuilder.exchange.pasting.rows import MOST_PACK_LINES, PastedRow, read_rows, undressed
from armybuilder.loading.deadline import checked
from armybuilder.loading.library import Library

#: Lines from one that names a book or player to the first unit, at most.
_NEAR = 8
#: Lines of a text that is looked at for lists without a book.
_LONGEST = 600
#: Letters of a line that may name a player, and its words.
_NAME, _WORDS = 80, 10
#: Units that a list of another form has beside one of ours, at least.
_FEW = 2
#: What points of a list come to, of the size of the game: at least, at most.
_LEAST, _MOST = 0.9, 1.03
#: The least part of a whole list's points that further units must have to be a list themselves.
_ENOUGH = 0.6
#: More points than any unit has.
MOST_OF_A_UNIT = 1_500
#: Letters of a line that may be a head, and names parted by commas that it may have.
_HEAD_LETTERS, _PARTS = 120, 3
#: Points that a list of a size may have, of it.
_SIZE_LEAST, _SIZE_MOST = 0.95, 1.01
_PARTED = re.compile(r"\s*[–—:,()\[\]|]\s*|\s+[-/]\s*|-\s+|\s{2,}|(?<=\w\w\w)[.;](?:\s|$)|\.$")
_LETTERS = shape("<letter>")
_YEAR = re.compile(r"\W*\b(?:19|20)\d\d\b.*")
_POINTS = shape(r"[\d.,'’%/()\[\]+=#*\s-]+|(?<!<letter>)(?:<points>|(?:max|min|of|von)\b)")
#: "4471 pts", alone or behind a name.
_PRICE = shape(r"\s*<open>?\b\d[\d.,]{1,6}\s?<points><close>?")
#: "DEAD 365 - Exarch"
_MARK_BEFORE = re.compile(r"^[A-Z]{2,20}\s+(?=\d{2,4} - )")
#: "(c)", "(Captain)": marks that are not part of a name.
_MARK = shape(r"\s*\(<captain>\)")
_CAPTAIN = shape(r"<captain>\W*")
_NUMBERED = shape(r"<list>\W*(\d{1,3})\b.*")


@dataclass(frozen=True, slots=True)
class SplitRow:
    """A row by its `place` from 0.

    `kind`: "empty", "unit", "total", "category", "foot" (of another builder), "head" (names a book
    or numbers a list), "other". Of a unit `points` of each of `times`, and whether it `leads`; of a
    head the game and book, and the `rest` of it.
    """

    place: int
    kind: str
    text: str
    points: int = 0
    times: int = 1
    total: int = 0
    sized: bool = False
    chosen: HeadChoice = NO_GAME
    rest: str = ""
    leads: bool = False


class RowNames:
    """Names of books and categories that separate lists; those of one game if chosen."""

    def __init__(self, library: Library, system_id: str | None = None) -> None:
        self.library = library
        self.system = system_id
        every = library.systems.values()
        systems = [system for system in every if system_id in (None, system.id)]
        self.systems = tuple(system.name for system in systems)
        roles = {role.name for game in systems for role in game.roles.values() if role.alone}
        #: Finds what one unit of a list is.
        self.leader = re.compile(rf"\b(?:{'|'.join(map(re.escape, sorted(roles))) or '(?!)'})\b")
        self.books = [book for _system, book in head.sized_books(systems, library)]
        self.large = {size for system in systems if system.sized for size in system.sizes}

    @cached_property
    def games(self) -> frozenset[str]:
        """The names of games, also without their year, in comparable form."""
        names = (name for one in self.systems for name in (one, _YEAR.sub("", one)))
        return frozenset(map(simple, names))

    @cached_property
    def categories(self) -> frozenset[str]:
        """The names of categories of all books, in comparable form."""
        names = {name for book in self.books for name in book.categories.values()}
        return frozenset(map(_without_points, names))

    @cached_property
    def named(self) -> re.Pattern[str]:
        """Finds the name of a book among words that are compared."""
        called = (name for book in self.books for name in (book.name, without_aside(book.name)))
        names = sorted(
            {head.title_words(name).strip() for name in called} - {""}, key=len, reverse=True
        )
        return re.compile(" (?:" + "|".join(map(re.escape, names)) + ") " if names else r"(?!)")

    @cached_property
    def short(self) -> frozenset[str]:
        """Abbreviations of books: "WDG"."""
        return frozenset(
            one for book in self.books for one in head.initials(without_aside(book.name))
        )

    @cached_property
    def units(self) -> frozenset[str]:
        """The names of units that hold the name of a book."""
        names = (simple(name) for book in self.books for name in book.names.values())
        return frozenset(name for name in names if self.named.search(f" {name} "))

    def is_option(self, text: str, chosen: HeadChoice) -> bool:
        """Return whether a line is the name of an option in the books of a list.

        It may hold the name of another book: "Cult of Errahman and Bloodpox Blades".
        """
        if not chosen.system or not chosen.books:
            return False
        catalogue = self.library.catalogue(chosen.system, chosen.books)
        said = simple(text)
        offers = (unit.offer for unit in catalogue.units.values())
        return any(simple(one.name) == said for offer in offers for one in offer.options())


def read_split_rows(rows: Sequence[PastedRow], names: RowNames) -> list[SplitRow]:
    """Return each line with its kind."""
    return [_read(place, row, names) for place, row in enumerate(checked(rows))]


def _read(place: int, row: PastedRow, names: RowNames) -> SplitRow:
    words = row.words
    text = words.strip("+=*#~ ")
    if text and not text[0].isalnum():
        text = undressed(text)
    elif " - " in text:
        text = _MARK_BEFORE.sub("", text)
    if not text or is_rule(row.text) or (": " in text and note_in(text)):
        return SplitRow(place, "empty", "")
    if FOOT.match(words):
        return SplitRow(place, "foot", text)
    if sums := total_in(text):
        total = sums.spent or 0
        near = [_SIZE_LEAST * one <= total <= _SIZE_MOST * one for one in names.large]
        sized = bool(sums.size and total) or any(near)
        return SplitRow(place, "total", text, total=total, sized=sized)
    if _without_points(text) in names.categories:
        return SplitRow(place, "category", text)
    entry = read_entry(text)
    points = max(entry.points or 0, 0)
    like_unit = (entry.points is not None and points < MOST_OF_A_UNIT) or entry.models > 0
    if len(text) <= _HEAD_LETTERS and text.count(",") < _PARTS:
        rest = _rest_of_head(text, names, like_unit, entry.words)
        if rest is not None:
            chosen = head.named_game([text], names.library, system_id=names.system)
            return SplitRow(place, "head", text, chosen=chosen, rest=rest)
        if not like_unit and _NUMBERED.fullmatch(text):
            return SplitRow(place, "head", text, rest=text)
    if like_unit and _LETTERS.search(entry.words):
        times = entry.times if entry.points is not None else 1
        leads = names.leader.search(text) is not None
        return SplitRow(place, "unit", text, points, times, leads=leads)
    return SplitRow(place, "other", text)


def _rest_of_head(text: str, names: RowNames, like_unit: bool, words: str) -> str | None:
    """Return a line without the book or game that it names; None if it names none."""
    game = text.startswith(names.systems)
    book = names.named.search(head.title_words(text))
    if book and not _is_unit(words, like_unit, names):
        return "" if game else _beside_book(text, simple(book[0]), names)
    if like_unit:
        return None
    if game:
        return ""
    parts = [part for part in _PARTED.split(text) if part]
    short = next((part for part in (parts[-1:] + parts[:1]) if part in names.short), "")
    if short and len(parts) <= _PARTS + 1 and not head.VERSUS.fullmatch(text):
        return _beside(part for part in parts if part != short)
    return None


def _is_unit(words: str, like_unit: bool, names: RowNames) -> bool:
    said = simple(words)
    unit = any(said == name or said.startswith(f"{name} ") for name in names.units)
    return (like_unit and (unit or "," in words)) or (said in names.units and " " in said)


def _beside_book(text: str, book: str, names: RowNames) -> str:
    games = names.library.systems.values()
    told = (part for part in _PARTED.split(text) if part and not head.games_in(part, games))
    parts = [part for part in told if simple(part) not in names.games]
    words = [(part, head.title_words(part)) for part in parts]
    others = [part for part, its in words if book not in its and its not in f" {book} "]
    if others:
        return _beside(others)
    return _beside([head.title_words(parts[0]).replace(book, " ")]) if len(parts) == 1 else ""


def _without_points(text: str) -> str:
    """Return a heading without its points, in comparable form."""
    return simple(_POINTS.sub(" ", text))


def as_name(text: str) -> str:
    """Return a line that names a person, without points and the captain's mark."""
    return _MARK.sub("", _PRICE.sub("", text)).strip(" #*_")


def _beside(parts: Iterable[str]) -> str:
    """Return the parts of a line that may be a name, without numbers and the captain's mark."""
    said = (part for part in parts if _LETTERS.search(_POINTS.sub(" ", part)))
    words = (_PRICE.sub("", part) for part in said if not _CAPTAIN.fullmatch(part))
    return " - ".join(part.strip(" *_") for part in words if part.strip(" +*_"))


# Lists in the rows


@dataclass(frozen=True, slots=True)
class PastedPart:
    """A list in a text. It begins on line `first`; `name` is its player's, "" if not given.

    `chosen` is the game and book that its `heading` names, `settled` if the edition is known;
    `preface` lines are above its units. `size` is that of the game, 0 if not given; `perhaps` the
    lists that it may be instead, if lines that aren't units separate it (`titled`).
    """

    first: int
    text: str
    name: str = ""
    chosen: HeadChoice = NO_GAME
    preface: int = 0
    heading: str = ""
    settled: bool = False
    size: int = 0
    titled: bool = False
    perhaps: tuple["PastedPart", ...] = ()

    @property
    def doubt(self) -> str:
        """The sentence that it may be several lists; "" where nothing speaks for that."""
        if not self.perhaps:
            return ""
        names = [one.name or say("line {number}", number=one.first) for one in self.perhaps]
        about = {"number": len(names), "names": ", ".join(names)}
        return say("The text may contain {number} lists: {names}.", **about)


def parts_by_army(text: str, library: Library, system_id: str | None = None) -> list[PastedPart]:
    """Return the lists that army books, totals and our own forms part; one where none is sure.

    Raises Refusal as `read_text` does.
    """
    rows = read_rows(text, MOST_PACK_LINES)
    if "Selections:" in text and read_printed(rows) is not None:
        return [PastedPart(1, text)]
    names = RowNames(library, system_id)
    whole: list[_List] = []
    behind = 0
    ours = our_lists(rows, library)
    for start, end in [*ours, (len(rows), len(rows))]:
        whole += _between(rows, behind, start, names, bool(whole))
        if start < len(rows):
            whole.append(_List(start if whole else 0))
        behind = end
    if len(whole) < 2:
        return [PastedPart(1, text, titled=not ours and _is_titled(rows, names))]
    ends = [*(later.start for later in whole[1:]), len(rows)]
    return [
        PastedPart(
            first=part.start + 1,
            text="\n".join(row.raw for row in rows[part.start : end]),
            name=part.name,
            chosen=part.chosen,
            preface=max(0, part.first_unit - part.start),
            heading=part.heading,
        )
        for part, end in zip(whole, ends, strict=True)
    ]


def _is_titled(rows: Sequence[PastedRow], names: RowNames) -> bool:
    if len(rows) > _LONGEST:
        return False
    split_rows = read_split_rows(rows, names)
    kinds = "".join(row.kind[0] for row in split_rows)
    named = any(row.chosen.books for row in split_rows)
    if named and not re.search("u[^u]*[oht][^u]*u|ue+u", kinds):
        return False
    # Other builders mark titles.
    return all(row.kind != "unit" for row in read_form(rows, names.library).rows)


def _between(
    rows: Sequence[PastedRow], first: int, end: int, names: RowNames, more: bool
) -> list["_List"]:
    """Return the lists of other forms in these rows; `more` lists in the text need a few units."""
    split_rows = read_split_rows(rows[first:end], names)
    units = sum(row.kind == "unit" for row in split_rows)
    if not units or (more and units < _FEW):
        return []
    lists = _Splitter(split_rows, names).lists()
    for one in lists:
        one.start += first
        one.first_unit += first
    return lists


@dataclass(slots=True)
class _List:
    """A list while a text is taken apart: where it begins, and its properties so far.

    Points of its units are from `low` to `high`: those of several may be of each.
    """

    start: int
    name: str = ""
    chosen: HeadChoice = NO_GAME
    heading: str = ""
    units: int = 0
    low: int = 0
    high: int = 0
    leads: bool = False
    first_unit: int = 0
    last: int = 0
    closed: bool = False
    categories: set[str] = field(default_factory=set)

    def add(self, row: SplitRow) -> None:
        """Add a row of a unit."""
        if not self.units:
            self.first_unit = row.place
        self.units += 1
        self.leads |= row.leads
        self.low += row.points
        self.high += row.points * row.times
        self.last = row.place


class _Splitter:
    """Goes through the rows of a text that isn't one of our forms."""

    def __init__(self, rows: Sequence[SplitRow], names: RowNames) -> None:
        self.rows = rows
        self.names = names
        self.done: list[_List] = []
        #: The book that a heading above several lists names, and that heading.
        self.over: tuple[HeadChoice, str] = (NO_GAME, "")
        #: Lists of small games, which name no book, have totals as their sections have: `several`
        #: weighs those.
        named = any(row.chosen.books for row in rows)
        self.least = 1 if named else _LEAST * min(names.large, default=10**6)
        self.whole = max((row.total for row in rows if row.kind == "total"), default=0)
        #: Units from each row on.
        self.units_from = [*accumulate(row.kind == "unit" for row in reversed(rows))][::-1]

    def lists(self) -> list[_List]:
        """Return the lists, at least one."""
        now = _List(0)
        for row in self.rows:
            start = self._new_start(now, row)
            if start is not None:
                self.done.append(now)
                now = _List(start)
            if row.kind == "unit":
                now.add(row)
            elif row.kind == "category":
                # A total above a further category is that of another.
                now.closed &= not now.categories or _without_points(row.text) in now.categories
                now.categories.add(_without_points(row.text))
            elif now.units and (row.kind == "foot" or self._is_whole(now, row)):
                now.closed = True
                now.last = row.place
        self.done.append(now)
        ends = [*(one.start for one in self.done[1:]), len(self.rows)]
        for one, end in zip(self.done, ends, strict=True):
            self._name(one, end)
        return self.done

    def _is_whole(self, now: _List, row: SplitRow) -> bool:
        if row.kind != "total" or row.total < self.least or now.high < row.total // 2:
            return False
        return row.sized or row.total >= 0.75 * self.whole

    def _new_start(self, now: _List, row: SplitRow) -> int | None:
        if not now.units or row.kind in ("empty", "total", "foot", "category"):
            return None
        if now.closed and self._goes_on(row):
            behind = self.rows[now.last + 1 :]
            return next(one.place for one in behind if one.kind not in ("empty", "foot", "total"))
        if now.closed:
            return None
        if row.kind == "head":
            return self._at_head(now, row)
        return row.place if self._is_player(now, row) else None

    def _goes_on(self, row: SplitRow) -> bool:
        """Return whether enough follows a list that has ended to be another."""
        left = self.units_from[row.place]
        if row.kind == "head":
            return left > 0
        return left > 1 and (row.kind == "unit" or self._unit_near(row))

    def _at_head(self, now: _List, row: SplitRow) -> int | None:
        if not self._unit_near(row) or now.units < 2:
            return None
        heads = (one.chosen for one in self.rows[now.start : now.first_unit] if one.kind == "head")
        if row.chosen == next(heads, NO_GAME) and not (row.rest and self._is_full(now)):
            return None
        above = (one.chosen for one in self.rows[now.start : row.place] if one.kind == "head")
        option = any(self.names.is_option(row.text, chosen) for chosen in above)
        same = option or self._is_one_total_below(now, row)
        return None if same else self._named_above(now, row)

    def _named_above(self, now: _List, head: SplitRow) -> int:
        """Return the first of the lines close above a head that may name its player or team."""
        start = head.place
        for one in reversed(self.rows[now.last + 1 : head.place]):
            if one.kind == "empty" and start == head.place and not head.rest:
                continue
            if one.kind != "other" or not may_name(one.text):
                break
            start = one.place
        return start

    def _is_one_total_below(self, now: _List, row: SplitRow) -> bool:
        """Return whether a total below covers the lines above and below the head together."""
        low, high = now.low, now.high
        for below in self.rows[row.place + 1 :]:
            if below.kind == "head" and below.chosen != row.chosen:
                return False
            if below.kind == "unit":
                low, high = low + below.points, high + below.points * below.times
            if below.kind == "total" and below.total:
                return now.low > 0 and 0.98 * low <= below.total <= 1.02 * high
        return False

    def _is_player(self, now: _List, row: SplitRow) -> bool:
        above = self.rows[row.place - 1].kind if row.place else ""
        if row.kind != "other" or above != "empty" or not may_name(row.text):
            return False
        if not (self._is_full(now) and self._unit_near(row)):
            return False
        ahead = self.rows[row.place : row.place + _LONGEST]
        rest = [*takewhile(lambda one: one.kind not in ("total", "head"), ahead)]
        if now.leads and not any(one.leads for one in rest):
            return False  # the rest of an army that has its General
        return sum(one.points * one.times for one in rest) >= _ENOUGH * now.low

    def _is_full(self, now: _List) -> bool:
        sizes = [self.whole] if self.whole >= self.least else self.names.large
        return any(now.high >= _LEAST * size and now.low <= _MOST * size for size in sizes)

    def _unit_near(self, row: SplitRow) -> bool:
        seen = 0
        for one in self.rows[row.place + 1 :]:
            seen += one.kind != "empty"
            if one.kind == "unit" or seen > _NEAR:
                return one.kind == "unit"
        return False

    def _name(self, part: _List, end: int) -> None:
        above = self.rows[part.start : part.first_unit if part.units else end]
        head = next((row for row in reversed(above) if row.kind == "head"), None)
        others = [row for row in above if row.kind == "other" and may_name(row.text)]
        if head is None:
            part.name = as_name(others[-1].text) if others else ""
            if part.start:
                part.chosen, part.heading = self.over
            return
        part.chosen, part.heading = head.chosen, head.text
        below = [as_name(row.text) for row in others if row.place > head.place]
        over = [as_name(row.text) for row in others if row.place < head.place]
        part.name = head.rest or (below[:1] or over[-1:] or [""])[0]
        self.over = (head.chosen, head.text) if not head.rest and below else (NO_GAME, "")


def may_name(text: str) -> bool:
    """Return whether a line may be a person's name: short, and not a sentence."""
    short = len(text) <= _NAME and len(text.split()) <= _WORDS
    return short and not (text.endswith((",", ";", "-")) or head.VERSUS.fullmatch(text))
