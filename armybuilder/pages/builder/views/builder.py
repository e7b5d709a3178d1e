"""The builder: one page per list, and the acts of its buttons; htmx gets the part that changed."""

from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.urls import reverse
from django.utils.functional import SimpleLazyObject
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe
from django_htmx.http import replace_url, trigger_client_event

from armybuilder.accounts.holders import holder_of
from armybuilder.acts.decoding import decode, fields_of
from armybuilder.html import attributes, hidden_field, join
from armybuilder.lists import services
from armybuilder.lists.models import Version
from armybuilder.lists.selectors import current_version
from armybuilder.loading.library import shipped_library
from armybuilder.loading.problems import Refusal
from armybuilder.pages.answers import (
    back_to_list,
    render_for_htmx,
    wants_part,
    whole_number,
    with_query,
)
from armybuilder.pages.builder.page import BuilderPage
from armybuilder.pages.builder.shelf.shelf import SORTS, ShelfQuery, make_shelf, read_wanted
from armybuilder.pages.builder.stretches import WHOLE
from armybuilder.pages.builder.tabs import open_tabs
from armybuilder.requests import HtmxRequest

PAGE = "builder/builder.html"
PANEL = "builder/builder.html#panel"
SHELF = "builder/builder.html#shelf"
BOOK = "builder/builder.html#book"
#: Further units of a long list, by whether they stand in categories.
LINES = "lines"
FURTHER = {True: "builder/_army.html#lines", False: "builder/_list.html#lines"}

#: Acts after which the unit they made is open.
OPENING = ("add", "duplicate")

#: What of a list's page can be asked for by itself; else the shelf.
PARTS = {"book": BOOK, "list": PANEL, "lines": LINES}

#: Acts after which other books may stand open: their filters are drawn anew.
BOOK_ACTS = ("add-book", "remove-book", "undo", "redo")


@never_cache
@require_safe
def builder(request: HtmxRequest, list_id: UUID) -> HttpResponse:
    """The page of a list; by htmx only its shelf, searched anew, or the whole book."""
    page = _page(request, current_version(request, list_id))
    context = _context(request, page, said=request.session.pop("said", ""))
    part = PARTS.get(request.GET.get("part", ""), SHELF)
    asked = wants_part(request)
    if part is LINES and asked:
        part = FURTHER[page.system.sized]
        context["heading"] = next((one for one in page.headings if one.lines), None)
    response = render_for_htmx(request, part if asked else PAGE, context)
    if part is PANEL and asked:
        replace_url(response, context["here_url"])
    return response


def _page(
    request: HttpRequest, version: Version, opened: str | None = None, touched: str = ""
) -> BuilderPage:
    """Return the page of a list, with the unit open that the address names, or another; of a long
    one the stretch that it names, or the one with the unit that was `touched`.
    """
    asked = request.GET.get("open", "") if opened is None else opened
    page = BuilderPage(version, shipped_library(), touched=touched)
    page.opened = asked if page.system.sized and asked in page.names else ""
    page.asked = whole_number(request.GET.get("from", ""), 5)
    return page


