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
from django_htmx.http import trigger_client_event

from armybuilder.accounts.holders import holder_of
from armybuilder.acts.about import Undo
from armybuilder.acts.decoding import decode, fields_of
from armybuilder.html import attributes, hidden_field, join
from armybuilder.lists import services
from armybuilder.lists.models import Version
from armybuilder.lists.selectors import current_version, former_document
from armybuilder.loading.library import shipped_library
from armybuilder.loading.problems import Refusal
from armybuilder.pages.answers import (
    back_to_list,
    render_for_htmx,
    wants_part,
    whole_number,
    with_query,
)
from armybuilder.pages.builder.page import VIEWS, BuilderPage
from armybuilder.pages.builder.parts import panes_stale, panes_unseen, parts_known
from armybuilder.pages.builder.shelf.shelf import (
    SORTS,
    Shelf,
    ShelfQuery,
    make_shelf,
    mark_dead,
    read_wanted,
)
from armybuilder.pages.builder.stretches import WHOLE
from armybuilder.pages.builder.tabs import open_tabs
from armybuilder.pages.builder.views.outlook import outlook_of
from armybuilder.requests import HtmxRequest

PAGE = "builder/builder.html"
PANEL = "builder/builder.html#panel"
SHELF = "builder/builder.html#shelf"
BOOK = "builder/builder.html#book"
#: Further units of a long list.
LINES = "builder/_army.html#lines"

#: What a page with script says of itself: the unit that is open, and where a long list begins.
NOW = {"open": "now-open", "from": "now-at"}
#: What it says is announced.
ANNOUNCED = "now-news"
#: Parts that say the same whichever unit is open: not drawn where the list has not changed.
OF_THE_LIST = ("verdict", "game", "news")
#: Says that an act was asked for before and had no answer (see unsent.js).
AGAIN = "X-Again"
#: Acts after which the unit they made is open.
OPENING = ("add", "duplicate")

#: What of a list's page can be asked for by itself; else the shelf.
PARTS = {"book": BOOK, "list": PANEL, "lines": LINES}

#: Acts after which other books may stand open, where it is not known what the list was before.
BOOK_ACTS = ("add-book", "remove-book", "undo", "redo")


@never_cache
@require_safe
def builder(request: HtmxRequest, list_id: UUID) -> HttpResponse:
    """The page of a list; by htmx only its shelf, searched anew, or the whole book."""
    page = _page(request, current_version(request, list_id))
    said = request.session.pop("said", "")
    if said and page.version.former is None:
        page.version.former = former_document(page.version)
    context = _context(request, page, said=said, undone=request.session.pop("undone", False))
    part = PARTS.get(request.GET.get("part", ""), SHELF)
    asked = wants_part(request)
    if part is PANEL and request.GET.get("now-version") == str(page.version.pk):
        context["unchanged"] = OF_THE_LIST
    if part is LINES and asked:
        context["heading"] = next((one for one in page.headings if one.rows), None)
    response = render_for_htmx(request, part if asked else PAGE, context)
    if part is PANEL and asked:
        response["X-Address"] = context["here_url"]
    return response


def _page(
    request: HttpRequest, version: Version, opened: str | None = None, touched: str = ""
) -> BuilderPage:
    """Return the page of a list, with the unit open that the address names, or another; of a long
    one the stretch that it names, or the one with the unit that was `touched`.
    """
    asked = _told(request, "open") if opened is None else opened
    page = BuilderPage(version, shipped_library(), touched=touched)
    page.opened = asked if asked in page.names else ""
    page.view = _asked_view(request) or ("unit" if page.opened else "army")
    page.parts_known = parts_known(request.headers.get("X-Parts", ""))
    page.asked = whole_number(_told(request, "from"), 5)
    page.announced = request.POST.get(ANNOUNCED) or request.GET.get(ANNOUNCED, "")
    return page


def act_attributes(request: HttpRequest, version: Version, act_url: str) -> dict[str, Any]:
    """Return what every form and button that acts on a list repeats, written out once."""
    token = hidden_field("csrfmiddlewaretoken", get_token(request))
    return {
        "act_form": attributes(method="post", action=act_url),
        "asks": attributes(hx_post=reverse("act", args=[version.army_list_id])),
        "form_token": token,
        "form_keys": join([token, hidden_field("version", version.pk)]),
    }


