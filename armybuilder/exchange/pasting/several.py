"""A text as one list or several: what speaks for either, where no army book or total parts them.

A post with two warbands, each with a name and a total, looks like one warband with sections that
have subtotals. Marks such as "vs" or "Player 2" are proof; else evidence is weighed: whether each
part has a leader, fills a game, and has points of its own, and whether all are one game's. Where
that is not enough it is one list that may be several: `perhaps` of the only part.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain

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
from armybuilder.exchange.pasting.rows import read_rows, undressed
from armybuilder.exchange.pasting.splitting import PastedPart, as_name, may_name, parts_by_army
from armybuilder.loading.library import Library

#: What evidence comes to where a text is split, and where it is told that it may be several lists.
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
    r"|(?:\d{1,2}(?:st|nd|rd|th|\.)|first|second|third|fourth)\s+<list>)(?![\w+/])[\s:.)–—-]*"
)
#: "Anna's warband", "Army of the North": a title that says it is a list.
_CALLED = shape(r"\b<list>\b|\w['’]s\b")
#: When something was posted.
_TIME = shape(r"[,\s]*\b\d{1,2}:\d\d\b.*$")
#: Kinds of lines that may be titles.
_TITLES = frozenset({"title", "heading", "unread", "game"})


@dataclass
class _Part:
    """What may be a list: lines from `first` on with a `title`, and units from `unit_line` on.

    `counted`: its title numbers lists, or "vs" stands above it; `sections` stand above units; `own`
    are the points in its title and totals.
    """

    first: int
    title: str = ""
    counted: bool = False
    unit_line: int = 0
    sections: list[str] = field(default_factory=list)
    own: list[int] = field(default_factory=list)
    units: list[UnitRead] = field(default_factory=list)

    @property
    def points(self) -> int:
        """The points of its units, as they are written where they are."""
        return sum((one.printed or one.computed or 0) * one.times for one in self.units)

    def with_next(self, part: "_Part") -> "_Part":
        """Return the part with the next one in it."""
        return replace(
            self,
            sections=[*self.sections, part.title, *part.sections],
            own=self.own + part.own,
            units=self.units + part.units,
        )


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
    if reading.catalogue is None:
        return parts
    weighing = _Weighing(reading.lines, reading.catalogue)
    if weighing.evidence < _PERHAPS:
        return parts
    lists = tuple(_lists(reading, weighing, library))
    sure = several or weighing.evidence >= _SURE
    return [*lists] if sure else [replace(parts[0], perhaps=lists)]


def _lists(reading: PastedList, weighing: "_Weighing", library: Library) -> Iterator[PastedPart]:
    """Yield the parts as lists, all of the game that the whole text is of."""
    ends = [*(part.first for part in weighing.parts[1:]), len(reading.lines) + 1]
    sized = library.system(reading.system).sized
    armies = {simple(without_aside(book.name)) for book in weighing.catalogue.books}
    chosen = HeadChoice(reading.system, reading.books, reading.told, named=reading.named)
    for part, end in zip(weighing.parts, ends, strict=True):
        text = "\n".join(line.text for line in reading.lines[part.first - 1 : end - 1])
        if not sized:
            form = read_form(read_rows(text), library)
            chosen = replace(game_in(form, library, reading.system), told=reading.told)
        yield PastedPart(
            first=part.first,
            text=text,
            name="" if simple(part.title) in armies else part.title,
            chosen=chosen,
            preface=part.unit_line - part.first,
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
        #: Lines above the title of the first part, and the size of a game that they tell.
        self.top: list[str] = []
        found = list(self._titled(lines))
        self.size = head.points_in(self.top, self.system, 0).size
        self.evidence, self.parts = max(
            ((self._weigh(parts), parts) for parts in (self._merged(found), found)),
            key=lambda weighed: weighed[0],
        )

    def _titled(self, lines: Sequence[PastedLine]) -> Iterator[_Part]:
        """Yield the parts of a text that have a title, or stand below a total."""
        part: _Part | None = None
        above: list[PastedLine] = []
        for line in lines:
            if line.unit is None or self._is_title(line, above):
                above.append(line)
                continue
            new = self._begun(above, line.number, part)
            if part is not None:
                part.own += _sums(one for one in above if new is None or one.number < new.first)
            if part is not None and new is not None:
                yield part
            if part is None or new is not None:
                part = new or _Part(1, unit_line=line.number)
            else:
                part.sections += [one.text for one in above if one.kind in _TITLES]
            part.units.append(line.unit)
            above = []
        if part is not None:
            part.own += _sums(above)
            yield part

    def _is_title(self, line: PastedLine, above: Sequence[PastedLine]) -> bool:
        """Return whether a line that was taken for an unknown unit, with points, may be a title."""
        unknown = line.unit is not None and line.unit.entry is None and may_name(line.text)
        gap = not above or above[-1].kind in ("empty", "total")
        return unknown and (gap or _COUNTED.match(line.text) is not None)

    def _is_name(self, line: PastedLine) -> bool:
        """Return whether a line may be the name of a list; what kind of units follow is none."""
        text = line.text.strip()
        section = head.is_section(text) or head.is_category(text, self.catalogue.books)
        return (line.kind in _TITLES or line.unit is not None) and may_name(text) and not section

    def _begun(
        self, above: Sequence[PastedLine], unit_line: int, part: _Part | None
    ) -> _Part | None:
        """Return the part that begins with the lines above a unit; None where none does."""
        versus = max((one.number for one in above if head.VERSUS.fullmatch(one.text)), default=0)
        names = [one for one in above if one.number > versus and self._is_name(one)]
        counted = next((one for one in names if _COUNTED.match(one.text)), None)
        first = versus + 1 if versus else unit_line
        if names:
            # The title is in the nearest of the chunks above the unit.
            chunk = {one.number for one in above if one.kind != "empty" and one.number > versus}
            first = names[-1].number
            while first - 1 in chunk:
                first -= 1
            first = min(first, counted.number if counted else first)
        elif part is not None and not versus:
            ended = bool(part.own or [*_sums(above)]) and above and above[-1].kind == "empty"
            if not ended or any(one.kind in _TITLES for one in above):
                return None
        title = counted or next((one for one in names if one.number >= first), None)
        if part is None:
            self.top = [one.text for one in above if title is None or one.number < title.number]
            first = 1
        below = [one for one in above if one.number >= first]
        return _Part(
            first,
            _name(title.text, [one.text for one in names if one.number > title.number])
            if title
            else "",
            counted is not None or versus > 0,
            unit_line,
            [one.text for one in below if one.kind in _TITLES and one is not title],
            [*self._points_in(title), *_sums(below)],
        )

    def _points_in(self, title: PastedLine | None) -> list[int]:
        """Return the points in a title: of a game's size, or of the units."""
        if title is None:
            return []
        told = head.points_in([title.text], self.system, 0)
        bare = bare_number(title.text.strip())
        numbers = (told.size, told.spent, read_entry(title.text).points, bare[1] if bare else 0)
        return [number for number in numbers if number][:1]

    def _merged(self, parts: list[_Part]) -> list[_Part]:
        """Return the parts; what is not counted as others are, or has no leader, goes on."""
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
                lists[-1] = lists[-1].with_next(part)
        return lists

    def _has_leader(self, part: _Part) -> bool:
        """Return whether a unit leads: by a role that one of a list has, or by an ability."""
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
        fill = any(_FILLED * one <= min(points) and largest <= _FULL * one for one in sizes)
        alike = fill and _ALIKE * largest <= min(points)
        near = not alike and any(_WHOLE * one <= whole <= one for one in sizes)
        leading = [self._has_leader(part) for part in parts]
        alone = all(any(map(self._is_general, part.units)) for part in parts)
        sums = {*parts[-1].own[-1:], *(number_in(text) for text in self.top)}
        limit = self.size or self.system.default_size
        evidence = (
            (all(leading), 3 if alone else 2),
            (sum(leading) == 1, -1),
            (all(map(self._has_own, parts)), 1),
            (any(part.own and not self._has_own(part) for part in parts), -2),
            (alike, 2),
            (largest <= _FULL * limit < whole, 3 if self.size else 1),
            (_repeated({one.name for one in part.units} for part in parts), 1),
            (_repeated({simple(one) for one in part.sections} for part in parts), 2),
            (all(_CALLED.search(part.title) for part in parts), 2),
            (any(map(_ANNOUNCED.search, self.top)), 2),
            (whole > 0 and whole in sums, -3),
            (whole <= _FULL * self.size if self.size else near, -1),
        )
        return sum(weight for holds, weight in evidence if holds)

    def _has_own(self, part: _Part) -> bool:
        """Return whether a title or total of a part tells its points, or the size that it fits."""
        fits = (one for one in part.own if part.points <= _FULL * one)
        return any(one in self.system.sizes or _FILLED * one <= part.points for one in fits)


def _sums(lines: Iterable[PastedLine]) -> Iterator[int]:
    """Yield the points of all that lines tell."""
    sums = (total_in(line.text) for line in lines if line.kind == "total")
    yield from (one.spent for one in sums if one and one.spent)


def _name(title: str, below: Sequence[str]) -> str:
    """Return the name in a title, or below one that only numbers a list: "Player 2 (Bob)"."""
    title = undressed(_TIME.sub("", title).strip(" #*_"))
    count = _COUNTED.match(title)
    for text in [title[count.end() :], *below, title] if count else [title]:
        bare = text[1:-1] if text[:1] in ("(", "[") and text[-1:] in (")", "]") else text
        entry = read_entry(bare)
        if name := as_name(entry.words if entry.points and not entry.models else bare):
            return name.strip(" :–—-")
    return ""


def _repeated(names: Iterable[set[str]]) -> bool:
    """Return whether something has the same name in two parts."""
    return max(Counter(chain.from_iterable(names)).values(), default=0) > 1
