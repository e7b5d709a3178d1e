"""Certificates: the one of a list, the page that checks one, and the keys to check them by."""

import base64
import json
from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.http import require_http_methods, require_safe

from armybuilder.accounts.holders import holder_of
from armybuilder.certificates.making import certify, check, published_keys
from armybuilder.lists.selectors import current_version
from armybuilder.loading.armylist import ArmyList
from armybuilder.loading.library import shipped_library
from armybuilder.loading.packs import Pack
from armybuilder.loading.problems import Refusal
from armybuilder.packs.selectors import pack_by_key, suiting
from armybuilder.pages.answers import private
from armybuilder.pages.certificates.spelling import SMALL, spelled_units, unspelled
from armybuilder.sheets.drawing.qr import MOST_IN_CODE, drawing_of


@never_cache
@require_safe
def certificate(request: HttpRequest, list_id: UUID) -> HttpResponse:
    """Show a certificate of the list as it is now; `pack` names an event."""
    version, library = current_version(request, list_id), shipped_library()
    packs = suiting(holder_of(request), version.document.system)
    pack = _chosen(request)
    issuer = request.build_absolute_uri("/").rstrip("/")
    word = certify(version.document, library, issuer, pack)
    address = f"{request.build_absolute_uri(reverse('verify'))}#{word}"
    context = {
        "list_id": list_id,
        "name": version.document.name,
        "packs": packs,
        "pack": pack,
        "key": request.GET.get("pack", ""),
        "word": word,
        "address": address,
        "code": _picture(address) if len(address) <= MOST_IN_CODE else "",
        "verified": check(word),
        "game": _game(version.document),
    }
    return render(request, "certificates/certificate.html", context)


def _chosen(request: HttpRequest) -> Pack | None:
    key = request.GET.get("pack", "")
    found = pack_by_key(key) if key else None
    if key and found is None:
        raise Refusal(_("There is no such event pack."))
    return found


def _picture(address: str) -> str:
    """Return a code as an address that holds the picture itself."""
    drawn = base64.b64encode(drawing_of(address, dense=True).encode()).decode()
    return f"data:image/svg+xml;base64,{drawn}"


@require_http_methods(["GET", "HEAD", "POST"])
def verify(request: HttpRequest) -> HttpResponse:
    """Check a certificate: the browser does, or where it cannot, this by the form."""
    word = request.POST.get("certificate", "").rpartition("#")[2].strip()
    games = {system.id: system.name for system in shipped_library().systems.values()}
    context: dict[str, Any] = {"word": word, "keys": json.dumps(published_keys())}
    context |= {"games": json.dumps(games), "verdicts": json.dumps(_verdict_words())}
    spelling = {"small": SMALL, "names": unspelled(shipped_library())}
    context["spelling"] = json.dumps(spelling)
    if word:
        try:
            context["verified"] = verified = check(word)
        except Refusal as refusal:
            context["refused"] = refusal.sentence
        else:
            army_list = verified.claims.army_list
            context |= {"units": spelled_units(army_list), "game": _game(army_list)}
    return private(render(request, "certificates/verify.html", context))


def _verdict_words() -> dict[str, str | list[str]]:
    """Return what the page's script makes verdicts of; of what is counted, for one and for many."""
    return {
        "legal": _("Legal"),
        "as-far": _("Legal as far as checked"),
        "illegal": _("Not legal: {wrong}"),
        "begun": _("Not legal yet: {wrong}"),
        "unchecked": [
            ngettext(
                "Legal, {number} restriction not checked",
                "Legal, {number} restrictions not checked",
                number,
            )
            for number in (1, 2)
        ],
        "broken": [ngettext("{number} error", "{number} errors", number) for number in (1, 2)],
        "missing": [ngettext("{number} to do", "{number} to do", number) for number in (1, 2)],
    }


def _game(army_list: ArmyList) -> str:
    """Return the name of a list's game; its id, where this site has no such game."""
    system = shipped_library().systems.get(army_list.system)
    return army_list.system if system is None else system.name


@cache_control(max_age=3600, public=True)
@require_safe
def keys(request: HttpRequest) -> HttpResponse:
    """The public keys, for whoever checks certificates of this server."""
    answer = JsonResponse({"keys": published_keys()})
    answer["Access-Control-Allow-Origin"] = "*"
    return answer
