"""Pages for the hand: the sheet of keys, and what the command palette offers."""

from uuid import UUID

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from armybuilder.accounts.holders import holder_of
from armybuilder.acts.units import TICK
from armybuilder.lists.selectors import current_version
from armybuilder.loading.library import shipped_library
from armybuilder.pages.builder.page import BuilderPage
from armybuilder.pages.builder.palette import Command, commands_everywhere, commands_of


@require_safe
def keys(request: HttpRequest) -> HttpResponse:
    """The keys on a page of their own."""
    return render(request, "builder/keys.html")


@never_cache
@require_safe
def commands(request: HttpRequest, list_id: UUID | None = None) -> JsonResponse:
    """What the palette offers, on a list's page with all that can be done to the list; `tick`
    begins the fields of an act that adds several of a unit.
    """
    library = shipped_library()
    offered: list[Command] = []
    if list_id is not None:
        offered += commands_of(BuilderPage(current_version(request, list_id), library))
    offered += commands_everywhere(holder_of(request), library, list_id)
    found = [command.plain for command in offered]
    return JsonResponse({"commands": found, "tick": TICK})
