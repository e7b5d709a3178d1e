"""A shared list of a community's files, for visitors.

Texts of rules stay with the holder of the files: visitors see the names only.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from armybuilder.accounts.holders import holder_of, make_holder
from armybuilder.downloads import file_response, json_file
from armybuilder.games.services import lend
from armybuilder.lists import file_sheets
from armybuilder.lists.file_sheets import Shown
from armybuilder.lists.forces import store_forces
from armybuilder.lists.models import Version
from armybuilder.lists.worked_out import WorkedOut, worked_out
from armybuilder.loading.forcelist import ForceList
from armybuilder.pages.playing.views import linked, played
from armybuilder.sharing.models import Share
from armybuilder.sheets.content.file_lists import FileList
from armybuilder.sheets.content.play_files import play_file_side
from armybuilder.sheets.content.setup import Setup, read_setup
from armybuilder.sheets.texts.file_lists import FILE_FORMS


@dataclass(eq=False)
class SharedForces:
    """Target of a link to a list of a community's files, in its current state."""

    link: Share
    version: Version
    token: str

    @cached_property
    def one(self) -> WorkedOut:
        """The list worked out. Raises Refusal where the files of its game are gone."""
        return worked_out(self.version)

    @property
    def shown(self) -> Shown:
        return Shown(texts=False, notes=not self.link.is_open)

    @cached_property
    def drawn(self) -> FileList:
        return file_sheets.drawn(self.one, timezone.localdate(), self.shown)

    @property
    def document(self) -> ForceList:
        """The whole list. Raises Http404 for an open link."""
        if self.link.is_open:
            raise Http404("an open link shows the open list only")
        return self.one.document


def forces_behind(link: Share, token: str) -> SharedForces | None:
    """Return the list behind a link, if it is one of a community's files."""
    if link.frozen_id is not None:
        return None
    army_list = link.army_list
    version = Version.objects.get(army_list=army_list, number=army_list.number)
    version.army_list = army_list
    return SharedForces(link, version, token) if isinstance(version.content, ForceList) else None


def _page(request: HttpRequest, shared: SharedForces) -> HttpResponse:
    sheet = shared.drawn.sheet
    context = {
        "sheet": sheet,
        "view": shared.drawn.view,
        "link": shared.link,
        "token": shared.token,
        "address": request.build_absolute_uri(reverse("shared-list", args=[shared.token])),
        "about": " · ".join((sheet.system, *sheet.books, sheet.price, sheet.verdict)),
        "mine": shared.link.army_list.holder == holder_of(request),
    }
    return render(request, "sharing/shared_forces.html", context)


def _play(request: HttpRequest, shared: SharedForces) -> HttpResponse:
    side = play_file_side(shared.drawn, shared.one.document.game.key)
    return played(request, linked(side, shared.token))


def _pdf(request: HttpRequest, shared: SharedForces) -> HttpResponse:
    setup = Setup(paper=read_setup({"paper": request.GET.get("paper", "")}).paper)
    made = file_sheets.printout(shared.one, timezone.localdate(), setup, shared.shown)
    return file_response(made.content, "application/pdf", made.title, "pdf", inline=True)


def _text(request: HttpRequest, shared: SharedForces) -> HttpResponse:
    chosen = request.GET.get("form", "compact")
    if chosen not in FILE_FORMS:
        raise Http404("no such form of text")
    form = FILE_FORMS[chosen]
    content, kind = form.draw(shared.drawn).encode(), "text/plain; charset=utf-8"
    return file_response(content, kind, shared.drawn.sheet.file_name, form.ending, inline=True)


def _document(_request: HttpRequest, shared: SharedForces) -> HttpResponse:
    return json_file(shared.document.to_dict(), shared.document.name)


def _copy(request: HttpRequest, shared: SharedForces) -> HttpResponse:
    """Make it a list of this browser's own, which may use the files of its game from now on."""
    document, holder = shared.document, make_holder(request)
    lend(holder, document.game.key)
    version = store_forces(holder, document, _("Copied from a shared list."))
    return redirect("builder", version.army_list_id)


#: The views of such a list, by the names of those of all others.
VIEWS: Final[Mapping[str, Callable[[HttpRequest, SharedForces], HttpResponse]]] = {
    "page": _page,
    "play": _play,
    "pdf": _pdf,
    "text": _text,
    "document": _document,
    "copy": _copy,
}
