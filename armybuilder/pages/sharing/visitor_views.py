"""A shared list, for everyone who was given its link: to look at and to print, and where the link
shows all of it, to copy and to save.
"""

import json
from collections.abc import Callable
from functools import wraps

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from armybuilder import __version__
from armybuilder.accounts.holders import holder_of, make_holder
from armybuilder.downloads import file_response
from armybuilder.lists import services
from armybuilder.loading.library import shipped_library
from armybuilder.pages.secret_addresses import private
from armybuilder.sharing.models import Share
from armybuilder.sharing.selectors import find_link
from armybuilder.sharing.shared_lists import SharedList
from armybuilder.sheets.content.material import NO_LINKS, SheetLinks
from armybuilder.sheets.content.setup import Setup, read_setup
from armybuilder.sheets.printing.printouts import printout
from armybuilder.sheets.texts.forms import FORMS

View = Callable[[HttpRequest, SharedList], HttpResponse]


def _opened(view: View) -> Callable[[HttpRequest, str], HttpResponse]:
    """The view with what the token of its address opens; a page that says so where it opens nothing
    any more. Nothing of it is kept by anybody on the way.
    """

    @never_cache
    @wraps(view)
    def wrapped(request: HttpRequest, token: str) -> HttpResponse:
        link = find_link(token)
        if link is None:
            return private(render(request, "sharing/gone.html", status=404))
        links = _links(request, link, token)
        shared = SharedList(link, shipped_library(), timezone.localdate(), links)
        return private(view(request, shared))

    return wrapped


def _links(request: HttpRequest, link: Share, token: str) -> SheetLinks:
    """What the QR code of a printout leads to: the very link, where it shows a frozen copy."""
    if link.frozen_id is None:
        return NO_LINKS
    url = request.build_absolute_uri(reverse("shared-list", args=[token]))
    return SheetLinks(open=url) if link.is_open else SheetLinks(full=url)


def _full(view: View) -> View:
    """A view for full links only: behind an open one there is no such thing."""

    @wraps(view)
    def wrapped(request: HttpRequest, shared: SharedList) -> HttpResponse:
        if shared.link.is_open:
            raise Http404("an open link shows the open list only")
        return view(request, shared)

    return wrapped


@require_safe
@_opened
def page(request: HttpRequest, shared: SharedList) -> HttpResponse:
    context = {
        "shared": shared,
        "sheet": shared.sheet,
        "token": request.resolver_match.kwargs["token"] if request.resolver_match else "",
        "mine": shared.link.army_list.holder == holder_of(request),
        "engine": __version__,
    }
    return render(request, "sharing/shared.html", context)


@require_safe
@_opened
def pdf(request: HttpRequest, shared: SharedList) -> HttpResponse:
    """The full sheet, or the opponent's, on the paper that the address names."""
    paper = read_setup({"paper": request.GET.get("paper", "")}).paper
    kind = "opponent" if shared.link.is_open else "full"
    setup = Setup(paper=paper, kinds=(kind,), qr=True)
    made = printout(shared.document, shared.library, shared.day, setup, shared.links)
    title = shared.sheet.file_name
    return file_response(made.content, "application/pdf", title, "pdf", inline=True)


@require_safe
@_opened
def text(request: HttpRequest, shared: SharedList) -> HttpResponse:
    """The list as text, in the form that the address names."""
    chosen = request.GET.get("form", "full")
    if chosen not in FORMS:
        raise Http404("no such form of text")
    form = FORMS[chosen]
    hides = form.hides and not shared.link.is_open
    content = form.draw(shared.material.open_sheet if hides else shared.sheet).encode()
    kind = "text/plain; charset=utf-8"
    return file_response(content, kind, shared.sheet.file_name, form.ending, inline=True)


@require_safe
@_opened
@_full
def document(request: HttpRequest, shared: SharedList) -> HttpResponse:
    """The list as a file that can be opened here."""
    content = json.dumps(shared.document.to_dict(), indent=2, ensure_ascii=False).encode()
    return file_response(content, "application/json", shared.sheet.title, "json")


@require_POST
@_opened
@_full
def copy(request: HttpRequest, shared: SharedList) -> HttpResponse:
    """Make it a list of this browser's own."""
    act = _("Copied from a shared list.")
    version = services.create_list(make_holder(request), shared.document, act)
    return redirect("builder", version.army_list_id)
