"""Matching of a roster's names with the places of a book: first by id, then by name."""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from armybuilder.battlescribe.rosters.parsing import BsSelection
from armybuilder.battlescribe.rosters.sites import Origin, Site, unit_sites

#: Places of one unit that are looked through; real units have some thousand.
MOST_SITES: Final = 20_000


@dataclass(frozen=True, slots=True)
class Match:
    """The place of a selection: found `by_name` only, whether `several` things have the name."""

    site: Site
    by_name: bool = False
    several: bool = False


def plain(name: str) -> str:
    """Return a name without what people and programs write differently: case, accents, marks."""
    folded = unicodedata.normalize("NFKD", name.casefold())
    return " ".join(re.findall(r"[^\W_]+", "".join(filter(_is_visible, folded))))


def _is_visible(letter: str) -> bool:
    return not unicodedata.combining(letter) and unicodedata.category(letter) != "Cf"


class Index:
    """Places to find something among: the first of two alike counts."""

    def __init__(self, sites: Iterable[Site]) -> None:
        self.sites = tuple(sites)
        self.by_path: dict[str, Site] = {}
        self.by_id: dict[str, Site] = {}
        for site in self.sites:
            self.by_path.setdefault(site.path, site)
            self.by_id.setdefault(site.id, site)

    @cached_property
    def by_name(self) -> Mapping[str, list[Site]]:
        """The places by their names, as `plain` has them."""
        found: dict[str, list[Site]] = defaultdict(list)
        for site in self.sites:
            found[plain(site.name)].append(site)
        return dict(found)

    def named(self, selection: BsSelection) -> Match | None:
        """Return the first place that is called like a selection; None where none is."""
        named = self.by_name.get(plain(selection.name), [])
        several = len({(site.role, site.ours) for site in named}) > 1
        return Match(named[0], by_name=True, several=several) if named else None


class PartFinder:
    """Finds the options of one unit."""

    def __init__(self, unit: Site) -> None:
        self.unit = unit
        self._near: dict[Site, Index] = {}

    def find(self, selection: BsSelection, above: Site) -> Match | None:
        """Return the place of something chosen on `above`; None where the unit has none like it."""
        near = self._near.get(above)
        if near is None:
            near = self._near[above] = Index(above.near())
        found = (
            near.by_path.get(selection.path)
            or near.by_id.get(selection.id)
            or self._everywhere.by_id.get(selection.id)
        )
        if found is not None:
            return Match(found)
        return near.named(selection) or self._everywhere.named(selection)

    @cached_property
    def _everywhere(self) -> Index:
        """Every place on the unit, at any depth."""
        found: list[Site] = []
        level = [self.unit]
        while level and len(found) < MOST_SITES:
            level = [inner for site in level for inner in site.children]
            found += level
        return Index(found)


class UnitFinder:
    """Finds the units of one book and their options."""

    def __init__(self, origin: Origin) -> None:
        self.index = Index(unit_sites(origin))
        self._parts: dict[Site, PartFinder] = {}

    def find(self, selection: BsSelection) -> Match | None:
        """Return the unit that a selection is; None where the book has none like it."""
        found = self.index.by_id.get(selection.id)
        return Match(found) if found is not None else self.index.named(selection)

    def parts(self, unit: Site) -> PartFinder:
        """Return the finder for one unit of the book, the same each time."""
        if unit not in self._parts:
            self._parts[unit] = PartFinder(unit)
        return self._parts[unit]
