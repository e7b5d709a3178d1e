"""The builder: one page per list, and the acts of its buttons; htmx gets what changed.

The menu of a list also leads to the lists that were changed last.
"""

import re
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
from armybuilder.acts.about import Undo
from armybuilder.acts.base import decode, fields_of
from armybuilder.lists import services
from armybuilder.lists.models import Version
from armybuilder.lists.selectors import current_version, former_document, recent_lists
from armybuilder.loading.library import shipped_library
from armybuilder.loading.problems import Refusal
from armybuilder.pages.answers import (
    back_to_list,
    render_for_htmx,
    wants_part,
    whole_number,
    with_query,
)
from armybuilder.pages.builder.page import VIEWS, BuilderPage, act_attributes
from armybuilder.pages.builder.panes import browser_parts
from armybuilder.pages.builder.pieces import WHOLE
from armybuilder.pages.builder.shelf import (
    NOTHING_OWNED,
    Shelf,
    ShelfQuery,
    make_shelf,
    mark_dead,
    read_wanted,
    sorts_of,
)
from armybuilder.pages.builder.ways import outlook_of
from armybuilder.requests import HtmxRequest

PAGE = "builder/builder.html"
PANEL = "builder/builder.html#panel"
#: Further units of a long list.
LINES = "builder/_army.html#lines"
#: What of a list's page can be asked for by itself; else the shelf.
PARTS = {
    "book": "builder/builder.html#book",
    "list": PANEL,
    "lines": LINES,
    "preview": "builder/_unit.html",
}

#: What a page with script says of itself: the unit that is open, and where a long list begins.
NOW = {"open": "now-open", "from": "now-at"}
#: The name that a browser gives an act, and that it sent the act before, perhaps (see unsent.js).
ACT_KEY, RESENT = "X-Act", "X-Resent"
_KEY = re.compile(r"[0-9a-f]{16,32}")
#: Acts after which the unit they made is open.
OPENING = ("add", "duplicate", "own-new")
#: Acts after which other books may stand open, where it is not known what the list was before.
BOOK_ACTS = ("add-book", "remove-book", "undo", "redo")
#: So many other lists are in the menu, the latest changed first.
MOST_RECENT = 5
#: Acts whose outcome stands where they were pressed: a note about it would only cover something.
QUIET = (
    *("option", "option-number", "no-option", "put-on", "take-options", "switch-options"),
    *(
        "more",
        "fewer",
        "step",
        "most",
        "models",
        "up",
        "down",
        "role",
        "describe",
        "card",
        "setting",
    ),
)


def builder_page(request: HtmxRequest, version: Version) -> HttpResponse:
    """Show the page of a list; by htmx only its shelf, searched anew, or the whole book."""
    page = _page(request, version)
    said = request.session.pop("said", "")
    if said and page.version.former is None:
        page.version.former = former_document(page.version)
    context = _context(request, page, said=said, undone=request.session.pop("undone", False))
    if not wants_part(request):
        return render_for_htmx(request, PAGE, context)
    part = PARTS.get(request.GET.get("part", ""), "builder/builder.html#shelf")
    if part is LINES:
        context["heading"] = next((one for one in page.headings if one["rows"]), None)
    response = _answer(request, part, context)
    if part is PANEL:
        response["X-Address"] = context["here_url"]
    return response


def _answer(
    request: HttpRequest, template: str, context: dict[str, Any], status: int = 200
) -> HttpResponse:
    """Render a part of a list's page, and say of which version it is: answers overtake another."""
    response = render_for_htmx(request, template, context, status)
    response["X-Version"] = context["page"].version.pk
    return response


def _page(
    request: HttpRequest, version: Version, opened: str | None = None, touched: str = ""
) -> BuilderPage:
    """Return the page of a list with a unit open, at the stretch of the address or of `touched`."""
    page = BuilderPage(version, shipped_library(), touched=touched)
    opened = _now(request, "open") if opened is None else opened
    page.opened = opened if opened in page.names else ""
    page.view = _asked_view(request) or ("unit" if page.opened else "army")
    page.asked = whole_number(_now(request, "from"), 5)
    page.peeked = request.GET.get("preview", "")
    page.announced = request.POST.get("now-news") or request.GET.get("now-news", "")
    return page


