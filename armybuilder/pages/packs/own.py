"""Own packs: made or copied, changed, saved in versions, read by all who have the address."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from armybuilder.accounts.holders import holder_of, make_holder
from armybuilder.authoring.packs import (
    new_pack,
)
from armybuilder.downloads import file_response
from armybuilder.loading.library import shipped_library
from armybuilder.loading.packs import Pack
from armybuilder.loading.problems import Refusal
from armybuilder.packs import services
from armybuilder.packs.models import OwnPack
from armybuilder.packs.reading import pack_of, read_pack
from armybuilder.packs.selectors import find_pack, pack_by_key, version_of
from armybuilder.pages.packs.editor import PackEditor
from armybuilder.pages.packs.reading import pack_context, written

KEY = 9


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def new(request: HttpRequest) -> HttpResponse:
    """Name a new pack and choose its game, or make a copy of a pack: `copy` is its key."""
    library, refused = shipped_library(), ""
    if request.method == "POST":
        try:
            pack, origin = _begun(request)
            made = services.create_pack(make_holder(request), pack, origin)
            return redirect("edit-pack", made.pk)
        except Refusal as refusal:
            refused = refusal.sentence
    context = {
        "systems": library.systems.values(),
        "refused": refused,
        "name": request.POST.get("name", ""),
        "chosen": request.POST.get("system", request.GET.get("system", "")),
    }
    return render(request, "packs/new.html", context, status=422 if refused else 200)


def _begun(request: HttpRequest) -> tuple[Pack, str]:
    """Return the pack to begin with, and what it is a copy of."""
    fields = request.POST
    if key := fields.get("copy", ""):
        copied = pack_by_key(key)
        if copied is None:
            raise Refusal(_("There is no such event pack."))
        named = _("{name} (copy)").format(name=copied.name[:100])
        return read_pack({**copied.data, "name": named}), f"{copied.name} {copied.revision}"
    system = shipped_library().systems.get(fields.get("system", ""))
    name = " ".join(fields.get("name", "").split())[:120]
    if system is None or not name:
        raise Refusal(_("Give the pack a name and choose its game."))
    return read_pack(new_pack(system, name)), ""


@never_cache
@require_safe
def own_pack(request: HttpRequest, pack_id: UUID, number: int | None = None) -> HttpResponse:
    """A pack as a page to read, in its newest version or another."""
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


@never_cache
@require_safe
def own_file(request: HttpRequest, pack_id: UUID, number: int) -> HttpResponse:
    """A version as a file."""
    data = version_of(find_pack(pack_id), number).data
    content = written(data).encode()
    return file_response(content, "application/json", data["id"], "json")


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def edit(request: HttpRequest, pack_id: UUID) -> HttpResponse:
    """Change an own pack; nothing is stored until it is saved. `go` is what the button asks."""
    own = _mine(request, pack_id)
    newest = version_of(own)
    page = PackEditor(own, newest.number, newest.data)
    if request.method == "POST":
        page.act(request)
        if page.saved:
            messages.success(request, _("Saved as version {number}.").format(number=page.seen))
            return redirect("own-pack", own.pk)
    status = 422 if page.problems or page.refused or page.form.errors else 200
    return render(request, "packs/edit.html", page.context(), status=status)


def _mine(request: HttpRequest, pack_id: UUID) -> OwnPack:
    own = find_pack(pack_id)
    if own.holder != holder_of(request):
        raise Http404("not a pack of this browser")
    return own


@require_POST
def delete(request: HttpRequest, pack_id: UUID) -> HttpResponse:
    """Delete an own pack with its versions."""
    services.delete_pack(holder_of(request), _mine(request, pack_id).pk)
    messages.success(request, _("The pack was deleted."))
    return redirect("packs")
