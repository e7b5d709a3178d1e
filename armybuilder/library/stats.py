"""Units by their statistics: "Str 5", "Q3+", "AC 16 or more", and which of them has the most."""

import re
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from operator import eq, ge, gt, le, lt
from typing import NamedTuple

from armybuilder.engine.catalogue import System
from armybuilder.engine.options import Profile
from armybuilder.engine.units import Unit
from armybuilder.engine.vocabulary import Stat

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
