"""Shared lists: for their owner the links and their end; for visitors the list behind a link.

Texts of rules stay with the holder of the files: visitors see the names only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import wraps
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from armybuilder import __version__
from armybuilder.accounts.holders import holder_of, make_holder
from armybuilder.books.paths import is_own_id
from armybuilder.downloads import file_response, json_file
from armybuilder.games.services import lend
from armybuilder.lists.drawn import drawn_list
from armybuilder.lists.forces import store_list
from armybuilder.lists.models import ListDocument, Version
from armybuilder.lists.selectors import current_version
from armybuilder.loading.armylist import ArmyList
from armybuilder.loading.documents import hash_of
from armybuilder.loading.forcelist import ForceList
from armybuilder.loading.library import shipped_library
from armybuilder.loading.problems import Refusal
from armybuilder.pages.answers import fresh, meaning_page, private, render_for_htmx, wants_part
from armybuilder.pages.playing.views import linked, played
from armybuilder.requests import HtmxRequest
from armybuilder.sharing.models import Share
from armybuilder.sharing.selectors import address_of, find_link, lasting_links, links_of
from armybuilder.sharing.shared_lists import (
    HEIGHT,
    MAX_NAME,
    WIDTH,
    SharedList,
    find_picture,
    lasting_link,
    picture_of,
    revoke_link,
    share_list,
)
from armybuilder.sheets.content.make import HASH, NO_LINKS, SheetLinks
from armybuilder.sheets.content.setup import read_setup
from armybuilder.sheets.drawing.qr import drawing_of


@fresh
def share(request: HtmxRequest, list_id: UUID) -> HttpResponse:
    """Show the links that the list has, and a form for another; by htmx the two usual ones."""
    version = current_version(request, list_id)
    links = list(links_of(list_id))
    quick = _quick(request, version, links)
    if wants_part(request):
        return render_for_htmx(request, "sharing/_quick.html", quick)
    rows = [
        {
            "link": link,
            "url": address_of(request, link),
            "hash": (link.frozen.hash if link.frozen else "")[:HASH],
            "as_now": link.frozen is not None and link.frozen.hash == hash_of(version.content),
        }
        for link in links
    ]
    context = {
        **quick,
        "name": version.content.name,
        "rows": rows,
        "new": request.GET.get("new", ""),
        "own_book": isinstance(version.content, ArmyList)
        and any(is_own_id(book.id) for book in version.content.books),
        "max_name": MAX_NAME,
    }
    return render(request, "sharing/share.html", context)


def _quick(
    request: HttpRequest, version: Version, links: Iterable[Share], copied: str = ""
) -> dict[str, Any]:
    """Return the list as text, and by view the link that always shows the current list.

    `copied` is the view whose link is copied as soon as it is visible.
    """
    lasting = lasting_links(links)
    drawn = drawn_list(version, notes=False)
    text = drawn.text(drawn.forms["compact" if drawn.of_files else "lines"], frozenset())
    return {
        "list_id": version.army_list_id,
        "ways": [
            (view, address_of(request, lasting[view]) if view in lasting else "")
            for view in (Share.View.FULL, Share.View.OPEN)
        ],
        "copied": copied,
        "text": text,
        "hides": drawn.sheet.army is not None,
    }


@require_POST
def make_link(request: HtmxRequest, list_id: UUID) -> HttpResponse:
    """Make a link as the form says; back to the page, which shows it first.

    The `lasting` link of a view is made once; by htmx it is shown where it was asked for.
    """
    version = current_version(request, list_id)
    fields, holder = request.POST, holder_of(request)
    view = fields.get("view", "")
    if "lasting" in fields:
        link = lasting_link(holder, list_id, view)
        if wants_part(request):
            context = _quick(request, version, links_of(list_id), link.view)
            return render_for_htmx(request, "sharing/_quick.html", context)
    else:
        if fields.get("what") not in ("current", "frozen"):
            raise Refusal(_("Choose what to link to."))
        name, frozen = fields.get("name", "").replace("\0", ""), fields["what"] == "frozen"
        link = share_list(holder, list_id, shipped_library(), view, name, frozen)
    messages.success(request, _("Link created. Anyone who has it can see the list."))
    return redirect(f"{reverse('share', args=[list_id])}?new={link.pk}#links")


@require_POST
def revoke(request: HttpRequest, list_id: UUID, share_id: UUID) -> HttpResponse:
    """End a link; one that is gone already is ended, too."""
    revoke_link(holder_of(request), list_id, share_id)
    messages.success(request, _("Revoked. That link no longer works."))
    return redirect(f"{reverse('share', args=[list_id])}#links")


@fresh
def code(request: HttpRequest, list_id: UUID, share_id: UUID) -> HttpResponse:
    current_version(request, list_id)
    link = links_of(list_id).filter(pk=share_id).first()
    address = address_of(request, link) if link else ""
    if not address:
        raise Http404("no such link, or its address is not known")
    return HttpResponse(drawing_of(address), content_type="image/svg+xml")


def _opened(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Give a view the list of its token, else show an error page; nothing is cached."""

    @never_cache
    @wraps(view)
    def wrapped(request: HttpRequest, token: str, **more: str) -> HttpResponse:
        link = find_link(token)
        if link is None:
            return private(render(request, "sharing/gone.html", status=404))
        return private(view(request, _behind(request, link, token), token, **more))

    return wrapped


