"""The lists that were opened last in this browser, as tabs above the one that is shown."""

from dataclasses import dataclass
from uuid import UUID

from django.http import HttpRequest

from armybuilder.accounts.holders import holder_of
from armybuilder.engine import Report
from armybuilder.lists.models import Version
from armybuilder.lists.selectors import current_versions
from armybuilder.loading.documents import judge
from armybuilder.loading.library import Library, shipped_library
from armybuilder.loading.problems import Refusal
from armybuilder.pages.builder.page import BuilderPage

#: Most tabs; one more list closes the one that was opened longest ago.
MOST_TABS = 6
_KEY = "tabs"


@dataclass(frozen=True, slots=True)
class Tab:
    """An open list; `report` is None for the one shown and for one that cannot be judged."""

    id: UUID
    name: str
    current: bool
    report: Report | None


def open_tabs(request: HttpRequest, page: BuilderPage) -> list[Tab]:
    """Return the tabs with the shown list, which counts as open now; none where it is alone. One
    query where others are open.
    """
    here = page.version.army_list_id
    opened = _remember(request, here)
    others = [one for one in opened if one != here]
    if not others:
        return []
    library = shipped_library()
    versions = current_versions(holder_of(request)).filter(army_list_id__in=others)
    found = {version.army_list_id: _tab(version, library) for version in versions}
    found[here] = Tab(here, page.document.name, True, None)
    return [found[one] for one in opened if one in found] if len(found) > 1 else []


def close_tab(request: HttpRequest, list_id: UUID) -> UUID | None:
    """Close the tab of a list; the list whose tab stood beside it, None where there is none."""
    opened = opened_lists(request)
    if list_id not in opened:
        return opened[-1] if opened else None
    place = opened.index(list_id)
    opened.remove(list_id)
    request.session[_KEY] = [str(one) for one in opened]
    return opened[min(place, len(opened) - 1)] if opened else None


def opened_lists(request: HttpRequest) -> list[UUID]:
    """Return the lists that have a tab, in the order of the tabs."""
    return [UUID(text) for text in request.session.get(_KEY, ())]


def _remember(request: HttpRequest, list_id: UUID) -> list[UUID]:
    """Return the open lists with this one; write the session only where it is new."""
    opened = opened_lists(request)
    if list_id not in opened:
        opened = [*opened, list_id][-MOST_TABS:]
        request.session[_KEY] = [str(one) for one in opened]
    return opened


def _tab(version: Version, library: Library) -> Tab:
    try:
        report = judge(version.document, library).report
    except Refusal:
        report = None
    return Tab(version.army_list_id, version.document.name, False, report)
