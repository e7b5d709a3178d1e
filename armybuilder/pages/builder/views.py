"""The builder: one page per list, and the acts of its buttons; htmx gets what changed.

The menu of a list also leads to the lists that were changed last.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Collection
from typing import Any, ClassVar, Generic, TypeVar
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
from armybuilder.pages.builder.list_page import VIEWS, ListPage, act_attributes
from armybuilder.pages.builder.page import BuilderPage
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
PANEL = f"{PAGE}#panel"
#: A page's own state, sent by script: the open unit, and where a long list begins.
NOW = {"open": "now-open", "from": "now-at"}
#: The name that a browser gives an act, and that it sent the act before, perhaps (see unsent.js).
ACT_KEY, RESENT = "X-Act", "X-Resent"
_KEY = re.compile(r"[0-9a-f]{16,32}")
#: Acts after which other books may be open, if the former list is unknown.
BOOK_ACTS = ("add-book", "remove-book", "undo", "redo")
#: So many other lists are in the menu, the latest changed first.
MOST_RECENT = 5
#: Acts whose outcome is seen at their button: a note would only cover something.
QUIET = (
    *("option", "option-number", "no-option", "put-on", "take-options", "switch-options"),
    *("more", "fewer", "step", "most", "models", "up", "down", "role", "describe", "card"),
    "setting",
)

P = TypeVar("P", bound=ListPage)


class Builder(ABC, Generic[P]):
    """The builder of one kind of lists: its page, and the acts of its buttons."""

    #: The folder of its templates, and the name of the URL that takes its acts.
    folder: ClassVar[str]
    act_url: ClassVar[str]
    #: What of a list's page can be asked for by itself; else the shelf.
    parts: ClassVar[dict[str, str]] = {
        "book": f"{PAGE}#book",
        "list": PANEL,
        "preview": "builder/_unit.html",
    }
    #: Acts that open their result, and acts that leave no note.
    opening: ClassVar[Collection[str]] = ("add", "duplicate")
    quiet: ClassVar[Collection[str]] = QUIET

    @abstractmethod
    def make_page(self, request: HttpRequest, version: Version, touched: str) -> P:
        """Return the page of a list, by the parts of the request that only this kind has."""

    @abstractmethod
    def shelf(self, request: HttpRequest, page: P) -> tuple[str, dict[str, Any]]:
        """Return the shelf's filters as a query, and what templates show of the shelf."""

    @abstractmethod
    def save(
        self, request: HttpRequest, list_id: UUID, seen: int, fields: dict[str, str]
    ) -> services.Saved:
        """Do an act and store the result. Raises Refusal, Conflict, Http404."""

    @abstractmethod
    def event(self, version: Version, act: str) -> str:
        """Return an act's event for the page: whether units may have come or gone."""

    @abstractmethod
    def place(self, page: P, fields: dict[str, str], entry: str) -> dict[str, Any]:
        """Return where a page without script goes on after an act; see `back_to_list`."""

    def show(self, request: HtmxRequest, version: Version) -> HttpResponse:
        """Show the page of a list; by htmx only its shelf, searched anew, or the whole book."""
        page = self._page(request, version)
        said, undone = request.session.pop("said", ""), request.session.pop("undone", False)
        context = self._context(request, page, said=said, undone=undone)
        if not wants_part(request):
            return render_for_htmx(request, PAGE, context)
        part = self.parts.get(request.GET.get("part", ""), f"{PAGE}#shelf")
        response = self._answer(request, part, context)
        if part == PANEL:
            response["X-Address"] = context["here_url"]
        return response

    def act(self, request: HtmxRequest, list_id: UUID) -> HttpResponse:
        """Apply a button's act, store the result, and show the list."""
        fields = fields_of(request.POST)
        try:
            version, sentence, entry = self.perform(request, list_id, fields)
        except Refusal as refusal:
            current = current_version(request, list_id)
            typed = fields.get("notes") or fields.get("name") or ""
            return self._show(request, current, status=422, refused=refusal.sentence, typed=typed)
        except services.Conflict:
            current = current_version(request, list_id)
            # Acts that can be repeated on the newer list.
            known = ("csrfmiddlewaretoken", "version")
            again = [(key, value) for key, value in fields.items() if key not in known]
            return self._show(request, current, status=409, conflict=again)
        # Open a new unit; else keep the open one.
        act = fields["act"]
        opened = entry if act in self.opening else now(request, "open")
        undone = act == Undo.name
        if not request.htmx:
            if undone:
                request.session["undone"] = True
            page = self._page(request, version, opened, entry)
            place = self.place(page, fields, entry)
            return back_to_list(request, list_id, sentence, opened=opened, **place)
        # Changes of others that were kept are reported for all acts.
        quiet = act in self.quiet and sentence == version.act
        told: dict[str, Any] = {"said": sentence, "said_of": entry, "undone": undone}
        event = self.event(version, act)
        return self._show(request, version, opened=opened, event=event, quiet=quiet, **told)

    def perform(
        self, request: HttpRequest, list_id: UUID, fields: dict[str, str]
    ) -> tuple[Version, str, str]:
        """Do an act; return the version after it, what to say, and the entry to show."""
        seen = whole_number(fields.get("version", ""), 18)
        saved = self.save(request, list_id, seen, fields)
        said = saved.said
        if saved.merged:
            said = _("{said} The list had been changed elsewhere; both changes are kept.").format(
                said=said
            )
        return saved.version, said, saved.entry

    def _show(
        self,
        request: HtmxRequest,
        version: Version,
        status: int = 200,
        event: str = "list-changed",
        opened: str | None = None,
        **more: Any,
    ) -> HttpResponse:
        page = self._page(request, version, opened, more.get("said_of", ""))
        context = self._context(request, page, **more)
        template = PANEL if request.htmx else PAGE
        response = self._answer(request, template, context, status)
        if page.opened != now(request, "open"):
            response["X-Address"] = context["here_url"]
        return trigger_client_event(response, event, after="swap")

    def _answer(
        self, request: HttpRequest, template: str, context: dict[str, Any], status: int = 200
    ) -> HttpResponse:
        """Render a part of the page, and say of which version it is: answers overtake another."""
        response = render_for_htmx(request, template, context, status)
        response["X-Version"] = context["page"].version.pk
        return response

    def _page(
        self, request: HttpRequest, version: Version, opened: str | None = None, touched: str = ""
    ) -> P:
        """Return the page of a list with a unit open, at the stretch asked for or `touched`."""
        page = self.make_page(request, version, touched)
        opened = now(request, "open") if opened is None else opened
        page.opened = opened if opened in page.order else ""
        page.view = _asked_view(request) or ("unit" if page.opened else "army")
        page.peeked = request.GET.get("preview", "")
        return page

    def _context(self, request: HtmxRequest, page: P, **more: Any) -> dict[str, Any]:
        list_id = page.version.army_list_id
        builder_url = reverse("builder", args=[list_id])
        wanted, shelf = self.shelf(request, page)
        page.open_url = with_query(builder_url, f"{_query(wanted, page.start)}&open=".lstrip("&"))
        here = _query(wanted, page.start, page.opened, _asked_view(request))
        views = f"{_query(wanted, page.start, page.opened)}&view=".lstrip("&")
        opens = request.GET.get("part") == "list" and request.method == "GET"
        unchanged = opens and request.GET.get("now-version") == str(page.version.pk)
        browser = browser_parts(request, wants_part(request), unchanged)
        page.parts_known = browser.known
        drawn = act_attributes(request, page.version, self.act_url, here)
        page.asks = drawn["asks"]
        holder = holder_of(request)
        return {
            "page": page,
            **drawn,
            "parts_in": self.folder,
            "browser": browser,
            "here_url": with_query(builder_url, here),
            "view_url": with_query(builder_url, views),
            **shelf,
            "recent": SimpleLazyObject(lambda: recent_lists(holder, list_id, MOST_RECENT)),
            "said": "",
            "said_of": "",
            "undone": False,
            "quiet": False,
            "refused": "",
            "typed": "",
            "conflict": (),
            **more,
        }