def _context(request: HtmxRequest, page: BuilderPage, **more: Any) -> dict[str, Any]:
    wanted = read_wanted(request.GET.dict(), page.catalogue)
    list_id = page.version.army_list_id
    builder_url = reverse("builder", args=[list_id])
    page.stretch_url = with_query(builder_url, f"{wanted.query}&from=".lstrip("&"))
    query = _query(wanted, "", page.start)
    here = _query(wanted, page.opened, page.start, _asked_view(request))
    act_url = with_query(reverse("act", args=[list_id]), here)
    page.open_url = with_query(builder_url, f"{query}&open=".lstrip("&"))
    # What a browser says of its panes holds where it asks for a part of the page.
    told = request.headers if wants_part(request) else {}
    # The shelf is lazy: it is worked out only where the template shows it. With a long list the
    # page comes before it.
    return {
        "page": page,
        **act_attributes(request, page.version, act_url),
        "parts_known": page.parts_known,
        "unseen": panes_unseen(told.get("X-Shown")),
        "stale": panes_stale(told.get("X-Stale", "")),
        "here_url": with_query(builder_url, here),
        "view_url": with_query(
            builder_url, f"{_query(wanted, page.opened, page.start)}&view=".lstrip("&")
        ),
        "wanted": wanted,
        "shelf": SimpleLazyObject(lambda: _shelf(request, page, wanted)),
        "shelf_follows": len(page.order) > WHOLE
        and request.method == "GET"
        and not {"part", "shelf"} & request.GET.keys()
        and not wanted.filtering,
        "sorts": SORTS.items(),
        "menu_key": (
            page.document.name,
            [book.name for book in page.catalogue.books],
            "user_name" in request.session,
        ),
        "tabs": SimpleLazyObject(lambda: open_tabs(request, page)),
        "said": "",
        "said_of": "",
        "undone": False,
        "refused": "",
        "typed": "",
        "conflict": (),
        **more,
    }


def _shelf(request: HttpRequest, page: BuilderPage, wanted: ShelfQuery) -> Shelf:
    """Return the shelf; units that lead nowhere are marked where the address asks for that."""
    shelf = make_shelf(page.roster, page.catalogue, wanted, page.report)
    if "ahead" not in request.GET:
        return shelf
    return mark_dead(shelf, {ref for ref, _name in outlook_of(page).dead})


def _told(request: HttpRequest, field: str) -> str:
    """Return what the page says of itself: with script in its fields, else in the address."""
    return request.POST.get(NOW[field]) or request.GET.get(field, "")


def _asked_view(request: HttpRequest) -> str:
    """Return the pane that the address names; "" for none."""
    view = request.GET.get("view", "")
    return view if view in VIEWS else ""


def _query(wanted: ShelfQuery, opened: str, start: int, view: str = "") -> str:
    """Return what the player looks for, where a long list is shown from, the unit that is open and
    the pane, as a query string.
    """
    shown = {"from": str(start) if start else "", "open": opened, "view": view}
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
    opened = entry if fields["act"] in OPENING else _told(request, "open")
    undone = fields["act"] == Undo.name
    if not request.htmx:
        if undone:
            request.session["undone"] = True
        start = _page(request, version, opened, entry).start
        return back_to_list(
            request, list_id, said, _place(version, fields, entry), opened, start, _view(fields)
        )
    event = "book-changed" if _has_other_books(version, fields["act"]) else "list-changed"
    return _show(
        request, version, opened=opened, said=said, said_of=entry, undone=undone, event=event
    )


def _has_other_books(version: Version, act: str) -> bool:
    """Return whether the act may have changed which units there are: all of the shelf is new."""
    before, now = version.former, version.document
    if before is None:
        return act in BOOK_ACTS
    return (before.system, before.books) != (now.system, now.books)


def _place(version: Version, fields: dict[str, str], entry: str) -> str:
    """Return where a page without script goes on: where the player was, or at the open unit."""
    if fields["act"] == "add":
        return f"add-{fields.get('ref')}"
    return "settings" if fields["act"] == "setting" else entry


def _view(fields: dict[str, str]) -> str:
    """Return the pane that such a page shows: who adds a unit may add another; "": as it was."""
    return "units" if fields["act"] == "add" else ""


def perform(
    request: HttpRequest, list_id: UUID, fields: dict[str, str]
) -> tuple[Version, str, str]:
    """Do an act; the version after it, what to say, and the entry to show."""
    seen = whole_number(fields.get("version", ""), 18)
    holder, act = holder_of(request), decode(fields)
    if AGAIN in request.headers:
        done = services.done_before(holder, list_id, seen, act, shipped_library())
        if done is not None:
            return done, done.act, ""
    saved = services.perform(holder, list_id, seen, act, shipped_library())
    said = saved.said
    if saved.merged:
        said = _("{said} The list had been changed elsewhere; both changes are kept.").format(
            said=said
        )
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
    if page.opened != _told(request, "open"):
        response["X-Address"] = context["here_url"]
    return trigger_client_event(response, event, after="swap")