def _behind(request: HttpRequest, link: Share, token: str) -> SharedList:
    links = NO_LINKS
    if link.frozen_id is not None:  # the QR code of a printout leads to this very link
        url = request.build_absolute_uri(reverse("shared-list", args=[token]))
        links = SheetLinks(open=url) if link.is_open else SheetLinks(full=url)
    return SharedList(link, shipped_library(), timezone.localdate(), links)


def _whole_document(shared: SharedList) -> ListDocument:
    """Return the whole list. Raises Http404 for an open link, which shows the open list only."""
    if shared.link.is_open:
        raise Http404("an open link shows the open list only")
    return shared.drawn.document


@require_safe
@_opened
def page(request: HttpRequest, shared: SharedList, token: str) -> HttpResponse:
    sheet = shared.sheet
    context = {
        "sheet": sheet,
        "token": token,
        "address": request.build_absolute_uri(reverse("shared-list", args=[token])),
        "about": " · ".join(
            filter(None, (sheet.system, *sheet.books, sheet.price, sheet.verdicts))
        ),
        "mine": shared.link.army_list.holder == holder_of(request),
        "shared": shared,
    }
    if shared.drawn.of_files:
        context |= {"view": shared.drawn.view, "link": shared.link}
        return render(request, "sharing/shared_forces.html", context)
    mark = picture_of(shared)
    picture = reverse("shared-list-picture", args=[token, mark]) if mark else ""
    context |= {
        "picture": request.build_absolute_uri(picture) if picture else "",
        "picture_size": (WIDTH, HEIGHT),
        "engine": __version__,
    }
    return render(request, "sharing/shared.html", context)


@require_safe
def picture(request: HttpRequest, token: str, mark: str) -> HttpResponse:
    """Answer the picture of a shared list, which never changes under its mark."""
    link = find_link(token)
    png = find_picture(link, mark) if link else None
    if png is None:
        raise Http404("no such picture")
    response = private(HttpResponse(png, content_type="image/png"))
    # Not for long: a link may be revoked.
    response["Cache-Control"] = "private, max-age=3600"
    return response


@require_safe
@_opened
def meaning(request: HtmxRequest, shared: SharedList, token: str, name: str) -> HttpResponse:
    """Show the meaning of a name on a shared list."""
    if shared.drawn.of_files:
        raise Http404("no such page of a list of files")
    return meaning_page(request, shared.material.catalogue, name)


@require_safe
@_opened
def play(request: HttpRequest, shared: SharedList, token: str) -> HttpResponse:
    return played(request, linked(shared, token))


@require_safe
@_opened
def pdf(request: HttpRequest, shared: SharedList, token: str) -> HttpResponse:
    """Print the full sheet, or the hidden list, on the paper that the address names."""
    kind = "hidden" if shared.link.is_open else "full"
    setup = read_setup({"paper": request.GET.get("paper", ""), "kinds": kind})
    made = shared.drawn.printout(replace(setup, qr=True))
    title = shared.sheet.heading
    return file_response(made.content, title, "pdf")


@require_safe
@_opened
def text(request: HttpRequest, shared: SharedList, token: str) -> HttpResponse:
    """Return the list as text, in the form that the address names."""
    drawn = shared.drawn
    form = drawn.form(request.GET.get("form"), "full")
    if form is None:
        raise Http404("no such form of text")
    content = (replace(drawn, kind="open") if form.hides else drawn).text(form)
    return file_response(content.encode(), shared.sheet.heading, form.ending)


@require_safe
@_opened
def document(request: HttpRequest, shared: SharedList, token: str) -> HttpResponse:
    """Return the list as a file that can be opened here."""
    return json_file(_whole_document(shared).to_dict(), shared.sheet.title)


@require_POST
@_opened
def copy(request: HttpRequest, shared: SharedList, token: str) -> HttpResponse:
    """Make it a list of this browser's own, which may use the files of its game from now on."""
    document, act = _whole_document(shared), _("Copied from a shared list.")
    holder = make_holder(request)
    if isinstance(document, ForceList):
        lend(holder, document.game.key)
    version = store_list(holder, document, act)
    return redirect("builder", version.army_list_id)