def _context(request: HtmxRequest, page: BuilderPage, **more: Any) -> dict[str, Any]:
    wanted = read_wanted(request.GET.dict(), page.catalogue)
    list_id = page.version.army_list_id
    builder_url = reverse("builder", args=[list_id])
    page.stretch_url = with_query(builder_url, f"{wanted.query}&from=".lstrip("&"))
    page.open_url = with_query(builder_url, f"{_query(wanted, page.start)}&open=".lstrip("&"))
    here = _query(wanted, page.start, page.opened, _asked_view(request))
    views = f"{_query(wanted, page.start, page.opened)}&view=".lstrip("&")
    opens = request.GET.get("part") == "list" and request.method == "GET"
    unchanged = opens and request.GET.get("now-version") == str(page.version.pk)
    browser = browser_parts(request, wants_part(request), unchanged)
    page.parts_known = browser.known
    # The shelf is lazy: it is worked out only where the template shows it. With a long list the
    # page comes before it.
    return {
        "page": page,
        **act_attributes(request, page.version, with_query(reverse("act", args=[list_id]), here)),
        "browser": browser,
        "here_url": with_query(builder_url, here),
        "view_url": with_query(builder_url, views),
        "wanted": wanted,
        "shelf": SimpleLazyObject(lambda: _shelf(request, page, wanted)),
        "shelf_follows": len(page.order) > WHOLE
        and request.method == "GET"
        and not {"part", "shelf"} & request.GET.keys()
        and not wanted.filtering,
        "sorts": SimpleLazyObject(lambda: sorts_of(page.catalogue)),
        "menu_key": (
            page.document.name,
            page.document.limit,
            [book.name for book in page.catalogue.books],
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


def _shelf(request: HttpRequest, page: BuilderPage, wanted: ShelfQuery) -> Shelf:
    """Return the shelf; units that lead nowhere are marked where the address asks for that."""
    owned = page.owned if wanted.owned else NOTHING_OWNED
    shelf = make_shelf(page.roster, page.catalogue, wanted, page.report, owned)
    if "ahead" not in request.GET:
        return shelf
    return mark_dead(shelf, {ref for ref, _name in outlook_of(page).get("dead", ())})


def _now(request: HttpRequest, field: str) -> str:
    """Return what the page says of itself: with script in its fields, else in the address."""
    return request.POST.get(NOW[field]) or request.GET.get(field, "")


def _asked_view(request: HttpRequest) -> str:
    view = request.GET.get("view", "")
    return view if view in VIEWS else ""


def _query(wanted: ShelfQuery, start: int, opened: str = "", view: str = "") -> str:
    shown = {"from": str(start) if start else "", "open": opened, "view": view}
    more = urlencode({key: value for key, value in shown.items() if value})
    return "&".join(filter(None, (wanted.query, more)))


@require_POST
def act(request: HtmxRequest, list_id: UUID) -> HttpResponse:
    """Apply a button's act, store the result, and show the list."""
    fields = fields_of(request.POST)
    try:
        version, sentence, entry = perform(request, list_id, fields)
    except Refusal as refusal:
        current = current_version(request, list_id)
        typed = fields.get("notes") or fields.get("name") or ""
        return _show(request, current, status=422, refused=refusal.sentence, typed=typed)
    except services.Conflict:
        current = current_version(request, list_id)
        # What can be asked for once more, for the newer list.
        known = ("csrfmiddlewaretoken", "version")
        again = [(key, value) for key, value in fields.items() if key not in known]
        return _show(request, current, status=409, conflict=again)
    # A new unit is open; else what was open before.
    opened = entry if fields["act"] in OPENING else _now(request, "open")
    undone = fields["act"] == Undo.name
    if not request.htmx:
        if undone:
            request.session["undone"] = True
        start = _page(request, version, opened, entry).start
        # A page without script goes on where the player was, or at the open unit; who adds a unit
        # may add another.
        place, view = entry, ""
        if fields["act"] == "add":
            place, view = f"add-{fields.get('ref')}", "units"
        elif fields["act"] == "setting":
            place = "settings"
        return back_to_list(request, list_id, sentence, place, opened, start, view)
    event = _event(version, fields["act"])
    # What was kept of others' changes is told of all.
    quiet = fields["act"] in QUIET and sentence == version.act
    told: dict[str, Any] = {"said": sentence, "said_of": entry, "undone": undone, "quiet": quiet}
    return _show(request, version, opened=opened, event=event, **told)


def _event(version: Version, act: str) -> str:
    """Return what the page hears of an act: whether it may have changed which units there are."""
    before, now = version.former, version.document
    if before is None:
        return "book-changed" if act in BOOK_ACTS else "list-changed"
    same = (before.system, before.books) == (now.system, now.books)
    return "list-changed" if same else "book-changed"


def perform(
    request: HttpRequest, list_id: UUID, fields: dict[str, str]
) -> tuple[Version, str, str]:
    """Do an act; return the version after it, what to say, and the entry to show."""
    seen = whole_number(fields.get("version", ""), 18)
    holder, act = holder_of(request), decode(fields)
    saved = services.perform(holder, list_id, seen, act, shipped_library(), sent_as(request))
    said = saved.said
    if saved.merged:
        said = _("{said} The list had been changed elsewhere; both changes are kept.").format(
            said=said
        )
    return saved.version, said, saved.entry


def sent_as(request: HttpRequest) -> services.Sent:
    """Return how a browser sent an act, from the request's headers."""
    key = request.headers.get(ACT_KEY, "")
    return services.Sent(key if _KEY.fullmatch(key) else "", RESENT in request.headers)


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
    response = _answer(request, PANEL if request.htmx else PAGE, context, status)
    if page.opened != _now(request, "open"):
        response["X-Address"] = context["here_url"]
    return trigger_client_event(response, event, after="swap")
