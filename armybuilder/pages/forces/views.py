"""The builder of a list of a community's files: its page, and the acts of its buttons."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.functional import SimpleLazyObject
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST
from django_htmx.http import trigger_client_event

from armybuilder.accounts.holders import holder_of
from armybuilder.acts.about import HistoryAct, Undo
from armybuilder.acts.base import act_kinds, fields_of
from armybuilder.acts.forces import decode_force_act
from armybuilder.lists import forces, services
from armybuilder.lists.models import Version
from armybuilder.lists.selectors import current_version, recent_lists
from armybuilder.loading.forcelist import ForceList
from armybuilder.loading.problems import Refusal
from armybuilder.pages.answers import (
    back_to_list,
    fresh,
    render_for_htmx,
    wants_part,
    whole_number,
    with_query,
)
from armybuilder.pages.builder.page import VIEWS, act_attributes
from armybuilder.pages.builder.panes import browser_parts
from armybuilder.pages.builder.views import MOST_RECENT, NOW, QUIET, builder_page, sent_as
from armybuilder.pages.forces.page import ForcesPage
from armybuilder.pages.forces.shelf import make_shelf
from armybuilder.requests import HtmxRequest

PAGE = "forces/builder.html"
PANEL = "forces/builder.html#panel"
PARTS = {"book": "forces/builder.html#book", "list": PANEL, "preview": "forces/_unit.html"}
#: Letters of a search.
MAX_TEXT = 80
#: Acts after which what they made is open.
OPENING = ("add", "duplicate")
#: Acts whose outcome stands where they were pressed.
SMALL = ("take", "leave", "count", "none", *QUIET)


@fresh
def builder(request: HtmxRequest, list_id: UUID) -> HttpResponse:
    """Show the page of a list: of our books, or of a community's files."""
    version = current_version(request, list_id)
    if not isinstance(version.content, ForceList):
        return builder_page(request, version)
    page = _page(request, version)
    said, undone = request.session.pop("said", ""), request.session.pop("undone", False)
    context = _context(request, page, said=said, undone=undone)
    if not wants_part(request):
        return render_for_htmx(request, PAGE, context)
    part = PARTS.get(request.GET.get("part", ""), "forces/builder.html#shelf")
    response = _answer(request, part, context)
    if part is PANEL:
        response["X-Address"] = context["here_url"]
    return response


def _answer(
    request: HttpRequest, template: str, context: dict[str, Any], status: int = 200
) -> HttpResponse:
    response = render_for_htmx(request, template, context, status)
    response["X-Version"] = context["page"].version.pk
    return response


def _now(request: HttpRequest, field: str) -> str:
    """Return what the page says of itself: with script in its fields, else in the address."""
    return request.POST.get(NOW[field]) or request.GET.get(field, "")


def _page(request: HttpRequest, version: Version, opened: str | None = None) -> ForcesPage:
    page = ForcesPage(version)
    opened = _now(request, "open") if opened is None else opened
    page.opened = opened if opened in page.order else ""
    page.view = _asked_view(request) or ("unit" if page.opened else "army")
    page.peeked = request.GET.get("preview", "")
    page.catalogue = request.GET.get("catalogue", "")
    return page


def _asked_view(request: HttpRequest) -> str:
    view = request.GET.get("view", "")
    return view if view in VIEWS else ""


def _context(request: HtmxRequest, page: ForcesPage, **more: Any) -> dict[str, Any]:
    list_id = page.version.army_list_id
    builder_url = reverse("builder", args=[list_id])
    text = request.GET.get("q", "").strip()[:MAX_TEXT]
    force = _force_of(request, page)
    wanted = {"q": text, "force": request.GET.get("force", "") and force}
    query = urlencode({key: value for key, value in wanted.items() if value})
    page.open_url = with_query(builder_url, f"{query}&open=".lstrip("&"))
    view = {"open": page.opened, "view": _asked_view(request)}
    here = urlencode({key: value for key, value in {**wanted, **view}.items() if value})
    opened = urlencode({"open": page.opened}) if page.opened else ""
    views = "&".join(filter(None, (query, opened, "view=")))
    opens = request.GET.get("part") == "list" and request.method == "GET"
    unchanged = opens and request.GET.get("now-version") == str(page.version.pk)
    browser = browser_parts(request, wants_part(request), unchanged)
    page.parts_known = browser.known
    act_url = with_query(reverse("force-act", args=[list_id]), here)
    drawn = act_attributes(request, page.version, act_url, reverse("force-act", args=[list_id]))
    page.asks = drawn["asks"]
    return {
        "page": page,
        **drawn,
        "parts_in": "forces/",
        "browser": browser,
        "here_url": with_query(builder_url, here),
        "view_url": with_query(builder_url, views),
        "text": text,
        "force_id": force,
        "force_asked": wanted["force"],
        "shelf": SimpleLazyObject(lambda: make_shelf(page, force, text)),
        "menu_key": (
            page.document.name,
            [(one.id, one.limit) for one in page.one.costs],
            "user_name" in request.session,
        ),
        "recent": SimpleLazyObject(lambda: recent_lists(holder_of(request), list_id, MOST_RECENT)),
        "said": "",
        "said_of": "",
        "undone": False,
        "quiet": False,
        "refused": "",
        "typed": "",
        "conflict": (),
        **more,
    }


