"""What is read once lists are shown, each as far as the reader may see it; and the log."""

from __future__ import annotations

import json
from io import BytesIO

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from armybuilder.downloads import file_response
from armybuilder.events import exporting
from armybuilder.events.clock import State
from armybuilder.events.log import first_broken, line_data
from armybuilder.events.seeing import Sight
from armybuilder.events.selectors import entries_of, sight_of
from armybuilder.events.shown import ShownList, hides_cost, shown_lists
from armybuilder.loading.library import shipped_library
from armybuilder.loading.problems import Refusal
from armybuilder.pages.answers import whole_number
from armybuilder.pages.events.visits import Visit, visited

EACH = 50
#: Lists that one booklet holds.
MOST_IN_BOOKLET = 300
KEY = 9


@visited
@require_safe
def lists(request: HttpRequest, visit: Visit) -> HttpResponse:
    """The lists that the visitor may see, some to a page."""
    pages = Paginator(entries_of(visit.event).exclude(submission=None), EACH)
    page = pages.get_page(_page(request))
    sights = (
        (entry, sight_of(visit.person, visit.event, entry, entry.submission, visit.now))
        for entry in page.object_list
        if entry.submission is not None
    )
    library = shipped_library()
    rows = [
        (entry, hides_cost(visit.event, sight, library))
        for entry, sight in sights
        if sight >= Sight.OPEN
    ]
    context = {**visit.context, "rows": rows, "page": page}
    return render(request, "events/lists.html", context)


def _shown(visit: Visit) -> list[ShownList]:
    """Return the lists that the visitor may see. Raises Http404 where there is none."""
    found = list(shown_lists(visit.person, visit.event, visit.now, shipped_library()))
    if not found:
        raise Http404("no list may be seen")
    return found


@visited
@require_safe
def lists_file(request: HttpRequest, visit: Visit, form: str) -> HttpResponse:
    """The lists as a file: JSON, players for pairing tools, CSV, or a zip of texts."""
    event, shown = visit.event, _shown(visit)
    if form == "csv":
        table = exporting.file_of_table(event, shown)
        return file_response(table, "text/csv; charset=utf-8", event.name, "csv")
    if form == "zip":
        stream = BytesIO()
        exporting.write_zip(stream, event, shown)
        return file_response(stream.getvalue(), "application/zip", event.name, "zip")
    make = exporting.as_players if form == "players" else exporting.as_data
    content = json.dumps(make(event, shown), indent=2, ensure_ascii=False).encode()
    return file_response(content, "application/json", event.name, "json")


@visited
@require_safe
def booklet(request: HttpRequest, visit: Visit) -> HttpResponse:
    """All lists as one PDF."""
    shown = _shown(visit)
    if len(shown) > MOST_IN_BOOKLET:
        said = _("A booklet holds {most} lists. Save the zip instead.")
        raise Refusal(said.format(most=MOST_IN_BOOKLET))
    stream = BytesIO()
    exporting.write_booklet(stream, visit.event, shown)
    return file_response(stream.getvalue(), "application/pdf", visit.event.name, "pdf", inline=True)


@visited
@require_safe
def log(request: HttpRequest, visit: Visit) -> HttpResponse:
    """What was done, in order, and whether the chain of hashes holds; as JSON with `form`. Before
    lists are shown, players read the lines about themselves alone.
    """
    lines = visit.event.log.order_by("sequence")
    whole = visit.person.role is not None or visit.state in (State.REVEALED, State.OVER)
    if not whole:
        if visit.entry is None:
            raise Http404("not shown yet")
        lines = lines.filter(entry__in=[one.number for one in visit.entries])
    if request.GET.get("form") == "json":
        data = [{**line_data(one), "previous": one.previous, "hash": one.hash} for one in lines]
        content = json.dumps({"format": "log/1", "lines": data}, indent=2).encode()
        return file_response(content, "application/json", visit.event.name, "json")
    page = Paginator(lines.reverse(), EACH).get_page(_page(request))
    broken = first_broken(lines.iterator(500)) if whole else 0
    context = {**visit.context, "page": page, "broken": broken, "whole": whole}
    return render(request, "events/log.html", context)


@visited
@require_safe
def commitments(request: HttpRequest, visit: Visit) -> HttpResponse:
    """What was committed to, from the time on when lists were due: who compares it later sees that
    nobody, no organiser either, has changed a list since.
    """
    if visit.state in (State.DRAFT, State.OPEN, State.CANCELLED):
        raise Http404("lists are not due yet")
    found = entries_of(visit.event).exclude(submission=None)
    rows = found.values_list("number", "submission__number", "submission__commitment")
    sheet = [{"entry": a, "submission": b, "commitment": c} for a, b, c in rows]
    data = {"format": "commitments/1", "event": str(visit.event.pk), "commitments": sheet}
    return file_response(
        json.dumps(data, indent=2).encode(), "application/json", "commitments", "json"
    )


def _page(request: HttpRequest) -> int:
    return whole_number(request.GET.get("page", ""), KEY) or 1
