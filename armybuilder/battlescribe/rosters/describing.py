"""Details of a roster's selections besides the choices: categories, stat lines, rules' names.

BattleScribe works these out when it opens a list. Programs that only read the file, to make cards
or armies for a virtual table, need them there. Texts of rules aren't kept here, so descriptions are
empty; a rule's place in the rulebook is given as its page.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from armybuilder.battlescribe.rosters.roster_ids import hashed_id
from armybuilder.battlescribe.rosters.sites import Origin, ProfileType, Site
from armybuilder.engine.conditions import Place
from armybuilder.engine.lines import Line
from armybuilder.engine.meaning import Meaning
from armybuilder.engine.options import Keyword, Profile, slug
from armybuilder.engine.profiles import StatLine, stat_line

#: The column that names the rules of a part of a model.
_RULES: Final = "rules"
_CATEGORY: Final = "category:"


@dataclass(frozen=True, slots=True)
class WrittenProfile:
    """A row of values of one kind: (column, id of the column, text) each."""

    id: str
    name: str
    type: ProfileType
    cells: tuple[tuple[str, str, str], ...]


@dataclass(frozen=True, slots=True)
class WrittenRule:
    """A special rule or piece of equipment by its name; `page` is where the rulebook has it."""

    id: str
    name: str
    page: str


@dataclass(frozen=True, slots=True)
class Description:
    """Stat lines and rules of one selection."""

    profiles: tuple[WrittenProfile, ...] = ()
    rules: tuple[WrittenRule, ...] = ()


class Describer:
    """Describes the units of one book with their options."""

    def __init__(self, origin: Origin, glossary: Iterable[Meaning]) -> None:
        self.origin = origin
        self.pages = {slug(entry.name): str(entry.citation) for entry in glossary}

    def of(
        self, profiles: Iterable[Profile], keywords: Iterable[Keyword], place: Place
    ) -> Description:
        """Return the description of a unit or option at its place in the army."""
        rows = (stat_line(profile, place) for profile in profiles)
        names = dict.fromkeys(
            word.name for word in keywords if word.condition is None or word.condition.holds(place)
        )
        return Description(
            tuple(one for row in rows for one in written_profiles(row, self.origin.profiles)),
            tuple(self._rule(name) for name in names),
        )

    def _rule(self, name: str) -> WrittenRule:
        return WrittenRule(hashed_id("rule", name), name, self.pages.get(slug(name), ""))


def written_profiles(row: StatLine, types: tuple[ProfileType, ...]) -> Iterator[WrittenProfile]:
    """Yield the profiles that a stat line is made of in BattleScribe, in the order of their kinds.

    Of kinds that differ in a column (“1 Global”, “1 Global (UD)”) the one that has most of the row.
    """
    parts = list(_parts(row, types))
    last = next((kind for kind in reversed(parts) if _RULES in kind.columns), None)
    moved = dict(row.moved)
    for kind in parts:
        texts = {stat: _text(row.stats.get(stat, ""), moved.get(stat, 0)) for stat in kind.columns}
        if kind is last:
            texts[_RULES] = ", ".join(row.rules)
        cells = tuple((one.name, one.id, texts[stat]) for stat, one in kind.columns.items())
        yield WrittenProfile(hashed_id(kind.id, row.name, *texts.values()), row.name, kind, cells)


def _text(value: str, moved: int) -> str:
    return f"{value} {moved:+d}" if moved else value


def _parts(row: StatLine, types: tuple[ProfileType, ...]) -> Iterator[ProfileType]:
    by_name = sorted(types, key=lambda kind: kind.name)
    for _sign, alike in groupby(by_name, key=lambda kind: kind.name[:1]):
        best = max(alike, key=lambda kind: (_covered(kind, row), -len(kind.columns)))
        if _covered(best, row):
            yield best


def _covered(kind: ProfileType, row: StatLine) -> int:
    return sum(1 for stat in kind.columns if row.stats.get(stat))


def site_categories(site: Site) -> Mapping[str, bool]:
    """Return the categories of a place by BattleScribe's ids: whether each is the primary one."""
    found: dict[str, bool] = {}
    for id_, first in site.categories:
        found[id_] = found.get(id_, False) or first
    return found


def unit_categories(line: Line, site: Site) -> Mapping[str, bool]:
    """Return the categories of a unit with its options, which may add and remove some.

    If the primary one goes, another takes its place: programs sort units by it.
    """
    ids = site.origin.category_ids
    before, now = _categories(line.unit.tags), _categories(line.tags)
    if before == now:
        return site_categories(site)
    gone = {ids.get(one) for one in before - now}
    found = {id_: first for id_, first in site_categories(site).items() if id_ not in gone}
    found |= {ids[one]: False for one in sorted(now - before) if one in ids}
    if found and not any(found.values()):
        found[next(iter(found))] = True
    return found


def _categories(tags: Iterable[str]) -> set[str]:
    return {tag.removeprefix(_CATEGORY) for tag in tags if tag.startswith(_CATEGORY)}
