"""The builder: one page per list, and the acts its buttons post.

A plain request gets the whole page; one by htmx gets the part that changed. An act answers a
plain request with a redirect back to the page.
"""

from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.cache import patch_vary_headers
from django.utils.functional import SimpleLazyObject
from django.utils.html import format_html
from django.views.decorators.http import require_GET, require_http_methods, require_POST
from django_htmx.http import trigger_client_event

from armybuilder.engine.catalogue import Ability
from armybuilder.lists import services
from armybuilder.lists.acts import Asked, own_profile
from armybuilder.lists.builder import BuilderPage
from armybuilder.lists.edits import find
from armybuilder.lists.models import Version
from armybuilder.lists.selectors import current_version
from armybuilder.lists.shelf import SORTS, make_shelf, read_wanted
from armybuilder.loading.documents import Document, own_unit
from armybuilder.loading.library import shipped_library
from armybuilder.loading.problems import Refusal

PAGE = "lists/builder.html"
PANEL = "lists/builder.html#panel"
SHELF = "lists/builder.html#shelf"


@require_GET
def builder(request: HttpRequest, list_id: UUID) -> HttpResponse:
    """The page of a list; by htmx only its shelf, searched anew."""
    version = current_version(request, list_id)
    page = BuilderPage(version, shipped_library())
    said = request.session.pop("said", "")
    context = _context(request, page, said=said)
    response = render(request, SHELF if request.htmx else PAGE, context)
    patch_vary_headers(response, ["HX-Request"])
    return response


def _context(request: HttpRequest, page: BuilderPage, **more: Any) -> dict[str, Any]:
    wanted = read_wanted(request.GET.dict(), page.catalogue)
    act_url = _with_query(reverse("act", args=[page.version.army_list_id]), wanted.query)
    token = format_html(
        '<input type="hidden" name="csrfmiddlewaretoken" value="{}">', get_token(request)
    )
    # What every form and button of the page repeats is written out once, here.
    # The shelf is lazy: it is worked out only where the template shows it.
    return {
        "page": page,
        "act_form": format_html('method="post" action="{}"', act_url),
        "asks": format_html('hx-post="{}"', act_url),
        "form_token": token,
        "form_keys": format_html(
            '{}<input type="hidden" name="version" value="{}">', token, page.version.pk
        ),
        "wanted": wanted,
        "shelf": SimpleLazyObject(lambda: make_shelf(page.roster, page.catalogue, wanted)),
        "sorts": SORTS.items(),
        "said": "",
        "refused": "",
        "conflict": (),
        **more,
    }


def _with_query(address: str, query: str) -> str:
    return f"{address}?{query}" if query else address


@require_POST
def act(request: HttpRequest, list_id: UUID) -> HttpResponse:
    """Do what a button asks, store it, and show the list as it is then."""
    current = current_version(request, list_id)
    fields = _fields(request)
    try:
        version, said, entry = _perform(current, fields)
    except Refusal as refusal:
        page = BuilderPage(current, shipped_library())
        return _show(request, page, status=422, refused=refusal.sentence)
    except services.Conflict as conflict:
        page = BuilderPage(conflict.version, shipped_library())
        return _show(request, page, status=409, conflict=_again(fields))
    if not request.htmx:
        request.session["said"] = said
        return redirect(_address(request, list_id, entry))
    return _show(request, BuilderPage(version, shipped_library()), said=said)


def _fields(request: HttpRequest) -> dict[str, str]:
    """The form's fields. Two kinds of button say more than an act: the shelf's name the unit to
    add, and those of roles the role ("role:reserve").
    """
    fields = {key: value for key, value in request.POST.items() if isinstance(value, str)}
    fields["act"], _, role = fields.get("act", "").partition(":")
    if role:
        fields["role"] = role
    if ref := fields.pop("add", ""):
        fields |= {"act": "add", "ref": ref}
    return fields


def _perform(current: Version, fields: dict[str, str]) -> tuple[Version, str, str]:
    """The version after the act, what to say, and the entry to show."""
    if fields["act"] == "undo":
        said = f"Undone: {current.act}"
        return services.step_back(current), said, ""
    if fields["act"] == "redo":
        version = services.step_forward(current)
        return version, f"Done again: {version.act}", ""
    seen = fields.get("version", "")
    seen_pk = int(seen) if seen.isascii() and seen.isdigit() and len(seen) < 19 else 0
    saved = services.perform(current, seen_pk, fields["act"], fields, shipped_library())
    merged = " The list had changed elsewhere; both changes are kept." if saved.merged else ""
    return saved.version, saved.done.said + merged, saved.done.entry


