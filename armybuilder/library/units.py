"""Units in the library's pages and search, by their statistics, and up to four side by side."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from operator import eq, ge, gt, le, lt
from typing import NamedTuple
from urllib.parse import urlencode

from django.utils.translation import gettext as _

from armybuilder.engine.catalogue import Book, Catalogue, System
from armybuilder.engine.describe import unit_facts
from armybuilder.engine.options import Profile
from armybuilder.engine.units import Unit
from armybuilder.engine.vocabulary import Stat
from armybuilder.sheets.content.make_units import entry_views
from armybuilder.sheets.content.unit_view import FactPart, UnitView

_SIGNS: Mapping[str, Callable[[int, int], bool]] = {
    "": eq, "=": eq, "≥": ge, ">=": ge, "≤": le, "<=": le, ">": gt, "<": lt,
}  # fmt: skip
#: A value with a number to compare; a letter before it says that the unit flies, dice have none.
_NUMBER = re.compile(r"[A-Z]?(-?\d+)(?![\dD])")


class StatTerm(NamedTuple):
    """A search term for a statistic: equal to a number, or more or less than it."""

    stat: Stat
    sign: str
    number: int
    plus: bool = False

    def found_in(self, unit: Unit) -> str:
        """Return a matching value of the unit, or of a possible option, in words; "" for none."""
        own = (
            [("", self.stat.shown(unit.stats[self.stat.id]))] if self.stat.id in unit.stats else []
        )
        for name, value in (*own, *_lines(unit, self.stat, deep=True)):
            number = number_in(value)
            # "5+" means 5 where values are written so.
            least = self.plus and not value.endswith("+")
            meets = ge if least else _SIGNS[self.sign]
            if number is not None and meets(number, self.number):
                shown = f"{self.stat.short} {value}"
                return f"{name}: {shown}" if name not in ("", unit.name) else shown
        return ""


def number_in(value: str) -> int | None:
    """Return the number of a value as printed; None for dice, words and strokes."""
    found = _NUMBER.match(value.removeprefix("+"))
    return int(found[1]) if found else None


def _lines(unit: Unit, stat: Stat, deep: bool = False) -> Iterator[tuple[str, str]]:
    """Yield the values of the unit's stat lines, by name; `deep`: of its options' too."""
    profiles: list[Profile] = [*unit.profiles]
    if deep:
        profiles += (profile for option in unit.offer.options() for profile in option.profiles)
    for profile in profiles:
        if profile.stats.get(stat.id):
            yield profile.name, profile.stats[stat.id]


def best_value(unit: Unit, stat: Stat) -> str:
    """Return the unit's best value of a statistic as printed, options aside; "" where it has none.

    The highest is the best, but of values such as "4+", which are rolled for.
    """
    values = [stat.shown(unit.stats[stat.id])] if stat.id in unit.stats else []
    values += (value for _name, value in _lines(unit, stat))
    known = [value for value in values if number_in(value) is not None]
    return max(known, key=rank_of) if known else ""


def rank_of(value: str) -> int:
    """Return a number that is higher for a better value."""
    number = number_in(value) or 0
    return -number if value.endswith("+") else number


def ranked_stats(system: System) -> Iterator[Stat]:
    """Yield the statistics that units can be sorted by: those with numbers."""
    yield from (stat for stat in system.stats.values() if stat.id not in _WORDS)


#: Statistics that are words.
_WORDS = ("height", "type", "base")


def stat_terms(text: str, system: System) -> tuple[list[StatTerm], str]:
    """Return a search's terms about statistics, and the rest of its text."""
    pattern, stats = _pattern(system)
    terms = [
        StatTerm(stats[name.casefold()], sign, int(number), bool(plus))
        for name, sign, number, plus in pattern.findall(text)
    ]
    return terms, pattern.sub(" ", text)


@lru_cache(maxsize=64)
def _pattern(system: System) -> tuple[re.Pattern[str], Mapping[str, Stat]]:
    stats: dict[str, Stat] = {}
    for stat in system.stats.values():
        stats.setdefault(stat.short.casefold(), stat)
        stats.setdefault(stat.name.casefold(), stat)
    names = "|".join(re.escape(name) for name in sorted(stats, key=len, reverse=True))
    signs = "|".join(sorted(filter(None, _SIGNS), key=len, reverse=True))
    number = rf"\b({names or '(?!)'})\s*({signs}|)\s*(\d{{1,3}})(\+?)(?!\S)"
    return re.compile(number, re.IGNORECASE), stats


def by_category(book: Book, catalogue: Catalogue) -> list[tuple[str, list[UnitView]]]:
    """Return the book's units under the names of their first categories, in the book's order.

    Books of single models have one heading, "".
    """
    grouped: dict[str, list[UnitView]] = {name: [] for name in book.categories.values()}
    units, other = book.units.values(), _("Others") if catalogue.system.sized else ""
    for unit, view in zip(units, entry_views(units, catalogue), strict=True):
        heading = book.categories[unit.categories[0]] if unit.categories else other
        grouped.setdefault(heading, []).append(view)
    return [(heading, views) for heading, views in grouped.items() if views]


#: The reasons shown for one unit; more would only be read past.
MAX_REASONS = 3


