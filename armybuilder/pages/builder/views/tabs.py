"""The tabs of open lists: closing one."""

from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from armybuilder.lists.selectors import current_version
from armybuilder.pages.builder.tabs import close_tab


@require_POST
def close(request: HttpRequest, list_id: UUID) -> HttpResponse:
    """Close the tab of a list and go on where the press was, or, where that was the list itself,
    to the list of the tab beside it.
    """
    current_version(request, list_id)
    beside = close_tab(request, list_id)
    try:
        here = UUID(request.POST.get("here", ""))
    except ValueError:
        here = list_id
    target = beside if here == list_id else here
    return redirect("builder", target) if target else redirect("my-lists")
