"""Lists with their reports, by our books or by a community's files, and how two of them differ."""

from django.utils.translation import gettext as _

from armybuilder.battlescribe.files.view import view_of
from armybuilder.comparing.difference import Difference, difference
from armybuilder.comparing.file_lists import FileSide, file_difference
from armybuilder.lists.models import ListDocument
from armybuilder.lists.worked_out import WorkedOut, work_out
from armybuilder.loading.documents import Judged, judge
from armybuilder.loading.forcelist import ForceList
from armybuilder.loading.library import shipped_library
from armybuilder.loading.problems import Refusal


def with_report(document: ListDocument | WorkedOut) -> Judged | WorkedOut:
    """Return a list with its report. Raises Refusal."""
    if isinstance(document, WorkedOut):
        return document
    if isinstance(document, ForceList):
        return work_out(document)
    return judge(document, shipped_library())


def list_difference(
    was: Judged | WorkedOut, now: Judged | WorkedOut, one_list: bool = True
) -> Difference:
    """Return what differs between two lists. Raises Refusal: one alone is of a game from files."""
    if isinstance(was, WorkedOut) and isinstance(now, WorkedOut):
        return file_difference(_side_of(was), _side_of(now), one_list)
    if isinstance(was, Judged) and isinstance(now, Judged):
        return difference(was, now, one_list)
    raise Refusal(_("These lists are for different games. Choose two lists for one game."))


def _side_of(one: WorkedOut) -> FileSide:
    return FileSide(one.document, view_of(one.game, one.evaluation), one.report.outcome_words)