def _context(request: HttpRequest, page: BuilderPage, **more: Any) -> dict[str, Any]:
    wanted = read_wanted(request.GET.dict(), page.catalogue)
    list_id = page.version.army_list_id
    builder_url = reverse("builder", args=[list_id])
    page.stretch_url = with_query(builder_url, f"{wanted.query}&from=".lstrip("&"))
    query = _query(wanted, "", page.start)
    act_url = with_query(reverse("act", args=[list_id]), _query(wanted, page.opened, page.start))
    page.open_url = with_query(builder_url, f"{query}&open=".lstrip("&"))
    page.closed_url = with_query(builder_url, query)
    token = hidden_field("csrfmiddlewaretoken", get_token(request))
    # What every form and button of the page repeats is written out once, here.
    # The shelf is lazy: it is worked out only where the template shows it. With a long list the
    # page comes before it.
    return {
        "page": page,
        "act_form": attributes(method="post", action=act_url),
        "asks": attributes(hx_post=act_url),
        "form_token": token,
        "form_keys": join([token, hidden_field("version", page.version.pk)]),
        "here_url": with_query(builder_url, _query(wanted, page.opened, page.start)),
        "wanted": wanted,
        "shelf": SimpleLazyObject(
            lambda: make_shelf(page.roster, page.catalogue, wanted, page.report)
        ),
        "shelf_follows": len(page.order) > WHOLE
        and request.method == "GET"
        and not {"part", "shelf"} & request.GET.keys()
        and not wanted.filtering,
        "sorts": SORTS.items(),
        "tabs": SimpleLazyObject(lambda: open_tabs(request, page)),
        "said": "",
        "said_of": "",
        "refused": "",
        "typed": "",
        "conflict": (),
        **more,
    }


def _query(wanted: ShelfQuery, opened: str, start: int) -> str:
    """Return what the player looks for, where a long list is shown from and the unit that is open,
    as a query string.
    """
    shown = {"from": str(start) if start else "", "open": opened}
    more = urlencode({key: value for key, value in shown.items() if value})
    return "&".join(filter(None, (wanted.query, more)))


@require_POST
def act(request: HtmxRequest, list_id: UUID) -> HttpResponse:
    """Do what a button asks, store it, and show the list as it is then."""
    fields = fields_of(request.POST)
    try:
        version, said, entry = perform(request, list_id, fields)
    except Refusal as refusal:
        current = current_version(request, list_id)
        typed = fields.get("notes") or fields.get("name") or ""
        return _show(request, current, status=422, refused=refusal.sentence, typed=typed)
    except services.Conflict:
        current = current_version(request, list_id)
        return _show(request, current, status=409, conflict=_again(fields))
    # A new unit is open; else what was open before.
    opened = entry if fields["act"] in OPENING else request.GET.get("open", "")
    if not request.htmx:
        place = _place(version, fields, entry)
        start = _page(request, version, opened, entry).start
        return back_to_list(request, list_id, said, place, opened, start)
    event = "book-changed" if fields["act"] in BOOK_ACTS else "list-changed"
    return _show(request, version, opened=opened, said=said, said_of=entry, event=event)


def _place(version: Version, fields: dict[str, str], entry: str) -> str:
    """Return where a page without script goes on: where the player was, or at the open unit."""
    if fields["act"] == "add":
        system = shipped_library().system(version.document.system)
        return entry if system.sized else f"add-{fields.get('ref')}"
    return "settings" if fields["act"] == "setting" else entry


def perform(
    request: HttpRequest, list_id: UUID, fields: dict[str, str]
) -> tuple[Version, str, str]:
    """Do an act; the version after it, what to say, and the entry to show."""
    seen = whole_number(fields.get("version", ""), 18)
    holder, act = holder_of(request), decode(fields)
    saved = services.perform(holder, list_id, seen, act, shipped_library())
    said = saved.said
    if saved.merged:
        said = _("{said} The list had changed elsewhere; both changes are kept.").format(said=said)
    return saved.version, said, saved.entry


def _again(fields: dict[str, str]) -> list[tuple[str, str]]:
    """Return the fields of an act that can be asked for once more, for the newer list."""
    known = ("csrfmiddlewaretoken", "version")
    return [(key, value) for key, value in fields.items() if key not in known]


def _show(
    request: HtmxRequest,
    version: Version,
    status: int = 200,
    event: str = "list-changed",
    opened: str | None = None,
    **more: Any,
) -> HttpResponse:
    page = _page(request, version, opened, more.get("said_of", ""))
    context = _context(request, page, **more)
    response = render_for_htmx(request, PANEL if request.htmx else PAGE, context, status)
    if page.opened != request.GET.get("open", ""):
        replace_url(response, context["here_url"])
    return trigger_client_event(response, event, after="swap")
