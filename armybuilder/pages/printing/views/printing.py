"""Printing a list: a set-up to choose, its pages to look at, the file, and set-ups to keep."""

from dataclasses import dataclass, replace
from functools import partial
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from armybuilder.accounts.holders import holder_of
from armybuilder.books.paths import is_own_id
from armybuilder.certificates.making import certify
from armybuilder.downloads import file_response
from armybuilder.lists.models import Version
from armybuilder.lists.packs import event_pack_of
from armybuilder.lists.selectors import current_version
from armybuilder.loading.library import shipped_library
from armybuilder.loading.problems import Refusal
from armybuilder.pages.printing.print_page import (
    MOST_PICTURES,
    PrintPage,
    SetupRequest,
    asked_for,
    coded_views,
    query_of,
)
from armybuilder.printing import setups
from armybuilder.requests import HtmxRequest
from armybuilder.sharing.shared_lists import code_links, make_code_links
from armybuilder.sharing.tokens import address_of
from armybuilder.sheets.content.material import NO_LINKS, SheetLinks
from armybuilder.sheets.printing.printouts import Printout, printout


@dataclass(frozen=True, slots=True)
class PrintRequest:
    """A list of this browser, and how its address asks to print it."""

    version: Version
    asked: SetupRequest
    links: SheetLinks

    def made(self) -> Printout:
        """Raises Refusal where it cannot be printed so."""
        if self.asked.wrong:
            raise Refusal(self.asked.wrong)
        if not self.asked.chosen:
            raise Refusal(_("Choose at least one sheet."))
        library, day = shipped_library(), timezone.localdate()
        return printout(self.version.document, library, day, self.asked.setup, self.links)


def _wanted(request: HttpRequest, list_id: UUID) -> PrintRequest:
    version = current_version(request, list_id)
    asked = asked_for(request.GET, setups.usual_setup(holder_of(request)))
    links = code_links(version, partial(address_of, request)) if asked.setup.qr else NO_LINKS
    if asked.setup.certificate:
        links = links._replace(certificate=_certificate(request, version))
    return PrintRequest(version, asked, links)


def _certificate(request: HttpRequest, version: Version) -> str:
    """Return the address that checks the certificate in it; "" where the list cannot be judged. It
    is the same for a minute, so that the pages of one printout are.
    """
    issuer, pack = request.build_absolute_uri("/").rstrip("/"), event_pack_of(version)
    try:
        word = certify(version.document, shipped_library(), issuer, pack, exact=60)
    except Refusal:  # the page says it of the printout, too
        return ""
    return f"{request.build_absolute_uri(reverse('verify'))}#{word}"


@never_cache
@require_safe
def print_page(request: HtmxRequest, list_id: UUID) -> HttpResponse:
    """The page: 422 where the address asks for what is not offered, with the sentence on it."""
    wanted = _wanted(request, list_id)
    asked = wanted.asked
    address = f"{reverse('print', args=[list_id])}?{query_of(asked.setup)}"
    tidy = bool(asked.chosen) and not asked.wrong
    if tidy and not asked.plain and not request.htmx:
        return redirect(address)
    page = PrintPage(
        asked.setup, asked.chosen, setups.setups_of(holder_of(request)), links=wanted.links
    )
    try:
        page = replace(page, printout=wanted.made())
    except Refusal as refusal:
        page = replace(page, wrong=refusal.sentence)
    context = {
        "page": page,
        "list_id": list_id,
        "name": wanted.version.document.name,
        "tells_book": "full" in coded_views(asked.chosen)
        and any(is_own_id(book.id) for book in wanted.version.document.books),
        "most": MOST_PICTURES,
        "max_name": setups.MAX_NAME,
    }
    template = "printing/print.html#printing" if request.htmx else "printing/print.html"
    response = render(request, template, context, status=422 if asked.wrong else 200)
    if request.htmx and tidy:
        response["HX-Replace-Url"] = address
    return response


@never_cache
@require_safe
def print_file(request: HttpRequest, list_id: UUID) -> HttpResponse:
    """The PDF of a set-up. Raises Refusal where it cannot be made."""
    made = _wanted(request, list_id).made()
    return file_response(made.content, "application/pdf", made.title, "pdf", inline=True)


@require_safe
def print_picture(request: HttpRequest, list_id: UUID, number: int) -> HttpResponse:
    """Answer one of the first pages as a picture, which never changes under the file's mark."""
    made = _wanted(request, list_id).made()
    if not 1 <= number <= min(len(made.sizes), MOST_PICTURES):
        raise Http404("no such page")
    response = HttpResponse(made.picture(number), content_type="image/png")
    same = request.GET.get("mark") == made.mark
    response["Cache-Control"] = f"private, {'max-age=86400, immutable' if same else 'no-cache'}"
    return response


@require_POST
def make_link(request: HttpRequest, list_id: UUID) -> HttpResponse:
    """Make the links that QR codes on the sheets lead to, and back to the page as it was."""
    holder = holder_of(request)
    current_version(request, list_id)
    asked = asked_for(QueryDict(request.POST.get("query", "")[:1000]), setups.usual_setup(holder))
    if asked.wrong:
        raise Refusal(asked.wrong)
    if make_code_links(holder, list_id, shipped_library(), coded_views(asked.chosen)):
        messages.success(request, _("Created. The code links to the list as it is now."))
    setup = replace(asked.setup, qr=True)
    return redirect(f"{reverse('print', args=[list_id])}?{query_of(setup)}")


@require_POST
def print_setups(request: HttpRequest, list_id: UUID) -> HttpResponse:
    """Keep a set-up, choose the usual one, or delete one; back to the page as it was."""
    current_version(request, list_id)
    holder = holder_of(request)
    asked = asked_for(QueryDict(request.POST.get("query", "")[:1000]), setups.usual_setup(holder))
    if asked.wrong:
        raise Refusal(asked.wrong)
    if request.POST.get("do") == "save":
        usual = request.POST.get("usual") == "1"
        kept = setups.save_setup(holder, request.POST.get("name", ""), asked.setup, usual)
        said = _("Saved the set-up “{name}”.").format(name=kept.name)
    else:
        said = _changed(holder, request.POST)
    messages.success(request, said)
    return redirect(f"{reverse('print', args=[list_id])}?{query_of(asked.setup)}")


def _changed(holder: str, fields: QueryDict) -> str:
    """Do what a button beside a saved set-up asks; return what was done as a sentence."""
    acts = {
        "usual": (setups.make_usual, _("All lists are now printed with “{name}”.")),
        "plain": (setups.unmake_usual, _("“{name}” is no longer the default set-up.")),
        "delete": (setups.delete_setup, _("Deleted the set-up “{name}”.")),
    }
    number = fields.get("setup", "")
    do = fields.get("do", "")
    if do not in acts or not (number.isascii() and number.isdigit()):
        raise Refusal(_("That button is unknown. Reload the page."))
    act, said = acts[do]
    kept = act(holder, int(number[:12]))
    if kept is None:
        raise Refusal(_("That set-up no longer exists."))
    return said.format(name=kept.name)
