"""Several lists at once: saved as files, and two beside each other."""

import json
from io import BytesIO
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from armybuilder.accounts.holders import holder_of
from armybuilder.downloads import file_response
from armybuilder.lists.models import Version
from armybuilder.lists.selectors import current_versions, lists_of
from armybuilder.loading.documents import judge
from armybuilder.loading.file_names import free_name
from armybuilder.loading.library import shipped_library
from armybuilder.loading.problems import Refusal
from armybuilder.pages.answers import list_ids
from armybuilder.pages.builder.views import opened_lists
from armybuilder.pages.history import finding_rows, unit_rows

MOST_SAVED = 500
#: Most lists that are offered to be seen beside another.
MOST_OFFERED = 200


@never_cache
@require_safe
def save_lists(request: HttpRequest) -> HttpResponse:
    """The lists that the address names as files in a zip; each can be opened here again."""
    buffer = BytesIO()
    with ZipFile(buffer, "w", ZIP_DEFLATED) as archive:
        taken: set[str] = set()
        for version in _named(request, MOST_SAVED):
            name = free_name(version.document.name, "json", taken)
            content = json.dumps(version.document.to_dict(), indent=2, ensure_ascii=False)
            # Without the time of day, equal lists make equal files.
            archive.writestr(ZipInfo(name), content.encode(), ZIP_DEFLATED)
    return file_response(buffer.getvalue(), "application/zip", "lists", "zip")


def _named(request: HttpRequest, most: int) -> list[Version]:
    """Return the current versions that the address names, in its order. Raises Http404 where one is
    not this browser's, Refusal where they are too many.
    """
    ids = list_ids(request.GET.getlist("list"))
    if len(ids) > most:
        said = _("At most {most} lists fit into one file; {number} were selected.")
        raise Refusal(said.format(most=most, number=len(ids)))
    found = current_versions(holder_of(request)).filter(army_list_id__in=ids)
    versions = {version.army_list_id: version for version in found}
    if not ids or len(versions) < len(ids):
        raise Http404("no such list in this browser")
    return [versions[one] for one in ids]


@never_cache
@require_safe
def side_by_side(request: HttpRequest) -> HttpResponse:
    """Show the lists `a` and `b` beside each other, one alone beside another open one. Raises
    Refusal where a game is not here any more.
    """
    ids = [one for key in "ab" for one in list_ids(filter(None, [request.GET.get(key)]))]
    mine = current_versions(holder_of(request))
    if len(ids) == 1:
        others = mine.filter(army_list_id__in=opened_lists(request)).exclude(army_list_id=ids[0])
        ids += others.values_list("army_list_id", flat=True)[:1]
    versions = {version.army_list_id: version for version in mine.filter(army_list_id__in=ids)}
    if len(versions) < len(set(ids)):
        raise Http404("no such list in this browser")
    sides = []
    for one in ids:
        judged = judge(versions[one].document, shipped_library())
        sides.append(
            {
                "id": one,
                "judged": judged,
                "units": unit_rows(judged),
                "findings": finding_rows(judged),
            }
        )
    offered = lists_of(holder_of(request)).values_list("pk", "name")[:MOST_OFFERED]
    context = {"sides": sides, "lists": list(offered), "pair": len(sides) == 2}
    return render(request, "my_lists/side_by_side.html", context)
