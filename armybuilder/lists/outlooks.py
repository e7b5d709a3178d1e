"""Cache of lists' verdicts and outlooks (see `Ahead`)."""

from collections.abc import Collection, Mapping
from hashlib import sha256
from typing import NamedTuple, TypeVar
from uuid import UUID

from django.core.cache import cache
from django.utils.translation import get_language

from armybuilder.engine.catalogue import Catalogue
from armybuilder.loading.armylist import ArmyList
from armybuilder.loading.cache import Cache
from armybuilder.loading.documents import Judged, hash_of, judge_by, judge_changed
from armybuilder.solving.cpsat import CpSat
from armybuilder.solving.look_ahead import Fate, Path, look_ahead, options_ahead

Key = TypeVar("Key")

#: Seconds that an answer is kept; that the first to ask has to answer alone.
KEPT, ALONE = 3600, 20
#: Seconds for an answer of a web process, and of one for heavy work.
SHORT, LONG = 0.22, 4.0


class Ahead(NamedTuple):
    """Outlook of a list, asked once: whether additions can make it legal.

    `dead` are the refs of units that block a legal list, `unknown` the number of units that may;
    none of either if the list itself cannot become legal. With `points` more it is possible, if
    that is known. `long`: the search was long. `cards`: it depends on cards that are to be filled
    in.
    """

    whole: Fate
    dead: tuple[str, ...]
    unknown: int
    points: int | None
    long: bool
    cards: bool = False


def ahead_of(army_list: ArmyList, catalogue: Catalogue, longer: bool = False) -> Ahead | None:
    """Return a list's outlook; None if another request works it out. Raises NoSolver."""
    key = f"ahead:{_mark(army_list, catalogue)}"
    known: Ahead | None = cache.get(key)
    if known is not None:
        uncertain = not known.cards and (known.whole is Fate.UNKNOWN or known.unknown > 0)
        if known.long or not longer or not uncertain:
            return known
    if not cache.add(f"{key}:asked", True, ALONE):
        return known
    try:
        found = _looked(army_list, catalogue, longer)
        cache.set(key, found, KEPT)
    finally:
        cache.delete(f"{key}:asked")
    return found


def options_ahead_of(army_list: ArmyList, catalogue: Catalogue, unit: str) -> frozenset[Path]:
    """Return the paths of an entry's options that lead to no legal list. Raises NoSolver."""
    key = f"options-ahead:{unit}:{_mark(army_list, catalogue)}"
    known: frozenset[Path] | None = cache.get(key)
    if known is None:
        fates = options_ahead(army_list, catalogue, CpSat(), unit, SHORT)
        known = frozenset(_dead(fates))
        cache.set(key, known, KEPT)
    return known


def _looked(army_list: ArmyList, catalogue: Catalogue, longer: bool) -> Ahead:
    outlook = look_ahead(army_list, catalogue, CpSat(), LONG if longer else SHORT)
    if outlook.whole is not Fate.OPEN:
        return Ahead(outlook.whole, (), 0, None, longer, outlook.cards)
    # A longer search finds nothing about units that depend on incomplete cards.
    cards, whole = outlook.cards, (ref for ref in outlook.units if not catalogue.units[ref].blanks)
    unknown = 0 if cards else sum(outlook.units[ref] is Fate.UNKNOWN for ref in whole)
    return Ahead(outlook.whole, _dead(outlook.units), unknown, outlook.points, longer)


def _dead(fates: Mapping[Key, Fate]) -> tuple[Key, ...]:
    return tuple(key for key, fate in fates.items() if fate is Fate.DEAD)


def _mark(army_list: ArmyList, catalogue: Catalogue) -> str:
    parts = [hash_of(army_list), catalogue.system.revision]
    parts += [book.revision for book in catalogue.books]
    return sha256(" ".join(parts).encode()).hexdigest()


# Lists that this process judged a moment ago: acts leave most as it was, and undo leads back.

#: Units of all lists that are remembered at most, of 1 to 4 KB where no two documents share them;
#: and of the catalogues that these keep: of custom books there may be others for each list.
MOST, MOST_IN_BOOKS = 15_000, 20_000
#: Documents of one list that are remembered: the current one, the former one that its findings are
#: compared with, and one that undo came from, in whose place either would be forgotten.
EACH = 3


def judge_list(list_id: UUID | None, document: ArmyList, catalogue: Catalogue) -> Judged:
    """Return a document of a list (None: of no list), judged; raises as `judge_by` does."""
    if list_id is None:
        return judge_by(document, catalogue)
    key = (list_id, get_language() or "")
    known = [one for one in _judged.get(key) or () if one.catalogue is catalogue]
    for one in known:
        if one.document == document:
            return one
    judged = judge_changed(document, known[-1]) if known else judge_by(document, catalogue)
    _judged.put(key, (*known, judged)[-EACH:])
    return judged


def _fit(lists: Collection[tuple[Judged, ...]]) -> bool:
    """Return whether this many units may be cached; an empty list counts, too."""
    units = sum(1 + len(one.document.units) for each in lists for one in each)
    catalogues = {one.catalogue for each in lists for one in each}
    return units <= MOST and sum(len(one.units) for one in catalogues) <= MOST_IN_BOOKS


#: By list, and the language of its findings.
_judged: Cache[tuple[UUID, str], tuple[Judged, ...]] = Cache(MOST, _fit)
