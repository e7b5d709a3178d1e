"""Lists that this process judged a moment ago: acts leave most as it was, and undo leads back."""

from collections.abc import Collection
from uuid import UUID

from django.utils.translation import get_language

from armybuilder.engine.catalogue import Catalogue
from armybuilder.loading.armylist import ArmyList
from armybuilder.loading.cache import Cache
from armybuilder.loading.documents import Judged, judge_by, judge_changed

#: Units of all lists that are remembered at most, of 1 to 4 KB; and of the catalogues that these
#: keep: of custom books there may be others for each list.
MOST, MOST_IN_BOOKS = 4000, 20_000
#: Documents of one list that are remembered: undo leads to one of them, too.
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
    """Return whether so many units may be remembered; an empty list counts, too."""
    units = sum(1 + len(one.document.units) for each in lists for one in each)
    catalogues = {one.catalogue for each in lists for one in each}
    return units <= MOST and sum(len(one.units) for one in catalogues) <= MOST_IN_BOOKS


#: By list, and the language in which its findings are told.
_judged: Cache[tuple[UUID, str], tuple[Judged, ...]] = Cache(MOST, _fit)
