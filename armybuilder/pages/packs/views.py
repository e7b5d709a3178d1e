"""Pages of event packs: to read, with the verdict on a list; own ones made and changed."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from armybuilder.accounts.holders import holder_of, make_holder
from armybuilder.authoring.packs import copy_of, new_pack
from armybuilder.downloads import json_file
from armybuilder.engine.sentences import sentence
from armybuilder.events.building import untie
from armybuilder.lists.forces import build_list_for
from armybuilder.lists.models import ListDocument
from armybuilder.lists.selectors import current_version
from armybuilder.lists.services import event_pack_of
from armybuilder.lists.worked_out import work_out
from armybuilder.loading.documents import catalogue_of, judge_at
from armybuilder.loading.file_packs import FilePack
from armybuilder.loading.forcelist import FROM_FILES, ForceList
from armybuilder.loading.library import shipped_library
from armybuilder.loading.packs import Pack, pack_of_size
from armybuilder.loading.problems import Refusal
from armybuilder.packs import services
from armybuilder.packs.models import OwnPack
from armybuilder.packs.selectors import (
    find_pack,
    offered,
    own_packs,
    pack_by_key,
    pack_of,
    read_pack,
    version_of,
)
from armybuilder.pages.answers import fresh
from armybuilder.pages.packs.editor import PackEditor, RulesEditor
from armybuilder.pages.packs.file_packs import FilePackEditor
from armybuilder.pages.packs.shown import pack_context


@fresh
def packs(request: HttpRequest) -> HttpResponse:
    """Show the visitor's own packs, and all shipped ones, by their games."""
    library = shipped_library()
    games = [
        (system, [pack for pack in library.packs.values() if pack.system == system.id])
        for system in sorted(library.systems.values(), key=lambda one: (-one.default_size, one.id))
    ]
    context = {"games": [game for game in games if game[1]], "own": own_packs(holder_of(request))}
    return render(request, "packs/packs.html", context)


@require_safe
def pack(request: HttpRequest, pack_id: str) -> HttpResponse:
    """Show an event's requirements of lists, each rule with its place in the pack."""
    context = {**pack_context(_there(shipped_library().packs.get(pack_id))), "key": pack_id}
    return render(request, "packs/pack.html", context)


@require_safe
def pack_file(request: HttpRequest, pack_id: str) -> HttpResponse:
    shipped = _there(shipped_library().packs.get(pack_id))
    return json_file(shipped.data, shipped.id)


@fresh
def at_event(request: HttpRequest, list_id: UUID) -> HttpResponse:
    """Show the verdicts on a list by its game, and at the event of `pack` or its own."""
    version = current_version(request, list_id)
    document, built_for, key = version.content, event_pack_of(version), request.GET.get("pack", "")
    context: dict[str, Any] = {
        "list_id": list_id,
        "name": document.name,
        "packs": offered(holder_of(request), document.system),
        "built_for": built_for,
        "key": key,
    }
    chosen = _there(pack_by_key(key)) if key else built_for
    if chosen is not None:
        if chosen.system != document.system:
            raise Http404(_("There is no such event pack."))
        context |= _both_verdicts(document, chosen)
    return render(request, "packs/at_event.html", context)


def _both_verdicts(document: ListDocument, pack: Pack) -> dict[str, Any]:
    """Return the verdicts on a list by its game and at the event of a pack."""
    if isinstance(document, ForceList):
        return _verdicts_by_files(document, pack)
    pack = pack_of_size(pack, document.limit)
    report = judge_at(document, catalogue_of(document, shipped_library()), pack).report
    return {
        "pack": pack,
        "report": report,
        "refusals": [(sentence(one), one.citation) for one in report.refusals],
        "excused": [(sentence(one), one.citation) for one in report.excused],
    }