def _again(fields: dict[str, str]) -> list[tuple[str, str]]:
    """The fields of an act that can be asked for once more, for the newer list."""
    return [
        (key, value)
        for key, value in fields.items()
        if key not in ("csrfmiddlewaretoken", "version")
    ]


def _show(request: HttpRequest, page: BuilderPage, status: int = 200, **more: Any) -> HttpResponse:
    context = _context(request, page, **more)
    response = render(request, PANEL if request.htmx else PAGE, context, status=status)
    patch_vary_headers(response, ["HX-Request"])
    return trigger_client_event(response, "list-changed", after="swap")


def _address(request: HttpRequest, list_id: UUID, entry: str) -> str:
    address = _with_query(reverse("builder", args=[list_id]), request.GET.urlencode())
    return f"{address}#{entry or 'list'}"


@require_http_methods(["GET", "POST"])
def own_model(request: HttpRequest, list_id: UUID, unit: str = "") -> HttpResponse:
    """Make a model of one's own, or change one that is on the list.

    A GET with fields shows the price of what they say; a POST puts it on the list.
    """
    current = current_version(request, list_id)
    page = BuilderPage(current, shipped_library())
    if not page.system.own_models:
        raise Refusal(f"{page.system.name} has no models of your own.")
    refused = ""
    if request.method == "POST":
        fields = {**request.POST.dict(), "act": "own", "unit": unit}
        try:
            _, said, entry = _perform(current, fields)
        except Refusal as refusal:
            refused = refusal.sentence
        except services.Conflict:
            refused = "This model was changed elsewhere meanwhile. Save again to keep your numbers."
        else:
            request.session["said"] = said
            return redirect(_address(request, list_id, entry))
        draft = request.POST.dict()
    else:
        draft = request.GET.dict() or _draft(page, unit)
    context = {"page": page, "unit": unit, "draft": draft, "refused": refused}
    context |= _own_price(page, draft)
    context["stats"] = [
        (
            stat,
            draft.get(f"stat-{stat.id}", str(stat.high)),
            range(stat.low or 0, (stat.high or 0) + 1),
        )
        for stat in page.system.stats.values()
    ]
    context["groups"] = _ability_groups(page, draft)
    template = "lists/own_model.html"
    if request.htmx and request.method == "GET":
        template += "#price"
    response = render(request, template, context, status=422 if refused else 200)
    patch_vary_headers(response, ["HX-Request"])
    return response


def _draft(page: BuilderPage, unit: str) -> dict[str, str]:
    """The form's fields for an own model on the list, or a fair start for a new one."""
    if not unit:
        return {"stat-quality": "4", "stat-combat": "3"}
    profile = find(page.document, unit).get("profile")
    if profile is None:
        raise Refusal("That is not a model of your own.")
    draft = {"name": profile["name"]}
    draft |= {f"stat-{stat}": str(value) for stat, value in profile["stats"].items()}
    for use in profile["abilities"]:
        draft[f"ability-{use['ability']}"] = "on"
        draft[f"target-{use['ability']}"] = use.get("target", "")
    return draft


def _own_price(page: BuilderPage, draft: dict[str, str]) -> dict[str, Any]:
    """What the drafted model costs and what its rules say of it, or why that cannot be told."""
    asked = Asked(page.document, page.catalogue, page.library, {"name": "", **draft})
    try:
        named = {**draft, "name": draft.get("name", "").strip()[:120] or "This model"}
        profile = own_profile(asked._replace(fields=named))
    except Refusal as refusal:
        return {"price_refused": refusal.sentence}
    unit = own_unit(profile, page.catalogue, "", [])
    if unit is None:
        return {"price_refused": "This game has no models of your own."}
    document: Document = {
        **page.document,
        "units": [{"id": "u1", "profile": profile, "models": 1}],
        "limit": 99_999,
    }
    trial = BuilderPage(Version(document=document), page.library)
    return {"points": unit.price.start, "tellings": trial.tellings}


def _ability_groups(
    page: BuilderPage, draft: dict[str, str]
) -> list[tuple[str, list[tuple[Ability, bool, str]]]]:
    """The special rules by group, each with whether the draft has it and its target."""
    groups: dict[str, list[tuple[Ability, bool, str]]] = {}
    for ability in page.catalogue.abilities.values():
        held = f"ability-{ability.id}" in draft
        target = draft.get(f"target-{ability.id}", "")
        groups.setdefault(ability.group, []).append((ability, held, target))
    return list(groups.items())
