"""Helpers of several views: numbers and games in URLs, answers, parts."""

from collections.abc import Callable, Iterable
from typing import Any, TypeVar
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.template import Engine
from django.template.context import make_context
from django.urls import reverse
from django.utils.cache import patch_cache_control, patch_vary_headers
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from armybuilder.accounts.holders import holder_of
from armybuilder.books.selectors import own_games
from armybuilder.engine.catalogue import Catalogue, System
from armybuilder.engine.meanings import Meanings
from armybuilder.events.building import tie
from armybuilder.events.models import Event
from armybuilder.events.rules import Standing
from armybuilder.events.selectors import find_event, newest_pack
from armybuilder.loading.library import shipped_library
from armybuilder.loading.own_systems import is_own_system
from armybuilder.loading.packs import Pack, pack_for
from armybuilder.packs.selectors import pack_by_key, pack_of
from armybuilder.requests import HtmxRequest

_View = TypeVar("_View", bound=Callable[..., HttpResponseBase])

#: How long a browser keeps the meaning of a name without asking again.
MEANING_SECONDS = 600


def fresh(view: _View) -> _View:
    """Let a view be read only, and no cache keep its answers."""
    return never_cache(require_safe(view))


def fresh_form(view: _View) -> _View:
    """Let a view be read and posted to, and no cache keep its answers."""
    return never_cache(require_http_methods(["GET", "POST"])(view))


def whole_number(text: str, digits: int, default: int = 0) -> int:
    """Return the number in a field of limited digits; the default if it isn't one."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= digits else default


def list_ids(texts: Iterable[str]) -> list[UUID]:
    """Return the ids of lists in an address or form, each once. Raises Http404 for a wrong one."""
    try:
        return list(dict.fromkeys(map(UUID, texts)))
    except ValueError as error:
        raise Http404("no such list") from error


def game_of(system_id: str) -> System:
    """Return the shipped game of an address. Raises Http404 where there is none."""
    system = shipped_library().systems.get(system_id)
    if system is None:
        raise Http404("no such game system")
    return system


def playable(request: HttpRequest, system_id: str) -> System:
    """Return a shipped game, or one that the visitor has books of. Raises Http404 for others."""
    system = None
    if is_own_system(system_id) and system_id in own_games(holder_of(request)):
        system = shipped_library().find_system(system_id)
    return system or game_of(system_id)


def with_query(address: str, query: str) -> str:
    return f"{address}?{query}" if query else address


def wants_part(request: HtmxRequest) -> bool:
    """Return whether htmx asks for a part of the page, and not to restore all of it."""
    return bool(request.htmx) and not request.htmx.history_restore_request


def render_for_htmx(
    request: HttpRequest, template: str, context: dict[str, Any], status: int = 200
) -> HttpResponse:
    """Render a template that was chosen by whether htmx asks; caches keep the answers apart."""
    made = make_context(context, request)
    response = HttpResponse(Engine.get_default().get_template(template).render(made), status=status)
    # It refers to itself: all of a page would stay until garbage is looked for.
    made.dicts.clear()
    patch_vary_headers(response, ["HX-Request"])
    return response


def render_page_or_part(
    request: HtmxRequest, page: str, part: str, context: dict[str, Any]
) -> HttpResponse:
    """Render a page, or only its partial `part` where htmx asks for that."""
    return render_for_htmx(request, f"{page}#{part}" if wants_part(request) else page, context)


def meaning_page(request: HtmxRequest, catalogue: Catalogue, name: str) -> HttpResponse:
    """Answer the meaning of a name of the catalogue: a page, or by htmx a card.

    Raises Http404 if no chosen book has it.
    """
    meaning = Meanings(catalogue).of(name)
    if meaning is None:
        raise Http404("no such name")
    context = {"meaning": meaning, "system": catalogue.system, "apart": not wants_part(request)}
    response = render_page_or_part(request, "library/meaning.html", "card", context)
    patch_cache_control(response, private=True, max_age=MEANING_SECONDS)
    patch_vary_headers(response, ["Cookie"])
    return response


def back_to_list(
    request: HttpRequest,
    list_id: UUID,
    sentence: str,
    entry: str,
    opened: str = "",
    start: int = 0,
    view: str = "",
) -> HttpResponse:
    """Redirect to the list's page, which reports the act and shows the entry.

    A long list is shown from the unit with the number `start`; `view` opens another pane than that
    of the form's address.
    """
    request.session["said"] = sentence
    query = request.GET.copy()
    if opened:
        query["open"] = opened
    if start:
        query["from"] = str(start)
    if view:
        query["view"] = view
    address = with_query(reverse("builder", args=[list_id]), query.urlencode())
    return redirect(f"{address}#{entry or 'list'}")


def private(response: HttpResponse) -> HttpResponse:
    """Keep the address of an answer, which is a key, from other sites and search engines."""
    # With no referrer at all browsers leave out the origin, and the page's form is refused.
    response["Referrer-Policy"] = "same-origin"
    response["X-Robots-Tag"] = "noindex"
    return response


def pack_wanted(request: HttpRequest, system: str) -> Pack | None:
    """Return the pack that a list is to be built for: that of an event, by its id, or another.

    `list` says for which of the lists that a player hands in. Raises Http404 if there is none, or
    it is for another game than `system`.
    """
    name, event = _asked(request, "pack"), event_wanted(request)
    if event is None and not name:
        return None
    pack = pack_of(newest_pack(event)) if event is not None else pack_by_key(name)
    if pack is None or pack.system != system:
        raise Http404("no such pack for this game")
    return pack_for(pack, whole_number(_asked(request, "list"), 2))


def event_wanted(request: HttpRequest) -> Event | None:
    """Return the event that a list is to be built for. Raises Http404 if there is none."""
    if not (key := _asked(request, "event")):
        return None
    event = find_event(list_ids([key])[0])
    if event.standing == Standing.DRAFT:
        raise Http404("no such event")
    return event


def tie_to_event(request: HttpRequest, list_id: UUID) -> None:
    """Remember the event that a new list is built for, if it is for one."""
    if (event := event_wanted(request)) is not None:
        tie(list_id, event, whole_number(_asked(request, "list"), 2, 1))


def _asked(request: HttpRequest, key: str) -> str:
    return request.POST.get(key) or request.GET.get(key, "")