def _verdicts_by_files(document: ForceList, pack: Pack) -> dict[str, Any]:
    game = work_out(document).report
    event = work_out(document, pack if isinstance(pack, FilePack) else None)
    asked = [told for told in event.told if told.of_event]
    return {
        "pack": pack,
        "report": {
            "game": game,
            "legal": event.report.legal,
            "event_verdict": event.report.verdict_sentence,
        },
        "refusals": [(told.sentence, told.citation) for told in asked if told.is_error],
        "unchecked": [(told.sentence, told.citation) for told in asked if told.mark == "unchecked"],
    }


@require_POST
def build_for_event(request: HttpRequest, list_id: UUID) -> HttpResponse:
    """Let the list be built for the event whose pack the form names, or for none."""
    key = request.POST.get("pack", "")
    build_list_for(holder_of(request), list_id, _there(pack_by_key(key)) if key else None)
    untie(list_id)
    return redirect("builder", list_id)


def _there(pack: Pack | None) -> Pack:
    if pack is None:
        raise Http404(_("There is no such event pack."))
    return pack


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def new(request: HttpRequest) -> HttpResponse:
    """Name a new pack and choose its game, or make a copy of a pack: `copy` is its key."""
    refused = ""
    if request.method == "POST":
        try:
            pack, origin = _begun(request)
            made = services.create_pack(make_holder(request), pack, origin)
            return redirect("edit-pack", made.pk)
        except Refusal as refusal:
            refused = refusal.sentence
    context = {
        "systems": shipped_library().systems.values(),
        "refused": refused,
        "name": request.POST.get("name", ""),
        "chosen": request.POST.get("system", request.GET.get("system", "")),
    }
    return render(request, "packs/new.html", context, status=422 if refused else 200)


def _begun(request: HttpRequest) -> tuple[Pack, str]:
    """Return the pack to begin with, and the name of its original."""
    fields = request.POST
    if key := fields.get("copy", ""):
        copied = pack_by_key(key)
        if copied is None:
            raise Refusal(_("There is no such event pack."))
        name = _("{name} (copy)").format(name=copied.name[:100])
        return read_pack(copy_of(copied.data, name)), copied.name
    system = shipped_library().systems.get(fields.get("system", ""))
    name = " ".join(fields.get("name", "").split())[:120]
    if system is None or not name:
        raise Refusal(_("Give the pack a name and choose its game."))
    return read_pack(new_pack(system, name)), ""


@fresh
def own_pack(request: HttpRequest, pack_id: UUID, number: int | None = None) -> HttpResponse:
    """Show a pack to read, in its newest version or another."""
    own = find_pack(pack_id)
    version = version_of(own, number)
    context = {
        **pack_context(pack_of(version)),
        "own": own,
        "version": version,
        "versions": own.versions.defer("data").order_by("-number"),
        "is_mine": own.holder == holder_of(request),
    }
    return render(request, "packs/own.html", context)


@fresh
def own_file(request: HttpRequest, pack_id: UUID, number: int) -> HttpResponse:
    data = version_of(find_pack(pack_id), number).data
    return json_file(data, data["id"])


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def edit(request: HttpRequest, pack_id: UUID) -> HttpResponse:
    """Change an own pack; nothing is stored until it is saved. `go` is the act of a button."""
    own = _mine(request, pack_id)
    newest = version_of(own)
    made: type[RulesEditor] = FilePackEditor if own.system.startswith(FROM_FILES) else PackEditor
    page = made(own, newest.number, newest.data)
    if request.method == "POST":
        page.act(request)
        if page.saved:
            messages.success(request, _("Saved as version {number}.").format(number=page.seen))
            return redirect("own-pack", own.pk)
    status = 422 if page.is_wrong else 200
    return render(request, "packs/edit.html", page.context(), status=status)


def _mine(request: HttpRequest, pack_id: UUID) -> OwnPack:
    own = find_pack(pack_id)
    if own.holder != holder_of(request):
        raise Http404("not a pack of this browser")
    return own


@require_POST
def delete(request: HttpRequest, pack_id: UUID) -> HttpResponse:
    services.delete_pack(holder_of(request), _mine(request, pack_id).pk)
    messages.success(request, _("The pack was deleted."))
    return redirect("packs")
