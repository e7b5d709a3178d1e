"""Event packs to read, and the verdict on a list at an event."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from armybuilder.accounts.holders import holder_of
from armybuilder.downloads import file_response
from armybuilder.engine.sentences import sentence
from armybuilder.lists.packs import build_for, event_pack_of
from armybuilder.lists.selectors import current_version
from armybuilder.loading.documents import catalogue_of
from armybuilder.loading.event_judging import judge_at
from armybuilder.loading.library import shipped_library
from armybuilder.loading.packs import Pack, pack_of_size
from armybuilder.packs.selectors import own_packs, pack_by_key, suiting
from armybuilder.pages.packs.reading import pack_context, written


@never_cache
@require_safe
def packs(request: HttpRequest) -> HttpResponse:
    """The visitor's own packs, and all that are in the box, by their games."""
    library = shipped_library()
    games = [
        (system, [pack for pack in library.packs.values() if pack.system == system.id])
        for system in sorted(library.systems.values(), key=lambda one: (-one.default_size, one.id))
    ]
    context = {"games": [one for one in games if one[1]], "own": own_packs(holder_of(request))}
    return render(request, "packs/packs.html", context)


@require_safe
def pack(request: HttpRequest, pack_id: str) -> HttpResponse:
    """What an event asks of lists, each rule with its place in the pack."""
    context = {**pack_context(_shipped(pack_id)), "key": pack_id}
    return render(request, "packs/pack.html", context)


@require_safe
def pack_file(request: HttpRequest, pack_id: str) -> HttpResponse:
    """The pack as the file that it is."""
    found = _shipped(pack_id)
    return file_response(written(found.data).encode(), "application/json", found.id, "json")


@never_cache
@require_safe
def at_event(request: HttpRequest, list_id: UUID) -> HttpResponse:
    """The verdict on a list at the event that `pack` names, or that it is built for, beside that of
    its game.
    """
    version, library = current_version(request, list_id), shipped_library()
    document = version.document
    built_for = event_pack_of(version)
    context: dict[str, Any] = {"list_id": list_id, "name": document.name}
    name, found = request.GET.get("pack", ""), built_for
    context["packs"] = suiting(holder_of(request), document.system)
    context |= {"built_for": built_for, "key": name}
    if name:
        found = _pack(name)
        if found.system != document.system:
            raise Http404(_("There is no such event pack."))
    if found is not None:
        found = pack_of_size(found, document.limit)
        both = judge_at(document, catalogue_of(document, library), found)
        report = both.report
        context |= {
            "pack": found,
            "report": report,
            "refusals": [(sentence(one), one.citation) for one in report.refusals],
            "excused": [(sentence(one), one.citation) for one in report.excused],
        }
    return render(request, "packs/at_event.html", context)


@require_POST
def build_for_event(request: HttpRequest, list_id: UUID) -> HttpResponse:
    """Let the list be built for the event whose pack the form names, or for none."""
    current_version(request, list_id)
    name = request.POST.get("pack", "")
    build_for(holder_of(request), list_id, _pack(name) if name else None)
    return redirect("builder", list_id)


def _pack(key: str) -> Pack:
    found = pack_by_key(key)
    if found is None:
        raise Http404(_("There is no such event pack."))
    return found


def _shipped(pack_id: str) -> Pack:
    found = shipped_library().packs.get(pack_id)
    if found is None:
        raise Http404(_("There is no such event pack."))
    return found