def _force_of(request: HttpRequest, page: ForcesPage) -> str:
    """Return the force to which units are added; "" where there is none.

    It is the one asked for, else that of the open unit, else the first.
    """
    evaluation = page.one.evaluation
    ids = [evaluation.picks[force].id for force in evaluation.forces]
    asked = request.GET.get("force", "") or request.POST.get("now-force", "")
    if asked in ids:
        return asked
    node = page.one.node(page.opened) if page.opened else None
    if node is not None:
        return evaluation.picks[node.force].id
    return ids[0] if ids else ""


@require_POST
def act(request: HtmxRequest, list_id: UUID) -> HttpResponse:
    """Apply a button's act, store the result, and show the list."""
    fields = fields_of(request.POST)
    try:
        version, sentence, entry = _perform(request, list_id, fields)
    except Refusal as refusal:
        current = current_version(request, list_id)
        typed = fields.get("notes") or fields.get("name") or ""
        return _show(request, current, status=422, refused=refusal.sentence, typed=typed)
    except services.Conflict:
        current = current_version(request, list_id)
        known = ("csrfmiddlewaretoken", "version")
        again = [(key, value) for key, value in fields.items() if key not in known]
        return _show(request, current, status=409, conflict=again)
    opened = entry if fields["act"] in OPENING else _now(request, "open")
    undone = fields["act"] == Undo.name
    if not request.htmx:
        if undone:
            request.session["undone"] = True
        return _without_script(request, list_id, sentence, entry, opened, fields)
    quiet = fields["act"] in SMALL and sentence == version.act
    told: dict[str, Any] = {"said": sentence, "said_of": entry, "undone": undone, "quiet": quiet}
    event = "book-changed" if "force" in fields["act"] else "list-changed"
    return _show(request, version, opened=opened, event=event, **told)


def _without_script(
    request: HttpRequest,
    list_id: UUID,
    sentence: str,
    entry: str,
    opened: str,
    fields: dict[str, str],
) -> HttpResponse:
    """Lead a page without script to where its player was."""
    place, view = entry or request.POST.get("place", ""), ""
    if fields["act"] == "add":
        place, view = "shelf", "units"
    elif fields["act"] in SMALL and opened:
        place, view = place or f"models-{fields.get('unit', '')}", "unit"
    return back_to_list(request, list_id, sentence, place, opened, 0, view)


def _perform(
    request: HttpRequest, list_id: UUID, fields: dict[str, str]
) -> tuple[Version, str, str]:
    """Do an act; return the version after it, what to say, and the pick to show."""
    seen = whole_number(fields.get("version", ""), 18)
    holder, kind = holder_of(request), act_kinds().get(fields["act"])
    if kind is not None and issubclass(kind, HistoryAct):
        saved = forces.step_forces(holder, list_id, seen, kind.read(fields))
        return saved.version, saved.said, ""
    act = decode_force_act(fields)
    saved = forces.perform_forces(holder, list_id, seen, act, sent_as(request))
    said = saved.said
    if saved.merged:
        said = _("{said} The list had been changed elsewhere; both changes are kept.").format(
            said=said
        )
    return saved.version, said, saved.entry


def _show(
    request: HtmxRequest,
    version: Version,
    status: int = 200,
    event: str = "list-changed",
    opened: str | None = None,
    **more: Any,
) -> HttpResponse:
    page = _page(request, version, opened)
    context = _context(request, page, **more)
    response = _answer(request, PANEL if request.htmx else PAGE, context, status)
    if page.opened != _now(request, "open"):
        response["X-Address"] = context["here_url"]
    return trigger_client_event(response, event, after="swap")
