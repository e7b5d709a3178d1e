"""Lists that this process judged a moment ago: an act leaves most of one as it was, and to say what
is new a page asks for the list before, too.

Nothing hangs on it: what is not remembered is judged afresh.
"""

from collections import OrderedDict
from threading import Lock
from uuid import UUID

from django.utils.translation import get_language

from armybuilder.engine.catalogue import Catalogue
from armybuilder.loading.armylist import ArmyList
from armybuilder.loading.documents import Judged, judge_by, judge_changed

#: Units of all lists that are remembered at most, of 1 to 4 KB; and of the catalogues that these
#: keep: of custom books there may be others for each list.
MOST, MOST_IN_BOOKS = 4000, 20_000
#: Documents of one list that are remembered: undo leads to one of them, too.
EACH = 3

#: A list, and the language in which its findings are told.
_Key = tuple[UUID, str]
_remembered: OrderedDict[_Key, tuple[Judged, ...]] = OrderedDict()
_lock = Lock()


def judge_list(list_id: UUID | None, document: ArmyList, catalogue: Catalogue) -> Judged:
    """Return a document of a list, judged by a catalogue; None: of no list, it is only tried out.
    Raises Refusal as `judge_by` does.
    """
    if list_id is None:
        return judge_by(document, catalogue)
    key = (list_id, get_language() or "")
    known = [one for one in _remembered.get(key, ()) if one.catalogue is catalogue]
    for one in known:
        if one.document == document:
            return one
    judged = judge_changed(document, known[-1]) if known else judge_by(document, catalogue)
    with _lock:
        _remembered[key] = (*known, judged)[-EACH:]
        _remembered.move_to_end(key)
        while _weight() > MOST or _in_books() > MOST_IN_BOOKS:
            _remembered.popitem(last=False)
    return judged


def _weight() -> int:
    """Return how many units are remembered; an empty list counts, too."""
    return sum(1 + len(one.document.units) for each in _remembered.values() for one in each)


def _in_books() -> int:
    """Return how many units the catalogues have by which the remembered lists were judged."""
    catalogues = {one.catalogue for each in _remembered.values() for one in each}
    return sum(len(one.units) for one in catalogues)
