"""Files that were opened as lists: stored, and for the session what another program's said."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple
from uuid import UUID

from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from armybuilder.accounts.holders import holder_of, make_holder
from armybuilder.battlescribe.rosters import Remark, RosterReading
from armybuilder.engine import Report
from armybuilder.exchange.files import UploadedList, read_files
from armybuilder.lists import services
from armybuilder.lists.models import Version
from armybuilder.lists.selectors import current_versions, with_free_name
from armybuilder.loading.documents import judge
from armybuilder.loading.library import Library, shipped_library

_KEY = "rosters_read"
#: The session goes along with every page: so many lists are told of, and so many remarks in all.
MOST_LISTS, MOST_REMARKS = 20, 100


def keep(request: HttpRequest, saved: UploadedList) -> list[UUID]:
    """Store opened lists, all or none; the first file becomes the list that comes first."""
    if not saved.documents:
        return []
    holder, library, made = make_holder(request), shipped_library(), []
    with transaction.atomic():
        for at, document in reversed([*enumerate(saved.documents)]):
            if at in saved.readings:  # as another program had it, perhaps without a name
                document = with_free_name(holder, document, library)
            version = services.create_list(holder, document, _("Imported from a file."))
            made.append(version.army_list_id)
    if saved.readings:
        _remember(request, {made[-1 - at]: one for at, one in saved.readings.items()})
    return made


def to_list(saved: UploadedList, made: Sequence[UUID]) -> HttpResponse:
    """Lead to the only list that was stored, or to what its file said."""
    return redirect("rosters-read") if saved.readings else redirect("builder", made[0])


def open_text(request: HttpRequest, text: str, ending: str) -> HttpResponse:
    """Open the list of a file with that ending, of which only the text is there."""
    content = text.lstrip("\ufeff \t\r\n").encode("utf-8", "replace")
    saved = read_files([SimpleUploadedFile(f"list{ending}", content)], shipped_library())
    for _name, refusal in saved.refused:
        raise refusal
    return to_list(saved, keep(request, saved))


class RosterRead(NamedTuple):
    """List that was read: as it is now, what the file said it costs, remarks, `more` not shown."""

    version: Version
    report: Report
    spent: int | None
    remarks: tuple[Remark, ...]
    more: int

    @property
    def same_points(self) -> bool:
        """Whether it costs what the file says, as far as that says it."""
        return self.spent in (None, self.report.spent)


def _remember(request: HttpRequest, readings: Mapping[UUID, RosterReading]) -> None:
    """Keep what is to be told of lists just read, instead of what was kept before."""
    room = MOST_REMARKS
    kept = []
    for list_id, reading in [*readings.items()][:MOST_LISTS]:
        told = reading.remarks[:room]
        room -= len(told)
        more = reading.more + len(reading.remarks) - len(told)
        kept.append({"id": str(list_id), "spent": reading.spent, "told": told, "more": more})
    request.session[_KEY] = kept


def recall(request: HttpRequest, library: Library) -> list[RosterRead]:
    """Return what was kept of lists that are still there, in the order of the files."""
    kept: list[dict[str, Any]] = request.session.get(_KEY, [])
    ids = [UUID(one["id"]) for one in kept]
    versions = current_versions(holder_of(request)).filter(army_list_id__in=ids) if ids else ()
    by_id = {str(version.army_list_id): version for version in versions}
    rows = []
    for one in kept:
        if version := by_id.get(one["id"]):
            report = judge(version.document, library).report
            remarks = tuple(Remark(*remark) for remark in one["told"])
            rows.append(RosterRead(version, report, one["spent"], remarks, one["more"]))
    return rows
