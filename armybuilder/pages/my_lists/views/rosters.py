"""Rosters of BattleScribe: a list as such a file, and what was read from such files."""

from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from armybuilder.battlescribe.rosters import write_ros, write_rosz
from armybuilder.downloads import file_response
from armybuilder.lists.selectors import current_version
from armybuilder.loading.library import shipped_library
from armybuilder.pages.my_lists.rosters_read import recall


@never_cache
@require_safe
def ros(request: HttpRequest, list_id: UUID) -> HttpResponse:
    """The list as a plain roster."""
    data = current_version(request, list_id).document
    content = write_ros(data, shipped_library())
    return file_response(content, "application/xml; charset=utf-8", data.name, "ros")


@never_cache
@require_safe
def rosz(request: HttpRequest, list_id: UUID) -> HttpResponse:
    """The list as a zipped roster, as BattleScribe itself saves it."""
    data = current_version(request, list_id).document
    content = write_rosz(data, shipped_library())
    return file_response(content, "application/zip", data.name, "rosz")


@never_cache
@require_safe
def read(request: HttpRequest) -> HttpResponse:
    """The outcome of the rosters that were opened last; to my lists, where there are none."""
    found = recall(request, shipped_library())
    if not found:
        return redirect("my-lists")
    return render(request, "my_lists/rosters_read.html", {"found": found})
