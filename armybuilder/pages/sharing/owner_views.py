"""Sharing a list, for its owner: the links that it has, new ones, and their end."""

from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from armybuilder.accounts.holders import holder_of
from armybuilder.books.paths import is_own_id
from armybuilder.lists.selectors import current_version
from armybuilder.loading.documents import hash_of
from armybuilder.loading.library import shipped_library
from armybuilder.loading.problems import Refusal
from armybuilder.sharing.addresses import address_of
from armybuilder.sharing.selectors import links_of
from armybuilder.sharing.services import MAX_NAME
from armybuilder.sharing.shared_lists import revoke_link, share_list
from armybuilder.sheets.content.make import HASH
from armybuilder.sheets.drawing.qr import drawing_of


@never_cache
@require_safe
def share(request: HttpRequest, list_id: UUID) -> HttpResponse:
    """The page: the links that the list has, and a form for another."""
    version = current_version(request, list_id)
    now = hash_of(version.document)
    rows = [
        {
            "link": link,
            "url": address_of(request, link),
            "hash": (link.frozen.hash if link.frozen else "")[:HASH],
            "as_now": link.frozen is not None and link.frozen.hash == now,
        }
        for link in links_of(list_id)
    ]
    system = shipped_library().systems.get(version.document.system)
    context = {
        "list_id": list_id,
        "name": version.document.name,
        "rows": rows,
        "new": request.GET.get("new", ""),
        "hides": bool(system and system.sized),
        "own_book": any(is_own_id(book.id) for book in version.document.books),
        "max_name": MAX_NAME,
    }
    return render(request, "sharing/share.html", context)


@require_POST
def make_link(request: HttpRequest, list_id: UUID) -> HttpResponse:
    """Make a link as the form says; back to the page, which shows it first."""
    current_version(request, list_id)
    fields = request.POST
    if fields.get("what") not in ("current", "frozen"):
        raise Refusal(_("Choose what the link leads to."))
    link = share_list(
        holder_of(request),
        list_id,
        shipped_library(),
        fields.get("view", ""),
        fields.get("name", "").replace("\0", ""),
        fields["what"] == "frozen",
    )
    messages.success(request, _("The link is made. Whoever has it can look at the list."))
    return redirect(f"{reverse('share', args=[list_id])}?new={link.pk}#links")


@require_POST
def revoke(request: HttpRequest, list_id: UUID, share_id: UUID) -> HttpResponse:
    """End a link; one that is gone already is ended, too."""
    revoke_link(holder_of(request), list_id, share_id)
    messages.success(request, _("Revoked. That link no longer works."))
    return redirect(f"{reverse('share', args=[list_id])}#links")


@never_cache
@require_safe
def code(request: HttpRequest, list_id: UUID, share_id: UUID) -> HttpResponse:
    """The QR code of a link as a picture."""
    current_version(request, list_id)
    link = links_of(list_id).filter(pk=share_id).first()
    address = address_of(request, link) if link else ""
    if not address:
        raise Http404("no such link, or its address is not known")
    return HttpResponse(drawing_of(address), content_type="image/svg+xml")
