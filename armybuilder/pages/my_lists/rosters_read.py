"""What was read from the files of another program, kept in the session until the next are read."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.http import HttpRequest

from armybuilder.accounts.holders import holder_of
from armybuilder.battlescribe.rosters import Remark, RosterReading
from armybuilder.engine import Report
from armybuilder.lists.models import Version
from armybuilder.lists.selectors import current_versions
from armybuilder.loading.documents import judge
from armybuilder.loading.library import Library

_KEY = "rosters_read"
#: The session goes along with every page: so many lists are told of, and so many remarks in all.
MOST_LISTS = 20
MOST_REMARKS = 100


@dataclass(frozen=True, slots=True)
class Read:
    """A list that was read: as it is now, what the file said it costs, remarks, `more` untold."""

    version: Version
    report: Report
    spent: int | None
    remarks: tuple[Remark, ...]
    more: int

    @property
    def same_points(self) -> bool:
        """Whether it costs what the file says, as far as that says it."""
        return self.spent in (None, self.report.spent)


def remember(request: HttpRequest, readings: Mapping[UUID, RosterReading]) -> None:
    """Keep what is to be told of lists just read, instead of what was kept before."""
    if not readings:
        return
    room = MOST_REMARKS
    kept = []
    for list_id, reading in [*readings.items()][:MOST_LISTS]:
        told = reading.remarks[:room]
        room -= len(told)
        more = reading.more + len(reading.remarks) - len(told)
        kept.append({"id": str(list_id), "spent": reading.spent, "told": told, "more": more})
    request.session[_KEY] = kept


def recall(request: HttpRequest, library: Library) -> list[Read]:
    """Return what was kept of lists that are still there, in the order of the files."""
    kept: list[dict[str, Any]] = request.session.get(_KEY, [])
    ids = [UUID(one["id"]) for one in kept]
    versions = current_versions(holder_of(request)).filter(army_list_id__in=ids) if ids else ()
    by_id = {str(version.army_list_id): version for version in versions}
    return [_read(by_id[one["id"]], one, library) for one in kept if one["id"] in by_id]


def _read(version: Version, kept: Mapping[str, Any], library: Library) -> Read:
    report = judge(version.document, library).report
    remarks = tuple(Remark(*one) for one in kept["told"])
    return Read(version, report, kept["spent"], remarks, kept["more"])
