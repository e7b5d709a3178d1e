"""One list or several: evidence in a text without army books or totals that separate them.

A post with two warbands, each with a name and a total, looks like one warband with sections and
subtotals. Marks such as "vs" or "Player 2" are proof; otherwise evidence is weighed: whether each
part has a leader, fills a game, and has points of its own, and whether all belong to one game. If
that isn't enough, it is one list that may be several: `perhaps` of the only part.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, takewhile

from armybuilder.engine.catalogue import Catalogue
from armybuilder.engine.names import simple
from armybuilder.exchange.pasting import head
from armybuilder.exchange.pasting.entries import bare_number, read_entry
from armybuilder.exchange.pasting.head import HeadChoice
from armybuilder.exchange.pasting.lines import read_form, total_in
from armybuilder.exchange.pasting.names import without_aside
from armybuilder.exchange.pasting.parts import number_in, shape
from armybuilder.exchange.pasting.reading import game_in, read_text
from armybuilder.exchange.pasting.results import PastedLine, PastedList, UnitRead
from armybuilder.exchange.pasting.rows import ENTRY, read_rows, undressed
from armybuilder.exchange.pasting.splitting import PastedPart, as_name, may_name, parts_by_army
from armybuilder.loading.library import Library

#: Evidence needed to split a text, and to say that it may be several lists.
_SURE, _PERHAPS = 3, 1
#: Points of lists of one size: of the largest at least; of the size at least, and at most; and of
#: a size at least where all parts together are a list of it.
_ALIKE, _FILLED, _FULL, _WHOLE = 0.85, 0.8, 1.03, 0.95
#: What leads a warband is called in rulebooks.
_LEADING = frozenset({"leader", "commander"})
#: "Anna vs Bob", "Two warbands": a heading of several.
_ANNOUNCED = shape(r"\s<versus>\s|\b(?:two|three|four|both|[2-9])\s(?:\w+\s)?(?:<list>)s\b")
#: "Player 2 (Bob)", "Warband B: Orcs", "2nd warband", "Second list": lists that are counted.
_COUNTED = shape(
    r"\W*(?:<list>\s*(?:no\.?|nr\.?|#)?\s*(?:\d{1,2}|[A-H]|one|two|three|four)"
    r"|(?:\d{1,2}(?:st|nd|rd|th|\.)|first|second|third|fourth)\s+<list>|<player>(?=:))"
    r"(?![\w+/])[\s:.)–—-]*"
)
#: "Anna's warband", "Army of the North": a title that says it is a list.
_CALLED = shape(r"\b<list>\b|\w['’]s\b")
_AROUND = re.compile(r"^[(\[](.*)[)\]]$")
#: When something was posted.
_TIME = shape(r"[,\s]*\b\d{1,2}:\d\d\b.*$")
#: Kinds of lines that may be titles.
_TITLES = frozenset({"title", "heading", "unread", "game"})


@dataclass(frozen=True)
class _Part:
    """Lines of a text that may be a list, with the `title` above its units.

    `counted`: the title numbers lists, or "vs" is above it.
    """

    lines: tuple[PastedLine, ...]
    title: PastedLine | None = None
    counted: bool = False

    @cached_property
    def units(self) -> list[UnitRead]:
        """Lines read as units."""
        return [line.unit for line in self.lines if line.unit and line is not self.title]

    @property
    def points(self) -> int:
        """Points of its units, printed ones first."""
        return sum((one.printed or one.computed or 0) * one.times for one in self.units)

    @property
    def sums(self) -> list[int]:
        """The points in its totals."""
        sums = (
            total_in(" ".join(line.text.split())) for line in self.lines if line.kind == "total"
        )
        return [one.spent for one in sums if one and one.spent]

    @property
    def sections(self) -> set[str]:
        """Headings above units except the title, in comparable form."""
        return {simple(one.text) for one in self.lines if one.kind in _TITLES and one != self.title}

    @property
    def preface(self) -> int:
        """Number of lines above the first unit."""
        return next(n for n, one in enumerate(self.lines) if one.unit and one is not self.title)

    @property
    def name(self) -> str:
        """The name in the title, or below one that only numbers a list: "Player 2 (Bob)"."""
        if self.title is None:
            return ""
        title = ENTRY.sub("", undressed(_TIME.sub("", self.title.text).strip(" #*_")))
        count = _COUNTED.match(title)
        above = self.lines[: self.preface]
        below = [
            one.text for one in above if one.number > self.title.number and one.kind in _TITLES
        ]
        for text in [title[count.end() :], *below, title] if count else [title]:
            bare = _AROUND.sub(r"\1", text)
            entry = read_entry(bare)
            if name := as_name(entry.words if entry.points and not entry.models else bare):
                return name.strip(" :–—-")
        return ""


def split_text(
    text: str, library: Library, system_id: str | None = None, several: bool = False
) -> list[PastedPart]:
    """Return the lists in a text, all lines of it; one where several are not sure.

    Of that one `perhaps` are the lists that it may be; with `several` these are returned. Raises
    Refusal as `read_text` does.
    """
    parts = parts_by_army(text, library, system_id)
    if len(parts) > 1 or not parts[0].titled:
        return parts
    reading = read_text(text, library, system_id)
    if reading.catalogue is None or not reading.units:
        return parts
    weighing = _Weighing(reading.lines, reading.catalogue)
    if weighing.evidence < _PERHAPS:
        return parts
    lists = tuple(_lists(reading, weighing, library))
    sure = several or weighing.evidence >= _SURE
    return [*lists] if sure else [replace(parts[0], perhaps=lists)]


def _lists(reading: PastedList, weighing: "_Weighing", library: Library) -> Iterator[PastedPart]:
    """Yield the parts as lists, all of the game that the whole text is of."""
    sized = weighing.system.sized
    armies = {simple(without_aside(book.name)) for book in weighing.catalogue.books}
    chosen = HeadChoice(reading.system, reading.books, reading.told, named=reading.named)
    for part in weighing.parts:
        text = "\n".join(line.text for line in part.lines)
        if not sized:
            form = read_form(read_rows(text), library)
            chosen = replace(game_in(form, library, reading.system), told=reading.told)
        yield PastedPart(
            first=part.lines[0].number,
            text=text,
            name="" if simple(part.name) in armies else part.name,
            chosen=chosen,
            preface=part.preface,
            settled=not sized,
            size=weighing.size,
        )


class _Weighing:
    """Weighs by the lines of a text, read as one list, whether `parts` of it are lists.

    What speaks for that is more than what speaks against it by the `evidence`.
    """

    def __init__(self, lines: Sequence[PastedLine], catalogue: Catalogue) -> None:
        self.catalogue = catalogue
        self.system = catalogue.system
        titled = self._titled(lines)
        self.evidence, self.parts = 0.0, titled
        if not titled:
            return
        first = titled[0]
        above = takewhile(lambda one: one != first.title, first.lines[: first.preface])
        #: Lines above the title of the first part, and the game size in them.
        self.top = [one.text for one in above] if first.title else []
        self.size = head.points_in(self.top, self.system, 0).size
        self.evidence, self.parts = max(
            ((self._weigh(parts), parts) for parts in (self._merged(titled), titled)),
            key=lambda weighed: weighed[0],
        )

    def _titled(self, lines: Sequence[PastedLine]) -> list[_Part]:
        """Return the parts of a text that have a title, or follow a total."""
        begun: list[tuple[int, PastedLine | None, bool]] = []
        start = last = 0
        for place, line in enumerate(lines):
            above = lines[last:place]
            if line.unit is None or self._is_title(line, above):
                continue
            part = self._begun(above, line.number, lines[start:place] if begun else ())
            if part is not None or not begun:
                start = part[0] - 1 if part and begun else 0
                begun.append((start, *(part[1:] if part else (None, False))))
            last = place + 1
        if not begun:
            return []
        ends = [*(start for start, _title, _counted in begun[1:]), len(lines)]
        return [
            _Part(tuple(lines[start:end]), title, counted)
            for (start, title, counted), end in zip(begun, ends, strict=True)
        ]

    def _is_title(self, line: PastedLine, above: Sequence[PastedLine]) -> bool:
        unknown = line.unit is not None and line.unit.entry is None and may_name(line.text)
        gap = not above or above[-1].kind in ("empty", "total")
        return unknown and (gap or _COUNTED.match(line.text) is not None)

    def _is_name(self, line: PastedLine) -> bool:
        text = line.text.strip()
        section = head.is_section(text) or head.is_category(text, self.catalogue.books)
        titled = line.kind in _TITLES or line.unit is not None or _COUNTED.match(text) is not None
        return titled and may_name(text) and not section

    def _begun(
        self, above: Sequence[PastedLine], unit_line: int, part: Sequence[PastedLine]
    ) -> tuple[int, PastedLine | None, bool] | None:
        """Return the first line of what begins above a unit, its title, and whether it is counted.

        None where the lines of the `part` before it go on.
        """
        versus = max((line.number for line in above if head.VERSUS.fullmatch(line.text)), default=0)
        names = [line for line in above if line.number > versus and self._is_name(line)]
        counted = next((line for line in names if _COUNTED.match(line.text)), None)
        if names:
            # The title is in the nearest of the chunks above the unit.
            chunk = {line.number for line in above if line.kind != "empty" and line.number > versus}
            first = names[-1].number
            while first - 1 in chunk:
                first -= 1
            first = min(first, counted.number if counted else first)
            title = counted or next(line for line in names if line.number >= first)
            return first, title, counted is not None or versus > 0
        if versus:
            return versus + 1, None, True
        gap = above and above[-1].kind == "empty" and _TITLES.isdisjoint(one.kind for one in above)
        ended = gap and any(line.kind == "total" for line in part)
        return (unit_line, None, False) if ended else None

    def _merged(self, parts: list[_Part]) -> list[_Part]:
        """Return the parts; one that isn't counted like the others, or has no leader, is merged."""
        begins = [part.counted for part in parts]
        if not any(begins[1:]):
            begins = [self._has_leader(part) for part in parts]
            if sum(begins) < 2 or not begins[0]:
                return parts
        lists = parts[:1]
        for part, begun in zip(parts[1:], begins[1:], strict=True):
            if begun:
                lists.append(part)
            else:
                lists[-1] = replace(lists[-1], lines=lists[-1].lines + part.lines)
        return lists

    def _has_leader(self, part: _Part) -> bool:
        return any(self._is_general(one) or self._leads(one) for one in part.units)

    def _is_general(self, unit: UnitRead) -> bool:
        roles = self.system.roles
        return unit.entry is not None and any(roles[role].alone for role in unit.entry.roles)

    def _leads(self, unit: UnitRead) -> bool:
        if unit.entry is not None and unit.entry.profile is not None:
            return any(use.ability in _LEADING for use in unit.entry.profile.abilities)
        known = self.catalogue.units.get(unit.chosen)
        return known is not None and any(use.ability.id in _LEADING for use in known.abilities)

    def _weigh(self, parts: Sequence[_Part]) -> int:
        """Return what speaks for several lists, less what speaks for one."""
        if len(parts) < 2 or any(part.counted for part in parts[1:]):
            return _SURE if len(parts) > 1 else 0
        points = [part.points for part in parts]
        whole, largest, sizes = sum(points), max(points), self.system.sizes
        fill = any(_FILLED * size <= min(points) and largest <= _FULL * size for size in sizes)
        alike = fill and _ALIKE * largest <= min(points)
        near = not alike and any(_WHOLE * size <= whole <= size for size in sizes)
        leading = [self._has_leader(part) for part in parts]
        alone = all(any(map(self._is_general, part.units)) for part in parts)
        sums = {*parts[-1].sums[-1:], *map(number_in, self.top)}
        limit = self.size or self.system.default_size
        evidence = (
            (all(leading), 3 if alone else 2),
            (sum(leading) == 1, -1),
            (all(map(self._has_own, parts)), 1),
            (any(self._own(part) and not self._has_own(part) for part in parts), -2),
            (alike, 2),
            (largest <= _FULL * limit < whole, 3 if self.size else 1),
            (_repeated({unit.name for unit in part.units} for part in parts), 1),
            (_repeated(part.sections for part in parts), 2),
            (all(part.title and _CALLED.search(part.title.text) for part in parts), 2),
            (any(map(_ANNOUNCED.search, self.top)), 2),
            (whole > 0 and whole in sums, -3),
            (whole <= _FULL * self.size if self.size else near, -1),
        )
        return sum(weight for holds, weight in evidence if holds)

    def _has_own(self, part: _Part) -> bool:
        fits = (one for one in self._own(part) if part.points <= _FULL * one)
        return any(one in self.system.sizes or _FILLED * one <= part.points for one in fits)

    def _own(self, part: _Part) -> list[int]:
        """Return the points in the title of a part, of a game's size or its own, and its totals."""
        if part.title is None:
            return part.sums
        title = head.points_in([part.title.text], self.system, 0)
        bare = bare_number(part.title.text.strip())
        points = read_entry(part.title.text).points
        titled = (title.size, title.spent, points, bare[1] if bare else 0)
        return [*[number for number in titled if number][:1], *part.sums]


def _repeated(names: Iterable[set[str]]) -> bool:
    return max(Counter(chain.from_iterable(names)).values(), default=0) > 1