def found_by(unit: Unit, text: str, catalogue: Catalogue) -> tuple[str, ...] | None:
    """Return the rules, options, facts and statistics by which a unit matches all of `text`.

    That is () if its name alone matches, None if it does not match.
    """
    terms, rest = stat_terms(text, catalogue.system)
    stats = [term.found_in(unit) for term in terms]
    if not all(stats):
        # A rule may be called so: "Breath Attack (AP 1)".
        stats, rest = [], text
    name = unit.name.casefold()
    words = [word for word in rest.casefold().split() if word not in name]
    if not words:
        return tuple(stats)
    texts = dict.fromkeys(_texts(unit, catalogue))
    phrase = " ".join(words)
    whole = [text for text in texts if phrase in text.casefold()]
    if whole:
        return (*stats, *whole[:MAX_REASONS])
    if len(stats) < len(terms):
        return None
    reasons = [next((text for text in texts if word in text.casefold()), None) for word in words]
    if None in reasons:
        return None
    return (*stats, *dict.fromkeys(reason for reason in reasons if reason))


def _texts(unit: Unit, catalogue: Catalogue) -> Iterator[str]:
    """Yield all texts besides its name by which a unit can be found, the most relevant first."""
    yield from (use.label for use in unit.abilities)
    yield from (spell.name for spell in unit.spells)
    yield from (keyword.name for keyword in unit.keywords)
    for profile in unit.profiles:
        yield from profile.rules
    for option in unit.offer.options():
        yield option.name
        yield from (keyword.name for keyword in option.keywords)
    if unit.group:
        yield unit.group
    yield from unit_facts(unit, catalogue.system).split(" · ")


#: Units compared side by side, at most.
MOST = 4


@dataclass(frozen=True, slots=True)
class ComparedWord:
    """Something a unit has; `shared`: all the units have the same."""

    text: str
    shared: bool


@dataclass(frozen=True, slots=True)
class ComparedRow:
    """One thing compared. A cell per unit, each a list of words; `differs`: they are not alike."""

    name: str
    cells: tuple[tuple[ComparedWord, ...], ...]
    differs: bool


@dataclass(frozen=True, slots=True)
class ComparedPart:
    """Rows of one kind under their heading."""

    heading: str
    rows: tuple[ComparedRow, ...]

    @property
    def differs(self) -> bool:
        return any(row.differs for row in self.rows)


@dataclass(frozen=True, slots=True)
class ComparedColumn:
    """A unit compared; `without` is the query string of the comparison without it."""

    unit: Unit
    without: str


@dataclass(frozen=True, slots=True)
class ComparedUnits:
    """Contents of a comparison page: `more` didn't fit; `offered` are others of these books."""

    units: tuple[Unit, ...]
    columns: tuple[ComparedColumn, ...]
    more: int
    offered: tuple[Unit, ...]


def chosen_units(refs: Iterable[str], units: Mapping[str, Unit]) -> ComparedUnits:
    """Return the units that an address asks for, without unknown ones."""
    known = [units[ref] for ref in dict.fromkeys(refs) if ref in units]
    shown = tuple(known[:MOST])
    columns = tuple(
        ComparedColumn(unit, units_query(other for other in shown if other is not unit))
        for unit in shown
    )
    books = {unit.book for unit in shown}
    offered = (unit for unit in units.values() if not books or unit.book in books)
    free = tuple(unit for unit in offered if unit not in shown) if len(shown) < MOST else ()
    return ComparedUnits(shown, columns, len(known) - len(shown), free)


def units_query(units: Iterable[Unit]) -> str:
    return urlencode([("unit", unit.ref) for unit in units])


def side_by_side(views: Sequence[UnitView], points: Sequence[str] = ()) -> tuple[ComparedPart, ...]:
    """Return what units of books are, part by part; `points` are prices in words, else the book's.

    Rows are those of which some unit says something, in the order in which they are first said.
    """
    rows: dict[tuple[FactPart, str], list[list[str]]] = {}
    for column, view in enumerate(views):
        for part, name, words in view.facts:
            cells = rows.setdefault((part, name), [[] for _each in views])
            cells[column] += filter(None, words)
    if points:
        rows[FactPart.SHORT, _("Points")] = [[text] for text in points]
    headings = {
        FactPart.SHORT: _("In short"),
        FactPart.STATS: _("Stats"),
        FactPart.RULES: _("Abilities and rules"),
        FactPart.OPTIONS: _("Options"),
    }
    told = [(part, _row(name, cells)) for (part, name), cells in rows.items() if any(cells)]
    parts = (
        ComparedPart(heading, tuple(row for of, row in told if of is part))
        for part, heading in headings.items()
    )
    return tuple(part for part in parts if part.rows)


def _row(name: str, cells: Sequence[Iterable[str]]) -> ComparedRow:
    """Return a row whose words know which of them all the units share."""
    listed = [tuple(dict.fromkeys(cell)) for cell in cells]
    counts = Counter(word for cell in listed for word in cell)
    everywhere = {word for word, number in counts.items() if number == len(listed)}
    words = (tuple(ComparedWord(word, word in everywhere) for word in cell) for cell in listed)
    differs = any(set(cell) != everywhere for cell in listed)
    return ComparedRow(name, tuple(words), differs)