def now(request: HttpRequest, field: str) -> str:
    """Return a field of the page's state: with script from its form, else from the address."""
    return request.POST.get(NOW[field]) or request.GET.get(field, "")


def _asked_view(request: HttpRequest) -> str:
    view = request.GET.get("view", "")
    return view if view in VIEWS else ""


def _query(wanted: str, start: int, opened: str = "", view: str = "") -> str:
    shown = {"from": str(start) if start else "", "open": opened, "view": view}
    more = urlencode({key: value for key, value in shown.items() if value})
    return "&".join(filter(None, (wanted, more)))


def sent_as(request: HttpRequest) -> services.Sent:
    """Return how a browser sent an act, from the request's headers."""
    key = request.headers.get(ACT_KEY, "")
    return services.Sent(key if _KEY.fullmatch(key) else "", RESENT in request.headers)


class CardBuilder(Builder[BuilderPage]):
    """The builder of lists of our own books."""

    folder = "builder/"
    act_url = "act"
    #: `lines`: further units of a long list.
    parts = {**Builder.parts, "lines": "builder/_army.html#lines"}
    opening = (*Builder.opening, "own-new")

    def make_page(self, request: HttpRequest, version: Version, touched: str) -> BuilderPage:
        if request.method == "GET" and version.former is None and "said" in request.session:
            version.former = former_document(version)
        page = BuilderPage(version, shipped_library(), touched=touched)
        page.asked = whole_number(now(request, "from"), 5)
        page.announced = request.POST.get("now-news") or request.GET.get("now-news", "")
        return page

    def shelf(self, request: HttpRequest, page: BuilderPage) -> tuple[str, dict[str, Any]]:
        wanted = read_wanted(request.GET.dict(), page.catalogue)
        builder_url = reverse("builder", args=[page.version.army_list_id])
        page.stretch_url = with_query(builder_url, f"{wanted.query}&from=".lstrip("&"))
        # The shelf is lazy: it is worked out only where the template shows it. With a long list the
        # page comes before it.
        return wanted.query, {
            "wanted": wanted,
            "shelf": SimpleLazyObject(lambda: _shelf(request, page, wanted)),
            "shelf_follows": len(page.order) > WHOLE
            and request.method == "GET"
            and not {"part", "shelf"} & request.GET.keys()
            and not wanted.filtering,
            "heading": SimpleLazyObject(
                lambda: next((one for one in page.headings if one["rows"]), None)
            ),
            "sorts": SimpleLazyObject(lambda: sorts_of(page.catalogue)),
            "menu_key": (
                page.document.name,
                page.document.limit,
                [book.name for book in page.catalogue.books],
                "user_name" in request.session,
            ),
        }

    def save(
        self, request: HttpRequest, list_id: UUID, seen: int, fields: dict[str, str]
    ) -> services.Saved:
        holder, act = holder_of(request), decode(fields)
        return services.perform(holder, list_id, seen, act, shipped_library(), sent_as(request))

    def event(self, version: Version, act: str) -> str:
        before, after = version.former, version.document
        if before is None:
            return "book-changed" if act in BOOK_ACTS else "list-changed"
        same = (before.system, before.books) == (after.system, after.books)
        return "list-changed" if same else "book-changed"

    def place(self, page: BuilderPage, fields: dict[str, str], entry: str) -> dict[str, Any]:
        # Where the player was, or at the open unit; who adds a unit may add another.
        place = {"entry": entry, "start": page.start}
        if fields["act"] == "add":
            return place | {"entry": f"add-{fields.get('ref')}", "view": "units"}
        return place | {"entry": "settings"} if fields["act"] == "setting" else place


def _shelf(request: HttpRequest, page: BuilderPage, wanted: ShelfQuery) -> Shelf:
    """Return the shelf; units that lead nowhere are marked where the address asks for that."""
    owned = page.owned if wanted.owned else NOTHING_OWNED
    shelf = make_shelf(page.roster, page.catalogue, wanted, page.report, owned)
    if "ahead" not in request.GET:
        return shelf
    return mark_dead(shelf, {ref for ref, _name in outlook_of(page).get("dead", ())})


CARD_BUILDER = CardBuilder()
act = require_POST(CARD_BUILDER.act)
