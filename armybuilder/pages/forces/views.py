"""The builder of a list of a community's files: its page, and the acts of its buttons."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.utils.functional import SimpleLazyObject
from django.views.decorators.http import require_POST

from armybuilder.accounts.holders import holder_of
from armybuilder.acts.about import HistoryAct
from armybuilder.acts.base import act_kinds
from armybuilder.acts.forces import decode_force_act
from armybuilder.lists import forces
from armybuilder.lists.models import Version
from armybuilder.lists.selectors import current_version
from armybuilder.lists.services import Saved
from armybuilder.loading.forcelist import ForceList
from armybuilder.pages.answers import fresh
from armybuilder.pages.builder.views import CARD_BUILDER, QUIET, Builder, sent_as
from armybuilder.pages.forces.page import ForcesPage
from armybuilder.pages.forces.shelf import make_shelf
from armybuilder.requests import HtmxRequest

#: Letters of a search.
MAX_TEXT = 80


@fresh
def builder(request: HtmxRequest, list_id: UUID) -> HttpResponse:
    """Show the page of a list: of our books, or of a community's files."""
    version = current_version(request, list_id)
    if isinstance(version.content, ForceList):
        return FORCE_BUILDER.show(request, version)
    return CARD_BUILDER.show(request, version)


class ForceBuilder(Builder[ForcesPage]):
    """The builder of lists of a community's files."""

    folder = "forces/"
    act_url = "force-act"
    quiet = ("take", "leave", "count", "none", *QUIET)

    def make_page(self, request: HttpRequest, version: Version, touched: str) -> ForcesPage:
        return ForcesPage(version, catalogue=request.GET.get("catalogue", ""))

    def shelf(self, request: HttpRequest, page: ForcesPage) -> tuple[str, dict[str, Any]]:
        text = request.GET.get("q", "").strip()[:MAX_TEXT]
        force = _force_of(request, page)
        wanted = {"q": text, "force": request.GET.get("force", "") and force}
        return urlencode({key: value for key, value in wanted.items() if value}), {
            "text": text,
            "force_id": force,
            "force_asked": wanted["force"],
            "shelf": SimpleLazyObject(lambda: make_shelf(page, force, text)),
            "menu_key": (
                page.document.name,
                [(one.id, one.limit) for one in page.one.costs],
                "user_name" in request.session,
            ),
        }

    def save(self, request: HttpRequest, list_id: UUID, seen: int, fields: dict[str, str]) -> Saved:
        holder, kind = holder_of(request), act_kinds().get(fields["act"])
        if kind is not None and issubclass(kind, HistoryAct):
            return forces.step_forces(holder, list_id, seen, kind.read(fields))
        act = decode_force_act(fields)
        return forces.perform_forces(holder, list_id, seen, act, sent_as(request))

    def event(self, version: Version, act: str) -> str:
        return "book-changed" if "force" in act else "list-changed"

    def place(self, page: ForcesPage, fields: dict[str, str], entry: str) -> dict[str, Any]:
        place = entry or fields.get("place", "")
        if fields["act"] == "add":
            return {"entry": "shelf", "view": "units"}
        if fields["act"] in self.quiet and page.opened:
            return {"entry": place or f"models-{fields.get('unit', '')}", "view": "unit"}
        return {"entry": place}


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


FORCE_BUILDER = ForceBuilder()
act = require_POST(FORCE_BUILDER.act)
