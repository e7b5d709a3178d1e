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
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe
from django_htmx.http import trigger_client_event

from armybuilder.lists import services
from armybuilder.lists.builder import BuilderPage
from armybuilder.lists.models import Version
from armybuilder.lists.selectors import current_version, holder_of
from armybuilder.lists.shelf import SORTS, make_shelf, read_wanted
from armybuilder.loading.library import shipped_library
from armybuilder.loading.problems import Refusal

PAGE = "lists/builder.html"
PANEL = "lists/builder.html#panel"
SHELF = "lists/builder.html#shelf"
BOOK = "lists/builder.html#book"

#: Acts after which other books may stand open: their filters are drawn anew.
BOOK_ACTS = ("add-book", "remove-book", "undo", "redo")


@never_cache
@require_safe
def builder(request: HttpRequest, list_id: UUID) -> HttpResponse:
    """The page of a list; by htmx only its shelf, searched anew, or the whole book."""
    page = BuilderPage(current_version(request, list_id), shipped_library())
    context = _context(request, page, said=request.session.pop("said", ""))
    part = BOOK if request.GET.get("part") == "book" else SHELF
    response = render(request, part if request.htmx else PAGE, context)
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
        "typed": "",
        "conflict": (),
        **more,
    }


def _with_query(address: str, query: str) -> str:
    return f"{address}?{query}" if query else address


@require_POST
def act(request: HttpRequest, list_id: UUID) -> HttpResponse:
    """Do what a button asks, store it, and show the list as it is then."""
    fields = _fields(request)
    try:
        version, said, entry = perform(request, list_id, fields)
    except Refusal as refusal:
        current = current_version(request, list_id)
        typed = fields.get("notes") or fields.get("name") or ""
        return _show(request, current, status=422, refused=refusal.sentence, typed=typed)
    except services.Conflict:
        current = current_version(request, list_id)
        return _show(request, current, status=409, conflict=_again(fields))
    if not request.htmx:
        shown = {"add": f"add-{fields.get('ref')}", "setting": "settings"}
        return back_to_list(request, list_id, said, shown.get(fields["act"], entry))
    event = "book-changed" if fields["act"] in BOOK_ACTS else "list-changed"
    return _show(request, version, said=said, event=event)


def _fields(request: HttpRequest) -> dict[str, str]:
    """The form's fields. Some buttons say more than an act: the shelf's name the unit to add,
    those of roles and options the role ("role:reserve") or option ("option:horse/barding").
    """
    fields = {key: value for key, value in request.POST.items() if isinstance(value, str)}
    fields["act"], _, what = fields.get("act", "").partition(":")
    if what:
        fields[fields["act"]] = what
    if ref := fields.pop("add", ""):
        fields |= {"act": "add", "ref": ref}
    return fields


def perform(
    request: HttpRequest, list_id: UUID, fields: dict[str, str]
) -> tuple[Version, str, str]:
    """Do an act; the version after it, what to say, and the entry to show."""
    holder = holder_of(request)
    version_field = fields.get("version", "")
    readable = version_field.isascii() and version_field.isdigit() and len(version_field) < 19
    seen = int(version_field) if readable else 0
    if fields["act"] == "undo":
        undone, version = services.step_back(holder, list_id, seen)
        return version, f"Undone: {undone.act}", ""
    if fields["act"] == "redo":
        version = services.step_forward(holder, list_id, seen)
        return version, f"Done again: {version.act}", ""
    saved = services.perform(holder, list_id, seen, fields, shipped_library())
    merged = " The list had changed elsewhere; both changes are kept." if saved.merged else ""
    return saved.version, saved.done.said + merged, saved.done.entry


def _again(fields: dict[str, str]) -> list[tuple[str, str]]:
    """The fields of an act that can be asked for once more, for the newer list."""
    return [
        (key, value)
        for key, value in fields.items()
        if key not in ("csrfmiddlewaretoken", "version")
    ]


def _show(
    request: HttpRequest,
    version: Version,
    status: int = 200,
    event: str = "list-changed",
    **more: Any,
) -> HttpResponse:
    context = _context(request, BuilderPage(version, shipped_library()), **more)
    response = render(request, PANEL if request.htmx else PAGE, context, status=status)
    patch_vary_headers(response, ["HX-Request"])
    return trigger_client_event(response, event, after="swap")


def back_to_list(request: HttpRequest, list_id: UUID, said: str, entry: str) -> HttpResponse:
    """A redirect to the list's page, which says what was done and shows the entry."""
    request.session["said"] = said
    address = _with_query(reverse("builder", args=[list_id]), request.GET.urlencode())
    return redirect(f"{address}#{entry or 'list'}")
