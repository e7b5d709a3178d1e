"""What this process judged a moment ago: after an act most of a list is as it was, and to say what
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

#: Units of all lists together that are remembered at most, some 10 KB each.
MOST = 1000
#: Documents that are remembered of one list, the newest last: this and the one before.
EACH = 2

#: A list, and the language in which its findings are told.
_Key = tuple[UUID, str]
_remembered: OrderedDict[_Key, tuple[Judged, ...]] = OrderedDict()
_lock = Lock()


def judge_list(list_id: UUID, document: ArmyList, catalogue: Catalogue) -> Judged:
    """Return a document of a list judged. Raises Refusal as `make_roster` does."""
    key = (list_id, get_language() or "")
    known = [one for one in _remembered.get(key, ()) if one.catalogue is catalogue]
    found = next((one for one in known if one.document == document), None)
    if found is None:
        found = judge_changed(document, known[-1]) if known else judge_by(document, catalogue)
    _remember(key, (*(one for one in known if one is not found), found)[-EACH:])
    return found


def _remember(key: _Key, several: tuple[Judged, ...]) -> None:
    with _lock:
        _remembered[key] = several
        _remembered.move_to_end(key)
        units = sum(len(one.document.units) + 1 for each in _remembered.values() for one in each)
        while units > MOST and _remembered:
            _key, gone = _remembered.popitem(last=False)
            units -= sum(len(one.document.units) + 1 for one in gone)
